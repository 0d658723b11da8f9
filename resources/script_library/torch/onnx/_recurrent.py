# SPDX-License-Identifier: Apache-2.0
"""The recurrent operators of ONNX, a step at a time, and those on quantised numbers."""
import torch
import torch.nn.functional as F
from torch.onnx._values import several

_ACTIVATIONS = {
    "relu": lambda x, a, b: torch.relu(x), "tanh": lambda x, a, b: torch.tanh(x),
    "sigmoid": lambda x, a, b: torch.sigmoid(x), "softsign": lambda x, a, b: F.softsign(x),
    "softplus": lambda x, a, b: F.softplus(x),
    "affine": lambda x, a, b: (1.0 if a is None else a) * x + (0.0 if b is None else b),
    "leakyrelu": lambda x, a, b: F.leaky_relu(x, 0.01 if a is None else a),
    "thresholdedrelu": lambda x, a, b: torch.where(x > (1.0 if a is None else a), x, torch.zeros_like(x)),
    "scaledtanh": lambda x, a, b: (1.0 if a is None else a) * torch.tanh((1.0 if b is None else b) * x),
    "hardsigmoid": lambda x, a, b: torch.clamp((0.2 if a is None else a) * x + (0.5 if b is None else b), 0, 1),
    "elu": lambda x, a, b: F.elu(x, 1.0 if a is None else a)}


class Recurrent:
    def _recur(self, cell, gates, x, w, r, b, lengths, states, hidden, options, functions, outputs):
        """Directions side by side, steps one by one; what lies behind a row's length is zero."""
        if options["layout"]:
            x, states = x.transpose(0, 1), [None if s is None else s.transpose(0, 1) for s in states]
        steps, batch = x.shape[0], x.shape[1]
        names = options["activations"] or functions * w.shape[0]
        alphas, betas = options["activation_alpha"] or [], options["activation_beta"] or []
        kept, last = [], []
        for d in range(w.shape[0]):
            back = options["direction"] == "reverse" or d == 1
            acts = [lambda v, i=i: _ACTIVATIONS[names[i].lower()](v, alphas[i] if i < len(alphas) else None,
                                                                 betas[i] if i < len(betas) else None)
                    for i in range(d * len(functions), (d + 1) * len(functions))]
            clip = options["clip"]
            act = [lambda v, f=f: f(v if clip is None else torch.clamp(v, -clip, clip)) for f in acts]
            bias = [None, None] if b is None else b[d].split(gates * hidden)
            state = [torch.zeros(batch, hidden, dtype=x.dtype) if s is None else s[d] for s in states]
            of_inputs = F.linear(x, w[d], bias[0])
            rows = [None] * steps
            for t in reversed(range(steps)) if back else range(steps):
                new = cell(of_inputs[t], state, r[d], bias[1], act)
                if lengths is not None:
                    alive = (t < lengths).reshape(-1, 1)
                    rows[t] = torch.where(alive, new[0], torch.zeros_like(new[0]))
                    new = [torch.where(alive, n, o) for n, o in zip(new, state)]
                else:
                    rows[t] = new[0]
                state = new
            kept.append(torch.stack(rows))
            last.append(state)
        y, ends = torch.stack(kept, 1), [torch.stack(each) for each in zip(*last)]
        if options["layout"]:
            y, ends = y.permute(2, 0, 1, 3), [e.transpose(0, 1) for e in ends]
        return several(outputs, y, *ends)

    def RNN(self, x, w, r, b=None, sequence_lens=None, initial_h=None, activations=None, activation_alpha=None,
            activation_beta=None, clip=None, direction="forward", hidden_size=None, layout=0, output_sequence=1,
            outputs=1):
        def cell(given, state, r, bias, act):
            return [act[0](given + F.linear(state[0], r, bias))]
        options = {"activations": activations, "activation_alpha": activation_alpha, "layout": layout,
                   "activation_beta": activation_beta, "clip": clip, "direction": direction}
        return self._recur(cell, 1, x, w, r, b, sequence_lens, [initial_h], r.shape[-1], options, ["Tanh"], outputs)

    def GRU(self, x, w, r, b=None, sequence_lens=None, initial_h=None, activations=None, activation_alpha=None,
            activation_beta=None, clip=None, direction="forward", hidden_size=None, layout=0, linear_before_reset=0,
            output_sequence=1, outputs=1):
        def cell(given, state, r, bias, act):
            (z, reset, new), h = given.chunk(3, -1), state[0]
            rz, rr, rn = r.chunk(3)
            bz, br, bn = (None, None, None) if bias is None else bias.chunk(3)
            z, reset = act[0](z + F.linear(h, rz, bz)), act[0](reset + F.linear(h, rr, br))
            new = act[1](new + (reset * F.linear(h, rn, bn) if linear_before_reset else F.linear(reset * h, rn, bn)))
            return [(1 - z) * new + z * h]
        options = {"activations": activations, "activation_alpha": activation_alpha, "layout": layout,
                   "activation_beta": activation_beta, "clip": clip, "direction": direction}
        return self._recur(cell, 3, x, w, r, b, sequence_lens, [initial_h], r.shape[-1], options, ["Sigmoid", "Tanh"],
                           outputs)

    def LSTM(self, x, w, r, b=None, sequence_lens=None, initial_h=None, initial_c=None, p=None, activations=None,
             activation_alpha=None, activation_beta=None, clip=None, direction="forward", hidden_size=None,
             input_forget=0, layout=0, output_sequence=1, outputs=1):
        peep = None if p is None else p[0].chunk(3)

        def cell(given, state, r, bias, act):
            h, c = state
            i, o, f, new = (given + F.linear(h, r, bias)).chunk(4, -1)
            if peep is not None:
                i, f = i + peep[0] * c, f + peep[2] * c
            i = act[0](i)
            f = 1 - i if input_forget else act[0](f)
            c = f * c + i * act[1](new)
            o = act[0](o if peep is None else o + peep[1] * c)
            return [o * act[2](c), c]
        options = {"activations": activations, "activation_alpha": activation_alpha, "layout": layout,
                   "activation_beta": activation_beta, "clip": clip, "direction": direction}
        return self._recur(cell, 4, x, w, r, b, sequence_lens, [initial_h, initial_c], r.shape[-1], options,
                           ["Sigmoid", "Tanh", "Tanh"], outputs)

    # Quantised numbers

    def _beside(self, scale, x, axis):
        return scale if scale.dim() == 0 or scale.numel() == 1 else scale.reshape(
            tuple(-1 if d == axis % x.dim() else 1 for d in range(x.dim())))

    def QuantizeLinear(self, x, y_scale, y_zero_point=None, axis=1, saturate=1):
        dtype = torch.uint8 if y_zero_point is None else y_zero_point.dtype
        y = torch.round(x / self._beside(y_scale, x, axis))
        if y_zero_point is not None:
            y = y + self._beside(y_zero_point, x, axis).to(y.dtype)
        least, most = torch.iinfo(dtype).min, torch.iinfo(dtype).max
        return y.clamp(least, most).to(dtype)

    def DequantizeLinear(self, x, x_scale, x_zero_point=None, axis=1):
        wide = x.to(torch.int32)
        if x_zero_point is not None:
            wide = wide - self._beside(x_zero_point, x, axis).to(torch.int32)
        return wide.to(x_scale.dtype) * self._beside(x_scale, x, axis)

    def DynamicQuantizeLinear(self, x, outputs=3):
        least, most = torch.clamp(x.min(), max=0), torch.clamp(x.max(), min=0)
        scale = (most - least) / 255
        zero = torch.round((0 - least) / scale).clamp(0, 255)
        y = (torch.round(x / scale) + zero).clamp(0, 255).to(torch.uint8)
        return several(outputs, y, scale, zero.to(torch.uint8))

    def _centred(self, x, zero, row=False):
        """In float64, which holds sums of such products exactly."""
        x = x.to(torch.float64)
        if zero is None:
            return x
        zero = zero.to(torch.float64)
        return x - (zero.reshape(-1, 1) if row and zero.dim() == 1 else zero)

    def MatMulInteger(self, a, b, a_zero_point=None, b_zero_point=None):
        product = torch.matmul(self._centred(a, a_zero_point, True), self._centred(b, b_zero_point))
        return product.to(torch.int32)

    def ConvInteger(self, x, w, x_zero_point=None, w_zero_point=None, **attributes):
        return self.Conv(self._centred(x, x_zero_point), self._centred(w, w_zero_point), **attributes).to(torch.int32)

    def _requantised(self, y, scale, zero):
        least, most = torch.iinfo(zero.dtype).min, torch.iinfo(zero.dtype).max
        return (torch.round(y / scale) + zero.to(y.dtype)).clamp(least, most).to(zero.dtype)

    def QLinearMatMul(self, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero):
        product = torch.matmul(self._centred(a, a_zero, True), self._centred(b, b_zero))
        return self._requantised(product * a_scale * b_scale, y_scale, y_zero)

    def QLinearConv(self, x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias=None, **attributes):
        w = w.to(torch.float64) - self._beside(w_zero, w, 0).to(torch.float64)
        y = self.Conv(self._centred(x, x_zero), w, None if bias is None else bias.to(torch.float64), **attributes)
        return self._requantised(y * x_scale * self._beside(w_scale, y, 1), y_scale, y_zero)
