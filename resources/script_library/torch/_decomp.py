# SPDX-License-Identifier: Apache-2.0
# torch._decomp: what operations consist of, as functions of other operations: tables that make_fx and an exported
# program's run_decompositions() go by.
import torch

decomposition_table = {}  # operation: function
aten = torch.ops.aten


def register_decomposition(aten_op, registry=None, *, type="post_autograd", unsafe=False):
    """Keeps the function beside its operation in the registry that is given, else in the table."""
    def kept(fn):
        table = decomposition_table if registry is None else registry
        for op in aten_op if isinstance(aten_op, (list, tuple)) else [aten_op]:
            for each in _overloads(op):
                table[each] = fn
        return fn

    return kept


def _overloads(op):
    """Of torch.ops.aten.add all that are offered; an overload is itself."""
    return [getattr(op, name) for name in op.overloads()] if hasattr(op, "overloads") else [op]


def get_decompositions(aten_ops, type="post_autograd"):
    """The functions of those operations that have one."""
    return {each: decomposition_table[each] for op in aten_ops for each in _overloads(op) if each in decomposition_table}


def core_aten_decompositions():
    return dict(decomposition_table)


def remove_decompositions(decompositions, aten_ops):
    for op in aten_ops:
        for each in _overloads(op):
            decompositions.pop(each, None)


@register_decomposition(aten.silu.default)
def silu(x):
    return x * torch.sigmoid(x)


@register_decomposition(aten.gelu.default)
def gelu(x, approximate="none"):
    if approximate == "tanh":
        inner = 0.7978845608028654 * (x + 0.044715 * (x * x * x))
        return 0.5 * x * (1 + torch.tanh(inner))
    return x * 0.5 * (1 + torch.erf(x * 0.7071067811865476))


@register_decomposition([aten.softmax.int, aten._softmax.default])
def softmax(x, dim, dtype=None):
    x = x if dtype is None or isinstance(dtype, bool) else x.to(dtype)
    e = torch.exp(x - torch.amax(x, [dim], True))
    return e / torch.sum(e, [dim], True)


@register_decomposition([aten.log_softmax.int, aten._log_softmax.default])
def log_softmax(x, dim, dtype=None):
    x = x if dtype is None or isinstance(dtype, bool) else x.to(dtype)
    shifted = x - torch.amax(x, [dim], True)
    return shifted - torch.log(torch.sum(torch.exp(shifted), [dim], True))


@register_decomposition(aten.addmm.default)
def addmm(self, mat1, mat2, *, beta=1, alpha=1):
    out = torch.mm(mat1, mat2)
    out = out if alpha == 1 else alpha * out
    return out + (self if beta == 1 else beta * self)


@register_decomposition(aten.hardtanh.default)
def hardtanh(x, min_val=-1, max_val=1):
    return torch.clamp(x, min_val, max_val)


@register_decomposition(aten.hardswish.default)
def hardswish(x):
    return x * torch.clamp(x + 3, 0, 6) / 6


@register_decomposition(aten.hardsigmoid.default)
def hardsigmoid(x):
    return torch.clamp(x + 3, 0, 6) / 6


@register_decomposition(aten.leaky_relu.default)
def leaky_relu(x, negative_slope=0.01):
    return torch.where(x > 0, x, x * negative_slope)


@register_decomposition(aten.elu.default)
def elu(x, alpha=1, scale=1, input_scale=1):
    return torch.where(x > 0, x * scale, torch.expm1(x * input_scale) * (alpha * scale))


@register_decomposition(aten.softplus.default)
def softplus(x, beta=1, threshold=20):
    return torch.where(x * beta > threshold, x, torch.log1p(torch.exp(x * beta)) / beta)


@register_decomposition(aten.mse_loss.default)
def mse_loss(x, target, reduction=1):
    found = (x - target) * (x - target)
    return torch.mean(found) if reduction == 1 else torch.sum(found) if reduction == 2 else found


@register_decomposition(aten.logsumexp.default)
def logsumexp(x, dim, keepdim=False):
    top = torch.amax(x, dim, True)
    top = torch.where(torch.abs(top) == float("inf"), 0.0, top)
    found = torch.log(torch.sum(torch.exp(x - top), dim, True)) + top
    return found if keepdim else torch.squeeze(found, dim)


@register_decomposition(aten.sigmoid_backward.default)
def sigmoid_backward(grad, out):
    return grad * (out * (1 - out))


@register_decomposition(aten.tanh_backward.default)
def tanh_backward(grad, out):
    return grad * (1 - out * out)


@register_decomposition(aten.threshold_backward.default)
def threshold_backward(grad, x, threshold):
    return torch.where(x <= threshold, 0, grad)


@register_decomposition(aten.lerp.Scalar)
def lerp(start, end, weight):
    return start + weight * (end - start)


@register_decomposition(aten.addcmul.default)
def addcmul(self, tensor1, tensor2, value=1):
    return self + value * tensor1 * tensor2


@register_decomposition(aten.addcdiv.default)
def addcdiv(self, tensor1, tensor2, value=1):
    return self + value * (tensor1 / tensor2)
