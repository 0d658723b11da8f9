# SPDX-License-Identifier: Apache-2.0

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        value = getattr(wrapped, name, None)
        if value is not None:
            setattr(wrapper, name, value)
    own = getattr(wrapped, "__dict__", None)
    if own:
        for k, v in dict(own).items():
            setattr(wrapper, k, v)
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    def decorate(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)

    return decorate


class partial:
    def __init__(self, func, /, *args, **keywords):
        if isinstance(func, partial):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})

    def __repr__(self):
        parts = [repr(self.func)] + [repr(a) for a in self.args] + [f"{k}={v!r}" for k, v in self.keywords.items()]
        return f"functools.partial({', '.join(parts)})"


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        return partial(self.func, obj, *self.args, **self.keywords)


_initial = object()


def reduce(function, sequence, initial=_initial):
    it = iter(sequence)
    if initial is _initial:
        try:
            value = next(it)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    else:
        value = initial
    for x in it:
        value = function(value, x)
    return value


class _CacheInfo(tuple):
    def __new__(cls, hits, misses, maxsize, currsize):
        return tuple.__new__(cls, (hits, misses, maxsize, currsize))

    hits = property(lambda self: self[0])
    misses = property(lambda self: self[1])
    maxsize = property(lambda self: self[2])
    currsize = property(lambda self: self[3])

    def __repr__(self):
        return f"CacheInfo(hits={self[0]}, misses={self[1]}, maxsize={self[2]}, currsize={self[3]})"


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _cached(maxsize, 128, False)

    def decorate(function):
        return _cached(function, maxsize, typed)

    return decorate


def cache(function):
    return _cached(function, None, False)


def _cached(function, maxsize, typed):
    known = {}
    counts = [0, 0]

    def wrapper(*args, **kwargs):
        key = args
        if kwargs:
            key = (args, "@kwargs", tuple(kwargs.items()))
        if typed:
            key = (key, tuple(type(a) for a in args))
        if key in known:
            counts[0] += 1
            value = known[key]
            if maxsize is not None:
                del known[key]
                known[key] = value
            return value
        counts[1] += 1
        value = function(*args, **kwargs)
        if maxsize is None or maxsize > 0:
            if maxsize is not None and len(known) >= maxsize:
                del known[next(iter(known))]
            known[key] = value
        return value

    def cache_info():
        return _CacheInfo(counts[0], counts[1], maxsize, len(known))

    def cache_clear():
        known.clear()
        counts[0] = counts[1] = 0

    wrapper.cache_info = cache_info
    wrapper.cache_clear = cache_clear
    wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return update_wrapper(wrapper, function)


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        self.attrname = name

    def __get__(self, obj, cls=None):
        if obj is None:
            return self
        value = self.func(obj)
        obj.__dict__[self.attrname] = value
        return value


def total_ordering(cls):
    has = [n for n in ("__lt__", "__le__", "__gt__", "__ge__") if any(n in c.__dict__ for c in cls.__mro__[:-1])]
    if not has:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = has[0]

    def negated(f, strict):
        def op(self, other):
            r = f(self, other)
            return r if r is NotImplemented else not r
        return op

    def either(f, want_equal):
        def op(self, other):
            r = f(self, other)
            if r is NotImplemented:
                return r
            return (r or self == other) if want_equal else (r and self != other)
        return op

    def opposite(f, want_equal):
        def op(self, other):
            r = f(self, other)
            if r is NotImplemented:
                return r
            return (not r or self == other) if want_equal else (not r and self != other)
        return op

    f = getattr(cls, root)
    table = {"__lt__": {"__gt__": opposite(f, False), "__le__": either(f, True), "__ge__": negated(f, True)},
             "__le__": {"__ge__": opposite(f, True), "__lt__": either(f, False), "__gt__": negated(f, True)},
             "__gt__": {"__lt__": opposite(f, False), "__ge__": either(f, True), "__le__": negated(f, True)},
             "__ge__": {"__le__": opposite(f, True), "__gt__": either(f, False), "__lt__": negated(f, True)}}
    for name, op in table[root].items():
        if name not in has:
            op.__name__ = name
            setattr(cls, name, op)
    return cls


def cmp_to_key(compare):
    class K:
        __slots__ = ("obj",)

        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return compare(self.obj, other.obj) < 0

        def __gt__(self, other):
            return compare(self.obj, other.obj) > 0

        def __eq__(self, other):
            return compare(self.obj, other.obj) == 0

        def __le__(self, other):
            return compare(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return compare(self.obj, other.obj) >= 0

    return K


def singledispatch(function):
    registry = {object: function}

    def dispatch(cls):
        for c in cls.__mro__:
            if c in registry:
                return registry[c]
        for c in registry:
            if c is not object and isinstance(c, type) and issubclass(cls, c):
                return registry[c]
        return function

    def register(cls, func=None):
        if func is None:
            if isinstance(cls, type):
                return lambda f: register(cls, f)
            func = cls
            hints = [v for k, v in func.__annotations__.items() if k != "return"]
            if not hints:
                raise TypeError("Invalid first argument to `register()`: use an annotation or a class")
            cls = hints[0]
        for c in cls if isinstance(cls, tuple) else (cls,):
            registry[c] = func
        return func

    def wrapper(*args, **kwargs):
        if not args:
            raise TypeError(f"{function.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **kwargs)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return update_wrapper(wrapper, function)


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            return self.dispatcher.dispatch(type(args[0]))(obj, *args, **kwargs)

        return method
