# SPDX-License-Identifier: Apache-2.0
# Calls at the edge of what operations take, and derivatives of derivatives through compiled functions. Recorded:
# odd_calls.txt.
import torch
from torch.func import functional_call, grad, hessian, linearize, vmap

compiled = False


def t(name, f, words=False):
    """Prints what a call gives, or the class of what it raises; with words what it says, too."""
    try:
        found = torch.compile(f)() if compiled else f()
        print(name, found.detach() if isinstance(found, torch.Tensor) else found)
    except Exception as error:
        print(name, type(error).__name__, str(error).splitlines()[0] if words else "")


x, rows = torch.tensor([1.0, 2.0], requires_grad=True), torch.arange(6.0).reshape(2, 3)

# Second derivatives through compiled functions: refused where PyTorch refuses them, and only there.
cube = torch.compile(lambda v: (v**3).sum())
t("create_graph", lambda: torch.autograd.grad(cube(x), x, create_graph=True)[0])
t("behind it", lambda: torch.autograd.grad(torch.autograd.grad(cube(x), x, create_graph=True)[0].sum() + x.sum(), x)[0], True)
t("beside it", lambda: torch.autograd.grad(torch.autograd.grad(cube(x), x, create_graph=True)[0].detach().sum() + x.sum(), x)[0])
t("hessian", lambda: hessian(cube)(torch.ones(2)))
t("grad of grad", lambda: grad(lambda v: grad(cube)(v).sum())(torch.ones(2)))


class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return v**2

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        return g * 2 * ctx.saved_tensors[0]


t("once", lambda: torch.autograd.grad(Once.apply(x).sum(), x, create_graph=True)[0])

# Linear functions beside others.
value, along = linearize(lambda a, b: (a * b).sin(), torch.arange(3.0), torch.ones(3))
t("value", lambda: value)
t("along the first", lambda: along(torch.ones(3), torch.zeros(3)))
t("along the second", lambda: along(torch.zeros(3), torch.ones(3) * 2))
t("too few", lambda: along(torch.ones(3)))
t("of another shape", lambda: along(torch.ones(2), torch.ones(3)))
t("of a constant", lambda: linearize(lambda a: torch.ones(2), torch.ones(3))[1](torch.ones(3)))
t("of a dict", lambda: linearize(lambda d: {"a": d["x"] * 2}, {"x": torch.ones(3)})[1]({"x": torch.ones(3)})["a"])

# vmap: where dimensions and functions do not fit each other.
t("nested dims", lambda: vmap(lambda d: d["a"] + d["b"], in_dims=({"a": 0, "b": None},))({"a": rows, "b": torch.ones(3)}))
t("fewer dims than inputs", lambda: vmap(lambda a, b=2: a * b, in_dims=(0,))(rows, rows))
t("more dims than inputs", lambda: vmap(lambda a: a, in_dims=(0, 0))(rows))
t("a list of dims", lambda: vmap(lambda a, b: a + b, in_dims=[0, 0])(rows, rows))
t("a text", lambda: vmap(lambda a: a, in_dims="x")(rows))
t("no dims", lambda: vmap(lambda a: a, in_dims=None)(rows))
t("no inputs", lambda: vmap(lambda: 5)())
t("a number", lambda: vmap(lambda a: a.sum().dim())(rows))
t("nothing", lambda: vmap(lambda a: None)(rows))
t("what all rows give", lambda: vmap(lambda a: (a, 5, torch.ones(2)), out_dims=(0, None, None))(rows))
t("what each row gives, as of all", lambda: vmap(lambda a: a, out_dims=None)(rows))
t("a module loaded within", lambda: vmap(lambda a: a + torch.tensor(__import__("numpy").float32(1)))(rows))
t("no chunk", lambda: vmap(lambda a: a, chunk_size=0)(rows))
t("no such parameter", lambda: functional_call(torch.nn.ReLU(), {"nope": x}, (rows,)))

# Lists of no tensors.
t("block_diag", lambda: torch.block_diag())
for name in ("meshgrid", "cartesian_prod", "chain_matmul"):
    t(name, lambda: getattr(torch, name)())

# Integers beyond what a dtype holds.
for dtype in (torch.int8, torch.int16, torch.int32):
    info = torch.iinfo(dtype)
    a = torch.tensor([info.max, info.max, 100, info.min, info.min, 0], dtype=dtype)
    b = torch.tensor([info.max - 1, info.min, 99, 3, info.min, 0], dtype=dtype)
    t("lcm", lambda: torch.lcm(a, b))
    t("gcd", lambda: torch.gcd(a, b))

# Copies that do not count.
t("negative", lambda: torch.repeat_interleave(torch.ones(2), torch.tensor([-1, 2])))
t("fractions", lambda: torch.repeat_interleave(torch.ones(2), torch.tensor([1.0, 2.0])))
t("too many numbers", lambda: torch.repeat_interleave(torch.ones(2), torch.tensor([1, 2, 3])))
t("a matrix of numbers", lambda: torch.repeat_interleave(torch.tensor([[1, 2]])))
t("another size", lambda: torch.repeat_interleave(torch.ones(2), torch.tensor([1, 2]), output_size=4))
t("small integers", lambda: torch.repeat_interleave(torch.ones(2), torch.tensor([1, 2], dtype=torch.int8)))

# Bytes that do not fit.
buffer = bytearray(b"abcdefghi")
for arguments in ({}, {"offset": 1}, {"offset": 9}, {"offset": -1}, {"count": 3}, {"count": 2}, {"count": 0}, {"count": 1, "offset": 5}):
    t(f"frombuffer {arguments}", lambda: torch.frombuffer(buffer, dtype=torch.int32, **arguments), True)
t("frombuffer of nothing", lambda: torch.frombuffer(bytearray(), dtype=torch.int32), True)

# Complex numbers: signs of zeros, large and infinite parts.
numbers = [complex(-0.0, 2), complex(1j, 2), complex(1, 2j), complex(1j, 2j), complex(-0.0), -3.5j]
print(numbers)
z = torch.tensor(numbers)
t("signs", lambda: torch.view_as_real(z))
t("squares", lambda: torch.view_as_real(z[z.abs() > 0] ** 2))
t("halves", lambda: torch.view_as_real(z / 2j))
t("log1p", lambda: torch.view_as_real(torch.tensor([1e-30 + 1e30j, 1e30 + 0j, 0.5 + 0.25j, -1 + 0j, 3 + 4j, -2.5 + 0.5j]).log1p()))
t("atan", lambda: torch.view_as_real(torch.tensor([complex(float("inf"), 1), 0.5 + 0.5j]).atan()))
t("angle", lambda: torch.complex(torch.tensor([-0.0, 0.0, 1.0]), torch.tensor([0.0, -0.0, 1.0])).angle())

# Floats of 8 bits.
tiny = torch.ones(2, 4, 5).to(torch.float8_e4m3fn)
t("batch_norm of 8 bits", lambda: torch.nn.functional.batch_norm(tiny, torch.zeros(4), torch.ones(4)))
t("layer_norm of 8 bits", lambda: torch.nn.functional.layer_norm(tiny, (5,), torch.ones(5)))

# Seeds of 64 bits.
t("seeds", lambda: [torch.manual_seed(s).initial_seed() for s in (2**63 - 1, 2**63, 2**64 - 1, -1, -(2**63))])
t("after", lambda: torch.rand(2))
t("too large", lambda: torch.manual_seed(2**64), True)
t("no number", lambda: torch.Generator().manual_seed("1"), True)

# Seeds of GPUs are not the CPU's, whether there is a GPU or not. Numbers of threads.
torch.manual_seed(5)
t("seed of a GPU", lambda: (torch.cuda.manual_seed(11), torch.cuda.manual_seed_all(12), torch.rand(2))[2])
with torch.random.fork_rng():
    t("forked", lambda: torch.rand(1))
t("not forked", lambda: torch.rand(1))
t("no threads", lambda: torch.set_num_threads(0), True)

# The default device.
with torch.device("cpu") as place:
    t("in a device", lambda: (torch.ones(1).device, place, torch.get_default_device()))
try:
    with torch.device("cpu"):
        raise ValueError
except ValueError:
    t("behind it", torch.get_default_device)


@torch.compile
def placed(v):
    with torch.device("cpu"):
        return v + torch.ones(2)


t("compiled", lambda: placed(torch.ones(2)) + placed(torch.ones(2)))


# Losses: weighted means divide by the weights; those of torch itself reduce only where asked to.
F = torch.nn.functional
a, b, w = torch.tensor([[0.5, -1.0], [2.0, 0.25]]), torch.tensor([[0.25, 1.0], [1.0, 0.75]]), torch.tensor([[1.0, 2.0], [0.5, 4.0]])
for loss in (F.mse_loss, F.l1_loss, F.huber_loss):
    for reduction in ("none", "mean", "sum"):
        t(loss.__name__ + " " + reduction, lambda: loss(a, b, weight=w, reduction=reduction))
    t(loss.__name__ + " of other weights", lambda: loss(a, b, weight=w[0]), True)
t("weighted and compiled", lambda: torch.compile(lambda a: F.mse_loss(a, b, weight=w))(a))
leaf = a.clone().requires_grad_()
t("its gradient", lambda: torch.autograd.grad(F.mse_loss(leaf, b, weight=w), leaf)[0])
signs = torch.tensor([1, -1])
t("bce", lambda: torch.binary_cross_entropy_with_logits(a, b))
t("bce of weights", lambda: torch.binary_cross_entropy_with_logits(a, b, w, None, 1))
t("kl", lambda: torch.kl_div(a, b, log_target=True))
t("kl summed", lambda: torch.kl_div(a, b, 2))
t("hinge", lambda: torch.hinge_embedding_loss(a, signs, 0.5))
t("hinge's mean", lambda: torch.hinge_embedding_loss(a, signs, margin=0.5, reduction=1))
t("cosine", lambda: torch.cosine_embedding_loss(a, b, signs))
t("ranking", lambda: torch.margin_ranking_loss(a, b, signs, 0.1))
t("ranking's mean", lambda: torch.margin_ranking_loss(a, b, signs, 0.1, 1))
t("triplet", lambda: torch.triplet_margin_loss(a, b, w))

# Plain forms: output_size, out=, a value of bool, dropout in training.
for sizes in ((6, 6), (1, 3, 5, 6), (7, 5), (6,)):
    torch.manual_seed(0)
    up = torch.nn.ConvTranspose2d(2, 3, 3, stride=2)
    t(f"output_size {sizes}", lambda: up(torch.ones(1, 2, 2, 2), output_size=sizes).shape, True)
t("output_size and dilation", lambda: torch.nn.ConvTranspose1d(1, 1, 2, 3, 1, dilation=2)(torch.ones(1, 4), output_size=[12]).shape)
chosen = torch.empty(2, 2)
t("where into", lambda: torch.where(a > 0, a, b, out=chosen) is chosen)
t("what is there", lambda: chosen)
t("where into none", lambda: torch.where(a > 0, a, b, out=torch.empty(0)))
t("pad by a bool", lambda: F.pad(a > 0, (1, 1), value=True))
torch.manual_seed(3)
t("dropout", lambda: torch.dropout(torch.ones(8), 0.5, True))
t("dropout not in training", lambda: torch.dropout(a, 0.5, False))
t("dropout of 0", lambda: torch.dropout(a, 0.0, True))

# Derivatives of functions of what requires a gradient outside keep it.
outer = torch.tensor([1.0, 2.0], requires_grad=True)
onward = lambda v: torch.autograd.grad(v.sum(), outer)[0]
t("hessian, and on", lambda: onward(torch.func.hessian(lambda v: (v**3).sum())(outer)))
t("hessian of two", lambda: torch.func.hessian(lambda v, w: (v**2 * w).sum(), (0, 1))(torch.ones(2), torch.ones(2))[0][1])
t("hessian of a vector", lambda: torch.func.hessian(lambda v: v**3)(torch.ones(2)))
t("jvp, and on", lambda: onward(torch.func.jvp(lambda v: v**3, (outer,), (torch.ones(2),))[1]))
t("jvp's value, and on", lambda: onward(torch.func.jvp(lambda v: v**3, (outer,), (torch.ones(2),))[0]))
t("jvp along, and on", lambda: onward(torch.func.jvp(lambda v: v**3, (torch.ones(2),), (outer,))[1]))
t("vjp, and on", lambda: onward(torch.func.vjp(lambda v: v**3, outer)[1](torch.ones(2))[0]))
t("vjp's value, and on", lambda: onward(torch.func.vjp(lambda v: v**3, outer)[0]))

# Kinds of Python as dtypes, sizes that no 64 bits hold, None among indices, the same tensor again.
for kind in (int, float, bool, complex):
    t(f"of {kind.__name__}", lambda: [x.detach().sum(dtype=kind), torch.zeros(2, dtype=kind), rows.prod(0, dtype=kind)])
    t(f"as {kind.__name__}", lambda: x.detach().type(kind), True)
for name in ("transpose(0, 2**64)", "sum(2**64)", "roll(2**64)", "topk(2**64)", "unsqueeze(2**64)", "split(2**64)",
             "repeat(2**64)", "reshape(2**64)", "view((2, 2**64))"):
    t(name, lambda: eval("rows." + name))
t("randn(2**70)", lambda: torch.randn(2**70))
t("index_put", lambda: rows.index_put([None, torch.tensor([1])], torch.tensor(9.0)), True)
t("index_put of aten", lambda: torch.ops.aten.index_put(rows, [None, torch.tensor([1])], torch.tensor(9.0)))
flat = torch.arange(3.0)
t("itself", lambda: [flat.flatten() is flat, torch.nn.Flatten(0)(flat) is flat, rows.flatten() is rows])

# 16 bits: lengths are summed in 32, slopes where there is no difference to speak of.
for dtype in (torch.float16, torch.bfloat16):
    long = torch.full((1000,), 300.0, dtype=dtype)
    t("lengths", lambda: [long.norm(), torch.linalg.norm(long), long.norm(3), (long * 1e-6).norm(), F.normalize(long, dim=0)[0]])
    grown = torch.nn.Parameter(long)
    grown.grad = long.clone()
    t("clipped", lambda: [torch.nn.utils.clip_grad_norm_([grown], 1.0), grown.grad[0]])
    for f in (F.smooth_l1_loss, F.huber_loss):
        edge = torch.tensor([float("nan")], dtype=dtype, requires_grad=True)
        t("slope of nan", lambda: torch.autograd.grad(f(edge, torch.zeros(1, dtype=dtype)), edge))
    for f in (torch.sinc, torch.exp2, F.logsigmoid, lambda v: F.glu(torch.cat([v, v])), lambda v: torch.xlogy(v, v)):
        for at in (1e-7, 0.5, 6e4):
            edge = torch.tensor([at], dtype=dtype, requires_grad=True)
            t("slope", lambda: torch.autograd.grad(f(edge).sum(), edge))

# One loss after the other: what was made for the gradient of a sum is not that of a mean.
for loss in (F.soft_margin_loss, F.binary_cross_entropy_with_logits, F.multi_margin_loss):
    for reduction in ("sum", "mean", "none", "sum"):
        at = torch.tensor([[0.5, -1.0, 2.0]], requires_grad=True)
        to = torch.tensor([1]) if loss is F.multi_margin_loss else torch.tensor([[1.0, 0.0, 1.0]])
        t("slope of a reduced loss", lambda: torch.autograd.grad(loss(at, to, reduction=reduction).sum(), at))

# A mask of one number, in a call of its own; bounds from the end; what belongs to no convolution.
q = torch.linspace(-1, 1, 1024).reshape(1, 2, 64, 8)
attention = torch.compile(lambda q, m: (torch.softmax(q @ q.transpose(-1, -2) * 0.5 + m, -1) @ q).abs().sum())
t("masked by a number", lambda: attention(q, torch.tensor(0.5)))
aten = torch.ops.aten
t("five dimensions", lambda: aten._scaled_dot_product_flash_attention_for_cpu(q, q[None], q, 0.0, True)[0].sum())
t("sliced from the end", lambda: aten.slice_backward(rows, [5, 3], 0, -3, -1, 1))
t("too short a slice", lambda: aten.slice_backward(rows, [5, 3], 0, 1, 4, 1))
t("slopes of bools", lambda: aten.tanh_backward(rows > 1, rows > 1))
t("slopes beside bools", lambda: aten.tanh_backward(rows, rows > 1))
image, taps = torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2)
t("another convolution", lambda: aten.convolution_backward(taps, image, taps, None, [1], [0], [1], False, [0], 1, [True] * 3))
t("its own name", lambda: aten._scan(rows, 0, "sum", False))
t("its own overload", lambda: aten.addmm.scaled)
t("a number too large", lambda: torch.nn.functional.pad(torch.ones(2, dtype=torch.uint8), (1, 1), value=300))
t("no number for it", lambda: torch.nn.functional.pad(torch.ones(2, dtype=torch.int64), (1, 1), value=float("nan")))
t("cut to a whole", lambda: torch.nn.functional.pad(torch.ones(2, dtype=torch.int64), (1, 1), value=1.5))
t("no right side", lambda: torch.linalg.solve(torch.eye(2), torch.tensor(1.0)))
t("no strides", lambda: torch.nn.functional.conv2d(image, taps, stride=(), padding="same"))
t("no dilations", lambda: torch.nn.functional.conv2d(image, taps, padding="same", dilation=()))
t("sums of logarithms of whole numbers", lambda: torch.logcumsumexp(torch.ones(3, dtype=torch.int64), 0))
