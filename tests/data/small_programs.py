# SPDX-License-Identifier: Apache-2.0
# Small programs of everyday Python around tensors, as they are and compiled. Recorded: small_programs.txt.
import torch, functools, collections, dataclasses, enum, itertools, operator, math, contextlib, types
import torch.nn as nn
import torch.nn.functional as F
counts = [0]
def backend(gm, ex):
    counts[0] += 1
    return gm.forward
PROGRAMS = []
def program(f):
    PROGRAMS.append(f); return f
t = torch.arange(6.0).reshape(2, 3)
@program
def list_of_lambdas(x):
    fs = [lambda v, i=i: v * i for i in range(3)]
    return sum(f(x) for f in fs)
@program
def dict_comprehension(x):
    d = {k: x * i for i, k in enumerate("abc")}
    d.update(z=x)
    return d.pop("a") + d["b"] + len(d)
@program
def set_ops(x):
    s = {1, 2, 3} & {2, 3, 4}
    return x * len(s) + max(s)
@program
def try_finally(x):
    out = []
    try:
        out.append(x + 1)
        raise KeyError("k")
    except KeyError as e:
        out.append(x * len(e.args))
    finally:
        out.append(x - 1)
    return torch.stack(out).sum(0)
@program
def nested_closures(x):
    n = 0
    def outer():
        nonlocal n
        def inner():
            nonlocal n
            n += 2
            return x * n
        return inner() + inner()
    return outer() + n
@program
def generator_send(x):
    def g():
        total = yield x
        while True:
            total = yield total * 2
    it = g(); next(it)
    return it.send(x + 1) + it.send(x + 2)
@program
def namedtuple_fields(x):
    P = collections.namedtuple("P", "a b")
    p = P(x, x + 1)
    q = p._replace(a=x * 3)
    return q.a - q.b, p._fields
@program
def partial_calls(x):
    f = functools.partial(torch.add, alpha=2)
    g = functools.partial(f, x)
    return g(x * 2)
@program
def reduce_calls(x):
    return functools.reduce(operator.mul, [x, x + 1, x + 2])
@program
def zip_longest(x):
    return torch.stack([a * (b or 1) for a, b in itertools.zip_longest([x, x * 2], [3])])
@program
def chain_product(x):
    return sum(x * a * b for a, b in itertools.product([1, 2], itertools.chain([3], [4])))
@program
def defaultdicts(x):
    d = collections.defaultdict(list)
    for i in range(4): d[i % 2].append(x * i)
    return torch.stack([torch.stack(v).sum(0) for v in d.values()])
@program
def deque_rotate(x):
    d = collections.deque([x, x * 2, x * 3], maxlen=3)
    d.rotate(1); d.appendleft(x * 9)
    return d[0] - d[-1]
@program
def ordered(x):
    d = collections.OrderedDict(a=x, b=x + 1)
    d.move_to_end("a")
    return list(d)[0], d.popitem()[1] * 2
@program
def counter(x):
    c = collections.Counter("abca")
    return x * c["a"] + c.most_common(1)[0][1]
@dataclasses.dataclass
class Point:
    a: torch.Tensor
    b: float = 2.0
    def scaled(self): return self.a * self.b
@program
def dataclass_replace(x):
    p = Point(x)
    return dataclasses.replace(p, b=3.0).scaled() + p.scaled(), dataclasses.asdict(Point(1, 2))["b"]
class Color(enum.Enum):
    RED = 1
    BLUE = 2
@program
def enum_branch(x):
    c = Color(2)
    return (x if c is Color.RED else -x), c.name, [m.value for m in Color]
@program
def slice_objects(x):
    s = slice(0, None, 2)
    return x[:, s] + x[..., :2], s.indices(5)
@program
def starred(x):
    first, *rest = [x, x + 1, x + 2]
    return first * len(rest), sum(rest)
@program
def star_kwargs(x):
    def f(*a, k=1, **kw): return a[0] * k + sum(kw.values())
    return f(x, **{"k": 3, "z": 4, "y": 5})
@program
def walrus(x):
    return [y for v in range(4) if (y := v * 2) > 2], x
@program
def match_case(x):
    match (x.dim(), "a"):
        case (2, "a" | "b"): return x + 1
        case _: return x
@program
def context(x):
    @contextlib.contextmanager
    def scale(k):
        yield k * 2
    with scale(3) as k, contextlib.suppress(ValueError):
        x = x * k
        raise ValueError
    return x
@program
def class_attrs(x):
    class A:
        n = 2
        def __init__(self, v): self.v = v
        @property
        def twice(self): return self.v * 2
        @classmethod
        def make(cls, v): return cls(v + cls.n)
        @staticmethod
        def s(v): return v - 1
        def __call__(self, v): return v + self.v
        def __getitem__(self, i): return self.v[i]
        def __len__(self): return 5
    a = A.make(x)
    return a.twice + A.s(x) + a(x) + a[0] + len(a)
@program
def operators(x):
    class V:
        def __init__(self, t): self.t = t
        def __add__(self, o): return V(self.t + (o.t if isinstance(o, V) else o))
        __radd__ = __add__
        def __matmul__(self, o): return self.t * o.t
        def __eq__(self, o): return isinstance(o, V)
        def __hash__(self): return 1
    return (sum([V(x), V(x)]) @ V(x)), V(x) == V(x), len({V(x), V(x)})
@program
def inheritance(x):
    class A:
        def f(self, v): return v + 1
    class B(A):
        def f(self, v): return super().f(v) * 2
    class C(B, A):
        def f(self, v): return super().f(v) - 3
    return C().f(x), [c.__name__ for c in C.__mro__]
@program
def getattr_setattr(x):
    o = types.SimpleNamespace(a=x)
    setattr(o, "b", o.a * 2)
    return getattr(o, "b") + getattr(o, "c", 1), hasattr(o, "zz"), vars(o).keys() >= {"a"}
@program
def string_keys(x):
    return {f"{k:>3}|{i:02d}": x.shape[i] for i, k in enumerate("ab")}
@program
def while_break(x):
    i = 0
    while True:
        i += 1
        if i % 2: continue
        x = x + i
        if i > 6: break
    else:
        x = x * 100
    return x, i
@program
def for_else(x):
    for i in range(3):
        x = x + i
    else:
        x = x * 2
    return x
@program
def inplace_views(x):
    y = x.clone(); v = y[0]; v += 10; y[1].zero_(); y[:, 0] *= 2
    return y, v
@program
def index_assign(x):
    y = torch.zeros(3, 3)
    y[torch.tensor([0, 2]), 1] = 5.0
    y[y > 4] = -1
    return y
@program
def unpack_shape(x):
    a, b = x.shape
    *lead, last = x.size()
    return x.view(b, a) + last, lead
@program
def numbers(x):
    return x * math.pi + math.floor(2.7) + int(3.9) + round(2.567, 1) + 7 // 2 + (-7) % 3 + 2 ** -1, divmod(17, 5)
@program
def bool_ops(x):
    return (x > 1) & (x < 4) | (x == 0), not [], None or x, [] and 1
@program
def chained_compare(x):
    n = x.shape[0]
    return x if 1 < n <= 2 != 3 else -x
@program
def any_all(x):
    return all(s > 0 for s in x.shape), any(isinstance(v, torch.Tensor) for v in (1, x)), x
@program
def map_filter(x):
    return torch.stack(list(map(lambda v: v * 2, filter(lambda v: v.dim() == 1, [x[0], x, x[1]]))))
@program
def sorted_key(x):
    return [k for k, _ in sorted({"b": 1, "a": 3, "c": 2}.items(), key=lambda kv: -kv[1])], sorted([x, x * 2], key=lambda v: 1)[0]
@program
def reversed_enumerate(x):
    return sum(v * i for i, v in enumerate(reversed([x, x + 1]), 1))
@program
def tensor_iter(x):
    return [r.sum() for r in x], [tuple(v.shape) for v in x.unbind(1)]
@program
def type_checks(x):
    return type(x) is torch.Tensor, isinstance(x, (int, torch.Tensor)), x.dtype == torch.float32, str(x.device), x.ndim
@program
def global_state(x):
    torch.manual_seed(3)
    return torch.is_grad_enabled(), torch.get_default_dtype(), x
@program
def no_grad_region(x):
    x = x.clone().requires_grad_()
    with torch.no_grad(): y = x * 2
    z = x * 3
    return y.requires_grad, z.requires_grad
@program
def nn_functional(x):
    return F.softmax(F.layer_norm(x, (3,)), -1), F.pad(x, (1, 0)), F.one_hot(torch.tensor([0, 2]), 3)
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.d = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Identity()})
        self.p = nn.ParameterList([nn.Parameter(torch.ones(3)) for _ in range(2)])
        self.register_buffer("count", torch.zeros(()))
        for p in self.parameters(): nn.init.constant_(p, 0.1)
    def forward(self, x, mode="a", **kw):
        self.count += 1
        for i, l in enumerate(self.layers): x = self.d[mode](l(x)) + i
        for p in self.p: x = x * p
        return x * kw.get("scale", 1), self.count.clone()
@program
def module_containers(x):
    net = Net()
    return net(x)[0], net(x, mode="b", scale=2)[1], [n for n, _ in net.named_children()]
@program
def functional_call(x):
    net = Net(1)
    return torch.func.functional_call(net, {k: v * 0 for k, v in net.named_parameters()}, (x,))[0]
@program
def vmap_grad(x):
    return torch.vmap(torch.func.grad(lambda v: (v ** 2).sum()))(x)
@program
def autograd_function(x):
    class Sq(torch.autograd.Function):
        @staticmethod
        def forward(ctx, v): ctx.save_for_backward(v); return v * v
        @staticmethod
        def backward(ctx, g): (v,) = ctx.saved_tensors; return g * v * 3
    y = x.clone().requires_grad_()
    (g,) = torch.autograd.grad(Sq.apply(y).sum(), y)
    return g
@program
def exceptions_chain(x):
    try:
        try: {}["a"]
        except KeyError as e: raise ValueError("v") from e
    except ValueError as e: return type(e.__cause__).__name__, str(e), x
@program
def assert_message(x):
    try: assert x.shape[0] == 3, f"got {x.shape[0]}"
    except AssertionError as e: return str(e), x
@program
def lru(x):
    @functools.lru_cache(None)
    def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
    return x * fib(10)
@program
def wraps_decorator(x):
    def twice(f):
        @functools.wraps(f)
        def g(*a): return f(*a) * 2
        return g
    @twice
    def h(v): "doc"; return v + 1
    return h(x), h.__name__, h.__doc__
@program
def singledispatch(x):
    @functools.singledispatch
    def f(v): return "other"
    @f.register
    def _(v: int): return "int"
    @f.register(list)
    def _(v): return "list"
    return f(1), f([]), f(x), x
@program
def bytes_and_ints(x):
    return (1 << 70) % 97, int("ff", 16), hex(255), b"ab" + b"c", x
@program
def yield_from(x):
    def a(): yield x; return 3
    def b(): r = yield from a(); yield x * r
    return torch.stack(list(b()))
@program
def iter_protocol(x):
    class It:
        def __init__(self): self.i = 0
        def __iter__(self): return self
        def __next__(self):
            self.i += 1
            if self.i > 3: raise StopIteration
            return x * self.i
    return sum(It())
@program
def del_and_locals(x):
    y = x + 1
    z = [y, x]
    del z[0]
    del y
    return z[0], "y" in locals()
@program
def format_spec(x):
    return f"{x.shape!r:>25}|{3.14159:.2f}|{1000000:,}|{'a':^5}|{0.5:%}", x
@program
def slots_weird(x):
    class S:
        __slots__ = ("a",)
    s = S(); s.a = x
    try: s.b = 1
    except AttributeError as e: return s.a, "b" in str(e)
@program
def dict_views(x):
    d = dict(a=1, b=2)
    return list(d.items()), d.keys() & {"a"}, d | {"c": 3}, x
@program
def item_branch(x):
    if x.sum().item() > 3: return x + 1
    return x - 1
def show(r):
    if isinstance(r, torch.Tensor): return [r.tolist(), str(r.dtype)]
    if isinstance(r, (list, tuple)): return [show(v) for v in r]
    if isinstance(r, dict): return {k: show(v) for k, v in r.items()}
    return r
for f in PROGRAMS:
    for compiled in (False, True):
        torch._dynamo.reset()
        try: r = show((torch.compile(f, backend=backend) if compiled else f)(t.clone()))
        except Exception as e: r = f"{type(e).__name__}: {str(e)[:60]}"
        print(f.__name__, "compiled" if compiled else "eager", r)
