# SPDX-License-Identifier: Apache-2.0

import copy as _copy

_type = type


class FrozenInstanceError(AttributeError):
    pass


class _Missing:
    def __repr__(self):
        return "MISSING"


MISSING = _Missing()


class KW_ONLY:
    pass


class InitVar:
    def __init__(self, type=None):
        self.type = type

    def __class_getitem__(cls, type):
        return cls(type)

    def __repr__(self):
        type = self.type
        return f"dataclasses.InitVar[{type.__name__ if isinstance(type, _type) else repr(type)}]"


class _DataclassParams:
    def __init__(self, init, repr, eq, order, unsafe_hash, frozen):
        self.init, self.repr, self.eq, self.order = init, repr, eq, order
        self.unsafe_hash, self.frozen = unsafe_hash, frozen

    def __repr__(self):
        return "_DataclassParams(" + ",".join(f"{name}={value!r}" for name, value in self.__dict__.items()) + ")"


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = metadata if metadata is not None else {}
        self.kw_only = kw_only
        self._kind = "field"

    def __repr__(self):
        return f"Field(name={self.name!r},type={self.type!r},default={self.default!r})"


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True,
          metadata=None, kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _is(annotation, name):
    if isinstance(annotation, str):
        return annotation.split("[")[0].split(".")[-1] == name
    return getattr(annotation, "_name", None) == name or getattr(annotation, "__name__", None) == name


def _collect(cls, kw_only):
    fields = {}
    for base in cls.__mro__[-1:0:-1]:
        for name, f in base.__dict__.get("__dataclass_fields__", {}).items():
            fields[name] = f
    later = kw_only
    for name, annotation in cls.__dict__.get("__annotations__", {}).items():
        if annotation is KW_ONLY or _is(annotation, "KW_ONLY"):
            later = True
            continue
        default = cls.__dict__.get(name, MISSING)
        f = default if isinstance(default, Field) else field(default=default)
        f.name, f.type = name, annotation
        if f.kw_only is MISSING:
            f.kw_only = later
        origin = getattr(annotation, "__origin__", annotation)
        if _is(origin, "ClassVar"):
            f._kind = "class"
        elif isinstance(annotation, InitVar) or _is(annotation, "InitVar"):
            f._kind = "init"
        if f._kind == "field" and isinstance(f.default, (list, dict, set)):
            raise ValueError(f"mutable default {type(f.default)} for field {name} is not allowed: use default_factory")
        if isinstance(default, Field):
            if f.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, f.default)
        fields[name] = f
    return fields


def _make_init(cls, fields, frozen):
    wanted = [f for f in fields.values() if f._kind != "class"]
    positional = [f for f in wanted if f.init and not f.kw_only]
    seen_default = False
    for f in positional:
        if f.default is not MISSING or f.default_factory is not MISSING:
            seen_default = True
        elif seen_default:
            raise TypeError(f"non-default argument {f.name!r} follows default argument")
    names = [f.name for f in positional]
    allowed = {f.name for f in wanted if f.init}
    post = hasattr(cls, "__post_init__")
    title = f"{cls.__qualname__}.__init__()"

    def __init__(self, *args, **kwargs):
        if len(args) > len(names):
            least = sum(1 for f in positional if f.default is MISSING and f.default_factory is MISSING)
            span = f"{len(names) + 1}" if least == len(names) else f"from {least + 1} to {len(names) + 1}"
            s = "" if span == "1" else "s"
            raise TypeError(f"{title} takes {span} positional argument{s} but {len(args) + 1} were given")
        given = dict(zip(names, args))
        for k, v in kwargs.items():
            if k not in allowed:
                raise TypeError(f"{title} got an unexpected keyword argument {k!r}")
            if k in given:
                raise TypeError(f"{title} got multiple values for argument {k!r}")
            given[k] = v
        late = []
        missing = [f.name for f in wanted if f.init and f.name not in given and f.default is MISSING
                   and f.default_factory is MISSING]
        if missing:
            listed = [repr(n) for n in missing]
            text = listed[0] if len(listed) == 1 else " and ".join(listed) if len(listed) == 2 else \
                ", ".join(listed[:-1]) + ", and " + listed[-1]
            raise TypeError(f"{title} missing {len(missing)} required positional argument"
                            f"{'' if len(missing) == 1 else 's'}: {text}")
        for f in wanted:
            if f.init and f.name in given:
                value = given[f.name]
            elif f.default_factory is not MISSING:
                value = f.default_factory()
            elif f.default is not MISSING:
                value = f.default
            else:
                continue
            if f._kind == "init":
                late.append(value)
            elif frozen:
                object.__setattr__(self, f.name, value)
            else:
                setattr(self, f.name, value)
        if post:
            self.__post_init__(*late)

    __init__._fields = wanted
    return __init__


def _repr_of(self):
    names = [f.name for f in self.__dataclass_fields__.values() if f._kind == "field" and f.repr]
    if id(self) in _printing:
        return "..."
    _printing.add(id(self))
    try:
        return type(self).__qualname__ + "(" + ", ".join(f"{n}={getattr(self, n)!r}" for n in names) + ")"
    finally:
        _printing.discard(id(self))


_printing = set()


def _key(self):
    return tuple(getattr(self, f.name) for f in self.__dataclass_fields__.values()
                 if f._kind == "field" and f.compare)


def _eq(self, other):
    if other.__class__ is not self.__class__:
        return NotImplemented
    return _key(self) == _key(other)


def _lt(self, other):
    return _key(self) < _key(other) if other.__class__ is self.__class__ else NotImplemented


def _le(self, other):
    return _key(self) <= _key(other) if other.__class__ is self.__class__ else NotImplemented


def _gt(self, other):
    return _key(self) > _key(other) if other.__class__ is self.__class__ else NotImplemented


def _ge(self, other):
    return _key(self) >= _key(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self):
    return hash(tuple(getattr(self, f.name) for f in self.__dataclass_fields__.values()
                      if f._kind == "field" and (f.compare if f.hash is None else f.hash)))


def _frozen_set(self, name, value):
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _frozen_delete(self, name):
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _with_slots(cls, fields):
    """The class once more, with memory for its fields alone."""
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    inherited = {n for base in cls.__mro__[1:] for n in base.__dict__.get("__slots__", ())}
    names = tuple(f.name for f in fields.values() if f._kind == "field")
    body = {k: v for k, v in cls.__dict__.items() if k not in names and k not in ("__dict__", "__weakref__")}
    body["__slots__"] = tuple(n for n in names if n not in inherited)
    body["__qualname__"] = cls.__qualname__
    return type(cls)(cls.__name__, cls.__bases__, body)


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False,
              frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    def wrap(cls):
        own = cls.__dict__
        fields = _collect(cls, kw_only)
        cls.__dataclass_fields__ = fields
        cls.__dataclass_params__ = _DataclassParams(init, repr, eq, order, unsafe_hash, frozen)
        if init:
            cls.__init__ = _make_init(cls, fields, frozen)
        if repr and "__repr__" not in own:
            cls.__repr__ = _repr_of
        explicit = "__hash__" in own and own["__hash__"] is not None
        if eq and "__eq__" not in own:
            cls.__eq__ = _eq
        if order:
            cls.__lt__, cls.__le__, cls.__gt__, cls.__ge__ = _lt, _le, _gt, _ge
        if unsafe_hash or (eq and frozen and not explicit):
            cls.__hash__ = _hash
        elif eq and not explicit:
            cls.__hash__ = None
        if frozen:
            cls.__setattr__, cls.__delattr__ = _frozen_set, _frozen_delete
        if match_args:
            cls.__match_args__ = tuple(f.name for f in fields.values()
                                       if f._kind == "field" and f.init and not f.kw_only)
        return _with_slots(cls, fields) if slots else cls

    return wrap if cls is None else wrap(cls)


def fields(value):
    found = getattr(value, "__dataclass_fields__", None)
    if found is None:
        raise TypeError("must be called with a dataclass type or instance")
    return tuple(f for f in found.values() if f._kind == "field")


def is_dataclass(value):
    return hasattr(value if isinstance(value, type) else type(value), "__dataclass_fields__")


def _as(value, factory, recurse):
    if is_dataclass(value) and not isinstance(value, type):
        return factory([(f.name, recurse(getattr(value, f.name))) for f in fields(value)])
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[recurse(v) for v in value])
    if isinstance(value, (list, tuple)):
        return type(value)(recurse(v) for v in value)
    if isinstance(value, dict):
        return type(value)((recurse(k), recurse(v)) for k, v in value.items())
    return _copy.deepcopy(value)


def asdict(value, *, dict_factory=dict):
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError("asdict() should be called on dataclass instances")
    return _as(value, dict_factory, lambda v: _as(v, dict_factory, lambda w: _recurse(w, dict_factory)))


def _recurse(v, factory):
    return _as(v, factory, lambda w: _recurse(w, factory))


def astuple(value, *, tuple_factory=tuple):
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError("astuple() should be called on dataclass instances")
    return _recurse(value, lambda pairs: tuple_factory(v for _, v in pairs))


def replace(value, /, **changes):
    for f in fields(value):
        if not f.init:
            if f.name in changes:
                raise ValueError(f"field {f.name} is declared with init=False, it cannot be specified with replace()")
            continue
        if f.name not in changes:
            changes[f.name] = getattr(value, f.name)
    return type(value)(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    body = dict(namespace or {})
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            annotations[item] = "typing.Any"
            continue
        annotations[item[0]] = item[1]
        if len(item) == 3:
            body[item[0]] = item[2]
    body["__annotations__"] = annotations
    return dataclass(type(cls_name, bases, body), **options)
