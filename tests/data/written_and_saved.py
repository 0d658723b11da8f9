# SPDX-License-Identifier: Apache-2.0
# What backward() saved and an operation in place wrote over, eager and in compiled functions; leaves that change under
# no_grad(); memory that an operation in place reads and writes; gradients, data and results of another device, size or
# dtype. What PyTorch printed: written_and_saved.txt.
import torch
import torch.nn.functional as F


def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as e:
        kind = "changed" if "modified by an inplace" in str(e) else "overlap" if "single memory location" in str(e) else ""
        print(name, "RuntimeError" if isinstance(e, RuntimeError) else type(e).__name__, kind)


def values(t):
    return None if t is None else [round(v, 3) + 0.0 for v in t.detach().reshape(-1).tolist()]


def leaf():
    return torch.tensor([1., 2., 3.], requires_grad=True)


def saved(change):
    """The gradient of what change(x * 2) gives."""
    def run(x):
        change(x * 2).sum().backward()
        return x.grad
    return run


def both(y, z, write):
    write(y)
    return z


bn = torch.nn.BatchNorm1d(3)
changes = {
    "mul_ itself": lambda y: y.mul_(y), "add_ itself": lambda y: y.add_(y), "div_ itself": lambda y: y.div_(y),
    "pow_": lambda y: y.pow_(2), "addcmul_": lambda y: y.addcmul_(y, y), "atan2_": lambda y: y.atan2_(y),
    "square": lambda y: both(y, y * y, lambda y: y.mul_(2)), "exp": lambda y: y.exp().mul_(2),
    "its norm": lambda y: y.div_(y.norm()), "its sum": lambda y: y.div_(y.sum()), "its std": lambda y: y.div_(y.std()),
    "item": lambda y: both(y, y, lambda y: y.__setitem__(0, y[1] * y[2])), "copy": lambda y: y.copy_(y * y),
    "softmax": lambda y: y.softmax(0).mul_(2), "norm of a layer": lambda y: both(y, F.layer_norm(y, (3,)).pow(2), lambda y: y.mul_(2)),
    "gelu": lambda y: both(y, F.gelu(y), lambda y: y.mul_(2)), "relu": lambda y: both(y, F.relu(y), lambda y: y.mul_(2)),
    "result of relu": lambda y: F.relu(y).mul_(2), "sigmoid_": lambda y: y.sigmoid_().mul_(2), "relu_": lambda y: y.relu_().mul_(2),
    "views": lambda y: both(y, y.view(3, 1) * y.view(1, 3), lambda y: y.add_(1)), "max": lambda y: y.max().clamp_(-1, 1),
    "max of a row": lambda y: y.view(1, 3).max(1).values.clamp_(0, 1), "max that stays": lambda y: both(y, y.max(), lambda y: y.mul_(2)),
    "cumprod": lambda y: both(y, y.cumprod(0), lambda y: y.mul_(2)), "clamp": lambda y: both(y, y.clamp(0, 3), lambda y: y.mul_(2)),
    "clamp_": lambda y: y.clamp_(0, 3).mul_(2), "abs": lambda y: both(y, y.abs(), lambda y: y.mul_(2)),
    "detached": lambda y: (lambda z: both(z.detach(), z, lambda d: d.mul_(2)))(y.exp()), "amax": lambda y: y.amax(0).clamp_(-1, 1),
    "twice a batch norm": lambda y: bn(bn(torch.stack([y, y + 1, y * y]))).pow(2),
}


def index(y, i, w, m):
    z = torch.where(m, y[i] * w, y[i])
    return z


for name, change in changes.items():
    for run in (saved(change), torch.compile(saved(change), backend="eager")):
        x = leaf()
        show(name, lambda: [round(v, 1) + 0.0 for v in run(x).tolist()])
for which in range(4):
    def changed(x, i, w, m):
        z = index(x * 2, i, w, m)
        (i, w, m, torch.ones(1))[which].add_(1) if which != 2 else m.fill_(True)
        z.sum().backward()
        return x.grad
    for run in (changed, torch.compile(changed, backend="eager")):
        show(f"operand {which}", lambda: values(run(leaf(), torch.tensor([0, 1, 1]), torch.ones(3), torch.tensor([True, False, True]))))

# Leaves that are written under no_grad() have all their gradients.


def before(x):
    z = (x * 2).sum()
    with torch.no_grad():
        x.mul_(3)
    z.backward()
    return x.grad, x


def reads_it(x):
    z = (x * x).sum()
    with torch.no_grad():
        x.mul_(3)
    z.backward()
    return x.grad, x


def around(x):
    z = (x * 2).sum()
    with torch.no_grad():
        x.mul_(3)
    (z + (x * x).sum()).backward()
    return x.grad, x


def steps(x):
    for _ in range(2):
        x.grad = None
        (x * x).sum().backward()
        with torch.no_grad():
            x -= x.grad * .1
    return x.grad, x


def asked(x):
    with torch.no_grad():
        x.mul_(3)
    y = x * 2
    g, = torch.autograd.grad(y.sum(), x)
    return g, y


for f in (before, reads_it, around, steps, asked):
    for run in (f, torch.compile(f, backend="eager")):
        show(f.__name__, lambda: [values(t) for t in run(leaf())])

# Memory that is read and written.
places = torch.arange(4)
writes = {"add_": lambda x, y: x.add_(y), "copy_": lambda x, y: x.copy_(y), "index_add_": lambda x, y: x.index_add_(0, places, y),
          "index_copy_": lambda x, y: x.index_copy_(0, places, y), "scatter_": lambda x, y: x.scatter_(0, places, y),
          "scatter_add_": lambda x, y: x.scatter_add_(0, places, y), "index_put_": lambda x, y: x.index_put_((places,), y),
          "put_": lambda x, y: x.put_(places, y), "items": lambda x, y: x.__setitem__(places, y), "part": lambda x, y: x.__setitem__(slice(None), y),
          "masked_fill_": lambda x, y: x.masked_fill_(y > 1, 1), "index_fill_": lambda x, y: x.index_fill_(0, places, y[1]),
          "gather": lambda x, y: torch.gather(y, 0, places, out=x), "index_select": lambda x, y: torch.index_select(y, 0, places, out=x),
          "take": lambda x, y: torch.take(y, places, out=x), "where": lambda x, y: torch.where(y > 1, y, y, out=x), "clamp_": lambda x, y: x.clamp_(y)}
for name, write in writes.items():
    for start in (0, 1):
        def run():
            base = torch.arange(6.)
            write(base[start:start + 4], base[:4])
            return base
        for f in (run, torch.compile(run, backend="eager")):
            show(f"{name} {start}", lambda: values(f()))
whole = torch.arange(4)
for name, write in {"index_add_": lambda x: x.index_add_(0, x, torch.ones_like(x)), "scatter_": lambda x: x.scatter_(0, x, 1),
                    "index_fill_": lambda x: x.index_fill_(0, x, 1), "items": lambda x: x.__setitem__(x, 1)}.items():
    show(name + " of itself", lambda: write(whole.clone()))

# Bits of another width begin at whole elements.
line = torch.arange(12.)
for name, f in {"offset": lambda x: x[1:5].view(torch.float64), "of a result": lambda x: (x * 1)[1:5].view(torch.float64),
                "even": lambda x: x[2:6].view(torch.float64), "size": lambda x: x[1:4].view(torch.float64), "none": lambda x: x[3].view(torch.float64),
                "narrower": lambda x: x[1:3].view(torch.int16), "complex": lambda x: x[1:5].view(torch.complex64),
                "complex, even": lambda x: torch.view_as_real(x[2:6].view(torch.complex64)),
                "stride": lambda x: x.view(4, 3)[:, :2].view(torch.float64)}.items():
    for run in (f, torch.compile(f, backend="eager")):
        show(name, lambda: values(run(line)))
bits = torch.compile(lambda x: x.view(torch.float64), backend="eager")
for start in (0, 2, 1, 4):
    show(f"from {start}", lambda: values(bits(line[start:start + 4])))

# Gradients, data, results of another device, size or dtype.
meta = torch.ones(3, device="meta")
others = {"device": meta, "size": torch.ones(2), "dtype": torch.ones(3, dtype=torch.float64), "integers": torch.ones(3, dtype=torch.int64),
          "more": torch.ones(1, 3), "number": 3, "none": None}


def assigned(name, t, v):
    setattr(t, name, v)
    return values(getattr(t, name)) if name == "grad" else [t.dtype, list(t.shape)]


def hooked(t, y, v):
    t.register_hook(lambda g: v)
    y.sum().backward()


class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, v):
        ctx.v = v
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return ctx.v, None


def own(v):
    x = leaf()
    Own.apply(x, v).sum().backward()
    return values(x.grad)


for name, v in others.items():
    show("grad of another " + name, lambda: assigned("grad", leaf(), v))
    show("data of another " + name, lambda: assigned("data", leaf(), v))
    show("hook of a leaf, " + name, lambda: (lambda x: hooked(x, x * 2, v))(leaf()))
    show("hook of a result, " + name, lambda: (lambda y: hooked(y, y * 2, v))(leaf() * 2))
    if name not in ("dtype", "integers"):
        show("own gradient, " + name, lambda: own(v))
    if name in ("device", "size"):
        show("seed, " + name, lambda: (leaf() * 2).backward(v))
        show("set_, " + name, lambda: list(torch.ones(3).set_(v).shape))
show("own gradient, more rows", lambda: own(torch.ones(2, 3)))
show("itself", lambda: (lambda x: setattr(x, "grad", x))(leaf()))
show("out of another device", lambda: torch.add(torch.ones(3), 1, out=meta.clone()))
show("out of another device", lambda: torch.add(meta, 1, out=torch.zeros(3)))
show("product", lambda: torch.sum(torch.ones(3, 3), 0, out=meta.clone()))


def reassigned(f, v):
    x = leaf()
    y = f(x)
    x.data = v
    y.sum().backward()
    return values(x.grad)


for name, f in {"twice": lambda x: x * 2, "exp": torch.exp, "square": lambda x: x * x}.items():
    show(f"data of two elements behind {name}", lambda: reassigned(f, torch.ones(2)))
    show(f"other data behind {name}", lambda: reassigned(f, torch.ones(3) * 5))


def result_reassigned():
    x = leaf()
    y = x * 2
    y.data = torch.ones(2)
    y.sum().backward()


show("data of a result", result_reassigned)

# Operations of several tensors on two devices.
C, M = torch.ones(2, 3), torch.ones(2, 3, device="meta")
two = {"layer_norm": lambda: F.layer_norm(C, (3,), M[0], M[0]), "batch_norm": lambda: F.batch_norm(C, M[0], M[0], training=True),
       "group_norm": lambda: F.group_norm(torch.ones(2, 4), 2, torch.ones(4, device="meta")), "rms_norm": lambda: F.rms_norm(C, (3,), M[0]),
       "cross_entropy": lambda: F.cross_entropy(C, torch.zeros(2, dtype=torch.int64, device="meta")), "weight": lambda: F.cross_entropy(C, torch.zeros(2, dtype=torch.int64), M[0]),
       "mse": lambda: F.mse_loss(C, M), "bce": lambda: F.binary_cross_entropy_with_logits(M, C), "kl": lambda: F.kl_div(C, M), "huber": lambda: F.huber_loss(C, M),
       "add": lambda: C + M, "where": lambda: torch.where(C > 0, M, C), "cat": lambda: torch.cat([C, M]), "clamp": lambda: C.clamp(M), "lerp": lambda: C.lerp(M, .5),
       "cosine": lambda: F.cosine_similarity(C, M), "instance_norm": lambda: F.instance_norm(C[None], M[0, :2], M[0, :2]), "gaussian": lambda: F.l1_loss(M, C),
       "sdpa": lambda: F.scaled_dot_product_attention(C[None], M[None], C[None]), "prelu": lambda: F.prelu(C, M[0]), "kron": lambda: torch.kron(C, M)}
for name, f in two.items():
    show(name, f)

# Slopes at NaN and at 0.
nan = float("nan")
for name, f in {"huber": lambda x: F.huber_loss(x, torch.ones(3)), "smooth": lambda x: F.smooth_l1_loss(x, torch.ones(3)),
                "divergence": lambda x: F.kl_div(torch.zeros(3), x, reduction="sum"), "sinc": lambda x: x.sinc(), "root": lambda x: x ** .25 + x ** .5}.items():
    x = torch.tensor([1., nan, 2.] if name in ("huber", "smooth") else [0., 1e-30, 2.], requires_grad=True)
    f(x).sum().backward()
    print(name, [round(v, 3) + 0.0 for v in x.grad.tolist()])

# Bags of rows.
rows = torch.arange(12.).view(4, 3)
for mode in ("sum", "mean", "max"):
    for name, (i, o) in {"bags": ([0, 1, 2], [0, 2]), "beyond": ([0, 7], [0, 1, 2]), "negative": ([0, -1], [0, 1, 2])}.items():
        bag = lambda i, o, rows: F.embedding_bag(i, rows, o, mode=mode)
        for run in (bag, torch.compile(bag, backend="eager")):
            show(f"{mode} {name}", lambda: values(run(torch.tensor(i), torch.tensor(o), rows)))
        show(f"{mode} {name} without the last", lambda: values(F.embedding_bag(torch.tensor(i), rows, torch.tensor(o + [3]), mode=mode, include_last_offset=True)) if name == "bags" else None)
    show(mode + " of a later beginning", lambda: values(F.embedding_bag(torch.tensor([0, 1]), rows, torch.tensor([1, 2]), mode="sum")))

# What functions save: which of operands and results may be written before backward(), and how old they are then.
import functools
L, index = torch.linalg, torch.tensor([[0, 1, 2, 0], [1, 0, 2, 1]])


def square(x):
    return x[:, :3] + torch.eye(3) * 2


of_one = "abs neg exp exp2 log sqrt rsqrt reciprocal sin tan acos tanh asinh sigmoid relu erf digamma lgamma square sgn prod amax norm std var trace max sum mean nansum nanmean".split()
of_functional = "softplus softsign logsigmoid hardtanh hardswish leaky_relu tanhshrink softshrink elu gelu silu mish normalize glu rrelu pdist".split()
of_two = "atan2 hypot fmod remainder div mul add logaddexp maximum fmin xlogy".split()
functions = {name: functools.partial(lambda f, x, y: f(x), getattr(torch, name)) for name in of_one}
functions |= {name: functools.partial(lambda f, x, y: f(x), getattr(F, name)) for name in of_functional}
functions |= {name: getattr(torch, name) for name in of_two}
functions |= {
    "threshold": lambda x, y: F.threshold(x, 0.5, 0.1), "softmax": lambda x, y: x.softmax(1), "log_softmax": lambda x, y: x.log_softmax(1),
    "cumprod": lambda x, y: x.cumprod(1), "logcumsumexp": lambda x, y: x.logcumsumexp(1), "cummax": lambda x, y: x.cummax(1)[0], "cummin": lambda x, y: x.cummin(1)[0],
    "logsumexp": lambda x, y: x.logsumexp(1), "median": lambda x, y: x.median(1)[0], "take": lambda x, y: x.take(index), "gather": lambda x, y: x.gather(0, index),
    "index_select": lambda x, y: x.index_select(0, index[0, :2]), "pow": lambda x, y: x ** y, "pow of a number": lambda x, y: 2 ** x, "clamp": lambda x, y: x.clamp(0.2, 0.7),
    "sort": lambda x, y: x.sort(1)[0], "topk": lambda x, y: x.topk(2)[0], "layer_norm": lambda x, y: F.layer_norm(x, (4,)), "cdist": torch.cdist,
    "inverse": lambda x, y: square(x).inverse(), "det": lambda x, y: square(x).det(), "slogdet": lambda x, y: torch.slogdet(square(x))[1],
    "cholesky": lambda x, y: L.cholesky(square(x) @ square(x).T + torch.eye(3)), "eigvalsh": lambda x, y: L.eigvalsh(square(x) @ square(x).T),
    "qr": lambda x, y: L.qr(x.t())[0], "solve": lambda x, y: L.solve(square(x), y), "matmul": lambda x, y: x @ y.t(), "where": lambda x, y: torch.where(y > 0.5, x, y),
    "outer": lambda x, y: torch.outer(x[0], y[0]), "einsum": lambda x, y: torch.einsum("ij,kj->ik", x, y), "cross": lambda x, y: L.cross(x[:, :3], y[:, :3]),
    "bce": lambda x, y: F.binary_cross_entropy(x, y.detach()), "bce of logits": lambda x, y: F.binary_cross_entropy_with_logits(x, y.detach()),
    "nll": lambda x, y: F.nll_loss(x, torch.tensor([0, 1, 2])), "index_add": lambda x, y: x.index_add(0, torch.tensor([0, 1, 0]), y), "prelu": lambda x, y: F.prelu(x, y[0]),
    "avg_pool": lambda x, y: F.avg_pool1d(x, 2), "max_pool": lambda x, y: F.max_pool1d(x, 2), "adaptive": lambda x, y: F.adaptive_avg_pool1d(x, 2),
    "norm 1": lambda x, y: x.norm(1), "norm inf": lambda x, y: x.norm(float("inf")), "norm 0": lambda x, y: x.norm(0), "norm of rows": lambda x, y: L.vector_norm(x, 3, 1),
    "prod of rows": lambda x, y: x.prod(1), "log_ndtr": lambda x, y: torch.special.log_ndtr(x), "polygamma": lambda x, y: torch.polygamma(1, x), "i1": lambda x, y: torch.special.i1(x),
}
for name, f in functions.items():
    told = []
    for which in range(3):
        x, y = (torch.linspace(a, b, 12).reshape(3, 4).requires_grad_() * 1 for a, b in ((0.1, 0.9), (0.8, 0.3)))
        z = f(x, y)
        (x, y, z)[which].mul_(1.5)
        try:
            (z * z).sum().backward()
            told.append("taken")
        except RuntimeError as e:
            told.append("refused" if "modified by an inplace" in str(e) else str(e)[:40])
    print(name, *told, x._version, y._version, z._version)
x = torch.ones(3, requires_grad=True) * 2
print(x._version, x.add_(1)._version, x.exp_()._version, x.mul_(2)._version)
try:
    x.sum().backward()
except RuntimeError as e:
    print(str(e).split("Hint")[0])

# The same where backward() is a part of what is compiled, and of what views of an operand are given.
views = {
    "x @ y.t()": lambda x, y: x @ y.t(), "x.t() @ y": lambda x, y: x.t() @ y, "mm": lambda x, y: torch.mm(x, y.t()),
    "permute": lambda x, y: torch.mm(x, y.permute(1, 0)), "mul t": lambda x, y: x * y.t().t(), "mul v": lambda x, y: x.t() * y.t(),
    "linear": lambda x, y: torch.nn.functional.linear(x, y), "contig": lambda x, y: x.t() * y.t().contiguous(),
    "contig itself": lambda x, y: x * y.contiguous(), "to": lambda x, y: x * y.to(torch.float64), "to same": lambda x, y: x * y.to(torch.float32),
    "float": lambda x, y: x * y.float(), "double": lambda x, y: x * y.double(), "reshape": lambda x, y: x.t().reshape(-1) * y.t().reshape(-1),
    "reshape v": lambda x, y: x.reshape(-1) * y.reshape(-1), "flatten": lambda x, y: x.t().flatten() * y.t().flatten(),
    "expand_as": lambda x, y: x * y[:1].expand_as(x), "view_as": lambda x, y: x * y.view_as(x), "chunk": lambda x, y: x[:, :2] * y.chunk(2, 1)[0],
    "unbind": lambda x, y: x[0] * y.unbind()[0], "split": lambda x, y: x[:, :2] * y.split(2, 1)[0], "diag": lambda x, y: x[0, :3] * y.diagonal(),
    "real": lambda x, y: x * y.real, "swap": lambda x, y: x.swapaxes(0, 1) * y.swapaxes(0, 1), "mT": lambda x, y: x.mT * y.mT,
    "T": lambda x, y: x.T * y.T, "movedim": lambda x, y: x.T * y.movedim(0, 1), "unfold": lambda x, y: x.unfold(0, 2, 1) * y.unfold(0, 2, 1),
    "detach": lambda x, y: x * y.detach(), "clone": lambda x, y: x * y.clone(), "index": lambda x, y: x[:2] * y[torch.tensor([0, 1])],
    "narrow": lambda x, y: x[:2] * y.narrow(0, 0, 2), "ravel": lambda x, y: x.ravel() * y.ravel(),
    "squeeze": lambda x, y: x * y.unsqueeze(0).squeeze(), "where": lambda x, y: torch.where(y > 0, x, y), "roll": lambda x, y: x * y.roll(1),
    "dropout0": lambda x, y: x * torch.nn.functional.dropout(y, 0.0, False), "positive": lambda x, y: x * +y,
    "atleast": lambda x, y: x * torch.atleast_2d(y), "broadcast": lambda x, y: x * torch.broadcast_tensors(x, y)[1], "conj": lambda x, y: x * y.conj(),
    "resolve": lambda x, y: x * y.resolve_conj(), "type": lambda x, y: x * y.type(torch.float64), "hsplit": lambda x, y: x[:, :2] * y.hsplit(2)[0],
    "tensor_split": lambda x, y: x[:, :2] * y.tensor_split(2, 1)[0],
}
del functions["norm 0"]
for name, f in {**functions, **views}.items():
    told = []
    for which in range(3):
        def step(x0, y0):
            x, y = x0 * 1, y0 * 1
            z = f(x, y)
            (x, y, z)[which].mul_(1.5)
            (z * z).sum().backward()
            return x0.grad
        torch._dynamo.reset()
        x0, y0 = (torch.linspace(a, b, 12).reshape(3, 4).requires_grad_() for a, b in ((0.1, 0.9), (0.8, 0.3)))
        try:
            torch.compile(step, backend="eager")(x0, y0)
            told.append("taken")
        except RuntimeError as e:
            told.append("refused" if "modified" in str(e) else str(e)[:40])
    print(name, *told)

# Functions that torch.func transforms write what they make and what they are given, nothing else.
def refused(name, f):
    try:
        print(name, f())
    except RuntimeError as e:
        print(name, "RuntimeError", "captured" if "captured Tensor" in str(e) else "")


def writing(write, sizes=(3,)):
    def run(x):
        outer = torch.zeros(sizes)
        return torch.func.vmap(lambda row: write(outer, row))(x), outer
    return run


def transformed(transform, write):
    def run(x):
        outer = torch.zeros(3)
        def f(row):
            write(outer, row)
            return (row * row).sum()
        return transform(f)(x), outer
    return run


outer_writes = {"add_": lambda o, r: o.add_(r), "mul_": lambda o, r: o.mul_(r), "copy_": lambda o, r: o.copy_(r), "item": lambda o, r: o.__setitem__(0, r[0]),
                "part": lambda o, r: o.__setitem__(slice(None), r), "fill_": lambda o, r: o.fill_(r[0]), "out": lambda o, r: torch.add(r, 1, out=o),
                "index_add_": lambda o, r: o.index_add_(0, torch.tensor([0, 1, 2]), r), "scatter_": lambda o, r: o.scatter_(0, torch.tensor([0, 1, 2]), r),
                "addcmul_": lambda o, r: o.addcmul_(r, r), "view": lambda o, r: o.view(3, 1)[0].add_(r[0]), "masked_fill_": lambda o, r: o.masked_fill_(r > 0, 2.)}
rows = torch.ones(2, 3)
for name, write in outer_writes.items():
    for how in (lambda f: f, lambda f: torch.compile(f, backend="eager")):
        refused("vmap " + name, lambda: how(writing(write))(rows))
        refused("grad " + name, lambda: how(transformed(torch.func.grad, write))(rows[0]))
refused("a constant", lambda: transformed(torch.func.grad, lambda o, r: o.add_(1))(rows[0]))
refused("jvp", lambda: torch.func.jvp(lambda r: rows[1].add_(r), (rows[0],), (rows[0],)))
refused("vjp", lambda: transformed(lambda f: lambda x: torch.func.vjp(f, x)[0], lambda o, r: o.add_(r.detach()))(rows[0]))
refused("jacrev", lambda: transformed(torch.func.jacrev, lambda o, r: o.add_(r))(rows[0]))
refused("vmap of grad", lambda: transformed(lambda f: torch.func.vmap(torch.func.grad(f)), lambda o, r: o.add_(r))(rows))


def own_rows(row):
    made = torch.zeros_like(row)
    made[0] = row[0]
    made.add_(row)
    row.mul_(2)
    return made + row


def own_gradient(row):
    made = torch.zeros_like(row)
    made[0] = row[0]
    return (made.add_(row) * row).sum()


for how in (lambda f: f, lambda f: torch.compile(f, backend="eager")):
    refused("own rows", lambda: how(lambda x: (torch.func.vmap(own_rows)(x), x))(rows.clone()))
    refused("own gradient", lambda: how(lambda x: torch.func.grad(own_gradient)(x))(rows[0]))
