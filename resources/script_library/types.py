# SPDX-License-Identifier: Apache-2.0

FunctionType = LambdaType = type(lambda: 0)
BuiltinFunctionType = BuiltinMethodType = type(len)
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)


def _generator():
    yield


GeneratorType = type(_generator())


class _A:
    def f(self):
        pass


_method = type(_A().f)


class _Meta(type):
    def __instancecheck__(cls, value):
        return isinstance(value, _method)

    def __call__(cls, function, obj):
        return FunctionType.__get__(function, obj) if isinstance(function, FunctionType) else _Bound(function, obj)


class MethodType(metaclass=_Meta):
    pass


class _Bound:
    def __init__(self, function, obj):
        self.__func__, self.__self__ = function, obj

    def __call__(self, *args, **kwargs):
        return self.__func__(self.__self__, *args, **kwargs)


class SimpleNamespace:
    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return name + "(" + ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items()) + ")"

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and self.__dict__ == other.__dict__

    __hash__ = None


class MappingProxyType(dict):
    def __setitem__(self, key, value):
        raise TypeError("'mappingproxy' object does not support item assignment")

    def __delitem__(self, key):
        raise TypeError("'mappingproxy' object does not support item deletion")

    def __repr__(self):
        return f"mappingproxy({dict(self)!r})"


class _ModuleMeta(type):
    def __instancecheck__(cls, value):
        return isinstance(value, _module)


import math as _math

_module = type(_math)


class ModuleType(metaclass=_ModuleMeta):
    def __init__(self, name, doc=None):
        self.__name__ = name
        self.__doc__ = doc


try:
    raise ValueError
except ValueError as _e:
    TracebackType = type(_e.__traceback__)


class CodeType:
    pass


FrameType = CellType = CodeType


async def _coroutine():
    pass


CoroutineType = type(_coroutine())


def new_class(name, bases=(), kwds=None, exec_body=None):
    body = {}
    if exec_body is not None:
        exec_body(body)
    return type(name, bases, body)


DynamicClassAttribute = property


def coroutine(f):
    return f


class GenericAlias:
    def __new__(cls, origin, args):
        return origin[args]


class UnionType(tuple):
    """int | str: its classes, as isinstance takes them."""

    @property
    def __args__(self):
        return tuple(self)

    def __repr__(self):
        def show(t):
            if t is type(None):
                return "None"
            if not isinstance(t, type):
                return repr(t)
            return t.__qualname__ if t.__module__ == "builtins" else f"{t.__module__}.{t.__qualname__}"
        return " | ".join(show(t) for t in self)
