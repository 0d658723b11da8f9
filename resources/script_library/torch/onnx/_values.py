# SPDX-License-Identifier: Apache-2.0
"""What the operators of ONNX are given: tensors, and numbers where shapes are computed (_operators.py)."""
import torch

_DTYPES = {1: torch.float32, 2: torch.uint8, 3: torch.int8, 4: torch.uint16, 5: torch.int16, 6: torch.int32,
           7: torch.int64, 9: torch.bool, 10: torch.float16, 11: torch.float64, 12: torch.uint32, 13: torch.uint64,
           14: torch.complex64, 15: torch.complex128, 16: torch.bfloat16, 17: torch.float8_e4m3fn,
           19: torch.float8_e5m2}
_NAMES = {"FLOAT": 1, "UINT8": 2, "INT8": 3, "UINT16": 4, "INT16": 5, "INT32": 6, "INT64": 7, "BOOL": 9, "FLOAT16": 10,
          "DOUBLE": 11, "UINT32": 12, "UINT64": 13}
MOST_NUMBERS = 64  # of a tuple; more are a tensor


def dtype_of(number):
    number = _NAMES.get(number, number)  # names before version 6
    if number not in _DTYPES:
        raise NotImplementedError(f"tensors of ONNX's element type {number} are not part of Cutaway")
    return _DTYPES[number]


def is_number(value):
    return isinstance(value, (int, tuple))


def tensor(value, like=None):
    """Of the dtype of another operand, where that is a tensor: ONNX converts none."""
    if not is_number(value):
        return value
    return torch.tensor(value, dtype=like.dtype if isinstance(like, torch.Tensor) else None)


def numbers(value):
    """A tuple of ints (or floats) of a vector; None of None."""
    if value is None or isinstance(value, tuple):
        return value
    if isinstance(value, (int, float)):
        return (value,)
    return tuple(value) if isinstance(value, list) else tuple(value.flatten().tolist())


def number(value):
    if isinstance(value, torch.Tensor):
        return value.item()
    return value[0] if isinstance(value, (tuple, list)) else value


def several(outputs, *values):
    return values[0] if outputs == 1 else values[:outputs]
