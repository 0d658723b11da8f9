"""Valid programs at the corners of an interface, and wrong ones that only a run can tell."""
import torch
import torch.nn as nn


def show(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__)


def both(make):
    show(make)
    show(torch.compile(make))


# Matrices made in a compiled function: what the library says of them is said when it runs.
both(lambda: torch.linalg.inv(torch.zeros(2, 2)))
both(lambda: torch.linalg.solve(torch.zeros(2, 2), torch.ones(2, 2)))
both(lambda: torch.linalg.cholesky(torch.zeros(2, 2) - 1))
both(lambda: torch.linalg.inv(torch.eye(2) * 2))
both(lambda: torch.linalg.cholesky_ex(torch.zeros(2, 2) - 1).L)

# The largest int64 is no double.
both(lambda: torch.tensor([-5, 4]).scatter_reduce(0, torch.tensor([0, 0]), torch.tensor([2, -7]), "amin",
                                                  include_self=False))
both(lambda: torch.zeros(3, dtype=torch.int64).scatter(0, torch.tensor([1]), 2**62 + 1))

y, places = nn.MaxPool1d(2, return_indices=True)(torch.tensor([[1.0, 3.0, 5.0, 2.0]]))
print(y, places)
y, places = nn.AdaptiveMaxPool2d(1, return_indices=True)(torch.arange(4.0).view(1, 2, 2))
print(y, places)

x = torch.arange(4.0).view(2, 2)
show(lambda: x[[[0, 1], [1, 0]]])
show(lambda: x.view(-1)[[[0, 1], [2, 3]]])
show(lambda: x[[slice(0, 1)]])
show(lambda: x[[0, 1]])
show(lambda: x[[0, None]])
show(lambda: x[[True, False]])
show(lambda: x[(0, 1), (1, 0)])
show(lambda: x[range(1)])
show(lambda: x[:, range(1, 2)])
show(lambda: x[:True])
show(lambda: x[False:3])
both(lambda: x[[[0, 1], [1, 0]]] + 1)

v = torch.ones(4)
w = torch.ones(4, 4)
with torch.autocast("cpu", torch.bfloat16):
    for equation, operands in (("ij,kj->ik", (w, w)), ("i,j->ij", (v, v)), ("ij->i", (w,)), ("ij,jk,kl->il", (w, w, w)),
                               ("i,i", (v, v)), ("ij,ij->ij", (w, w)), ("ij,j->i", (w, v)), ("ij,k->i", (w, v))):
        print(equation, torch.einsum(equation, *operands).dtype)
    y, (h, c) = nn.LSTM(4, 3)(w.view(4, 1, 4))
    print(y.dtype, h.dtype, c.dtype)
    y, h = nn.GRU(4, 3)(w.view(4, 1, 4))
    print(y.dtype, h.dtype)
    print(torch.tensordot(w, w, 1).dtype, torch.inner(w, w).dtype, torch.mv(w, v).dtype)

a = torch.arange(6.0).view(2, 3)
u, i = torch.tensor([1, 100, 250], dtype=torch.uint8), torch.tensor([-100, 5, 100], dtype=torch.int8)
for low, high in ((5, 300), (-1, None), (None, 300), (None, -1), (300, None), (-1, 2), (-200, 200)):
    show(lambda: u.clamp(low, high))
    show(lambda: i.clamp(low, high))
show(lambda: torch.tensor([0.5, 2.0]).polygamma(2))

rows = torch.tensor([[2, 1], [0, 5], [2, 1], [0, 4]])
show(lambda: torch.unique(rows, dim=0))
show(lambda: torch.unique(rows, return_inverse=True, return_counts=True, dim=0))
show(lambda: torch.unique(rows, dim=1))
show(lambda: torch.unique_consecutive(torch.tensor([[1, 1], [1, 1], [0, 2]]), return_counts=True, dim=0))

show(lambda: x.view(4)[2:].storage_offset())
show(lambda: torch.kaiser_window(5))
show(lambda: torch.kaiser_window(4, False, 6.0))
show(lambda: nn.CrossMapLRN2d(3, alpha=0.5)(torch.arange(1.0, 9.0).view(1, 8, 1, 1)).view(-1))
show(lambda: nn.CrossMapLRN2d(4, alpha=0.5)(torch.arange(1.0, 9.0).view(1, 8, 1, 1)).view(-1))

show(lambda: torch.func.jacrev(lambda t: {"s": t * t, "p": t.sum()})(torch.tensor([1.0, 2.0])))
show(lambda: torch.func.jacfwd(lambda s, t: s * t, argnums=(0, 1))(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])))
show(lambda: torch.func.jacrev(lambda t: (t * t, t.sum()), has_aux=True)(torch.tensor([1.0, 2.0])))
show(lambda: torch.func.grad(lambda t: (t.sum(), t * 2), has_aux=True)(v)[1].requires_grad)


def pairs(z):
    return torch.autograd.grad((z * z.conj()).real.sum(), z)


def leaf():
    return pairs(torch.tensor([1 + 2j], requires_grad=True))


def backward():
    z = torch.tensor([1 + 2j], requires_grad=True)
    (z * z).abs().sum().backward()
    return z.grad


both(leaf)
both(backward)
z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
both(lambda: pairs(z))
print(complex(-2, -0.0), complex(-0.0, 1), complex(-0.0), complex(), complex(-0.0, 1j), complex(1 - 0j))

show(lambda: torch.compile(lambda p: nn.functional.binary_cross_entropy(p, torch.ones(2)))(torch.tensor([-1.0, 0.5])))
show(lambda: torch.compile(lambda p: nn.functional.binary_cross_entropy(p, torch.zeros(2)))(torch.tensor([2.0, 0.5])))

empty = torch.zeros(7, 0)  # its mean is a NaN that the compiler knows
for function in (torch.sigmoid, torch.exp, torch.tanh, torch.sin, torch.log, torch.expm1, torch.erf):
    show(lambda: torch.compile(lambda x: function(x + empty.mean()))(torch.ones(3)))

# Operations in place that autograd does not see: what led to the tensor still has its gradient.
x = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)


def hidden(x):
    y = x * 2
    y.logical_not_()
    z = x * 3
    z.logical_and_(x > 1)
    return (y * 3 + z + x).sum()


for f in (hidden, torch.compile(hidden)):
    print(torch.autograd.grad(f(x), x))

# Integers from 2 ** 63 on: 64 bits of them in arithmetic beside integers, floats in quotients.
for dtype in (torch.int64, torch.int32, torch.uint8, torch.bool):
    whole = torch.arange(3).to(dtype)
    large = 2**63 + 5
    for make in (lambda: whole + large, lambda: large - whole, lambda: whole * large, lambda: whole // large,
                 lambda: whole % large, lambda: whole ^ large, lambda: whole == large, lambda: whole < large,
                 lambda: whole / large, lambda: whole.clone().mul_(large), lambda: whole + 2**64):
        both(make)
    if dtype != torch.bool:
        show(lambda: torch.full_like(whole, large))


# Numbers that no double holds.
whole = torch.arange(3)
for make in (lambda: whole ^ (2**62 + 5), lambda: whole | (2**62 + 5), lambda: (whole + 2**62 + 7) & (2**62 + 5),
             lambda: torch.addcmul(whole, whole, whole, value=2**61 + 1), lambda: torch.isin(whole + 2**62, 2**62 + 1),
             lambda: torch.searchsorted(whole + 2**62, 2**62 + 1), lambda: whole.int() | 2**40, lambda: 2**63 - whole.float()):
    both(make)


def message(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


# Losses of bools, and weights of classes that ask for a gradient.
bools, floats = torch.tensor([True, False]), torch.tensor([0.5, 2.0])
F = nn.functional
for a, b in ((bools, floats), (floats, bools), (bools, floats.half())):
    message(lambda: F.smooth_l1_loss(a, b))
    message(lambda: F.l1_loss(a, b))
message(lambda: F.l1_loss(bools, bools))
message(lambda: bools - bools)
message(lambda: floats - True)
message(lambda: F.huber_loss(bools, floats))
message(lambda: F.binary_cross_entropy(floats, bools))
scores, weight = torch.ones(2, 3), torch.ones(3, requires_grad=True)
for loss in (F.nll_loss, F.cross_entropy):
    message(lambda: loss(scores, torch.tensor([0, 2]), weight))
    message(lambda: loss(scores.reshape(1, 3, 2), torch.tensor([[0, 2]]), weight))
message(lambda: F.soft_margin_loss(scores, torch.ones(2, 3, requires_grad=True)))

# Where nothing varies, the deviation has no slope.
same = torch.full((5,), -8.5, requires_grad=True)
for f in (torch.std_mean, torch.compile(torch.std_mean)):
    print(torch.autograd.grad(sum(f(same, correction=0)), same))

# Of halves alpha times a product may be finite where the product is not; reflected divisions are reciprocals.
wide, other = torch.full((2, 3, 4), 200.0, dtype=torch.half), torch.full((2, 4, 3), 200.0, dtype=torch.half)
added = torch.ones(2, 3, 3, dtype=torch.half)


def products(c, a, b):
    return [torch.baddbmm(c, a, b, alpha=0.1)[0, 0], torch.addmm(c[0], a[0], b[0], beta=0.3, alpha=0.1)[0],
            torch.addbmm(c[0], a, b, alpha=0.1)[0], torch.addmv(c[0, 0], a[0], b[0, :, 0], alpha=0.1)]


for f in (products, torch.compile(products)):
    print(*[x.tolist() for x in f(added, wide, other)])
thirds = torch.tensor([3.0, 7.0, 9.0])
print(thirds.__rtruediv__(thirds * 1.1).tolist(), torch.tensor([3]).__rdiv__(torch.tensor([1.0], dtype=torch.half)).dtype)

# A mask with more places than the source has elements, compiled as well.
for f in (torch.masked_scatter, torch.compile(torch.masked_scatter)):
    for source in (torch.ones(2), torch.ones(0)):
        try:
            print(f(torch.zeros(3), torch.tensor([True, True, True]), source))
        except Exception as error:
            print(type(error).__name__)
    print(f(torch.zeros(3), torch.zeros(3, dtype=torch.bool), torch.ones(0)))
