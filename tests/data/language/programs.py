#---- micrograd
import math, random
class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data = data; self.grad = 0; self._backward = lambda: None; self._prev = set(_children); self._op = _op
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def __pow__(self, other):
        assert isinstance(other, (int, float))
        out = Value(self.data**other, (self,), f'**{other}')
        def _backward():
            self.grad += (other * self.data**(other-1)) * out.grad
        out._backward = _backward
        return out
    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), 'ReLU')
        def _backward():
            self.grad += (out.data > 0) * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo = []
        visited = set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1
        for v in reversed(topo):
            v._backward()
    def __neg__(self): return self * -1
    def __radd__(self, other): return self + other
    def __sub__(self, other): return self + (-other)
    def __rsub__(self, other): return other + (-self)
    def __rmul__(self, other): return self * other
    def __truediv__(self, other): return self * other**-1
    def __rtruediv__(self, other): return other * self**-1
    def __repr__(self): return f"Value(data={self.data}, grad={self.grad})"
a = Value(-4.0); b = Value(2.0); c = a + b; d = a * b + b**3
c += c + 1; c += 1 + c + (-a); d += d * 2 + (b + a).relu(); d += 3 * d + (b - a).relu()
e = c - d; f = e**2; g = f / 2.0; g += 10.0 / f
g.backward()
print(f"{g.data:.4f} {a.grad:.4f} {b.grad:.4f} {a.data}")
random.seed(1337)
class Neuron:
    def __init__(self, nin, nonlin=True):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]; self.b = Value(0); self.nonlin = nonlin
    def __call__(self, x):
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.relu() if self.nonlin else act
    def parameters(self): return self.w + [self.b]
n = Neuron(3); o = n([1.0, -2.0, 3.0]); o.backward(); print(o.data, [p.grad for p in n.parameters()])
#---- bpe tokenizer
from collections import Counter
text = "low lower lowest low low newer newest"
ids = list(text.encode("utf-8"))
merges = {}
def stats(ids): return Counter(zip(ids, ids[1:]))
def merge(ids, pair, idx):
    out, i = [], 0
    while i < len(ids):
        if i < len(ids) - 1 and (ids[i], ids[i + 1]) == pair: out.append(idx); i += 2
        else: out.append(ids[i]); i += 1
    return out
for k in range(5):
    s = stats(ids); pair = max(s, key=lambda p: (s[p], p)); merges[pair] = 256 + k; ids = merge(ids, pair, 256 + k)
vocab = {i: bytes([i]) for i in range(256)}
for (a, b), i in merges.items(): vocab[i] = vocab[a] + vocab[b]
print(len(ids), [vocab[i].decode() for i in merges.values()], b"".join(vocab[i] for i in ids).decode("utf-8", errors="replace") == text)
#---- registry and plugin
class Registry(dict):
    def register(self, name=None):
        def deco(obj):
            self[name or obj.__name__] = obj
            return obj
        return deco
    def build(self, cfg):
        cfg = dict(cfg); return self[cfg.pop("type")](**cfg)
R = Registry()
@R.register()
class A:
    def __init__(self, n): self.n = n
@R.register("bee")
class B:
    def __init__(self, *, k=1): self.k = k
print(sorted(R), R.build({"type": "A", "n": 3}).n, R.build(dict(type="bee", k=5)).k)
#---- matrix class
class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    @property
    def shape(self): return len(self.rows), len(self.rows[0])
    @classmethod
    def eye(cls, n): return cls([[1 if i == j else 0 for j in range(n)] for i in range(n)])
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __getitem__(self, ij):
        i, j = ij; return self.rows[i][j]
    def __setitem__(self, ij, v): self.rows[ij[0]][ij[1]] = v
    def __iter__(self): return (x for r in self.rows for x in r)
    def __repr__(self): return "\n".join(" ".join(f"{x:3}" for x in r) for r in self.rows)
    T = property(lambda self: Matrix(zip(*self.rows)))
m = Matrix([[1, 2], [3, 4]]); m[0, 1] = 7
print(m @ m.T); print(m @ Matrix.eye(2)); print(m.shape, list(m), m[1, 0], sum(m))
#---- event loop
import heapq, itertools
class Sim:
    def __init__(self): self.q = []; self.t = 0; self.c = itertools.count()
    def at(self, dt, f, *a): heapq.heappush(self.q, (self.t + dt, next(self.c), f, a))
    def run(self):
        while self.q:
            self.t, _, f, a = heapq.heappop(self.q); f(*a)
s = Sim(); log = []
def ping(n):
    log.append((s.t, n))
    if n: s.at(1.5, ping, n - 1)
s.at(1, ping, 2); s.at(0.5, log.append, "first"); s.run(); print(log)
#---- lru cache class
from collections import OrderedDict
class LRU:
    def __init__(self, n): self.n, self.d = n, OrderedDict()
    def get(self, k):
        if k not in self.d: return -1
        self.d.move_to_end(k); return self.d[k]
    def put(self, k, v):
        self.d[k] = v; self.d.move_to_end(k)
        if len(self.d) > self.n: self.d.popitem(last=False)
c = LRU(2); c.put(1, 1); c.put(2, 2); c.get(1); c.put(3, 3); print(c.get(2), c.get(1), list(c.d))
#---- parser
import re
def tokenize(s): return re.findall(r"\d+\.?\d*|[-+*/()]", s)
def parse(tokens):
    def expr():
        v = term()
        while tokens and tokens[0] in "+-":
            op = tokens.pop(0); r = term(); v = v + r if op == "+" else v - r
        return v
    def term():
        v = factor()
        while tokens and tokens[0] in "*/":
            op = tokens.pop(0); r = factor(); v = v * r if op == "*" else v / r
        return v
    def factor():
        t = tokens.pop(0)
        if t == "(":
            v = expr(); tokens.pop(0); return v
        if t == "-": return -factor()
        return float(t)
    return expr()
print(parse(tokenize("2*(3+4)-10/4")), parse(tokenize("-(1.5+2)")))
#---- observer with closures
def make():
    subs = {}
    def on(ev, f=None):
        if f is None: return lambda g: (on(ev, g), g)[1]
        subs.setdefault(ev, []).append(f)
    def emit(ev, *a, **k): return [f(*a, **k) for f in subs.get(ev, ())]
    return on, emit
on, emit = make()
@on("x")
def h(a, b=1): return a + b
on("x", lambda *a, **k: (a, k)); print(emit("x", 1, b=4), emit("none"))
#---- state machine
from enum import Enum, auto
class S(Enum):
    IDLE = auto(); RUN = auto(); DONE = auto()
T = {(S.IDLE, "go"): S.RUN, (S.RUN, "end"): S.DONE}
s = S.IDLE
for ev in ("go", "bad", "end"):
    s = T.get((s, ev), s); print(ev, s.name, s)
#---- dataset and loader
class Dataset:
    def __init__(self, n): self.x = list(range(n))
    def __len__(self): return len(self.x)
    def __getitem__(self, i): return self.x[i], self.x[i] ** 2
import random
class Loader:
    def __init__(self, ds, bs, shuffle=False): self.ds, self.bs, self.shuffle = ds, bs, shuffle
    def __iter__(self):
        idx = list(range(len(self.ds)))
        if self.shuffle: random.Random(0).shuffle(idx)
        for i in range(0, len(idx), self.bs): yield tuple(map(list, zip(*[self.ds[j] for j in idx[i:i + self.bs]])))
    def __len__(self): return -(-len(self.ds) // self.bs)
dl = Loader(Dataset(5), 2, True); print(len(dl), list(dl))
for i, (x, y) in enumerate(dl): print(i, x, y)
#---- text adventure of formats
rows = [{"name": "conv1", "params": 1728, "time": 0.00123}, {"name": "fc", "params": 5130, "time": 0.4}]
print(f"{'name':<10}{'params':>10}{'time':>12}"); print("-" * 32)
for r in rows: print(f"{r['name']:<10}{r['params']:>10,}{r['time'] * 1e3:>10.2f}ms")
print("total".ljust(10, "."), sum(r["params"] for r in rows), "%.1f%%" % (100 * rows[0]["params"] / sum(r["params"] for r in rows)))
#---- hooks and handles
class Handle:
    n = 0
    def __init__(self, d): self.d, self.id = d, Handle.n; Handle.n += 1
    def remove(self): self.d.pop(self.id, None)
    def __enter__(self): return self
    def __exit__(self, *a): self.remove()
class Mod:
    def __init__(self): self.hooks = {}
    def add(self, f): h = Handle(self.hooks); self.hooks[h.id] = f; return h
    def __call__(self, x):
        for f in list(self.hooks.values()):
            r = f(self, x)
            if r is not None: x = r
        return x
m = Mod(); h = m.add(lambda s, x: x + 1); m.add(lambda s, x: print("saw", x))
print(m(1)); h.remove(); print(m(1))
with m.add(lambda s, x: x * 10): print(m(2))
print(m(2), len(m.hooks))
#---- sudoku of sets
grid = {(r, c): set(range(1, 5)) for r in range(4) for c in range(4)}
def assign(k, v):
    grid[k] = {v}
    for p in grid:
        if p != k and (p[0] == k[0] or p[1] == k[1] or (p[0] // 2, p[1] // 2) == (k[0] // 2, k[1] // 2)) and v in grid[p]:
            grid[p] = grid[p] - {v}
            if len(grid[p]) == 1: assign(p, min(grid[p]))
for k, v in {(0, 0): 1, (0, 1): 2, (1, 0): 3, (2, 1): 1, (3, 3): 1}.items(): assign(k, v)
print([[sorted(grid[r, c]) for c in range(4)] for r in range(4)])
#---- word count one liners
t = "It was the best of times, it was the worst of times"
ws = [w.strip(",").lower() for w in t.split()]
print({w: ws.count(w) for w in dict.fromkeys(ws)}, sorted(set(ws), key=lambda w: (-ws.count(w), w))[:3], max(ws, key=len), " ".join(w[::-1] for w in ws[:3]))
#---- prime sieve and memo
def sieve(n):
    s = bytearray([1]) * (n + 1); s[0:2] = b"\0\0"
    for i in range(2, int(n ** 0.5) + 1):
        if s[i]: s[i * i::i] = bytes(len(s[i * i::i]))
    return [i for i, v in enumerate(s) if v]
print(sieve(50))
memo = {}
def ways(n):
    if n in memo: return memo[n]
    memo[n] = r = 1 if n < 2 else ways(n - 1) + ways(n - 2)
    return r
print(ways(90))
