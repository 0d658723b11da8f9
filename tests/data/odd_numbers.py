# SPDX-License-Identifier: Apache-2.0
# Signs of NaN, Bessel functions without a limit, what has no derivative, draws in the place of tensors, gradients
# above the diagonal, pads that cut all away. What PyTorch printed: odd_numbers.txt.
import torch
import torch.nn.functional as F

inf, nan = float("inf"), float("nan")


def tell(name, function):
    try:
        print(name, function())
    except (RuntimeError, NotImplementedError) as error:
        print(name, type(error).__name__)


def rounded(t):
    return [round(v, 4) for v in t.flatten().tolist()]


for name, t in {
    "data": torch.tensor([nan, -nan]),
    "double": torch.tensor([nan, -nan], dtype=torch.float64),
    "half": torch.tensor([nan, -nan]).half(),
    "minus": -torch.tensor([nan]),
    "abs": torch.tensor([-nan]).abs(),
    "copied": torch.copysign(torch.tensor([nan, -nan]), torch.tensor([-1.0, 1.0])),
}.items():
    print(name, torch.signbit(t).tolist(), torch.copysign(torch.ones_like(t), t).tolist())

x = torch.tensor([inf, -inf, nan, 0.0, 1.0])
for name in ("i0", "i0e", "i1", "i1e", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0",
             "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0"):
    function = getattr(torch.special, name)
    for dtype in (torch.float32, torch.float64):
        print(name, rounded(function(x.to(dtype))))

x = torch.tensor([0.5, 1.5, 2.5], requires_grad=True)
for name in ("airy_ai", "spherical_bessel_j0", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
             "chebyshev_polynomial_t", "hermite_polynomial_h", "legendre_polynomial_p"):
    function = getattr(torch.special, name)
    y = function(x, 2) if "polynomial" in name else function(x)
    print(name, rounded(y), y.requires_grad)
print("linspace", torch.linspace(x[0], x[1], 3).requires_grad, torch.logspace(x[0], 2.0, 3).requires_grad)
for at in (0.0, 2.0):
    y = torch.tensor(at, requires_grad=True)
    torch.special.bessel_y1(y).backward()
    print("bessel_y1", at, y.grad)

factor = torch.tensor([[2.0, 0.5, 0.3], [0.4, 1.5, 0.2], [0.1, 0.7, 1.2]], requires_grad=True)
for upper in (False, True):
    factor.grad = None
    (torch.cholesky_inverse(factor, upper=upper) * torch.arange(9.0).view(3, 3)).sum().backward()
    print("cholesky_inverse", upper, rounded(factor.grad))

p = torch.full((4,), 0.5, requires_grad=True)
for name in ("bernoulli_", "uniform_", "normal_", "exponential_", "geometric_", "cauchy_", "log_normal_", "random_"):
    p.grad = None
    y = p * 1
    getattr(y, name)(*((0.5,) if name in ("bernoulli_", "geometric_") else ()))
    y.sum().backward()
    print(name, y.requires_grad, p.grad.tolist())
for name, draw in {
    "bernoulli": lambda: torch.bernoulli(p),
    "bernoulli of a number": lambda: torch.bernoulli(p, 0.5),
    "its method": lambda: p.bernoulli(0.5),
    "bernoulli_ of a tensor": lambda: (torch.zeros(4, requires_grad=True) * 1).bernoulli_(p),
}.items():
    p.grad = None
    y = draw()
    print(name, y.requires_grad)
    tell(name, lambda: (y.sum().backward(), p.grad.tolist())[1])

row = torch.arange(4.0).view(1, 1, 4)
for pad in ((-3, -1), (-4, 0), (-2, -2), (-5, 1), (-3, 0)):
    for mode in ("circular", "reflect", "replicate", "constant"):
        tell(f"{mode} {pad}", lambda: F.pad(row, pad, mode=mode).tolist())

w = torch.nn.Parameter(torch.tensor([1.5, -0.5]))
for search in (None, "strong_wolfe"):
    steps = torch.optim.LBFGS([w], lr=0.1, max_iter=4, line_search_fn=search)

    def loss():
        steps.zero_grad()
        found = ((w - torch.tensor([1.0, 2.0])) ** 4).sum()
        found.backward()
        return found

    steps.step(loss)
    state = steps.state[w]
    print(list(state), [type(part).__name__ for part in state["al"][:2]], len(state["al"]), len(state["ro"]),
          [round(a.item(), 2) for a in state["al"][:2]], type(state["ro"][0]).__name__, type(state["H_diag"]).__name__)

layer = torch.nn.Linear(1, 1)
layer.kept, layer.passing = torch.nn.Buffer(torch.ones(2)), torch.nn.Buffer(torch.ones(1), persistent=False)
print([name for name, _ in layer.named_buffers()], list(layer.state_dict()), isinstance(layer.kept, torch.nn.Buffer),
      isinstance(layer.weight, torch.nn.Buffer))

for dtype in (torch.float32, torch.float64):
    chance = torch.tensor([0.0, 1.0, 0.0, 1.0, 0.125, 0.25, 0.75], dtype=dtype, requires_grad=True)
    target = torch.tensor([1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.5], dtype=dtype, requires_grad=True)
    for reduction in ("none", "mean", "sum"):
        for weight in (None, torch.full((7,), 2.0, dtype=dtype)):
            torch.compiler.reset()  # one function, compiled for each of these
            for function in (F.binary_cross_entropy, torch.compile(F.binary_cross_entropy)):
                chance.grad = target.grad = None
                entropy = function(chance, target, weight, reduction=reduction)
                entropy.sum().backward()
                print(reduction, [f"{v:.3e}" for v in entropy.flatten().tolist()],
                      [f"{v:.2e}" for v in chance.grad.tolist()], [f"{v:.2e}" for v in target.grad.tolist()])

for sizes in ((1, 3, 2), (1, 2, 3, 2)):
    q, none = torch.ones(sizes), torch.ones(*sizes[:-2], 0, 2)
    for function in (F.scaled_dot_product_attention, torch.compile(F.scaled_dot_product_attention)):
        print("no keys", function(q, none, none).tolist())
x = torch.tensor([nan, 0.0, -0.0, 1.0, -1.0], requires_grad=True)
for function in (F.selu, F.elu, F.celu):
    x.grad = None
    function(x).sum().backward()
    print(function.__name__, rounded(x.grad))

# Corrections of variances that are no number that a count of elements can be less: open sizes stay open
# for whole ones only.
for correction in (0, 1, 1.5, 2, 4):
    spread = torch.compile(lambda x: (x.var(correction=correction), x.std(1, correction=correction)), dynamic=True)
    for rows in (2, 5, 7):
        x = (torch.arange(rows * 3, dtype=torch.float64).reshape(rows, 3) * 1.3).sin().requires_grad_()
        whole, by_rows = spread(x)
        (whole + (by_rows.sum() if correction < 3 else 0)).backward()
        print(rows, correction, round(whole.item(), 6), [round(v, 6) for v in by_rows.tolist()], rounded(x.grad))

# A remainder of what is below 0, with open sizes.
table = torch.arange(24.).reshape(4, 6)
for by, over in ((2, ()), (-5, ()), (25, ()), (1, 0), ((1, -2), (0, 1)), ((3, 9), (1, 1))):
    rolled = torch.compile(lambda x: torch.roll(x, by, over), dynamic=True)
    print(by, over, [[int(v) for v in rolled(table[:rows, :columns]).flatten().tolist()] for rows, columns in ((2, 3), (4, 6), (3, 5))])

# A tensor of a whole number says how often a sequence stands.
twice = torch.tensor(2)
print([0] * twice, "ab" * twice, twice * [1], (1, 2) * twice, twice * "c", [1] * torch.tensor([[3]]), [1] * torch.tensor(True))
for wrong in (torch.tensor(2.0), torch.ones(2, dtype=torch.int64)):
    try:
        print([0] * wrong)
    except TypeError as error:
        print("TypeError")


def bessels():
    x = torch.tensor([-3.0, -0.0, 0.0, 9.0, float("inf"), float("nan")])
    names = ["bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_k0", "scaled_modified_bessel_k1"]
    return [getattr(torch.special, name)(x) for name in names]


def likelihood(x, var):
    return torch.nn.functional.gaussian_nll_loss(x, torch.zeros(2), var)


for call in (bessels, torch.compile(bessels)):
    print([[round(v, 4) for v in row.tolist()] for row in call()])
print(round(likelihood(torch.ones(2), torch.tensor([2.0, 1.0])).item(), 4))
try:
    likelihood(torch.ones(2), torch.tensor([-1.0, 1.0]))
except ValueError as error:
    print(error)
try:
    torch.nn.functional.soft_margin_loss(torch.ones(2), torch.ones(2, requires_grad=True))
except RuntimeError as error:
    print("refused")

# A resumed optimizer goes on in the parameter's dtype.
single = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.Adam([single], lr=0.1)
single.grad = torch.ones(2)
optimizer.step()
double = torch.nn.Parameter(torch.ones(2).double())
resumed = torch.optim.Adam([double], lr=0.5)
resumed.load_state_dict(optimizer.state_dict())
double.grad = torch.ones(2).double()
resumed.step()
print([round(v, 12) for v in double.tolist()], resumed.state[double]["exp_avg"].dtype, resumed.state[double]["step"].dtype)
