# SPDX-License-Identifier: Apache-2.0
# torch.nn.attention.bias: causal masks, as tensors of bool.
import torch

__all__ = ["causal_upper_left", "causal_lower_right"]


def causal_upper_left(*size):
    """True where a key is not behind its query, counted from the first of each."""
    if len(size) != 2:
        raise AssertionError("causal_upper_left only supports 2D tensors")
    return torch.ones(size, dtype=torch.bool).tril()


def causal_lower_right(*size):
    """The same, counted from the last of each."""
    if len(size) != 2:
        raise AssertionError("causal_lower_right only supports 2D tensors")
    return torch.ones(size, dtype=torch.bool).tril(size[1] - size[0])
