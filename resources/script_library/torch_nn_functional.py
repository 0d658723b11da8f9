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


def gelu(input, approximate="none"):
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
