# SPDX-License-Identifier: Apache-2.0
# torch.nn.functional: the functions whose Python form differs from the operation's. Other names
# (sigmoid, tanh, one operation each) come from the catalogue.
import torch
from torch import _ops


def _reduction(name):
    if name == "none":
        return 0
    if name == "mean":
        return 1
    if name == "sum":
        return 2
    raise ValueError(f"reduction must be 'none', 'mean' or 'sum', found {name!r}")


def linear(input, weight, bias=None):
    return _ops.linear(input, weight, bias)


def relu(input, inplace=False):
    if inplace:
        return input.relu_()
    return _ops.relu(input)


def silu(input, inplace=False):
    if inplace:
        return input.silu_()
    return _ops.silu(input)


def gelu(input, *, approximate="none"):
    return _ops.gelu(input, approximate=approximate)


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = 0 if input.dim() in (0, 1, 3) else 1
    return _ops.softmax(input, dim, dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = 0 if input.dim() in (0, 1, 3) else 1
    return _ops.log_softmax(input, dim, dtype)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    return _ops.layer_norm(input, normalized_shape, weight, bias, eps)


def dropout(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _ops.dropout(input, p, training)


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                  label_smoothing=0.0):
    return _ops.cross_entropy_loss(input, target, weight, _reduction(reduction), ignore_index, label_smoothing)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    return _ops.nll_loss(input, target, weight, _reduction(reduction), ignore_index)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    return _ops.mse_loss(input, target, _reduction(reduction))


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise ValueError("embedding() takes no max_norm, scale_grad_by_freq or sparse: leave them out")
    if padding_idx is None:
        return _ops.embedding(weight, input)
    rows = weight.shape[0]
    if padding_idx < -rows or padding_idx >= rows:
        raise ValueError(f"embedding() needs a padding_idx within the {rows} rows, found {padding_idx}")
    return _ops.embedding(weight, input, padding_idx % rows)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    if not training or running_mean is None:
        return _ops.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    output, _, _, mean, var = _ops._native_batch_norm_legit_functional(input, weight, bias, running_mean, running_var,
                                                                      True, momentum, eps)
    running_mean.copy_(mean.detach())
    running_var.copy_(var.detach())
    return output


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    stride = [] if stride is None else stride
    if return_indices:
        return _ops.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _ops.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    stride = [] if stride is None else stride
    return _ops.avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def adaptive_avg_pool2d(input, output_size):
    sizes = (output_size, output_size) if isinstance(output_size, int) else output_size
    wanted = [input.shape[i - 2] if sizes[i] is None else sizes[i] for i in range(2)]
    return _ops.adaptive_avg_pool2d(input, wanted)
