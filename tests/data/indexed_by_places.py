"""A tensor of no dimensions as an index shows a view, as the int that it is; gradients of open sizes that are written in two ways."""
import torch

a = torch.zeros(2, 2)
for i in torch.arange(2):
    row = a[i]
    row += 1
print(a)
b = torch.zeros(3)
c = b[torch.argmax(b)]
c += 5
print(b, c._base is b)
a = torch.zeros(2, 3, 4, 5)
i, j, m = torch.tensor(1), torch.tensor([0, 1]), torch.tensor([True, False, True])
for index in ((i,), (slice(None), i), (slice(None), i, slice(None), j), (i, j), (j, i), (i, i, j), (i, m), (Ellipsis, i),
              (slice(None), m, i), (i, None, j), (torch.tensor(-1), slice(1), torch.tensor(0))):
    print(a[index].shape)
a[:, i, :, j] = 1.0
a[i, m] += 2.0
a[torch.tensor(-2), i][j] = 7.0
print(a.sum(), a[0, 1].sum())
for wrong in (2, -3):
    try:
        a[torch.tensor(wrong)]
    except IndexError:
        print("IndexError", wrong)
u = torch.tensor(1, dtype=torch.uint8)
w = torch.ones(3, requires_grad=True)
(w[torch.tensor(2)] * 3).backward()
print(w.grad)


@torch.compile
def reads(a, i, j):
    return a[:, i, :, j] * 2, a[i, j], a[i] + 1, a[..., i]


for got in reads(a, i, j):
    print(got.shape, got.sum())


@torch.compile
def rolled(x):
    (x.roll(1, 0) + x).sum().backward()


@torch.compile
def stepped(x):
    y = x.clone()
    y[::2] = y[::2] + 1
    (y * y).sum().backward()


@torch.compile
def joined(x):
    torch.cat([x[::2], x[1::2]], 1).sum().backward()


for n in (4, 6, 8, 12):
    for f in (rolled, stepped, joined):
        x = torch.ones(n, 2, requires_grad=True)
        f(x)
        print(f.__name__, n, x.grad.sum())


# One place, as a tensor of no dimensions, shows a view: what is written there is written to the tensor.
def added(a, t):
    a[t].add_(7)
    return a * 2


def behind_a_slice(a, t):
    a[1:][t].mul_(7)
    return a * 2


def of_a_column(a, t):
    a[:, t].mul_(7)
    return a * 2


def seen_before(a, t):
    b = a[t]
    a.zero_()
    return b + a.sum()


def with_gradients(a, t):
    b = a * a
    b[t].mul_(a[0] + 3)
    return b


for f in (added, behind_a_slice, of_a_column, seen_before, with_gradients):
    for place in (1, -1):
        a = torch.arange(6.).reshape(3, 2).requires_grad_(f is with_gradients)
        got = torch.compile(f)(a, torch.tensor(place))
        print(f.__name__, place, a.tolist(), got.tolist())
        if a.requires_grad:
            got.sum().backward()
            print(a.grad.tolist())


# Behind a break, and for the caller, it is still a view of that tensor, at the place that was read.
def written_behind(a, t):
    v = a[t]
    t.fill_(0)
    print("between")
    v.mul_(7)
    return v


def turned(a, t):
    v = a[:, t]
    print("between")
    a.add_(1)
    return v, a[t, t]


def computed(a, t):
    b = a * 2
    v = b[t][1:]
    print("between")
    v.mul_(a[0, 0] + 3)
    return b, v


def given_back(a, t):
    b = a + 1
    return a[t].unsqueeze(0), b[1:, t - 1], b


for f in (written_behind, turned, computed, given_back):
    for place in (1, -1):
        leaf = torch.arange(6.).reshape(3, 2).requires_grad_()
        a = leaf * 1
        got = torch.compile(f)(a, torch.tensor(place))
        got = got if isinstance(got, tuple) else (got,)
        print(f.__name__, place, a.tolist(), [g.tolist() for g in got], [g._is_view() for g in got])
        sum((g * g).sum() for g in got + (a,)).backward()
        print(leaf.grad.tolist())
        with torch.no_grad():
            got[0].fill_(5)
        print(a.tolist(), [g.tolist() for g in got])

# A place that is named twice is filled once: so is the gradient of the value.
for f in (lambda x, v, i: x.index_fill(1, i, v), lambda x, v, i: x.t().index_fill(-2, i, v * 2).t()):
    for i in ([1, 1], [2, 0, 2], [], [1]):
        for g in (f, torch.compile(f)):
            x, v = torch.ones(2, 3, requires_grad=True), torch.tensor(2., requires_grad=True)
            y = g(x, v, torch.tensor(i, dtype=torch.long))
            (y * torch.arange(1., 7.).reshape(2, 3)).sum().backward()
            print(i, y.tolist(), x.grad.tolist(), v.grad.item())
