# SPDX-License-Identifier: Apache-2.0
# Writes that autograd or memory refuses: of leaves that are views, of one of several views, of views made in no_grad,
# of tensors whose elements share memory; and arguments that lose a gradient. Printed under PyTorch: refused_writes.txt.
import torch
import torch.nn.functional as F


def show(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, "view of a leaf" if "a view of a leaf" in str(e) else "")


def values(q):
    return None if q is None else [[round(float(v), 4) + 0.0 for v in row] for row in q.reshape(-1, q.shape[-1]).tolist()]


# A leaf that is a view of plain memory.
def leaf():
    return torch.zeros(4)[1:3].requires_grad_()


def whole(change):
    base = torch.zeros(4)
    view = base[1:]
    base.requires_grad_()
    change(view)


changes = {"item": lambda v: v.__setitem__(0, 5), "part": lambda v: v[:1].mul_(2), "all": lambda v: v.mul_(2),
           "view": lambda v: v.view(-1, 1).copy_(torch.ones(v.numel(), 1)), "zero": lambda v: v.zero_(),
           "copy": lambda v: v.copy_(torch.ones_like(v)), "fill": lambda v: v[:1].fill_(3),
           "index": lambda v: v.__setitem__(torch.tensor([0]), 3), "draw": lambda v: v[:1].normal_(),
           "sizes": lambda v: v.unsqueeze_(0)}
for name, change in changes.items():
    show(name, lambda: change(leaf()))
    show(name + ", the base a leaf", lambda: whole(change))
    show(name + ", of a detached one", lambda: change(torch.zeros(4).detach().requires_grad_()))
    show(name + ", a view of a view", lambda: change(torch.zeros(4)[1:][1:].requires_grad_()))

    def unrecorded():
        v = leaf()
        with torch.no_grad():
            change(v)
        return v.requires_grad

    show(name + ", unrecorded", unrecorded)


def beside():
    base = torch.zeros(4)
    view = base[1:3].requires_grad_()
    base[0] = 5
    base.mul_(2)
    view.sum().backward()
    return base.tolist(), view.grad.tolist(), base.requires_grad


show("the base beside it", beside)

# Views made while no gradients are recorded, and of operations with several results.
two = torch.ones(2, requires_grad=True)


def unrecorded_view(x, part, change):
    with torch.no_grad():
        v = part(x)
    change(v)
    return v.requires_grad


computed = torch.zeros(3, requires_grad=True) * 1
for name, x in (("plain", torch.zeros(3)), ("computed", computed)):
    show("no_grad " + name, lambda: unrecorded_view(x, lambda x: x[1:], lambda v: v.mul_(two)))
    show("no_grad, a number " + name, lambda: unrecorded_view(x, lambda x: x[1:], lambda v: v.mul_(2)))
    show("no_grad, a view of it " + name, lambda: unrecorded_view(x, lambda x: x[1:], lambda v: v[:2].mul_(two)))


def behind(part):
    x = torch.ones(3, requires_grad=True)
    b = x * 2
    v = part(b)
    b.mul_(3)
    (v[0] * 2).sum().backward()
    return x.grad.tolist()


show("the base of a view", lambda: behind(lambda b: b[1:]))
show("the base of several", lambda: behind(lambda b: b.unbind(0)))


def part_in_no_grad(b):
    with torch.no_grad():
        return b[1:]


show("the base of one made in no_grad", lambda: behind(part_in_no_grad))
for name, f in {"unbind": lambda b: b.unbind(0), "split": lambda b: b.split(1), "pieces": lambda b: b.split([2, 1]),
                "chunk": lambda b: b.chunk(2), "one": lambda b: b.split(3), "tensor_split": lambda b: b.tensor_split(2)}.items():
    show(name + " of plain", lambda: f(torch.zeros(3))[0].mul_(torch.ones((), requires_grad=True)).requires_grad)
    show(name + " of computed", lambda: f(two.sum() * torch.ones(3))[0].mul_(2).requires_grad)
    show(name + " by a number", lambda: f(torch.zeros(3))[0].mul_(2).requires_grad)

several = {"cummax": lambda y: torch.cummax(y, 1), "max": lambda y: y.max(1), "median": lambda y: y.median(1),
           "frexp": torch.frexp, "var_mean": lambda y: torch.var_mean(y, 1), "std_mean": lambda y: torch.std_mean(y, 1),
           "topk": lambda y: y.topk(2, 1), "sort": lambda y: y.sort(1), "unsafe_split": lambda y: y.unsafe_split(1, 0),
           "layer_norm": lambda y: torch.native_layer_norm(y, (3,), None, None, 1e-5)}
for name, f in several.items():
    def item():
        x = torch.tensor([[1., 3., 2.], [4., 0., 6.]], requires_grad=True)
        results = f(x * 1)
        results[0][0] = 1
        (results[0] * results[0].detach()).sum().backward()
        return values(x.grad)

    show("an item of " + name, item)

# Elements that share memory.
shared = {"rows": lambda: torch.arange(3.).view(3, 1).expand(3, 4), "columns": lambda: torch.arange(4).expand(3, 4),
          "windows": lambda: torch.arange(5.).unfold(0, 3, 1), "strided": lambda: torch.arange(5.).as_strided((2, 3), (1, 1))}
written = {"masked_fill": lambda a: a.masked_fill_(torch.ones(a.shape, dtype=torch.bool), 2),
           "a tensor": lambda a: a.masked_fill_(torch.ones(a.shape, dtype=torch.bool), torch.tensor(2)),
           "index_fill": lambda a: a.index_fill_(0, torch.tensor([0]), 2),
           "index_put": lambda a: a.index_put_((torch.tensor([0]),), torch.tensor(2, dtype=a.dtype)),
           "positions": lambda a: a.__setitem__(torch.tensor([0]), 2), "mask": lambda a: a.__setitem__(a == a, 2),
           "item": lambda a: a.__setitem__(0, 2), "fill": lambda a: a.fill_(2), "zero": lambda a: a.zero_(),
           "index_copy": lambda a: a.index_copy_(0, torch.tensor([0]), torch.ones(a[:1].shape, dtype=a.dtype)),
           "index_add": lambda a: a.index_add_(0, torch.tensor([0]), torch.ones(a[:1].shape, dtype=a.dtype)),
           "scatter": lambda a: a.scatter_(0, torch.zeros(a.shape, dtype=torch.int64)[:1], 2)}
for name, make in shared.items():
    for how, change in written.items():
        def run():
            a = make()
            change(a)
            return a.tolist()

        show(f"{how} of {name}", run)
for how in ("add_", "mul_", "copy_", "pow_"):
    for name in ("rows", "columns"):
        show(how + " of " + name, lambda: getattr(shared[name](), how)(2 if how != "copy_" else torch.ones(3, 4)))

# Sources of another dtype, and windows that begin elsewhere.
scatters = {"select": lambda x, d: x.select_scatter(torch.tensor([2, 0, 1]).to(d), 0, 1),
            "slice": lambda x, d: x.slice_scatter(torch.tensor([[2], [1]]).to(d), 1, 0, 1),
            "diagonal": lambda x, d: x.diagonal_scatter(torch.tensor([2, 1]).to(d)),
            "strided": lambda x, d: x.as_strided_scatter(torch.tensor([2, 1]).to(d), (2,), (2,), 1),
            "mask": lambda x, d: (x.__setitem__(x > 4, torch.ones(1).to(d)), x)[1],
            "lerp": lambda x, d: torch.lerp(x, torch.ones(2, 3).to(d), 0.5), "weight": lambda x, d: torch.lerp(x, x * 2, torch.ones(2, 3).to(d)),
            "number": lambda x, d: torch.lerp(x, x * 2, torch.ones(()).to(d)),
            "cumsum_": lambda x, d: x.cumsum_(0, dtype=d), "sum": lambda x, d: x.sum(0, dtype=d),
            "index_copy": lambda x, d: x.index_copy(0, torch.tensor([0]), torch.ones(1, 3).to(d)),
            "full": lambda x, d: torch.full((2,), 1.5, out=torch.zeros(2).to(d)), "zeros": lambda x, d: torch.zeros(2, out=torch.ones(2).to(d))}
for name, f in scatters.items():
    for d in (torch.float64, torch.int64, torch.float16, torch.bool, torch.complex64, torch.float32):
        if (name, d) not in (("mask", torch.complex64), ("number", torch.complex64), ("number", torch.bool)):
            show(f"{name} {d}", lambda: (lambda r: (r.dtype, r.tolist()))(f(torch.arange(6.).view(2, 3), d)))
windows = {"before": lambda b: b[1:].as_strided((2,), (1,), 0), "twice": lambda b: b[1:].as_strided((2, 2), (1, 1), 0),
           "behind": lambda b: b[2:4].as_strided((3,), (1,)), "around": lambda b: b[2:4].as_strided((3,), (2,), 0),
           "between": lambda b: b[::2].as_strided((3,), (1,), 0), "one": lambda b: b[1:3].as_strided((4,), (0,), 0)}
for name, f in windows.items():
    for made in ("leaf", "computed"):
        def run():
            c = torch.arange(6.).requires_grad_()
            y = f(c if made == "leaf" else c * 2)
            (y * torch.arange(1., y.numel() + 1).view(y.shape)).sum().backward()
            return y.tolist(), c.grad.tolist(), y.storage_offset()

        show(f"a window {name}, {made}", run)
m = torch.arange(12.).view(3, 4)
for name, x in (("part", m[1:]), ("turned", m.t()), ("gaps", m[:, ::2]), ("whole", m)):
    for offset in (0, 2, 5, None):
        show(f"as_strided_scatter {name} {offset}", lambda: x.as_strided_scatter(torch.tensor([-1., -2.]), (2,), (3,), offset).tolist())

# One number without dimensions where a number is wanted: with a gradient it is none.
numbers = {"alpha": lambda x, m: torch.add(x, x, alpha=m), "clamp": lambda x, m: torch.clamp(x, m, 3), "slope": lambda x, m: F.leaky_relu(x, m),
           "elu": F.elu, "softplus": F.softplus, "beta": lambda x, m: torch.addmm(x[None], x[None], torch.eye(3), beta=m),
           "full": lambda x, m: torch.full((3,), m), "value": lambda x, m: torch.addcmul(x, x, x, value=m), "norm": lambda x, m: x.norm(m),
           "margin": lambda x, m: F.margin_ranking_loss(x, x * 2, torch.ones(3), margin=m), "eps": lambda x, m: F.layer_norm(x, (3,), eps=m),
           "pad": lambda x, m: F.pad(x, (1, 1), value=m), "lerp": lambda x, m: torch.lerp(x, x * 2, m), "min": lambda x, m: x.clamp(min=m)}
for name, f in numbers.items():
    for wanted in (False, True):
        def run():
            x, m = torch.tensor([1., -1., 5.]), torch.tensor(0.5, requires_grad=wanted)
            return values(f(x, m))if f(x, m).dim() else round(float(f(x, m)), 3)

        show(f"{name} of a number, {wanted}", run)

# Numbers without dimensions as places and sources; prints of much that is little.
for f in (lambda: torch.arange(3.).scatter(0, torch.tensor([0]), torch.tensor(5.)),
          lambda: torch.arange(3.).scatter(0, torch.tensor(0), torch.ones(1)),
          lambda: torch.tensor(5.).scatter_reduce(0, torch.tensor([0]), torch.tensor(1.), "sum")):
    show("scatter", lambda: f().tolist())
for t in (torch.zeros(2**32, 0), torch.zeros(1).expand(2**32), torch.zeros(1).expand(2**20, 2**20), torch.arange(4000.)[::2],
          torch.arange(4000).view(40, 100).t(), torch.ones(1001, 1, dtype=torch.complex64)):
    print(t)
