# SPDX-License-Identifier: Apache-2.0
# torch.overrides: tensors are what functions of torch take here; no class overrides them.
import torch


def is_tensor_like(inp):
    return isinstance(inp, torch.Tensor) or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args):
    return any(not isinstance(x, torch.Tensor) and hasattr(x, "__torch_function__") for x in relevant_args)


def has_torch_function_unary(inp):
    return has_torch_function((inp,))


def has_torch_function_variadic(*inps):
    return has_torch_function(inps)
