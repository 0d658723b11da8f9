# SPDX-License-Identifier: Apache-2.0
# weakref: what shows an object for as long as that is there (core/capture/value.h, Heap::watch).
import atexit as _atexit
from collections.abc import MutableMapping as _MutableMapping
from collections.abc import MutableSet as _MutableSet


class ReferenceType:
    def __new__(cls, object, callback=None, /, *args, **kwargs):
        if callback is None and cls is ref:
            for known in _native.watchers(object):
                if type(known) is ref and known.__callback__ is None:
                    return known
        self = super().__new__(cls)
        self.__callback__ = callback
        self._hash = None
        _native.watch(self, object, callback is not None)
        return self

    def __init__(self, object, callback=None, /):
        pass

    def __call__(self):
        return _native.watched(self)

    def _gone(self):
        callback, self.__callback__ = self.__callback__, None
        callback(self)

    def __hash__(self):
        if self._hash is None:
            object = _native.watched(self)
            if object is None:
                raise TypeError("weak object has gone away")
            self._hash = hash(object)
        return self._hash

    def __eq__(self, other):
        if not isinstance(other, ref):
            return NotImplemented
        mine, theirs = _native.watched(self), _native.watched(other)
        if mine is None or theirs is None:
            return self is other
        return mine == theirs

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        object = _native.watched(self)
        if object is None:
            return f"<weakref at {hex(id(self))}; dead>"
        return f"<weakref at {hex(id(self))}; to '{type(object).__name__}' at {hex(id(object))}>"


ref = ReferenceType


def getweakrefs(object):
    return _native.watchers(object)


def getweakrefcount(object):
    return len(_native.watchers(object))


class WeakMethod(ref):
    def __new__(cls, method, callback=None):
        try:
            object, function = method.__self__, method.__func__
        except AttributeError:
            raise TypeError(f"argument should be a bound method, not {type(method)}") from None

        def gone(_):
            if self._alive:
                self._alive = False
                if callback is not None:
                    callback(self)

        self = ref.__new__(cls, object, gone)
        self._function = ref(function, gone)
        self._alive = True
        return self

    def __call__(self):
        object, function = super().__call__(), self._function()
        if object is None or function is None:
            return None
        return function.__get__(object)

    def __eq__(self, other):
        if not isinstance(other, WeakMethod):
            return NotImplemented
        if not self._alive or not other._alive:
            return self is other
        return ref.__eq__(self, other) and self._function == other._function

    __hash__ = ref.__hash__


class KeyedRef(ref):
    def __new__(cls, object, callback, key):
        self = ref.__new__(cls, object, callback)
        self.key = key
        return self

    def __init__(self, object, callback, key):
        super().__init__(object, callback)


class _Joined(_MutableMapping):
    """What both dictionaries join with | alike."""
    def __or__(self, other):
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other):
        self.update(other)
        return self


class WeakValueDictionary(_Joined):
    def __init__(self, other=(), /, **kwargs):
        own = ref(self)

        def remove(gone):
            self = own()
            if self is not None and self.data.get(gone.key) is gone:
                del self.data[gone.key]

        self._remove = remove
        self.data = {}
        self.update(other, **kwargs)

    def _live(self):
        for key, reference in list(self.data.items()):
            value = reference()
            if value is not None:
                yield key, value

    def __getitem__(self, key):
        value = self.data[key]()
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        self.data[key] = KeyedRef(value, self._remove, key)

    def __delitem__(self, key):
        del self.data[key]

    def __len__(self):
        return len(self.data)

    def __contains__(self, key):
        return key in self.data and self.data[key]() is not None

    def __iter__(self):
        return self.keys()

    def __repr__(self):
        return f"<{type(self).__name__} at {hex(id(self))}>"

    def get(self, key, default=None):
        reference = self.data.get(key)
        value = None if reference is None else reference()
        return default if value is None else value

    def keys(self):
        for key, reference in list(self.data.items()):
            if reference() is not None:
                yield key

    def values(self):
        for _, value in self._live():
            yield value

    def items(self):
        return self._live()

    def valuerefs(self):
        return list(self.data.values())

    def itervaluerefs(self):
        return iter(self.valuerefs())

    def pop(self, key, *default):
        reference = self.data.pop(key, None)
        value = None if reference is None else reference()
        if value is not None:
            return value
        if default:
            return default[0]
        raise KeyError(key)

    def popitem(self):
        while True:
            key, reference = self.data.popitem()
            value = reference()
            if value is not None:
                return key, value

    def setdefault(self, key, default=None):
        value = self.get(key)
        if value is None:
            self[key] = value = default
        return value

    def update(self, other=(), /, **kwargs):
        for key, value in dict(other.items() if hasattr(other, "items") else other, **kwargs).items():
            self[key] = value

    def copy(self):
        return WeakValueDictionary(self)

    __copy__ = copy

    def __deepcopy__(self, memo):
        from copy import deepcopy
        return type(self)([(deepcopy(key, memo), value) for key, value in self.items()])


class WeakKeyDictionary(_Joined):
    def __init__(self, dict=None):
        own = ref(self)

        def remove(gone):
            self = own()
            if self is not None:
                self.data.pop(gone, None)

        self._remove = remove
        self.data = {}
        if dict is not None:
            self.update(dict)

    def _live(self):
        for reference, value in list(self.data.items()):
            key = reference()
            if key is not None:
                yield key, value

    def __getitem__(self, key):
        return self.data[ref(key)]

    def __setitem__(self, key, value):
        self.data[ref(key, self._remove)] = value

    def __delitem__(self, key):
        del self.data[ref(key)]

    def __len__(self):
        return len(self.data)

    def __contains__(self, key):
        try:
            return ref(key) in self.data
        except TypeError:
            return False

    def __iter__(self):
        return self.keys()

    def __repr__(self):
        return f"<{type(self).__name__} at {hex(id(self))}>"

    def get(self, key, default=None):
        return self.data.get(ref(key), default)

    def keys(self):
        for key, _ in self._live():
            yield key

    def values(self):
        for reference, value in list(self.data.items()):
            if reference() is not None:
                yield value

    def items(self):
        return self._live()

    def keyrefs(self):
        return list(self.data)

    def pop(self, key, *default):
        return self.data.pop(ref(key), *default)

    def popitem(self):
        while True:
            reference, value = self.data.popitem()
            key = reference()
            if key is not None:
                return key, value

    def setdefault(self, key, default=None):
        return self.data.setdefault(ref(key, self._remove), default)

    def update(self, dict=None, /, **kwargs):
        if dict is not None:
            for key, value in list(dict.items()) if hasattr(dict, "items") else dict:
                self[key] = value
        for key, value in kwargs.items():
            self[key] = value

    def copy(self):
        return WeakKeyDictionary(self)

    __copy__ = copy

    def __deepcopy__(self, memo):
        from copy import deepcopy
        made = type(self)()
        for key, value in self.items():
            made[key] = deepcopy(value, memo)
        return made


class WeakSet(_MutableSet):
    def __init__(self, data=None):
        own = ref(self)

        def remove(gone):
            self = own()
            if self is not None:
                self.data.discard(gone)

        self._remove = remove
        self.data = set()
        if data is not None:
            self.update(data)

    def __iter__(self):
        for reference in list(self.data):
            item = reference()
            if item is not None:
                yield item

    def __len__(self):
        return len(self.data)

    def __contains__(self, item):
        try:
            return ref(item) in self.data
        except TypeError:
            return False

    def __repr__(self):
        return repr(self.data)

    def add(self, item):
        self.data.add(ref(item, self._remove))

    def discard(self, item):
        self.data.discard(ref(item))

    def remove(self, item):
        self.data.remove(ref(item))

    def clear(self):
        self.data.clear()

    def pop(self):
        while True:
            if not self.data:
                raise KeyError("pop from empty WeakSet")
            item = self.data.pop()()
            if item is not None:
                return item

    def copy(self):
        return type(self)(self)

    def update(self, other):
        for item in other:
            self.add(item)

    def difference_update(self, other):
        for item in list(other):
            self.discard(item)

    def intersection_update(self, other):
        kept = set(other)
        for item in list(self):
            if item not in kept:
                self.discard(item)

    def symmetric_difference_update(self, other):
        for item in list(type(self)(other)):
            self.discard(item) if item in self else self.add(item)

    def union(self, other):
        made = self.copy()
        made.update(other)
        return made

    def difference(self, other):
        made = self.copy()
        made.difference_update(other)
        return made

    def intersection(self, other):
        return type(self)(item for item in other if item in self)

    def symmetric_difference(self, other):
        made = self.copy()
        made.symmetric_difference_update(other)
        return made

    def issubset(self, other):
        return all(item in other for item in self)

    def issuperset(self, other):
        return all(item in self for item in other)

    def isdisjoint(self, other):
        return not any(item in self for item in other)

    def __eq__(self, other):
        if not isinstance(other, WeakSet):
            return NotImplemented
        return self.data == set(map(ref, other))

    __hash__ = None
    __or__, __sub__, __and__, __xor__ = union, difference, intersection, symmetric_difference
    __le__, __ge__ = issubset, issuperset

    def __lt__(self, other):
        return len(self) < len(other) and self.issubset(other)

    def __gt__(self, other):
        return len(self) > len(other) and self.issuperset(other)

    def __ior__(self, other):
        self.update(other)
        return self

    def __isub__(self, other):
        self.difference_update(other)
        return self

    def __iand__(self, other):
        self.intersection_update(other)
        return self

    def __ixor__(self, other):
        self.symmetric_difference_update(other)
        return self


class finalize:
    _known = {}  # those that are alive, the oldest first; each is held by this alone

    def __init__(self, obj, func, /, *args, **kwargs):
        self.atexit = True
        finalize._known[self] = (ref(obj, lambda _: self()), func, args, kwargs)

    def __call__(self, _=None):
        found = finalize._known.pop(self, None)
        if found is not None:
            return found[1](*found[2], **found[3])

    def detach(self):
        found = finalize._known.get(self)
        obj = None if found is None else found[0]()
        if obj is not None and finalize._known.pop(self, None):
            return obj, found[1], found[2], found[3]

    def peek(self):
        found = finalize._known.get(self)
        obj = None if found is None else found[0]()
        if obj is not None:
            return obj, found[1], found[2], found[3]

    @property
    def alive(self):
        return self in finalize._known

    def __repr__(self):
        found = self.peek()
        if found is None:
            return f"<finalize object at {hex(id(self))}; dead>"
        return f"<finalize object at {hex(id(self))}; for '{type(found[0]).__name__}' at {hex(id(found[0]))}>"


def _finish():
    while True:
        left = [each for each in finalize._known if each.atexit]
        if not left:
            return
        try:
            left[-1]()
        except Exception as e:
            _native.write_error(_native.account(e))


_atexit.register(_finish)


class ProxyType:
    def __init__(self, object, callback=None, /):
        own = ref(self)
        told = None if callback is None else lambda _: own() is not None and callback(own())
        _set(self, "_reference", ref(object, told))

    def __getattribute__(self, name):
        return getattr(_behind(self), name)

    def __setattr__(self, name, value):
        setattr(_behind(self), name, value)

    def __delattr__(self, name):
        delattr(_behind(self), name)

    def __repr__(self):
        object = _reference(self)()
        shown = "None" if object is None else f"{type(object).__name__} at {hex(id(object))}"
        return f"<weakproxy at {hex(id(self))} to {shown}>"

    __hash__ = None


class CallableProxyType(ProxyType):
    def __call__(self, *args, **kwargs):
        return _behind(self)(*args, **kwargs)


ProxyTypes = [ProxyType, CallableProxyType]
_set, _get = object.__setattr__, object.__getattribute__


def _reference(proxy):
    return _get(proxy, "_reference")


def _behind(proxy):
    found = _reference(proxy)()
    if found is None:
        raise ReferenceError("weakly-referenced object no longer exists")
    return found


def _forward():
    import operator as o
    one = {"neg": o.neg, "pos": o.pos, "abs": abs, "invert": o.invert, "index": o.index, "str": str, "bool": bool, "len": len,
           "iter": iter, "next": next, "int": int, "float": float, "bytes": bytes, "reversed": reversed}
    two = {"add": o.add, "sub": o.sub, "mul": o.mul, "truediv": o.truediv, "floordiv": o.floordiv, "mod": o.mod, "pow": o.pow,
           "matmul": o.matmul, "lshift": o.lshift, "rshift": o.rshift, "and": o.and_, "or": o.or_, "xor": o.xor}
    orders = {"lt": o.lt, "le": o.le, "eq": o.eq, "ne": o.ne, "gt": o.gt, "ge": o.ge}

    def plain(value):
        return _behind(value) if type(value) in ProxyTypes else value

    def with_name(name, function):
        setattr(ProxyType, f"__{name}__", function)

    for name, function in one.items():
        with_name(name, lambda self, function=function: function(_behind(self)))
    for name, function in {**two, **orders}.items():
        with_name(name, lambda self, other, function=function: function(_behind(self), plain(other)))
    for name, function in two.items():
        with_name("r" + name, lambda self, other, function=function: function(plain(other), _behind(self)))
    with_name("getitem", lambda self, key: _behind(self)[key])
    with_name("setitem", lambda self, key, value: o.setitem(_behind(self), key, value))
    with_name("delitem", lambda self, key: o.delitem(_behind(self), key))
    with_name("contains", lambda self, item: item in _behind(self))


_forward()


def proxy(object, callback=None, /):
    return (CallableProxyType if callable(object) else ProxyType)(object, callback)
