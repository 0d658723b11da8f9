# SPDX-License-Identifier: Apache-2.0
# Values and calls at the edge: special functions of huge constants, integers from 2**63, the sign of zero, slopes at
# NaN, tensors of no elements, complex tensors with real numbers, calls that are refused. What PyTorch printed:
# edge_values.txt.
import torch
import torch.nn.functional as F

compiled = False
nan, inf = float("nan"), float("inf")


def number(v):
    if isinstance(v, complex):
        return f"({number(v.real)} {number(v.imag)})"
    return f"{v:.5g}" if isinstance(v, float) else str(v)


def text(v):
    if isinstance(v, torch.Tensor):
        return f"{str(v.dtype)[6:]}{tuple(v.shape)} " + " ".join([number(x) for x in v.detach().flatten().tolist()])
    if isinstance(v, (tuple, list)):
        return "[" + ", ".join([text(x) for x in v]) + "]"
    return number(v)


def say(what, f):
    try:
        print(what, text((torch.compile(f) if compiled else f)()))
    except Exception as e:
        print(what, type(e).__name__)


# Special functions of constants.
huge = [-1e300, -1e30, -1e5, -1000.0, -100.0, -0.0, 1e-300, 100.0, 800.0, 1e5, 1e30, 1e300, inf, -inf, nan]
for name in ("i0", "i0e", "i1", "i1e", "log_ndtr", "erfcx", "modified_bessel_i0", "modified_bessel_k0", "modified_bessel_k1",
             "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "ndtri", "gammaln"):
    say(name, lambda: getattr(torch.special, name)(torch.tensor(huge, dtype=torch.float64)))
    say(name + " of one", lambda: getattr(torch.special, name)(torch.full((3,), 800.0)))
say("airy_ai", lambda: torch.special.airy_ai(torch.tensor([1e30, -100.0, 50.0, nan], dtype=torch.float64)))
say("airy_ai far", lambda: torch.special.airy_ai(torch.tensor([-1e30, -1e12], dtype=torch.float64)).abs() < 1e-3)

# Integers from 2**63.
wide = [2**63, 2**64 - 1, 5]


def unsigned():
    return torch.tensor(wide, dtype=torch.uint64)


print(unsigned(), torch.tensor(2**64 - 1, dtype=torch.uint64))
say("tolist", lambda: unsigned().tolist())
say("item", lambda: unsigned()[1].item())
say("to int", lambda: int(unsigned()[1]))
say("to float", lambda: (unsigned().double(), unsigned().float(), unsigned().to(torch.int64), unsigned().bool()))
say("equal", lambda: (unsigned() == unsigned(), unsigned() == 2**63, unsigned() == 5, torch.equal(unsigned(), unsigned())))
say("product", lambda: (unsigned() * 2, unsigned() * (2**63 + 1), unsigned() / 2, unsigned() & 1))
say("moved", lambda: (unsigned().flip(0), torch.cat([unsigned(), unsigned()]), unsigned().view(torch.int64)))
say("sorted", lambda: unsigned().sort())
say("from float", lambda: torch.tensor([1e19, 1.5e19], dtype=torch.float64).to(torch.uint64))
say("of floats", lambda: (torch.tensor([2**63], dtype=torch.float64), torch.tensor([1.0]) + 2**63, torch.tensor([2**63, 1.5])))
say("filled", lambda: torch.zeros(2, dtype=torch.uint64).fill_(2**63 + 1))


def written():
    x = unsigned()
    x[0] = 2**64 - 2
    return x


say("written", written)
say("too wide", lambda: torch.tensor([2**64], dtype=torch.uint64))
say("negative", lambda: torch.tensor([-1], dtype=torch.uint64))
say("signed", lambda: torch.tensor([2**63]))
say("of int32", lambda: torch.tensor([2**63], dtype=torch.int32))

# Of 0 and -0 the first stays.
zeros = torch.tensor([-0.0, 0.0])
say("relu", lambda: (torch.relu(zeros), F.relu(zeros), zeros.clamp(min=0), zeros.clamp(max=0), zeros.clamp(0, 1)))
say("larger", lambda: (torch.maximum(zeros, zeros.flip(0)), torch.minimum(zeros, zeros.flip(0))))

# Slopes at NaN and at the ends.
for f in (F.hardswish, F.hardsigmoid, F.hardtanh, F.relu6, F.relu, F.elu):
    x = torch.tensor([nan, inf, -4.0, -3.0, -1.0, 0.5, 3.0, 7.0], requires_grad=True)
    say("value", lambda: f(x))
    say("slope", lambda: torch.autograd.grad(f(x).sum(), x)[0])

# Nothing to compute.
say("unbind", lambda: [torch.empty(0).unbind(), torch.empty(0, 3).unbind(), torch.empty(2, 0).unbind(1)])
say("strides", lambda: [torch.empty(4, 0, 5)[:, :, ::2].reshape(4, 0, 3).stride(), torch.empty(2, 0, 3).view(3, 0, 2).stride()])
say("trapezoid", lambda: [torch.trapezoid(torch.empty(0)), torch.trapezoid(torch.empty(2, 0)),
                          torch.cumulative_trapezoid(torch.empty(2, 0))])
say("small trapezoids", lambda: [torch.trapezoid(torch.tensor([0, 255, 128, 3], dtype=torch.uint8)),
                                 torch.trapezoid(torch.tensor([-128, 127, 0, -1], dtype=torch.int8), dx=0.5),
                                 torch.trapezoid(torch.tensor([1.0, 2.0, 4.0]), torch.tensor([0.0, 1.0, 3.0]))])

# x.where(condition, other)
x = torch.tensor([1, 2, 3])
say("where", lambda: [x.where(x > 1, 0), x.where(x > 1, 0.5), x.where(x > 1, x * 10), x.byte().where(x > 1, 9)])

# Complex tensors and real numbers.
z = torch.tensor([1 + 2j, 2.0, 0.5j])
say("scatter", lambda: [z.scatter(0, torch.tensor([0, 2]), 3), z.scatter(0, torch.tensor([1]), value=2j)])
say("selected", lambda: z.masked_select(z.real > 0))
say("difference", lambda: [torch.sub(z, 1j, alpha=2), z.sub(1, alpha=3), torch.add(z, 2, alpha=1j)])
say("sums", lambda: [z.sum(dtype=torch.complex128), z.cumprod(0)])


def imaginary():
    y = torch.zeros(3)
    y[0] = 1j
    return y


say("imaginary", imaginary)


def overlapping():
    y = torch.arange(4.0)
    return torch.add(y[1:], y[:-1], out=y[1:])


if not compiled:
    say("eager overlapping", overlapping)

# Open sizes of which one happens to be 1 or 2: what is a view stays one.
def written_reshape(x):
    y = x.t().reshape(2, -1)
    y.add_(1)
    return x * 1


open_reshape = torch.compile(written_reshape, dynamic=True)
open_unflatten = torch.compile(lambda x: x.t().unflatten(0, (x.shape[1] // 2, 2)).sum(1), dynamic=True)
for shape in ((6, 4), (9, 2), (3, 8), (2, 2)):
    x = torch.arange(1.0 * shape[0] * shape[1]).reshape(shape)
    say("open unflatten", lambda: open_unflatten(x))
    say("open reshape", lambda: [open_reshape(x.clone()), x])

# Modules that learn their sizes, made in the function.
def lazy():
    first = torch.nn.LazyLinear(4)
    rest = torch.nn.Sequential(torch.nn.LazyConv1d(2, 1), torch.nn.ReLU(), torch.nn.LazyBatchNorm1d())
    y = first(torch.ones(2, 3))
    return [y.shape, first.weight.shape, first.bias.shape, rest(torch.ones(2, 5, 3)).shape]


say("lazy", lazy)


def anomaly():
    y = torch.zeros(2, requires_grad=True)
    with torch.autograd.detect_anomaly(check_nan=True):
        (torch.sqrt(y) * 0).sum().backward()
    return y.grad


say("anomaly", anomaly)


# What retain_grad() keeps adds up over backwards, as a leaf's gradient does.
def kept():
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 2
    y.retain_grad()
    z = y * y
    z.backward(retain_graph=True)
    z.backward()
    return [y.grad, x.grad]


say("kept", kept)

# Sizes and offsets that 64 bits do not hold reach no memory of others.
row = torch.arange(12.0)
for size, stride, offset in ([(64,), (1,), 2**63 - 64], [(4,), (2**62 + 1,), 2**62 - 8], [(3,), (1,), 2**63 - 2],
                             [(3, 5), (2**62, 2**61), 0], [(2**62,), (1,), 0], [(3, 2), (4, 1), 1], [(0,), (5,), 3]):
    say("reach", lambda: torch.as_strided(row, size, stride, offset))
for offset in (-(2**63), 2**63 - 1, 1):
    say("diagonal", lambda: torch.diagonal(torch.ones(2, 3), offset))
    say("lower", lambda: torch.tril(row.view(2, 6), offset))
    say("upper", lambda: torch.triu(row.view(2, 6), offset))

# Norms, special functions, ranges and pools where values are infinite, none or without channels.
inf = float("inf")


def told(name, f, *given):
    try:
        given = [torch.tensor(g, requires_grad=True) for g in given]
        y = f(*given)
        y.sum().backward()
        print(name, y.detach(), *[g.grad for g in given])
    except Exception as e:
        print(name, type(e).__name__)


for p in (0.5, 1, 2, 3, -1, -2):
    for values in ([1., inf, 2.], [-inf, 1., inf], [0., 3., -4.], [0., 0., 0.]):
        told(f"norm {p}", lambda x: torch.linalg.vector_norm(x, p), values)
        if p > 0:
            told(f"normalize {p}", lambda x: F.normalize(x, p=p, dim=0), values)
for p in (inf, -inf, -1.):
    told(f"norm {p} of nothing", lambda x: torch.linalg.vector_norm(x, p), [])
    told(f"norm {p} of no rows", lambda x: torch.norm(x, p, dim=1), [[], []])
told("renorm", lambda x: x.renorm(2, 0, 1.), [[1., inf, 2.], [3., 4., 0.]])
told("digamma", torch.digamma, [-inf, 1., inf])
told("polygamma", lambda x: torch.polygamma(1, x), [-inf, 1., 3.])
for dtype in (torch.float32, torch.int64):
    for start, end, steps in ((0., 0.7, 10), (0., 3.3, 24), (1., 0.7, 7), (-3., 3.3, 11), (7., -1., 5), (0.1, 10., 100)):
        print([v.hex() if isinstance(v, float) else v for v in torch.linspace(start, end, steps, dtype=dtype).tolist()])
for a, b in (([1], 2), (1, "a"), (1j, 2), (torch.ones(1), 2), (7., 0)):
    try:
        print(divmod(a, b))
    except Exception as e:
        print(type(e).__name__, e)
for module in (torch.nn.Dropout1d(0.), torch.nn.Softmax2d(), torch.nn.CircularPad1d(1), torch.nn.CircularPad2d(1)):
    for sizes in ((4,), (4, 4), (1, 4, 4), (1, 1, 4, 4)):
        try:
            print(tuple(module(torch.ones(sizes)).shape))
        except Exception as e:
            print(type(e).__name__, str(e)[:50])

# Which of equal elements is found, by the algorithm of each kernel; those of a NaN.
def ties(n):
    return torch.tensor([(i * i * 7 + i * 3) % 11 % 4 for i in range(n)])


for n in (6, 20, 70, 700):
    t = ties(n)
    rows = torch.stack([t.float(), torch.ones(n), t.flip(0).float()], 1)
    say(f"ties of {n}", lambda: [t.topk(1)[1], t.topk(n // 2)[1], rows.topk(n // 3, 0, False)[1], t.topk(n)[1]])
    say(f"unsorted of {n}", lambda: [t.topk(n // 2, sorted=False)[1], t.topk(2, -1, False, False)[1]])
    say(f"kth of {n}", lambda: [t.kthvalue(k)[1] for k in (1, n // 2, n)] + [rows.kthvalue(n // 3, 0)[1]])
    say(f"modes of {n}", lambda: [t.mode()[1], rows.mode(0)[1], rows.to(torch.bfloat16).mode(0)[1]])
for numbers in ([nan, 1.0, nan], [2.0, 2.0, nan, nan], [2.0, nan, nan, nan, 2.0, 1.0], [0.0, -0.0, 1.0]):
    t = torch.tensor(numbers, dtype=torch.float64)
    say(f"NaNs {numbers}", lambda: [t.mode(), t.kthvalue(1), t.kthvalue(len(numbers)), t.topk(1), t.median(0)])

# Distances and norms of what is infinite or no number; windows of nothing but -inf.
far = torch.tensor([[inf, 1.0], [inf, -inf], [nan, 2], [0, 0], [1, 1]])
near = torch.tensor([[1.0, 2.0], [-1, 0.5], [0, 0], [0, 0], [1, 1]])
rows = torch.tensor([[nan, 1.0, 2.0], [inf, inf, 1], [-inf, inf, nan], [0, 0, 0], [1, -1, 0.5]])


def slopes(what, f, *given):
    try:
        leaves = [x.clone().requires_grad_() for x in given]
        y = (torch.compile(f) if compiled else f)(*leaves)
        y.sum().backward()
        print(what, text([y] + [x.grad for x in leaves]))
    except Exception as e:
        print(what, type(e).__name__)


for p in (0.0, 1.0, 2.0, 3.0, inf):
    slopes(f"cdist {p}", lambda a, b: torch.cdist(a, b, p=p), far, near)
    slopes(f"pdist {p}", lambda a: F.pdist(a, p=p), far)
    slopes(f"pairwise {p}", lambda a, b: F.pairwise_distance(a, b, p=p), far, near)
for p in (inf, -inf, 0, 0.5, 1, 1.5, 3, -1):
    slopes(f"norm {p}", lambda a: torch.linalg.vector_norm(a, p, dim=1), rows)
    slopes(f"norm of all {p}", lambda a: torch.norm(a, p=p), rows)
    if 0 < p < inf:
        slopes(f"renorm {p}", lambda a: torch.renorm(a, p, 0, 1.0), rows)
slopes("nansum", lambda a: a.nansum(1), rows)
slopes("cosines of nearly nothing", lambda a, b: F.cosine_similarity(a, b), torch.full((2, 3), 1e-12), torch.ones(2, 3))
slopes("nanmean", lambda a: a.nanmean(1), torch.cat([rows, torch.full((1, 3), nan)]))
lowest = torch.tensor([[[-inf, -inf, 1.0, -inf, nan, -inf, -inf, -inf]]])
for taps, step, rim, apart in ((3, 1, 1, 1), (2, 2, 0, 1), (3, 2, 1, 2)):
    slopes("max_pool1d", lambda x: F.max_pool1d(x, taps, step, rim, apart), lowest)
    slopes("max_pool3d", lambda x: F.max_pool3d(x, (2, 1, taps), step, (1, 0, rim), apart), lowest.view(1, 1, 2, 1, 4))
for dtype in (torch.bfloat16, torch.float16):
    say(f"logspace {dtype}", lambda: torch.logspace(0.025, 0.175, 50, dtype=dtype))
    say(f"linspace {dtype}", lambda: torch.linspace(0.1, 0.7, 50, dtype=dtype))

# Complex numbers for real tensors.
z, first = torch.zeros(3), torch.tensor([0])
if not compiled:
    for name, f in (("index_fill", lambda: z.index_fill(0, first, 1j)), ("scatter", lambda: z.scatter(0, first, 1j)),
                    ("tensor", lambda: z.index_fill(0, first, torch.tensor(1j))), ("fill_", lambda: z.clone().fill_(1j)),
                    ("full", lambda: torch.full((2,), 1j, dtype=torch.float16)),
                    ("full_like", lambda: torch.full_like(z, 1j)), ("clamp", lambda: z.clamp(1j)),
                    ("alpha", lambda: torch.add(z, z, alpha=1j)), ("pad", lambda: F.pad(z, (1, 1), value=1j)),
                    ("whole", lambda: z.long().clamp(1j)), ("addcmul", lambda: torch.addcmul(z, z, z, value=1j)),
                    ("lerp", lambda: torch.lerp(z, z, 1j)), ("real", lambda: z.index_fill(0, first, 2 + 0j))):
        try:
            print("eager complex", name, text(f()))
        except Exception as e:
            print("eager complex", name, type(e).__name__, str(e).rstrip("."))

# Where 16 bits do not hold what lies between, and where each element is cast before it is added.
half = torch.tensor([[6e4, 1e-7], [500.0, 0.0]], dtype=torch.float16)
say("deviations", lambda: [torch.std_mean(half), torch.std_mean(half, 1), torch.var_mean(half, 0), half.std(1)])
big = torch.tensor([70000, -70000, 1])
for dtype in (torch.float16, torch.bfloat16):
    if not compiled:
        say("eager cast first", lambda: [big.sum(dtype=dtype), big.double().sum(0, dtype=dtype), big.prod(dtype=torch.float16)])

# Slopes near 0 and of products with zeros.
for dtype in (torch.float16, torch.float32, torch.float64):
    tiny = torch.tensor([1e-7, -1e-40, 0.0, 1e-3, -0.5], dtype=dtype)
    for name in ("i0", "i0e", "i1", "i1e"):
        slopes(name, getattr(torch.special, name), tiny[:3] if dtype == torch.float16 else tiny)
for numbers in ([nan, inf, 0.0, -0.0], [nan, 0.0, 1.0], [0.0, 2.0, 3.0], [2.0, nan, 3.0]):
    slopes("prod", lambda x: x.prod() * nan, torch.tensor(numbers))
    slopes("prod", lambda x: x.prod(), torch.tensor(numbers).nan_to_num(5.0, 7.0))

# Complex functions and their slopes at 0.
points = torch.tensor([0j, complex(-0.0, 0.0), complex(0.0, -0.0), 2j, 3 + 0j, 1 + 1j], dtype=torch.complex128)
for name, f in (("sqrt", torch.sqrt), ("log", torch.log), ("log2", torch.log2), ("log1p", lambda x: torch.log1p(x - 1)),
                ("reciprocal", torch.reciprocal), ("rsqrt", torch.rsqrt), ("1j / x", lambda x: 1j / x),
                ("x / 0j", lambda x: x / 0j), ("x / 0", lambda x: x / 0),
                ("x / zeros", lambda x: x / torch.zeros_like(x)),
                ("power of a tensor", lambda x: x ** torch.full_like(x, 0.5)),
                *[(f"power {p}", lambda x, p=p: x ** p) for p in (0, 0.5, -0.5, 1, -1, 1.5, 2, 3, 1 + 1j)]):
    say(name, lambda: [(x.real, x.imag) for x in [f(points) + 0.0]])
    for seed in (1 + 0j, 1j, -2 + 0.5j):
        x = points.clone().requires_grad_()
        (torch.compile(f) if compiled else f)(x).backward(torch.full_like(x, seed))
        print(name, seed, text([x.grad.real + 0.0, x.grad.imag + 0.0]))
