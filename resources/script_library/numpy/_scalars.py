# SPDX-License-Identifier: Apache-2.0
# numpy's classes of numbers, which name dtypes too.
from numpy import _raw, _result_of, generic
from numpy._dtypes import _by_name, _dtype_of

__all__ = ["number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating", "bool_",
           "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
           "complex64", "complex128", "int_", "intp", "intc", "uint", "uintp", "uintc", "byte", "ubyte", "short",
           "ushort", "long", "ulong", "longlong", "ulonglong", "half", "single", "double", "csingle", "cdouble",
           "True_", "False_", "issubdtype", "isdtype"]


class number(generic):
    pass


class integer(number):
    pass


class signedinteger(integer):
    pass


class unsignedinteger(integer):
    pass


class inexact(number):
    pass


class floating(inexact):
    pass


class complexfloating(inexact):
    pass


def _scalar(name, base):
    made = _by_name[name]

    class scalar(base):
        _dtype = made

        def __new__(cls, value=0):
            return _result_of(_raw(value).to(made._torch))

    scalar.__name__ = scalar.__qualname__ = name
    scalar.__module__ = "numpy"
    made.type = scalar
    return scalar


for _base in (number, integer, signedinteger, unsignedinteger, inexact, floating, complexfloating, generic):
    _base.__module__ = "numpy"
bool_ = _scalar("bool", generic)
uint8, uint16, uint32, uint64 = [_scalar(f"uint{n}", unsignedinteger) for n in (8, 16, 32, 64)]
int8, int16, int32, int64 = [_scalar(f"int{n}", signedinteger) for n in (8, 16, 32, 64)]
float16, float32, float64 = [_scalar(f"float{n}", floating) for n in (16, 32, 64)]
complex64, complex128 = [_scalar(f"complex{n}", complexfloating) for n in (64, 128)]
int_ = intp = long = longlong = int64
uint = uintp = ulong = ulonglong = uint64
intc, uintc, byte, ubyte, short, ushort = int32, uint32, int8, uint8, int16, uint16
half, single, double, csingle, cdouble = float16, float32, float64, complex64, complex128
True_, False_ = bool_(True), bool_(False)

_python = {float: floating, int: integer, bool: bool_, complex: complexfloating}
_kinds = {"bool": bool_, "signed integer": signedinteger, "unsigned integer": unsignedinteger, "integral": integer,
          "real floating": floating, "complex floating": complexfloating, "numeric": number}


def issubdtype(kind, group):
    kind = kind if isinstance(kind, type) and issubclass(kind, generic) else _dtype_of(kind).type
    if not isinstance(group, type):
        group = _dtype_of(group).type
    return issubclass(kind, _python.get(group, group))


def isdtype(dtype, kind):
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return any([issubclass(_dtype_of(dtype).type, _kinds[k] if isinstance(k, str) else _dtype_of(k).type)
                for k in kinds])
