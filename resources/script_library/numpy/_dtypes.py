# SPDX-License-Identifier: Apache-2.0
# numpy's dtypes: which of torch's each is, and what two of them give.
import torch as _torch

__all__ = ["dtype", "bool_", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "intp",
           "int_", "single", "double", "half", "integer", "floating", "issubdtype"]


class dtype:
    def __new__(cls, kind):
        return _dtype_of(kind)

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        try:
            return self is _dtype_of(other)
        except TypeError:
            return False

    def __hash__(self):
        return hash(self.name)


class integer:
    pass


class floating:
    pass


class _Scalar:
    """np.float32 and the like: makes a number of the dtype, and names it."""

    def __init__(self, name, tensor_dtype, kind):
        self.__name__ = name
        self._torch = tensor_dtype
        self.kind = kind
        d = object.__new__(dtype)
        d.name, d._torch, d.kind, d.type = name, tensor_dtype, kind, self
        d.itemsize = _torch.tensor(0, dtype=tensor_dtype).element_size()
        d.char = name
        self.dtype = d

    def __call__(self, value=0):
        import numpy
        found = numpy._raw(value).to(self._torch)
        return numpy._result_of(found)

    def __eq__(self, other):
        return self is other or isinstance(other, dtype) and other is self.dtype

    def __hash__(self):
        return hash(self.__name__)

    def __repr__(self):
        return f"<class 'numpy.{self.__name__}'>"


bool_ = _Scalar("bool", _torch.bool, "b")
uint8 = _Scalar("uint8", _torch.uint8, "u")
int8 = _Scalar("int8", _torch.int8, "i")
int16 = _Scalar("int16", _torch.int16, "i")
int32 = _Scalar("int32", _torch.int32, "i")
int64 = _Scalar("int64", _torch.int64, "i")
float16 = _Scalar("float16", _torch.float16, "f")
float32 = _Scalar("float32", _torch.float32, "f")
float64 = _Scalar("float64", _torch.float64, "f")
int_ = intp = int64
single, double, half = float32, float64, float16

_all = [bool_, uint8, int8, int16, int32, int64, float16, float32, float64]
_by_name = {s.__name__: s.dtype for s in _all}
_by_name.update({"int": int64.dtype, "float": float64.dtype, "bool_": bool_.dtype, "f4": float32.dtype,
                 "f8": float64.dtype, "i4": int32.dtype, "i8": int64.dtype, "u1": uint8.dtype})
_by_torch = {s._torch: s.dtype for s in _all}


def _dtype_of(kind):
    if isinstance(kind, dtype):
        return kind
    if isinstance(kind, _Scalar):
        return kind.dtype
    if kind is float:
        return float64.dtype
    if kind is int:
        return int64.dtype
    if kind is bool:
        return bool_.dtype
    found = _by_name.get(kind) if isinstance(kind, str) else None
    if found is None:
        raise TypeError(f"data type '{kind}' not understood")
    return found


def _of_tensor(kind):
    if kind not in _by_torch:
        raise TypeError(f"numpy has no dtype for {kind}")
    return _by_torch[kind]


def _scalar_kind(kind, value):
    """The torch dtype of an array of `kind` with a Python number."""
    if isinstance(value, float) and not kind.is_floating_point:
        return _torch.float64
    if not isinstance(value, bool) and isinstance(value, int) and kind == _torch.bool:
        return _torch.int64
    return kind


def _result(a, b):
    """The torch dtype of two arrays: beside a float an integer counts with all its digits."""
    found = _torch.promote_types(a, b)
    if not found.is_floating_point:
        return found
    for whole, real in ((a, b), (b, a)):
        if whole.is_floating_point or whole == _torch.bool:
            continue
        if whole in (_torch.int32, _torch.int64):
            return _torch.float64
        if whole == _torch.int16 and real == _torch.float16:
            return _torch.float32
    return found


def issubdtype(kind, group):
    kind = _dtype_of(kind)
    if group is integer or group is int:
        return kind.kind in "iu"
    if group is floating or group is float:
        return kind.kind == "f"
    return kind is _dtype_of(group)
