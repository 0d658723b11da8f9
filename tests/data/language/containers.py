#---- list methods
a = [3, 1, 2]
a.append(4); a.extend([5, 6]); a.insert(0, 0); a.remove(3)
print(a, a.pop(), a.pop(0), a.index(2), a.count(1), a)
a.sort(); print(a); a.reverse(); print(a); b = a.copy(); b.clear(); print(a, b, a.index(5, 0, 3))
#---- list slices
a = list(range(10))
print(a[2:5], a[::-1], a[::3], a[-3:], a[:-8], a[8:2:-2], a[100:], a[-100:2])
a[2:4] = ["x", "y", "z"]; print(a)
a[::4] = [0, 0, 0]; print(a); del a[1:4]; print(a); del a[-1]; print(a); a[1:1] = [9, 9]; print(a); a[:] = [1]; print(a)
#---- list operators
print([1] + [2], [0] * 3, 2 * [1, 2], [1, 2] == [1, 2], [1, 2] < [1, 3], [1] in [[1]], [1, [2, [3]]], len([1, 2]), [[0] * 2 for _ in range(2)])
a = [1]; b = a; b += [2]; print(a, a is b); b = b + [3]; print(a, b); a *= 2; print(a)
#---- list errors
for f in (lambda: [1][5], lambda: [].pop(), lambda: [1].remove(2), lambda: [1].index(9), lambda: [1]["a"], lambda: [1] + (2,)):
    try:
        f()
    except (IndexError, ValueError, TypeError) as e:
        print(type(e).__name__, e)
#---- sort
d = [("b", 2), ("a", 2), ("c", 1)]
print(sorted(d), sorted(d, key=lambda t: t[1]), sorted(d, key=lambda t: (-t[1], t[0])), sorted([3, 1, 2], reverse=True), sorted("bca"), sorted({3: 1, 1: 2}))
d.sort(key=lambda t: t[0], reverse=True); print(d)
#---- sort changed
l = [3, 2, 1]
def key(x):
    l.append(x)
    return x
try:
    l.sort(key=key)
except ValueError as e:
    print(e)
#---- sort mixed
try:
    sorted([1, "a"])
except TypeError as e:
    print(e)
#---- tuple
t = (1, 2, 3)
print(t, t[0], t[1:], t + (4,), t * 2, t.count(1), t.index(2), (1,), (), len(t), 2 in t, t == (1, 2, 3), t < (1, 3), hash(t) == hash((1, 2, 3)), tuple("ab"), tuple([1]))
try:
    t[0] = 5
except TypeError as e:
    print(e)
#---- unpacking
a, b, *c = [1, 2, 3, 4]; print(a, b, c)
*a, b = "abc"; print(a, b)
a, (b, c), d = 1, (2, 3), 4; print(a, b, c, d)
a, b = b, a; print(a, b)
(x, y), z = [1, 2], 3; print(x, y, z)
[p, q] = {"k": 1, "m": 2}; print(p, q)
first, *_, last = range(5); print(first, last)
#---- unpack errors
for f in ("a, b = 1, 2, 3", "a, b = [1]", "a, b, *c = [1]", "a, b = 5"):
    try:
        exec(f)
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
#---- dict basics
d = {"a": 1, "b": 2}
d["c"] = 3; d.update({"a": 10}, e=5); del d["b"]
print(d, d["a"], d.get("z"), d.get("z", 0), "c" in d, len(d), list(d), d.keys(), d.values(), d.items())
print(d.pop("a"), d.pop("zz", None), d.setdefault("n", []), d.setdefault("c", 9), d.popitem(), d, dict(d) == d, d.copy() is d)
#---- dict making
print(dict(a=1), dict([("x", 1)]), dict(zip("ab", [1, 2])), {**{"a": 1}, "b": 2}, {i: i * i for i in range(3)}, dict.fromkeys("ab", 0), {1: "a", 1.0: "b", True: "c"}, {"a": 1} | {"b": 2}, dict({"a": 1}, b=2))
d = {"a": 1}; d |= {"c": 3}; print(d)
#---- dict iteration
d = {"x": 1, "y": 2}
for k in d: print(k, end=" ")
for k, v in d.items(): print(k, v, end=" ")
for i, (k, v) in enumerate(d.items()): print(i, k, v, end=" ")
print([*d], {v: k for k, v in d.items()}, sorted(d.items(), key=lambda kv: -kv[1]), max(d, key=d.get), list(reversed(d)))
#---- dict views live
d = {"a": 1}
ks, vs, its = d.keys(), d.values(), d.items()
d["b"] = 2
print(ks, vs, its, len(ks), "b" in ks, ("b", 2) in its, 2 in vs, ks & {"a"}, ks | {"z"} == {"a", "b", "z"}, ks - {"a"}, sorted(ks), list(vs), ks == {"a", "b"}, isinstance(ks, type({}.keys())))
#---- dict errors
d = {"a": 1}
for f in (lambda: d["z"], lambda: d.pop("q"), lambda: {}.popitem(), lambda: {[]: 1}, lambda: d[["x"]]):
    try:
        f()
    except (KeyError, TypeError) as e:
        print(type(e).__name__, e, e.args)
#---- dict changes during iteration
d = {1: 1}
try:
    for k in d:
        d[k + 1] = 0
except RuntimeError as e:
    print(e)
#---- dict order
d = {}
for k in "cab": d[k] = 1
del d["a"]; d["a"] = 2; d["c"] = 5
print(d, list(d), d == {"a": 2, "b": 1, "c": 5})
#---- nested
cfg = {"model": {"layers": [1, 2, {"x": 3}]}}
cfg["model"]["layers"][2]["x"] += 1
print(cfg, cfg["model"]["layers"][-1]["x"])
#---- sets
s = {3, 1, 2}
s.add(4); s.discard(9); s.remove(1)
print(sorted(s), 2 in s, len(s), s | {9} == {2, 3, 4, 9}, s & {2, 3} == {2, 3}, s - {2, 3}, s ^ {2, 10} == {3, 4, 10}, s <= {2, 3, 4, 5}, s < s, s == {4, 3, 2}, s.isdisjoint({7}), {1, 2}.issubset([1, 2, 3]), {1, 2}.issuperset([1]), {1}.union([2], [3]), {1, 2}.intersection([2]), {1, 2}.difference([2]), {1, 2}.symmetric_difference([2, 3]))
#---- set in place
s = {1, 2}
s |= {3}; s &= {2, 3, 4}; s -= {2}; s ^= {3, 5}; print(s)
s.update([7], [8]); s.intersection_update([7, 5]); s.difference_update([5]); print(s); s.clear(); print(s, set(), {1}.pop())
t = u = {1}; t |= {2}; print(u)
#---- set errors
for f in (lambda: {1}.remove(2), lambda: set().pop(), lambda: {[1]}, lambda: {1}[0]):
    try:
        f()
    except (KeyError, TypeError) as e:
        print(type(e).__name__, e)
#---- frozenset
f = frozenset([1, 2, 2])
print(f == {1, 2}, len(f), f | {3}, type(f | {3}).__name__, type({3} | f).__name__, {f: "v"}[frozenset([2, 1])], isinstance(f, set), isinstance(f, frozenset), hash(f) == hash(frozenset([2, 1])), f.union([5]), frozenset(), hasattr(f, "add"))
#---- range
r = range(2, 10, 3)
print(r, list(r), len(r), r[1], r[-1], 5 in r, r == range(2, 11, 3), r[::-1], r.start, r.stop, r.step, list(range(5, 0, -2)), range(3).index(2), bool(range(0)), list(reversed(range(3))), range(10)[2:5], sum(range(101)), range(5).count(3))
#---- slice objects
s = slice(1, 5, 2)
print([0, 1, 2, 3, 4, 5][s], s.start, s.stop, s.step, s.indices(4), s == slice(1, 5, 2), slice(3), slice(None, None, -1))
#---- user hash
class K:
    def __init__(self, v): self.v = v
    def __hash__(self): return hash(self.v)
    def __eq__(self, o): return isinstance(o, K) and self.v == o.v
    def __repr__(self): return f"K({self.v})"
d = {K(1): "a"}
d[K(1)] = "b"; d[K(2)] = "c"
print(d, K(1) in d, {K(1), K(1), K(3)}, len({K(1), K(1)}), d[K(2)], d.get(K(9)), [K(1)].index(K(1)), [K(5)].count(K(5)))
#---- unhashable by eq
class E:
    def __eq__(self, o): return True
try:
    {E()}
except TypeError as e:
    print(e)
#---- copying
import copy
a = [[1], {"k": [2]}]
b = copy.copy(a); c = copy.deepcopy(a)
a[0].append(9); a[1]["k"].append(8)
print(a, b, c, b[0] is a[0], c[0] is a[0])
class C:
    def __init__(self): self.l = [1]
x = C(); y = copy.copy(x); z = copy.deepcopy(x); x.l.append(2); print(y.l, z.l, type(z).__name__)
l = []; l.append(l); m = copy.deepcopy(l); print(m[0] is m)
#---- deepcopy hooks
import copy
class D:
    def __deepcopy__(self, memo): return "deep"
    def __copy__(self): return "shallow"
print(copy.copy(D()), copy.deepcopy([D()]), copy.deepcopy((1, [2])), copy.deepcopy({1: (2, [3])}), copy.deepcopy(None), copy.deepcopy(len) is len)
#---- self containing
a = [1]; a.append(a); d = {}; d["d"] = d
print(a, d)
#---- del
x = [1, 2, 3]; d = {"a": 1, "b": 2}
del x[0], d["a"]
print(x, d)
class A: pass
a = A(); a.v = 1; del a.v
print(hasattr(a, "v"))
y = 1
del y
try:
    y
except NameError as e:
    print(e)
#---- star displays
a = [1, 2]; d = {"x": 1}
print([*a, 3, *a], (*a, 0), {*a, 9}, {**d, "y": 2}, [*range(3), *"ab"], *a)
#---- membership by identity
n = float("nan")
print(n in [n], n == n, [n] == [n], (n,).count(n), [n].index(n))
#---- list of conditions
a = [x for x in range(20) if x % 2 if x % 3]
print(a, [(x, y) for x in range(3) for y in range(x)], [[y for y in range(x)] for x in range(3)], {x % 3 for x in range(9)}, [x if x > 1 else -x for x in range(3)])
#---- zip and friends
print(list(zip([1, 2], "ab", [True, False])), list(zip(*[(1, 2), (3, 4)])), dict(zip("ab", (1, 2))), list(map(lambda a, b: a + b, [1, 2], [3, 4])), list(filter(None, [0, 1, "", "a"])), list(enumerate("ab", 1)), list(zip()), list(zip([1], [])))
#---- any all
print(any([]), all([]), any(x > 2 for x in [1, 3]), all(x > 0 for x in [1, 0]), any([0, "", None]), all([1, [0]]))
#---- matrix
m = [[1, 2, 3], [4, 5, 6]]
print(list(zip(*m)), [list(r) for r in zip(*m)], [sum(r) for r in m], [x for r in m for x in r], list(map(list, zip(*m))))
#---- list subclass
class L(list):
    def __init__(self, *a):
        super().__init__(*a)
        self.tag = "t"
    def append(self, x):
        super().append(x * 2)
    def total(self): return sum(self)
l = L([1, 2]); l.append(5); l.extend([1])
print(l, l.total(), len(l), l[0], l[1:], type(l).__name__, isinstance(l, list), l == [1, 2, 10, 1], l.tag, [*l], sorted(l), l + [1])
#---- dict subclass
class D(dict):
    def __missing__(self, k): return k * 2
    def __getattr__(self, k):
        try:
            return self[k]
        except KeyError:
            raise AttributeError(k)
    def __setattr__(self, k, v): self[k] = v
d = D(a=1); d.b = 5
print(d, d["zz"], d.a, d.b, len(d), "b" in d, {**d}, dict(d), isinstance(d, dict), list(d.items()), d.get("q"))
#---- dict subclass override
class D(dict):
    def __setitem__(self, k, v): super().__setitem__(k, v + 1)
    def __getitem__(self, k): return super().__getitem__(k) * 10
    def __len__(self): return 99
d = D(); d["a"] = 1
print(d["a"], d.get("a"), dict(d), len(d), d)
#---- tuple subclass
class P(tuple):
    def __new__(cls, x, y): return super().__new__(cls, (x, y))
    @property
    def x(self): return self[0]
p = P(1, 2)
print(p, p.x, len(p), p == (1, 2), isinstance(p, tuple), p + (3,), hash(p) == hash((1, 2)), {p: 1}[(1, 2)])
#---- int subclass
class I(int):
    def double(self): return self * 2
i = I(5)
print(i, i.double(), i + 1, isinstance(i, int), type(i + 1).__name__, type(i).__name__, [0, 1, 2, 3, 4, 5, 6][i], i == 5, {5: "a"}[i], f"{i:03d}", range(i))
#---- set subclass
class S(set):
    def has(self, x): return x in self
s = S([1, 2]); s.add(3)
print(s.has(3), len(s), isinstance(s, set), s | {9} == {1, 2, 3, 9}, type(s).__name__)
#---- heapq bisect
import heapq, bisect
h = [5, 1, 4]; heapq.heapify(h); heapq.heappush(h, 0)
print(heapq.heappop(h), heapq.heappop(h), heapq.nlargest(2, [1, 5, 3]), heapq.nsmallest(2, [4, 2, 9]), heapq.heappushpop(h, 3))
a = [1, 3, 5]; bisect.insort(a, 4)
print(a, bisect.bisect_left(a, 3), bisect.bisect_right(a, 3), bisect.bisect(a, 10))
#---- the order of sets of numbers
print({3, 1, 2, 100, 64, 33}, {1, 2, 3} | {9, 8}, {0.5, 1.5, 100}, {-1, -2, 5}, {(1, 2), (0, 1), (3, 4)}, {8, 7, 0}, frozenset({17, 1, 33, 9}), {True, 5, 2j})
s = set(); s.add(0); s.add(8); s.discard(0); s.add(16); print(s, s.pop(), s)
for v in {40, 8, 3, 72}: print(v, end=" ")
print(set(range(12, 0, -3)), {i * 37 % 101 for i in range(12)}, list({9: 1, 1: 2}.keys() | {33, 17}), {frozenset({1, 2}), frozenset({3}), frozenset()}, {1 << i for i in range(8)}, *{5, 3, 9})
#---- the order of sets after many changes
import random
random.seed(3)
told = [0]
def fold(s):
    for v in s: told[0] = (told[0] * 31 + hash(v)) % 1000003
def some(n): return [random.choice([random.randint(-20, 20), random.randint(0, 1 << 40), random.random(), random.randint(-3, 3) * 32, (random.randint(0, 3), random.randint(0, 9)), True, frozenset(range(random.randint(0, 4))), complex(random.randint(0, 2), 1)]) for _ in range(n)]
for i in range(60):
    a, b = set(some(random.randint(0, 40))), set(some(random.randint(0, 40)))
    for r in (a, b, a | b, a & b, a - b, a ^ b, a.union(some(5), b), a.difference(some(3)), a.intersection(some(30)), {*a, *b, 3}, set(dict.fromkeys(list(a))), frozenset(b), {v for v in a}): fold(r)
    c = a.copy(); c.update(b); c -= a; fold(c); c |= a; c &= a; fold(c); c ^= b; fold(c)
    for v in some(20): c.discard(v); c.add(v if isinstance(v, (tuple, frozenset)) else v + 1)
    fold(c); fold(set(c)); fold(c.symmetric_difference(list(a)))
    while len(c) > 3: fold([c.pop()])
    c.add(7); fold(c); a.difference_update(b); fold(a); a.intersection_update(b, some(10)); fold(a); a.symmetric_difference_update(some(4)); fold(a)
    fold(set(list(b)) - set(range(100))); fold(set(range(200)) - b); fold(set(range(i)))
    if i % 20 == 0: print(i, told[0])
#---- hashes of numbers
print(hash(5), hash(2.0), hash((1, 2)), hash(-1), hash(2 ** 61), hash(1.5), hash(True), hash(frozenset([1, 2])), hash(1 + 2j), hash(()), hash(((0, 1), 2.5)), hash(float("inf")), hash((3, 7)), hash(frozenset()))
