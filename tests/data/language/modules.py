#---- defaultdict
from collections import defaultdict
d = defaultdict(list); d["a"].append(1); d["a"].append(2); d["b"]
c = defaultdict(int)
for w in "abca": c[w] += 1
print(d, dict(d), c, "z" in d, d.get("q"), len(d), c["a"], sorted(c.items()), d.default_factory is list, defaultdict(lambda: 5)["x"])
n = defaultdict(lambda: defaultdict(int)); n["x"]["y"] += 1; print(n["x"]["y"], isinstance(d, dict))
try:
    defaultdict()["k"]
except KeyError as e:
    print("KeyError", e)
#---- counter
from collections import Counter
c = Counter("abracadabra")
print(c, c["a"], c["zz"], c.most_common(2), sum(c.values()), sorted(c.elements())[:3], c + Counter("ab"), c - Counter("aaaaaa"), Counter(a=1, b=2), Counter({"x": 3}), Counter("ab") & Counter("b"), Counter("ab") | Counter("bb"), c.total())
c.update("aaa"); c.subtract("b"); print(c["a"], c["b"], list(Counter([1, 1, 2])), Counter("ab") == Counter("ba"))
#---- deque
from collections import deque
d = deque([1, 2, 3], maxlen=3); d.append(4); d.appendleft(0)
print(d, d[0], len(d), d.pop(), d.popleft(), list(d), d.maxlen)
e = deque("abc"); e.rotate(1); print(e); e.extend("xy"); e.extendleft("z"); print(e, "x" in e, e.count("a"), e.index("a")); e.remove("x"); e.reverse(); print(e, list(reversed(e))); e.clear(); print(e, bool(e))
f = deque(range(3)); f[1] = 9; print(f, deque([1]) == deque([1]), f.copy(), sum(f))
try:
    deque().pop()
except IndexError as x:
    print(x)
#---- ordereddict
from collections import OrderedDict
d = OrderedDict([("a", 1), ("b", 2)]); d["c"] = 3; d.move_to_end("a")
print(d, list(d), d.popitem(), d.popitem(last=False), d, isinstance(d, dict), OrderedDict(x=1) == {"x": 1}, OrderedDict([("a", 1), ("b", 2)]) == OrderedDict([("b", 2), ("a", 1)]))
d.move_to_end("c", last=False) if "c" in d else None
print(list(OrderedDict(a=1).items()))
#---- chainmap userdict
from collections import ChainMap, UserDict
c = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(c["a"], c["b"], list(sorted(c)), len(c), "b" in c, c.get("z", 0), c.maps[0]); c["n"] = 5; print(c.maps[0])
class U(UserDict):
    def __getitem__(self, k): return self.data[k] * 2
print(U(a=2)["a"])
#---- collections abc
from collections.abc import Iterable, Mapping, Sequence, Callable, Hashable, Sized, Iterator, MutableMapping
print(isinstance([], Iterable), isinstance({}, Mapping), isinstance((1,), Sequence), isinstance("a", Sequence), isinstance(len, Callable), isinstance([], Hashable), isinstance(5, Iterable), isinstance(iter([]), Iterator), isinstance({}, Sized), isinstance(set(), Sequence))
class It:
    def __iter__(self): return iter([])
print(isinstance(It(), Iterable), isinstance(It(), Iterator))
#---- random seeded
import random
random.seed(42)
print([random.random() for _ in range(3)], [random.randint(1, 100) for _ in range(5)], random.choice("abcdef"), random.uniform(1, 2), random.gauss(0, 1), random.gauss(0, 1))
l = list(range(10)); random.shuffle(l); print(l, random.sample(range(100), 5), random.randrange(0, 50, 5), random.choices([1, 2, 3], k=4), random.choices("ab", weights=[1, 9], k=5), random.getrandbits(40))
#---- random more
import random
r = random.Random(7); s = random.Random("text"); t = random.Random(2**40 + 3)
print(r.random(), s.random(), t.random(), r.randint(-5, 5), r.normalvariate(0, 1), r.expovariate(1.5), r.betavariate(1, 2), r.triangular(0, 1, 0.5), r.sample([1, 2, 3, 4, 5, 6], 3), r.lognormvariate(0, 1))
random.seed(0); st = random.getstate(); a = random.random(); random.setstate(st); print(a == random.random(), random.random())
random.seed(1337); print(random.sample(list("abcdefghijklmnopqrstuvwxyz"), 22)[:5], random.randint(0, 2**40))
random.seed(1.5); print(random.random()); random.seed(-3); print(random.random(), random.randbytes(3))
try:
    random.choice([])
except IndexError as e:
    print(e)
#---- random big ranges
import random
random.seed(5)
print(random.randrange(2**70), random.randint(0, 10**30), [random.randrange(10) for _ in range(10)], random.sample(range(1000000), 3))
x = list(range(20)); random.shuffle(x); print(x)
#---- json
import json
d = {"a": [1, 2.5, None, True], "b": {"c": "é\n\"q\""}, "n": 10**20, "f": 1e-7}
s = json.dumps(d); print(s); print(json.loads(s) == d, json.dumps([1, 2], indent=2), json.dumps({"b": 1, "a": 2}, sort_keys=True), json.dumps("é", ensure_ascii=False), json.dumps({"x": [{}, []]}, indent=4))
print(json.loads('{"k": [1, -2.5e3, "\\u00e9", null, true, false, {}]}'), json.dumps((1, 2)), json.dumps({1: 2}), json.dumps([], indent=2), json.dumps({"a": 1}, separators=(",", ":")))
try:
    json.loads("{bad}")
except json.JSONDecodeError as e:
    print(type(e).__name__)
try:
    json.dumps(object())
except TypeError as e:
    print(e)
print(json.dumps({1, 2}, default=lambda o: sorted(o)), json.loads("3"), json.loads(' "x" '))
#---- operator
import operator
from operator import itemgetter, attrgetter, methodcaller, mul, add
print(sorted([(1, "b"), (2, "a")], key=itemgetter(1)), itemgetter(0, 2)([1, 2, 3]), attrgetter("real")(5), methodcaller("upper")("a"), mul(2, 3), operator.add(1, 2), operator.truediv(1, 2), operator.neg(1), operator.not_(0), operator.eq(1, 1), operator.lt(1, 2), operator.contains([1], 1), operator.getitem([5], 0), operator.matmul is not None, operator.floordiv(7, 2), operator.mod(7, 3), operator.pow(2, 3), operator.and_(6, 3), operator.xor(6, 3), operator.invert(0), operator.concat([1], [2]), operator.is_(None, None), operator.index(3), operator.iadd([1], [2]))
#---- types
import types
print(isinstance(lambda: 0, types.FunctionType), isinstance(len, types.BuiltinFunctionType), isinstance(types, types.ModuleType), types.SimpleNamespace(x=1).x, types.MappingProxyType({"a": 1})["a"], isinstance(None, types.NoneType))
class A:
    def f(self): return self
a = A()
a.g = types.MethodType(lambda self, x: (self is a, x), a); print(a.g(5), isinstance(a.f, types.MethodType))
#---- argparse
import argparse
p = argparse.ArgumentParser(description="train")
p.add_argument("--lr", type=float, default=1e-3, help="rate")
p.add_argument("--epochs", "-e", type=int, default=5)
p.add_argument("--cuda", action="store_true")
p.add_argument("--no-bias", dest="bias", action="store_false")
p.add_argument("--names", nargs="*", default=[])
p.add_argument("--mode", choices=["a", "b"], default="a")
a = p.parse_args([])
print(a, a.lr, a.bias)
b = p.parse_args(["--lr", "0.5", "-e", "2", "--cuda", "--names", "x", "y", "--mode=b"])
print(b.lr, b.epochs, b.cuda, b.names, b.mode, vars(b))
q = argparse.ArgumentParser(); q.add_argument("path"); q.add_argument("rest", nargs="+"); print(q.parse_args(["p", "1", "2"])); print(q.parse_known_args(["p", "1", "--zz"]))
#---- argparse help
import argparse
p = argparse.ArgumentParser(prog="train.py", description="Trains a model of the kind that %(prog)s knows, with a text that is wrapped over lines.", epilog="And so on.")
p.add_argument("--lr", type=float, default=1e-3, help="rate (default: %(default)s)")
p.add_argument("--epochs", "-e", type=int, default=5, help="how often all of the data is seen, which takes a while and so on and so forth")
p.add_argument("--names", nargs="*", default=[], metavar="N")
p.add_argument("--two", nargs=2, metavar=("A", "B"), help="two")
p.add_argument("--mode", choices=["a", "b"], default="a", help="one of %(choices)s")
p.add_argument("--must", required=True); p.add_argument("--hidden", help=argparse.SUPPRESS)
p.add_argument("--version", action="version", version="%(prog)s 1.0")
p.add_argument("--flag", action=argparse.BooleanOptionalAction, default=True)
p.add_argument("-v", action="count"); p.add_argument("--a-very-long-option-name-here", type=str, help="x")
p.add_argument_group("data", "about the data").add_argument("--root", default=".", help="folder")
p.add_argument("path", help="what"); p.add_argument("rest", nargs="*")
for args in (["-h"], ["--help"], ["--version"], []):
    try: print(p.parse_args(args))
    except SystemExit as e: print("exit", e.code)
p.print_usage(); print(p.parse_args(["--must", "1", "x"]))
q = argparse.ArgumentParser(prog="x", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
q.add_argument("-n", type=int, default=3, help="count"); q.add_argument("--m", help="no default"); q.print_help()
r = argparse.ArgumentParser(prog="x", usage="%(prog)s [options]", add_help=False, description="a\n  b", formatter_class=argparse.RawDescriptionHelpFormatter); r.print_help()
#---- os and sys
import os, sys, os.path
print(os.path.join("a", "b", "c.txt"), os.path.basename("/x/y.py"), os.path.dirname("/x/y.py"), os.path.splitext("a.tar.gz"), os.path.exists("/definitely/not"), os.path.isabs("/a"), os.path.normpath("a/../b"), os.sep, os.path.split("a/b"), os.getenv("NOT_SET_X", "dflt"), os.environ.get("NOT_SET_Y"), isinstance(os.environ, object))
print(sys.version_info >= (3, 8), sys.maxsize, len(sys.argv) >= 1, sys.byteorder, sys.float_info.epsilon, isinstance(sys.path, list), sys.getrecursionlimit() > 0, sys.version_info.major, sys.platform, "math" in sys.modules or True, sys.float_info.max, sys.getsizeof([]) > 0)
#---- pathlib
from pathlib import Path
p = Path("a") / "b" / "c.tar.gz"
print(p, p.name, p.stem, p.suffix, p.parent, str(p), p.parts, p.exists(), Path("x.py").with_suffix(".txt"), p == Path("a/b/c.tar.gz"), p.is_absolute())
#---- time
import time
t = time.time(); p = time.perf_counter()
print(t > 1e9, time.perf_counter() >= p, isinstance(time.strftime("%Y"), str), time.monotonic() > 0, time.time_ns() > 0)
#---- star import
from math import *
print(sqrt(4), pi > 3, floor(2.5))
#---- import forms
import math as m, collections
import os.path as osp
from functools import (partial, reduce as red,)
from collections import OrderedDict as OD
import collections.abc
print(m.pi > 3, red(lambda a, b: a + b, [1, 2]), OD(a=1)["a"], osp.join("a", "b"), collections.abc.Sized is not None)
def f():
    import math
    from itertools import chain
    return math.floor(2.5), list(chain([1], [2]))
print(f())
#---- logging
import logging
logging.basicConfig(level=logging.INFO)
log = logging.getLogger(__name__)
log.info("to stderr %d", 3); log.debug("no"); log.warning("w")
print(log.name, log.isEnabledFor(logging.INFO), logging.WARNING)
#---- io stringio
import io
s = io.StringIO(); s.write("ab"); print("cd", file=s); print(repr(s.getvalue()))
t = io.StringIO("l1\nl2\n"); print(t.readline(), [l for l in t], t.read())
#---- pprint
from pprint import pprint, pformat
pprint({"b": 1, "a": [1, 2]}); print(pformat([1]))
#---- tqdm like
try:
    from tqdm import tqdm
except ImportError:
    tqdm = lambda x, **k: x
print(sum(x for x in tqdm(range(4), desc="d")))
#---- enum in dict and sorted
from collections import Counter, defaultdict
words = "the cat the dog".split()
idx = defaultdict(list)
for i, w in enumerate(words): idx[w].append(i)
print(dict(idx), Counter(words).most_common(1)[0][0], sorted(set(words)), {w: i for i, w in enumerate(sorted(set(words)))})
#---- char tokenizer
text = "hello world"
chars = sorted(list(set(text)))
stoi = {ch: i for i, ch in enumerate(chars)}; itos = {i: ch for ch, i in stoi.items()}
encode = lambda s: [stoi[c] for c in s]; decode = lambda l: "".join(itos[i] for i in l)
print(len(chars), encode("hello"), decode(encode("world")))
#---- datetime
import datetime
d = datetime.datetime(2024, 1, 2, 3, 4, 5); print(d.year, d, d.strftime("%Y-%m-%d"), datetime.timedelta(seconds=90), (d + datetime.timedelta(days=1)).day, d.isoformat())
#---- dataclass json
import json, dataclasses
@dataclasses.dataclass
class C:
    lr: float = 0.1
    dims: tuple = (1, 2)
print(json.dumps(dataclasses.asdict(C())), C(**json.loads('{"lr": 0.5}')))
#---- weakref and gc
import gc, weakref
class A: pass
a = A(); r = weakref.ref(a); print(r() is a, isinstance(gc.collect(), int))
#---- numbers module
import numbers
print(isinstance(1, numbers.Number), isinstance(1.5, numbers.Integral), isinstance(2, numbers.Integral), isinstance(1.5, numbers.Real))
#---- uuid free hashing
import hashlib
print(hashlib.md5(b"abc").hexdigest(), hashlib.sha256(b"abc").hexdigest()[:16])
#---- typing runtime
from typing import get_type_hints, List, get_origin, get_args, Optional
def f(a: int, b: "str" = "x") -> List[int]: ...
print(get_type_hints(f)["a"], get_origin(List[int]), get_args(List[int]), get_origin(list[int]))
#---- copyreg free struct
import struct
print(struct.pack("<if", 1, 2.0), struct.unpack("<I", b"\x01\x00\x00\x00"), struct.calcsize("<d"))
#---- numbers that compare
from decimal import Decimal, InvalidOperation
from fractions import Fraction
a, b, nan = Decimal("1.10"), Decimal("1.1"), Decimal("NaN")
print(a == b, a < 2, a != b, hash(a) == hash(b), {a: 1}[b], Decimal("0.5") == 0.5, a == None, nan == nan, nan != 1, sorted([a, Decimal(-1)]))
for f in (lambda: a < nan, lambda: nan >= 1, lambda: a <= float("nan")):
    try:
        print(f())
    except InvalidOperation as e:
        print("InvalidOperation", e)
x = Fraction(1, 3)
print(x == Fraction(2, 6), x < 1, x >= 0.5, {x: 1}[Fraction(2, 6)], x == "x", x < float("nan"), sorted([Fraction(3, 4), x]))
try:
    x < "x"
except TypeError as e:
    print(e)
#---- weak references
import weakref
class A: pass
a = A(); r = weakref.ref(a); print(r() is a, type(r).__name__, isinstance(r, weakref.ReferenceType)); del a; print(r())
a = A(); r = weakref.ref(a); s = weakref.ref(a); print(r is s, r == s, hash(r) == hash(a), weakref.getweakrefcount(a))
rs = [weakref.ref(a, lambda q, i=i: print("gone", i, q())) for i in range(3)]
a = None
print([r() for r in rs])
def made():
    b = A()
    return weakref.ref(b)
print(made()())
a = A(); a.k = 2; r = weakref.ref(a); b = r(); del a; print(r().k); b = None; print(r())
#---- what has weak references
import weakref
class Slots: __slots__ = ("a",)
class Weak: __slots__ = ("a", "__weakref__")
class L(list): pass
class N(int): pass
for bad in (3, [1], {}, "s", None, (1,), 2.5, b"x", Slots(), N(4)):
    try: weakref.ref(bad)
    except TypeError as e: print(e)
for good in (Weak(), L(), {1}.__class__((1, 2)), len, print, Weak):
    r = weakref.ref(good); print(r() is good)
class B:
    def m(self): return 5
b = B(); print(weakref.ref(b.m)()); w = weakref.WeakMethod(b.m); print(w()()); del b; print(w())
#---- weak references and cycles
import gc, weakref
class A: pass
a, b = A(), A(); a.other, b.other = b, a; r = weakref.ref(a, lambda q: print("cycle gone")); gc.collect()
del a, b; print(r() is None); print(gc.collect()); print(r())
l = []; l.append(l); del l; print(gc.collect(), gc.collect())
class D:
    def __init__(self, n): self.n = n
    def __del__(self): print("del", self.n)
d = D(1); d.me = d; d.sub = D(2); r = weakref.ref(d); del d; n = gc.collect(); print(n > 0, r())
#---- a weak reference and a finalizer
import weakref
class D:
    def __init__(self, n): self.n = n
    def __del__(self): print("del", self.n)
d = D(1); r = weakref.ref(d, lambda q: print("told", q())); d = D(2); print(r())
d = D(3); d.kept = []; d.kept.append(weakref.ref(d)); d = None
print("end")
#---- weak dictionaries and sets
import weakref
class A:
    def __init__(self, n): self.n = n
x, y = A(1), A(2)
d = weakref.WeakValueDictionary({"x": x, "y": y}); d["z"] = A(3)
print(sorted(d), "x" in d, "z" in d, d.get("z"), len(d), d["y"].n, d.setdefault("q", y) is y)
x = None; print(sorted(d.keys()), [v.n for v in d.values()], dict(d.items())["q"] is y)
try: d["x"]
except KeyError as e: print("no", e)
print(d.pop("q") is y, d.pop("q", 5), len(d), isinstance(d, dict))
k, l = A(4), A(5); w = weakref.WeakKeyDictionary({k: 1}); w[l] = 2; print(sorted(w.values()), k in w, 3 in w, w[l], w.get(y))
del l; print(len(w), w.setdefault(k, 9), [key.n for key in w]); del w[k]; print(len(w))
s = weakref.WeakSet([k, y]); s.add(A(6)); print(len(s), k in s, 3 in s, sorted(a.n for a in s)); s.discard(k); y = None; print(len(s))
#---- proxies and weakref.finalize
import weakref
class A:
    def __call__(self, v): return v + 1
class L(list): pass
a = A(); p = weakref.proxy(a); a.x = 4; print(p.x, p(3)); p.x = 5; print(a.x); del a
try: p.x
except ReferenceError as e: print(e)
l = L([1, 2]); p = weakref.proxy(l); p.append(3); print(len(p), p[0], list(p), p == [1, 2, 3], 3 in p, bool(p), p + [4])
a = A(); f = weakref.finalize(a, print, "finalized", sep="!"); print(f.alive, f.peek()[2]); a = None; print(f.alive, f.peek())
a = A(); f = weakref.finalize(a, lambda v: v, 7); print(f(), f(), f.alive); g = weakref.finalize(a, print, "never"); print(g.detach()[2], g.alive)
#---- output that goes elsewhere
import contextlib, io, sys
into, before = io.StringIO(), sys.stdout
sys.stdout = into; print("hidden"); sys.stdout.write("too"); sys.stdout = before
print(repr(into.getvalue()))
with contextlib.redirect_stdout(into): print("again")
with contextlib.redirect_stderr(into): print("error", file=sys.stderr)
print(repr(into.getvalue()), sys.stdout is before)
class Parts:
    def write(self, text): before.write(f"<{text}>")
    def flush(self): pass
print("a", 1, sep="-", file=Parts()); print(file=Parts()); print("b", end="", file=Parts()); print()
#---- weak values that go while they are looked at
import weakref
class A: pass
a = A(); d = weakref.WeakValueDictionary({i: a for i in range(3)}); w = weakref.WeakKeyDictionary({a: 5})
for k in d:
    a = None
    print(k)
print(len(d), list(w.values()))
