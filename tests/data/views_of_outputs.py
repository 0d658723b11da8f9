# Memory seen by several: a compiled function that breaks between a view and its change in place (both are outputs of one graph, and the
# tape follows the part in the whole, whichever was made first), and inputs that were expanded. PyTorch eagerly: views_of_outputs.txt.
import torch

compiled = False
if compiled:
    torch._dynamo.config.recompile_limit = 100
forms = {
    "vsplit 1": lambda c: torch.vsplit(c, 2)[1].mul_(3),
    "vsplit 0": lambda c: torch.vsplit(c, 2)[0].mul_(3),
    "hsplit 0": lambda c: torch.hsplit(c, 2)[0].mul_(3),
    "hsplit 1": lambda c: torch.hsplit(c, 2)[1].mul_(3),
    "tensor_split": lambda c: torch.tensor_split(c, 2)[1].mul_(3),
    "as_strided block": lambda c: torch.as_strided(c, (2, 2), (2, 1), 4).mul_(3),
    "as_strided apart": lambda c: torch.as_strided(c, (2, 2), (3, 1), 1).mul_(3),
    "as_strided filled": lambda c: torch.as_strided(c, (2,), (3,)).fill_(3.0),
    "windows filled": lambda c: c.unfold(0, 2, 2).fill_(3.0),
    "windows with gaps": lambda c: c.unfold(0, 1, 3).unfold(1, 1, 1).fill_(3.0),
    "wrapped diagonal": lambda c: c.fill_diagonal_(2.0, wrap=True),
    "turned slice": lambda c: c[2:].t().mul_(3),
}


def leaf(rows):
    return (torch.arange(2.0 * rows) % 8).reshape(rows, 2).requires_grad_()


for rows in (4, 2000):
    for name, change in forms.items():
        def squared(b):
            c = b * 1
            change(c)
            return c * c

        b = leaf(rows)
        (torch.compile(squared) if compiled else squared)(b).sum().backward()
        print(name, rows, b.grad[:2].tolist(), b.grad[-2:].tolist(), b.grad.sum().item())


def halves(b):
    c = b * 1
    first, second = c[:2], c[2:]
    print("between")
    second.mul_(3)
    return first * first, second * second


b = leaf(4)
r, s = (torch.compile(halves) if compiled else halves)(b)
(r.sum() + s.sum()).backward()
print("halves", b.grad.tolist())

# Inputs whose elements share memory are changed as eagerly.
changes = {
    "slice": lambda b: b[:1].add_(1),
    "row": lambda b: b[0].add_(1),
    "steps": lambda b: b.__setitem__((slice(None, None, 2), 0), 9),
    "copied": lambda b: b[:1].copy_(torch.full((1, 4), 7.0)),
    "zeroed": lambda b: b[1:].zero_(),
}
inputs = {
    "expanded": lambda: torch.arange(4.0).unsqueeze(0).expand(2, 4),
    "unfolded": lambda: torch.arange(8.0).unfold(0, 4, 2)[:2],
    "strided": lambda: torch.as_strided(torch.arange(8.0), (2, 4), (1, 1)),
}
for made, make in inputs.items():
    for name, change in changes.items():
        def changed(b):
            change(b)
            return b + 1

        b = make()
        r = (torch.compile(changed) if compiled else changed)(b)
        print(made, name, b.tolist(), r.tolist())


# Through a view a tensor of the caller's gets a gradient, and what has gaps keeps them.
def given_a_gradient(a, b):
    a[::2] -= b
    return a * 1


def given_one_later(a, b):
    a.mul_(2)
    v = a[1]
    v.copy_(b[0])
    return v, a.sum()


for f in (given_a_gradient, given_one_later):
    a, b = torch.ones(2, 2), torch.full((1, 2), 3.0, requires_grad=True)
    got = (torch.compile(f) if compiled else f)(a, b)
    got = got if isinstance(got, tuple) else (got,)
    sum((g * g).sum() for g in got + (a,)).backward()
    print(f.__name__, a.requires_grad, a.tolist(), [g.tolist() for g in got], b.grad.tolist())


def with_gaps(a, b):
    torch.add(b, b, out=a)
    v, w = a.contiguous(), a.t().reshape(-1)
    v.add_(1)
    return v, w, a.contiguous() is a, a.is_contiguous(), a.stride()


for sizes in ((1, 3), (2, 3)):
    a = torch.zeros(sizes[0], 6)[:, ::2]
    got = (torch.compile(with_gaps) if compiled else with_gaps)(a, torch.arange(3.0 * sizes[0]).reshape(sizes))
    print(a.tolist(), [g.tolist() for g in got[:2]], [g.stride() for g in got[:2]], got[2:])


def complex_with_gaps(a):
    a.mul_(2)
    return a + 1


for made in (lambda: torch.ones(2, 4, dtype=torch.complex64)[:, ::2], lambda: torch.ones(2, 3, dtype=torch.complex64).t()):
    a = made()
    got = (torch.compile(complex_with_gaps) if compiled else complex_with_gaps)(a)
    print(a.tolist(), got.tolist())


# A view of a tensor that was changed without gradients, used with them behind that.
def used_behind(b):
    v = b[0]
    with torch.no_grad():
        b.add_(1)
    return v, v * 2


def used_through_another(b):
    v, w = b.t(), b[1:]
    with torch.no_grad():
        w.mul_(3)
    return v * v, w * 2


for f in (used_behind, used_through_another):
    leaf = torch.arange(4.0).reshape(2, 2).requires_grad_()
    b = leaf * 1
    got = (torch.compile(f) if compiled else f)(b)
    sum((g * g).sum() for g in got).backward()
    print(f.__name__, b.tolist(), [(g.tolist(), g.requires_grad) for g in got], leaf.grad.tolist())

# What is written through .data inside a compiled function, and then recorded writes of the same tensor.
def data_then_whole(w):
    y = w * 1
    y.data.mul_(2)
    y.mul_(3)
    return y
def detached_then_part(w):
    y = w * 1
    y.detach().mul_(2)
    y[0].fill_(.3)
    return y
for f in (data_then_whole, detached_then_part):
    w = torch.tensor([1., 2.], requires_grad=True)
    y = torch.compile(f, backend="aot_eager")(w) if compiled else f(w)
    y.sum().backward()
    print(f.__name__, y.tolist(), w.grad)

# .data written behind operations that saved the tensor: the backward reads what is there by then.
def data_behind(x, w):
    z = x * w
    w.data.mul_(2)
    return z
def part_of_data_behind(x, w):
    z = x * w
    w.data[0] = 7.
    return z
def buffer_behind(x, w):
    z = x * w.detach()
    w.data.add_(1)
    return z
def data_alone(x, w):
    w.data.mul_(2)
    return w.data
for f in (data_behind, part_of_data_behind, buffer_behind, data_alone):
    x, w = torch.tensor([1., 2.], requires_grad=True), torch.tensor([3., 4.], requires_grad=True)
    before = (x * w).sum()
    z = (torch.compile(f) if compiled else f)(x, w)
    if z.requires_grad:
        z.sum().backward()
    else:
        z.mul_(10)
    before.backward()
    print(f.__name__, z.tolist(), x.grad.tolist(), w.grad.tolist(), w.tolist(), w._version)
