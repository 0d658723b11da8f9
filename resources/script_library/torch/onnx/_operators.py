# SPDX-License-Identifier: Apache-2.0
"""The operators of ONNX (github.com/onnx/onnx, docs/Operators.md) as calls of torch: an ONNX model that is open is a
script that calls them. What is an attribute in one version of an operator and an input in the next has one name.

Shapes and what is computed of them are Python numbers here, an int or a tuple of ints, so that they are known while a
graph is captured; such a value becomes a tensor where an operator computes with elements.
"""
import math
import torch
import torch.nn.functional as F
from torch.onnx._images import Images
from torch.onnx._recurrent import Recurrent
from torch.onnx._shapes import Shapes
from torch.onnx._values import dtype_of, is_number, number, numbers, several, tensor


def load(file):
    """name -> tensor: what the ONNX model that is open holds."""
    held = _C.held_tensors(str(file))
    if held is None:
        raise FileNotFoundError(f"scripts cannot read files here: {file}")
    return {name: tensor for kind, name, tensor, requires_grad in held}


def _each(f, a, b):
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(a) != len(b):
            a, b = (a * len(b) if len(a) == 1 else a), (b * len(a) if len(b) == 1 else b)
        return tuple(f(x, y) for x, y in zip(a, b))
    if isinstance(a, tuple):
        return tuple(f(x, b) for x in a)
    return tuple(f(a, y) for y in b) if isinstance(b, tuple) else f(a, b)


def _binary(of_numbers, of_tensors):
    def call(self, a, b, axis=None, broadcast=0, **others):
        if is_number(a) and is_number(b):
            return _each(of_numbers, a, b)
        a, b = tensor(a, b), tensor(b, a)
        if axis is not None and axis < a.dim():  # before version 7
            b = b.reshape(tuple(b.shape) + (1,) * (a.dim() - axis - b.dim()))
        return of_tensors(a, b)
    return call


def _over(f):
    """Of any number of tensors."""
    def call(self, *values):
        result = values[0]
        for value in values[1:]:
            result = f(self, result, value)
        return tensor(result) if len(values) > 1 else result
    return call


def _divided(a, b):
    return torch.div(a, b, rounding_mode=None if a.is_floating_point() else "trunc")


def _power(a, b):
    return torch.pow(a, b).to(a.dtype)


def _reduction(f, of_numbers=None):
    def call(self, data, axes=None, keepdims=1, noop_with_empty_axes=0):
        axes = numbers(axes)
        if isinstance(data, tuple) and of_numbers:
            return (of_numbers(data),) if keepdims else of_numbers(data)
        data = tensor(data)
        if not axes:
            if noop_with_empty_axes:
                return data
            axes = tuple(range(data.dim()))
        return f(data, tuple(axes), bool(keepdims)).to(data.dtype)
    return call


def _product(data, axes, keep):
    for axis in sorted((axis % data.dim() for axis in axes), reverse=True):
        data = data.prod(axis, keepdim=keep)
    return data


class Operators(Shapes, Images, Recurrent):
    def __init__(self, opset):
        self.opset = opset

    def __getattr__(self, name):
        raise NotImplementedError(f"the ONNX operator '{name}' is not part of Cutaway")

    # Numbers

    Add = _binary(lambda a, b: a + b, torch.add)
    Sub = _binary(lambda a, b: a - b, torch.sub)
    Mul = _binary(lambda a, b: a * b, torch.mul)
    Div = _binary(lambda a, b: a // b if (a >= 0) == (b > 0) else -(-a // b), _divided)
    Pow = _binary(lambda a, b: a ** b, _power)
    Equal = _binary(lambda a, b: a == b, torch.eq)
    Less = _binary(lambda a, b: a < b, torch.lt)
    LessOrEqual = _binary(lambda a, b: a <= b, torch.le)
    Greater = _binary(lambda a, b: a > b, torch.gt)
    GreaterOrEqual = _binary(lambda a, b: a >= b, torch.ge)
    And = _binary(lambda a, b: a and b, torch.logical_and)
    Or = _binary(lambda a, b: a or b, torch.logical_or)
    Xor = _binary(lambda a, b: a != b, torch.logical_xor)
    BitwiseAnd = _binary(lambda a, b: a & b, torch.bitwise_and)
    BitwiseOr = _binary(lambda a, b: a | b, torch.bitwise_or)
    BitwiseXor = _binary(lambda a, b: a ^ b, torch.bitwise_xor)
    Max = _over(_binary(max, torch.maximum))
    Min = _over(_binary(min, torch.minimum))
    Sum = _over(Add)

    def Mean(self, *values):
        return self.Sum(*values) / len(values)

    def Mod(self, a, b, fmod=0):
        if is_number(a) and is_number(b):
            return _each(lambda x, y: math.fmod(x, y) if fmod else x % y, a, b)
        return torch.fmod(tensor(a), tensor(b)) if fmod else torch.remainder(tensor(a), tensor(b))

    def BitShift(self, a, b, direction):
        wide, by = a.to(torch.int64), b.to(torch.int64)
        if direction == "LEFT":
            return (wide << by).to(a.dtype)
        if a.dtype == torch.uint64:  # the sign is an element's bit here
            wide = torch.where(by > 0, (wide >> 1) & 0x7fffffffffffffff, wide)
            by = (by - 1).clamp(min=0)
        return (wide >> by).to(a.dtype)

    def Not(self, x):
        if is_number(x):
            return tuple(not v for v in x) if isinstance(x, tuple) else not x
        return torch.logical_not(x)

    def Neg(self, x):
        if is_number(x):
            return tuple(-v for v in x) if isinstance(x, tuple) else -x
        return -x

    def Where(self, condition, a, b):
        if is_number(condition) and is_number(a) and is_number(b):
            picked = _each(lambda c, v: (c, v), condition, a)
            return _each(lambda one, v: one[1] if one[0] else v, picked, b) if isinstance(picked[0], tuple) else (
                picked[1] if picked[0] else b)
        return torch.where(tensor(condition), tensor(a, b), tensor(b, a))

    def Cast(self, x, to, saturate=1):
        to = dtype_of(to)
        if is_number(x) and to in (torch.int32, torch.int64):
            return tuple(int(v) for v in x) if isinstance(x, tuple) else int(x)
        return tensor(x).to(to)

    def CastLike(self, x, like, saturate=1):
        return tensor(x).to(tensor(like).dtype)

    def IsInf(self, x, detect_negative=1, detect_positive=1):
        return (torch.isposinf(x) & bool(detect_positive)) | (torch.isneginf(x) & bool(detect_negative))

    def Clip(self, x, min=None, max=None):
        if min is None and max is None:
            return x
        x = tensor(x)
        if not isinstance(min, torch.Tensor) and not isinstance(max, torch.Tensor):
            return torch.clamp(x, min, max)
        if min is not None:
            x = torch.maximum(x, torch.as_tensor(min, dtype=x.dtype))
        return x if max is None else torch.minimum(x, torch.as_tensor(max, dtype=x.dtype))

    # Activations

    def Identity(self, x):
        return x

    def Dropout(self, x, ratio=0.5, training_mode=False, seed=0, is_test=1, outputs=1):
        train = bool(number(training_mode)) and float(number(ratio)) > 0
        if not train:
            return several(outputs, x, torch.ones_like(x, dtype=torch.bool))
        mask = torch.rand_like(x) >= number(ratio)
        return several(outputs, x * mask / (1 - number(ratio)), mask)

    def LeakyRelu(self, x, alpha=0.01):
        return F.leaky_relu(x, alpha)

    def Elu(self, x, alpha=1.0):
        return F.elu(x, alpha)

    def Celu(self, x, alpha=1.0):
        return F.celu(x, alpha)

    def Selu(self, x, alpha=1.67326319217681884765625, gamma=1.05070102214813232421875):
        return gamma * (torch.clamp(x, min=0) + torch.clamp(alpha * (torch.exp(x) - 1), max=0))

    def Gelu(self, x, approximate="none"):
        return F.gelu(x, approximate=approximate)

    def HardSigmoid(self, x, alpha=0.2, beta=0.5):
        return torch.clamp(alpha * x + beta, 0, 1)

    def HardSwish(self, x):
        return F.hardswish(x)

    def ThresholdedRelu(self, x, alpha=1.0):
        return torch.where(x > alpha, x, torch.zeros_like(x))

    def Shrink(self, x, bias=0.0, lambd=0.5):
        wide = x if x.is_floating_point() else x.to(torch.float32)
        return torch.where(wide < -lambd, wide + bias,
                           torch.where(wide > lambd, wide - bias, torch.zeros_like(wide))).to(x.dtype)

    def PRelu(self, x, slope):
        if slope.dim() == 1 and x.dim() > 2 and slope.shape[0] == x.shape[1] and self.opset < 7:
            slope = slope.reshape((-1,) + (1,) * (x.dim() - 2))
        return torch.where(x < 0, x * slope, x)

    def _along(self, f, x, axis):
        """Before version 13 the dimensions from the axis on are one."""
        if self.opset >= 13:
            return f(x, -1 if axis is None else axis)
        axis = (1 if axis is None else axis) % x.dim()
        return f(x.flatten(axis), axis).reshape(x.shape)

    def Softmax(self, x, axis=None):
        return self._along(torch.softmax, x, axis)

    def LogSoftmax(self, x, axis=None):
        return self._along(torch.log_softmax, x, axis)

    def Hardmax(self, x, axis=None):
        def hard(x, axis):
            return torch.zeros_like(x).scatter(axis, x.argmax(axis, keepdim=True), 1.0)
        return self._along(hard, x, axis)

    # Products

    def MatMul(self, a, b):
        return torch.matmul(a, b)

    def Gemm(self, a, b, c=None, alpha=1.0, beta=1.0, transA=0, transB=0, broadcast=0):
        if c is not None and alpha == 1.0 and beta == 1.0 and transB and not transA and c.dim() == 1:
            return F.linear(a, b, c)
        product = torch.mm(a.t() if transA else a, b.t() if transB else b)
        product = product if alpha == 1.0 else alpha * product
        return product if c is None else product + (c if beta == 1.0 else beta * c)

    def Einsum(self, *operands, equation):
        return torch.einsum(equation, *operands)

    def Det(self, x):
        return torch.linalg.det(x)

    # Normalisations

    def BatchNormalization(self, x, scale, bias, mean, variance, epsilon=1e-5, momentum=0.9, training_mode=0,
                           spatial=1, is_test=1, consumed_inputs=None, outputs=1):
        if not training_mode:
            return several(outputs, F.batch_norm(x, mean, variance, scale, bias, False, 0.0, epsilon), mean, variance,
                           mean, variance)
        dims = [0] + list(range(2, x.dim()))
        now, spread = x.mean(dims), x.var(dims, correction=0)
        y = F.batch_norm(x, None, None, scale, bias, True, 0.0, epsilon)
        mean, variance = (old * momentum + new * (1 - momentum) for old, new in ((mean, now), (variance, spread)))
        return several(outputs, y, mean, variance)

    def InstanceNormalization(self, x, scale, bias, epsilon=1e-5, consumed_inputs=None):
        return F.instance_norm(x, None, None, scale, bias, True, 0.0, epsilon)

    def GroupNormalization(self, x, scale, bias, num_groups, epsilon=1e-5, stash_type=1):
        if scale.shape[0] == num_groups and self.opset < 21:
            each = x.shape[1] // num_groups
            scale, bias = scale.repeat_interleave(each), bias.repeat_interleave(each)
        return F.group_norm(x, num_groups, scale, bias, epsilon)

    def LayerNormalization(self, x, scale, bias=None, axis=-1, epsilon=1e-5, stash_type=1, outputs=1):
        dims = tuple(x.shape[axis % x.dim():])
        if outputs == 1 and tuple(scale.shape) == dims:
            return F.layer_norm(x, dims, scale, bias, epsilon)
        over = tuple(range(axis % x.dim(), x.dim()))
        mean = x.mean(over, keepdim=True)
        inverse = torch.rsqrt((x - mean).square().mean(over, keepdim=True) + epsilon)
        y = (x - mean) * inverse * scale
        return several(outputs, y if bias is None else y + bias, mean, inverse)

    def RMSNormalization(self, x, scale, axis=-1, epsilon=1e-5, stash_type=1):
        over = tuple(range(axis % x.dim(), x.dim()))
        return x * torch.rsqrt(x.square().mean(over, keepdim=True) + epsilon) * scale

    def LpNormalization(self, x, axis=-1, p=2):
        return x / torch.linalg.vector_norm(x, p, axis, keepdim=True)

    def MeanVarianceNormalization(self, x, axes=(0, 2, 3)):
        mean = x.mean(tuple(axes), keepdim=True)
        return (x - mean) / ((x.square().mean(tuple(axes), keepdim=True) - mean.square()).sqrt() + 1e-9)

    def LRN(self, x, size, alpha=1e-4, beta=0.75, bias=1.0):
        squares = F.pad(x.square().flatten(2), (0, 0, (size - 1) // 2, size // 2))
        sums = squares.unfold(1, size, 1).sum(-1).reshape(x.shape)
        return x / (bias + alpha / size * sums) ** beta

    # Reductions

    ReduceSum = _reduction(lambda x, axes, keep: x.sum(axes, keepdim=keep), sum)
    ReduceMean = _reduction(lambda x, axes, keep: x.mean(axes, keepdim=keep))
    ReduceMax = _reduction(lambda x, axes, keep: x.amax(axes, keepdim=keep), max)
    ReduceMin = _reduction(lambda x, axes, keep: x.amin(axes, keepdim=keep), min)
    ReduceProd = _reduction(_product, math.prod)
    ReduceL1 = _reduction(lambda x, axes, keep: x.abs().sum(axes, keepdim=keep))
    ReduceL2 = _reduction(lambda x, axes, keep: x.square().sum(axes, keepdim=keep).to(torch.float64).sqrt()
                          if not x.is_floating_point() else torch.linalg.vector_norm(x, 2, axes, keepdim=keep))
    ReduceSumSquare = _reduction(lambda x, axes, keep: x.square().sum(axes, keepdim=keep))
    ReduceLogSum = _reduction(lambda x, axes, keep: x.sum(axes, keepdim=keep).log())
    ReduceLogSumExp = _reduction(lambda x, axes, keep: torch.logsumexp(x, axes, keepdim=keep))

    def _extreme(self, f, x, axis, keepdims, select_last_index):
        if not select_last_index:
            return f(x, axis, keepdim=bool(keepdims))
        return x.shape[axis] - 1 - f(x.flip(axis), axis, keepdim=bool(keepdims))

    def ArgMax(self, x, axis=0, keepdims=1, select_last_index=0):
        return self._extreme(torch.argmax, x, axis, keepdims, select_last_index)

    def ArgMin(self, x, axis=0, keepdims=1, select_last_index=0):
        return self._extreme(torch.argmin, x, axis, keepdims, select_last_index)

    def CumSum(self, x, axis, exclusive=0, reverse=0):
        axis = number(axis)
        x = x.flip(axis) if reverse else x
        sums = torch.cumsum(x, axis).to(x.dtype)
        sums = sums - x if exclusive else sums
        return sums.flip(axis) if reverse else sums

    def TopK(self, x, k, axis=-1, largest=1, sorted=1, outputs=2):
        values, places = torch.topk(x, number(k), axis, bool(largest), True)
        return several(outputs, values, places)

    def Unique(self, x, axis=None, sorted=1, outputs=1):
        """In the order of their first places, too: torch sorts."""
        y, inverse, counts = torch.unique(x, sorted=True, return_inverse=True, return_counts=True, dim=axis)
        places = inverse.flatten()
        first = torch.full((counts.shape[0],), places.shape[0], dtype=torch.int64)
        first = first.scatter_reduce(0, places, torch.arange(places.shape[0]), "amin")
        if not sorted:
            order = first.argsort()
            y = y.index_select(axis or 0, order)
            first, counts, places = first[order], counts[order], order.argsort()[places]
        return several(outputs, y, first, places, counts)

    # Losses

    def NegativeLogLikelihoodLoss(self, x, target, weight=None, ignore_index=-100, reduction="mean"):
        return F.nll_loss(x, target.to(torch.int64), weight, ignore_index=ignore_index, reduction=reduction)

    def SoftmaxCrossEntropyLoss(self, x, target, weight=None, ignore_index=-100, reduction="mean", outputs=1):
        logs = torch.log_softmax(x, 1)
        return several(outputs, self.NegativeLogLikelihoodLoss(logs, target, weight, ignore_index, reduction), logs)

    # Control flow

    def If(self, condition, then_branch, else_branch, outputs=1):
        return then_branch() if bool(number(condition)) else else_branch()

    def Loop(self, count, condition, *state, body, outputs=1):
        count, state = None if count is None else number(count), list(state)
        goes, kept, step = True if condition is None else bool(number(condition)), [], 0
        while goes and (count is None or step < count):
            results = body(step, goes, *state)
            results = results if isinstance(results, tuple) else (results,)
            goes, state = bool(number(results[0])), list(results[1:1 + len(state)])
            kept.append([tensor(value) for value in results[1 + len(state):]])
            step += 1
        stacked = [torch.stack(values) for values in zip(*kept)]
        stacked += [torch.zeros(0)] * (outputs - len(state) - len(stacked))
        results = tuple(state) + tuple(stacked)
        return results[0] if outputs == 1 else results[:outputs]

    def Scan(self, *values, body, num_scan_inputs, scan_input_axes=None, scan_input_directions=None,
             scan_output_axes=None, scan_output_directions=None, directions=None, outputs=1):
        if self.opset < 9:  # over a batch, with lengths of its own
            values = values[1:]
            results = [self._scan([v[i] for v in values], body, num_scan_inputs, None, directions, None, None)
                       for i in range(values[0].shape[0])]
            results = [torch.stack(each) for each in zip(*results)]
        else:
            results = self._scan(list(values), body, num_scan_inputs, scan_input_axes, scan_input_directions,
                                 scan_output_axes, scan_output_directions)
        return results[0] if outputs == 1 else tuple(results)

    def _scan(self, values, body, count, axes, directions, out_axes, out_directions):
        state, scanned = values[:-count], values[-count:]
        axes, directions = axes or [0] * count, directions or [0] * count
        rows = [v.flip(axis).unbind(axis) if back else v.unbind(axis)
                for v, axis, back in zip(scanned, axes, directions)]
        kept = []
        for row in zip(*rows):
            results = body(*state, *row)
            results = results if isinstance(results, tuple) else (results,)
            state = list(results[:len(state)])
            kept.append(results[len(state):])
        stacked = [torch.stack(each, 0) for each in zip(*kept)]
        out_axes, out_directions = out_axes or [0] * len(stacked), out_directions or [0] * len(stacked)
        stacked = [(v.flip(0) if back else v).movedim(0, axis)
                   for v, axis, back in zip(stacked, out_axes, out_directions)]
        return list(state) + stacked

    # Sequences and optional values

    def SequenceEmpty(self, dtype=1):
        return []

    def SequenceConstruct(self, *values):
        return [tensor(value) for value in values]

    def SequenceInsert(self, sequence, value, position=None):
        place = len(sequence) if position is None else number(position)
        place = place + len(sequence) if place < 0 else place
        return sequence[:place] + [tensor(value)] + sequence[place:]

    def SequenceErase(self, sequence, position=None):
        place = (len(sequence) - 1 if position is None else number(position)) % len(sequence)
        return sequence[:place] + sequence[place + 1:]

    def SequenceAt(self, sequence, position):
        return sequence[number(position)]

    def SequenceLength(self, sequence):
        return len(sequence)

    def SequenceMap(self, sequence, *others, body, outputs=1):
        results = []
        for i, value in enumerate(sequence):
            result = body(value, *[other[i] if isinstance(other, list) else other for other in others])
            results.append(result if isinstance(result, tuple) else (result,))
        results = tuple(list(each) for each in zip(*results))
        return results[0] if outputs == 1 else results

    def SplitToSequence(self, x, split=None, axis=0, keepdims=1):
        if split is None:
            return list(x.split(1, axis)) if keepdims else list(x.unbind(axis))
        if isinstance(split, tuple) or isinstance(split, torch.Tensor) and split.dim():
            return list(x.split(list(numbers(split)), axis))
        return list(x.split(number(split), axis))

    def ConcatFromSequence(self, sequence, axis, new_axis=0):
        return torch.stack(sequence, axis) if new_axis else torch.cat(sequence, axis)

    def Optional(self, value=None, type=None):
        return value

    def OptionalHasElement(self, value=None):
        return torch.tensor(value is not None)

    def OptionalGetElement(self, value):
        return value


for _name, _f in {
        "Abs": torch.abs, "Acos": torch.acos, "Acosh": torch.acosh, "Asin": torch.asin, "Asinh": torch.asinh,
        "Atan": torch.atan, "Atanh": torch.atanh, "BitwiseNot": torch.bitwise_not, "Ceil": torch.ceil,
        "Cos": torch.cos, "Cosh": torch.cosh, "Erf": torch.erf, "Exp": torch.exp, "Floor": torch.floor,
        "IsNaN": torch.isnan, "Log": torch.log, "Mish": F.mish, "Reciprocal": torch.reciprocal, "Relu": torch.relu,
        "Round": torch.round, "Sigmoid": torch.sigmoid, "Sign": torch.sign, "Sin": torch.sin, "Sinh": torch.sinh,
        "Softplus": F.softplus, "Softsign": F.softsign, "Sqrt": torch.sqrt, "Tan": torch.tan,
        "Tanh": torch.tanh}.items():
    setattr(Operators, _name, lambda self, x, consumed_inputs=None, f=_f: f(tensor(x)))
