# SPDX-License-Identifier: Apache-2.0
# torch.autograd.function: Function by its longer name, and what its backward may be wrapped in.
import torch
from torch.autograd import Function, _Context, no_grad

FunctionCtx = _Context


class _OnceDifferentiable(Function):
    """Its results cannot be differentiated again."""

    @staticmethod
    def forward(ctx, *tensors):
        return tuple(t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def once_differentiable(function):
    def wrapped(ctx, *args):
        with no_grad():
            outputs = function(ctx, *args)
        recorded = any(isinstance(arg, torch.Tensor) and arg.requires_grad for arg in args)
        if not recorded or not torch.is_grad_enabled() or _C.is_compiling():
            return outputs
        one = isinstance(outputs, torch.Tensor)
        given = [outputs] if one else list(outputs)
        tensors = [t.detach().requires_grad_() for t in given if t is not None]
        wrapped_ones = iter(_OnceDifferentiable.apply(*tensors))
        given = tuple(None if t is None else next(wrapped_ones) for t in given)
        return given[0] if one else given

    return wrapped
