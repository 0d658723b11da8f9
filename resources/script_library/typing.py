# SPDX-License-Identifier: Apache-2.0

import collections as _collections
import collections.abc as _abc
from collections.abc import Callable as _Callable
from types import UnionType

TYPE_CHECKING = False


class _Alias:
    def __init__(self, origin, args=(), name=None):
        self.__origin__ = origin
        self._name = name
        self.__args__ = args if isinstance(args, tuple) else (args,)

    def __getitem__(self, args):
        return _Alias(self.__origin__, args, self._name)

    def __call__(self, *args, **kwargs):
        if not callable(self.__origin__):
            raise TypeError(f"{self!r} is not callable")
        return self.__origin__(*args, **kwargs)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__origin__, name)

    def __mro_entries__(self, bases):
        return (self.__origin__,) if isinstance(self.__origin__, type) else ()

    def __or__(self, other):
        return Union[self, other]

    __ror__ = __or__

    def __instancecheck__(self, value):
        if self.__origin__ is Union_ or self._name in ("Union", "Optional"):
            return isinstance(value, tuple(a if a is not None else type(None) for a in self.__args__))
        return isinstance(value, self.__origin__)

    def __eq__(self, other):
        return isinstance(other, _Alias) and self.__origin__ is other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash((self._name, len(self.__args__)))

    def __repr__(self):
        def show(a):
            if a is type(None) or a is None:
                return "NoneType" if self._name else "None"
            if a is ...:
                return "..."
            if isinstance(a, type):
                return a.__qualname__ if a.__module__ == "builtins" else f"{a.__module__}.{a.__qualname__}"
            if isinstance(a, list):
                return "[" + ", ".join(show(x) for x in a) + "]"
            return repr(a)
        if self.__origin__ is Union_ and len(self.__args__) == 2 and type(None) in self.__args__:
            return f"typing.Optional[{show(self.__args__[self.__args__[0] is type(None)])}]"
        if self.__origin__ is Union_:
            return f"typing.Union[{', '.join(show(a) for a in self.__args__)}]"
        name = f"typing.{self._name}" if self._name else show(self.__origin__)
        return f"{name}[{', '.join(show(a) for a in self.__args__)}]" if self.__args__ else name


class _Special:
    def __init__(self, name):
        self._name = name

    def __getitem__(self, args):
        if self._name == "Optional":
            args = (args, type(None))
        if self._name in ("Union", "Optional"):
            flat = []
            for a in args if isinstance(args, tuple) else (args,):
                a = type(None) if a is None else a
                for b in a.__args__ if isinstance(a, _Alias) and a._name in ("Union", "Optional") else \
                        a if isinstance(a, UnionType) else (a,):
                    if not any(b is c for c in flat):
                        flat.append(b)
            if len(flat) == 1:
                return flat[0]
            return _Alias(Union, tuple(flat), self._name)
        return _Alias(self, args, self._name)

    def __call__(self, *args, **kwargs):
        raise TypeError(f"Cannot instantiate typing.{self._name}")

    def __or__(self, other):
        return Union[self, other]

    __ror__ = __or__

    def __mro_entries__(self, bases):
        return ()

    def __repr__(self):
        return f"typing.{self._name}"


Any, NoReturn, Never, Self, LiteralString, TypeAlias = (_Special(n) for n in ("Any", "NoReturn", "Never", "Self", "LiteralString", "TypeAlias"))
Union, Optional, ClassVar, Final, Literal, Annotated, Concatenate, TypeGuard, Required, NotRequired, Unpack = (
    _Special(n) for n in ("Union", "Optional", "ClassVar", "Final", "Literal", "Annotated", "Concatenate", "TypeGuard",
                          "Required", "NotRequired", "Unpack"))
Union_ = Union
List, Dict, Set, FrozenSet, Tuple, Type = (_Alias(o, (), n) for o, n in (
    (list, "List"), (dict, "Dict"), (set, "Set"), (frozenset, "FrozenSet"), (tuple, "Tuple"), (type, "Type")))
DefaultDict = _Alias(_collections.defaultdict, (), "DefaultDict")
OrderedDict = _Alias(_collections.OrderedDict, (), "OrderedDict")
Counter = _Alias(_collections.Counter, (), "Counter")
Deque = _Alias(_collections.deque, (), "Deque")
ChainMap = _Alias(_collections.ChainMap, (), "ChainMap")
ByteString = _abc.ByteString
AbstractSet = _Alias(_abc.Set, (), "AbstractSet")
(AsyncIterator, Awaitable, Collection, Container, Coroutine, Generator, Hashable, ItemsView, Iterable, Iterator, KeysView,
 Mapping, MutableMapping, MutableSequence, MutableSet, Reversible, Sequence, Sized, ValuesView) = (
    _Alias(getattr(_abc, n), (), n) for n in (
        "AsyncIterator", "Awaitable", "Collection", "Container", "Coroutine", "Generator", "Hashable", "ItemsView", "Iterable",
        "Iterator", "KeysView", "Mapping", "MutableMapping", "MutableSequence", "MutableSet", "Reversible", "Sequence", "Sized",
        "ValuesView"))
Callable = _Alias(_Callable, (), "Callable")
Text = str
AnyStr = str
IO = TextIO = BinaryIO = Any
Pattern = Match = Any
SupportsFloat = SupportsInt = SupportsIndex = SupportsAbs = SupportsRound = Any
ContextManager = AsyncContextManager = _Alias(object, (), "ContextManager")


class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False, default=None):
        self.__name__, self.__constraints__, self.__bound__ = name, constraints, bound

    def __repr__(self):
        return "~" + self.__name__

    def __or__(self, other):
        return Union[self, other]

    __ror__ = __or__


class ParamSpec(TypeVar):
    @property
    def args(self):
        return self

    kwargs = args


class TypeVarTuple(TypeVar):
    def __iter__(self):
        yield self


def NewType(name, tp):
    def make(x):
        return x

    make.__name__ = name
    make.__supertype__ = tp
    return make


class Generic:
    def __class_getitem__(cls, args):
        return _Alias(cls, args)


class _ProtocolMeta(type):
    def __instancecheck__(cls, value):
        if any(c is cls for c in type(value).__mro__):
            return True
        wanted = [n for n, v in cls.__dict__.items() if callable(v) and (not n.startswith("_") or n.startswith("__"))
                  and n not in ("__init__", "__module__", "__qualname__", "__class_getitem__", "__init_subclass__")]
        return bool(wanted) and all(hasattr(value, n) for n in wanted)


class Protocol(metaclass=_ProtocolMeta):
    def __class_getitem__(cls, args):
        return _Alias(cls, args)


def runtime_checkable(cls):
    return cls


class _NamedTupleMeta(type):
    def __new__(mcls, name, bases, body):
        types = body.get("__annotations__", {})
        if not types and "__orig_bases__" not in body and name == "_NamedTuple":
            return super().__new__(mcls, name, bases, body)
        fields = list(types)
        base = _collections.namedtuple(name, fields, defaults=[body[f] for f in fields if f in body])
        for k, v in body.items():
            if k not in fields and k not in ("__qualname__", "__orig_bases__"):
                setattr(base, k, v)
        base.__annotations__ = dict(types)
        return base


class _NamedTuple(metaclass=_NamedTupleMeta):
    pass


class _NamedTupleMaker:
    def __mro_entries__(self, bases):
        return (_NamedTuple,)

    def __call__(self, typename, fields=(), **kwargs):
        fields = list(fields) + list(kwargs.items())
        made = _collections.namedtuple(typename, [n for n, _ in fields])
        made.__annotations__ = dict(fields)
        return made


NamedTuple = _NamedTupleMaker()


class TypedDict(dict):
    def __init_subclass__(cls, total=True, **kwargs):
        cls.__total__ = total

    def __new__(cls, *args, **kwargs):
        return dict(*args, **kwargs)


def cast(typ, value):
    return value


def assert_type(value, typ):
    return value


def reveal_type(value):
    return value


def overload(f):
    return f


def final(f):
    return f


override = no_type_check = final


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = {}
    if isinstance(obj, type):
        for c in reversed(obj.__mro__):
            hints.update(c.__dict__.get("__annotations__", {}))
    else:
        hints = dict(obj.__annotations__)
    names = {"int": int, "str": str, "float": float, "bool": bool, "list": list, "dict": dict, "tuple": tuple}
    return {k: names.get(v, v) if isinstance(v, str) else type(None) if v is None else v for k, v in hints.items()}


def get_origin(tp):
    return UnionType if isinstance(tp, UnionType) else tp.__origin__ if isinstance(tp, _Alias) else None


def get_args(tp):
    return tp.__args__ if isinstance(tp, (_Alias, UnionType)) else ()


class ForwardRef:
    def __init__(self, arg):
        self.__forward_arg__ = arg


def dataclass_transform(**kwargs):
    return lambda cls: cls


def is_typeddict(tp):
    return isinstance(tp, type) and issubclass(tp, TypedDict)
