# SPDX-License-Identifier: Apache-2.0
import operator


class auto:
    def __init__(self):
        self.value = None

    def _known(self):
        return self.value

    # In the body of the class, where members that came before have no values yet.
    def __or__(self, other):
        return _Combined(operator.or_, self, other)

    def __and__(self, other):
        return _Combined(operator.and_, self, other)

    def __xor__(self, other):
        return _Combined(operator.xor, self, other)

    def __add__(self, other):
        return _Combined(operator.add, self, other)

    def __sub__(self, other):
        return _Combined(operator.sub, self, other)

    def __mul__(self, other):
        return _Combined(operator.mul, self, other)

    def __lshift__(self, other):
        return _Combined(operator.lshift, self, other)

    def __ror__(self, other):
        return _Combined(operator.or_, other, self)

    def __invert__(self):
        return _Combined(operator.xor, self, -1)


class _Combined(auto):
    def __init__(self, compute, left, right):
        self.compute, self.left, self.right = compute, left, right

    def _known(self):
        return self.compute(*(v._known() if isinstance(v, auto) else v for v in (self.left, self.right)))


class nonmember:
    def __init__(self, value):
        self.value = value


class member(nonmember):
    pass


def _descriptor(v):
    return isinstance(v, (type(lambda: 0), property, classmethod, staticmethod, type, nonmember)) or hasattr(type(v), "__get__") and not isinstance(v, type(len))


class EnumType(type):
    def __new__(mcls, name, bases, namespace, **kwargs):
        members = {}
        rest = {}
        for k, v in namespace.items():
            special = k.startswith("_") or _descriptor(v)
            if special:
                rest[k] = v.value if isinstance(v, nonmember) else v
            else:
                members[k] = v
        cls = super().__new__(mcls, name, bases, rest)
        cls._member_map_ = {}
        cls._value2member_map_ = []
        if name == "Enum" and not bases:
            return cls
        for base in bases:
            if getattr(base, "_member_map_", None):
                raise TypeError(f"<enum {name!r}> cannot extend <enum {base.__name__!r}>")
        own_new = "__new__" in rest
        data = next((b for b in cls.__mro__ if b in (int, str, float, tuple, bytes)), None)
        for k, v in members.items():
            if isinstance(v, _Combined):
                v = v._known()
            elif isinstance(v, auto):
                v.value = cls._generate_next_value_(k, 1, len(cls._member_map_),
                                                    [m._value_ for m in cls._member_map_.values()])
                v = v.value
            elif isinstance(v, tuple) and any(isinstance(x, auto) for x in v):
                v = tuple(cls._generate_next_value_(k, 1, len(cls._member_map_), [m._value_ for m in cls._member_map_.values()]) if isinstance(x, auto) else x for x in v)
            for known in cls._member_map_.values():
                if known._value_ == v and type(known._value_) is type(v):
                    cls._member_map_[k] = known
                    type.__setattr__(cls, k, known)
                    break
            else:
                args = v if isinstance(v, tuple) else (v,)
                if own_new:
                    m = rest["__new__"](cls, *args)
                elif data is not None and data is not object:
                    m = data.__new__(cls, *args)
                else:
                    m = object.__new__(cls)
                if not hasattr(m, "_value_"):
                    object.__setattr__(m, "_value_", v if data is None or isinstance(v, data) else data(*args))
                object.__setattr__(m, "_name_", k)
                object.__setattr__(m, "__objclass__", cls)
                init = getattr(cls, "__init__")
                if "__init__" in rest or any("__init__" in b.__dict__ for b in cls.__mro__[1:] if b not in (object, int, str, Enum, float)):
                    init(m, *args)
                cls._member_map_[k] = m
                cls._value2member_map_.append((v, m))
                type.__setattr__(cls, k, m)
        return cls

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is not None or not cls._member_map_ and not _native.is_native(cls):
            return cls._create(value, names, start, type)
        for v, m in cls._value2member_map_:
            if v is value or v == value:
                return m
        for m in cls._member_map_.values():
            if m is value:
                return m
        result = cls._missing_(value)
        if isinstance(result, cls):
            return result
        raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")

    def _create(cls, name, names, start, mixin):
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, dict):
            names = list(names.items())
        body = {}
        for i, n in enumerate(names):
            if isinstance(n, str):
                body[n] = name and (n if issubclass(cls, str) else 2 ** i if issubclass(cls, Flag) else i + start)
            else:
                body[n[0]] = n[1]
        return EnumType(name, ((mixin,) if mixin else ()) + (cls,), body)

    def __iter__(cls):
        return iter([m for k, m in cls._member_map_.items() if m._name_ == k and cls._counts(m)])

    def _counts(cls, m):
        return not issubclass(cls, Flag) or m._value_ > 0 and m._value_ & (m._value_ - 1) == 0

    def __reversed__(cls):
        return reversed(list(cls))

    def __len__(cls):
        return len(list(cls))

    def __bool__(cls):
        return True

    def __contains__(cls, value):
        if isinstance(value, cls):
            return True
        if not isinstance(value, Enum) and not any(v == value for v, _ in cls._value2member_map_):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(value).__qualname__}' and '{cls.__class__.__qualname__}'")
        return any(v == value for v, _ in cls._value2member_map_)

    def __getitem__(cls, name):
        return cls._member_map_[name]

    @property
    def __members__(cls):
        from types import MappingProxyType
        return MappingProxyType(cls._member_map_)

    def __setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)

    def __repr__(cls):
        return f"<{'flag' if issubclass(cls, Flag) else 'enum'} {cls.__name__!r}>"


EnumMeta = EnumType


class Enum(metaclass=EnumType):
    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    @classmethod
    def _missing_(cls, value):
        return None

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        numbers = [v for v in last_values if isinstance(v, int)]
        return max(numbers) + 1 if numbers else start

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, spec):
        return format(str(self), spec)

    def __hash__(self):
        return hash(self._name_)

    def __eq__(self, other):
        return self is other

    def __dir__(self):
        return ["name", "value"]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class IntEnum(int, Enum):
    def __str__(self):
        return int.__repr__(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)

    def __eq__(self, other):
        return int.__eq__(self, other)

    def __hash__(self):
        return hash(self._value_)


class StrEnum(str, Enum):
    def __str__(self):
        return self._value_

    def __format__(self, spec):
        return format(self._value_, spec)

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __eq__(self, other):
        return str.__eq__(self, other)

    def __hash__(self):
        return hash(self._value_)


ReprEnum = Enum


class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return 1 << max([v.bit_length() for v in last_values], default=0)

    @classmethod
    def _missing_(cls, value):
        return cls._of(value)

    @classmethod
    def _of(cls, value):
        for v, m in cls._value2member_map_:
            if v == value:
                return m
        every = 0
        for m in cls._member_map_.values():
            every |= m._value_
        if value < 0:
            value &= every
            for v, m in cls._value2member_map_:
                if v == value:
                    return m
        if value & ~every and not issubclass(cls, int):
            bits = max(value.bit_length(), every.bit_length())
            raise ValueError(f"{cls!r} invalid value {value}\n    given 0b0 {value:0{bits}b}\n"
                             f"  allowed 0b0 {every:0{bits}b}")
        m = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        object.__setattr__(m, "_value_", value)
        parts = [k.name for k in cls if k._value_ and k._value_ & value == k._value_]
        left = value & ~every
        object.__setattr__(m, "_name_", "|".join(parts + ([str(left)] if left else [])) if parts else None)
        cls._value2member_map_.append((value, m))
        return m

    def _other(self, other):
        return other._value_ if isinstance(other, Flag) else other

    def __or__(self, other):
        return type(self)._of(self._value_ | self._other(other))

    def __and__(self, other):
        return type(self)._of(self._value_ & self._other(other))

    def __xor__(self, other):
        return type(self)._of(self._value_ ^ self._other(other))

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self):
        return type(self)._of(~self._value_)

    def __contains__(self, other):
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter([m for m in type(self) if m._value_ & self._value_])

    def __bool__(self):
        return bool(self._value_)

    def __repr__(self):
        name = self._name_ if self._name_ is not None else None
        return f"<{type(self).__name__}: {self._value_}>" if name is None else f"<{type(self).__name__}.{name}: {self._value_}>"

    def __str__(self):
        return f"{type(self).__name__}({self._value_})" if self._name_ is None else f"{type(self).__name__}.{self._name_}"


class IntFlag(int, Flag):
    # int stands before Flag: its operators would give plain numbers.
    __or__, __and__, __xor__, __invert__ = Flag.__or__, Flag.__and__, Flag.__xor__, Flag.__invert__
    __ror__, __rand__, __rxor__ = Flag.__ror__, Flag.__rand__, Flag.__rxor__
    __repr__ = Flag.__repr__

    def __str__(self):
        return int.__repr__(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)

    def __eq__(self, other):
        return int.__eq__(self, other)

    def __hash__(self):
        return hash(self._value_)


def unique(cls):
    for k, m in cls._member_map_.items():
        if m._name_ != k:
            raise ValueError(f"duplicate values found in {cls!r}: {k} -> {m._name_}")
    return cls


def global_enum(cls):
    return cls
