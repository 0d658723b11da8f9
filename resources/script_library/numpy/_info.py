# SPDX-License-Identifier: Apache-2.0
# What is said of dtypes and arrays, and numpy's switches.
import contextlib as _contextlib
import math as _math

import numpy as _np
import torch as _torch
from numpy._dtypes import _all as _dtypes, _dtype_of, _of_tensor, _result

__all__ = ["finfo", "iinfo", "result_type", "promote_types", "can_cast", "min_scalar_type", "common_type", "errstate",
           "seterr", "geterr", "printoptions", "get_printoptions", "array_repr", "array_str", "array2string",
           "shares_memory", "may_share_memory", "base_repr", "binary_repr", "iterable", "ScalarType", "typecodes"]


class finfo:
    """The limits of a dtype of floating-point numbers."""

    def __init__(self, dtype):
        if isinstance(dtype, (_np._Values, float, complex)):
            dtype = _np.asarray(dtype).dtype
        d = _dtype_of(dtype)
        if d.kind == "c":
            d = _dtype_of(f"float{4 * d.itemsize}")
        if d.kind != "f":
            raise ValueError(f"data type {d.type!r} not inexact")
        known, make = _torch.finfo(d._torch), d.type
        self.dtype, self.bits = d, known.bits
        self.eps, self.max, self.min = make(known.eps), make(known.max), make(known.min)
        self.tiny = self.smallest_normal = make(known.tiny)
        self.nmant = {16: 10, 32: 23, 64: 52}[self.bits]
        self.epsneg = make(known.eps / 2)
        self.smallest_subnormal = make(known.tiny * known.eps)
        self.precision = {16: 3, 32: 6, 64: 15}[self.bits]
        self.resolution = make(10.0 ** -self.precision)

    def __repr__(self):
        return f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, dtype={self.dtype})"


class iinfo:
    """The limits of a dtype of whole numbers."""

    def __init__(self, type):
        if isinstance(type, (_np._Values, int)):
            type = _np.asarray(type).dtype
        d = _dtype_of(type)
        if d.kind not in "iu":
            raise ValueError(f"Invalid integer data type {d.kind!r}.")
        self.dtype, self.bits, self.kind = d, 8 * d.itemsize, d.kind
        self.min = 0 if d.kind == "u" else -2 ** (self.bits - 1)
        self.max = 2 ** self.bits - 1 if d.kind == "u" else 2 ** (self.bits - 1) - 1

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def result_type(*values):
    """The dtype that arithmetic of these arrays and dtypes gives; Python's numbers follow the others."""
    kinds, numbers = [], []
    for v in values:
        if isinstance(v, (bool, int, float, complex)) and not isinstance(v, _np._Values):
            numbers.append(v)
        else:
            kinds.append(_np._raw(v).dtype if isinstance(v, (_np._Values, list, tuple)) else _dtype_of(v)._torch)
    if not kinds:
        kinds = [_np._raw(v).dtype for v in numbers]
    found = kinds[0]
    for kind in kinds[1:]:
        found = _result(found, kind)
    for v in numbers:
        found = _np._scalar_kind(found, v)
    return _of_tensor(found)


def promote_types(a, b):
    return _of_tensor(_result(_dtype_of(a)._torch, _dtype_of(b)._torch))


def common_type(*arrays):
    found = _dtype_of("float16")._torch
    for a in arrays:
        found = _result(found, _np._floats(_np._raw(a)).dtype)
    return _of_tensor(found).type


def can_cast(from_, to, casting="safe"):
    a, b = _dtype_of(from_), _dtype_of(to)
    if casting == "unsafe" or a is b:
        return True
    if casting in ("no", "equiv"):
        return False
    if _result(a._torch, b._torch) == b._torch:
        return True
    order = "buifc"
    return casting == "same_kind" and (order.index(a.kind) <= order.index(b.kind) and b.kind != "u")


def min_scalar_type(value):
    if isinstance(value, bool):
        return _dtype_of(bool)
    if isinstance(value, int):
        names = ["uint8", "uint16", "uint32", "uint64"] if value >= 0 else ["int8", "int16", "int32", "int64"]
        for name in names:
            if iinfo(name).min <= value <= iinfo(name).max:
                return _dtype_of(name)
    if isinstance(value, float):
        for name in ("float16", "float32", "float64"):
            if not _math.isfinite(value) or abs(value) <= float(finfo(name).max):
                return _dtype_of(name)
    return _np.asarray(value).dtype


_errors = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """What was set before. Nothing here warns of numbers, whatever is set."""
    before = dict(_errors)
    for name, value in [("divide", divide), ("over", over), ("under", under), ("invalid", invalid)]:
        value = all if value is None else value
        if value is not None:
            if value == "raise":
                raise NotImplementedError("numpy.seterr: 'raise' is not available; look for inf and nan with isfinite")
            _errors[name] = value
    return before


def geterr():
    return dict(_errors)


class errstate(_contextlib.ContextDecorator):
    def __init__(self, **options):
        self.options = options

    def __enter__(self):
        self.before = seterr(**self.options)

    def __exit__(self, *error):
        seterr(**self.before)


def get_printoptions():
    from numpy import _text
    return dict(_text._options)


@_contextlib.contextmanager
def printoptions(**options):
    before = get_printoptions()
    _np.set_printoptions(**options)
    try:
        yield get_printoptions()
    finally:
        _np.set_printoptions(**before)


def _with_options(write, a, precision, suppress_small):
    options = {}
    if precision is not None:
        options["precision"] = precision
    if suppress_small is not None:
        options["suppress"] = suppress_small
    with printoptions(**options):
        return write(_np.asarray(a))


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    return _with_options(repr, arr, precision, suppress_small)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    return _with_options(str, a, precision, suppress_small)


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", threshold=None):
    from numpy import _text
    options = {} if threshold is None else {"threshold": threshold}
    with printoptions(**options):
        return _with_options(lambda x: _text._body(x, "", separator), a, precision, suppress_small)


def shares_memory(a, b):
    """Whether an element of one is an element of the other."""
    x, y = _np.asarray(a)._tensor, _np.asarray(b)._tensor
    return bool(_torch.isin(_bytes(x), _bytes(y)).any())


def _bytes(x):
    """Where the bytes of a tensor lie."""
    size = x.element_size()
    at = _torch.tensor(x.data_ptr())
    for n, stride in zip(x.shape, x.stride()):
        at = at.unsqueeze(-1) + _torch.arange(n) * (stride * size)
    return (at.unsqueeze(-1) + _torch.arange(size)).reshape(-1)


may_share_memory = shares_memory


def base_repr(number, base=2, padding=0):
    digits, left = "", abs(int(number))
    while left:
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[left % base] + digits
        left //= base
    return ("-" if number < 0 else "") + "0" * padding + (digits or ("" if padding else "0"))


def binary_repr(num, width=None):
    num = int(num)
    if num >= 0 or width is None:
        text = f"{abs(num):b}"
        return ("-" if num < 0 else "") + text.rjust(width or 0, "0")
    return f"{2 ** width + num:b}"


def iterable(y):
    try:
        iter(y)
    except TypeError:
        return False
    return True


ScalarType = (int, float, complex, bool, bytes, str) + tuple(d.type for d in _dtypes)
typecodes = {"Character": "c", "Integer": "bhilqnp", "UnsignedInteger": "BHILQNP", "Float": "efdg", "Complex": "FDG",
             "AllInteger": "bBhHiIlLqQnNpP", "AllFloat": "efdgFDG", "Datetime": "Mm",
             "All": "?bhilqnpBHILQNPefdgFDGSUVOMm"}
