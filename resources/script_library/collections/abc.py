# SPDX-License-Identifier: Apache-2.0

class _Kind(type):
    def __instancecheck__(cls, value):
        return cls._is(value) or any(c is cls for c in type(value).__mro__)

    def __subclasscheck__(cls, other):
        return cls in other.__mro__ or all(hasattr(other, n) for n in cls._names) and bool(cls._names)

    def register(cls, subclass):
        return subclass


class _Base(metaclass=_Kind):
    _names = ()
    _builtin = ()

    @classmethod
    def _is(cls, value):
        if cls._builtin:
            return isinstance(value, cls._builtin)
        return bool(cls._names) and all(getattr(type(value), n, None) is not None for n in cls._names)

    def __class_getitem__(cls, item):
        return cls


class Hashable(_Base):
    @classmethod
    def _is(cls, value):
        try:
            hash(value)
        except TypeError:
            return False
        return True


class Callable(_Base):
    @classmethod
    def _is(cls, value):
        return callable(value)


class Iterable(_Base):
    _names = ("__iter__",)


class Iterator(Iterable):
    _names = ("__iter__", "__next__")

    def __iter__(self):
        return self


class Reversible(Iterable):
    _names = ("__iter__", "__reversed__")


class Generator(Iterator):
    _names = ("send", "throw", "close")


class Sized(_Base):
    _names = ("__len__",)


class Container(_Base):
    _names = ("__contains__",)


class Collection(Sized, Iterable, Container):
    _names = ("__len__", "__iter__", "__contains__")


class Sequence(Collection):
    _builtin = (list, tuple, str, range, bytes, bytearray)

    def __contains__(self, value):
        return any(v is value or v == value for v in self)

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __reversed__(self):
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value):
        for i, v in enumerate(self):
            if v is value or v == value:
                return i
        raise ValueError

    def count(self, value):
        return sum(1 for v in self if v is value or v == value)


class MutableSequence(Sequence):
    _builtin = (list, bytearray)

    def append(self, value):
        self.insert(len(self), value)

    def extend(self, values):
        for v in values:
            self.append(v)

    def pop(self, index=-1):
        v = self[index]
        del self[index]
        return v

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class ByteString(Sequence):
    _builtin = (bytes, bytearray)


class Set(Collection):
    _builtin = (set, frozenset, type({}.keys()))


class MutableSet(Set):
    _builtin = (set,)


class Mapping(Collection):
    _builtin = (dict,)

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return list(self)

    def items(self):
        return [(k, self[k]) for k in self]

    def values(self):
        return [self[k] for k in self]

    def __eq__(self, other):
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    __hash__ = None


class MutableMapping(Mapping):
    def pop(self, key, *default):
        if key in self:
            value = self[key]
            del self[key]
            return value
        if default:
            return default[0]
        raise KeyError(key)

    def popitem(self):
        key = next(iter(self), None)
        if key is None:
            raise KeyError
        value = self[key]
        del self[key]
        return key, value

    def clear(self):
        for k in list(self):
            del self[k]

    def update(self, other=(), /, **kwargs):
        for k, v in dict(other, **kwargs).items():
            self[k] = v

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]


class MappingView(Sized):
    pass


KeysView = type("KeysView", (Set,), {"_builtin": (type({}.keys()),)})
ItemsView = type("ItemsView", (Set,), {"_builtin": (type({}.items()),)})
ValuesView = type("ValuesView", (Collection,), {"_builtin": (type({}.values()),)})
Awaitable = Coroutine = AsyncIterable = AsyncIterator = AsyncGenerator = _Base
