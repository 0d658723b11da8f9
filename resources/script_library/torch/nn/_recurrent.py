# SPDX-License-Identifier: Apache-2.0
# Recurrent layers of torch.nn, one step after another.
import math

import torch
import torch.nn.functional as F
from torch.nn import Module, Parameter
from torch.nn.utils.rnn import PackedSequence

_GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}


def _step(mode, x_gates, h, c, w_hh, b_hh, w_hr=None):
    """One step: x_gates is w_ih x + b_ih, w_hr projects an LSTM's h. Returns h and c."""
    gates = F.linear(h, w_hh, b_hh)
    if mode == "LSTM":
        i, f, g, o = (x_gates + gates).chunk(4, -1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        return (h if w_hr is None else F.linear(h, w_hr)), c
    if mode == "GRU":
        xr, xz, xn = x_gates.chunk(3, -1)
        hr, hz, hn = gates.chunk(3, -1)
        r = torch.sigmoid(xr + hr)
        z = torch.sigmoid(xz + hz)
        n = torch.tanh(xn + r * hn)
        return (h - n) * z + n, c
    total = x_gates + gates
    return (torch.relu(total) if mode == "RNN_RELU" else torch.tanh(total)), c


class RNNBase(Module):
    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        if proj_size != 0 and mode != "LSTM":
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        out_size = proj_size or hidden_size
        directions = 2 if bidirectional else 1
        rows = _GATES[mode] * hidden_size
        for layer in range(num_layers):
            for direction in range(directions):
                end = f"_l{layer}" + ("_reverse" if direction == 1 else "")
                width = input_size if layer == 0 else out_size * directions
                self.register_parameter("weight_ih" + end, Parameter(
                    torch.empty(rows, width, device=device, dtype=dtype)))
                self.register_parameter("weight_hh" + end, Parameter(
                    torch.empty(rows, out_size, device=device, dtype=dtype)))
                if bias:
                    self.register_parameter("bias_ih" + end, Parameter(torch.empty(rows, device=device, dtype=dtype)))
                    self.register_parameter("bias_hh" + end, Parameter(torch.empty(rows, device=device, dtype=dtype)))
                if proj_size > 0:
                    self.register_parameter("weight_hr" + end, Parameter(
                        torch.empty(proj_size, hidden_size, device=device, dtype=dtype)))
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size)
        with torch.no_grad():
            for weight in self.parameters():
                weight.uniform_(-bound, bound)

    def flatten_parameters(self):
        pass

    @property
    def all_weights(self):
        directions = 2 if self.bidirectional else 1
        each = (4 if self.bias else 2) + (1 if self.proj_size > 0 else 0)
        weights = list(self._parameters.values())
        return [weights[i * each:(i + 1) * each] for i in range(self.num_layers * directions)]

    def _direction(self, x, sizes, h, c, layer, reverse):
        """x: (steps, batch, features), or packed rows with sizes[t] of them in step t, never more than in the one
        before."""
        end = f"_l{layer}" + ("_reverse" if reverse else "")
        w_ih, w_hh = self._parameters["weight_ih" + end], self._parameters["weight_hh" + end]
        b_ih = self._parameters["bias_ih" + end] if self.bias else None
        b_hh = self._parameters["bias_hh" + end] if self.bias else None
        w_hr = self._parameters["weight_hr" + end] if self.proj_size > 0 else None
        gates = F.linear(x, w_ih, b_ih)
        if sizes is None:
            outputs = []
            for t in reversed(range(x.shape[0])) if reverse else range(x.shape[0]):
                h, c = _step(self.mode, gates[t], h, c, w_hh, b_hh, w_hr)
                outputs.append(h)
            if reverse:
                outputs.reverse()
            return torch.stack(outputs), h, c
        gates = gates.split(sizes)
        starts = h, c
        ended, outputs = [], []  # ended: the last h and c of sequences that are over, shortest first
        count = sizes[-1] if reverse else sizes[0]
        h, c = h[:count], c[:count]
        for t in reversed(range(len(sizes))) if reverse else range(len(sizes)):
            if sizes[t] < count:
                ended.append((h[sizes[t]:], c[sizes[t]:]))
                h, c = h[:sizes[t]], c[:sizes[t]]
            elif sizes[t] > count:  # backwards, the longest sequences begin first
                h, c = (torch.cat([now, start[count:sizes[t]]]) for now, start in zip((h, c), starts))
            count = sizes[t]
            h, c = _step(self.mode, gates[t], h, c, w_hh, b_hh, w_hr)
            outputs.append(h)
        if reverse:
            outputs.reverse()
        if len(ended) > 0:
            h, c = (torch.cat([now] + [e[i] for e in reversed(ended)]) for i, now in enumerate((h, c)))
        return torch.cat(outputs), h, c

    def _layers(self, x, sizes, hx):
        """What the last layer gives, and the last states."""
        directions = 2 if self.bidirectional else 1
        count = self.num_layers * directions
        if hx is None:
            batch = x.shape[1] if sizes is None else sizes[0]
            h0 = torch.zeros(count, batch, self.proj_size or self.hidden_size, dtype=x.dtype, device=x.device)
            c0 = torch.zeros(count, batch, self.hidden_size, dtype=x.dtype, device=x.device) if self.proj_size else h0
        else:
            h0, c0 = hx if self.mode == "LSTM" else (hx, hx)
        last_h, last_c = [], []
        for layer in range(self.num_layers):
            outputs = []
            for direction in range(directions):
                k = layer * directions + direction
                output, h, c = self._direction(x, sizes, h0[k], c0[k], layer, direction == 1)
                outputs.append(output)
                last_h.append(h)
                last_c.append(c)
            x = outputs[0] if directions == 1 else torch.cat(outputs, -1)
            if self.dropout > 0 and self.training and layer + 1 < self.num_layers:
                x = F.dropout(x, self.dropout, True)
        return x, torch.stack(last_h), torch.stack(last_c)

    def _forward_packed(self, input, hx):
        lstm = self.mode == "LSTM"
        order, back = input.sorted_indices, input.unsorted_indices
        if hx is not None and order is not None:
            hx = tuple(s.index_select(1, order) for s in hx) if lstm else hx.index_select(1, order)
        x, h, c = self._layers(input.data, input._sizes(), hx)
        if back is not None:
            h, c = h.index_select(1, back), c.index_select(1, back) if lstm else None
        return input._with(x), (h, c) if lstm else h

    def forward(self, input, hx=None):
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        single = input.dim() == 2
        if input.dim() not in (2, 3):
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got "
                               f"{input.shape[-1]}")
        lstm = self.mode == "LSTM"
        if lstm and self.proj_size == 0 and input.device.type == "cpu" and torch.is_autocast_enabled("cpu"):
            # PyTorch's kernel for it (oneDNN) computes all of it in the dtype of the autocast.
            lower = torch.get_autocast_dtype("cpu")
            input, hx = input.to(lower), None if hx is None else tuple(s.to(lower) for s in hx)
        if single:
            input = input.unsqueeze(1)
            if hx is not None:
                hx = tuple(s.unsqueeze(1) for s in hx) if lstm else hx.unsqueeze(1)
        elif self.batch_first:
            input = input.transpose(0, 1)
        x, h, c = self._layers(input, None, hx)
        if single:
            x, h, c = x.squeeze(1), h.squeeze(1), c.squeeze(1)
        elif self.batch_first:
            x = x.transpose(0, 1)
        return x, (h, c) if lstm else h

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            text += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first is not False:
            text += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            text += f", dropout={self.dropout}"
        if self.bidirectional is not False:
            text += f", bidirectional={self.bidirectional}"
        return text


class RNN(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, device=None, dtype=None):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.nonlinearity = nonlinearity
        super().__init__("RNN_TANH" if nonlinearity == "tanh" else "RNN_RELU", input_size, hidden_size, num_layers,
                         bias, batch_first, dropout, bidirectional, 0, device, dtype)


class LSTM(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__("LSTM", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional,
                         proj_size, device, dtype)


class GRU(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, device=None, dtype=None):
        super().__init__("GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0,
                         device, dtype)


class RNNCellBase(Module):
    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(torch.empty(rows, input_size, device=device, dtype=dtype))
        self.weight_hh = Parameter(torch.empty(rows, hidden_size, device=device, dtype=dtype))
        if bias:
            self.bias_ih = Parameter(torch.empty(rows, device=device, dtype=dtype))
            self.bias_hh = Parameter(torch.empty(rows, device=device, dtype=dtype))
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size)
        with torch.no_grad():
            for weight in self.parameters():
                weight.uniform_(-bound, bound)

    def _next(self, mode, input, h, c):
        gates = F.linear(input, self.weight_ih, self.bias_ih)
        return _step(mode, gates, h, c, self.weight_hh, self.bias_hh)

    def _zero(self, input):
        return torch.zeros(tuple(input.shape[:-1]) + (self.hidden_size,), dtype=input.dtype, device=input.device)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}" + (", bias=False" if self.bias is not True else "")
        told = self.__dict__.get("nonlinearity", "tanh")
        return text + ("" if told == "tanh" else f", nonlinearity={told}")


class RNNCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        hx = self._zero(input) if hx is None else hx
        return self._next("RNN_TANH" if self.nonlinearity == "tanh" else "RNN_RELU", input, hx, None)[0]


class LSTMCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        h, c = (self._zero(input), self._zero(input)) if hx is None else hx
        return self._next("LSTM", input, h, c)


class GRUCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        return self._next("GRU", input, self._zero(input) if hx is None else hx, None)[0]


from torch._homes import settle as _settle

_settle("torch.nn", globals(), modules=False)
