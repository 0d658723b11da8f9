# SPDX-License-Identifier: Apache-2.0
import torch
from torch.nn import Buffer, Parameter


def is_lazy(param):
    """Whether it has no size yet."""
    return isinstance(param, torch.Tensor) and getattr(param, "_uninitialized", False)


class _Uninitialized(type):
    def __instancecheck__(cls, value):
        return is_lazy(value) and isinstance(value, Parameter) == cls.parameter

    def __call__(cls, requires_grad=True, device=None, dtype=None):
        """A tensor of no elements that materialize(shape) gives memory."""
        tensor = torch.empty(0, device=device, dtype=dtype)
        if cls.parameter:
            tensor = Parameter(tensor, requires_grad)

        def materialize(shape, device=None, dtype=None):
            tensor.data = torch.empty(shape, device=device or tensor.device, dtype=dtype or tensor.dtype)
            del tensor.materialize
            del tensor._uninitialized

        tensor.materialize = materialize
        tensor._uninitialized = True
        return tensor


class UninitializedParameter(metaclass=_Uninitialized):
    parameter = True


class UninitializedBuffer(metaclass=_Uninitialized):
    parameter = False
