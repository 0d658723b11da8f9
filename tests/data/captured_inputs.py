# What a call's inputs may be, and what a compiled function may do to them without a break: floats that differ from
# call to call, attributes of tensors, elements written through masks.
import torch


class Counter:
    def __init__(self):
        self.graphs = 0

    def __call__(self, gm, example_inputs):
        self.graphs += 1
        return gm.forward


def show(function, calls, counted=True):
    torch._dynamo.reset()
    count = Counter()
    compiled = torch.compile(function, backend=count, fullgraph=True)
    agree = []
    for arguments in calls:
        own = [a.clone() if isinstance(a, torch.Tensor) else a for a in arguments]
        expected = function(*[a.clone() if isinstance(a, torch.Tensor) else a for a in arguments])
        found = compiled(*own)
        if isinstance(expected, tuple):
            agree.append(torch.equal(found[0], expected[0]) and found[1:] == expected[1:])
        else:
            agree.append(torch.equal(found, expected))
    print(function.__name__, agree, count.graphs if counted else "")


# --- floats

x = torch.tensor([1., -2., 3.5])
floats = [(x, a) for a in (0.5, 0.25, 3.0, -1.5, 7.25)]


def scaled(x, a):
    return x * a + a / 2


def returned(x, a):
    return x / a, a, a * 2 + 1, -a


def bounded(x, a):
    return torch.clamp(x, max=a)


def chosen(x, a):
    return torch.where(x > a, x, a)


def of_doubles(x, a):
    return x.double() * a


def of_integers(x, a):
    return torch.tensor([1, 2, 3]) * a


def branched(x, a):
    return x * a if a > 0.3 else x + a


def rounded(x, a):
    return x + round(a), isinstance(a, float), type(a) is float


for function in (scaled, returned, bounded, chosen, of_doubles, of_integers):
    show(function, floats)
for function in (branched, rounded):
    show(function, floats, counted=False)


def finite_or_not(x, a):
    return torch.isnan(x * a)


show(finite_or_not, [(x, a) for a in (1.5, float("nan"), 2.5, float("inf"), 3.5)], counted=False)


def powers(x, a):
    return x.abs() ** a


show(powers, [(x, a) for a in (2.0, 3.0, 0.5)])


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x)
        ctx.beta = beta
        return x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        s = torch.sigmoid(ctx.beta * x)
        return g * (s + ctx.beta * x * s * (1 - s)), None


def swish(x, beta):
    return Swish.apply(x, beta)


for beta in (1.0, 0.5, 2.0, 0.25):
    leaf, other = x.clone().requires_grad_(), x.clone().requires_grad_()
    torch.compile(swish)(leaf, beta).sum().backward()
    swish(other, beta).sum().backward()
    print("swish", torch.allclose(leaf.grad, other.grad, atol=1e-6))


@torch.compile
def stepped(p, g, lr):
    p.sub_(g * lr)
    return lr * 0.5


lr, p = 0.8, torch.ones(3)
for step in range(5):
    lr = stepped(p, x, lr)
print(p, lr)


@torch.compile(dynamic=True)
def from_the_start(x, a):
    return x * a


print(from_the_start(x, 2.5), from_the_start(x[:2], 3.5))


# --- attributes of tensors

@torch.compile(fullgraph=True)
def marked(x, y):
    x.scale = 3
    x.other = y
    return x * x.scale + x.other


first, second = torch.ones(2), torch.ones(2)
for t in (first, second, first):
    print(marked(t, torch.tensor([1., 2.])), t.scale, t.other, hasattr(t, "nothing"))


@torch.compile(fullgraph=True)
def asked(x):
    return x * 2 if hasattr(x, "flag") else x


plain = torch.ones(2)
print(asked(plain), end=" ")
plain.flag = True
print(asked(plain), asked(torch.ones(2)))


@torch.compile(fullgraph=True)
def made_here(x):
    y = x + 1
    y.label = "made"
    y.source = x
    return y


made = made_here(first)
print(made, made.label, made.source is first)


@torch.compile(fullgraph=True)
def counting(x):
    x.calls = getattr(x, "calls", 0) + 1
    return x * x.calls


print([counting(second).tolist() for _ in range(4)], second.calls)

# --- masks

masks = [torch.tensor([True, False, True, False]), torch.tensor([False, False, True, True]),
         torch.tensor([False, True, True, False])]


def put(x, mask, values):
    x[mask] = values
    return x


def put_rows(x, mask, values):
    x[:, mask] = values
    return x


def put_added(x, mask, values):
    return x.index_put((mask,), values, accumulate=True)


def put_one(x, mask, values):
    return x.index_put_((mask,), values[:1])


def put_fresh(x, mask, values):
    x = x * 1
    x[mask] = values
    return x


zeros = torch.zeros(4)
show(put, [(zeros, mask, torch.tensor([1., 2.])) for mask in masks])
show(put_rows, [(torch.zeros(3, 4), mask, torch.arange(6.).reshape(3, 2)) for mask in masks])
show(put_rows, [(torch.zeros(3, 4), mask, torch.tensor([5., 6.])) for mask in masks])
show(put_added, [(zeros + 1, mask, torch.tensor([1., 2.])) for mask in masks])
show(put_one, [(zeros, mask, torch.tensor([4., 2.])) for mask in masks])
show(put, [(torch.zeros(2, 2, 3), mask.reshape(2, 2), torch.arange(6.).reshape(2, 3)) for mask in masks])
try:
    torch.compile(put, fullgraph=True)(zeros.clone(), torch.tensor([True, True, True, False]), torch.tensor([1., 2.]))
except RuntimeError:
    print("RuntimeError")
values = torch.tensor([3., 5.], requires_grad=True)
torch.compile(put_fresh, fullgraph=True)(zeros, masks[1], values * 2).square().sum().backward()
print(values.grad)


def filled(n, mask, v):
    out = torch.zeros(n)
    out[mask] = v * 2
    return out


def picked_rows(x, mask, v):
    y = x.clone()
    y[mask] = v
    return y.sum(0), x[-1]


for dynamic in (None, True):  # as many values as the mask has true ones, which varies
    torch._dynamo.reset()
    fills = torch.compile(filled, fullgraph=True, dynamic=dynamic)
    rows = torch.compile(picked_rows, fullgraph=True, dynamic=dynamic)
    for n, places in ((6, (0, 2, 3)), (6, (0, 1, 2, 5)), (7, (1, 6)), (7, (3,)), (5, ()), (5, (0, 1, 2, 3, 4))):
        mask = torch.zeros(n, dtype=torch.bool)
        mask[list(places)] = True
        v = torch.arange(1.0, len(places) + 1)
        print(fills(n, mask, v).tolist(), torch.equal(fills(n, mask, v), filled(n, mask, v)))
        w = torch.arange(1.0, 2 * len(places) + 1).view(len(places), 2).requires_grad_()
        y, last = rows(torch.ones(n, 2), mask, w)
        y.sum().backward()
        print(y.tolist(), last.tolist(), w.grad.tolist())
    for values in (2, 4):
        try:
            print(fills(5, torch.tensor([True, False, True, True, False]), torch.ones(values)))
        except RuntimeError as e:
            print("RuntimeError", str(e)[:14])
