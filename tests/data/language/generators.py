#---- basics
def g(n):
    for i in range(n):
        yield i * i
print(list(g(4)), sum(g(3)), next(g(5)), [x for x in g(3)], dict(enumerate(g(2))), max(g(3)), tuple(g(2)))
it = g(2); print(next(it), next(it), next(it, None))
#---- stop iteration
def g(): yield 1
it = g(); next(it)
try:
    next(it)
except StopIteration as e:
    print("stop", e.value, e.args)
#---- return value
def g():
    yield 1
    return "done"
it = g(); next(it)
try:
    next(it)
except StopIteration as e:
    print(e.value)
#---- send
def acc():
    total = 0
    while True:
        x = yield total
        if x is None: return total
        total += x
a = acc(); next(a); print(a.send(5), a.send(7))
try:
    a.send(None)
except StopIteration as e:
    print("total", e.value)
#---- send to fresh
def g(): yield 1
try:
    g().send(3)
except TypeError as e:
    print(e)
#---- throw
def g():
    try:
        yield 1
        yield 2
    except ValueError as e:
        print("inside", e)
        yield "recovered"
it = g(); next(it); print(it.throw(ValueError("boom"))); print(list(it))
it = g(); next(it)
try:
    it.throw(KeyError("k"))
except KeyError as e:
    print("out", e)
#---- close
def g():
    try:
        yield 1
        yield 2
    finally:
        print("cleaned")
it = g(); next(it); it.close(); print(list(it)); g().close()
for x in g():
    break
print("after")
#---- yield from
def inner():
    x = yield 1
    print("got", x)
    return "result"
def outer():
    r = yield from inner()
    print("r", r)
    yield from [7, 8]
    yield from "ab"
o = outer(); print(next(o)); print(o.send("hello")); print(list(o))
#---- yield from throw
def inner():
    try:
        yield 1
    except ValueError:
        yield "handled"
def outer(): yield from inner()
o = outer(); next(o); print(o.throw(ValueError()))
#---- generator expressions
print(sum(x * x for x in range(4)), list(x for x in "ab"), any(x > 2 for x in [1, 2, 3]), max((len(s), s) for s in ["a", "bb"]), ",".join(str(i) for i in range(3)), dict((k, 1) for k in "ab"), sorted(x % 3 for x in range(5)))
g = (i for i in range(3)); print(next(g), list(g), list(g))
#---- nested generator expression
print(list((i, j) for i in range(3) for j in range(i) if i + j > 1), sum(sum(r) for r in [[1, 2], [3]]), [list(x for x in range(n)) for n in range(3)])
#---- recursion
def walk(t):
    if isinstance(t, list):
        for x in t:
            yield from walk(x)
    else:
        yield t
print(list(walk([1, [2, [3, 4]], [[5]]])))
#---- infinite
def count(n=0):
    while True:
        yield n
        n += 1
for i in count():
    if i > 3: break
print(i); import itertools; print(list(itertools.islice(count(5), 3)))
#---- pipeline
def evens(it):
    for x in it:
        if x % 2 == 0: yield x
def sq(it): return (x * x for x in it)
print(list(sq(evens(range(7)))))
#---- raise in generator
def g():
    yield 1
    raise ValueError("bad")
try:
    for x in g(): print(x)
except ValueError as e:
    print(e)
#---- stop iteration inside
def g():
    yield 1
    raise StopIteration
try:
    list(g())
except RuntimeError as e:
    print(e)
#---- generator methods
class Tree:
    def __init__(self, v, l=None, r=None): self.v, self.l, self.r = v, l, r
    def __iter__(self):
        if self.l: yield from self.l
        yield self.v
        if self.r: yield from self.r
print(list(Tree(2, Tree(1), Tree(3))))
#---- contextmanager
from contextlib import contextmanager
@contextmanager
def cm(x):
    print("in", x)
    try:
        yield x * 2
    finally:
        print("out")
with cm(2) as v: print(v)
try:
    with cm(1): raise ValueError("e")
except ValueError as e:
    print("caught", e)
@contextmanager
def swallow():
    try:
        yield
    except KeyError:
        print("swallowed")
with swallow(): {}["x"]
@cm(9)
def f(): print("body")
f()
#---- contextlib more
from contextlib import suppress, nullcontext, ExitStack, closing, redirect_stdout
with suppress(ZeroDivisionError, KeyError): 1 / 0
with nullcontext(5) as n: print(n)
with ExitStack() as st:
    st.callback(print, "callback")
    st.enter_context(nullcontext())
    print("body")
class C:
    def close(self): print("closed")
with closing(C()): pass
import io
buf = io.StringIO()
with redirect_stdout(buf): print("captured")
print(repr(buf.getvalue()))
#---- with several
class M:
    def __init__(self, n): self.n = n
    def __enter__(self): print("+", self.n); return self.n
    def __exit__(self, *a): print("-", self.n)
with M(1) as a, M(2) as b:
    print(a, b)
with (M(3) as c, M(4)):
    print(c)
with (M(5)) as d: print(d)
for i in range(2):
    with M(i):
        if i == 0: continue
        break
def f():
    with M("r"): return "ret"
print(f())
#---- itertools
from itertools import *
print(list(chain([1], "ab")), list(chain.from_iterable([[1], [2, 3]])), list(islice(range(10), 2, 8, 3)), list(repeat(1, 3)), list(accumulate([1, 2, 3])), list(accumulate([1, 2, 3], lambda a, b: a * b)), list(product("ab", [1, 2])), list(product([0, 1], repeat=2)))
print(list(permutations([1, 2, 3], 2)), list(combinations("abc", 2)), list(combinations_with_replacement("ab", 2)), list(zip_longest([1, 2], "a", fillvalue="-")), list(takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(dropwhile(lambda x: x < 3, [1, 3, 1])), list(starmap(pow, [(2, 3), (3, 2)])), list(compress("abc", [1, 0, 1])), list(filterfalse(lambda x: x % 2, range(5))), list(pairwise([1, 2, 3])))
print([(k, list(g)) for k, g in groupby("aabbc")], [(k, len(list(g))) for k, g in groupby([1, 3, 2, 4], key=lambda x: x % 2)], list(islice(count(3, 2), 3)), list(islice(cycle("ab"), 5)), list(accumulate([1, 2], initial=10)))
a, b = tee([1, 2, 3]); print(next(a), list(a), list(b))
#---- generator in class attribute
class A:
    xs = [1, 2]
    ys = list(x * 2 for x in xs)
print(A.ys)
#---- yield expressions
def g():
    r = []
    while len(r) < 2:
        r.append((yield len(r)))
    return r
it = g(); next(it); it.send("a")
try:
    it.send("b")
except StopIteration as e:
    print(e.value)
#---- lambda generator and star
def f(*a): return a
print(f(*(i for i in range(3))), [*map(str, range(2))], (*(x for x in "ab"),))
#---- batches
def batches(xs, n):
    for i in range(0, len(xs), n):
        yield xs[i:i + n]
for step, b in enumerate(batches(list(range(5)), 2), 1): print(step, b)
#---- reversed enumerate zip of generators
def g():
    yield from range(3)
print(list(enumerate(g())), list(zip(g(), g())), sorted(g(), reverse=True), 2 in g(), list(reversed(list(g()))))
#---- generator attributes
def g(): yield
x = g()
print(type(x).__name__, hasattr(x, "send"), iter(x) is x, g.__name__)
import inspect, types
print(inspect.isgenerator(x), inspect.isgeneratorfunction(g), isinstance(x, types.GeneratorType))
