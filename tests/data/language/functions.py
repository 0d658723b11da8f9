#---- defaults and keywords
def f(a, b=2, *args, c, d=4, **kw): return a, b, args, c, d, kw
print(f(1, c=3), f(1, 5, 6, 7, c=3, d=0, e=9), f(*[1, 2], **{"c": 3}), f(a=1, c=2))
#---- positional only
def f(a, b, /, c, *, d): return (a, b, c, d)
print(f(1, 2, 3, d=4), f(1, 2, c=3, d=4))
for bad in (lambda: f(a=1, b=2, c=3, d=4), lambda: f(1, 2, 3, 4)):
    try:
        bad()
    except TypeError as e:
        print("TypeError")
#---- positional only and kwargs
def f(a, /, **kw): return a, kw
print(f(1, a=2), f(1))
#---- call errors
def f(a, b): pass
def g(a, *, k): pass
for bad in (lambda: f(1), lambda: f(), lambda: f(1, 2, 3), lambda: f(1, c=2), lambda: f(1, a=2), lambda: g(1), lambda: g(1, 2), lambda: 5(), lambda: None.x, lambda: undefined_name):
    try:
        bad()
    except (TypeError, AttributeError, NameError) as e:
        print(type(e).__name__, e)
#---- closures
def counter():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    return inc
c = counter(); d = counter()
print(c(), c(5), d(), c(), inc if False else "", c.__closure__ is not None)
#---- late binding
fs = [lambda: i for i in range(3)]
gs = [lambda i=i: i for i in range(3)]
print([f() for f in fs], [g() for g in gs])
#---- nested closures
def a(x):
    def b(y):
        def c(z):
            return x + y + z
        return c
    return b
print(a(1)(2)(3))
def outer():
    x = 1
    class C:
        y = x + 1
        def m(self): return x
    return C.y, C().m(), [x + i for i in range(2)], (lambda: [x for _ in range(2)])()
print(outer())
#---- second level
def f(xs, k):
    def g(v):
        return [v * k + w for w in xs if w < max(x + k for x in xs)]
    return {x: g(x) for x in xs}
print(f([1, 2], 3))
def f2(n):
    return [(lambda: [i + j for j in range(n)])() for i in range(n)]
print(f2(2))
def f3(xs):
    return sum(sum(a * b for b in xs) for a in xs)
print(f3([1, 2]))
#---- class body scopes
x = "global"
class A:
    x = "class"
    y = x
    zs = [x for _ in range(1)]
    def f(self): return x
print(A.y, A.zs, A().f())
#---- global and nonlocal
g = 1
def set_global():
    global g, new_g
    g = 2
    new_g = 3
set_global()
print(g, new_g)
def f():
    x = 1
    def h():
        nonlocal x
        x = 2
    h()
    return x
print(f())
#---- unbound local
x = 1
def f():
    print(x)
    x = 2
try:
    f()
except UnboundLocalError as e:
    print(type(e).__name__, isinstance(e, NameError))
#---- comprehension scope
x = 10
l = [x for x in range(3)]
print(x, l, [y := 5, y * 2], y)
print([a for a in range(3) for a in range(a)], {k: v for k, v in zip("ab", range(2))})
#---- walrus
if (n := len("abc")) > 2: print(n)
while (n := n - 1) > 0: print(n, end=" ")
print([z for v in [1, 2, 3] if (z := v * 2) > 2], z)
#---- lambdas
f = lambda *a, k=1, **kw: (a, k, kw)
print(f(1, 2, k=3, z=4), (lambda: 5)(), (lambda x, y=2: x * y)(3), sorted([1, -2, 3], key=lambda v: -v), (lambda x: (yield x)) is not None)
#---- decorators
def deco(f):
    def w(*a, **k):
        print("before", f.__name__)
        r = f(*a, **k)
        print("after")
        return r
    return w
@deco
def add(a, b): return a + b
print(add(1, 2), add.__name__)
#---- decorators with arguments
import functools
def repeat(n):
    def d(f):
        @functools.wraps(f)
        def w(*a):
            return [f(*a) for _ in range(n)]
        return w
    return d
@repeat(3)
@repeat(2)
def hi(x):
    "doc"
    return x
print(hi(1), hi.__name__, hi.__doc__, hi.__wrapped__ is not None)
#---- class decorators
registry = {}
def register(name):
    def d(cls):
        registry[name] = cls
        cls.tag = name
        return cls
    return d
@register("a")
class A: pass
print(registry["a"] is A, A.tag)
#---- decorator class
class Count:
    def __init__(self, f): self.f = f; self.n = 0
    def __call__(self, *a): self.n += 1; return self.f(*a)
@Count
def f(x): return x
f(1); f(2); print(f.n, f(3))
#---- function attributes
def f(x: int, y: str = "a") -> float:
    """Doc string."""
    return x
f.calls = 3
print(f.__name__, f.__doc__, f.__defaults__, f.__annotations__, f.calls, f.__qualname__, f.__module__, callable(f), f.__kwdefaults__, f.__code__.co_varnames, f.__code__.co_argcount, f.__code__.co_name)
#---- mutable default
def f(x, acc=[]):
    acc.append(x)
    return acc
print(f(1), f(2), f(3, []))
#---- recursion
def hanoi(n, a="A", b="B", c="C"):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)
print(hanoi(6))
def depth(n): return depth(n + 1)
try:
    depth(0)
except RecursionError as e:
    print("RecursionError")
#---- partial and friends
from functools import partial, reduce, lru_cache, wraps, cached_property, total_ordering, singledispatch, cmp_to_key, partialmethod
p = partial(pow, 2); q = partial(int, base=2)
print(p(5), q("101"), p.func is pow, p.args, q.keywords, reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(lambda a, b: a + b, [], 10), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
#---- lru_cache
from functools import lru_cache, cache
calls = []
@lru_cache(maxsize=None)
def f(x):
    calls.append(x)
    return x * 2
f(1); f(1); f(2)
print(calls, f.cache_info(), f(2)); f.cache_clear(); f(1); print(len(calls))
@cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80))
@lru_cache
def g(x, y=1): return x + y
print(g(1), g(1, y=1), g.cache_info().hits, g.__name__)
@lru_cache(maxsize=2)
def h(x): calls.append(x); return x
h(1); h(2); h(3); h(1); print(h.cache_info())
#---- cached_property
from functools import cached_property
class A:
    n = 0
    @cached_property
    def v(self):
        A.n += 1
        return 42
a = A(); print(a.v, a.v, A.n, "v" in a.__dict__)
#---- total_ordering
from functools import total_ordering
@total_ordering
class V:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
print(V(1) <= V(2), V(3) > V(2), V(2) >= V(2), V(1) != V(2), max(V(1), V(5)).v)
#---- singledispatch
from functools import singledispatch
@singledispatch
def show(x): return "other"
@show.register
def _(x: int): return "int"
@show.register(list)
def _(x): return "list"
@show.register(str)
def s(x): return "str"
print(show(1), show([]), show("a"), show(1.5), show(True))
#---- partialmethod
from functools import partialmethod
class C:
    def set(self, k, v): return (k, v)
    on = partialmethod(set, "state", v=True)
print(C().on())
#---- star calls
def f(*a, **k): return a, k
print(f(*"ab", *[1], **{"x": 1}, **{"y": 2}), f(*(), **{}), f(*range(2), 9, z=1))
try:
    f(**{"x": 1}, **{"x": 2})
except TypeError as e:
    print("TypeError")
#---- returns
def f():
    pass
def g():
    return
def h():
    return 1, 2
print(f(), g(), h(), (lambda: None)())
#---- keyword order
def f(**kw): return list(kw)
print(f(b=1, a=2, **{"c": 3}))
#---- callable objects
print(callable(len), callable(int), callable(3), callable(lambda: 0), callable("a"), callable(type("X", (), {"__call__": lambda s: 1})()))
#---- map filter laziness
def noisy(x):
    print("n", x)
    return x
m = map(noisy, [1, 2, 3])
print(next(m)); print(next(m))
it = iter([1, 2]); print(next(it), next(it), next(it, "end"))
#---- iter with sentinel
vals = [3, 2, 1, 0, 5]
print(list(iter(lambda: vals.pop(0), 0)), vals)
#---- type hints everywhere
from typing import *
def f(a: List[int], b: Optional[str] = None, *c: int, d: "Forward" = 1, **e: Any) -> Tuple[int, ...]:
    x: int = 1
    y: Dict[str, Callable[[int], str]]
    return (x,)
T = TypeVar("T")
class G(Generic[T]):
    v: T
    def get(self) -> T: return 5
print(f([1]), G().get(), G[int]().get(), Union[int, str] is not None, Optional[int] is not None, cast(int, "a"))
#---- annotations with bar
def f(x: int | None = None, y: list[int] | tuple[int, ...] = ()) -> dict[str, int] | None: return x
print(f(3))
#---- exec and eval
print(eval("1 + 2 * 3"), eval("x * 2", {"x": 5}))
ns = {}
exec("def g(a):\n    return a + 1\nz = g(4)", ns)
print(ns["z"], ns["g"](1))
#---- inspect signature
import inspect
def f(a, b=1, *args, c, d=2, **kw): pass
s = inspect.signature(f)
print(s, list(s.parameters), s.parameters["b"].default, s.parameters["a"].default is inspect.Parameter.empty, s.parameters["c"].kind == inspect.Parameter.KEYWORD_ONLY, inspect.isfunction(f), inspect.isclass(int), inspect.ismethod(f))
class M:
    def m(self, x, y=2): pass
print(inspect.signature(M().m), inspect.signature(M.m), list(inspect.signature(M.m).parameters.keys()))
#---- globals and locals
def f(a):
    b = 2
    return sorted(locals().items())
print(f(1), "f" in globals(), globals()["__name__"])
#---- name main
if __name__ == "__main__":
    print("main")
#---- docstrings
def f():
    """first"""
class C:
    """second"""
    def m(self):
        'third'
print(f.__doc__, C.__doc__, C.m.__doc__, C().m.__doc__, (lambda: 0).__doc__)
#---- conditional expression chains
f = lambda n: "neg" if n < 0 else "zero" if n == 0 else "pos"
print(f(-1), f(0), f(1), (1 or 2), (0 or "x"), (1 and 2), (0 and 2), not 0, None or [], 1 if [] else 2)
