# SPDX-License-Identifier: Apache-2.0

import operator as _operator
from heapq import nlargest as _nlargest


class defaultdict(dict):
    def __init__(self, default_factory=None, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__(*args, **kwargs)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self[key] = self.default_factory()
        return value

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {dict(self)!r})"

    def copy(self):
        return type(self)(self.default_factory, self)

    __copy__ = copy


class OrderedDict(dict):
    def __init__(self, other=(), /, **kwargs):
        if type(self).__setitem__ is dict.__setitem__:
            dict.__init__(self, other, **kwargs)
            return
        dict.__init__(self)
        for key, value in other.items() if hasattr(other, "keys") else other:
            self[key] = value
        for key, value in kwargs.items():
            self[key] = value

    def move_to_end(self, key, last=True):
        value = dict.__getitem__(self, key)
        if last:
            dict.__delitem__(self, key)
            dict.__setitem__(self, key, value)
            return
        rest = [(k, v) for k, v in self.items() if k != key]
        dict.clear(self)
        dict.__setitem__(self, key, value)
        for k, v in rest:
            dict.__setitem__(self, k, v)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = list(self)[-1] if last else next(iter(self))
        return key, self.pop(key)

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and list(self) == list(other)
        return dict.__eq__(self, other)

    def __repr__(self):
        return f"{type(self).__name__}({list(self.items())!r})" if self else f"{type(self).__name__}()"

    def copy(self):
        return type(self)(self)


class Counter(dict):
    def __init__(self, iterable=None, /, **kwargs):
        super().__init__()
        self.update(iterable, **kwargs)

    def __missing__(self, key):
        return 0

    def update(self, iterable=None, /, **kwargs):
        if iterable is not None:
            if hasattr(iterable, "keys"):
                for k in iterable.keys():
                    self[k] = self[k] + iterable[k]
            else:
                for k in iterable:
                    self[k] = dict.get(self, k, 0) + 1
        for k, v in kwargs.items():
            self[k] = self[k] + v

    def subtract(self, iterable=None, /, **kwargs):
        if iterable is not None:
            if hasattr(iterable, "keys"):
                for k in iterable.keys():
                    self[k] = self[k] - iterable[k]
            else:
                for k in iterable:
                    self[k] = self[k] - 1
        for k, v in kwargs.items():
            self[k] = self[k] - v

    def most_common(self, n=None):
        if n is None:
            return sorted(self.items(), key=lambda kv: kv[1], reverse=True)
        return _nlargest(n, self.items(), key=lambda kv: kv[1])

    def elements(self):
        for k, n in self.items():
            for _ in range(n):
                yield k

    def total(self):
        return sum(self.values())

    def copy(self):
        return type(self)(self)

    def __delitem__(self, key):
        if key in self:
            dict.__delitem__(self, key)

    def _kept(self, pairs):
        result = type(self)()
        for k, n in pairs:
            if n > 0:
                result[k] = n
        return result

    def __add__(self, other):
        keys = list(self) + [k for k in other if k not in self]
        return self._kept((k, self[k] + other[k]) for k in keys)

    def __sub__(self, other):
        keys = list(self) + [k for k in other if k not in self]
        return self._kept((k, self[k] - other[k]) for k in keys)

    def __or__(self, other):
        keys = list(self) + [k for k in other if k not in self]
        return self._kept((k, max(self[k], other[k])) for k in keys)

    def __and__(self, other):
        return self._kept((k, min(n, other[k])) for k, n in self.items())

    def __pos__(self):
        return self._kept(self.items())

    def __iadd__(self, other):
        self.update(other)
        return self

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[k] == other[k] for c in (self, other) for k in c)

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        items = ", ".join(f"{k!r}: {v!r}" for k, v in self.most_common())
        return f"{type(self).__name__}({{{items}}})"


class deque:
    def __init__(self, iterable=(), maxlen=None):
        self._items = []
        self._maxlen = maxlen
        for x in iterable:
            self.append(x)

    @property
    def maxlen(self):
        return self._maxlen

    def append(self, x):
        if self._maxlen == 0:
            return
        self._items.append(x)
        if self._maxlen is not None and len(self._items) > self._maxlen:
            del self._items[0]

    def appendleft(self, x):
        if self._maxlen == 0:
            return
        self._items.insert(0, x)
        if self._maxlen is not None and len(self._items) > self._maxlen:
            del self._items[-1]

    def extend(self, iterable):
        for x in list(iterable):
            self.append(x)

    def extendleft(self, iterable):
        for x in list(iterable):
            self.appendleft(x)

    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def popleft(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop(0)

    def rotate(self, n=1):
        if self._items:
            n %= len(self._items)
            self._items = self._items[-n:] + self._items[:-n] if n else self._items

    def clear(self):
        self._items.clear()

    def copy(self):
        return type(self)(self._items, self._maxlen)

    __copy__ = copy

    def count(self, x):
        return self._items.count(x)

    def index(self, x, *bounds):
        return self._items.index(x, *bounds)

    def insert(self, i, x):
        self._items.insert(i, x)

    def remove(self, x):
        if x not in self._items:
            raise ValueError("deque.remove(x): x not in deque")
        self._items.remove(x)

    def reverse(self):
        self._items.reverse()

    def __getitem__(self, i):
        if isinstance(i, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        if not isinstance(i, int):
            i = _operator.index(i)
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("deque index out of range")
        return self._items[i]

    def __setitem__(self, i, x):
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("deque index out of range")
        self._items[i] = x

    def __delitem__(self, i):
        del self._items[i]

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __reversed__(self):
        return reversed(self._items)

    def __contains__(self, x):
        return x in self._items

    def __bool__(self):
        return bool(self._items)

    def __eq__(self, other):
        return isinstance(other, deque) and self._items == other._items

    def __lt__(self, other):
        return self._items < other._items

    def __add__(self, other):
        return type(self)(self._items + list(other), self._maxlen)

    def __mul__(self, n):
        return type(self)(self._items * n, self._maxlen)

    def __iadd__(self, other):
        self.extend(other)
        return self

    __hash__ = None

    def __repr__(self):
        end = "" if self._maxlen is None else f", maxlen={self._maxlen}"
        return f"deque({self._items!r}{end})"


_KEYWORDS = set("False None True and as assert async await break class continue def del elif else except finally for from "
                "global if import in is lambda nonlocal not or pass raise return try while with yield".split())


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = [str(n) for n in field_names]
    for i, n in enumerate(names):
        if not n.isidentifier() or n in _KEYWORDS or n.startswith("_") or n in names[:i]:
            if not rename and n in _KEYWORDS:
                raise ValueError(f"Type names and field names cannot be a keyword: {n!r}")
            if not rename:
                raise ValueError(f"Encountered duplicate field name: {n!r}" if n in names[:i] else
                                 f"Type names and field names must be valid identifiers: {n!r}")
            names[i] = f"_{i}"
    fields = tuple(names)
    values = tuple(defaults or ())
    if len(values) > len(fields):
        raise TypeError("Got more default values than field names")
    default = dict(zip(fields[len(fields) - len(values):], values))

    def __new__(cls, *args, **kwargs):
        if len(args) > len(fields):
            raise TypeError(f"{typename}.__new__() takes {len(fields) + 1} positional arguments but "
                            f"{len(args) + 1} were given")
        row = list(args)
        for n in fields[len(args):]:
            if n in kwargs:
                row.append(kwargs.pop(n))
            elif n in default:
                row.append(default[n])
            else:
                raise TypeError(f"{typename}.__new__() missing 1 required positional argument: {n!r}")
        if kwargs:
            raise TypeError(f"{typename}.__new__() got an unexpected keyword argument {next(iter(kwargs))!r}")
        return tuple.__new__(cls, row)

    def __repr__(self):
        return type(self).__name__ + "(" + ", ".join(f"{n}={v!r}" for n, v in zip(fields, self)) + ")"

    def _replace(self, **kwargs):
        result = self._make(kwargs.pop(n, v) for n, v in zip(fields, self))
        if kwargs:
            raise ValueError(f"Got unexpected field names: {list(kwargs)!r}")
        return result

    def _asdict(self):
        return dict(zip(fields, self))

    def _make(cls, iterable):
        return tuple.__new__(cls, iterable)

    body = {"__new__": __new__, "__repr__": __repr__, "_replace": _replace, "_asdict": _asdict,
            "_make": classmethod(_make), "_fields": fields, "_field_defaults": default,
            "__match_args__": fields, "__slots__": (), "__getnewargs__": lambda self: tuple(self),
            "__doc__": f"{typename}({', '.join(fields)})"}
    for i, n in enumerate(fields):
        body[n] = property(_operator.itemgetter(i))
    body["__module__"] = _native.caller_globals().get("__name__", "__main__")
    return type(typename, (tuple,), body)


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for m in self.maps:
            if key in m:
                return m[key]
        raise KeyError(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        del self.maps[0][key]

    def _all(self):
        result = {}
        for m in reversed(self.maps):
            result.update(m)
        return result

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return len(self._all())

    def __contains__(self, key):
        return any(key in m for m in self.maps)

    def __bool__(self):
        return any(self.maps)

    def keys(self):
        return self._all().keys()

    def values(self):
        return [self[k] for k in self._all()]

    def items(self):
        return [(k, self[k]) for k in self._all()]

    def new_child(self, m=None, **kwargs):
        return type(self)({**(m or {}), **kwargs}, *self.maps)

    @property
    def parents(self):
        return type(self)(*self.maps[1:])

    def __repr__(self):
        return f"ChainMap({', '.join(map(repr, self.maps))})"


class UserDict:
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), "__missing__"):
            return type(self).__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def update(self, other=(), /, **kwargs):
        for k, v in dict(other, **kwargs).items():
            self[k] = v

    def get(self, key, default=None):
        return self[key] if key in self else default

    def keys(self):
        return self.data.keys()

    def items(self):
        return [(k, self[k]) for k in self]

    def values(self):
        return [self[k] for k in self]

    def pop(self, key, *default):
        return self.data.pop(key, *default)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def __eq__(self, other):
        return dict(self.items()) == (dict(other.items()) if isinstance(other, UserDict) else other)

    __hash__ = None


class UserList(list):
    @property
    def data(self):
        return self


class UserString(str):
    @property
    def data(self):
        return str(self)


from collections import abc
