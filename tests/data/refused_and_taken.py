"""Values that look like others: integers of NumPy as positions, seeds as texts, methods that are compiled already."""
import numpy as np
import torch


def show(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__)


x = torch.arange(3.0)
for k in (np.int64(1), np.int32(-1), np.argmax([1, 3, 2]), slice(np.int64(0), np.int64(2)), "a", {}, 1j):
    show(lambda: x[k])
show(lambda: torch.arange(6).reshape(2, 3)[np.int64(1), np.int16(2)])


class Two:
    def __index__(self):
        return 2


show(lambda: x[Two()])
x[np.int64(1)] = 5
print(x)

show(lambda: torch.frombuffer(b"abc", dtype=torch.int32))
show(lambda: torch.repeat_interleave(torch.ones(2), torch.tensor([-1, 2])))
show(lambda: torch.repeat_interleave(torch.ones(2), torch.tensor([0, 2])))
show(lambda: torch.quantile(torch.ones(2), 1.5))
show(lambda: torch.rot90(torch.ones(2)))
for seed in ("a", 1.5, "12", torch.tensor(3)):
    show(lambda: torch.manual_seed(seed).initial_seed())
z = torch.tensor([1 + 2j], requires_grad=True)
show(lambda: (z * 1).sum().backward())
p = torch.ones(2, requires_grad=True)
p.register_post_accumulate_grad_hook(lambda p: p.grad.zero_())
show(lambda: (p * 2).sum().backward())
print(ascii("İ".lower()), "ŉ".upper(), "ﬁ".title())

for of in (torch.nn.functional.nll_loss, torch.nn.functional.cross_entropy):
    weights = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    show(lambda: of(torch.zeros(2, 3), torch.tensor([0, 2]), weights).backward())

# A number has one place: neither none nor two of it are picked.
z = torch.tensor(5.)
for places in (torch.tensor(0), torch.tensor([0]), torch.tensor([0, 0]), torch.zeros(0, dtype=torch.long)):
    show(lambda: z.index_select(0, places))
    show(lambda: z.index_add(0, places, z))
    show(lambda: torch.compile(lambda z: z.index_select(0, places), backend="eager")(z * 1) if places.dim() else None)

# What out= takes: a dtype that the result can be cast to, or the result's own and no other.
i = torch.tensor([1, 0])
f, d, one = torch.tensor([1.5, 2.5]), torch.float64, torch.eye(2)
outs = {"mm": lambda o: torch.mm(one, one, out=o), "matmul": lambda o: torch.matmul(one, one, out=o),
        "bmm": lambda o: torch.bmm(one[None], one[None], out=o), "addmm": lambda o: torch.addmm(one, one, one, out=o),
        "gather": lambda o: torch.gather(f, 0, i, out=o), "index_select": lambda o: torch.index_select(f, 0, i, out=o),
        "tril": lambda o: torch.tril(one, out=o), "softmax": lambda o: torch.softmax(f, 0, out=o),
        "sort": lambda o: torch.sort(f, out=(o, torch.zeros(2, dtype=torch.int64)))[0],
        "places": lambda o: torch.sort(f, out=(torch.zeros(2), o))[1], "max": lambda o: torch.max(f, 0, out=(o, torch.zeros((), dtype=torch.int64)))[0],
        "argmax": lambda o: torch.argmax(f, dim=0, out=o), "amax": lambda o: torch.amax(f, 0, out=o), "norm": lambda o: torch.linalg.norm(f, out=o),
        "any": lambda o: torch.any(f > 2, 0, out=o), "where": lambda o: torch.where(f > 2, f, f, out=o), "floor": lambda o: torch.floor(f, out=o),
        "clamp": lambda o: torch.clamp(f, 0, 2, out=o), "add": lambda o: torch.add(f, 1, out=o), "sum": lambda o: torch.sum(f, 0, out=o),
        "outer": lambda o: torch.outer(f, f, out=o), "eq": lambda o: torch.eq(f, f, out=o), "var": lambda o: torch.var(f, 0, out=o)}
for name, call in outs.items():
    for dtype in (torch.float64, torch.float32, torch.int64, torch.int32, torch.uint8, torch.bool):
        try:
            print(name, dtype, call(torch.zeros(0, dtype=dtype)).tolist())
        except RuntimeError as error:
            print(name, dtype, error)

# Data that is assigned between forward and backward: the tape saved the tensor, of results their values.
def assigned(f, given, which):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = f(x)
    (x if which == "x" else y).data = given
    (y * 3).sum().backward()
    print(which, x.grad.tolist(), x.tolist(), y.tolist())


for given in (torch.zeros(2), torch.arange(4.0)[::2] + 1, torch.ones(2)):
    for f in (lambda x: x * x, lambda x: x.sqrt(), torch.compile(lambda x: x * x * x)):
        for which in "xy":
            assigned(f, given, which)

for format in (torch.channels_last, torch.contiguous_format, None, torch.preserve_format, 3):
    for sizes in ((2, 3, 4, 5), (1, 1, 2, 2), (2, 3)):
        show(lambda: torch.empty(sizes, memory_format=format).stride())
show(lambda: torch.empty(2, 3, 4, 5, 6, memory_format=torch.channels_last_3d, dtype=torch.int32, requires_grad=False).stride())
show(lambda: torch.zeros(2, memory_format=None))
for sizes in ((2**70,), (2, 2**70), (2**63, 2), (2**62,), (2**62, 8), (-1,)):
    for f in (torch.zeros, torch.ones, torch.empty, torch.ones(3).reshape, torch.ones(3).expand):
        show(lambda: f(*sizes))
        show(lambda: f(sizes))
show(lambda: torch.full((2**70,), 1))
show(lambda: torch.full((2,), 2**70))
try:
    torch.zeros(2, 2**70)
except TypeError as error:
    print(str(error)[:80])
show(lambda: torch.compile(lambda x: x, mode="default", options=None) is None)

# Results that go into tensors of the caller's.
def outs(*dtypes):
    return tuple(torch.empty(0, dtype=dtype) for dtype in dtypes)


row, places = torch.tensor([[3.0, 1.0, 2.0]]), (torch.float32, torch.int64)
for f in (torch.sort, torch.cummax, torch.median, torch.mode, torch.max):
    pair = outs(*places)
    got = f(row, 1, out=pair)
    print(got, got.values is pair[0], type(got), pair[1])
print(torch.topk(row, 2, out=outs(*places)), torch.aminmax(row, out=outs(*places[:1] * 2)).max)
two = torch.ones(2)
for parts, out in (([two, two], torch.empty(4, dtype=torch.int)), ([two, two], torch.empty(4, dtype=torch.double)),
                   ([two, two], 3), ([two], (torch.empty(2),)), ([two.int()], torch.empty(2)), ([two], None),
                   ([two], torch.empty(2, dtype=torch.bool))):
    show(lambda: torch.cat(parts, out=out))
    show(lambda: torch.stack(parts, out=out))
x = torch.arange(4.0)
show(lambda: torch.cat([x[:2], x[1:]], out=x[1:]))

for self, at, source in (((3,), [0], ()), ((3,), [0, 1], ()), ((3, 2), [0], ()), ((3,), 0, ()), ((), 0, ()), ((), [0], (1,)),
                         ((), [0, 0], (2,)), ((3,), [0], (1, 1)), ((3, 2), [0], (1, 3)), ((3, 2), [0], (2,)), ((3, 2), [[0]], (1, 2)),
                         ((3, 2), [0, 1], (3, 2)), ((3,), [7], (1,)), ((3,), [0.0], (1,))):
    index = torch.tensor(at)
    show(lambda: torch.zeros(self).index_copy_(0, index, torch.full(source, 2.0)))
    show(lambda: torch.zeros(self).index_reduce_(0, index, torch.full(source, 2.0), "amax"))
    show(lambda: torch.zeros(self).index_fill_(0, index, 2.0))

# Other sizes of the same memory: what shares it sees what is written there.
x = torch.arange(6.0).reshape(2, 3)
y = x.t()
print(y.resize_(3, 2).stride(), y.resize_(4).tolist(), x[1:].resize_(2).tolist(), x.t()[1:].resize_(2, 2).tolist(), x.resize_(0).shape)
x = torch.arange(12.0).reshape(3, 4)
row = x[1]
torch.add(torch.ones(2, 2), 1, out=row)
row.mul_(5)
print(row, x, x[0].resize_(2, 3).zero_(), x)
z = torch.arange(2.0)
print(z.resize_(4)[:2], z.resize_(1), z.resize_(2, 0).shape)

# What PyTorch has no kernel or no derivative for is refused, and by the same class of error.
half, whole, complex_ = torch.rand(3, 4).half() + 0.5, torch.ones(3, 4, dtype=torch.long), torch.ones(3, 4, dtype=torch.complex64)
image, F = torch.ones(1, 2, 4, 4, dtype=torch.long), torch.nn.functional
for name in "erfcx ndtri log_ndtr airy_ai bessel_j0 bessel_y1 modified_bessel_i0 scaled_modified_bessel_k0 spherical_bessel_j0".split():
    show(lambda: getattr(torch.special, name)(half))
    show(lambda: getattr(torch.special, name)(half.float()).dtype)
for of in (torch.minimum, torch.maximum, torch.fmax, torch.fmin):
    show(lambda: of(complex_, complex_))
for of in (torch.sort, torch.argsort, torch.msort, torch.argmax, torch.argmin, torch.aminmax, torch.sign, torch.isposinf,
           torch.max, torch.min, lambda x: x.max(0), lambda x: torch.topk(x, 1)):
    show(lambda: of(complex_))
show(lambda: torch.ones(2).imag)
show(lambda: torch.fft.fft(half))
for of in (torch.linalg.inv, torch.linalg.cholesky, torch.linalg.qr, torch.det):
    show(lambda: of(torch.eye(2).half()))
show(lambda: torch.cholesky(torch.eye(2)))
show(lambda: torch.qr(torch.eye(2)))
show(lambda: torch.cdist(half, half))
for of in (lambda: F.adaptive_avg_pool2d(image, 2), lambda: F.adaptive_max_pool2d(image, 2), lambda: F.unfold(image, 2),
           lambda: F.batch_norm(image, None, None, training=True), lambda: F.cross_entropy(whole, torch.tensor([0, 1, 2])),
           lambda: F.binary_cross_entropy(whole, whole), lambda: F.binary_cross_entropy_with_logits(whole, whole),
           lambda: F.prelu(whole, torch.ones(1, dtype=torch.long)), lambda: F.grid_sample(image, torch.zeros(1, 2, 2, 2, dtype=torch.long))):
    show(of)
show(lambda: torch.kaiser_window(5, beta=5.0))
show(lambda: torch.kaiser_window(5, True, beta=5.0).sum())
show(lambda: torch.hamming_window(5, alpha=0.5))
show(lambda: torch.hamming_window(5, True, alpha=0.5).sum())
leaf, places = torch.ones(3, 4, requires_grad=True), torch.zeros(3, 4, dtype=torch.long)
for how in ("add", "multiply"):
    show(lambda: torch.autograd.grad(leaf.scatter(0, places, 2.0, reduce=how).sum(), leaf))
    show(lambda: torch.autograd.grad(leaf.scatter(0, places, leaf * 2, reduce=how).sum(), leaf))
show(lambda: torch.autograd.grad(torch.bincount(torch.tensor([0, 1, 1]), torch.ones(3, requires_grad=True)).sum(), leaf))
show(lambda: torch.bincount(torch.tensor([0, 1, 1]), torch.tensor([0.5, 1, 2])))
show(lambda: torch.histc(leaf, 4).requires_grad)
show(lambda: torch.nn.InstanceNorm1d(3, affine=True)(torch.ones(5, 4)))
show(lambda: torch.nn.InstanceNorm2d(3)(torch.ones(3, 4)))

# Gradients of zeros, where others have none; ties that are halved.
picture, grid, empty = torch.rand(1, 2, 3, 3, requires_grad=True), torch.zeros(1, 2, 2, 2, requires_grad=True), torch.empty(0, requires_grad=True)
show(lambda: torch.autograd.grad(F.grid_sample(picture, grid, mode="nearest", align_corners=False).sum(), (picture, grid)))
show(lambda: torch.autograd.grad(torch.cat([leaf, empty]).sum(), (leaf, empty)))
bias = torch.full((4,), float("nan"), requires_grad=True)
show(lambda: torch.autograd.grad(torch.addmm(bias, leaf, torch.eye(4), beta=0).sum(), (bias, leaf)))
a = torch.tensor([1., 2., float("nan"), 1., float("nan")], requires_grad=True)
b = torch.tensor([1., float("nan"), 2., 3., float("nan")], requires_grad=True)
for of in (torch.fmax, torch.fmin, torch.maximum, torch.minimum):
    show(lambda: torch.autograd.grad(of(a, b).sum(), (a, b)))
edges = torch.tensor([0., 1., -0., 0.25, 2.], requires_grad=True)
show(lambda: torch.autograd.grad(torch.logit(edges).sum(), edges))
show(lambda: torch.autograd.grad(torch.logit(edges, 0.1).sum(), edges))
kinks = torch.tensor([-3., 3., float("nan"), -0., 0., 0.5, -0.5, 1., -1., 6.], requires_grad=True)
for name in "hardswish hardsigmoid elu softplus mish leaky_relu hardtanh softshrink hardshrink relu6 celu selu".split():
    show(lambda: torch.autograd.grad(getattr(F, name)(kinks).sum(), kinks))
torch.manual_seed(3)
inputs, window, onto = torch.randn(5, 2, 3), torch.randn(2, 3, 4), torch.randn(4)
show(lambda: torch.conv_tbc(inputs, window, onto, 1)[:2])
show(lambda: F.conv_tbc(inputs, window, onto).stride())
show(lambda: torch.conv_tbc(inputs, window.transpose(1, 2), onto))
show(lambda: torch.nn.InstanceNorm1d(3)(inputs[:, 0].t()[:3]))
show(lambda: torch.nn.InstanceNorm2d(2, affine=True)(torch.arange(8.).reshape(2, 2, 2)))
show(lambda: torch.nn.BatchNorm1d(3, bias=False).bias)
show(lambda: torch.nn.Embedding(3, 2, _freeze=True).weight.requires_grad)
show(lambda: torch.nn.Embedding.from_pretrained(torch.eye(2)).weight.requires_grad)
show(lambda: torch.nn.Embedding(3, 2, _weight=torch.eye(2)))

# 16 bits are rounded after each step, on the way back too.
torch.manual_seed(5)
for dtype in (torch.float16, torch.bfloat16):
    x, y = (torch.rand(6) + 0.5).to(dtype).requires_grad_(), (torch.rand(6) + 0.5).to(dtype).requires_grad_()
    for of in (lambda a, b: a / b, torch.hypot, torch.atan2, lambda a, b: a.pow(3),
               torch.logaddexp, lambda a, b: torch.lerp(a, b, 0.3), lambda a, b: torch.addcdiv(a, a, b), lambda a, b: a.cos() * b.sinh(),
               lambda a, b: F.elu(a - 1), lambda a, b: F.mish(a), lambda a, b: F.hardswish(a * b)):
        show(lambda: [g.tolist() for g in torch.autograd.grad(of(x, y).sum(), (x, y), allow_unused=True) if g is not None])


def ones_in_front(b):
    a = torch.zeros(3)
    a[0] = b.sum().reshape(1)
    a[1:] = b[None, None, 1:] * 2
    a[torch.tensor(1)] = b[0].reshape(1, 1)
    return a


for run in (ones_in_front, torch.compile(ones_in_front)):
    b = torch.tensor([1., 2., 3.], requires_grad=True)
    a = run(b)
    a.sum().backward()
    print(a.tolist(), b.grad.tolist())
try:
    torch.zeros(2)[0] = torch.ones(2)
except RuntimeError as error:
    print("RuntimeError")


def name_of(error):
    return "RuntimeError" if type(error).__name__ == "BackendCompilerFailed" else type(error).__name__


def refused(name, function):
    try:
        print(name, function())
    except Exception as error:
        print(name, name_of(error))


# What a formula of a gradient refuses is an exception of the script.
one = torch.tensor([1.0], requires_grad=True)
for function in (torch.logaddexp, torch.logaddexp2):
    refused(function.__name__, lambda: function(one, torch.tensor([True])).backward())
tall = torch.randn(4, 2, requires_grad=True)
refused("qr", lambda: torch.linalg.qr(tall, mode="complete")[0].sum().backward())
refused("hardsigmoid twice", lambda: torch.autograd.grad(torch.autograd.grad(
    torch.nn.functional.hardsigmoid(one), one, create_graph=True)[0], one))
refused("unique", lambda: torch.unique(one).sum().backward())
# Forms that PyTorch has not.
for name in ("relu", "rsub", "isnan", "clone", "flip", "roll", "masked_fill", "unsqueeze"):
    given = {"relu": (), "rsub": (one,), "flip": (0,), "roll": (1,), "masked_fill": (one > 0, 1.0), "unsqueeze": (0,)}
    refused(name + " out", lambda: getattr(torch, name)(one.detach(), *given.get(name, ()), out=torch.zeros(1)) and None)
for name in ("minimum_", "fmax_", "isnan_", "signbit_", "rsub_", "logaddexp_"):
    refused(name, lambda: getattr(torch.ones(1), name)(torch.ones(1)))
refused("aten relu out", lambda: torch.ops.aten.relu.out(torch.tensor([-1.0, 2.0]), out=torch.zeros(2)))
# Weights and statistics that have no gradient.
w, logits = torch.ones(3, requires_grad=True), torch.arange(6.0).reshape(2, 3) / 6
F = torch.nn.functional
refused("bce", lambda: F.binary_cross_entropy(logits, logits, weight=w))
refused("bce logits", lambda: F.binary_cross_entropy_with_logits(logits, logits, weight=w))
refused("bce positive", lambda: F.binary_cross_entropy_with_logits(logits, logits, pos_weight=w))
refused("margin", lambda: F.multi_margin_loss(logits, torch.tensor([0, 1]), weight=w))
refused("statistics", lambda: F.batch_norm(logits, w, torch.ones(3)))
refused("none wanted", lambda: F.batch_norm(logits, torch.zeros(3), torch.ones(3), w)[0].detach())
for dtype in (torch.float16, torch.bfloat16, torch.int64):
    refused("quantile", lambda: torch.quantile(torch.tensor([1, 2, 3]).to(dtype), 0.5))
refused("quantile of nothing", lambda: torch.quantile(torch.zeros(0, 3), 0.5, dim=1))
image = torch.ones(1, 1, 4, 4)
refused("linear_backward", lambda: torch.ops.aten.linear_backward(logits, logits, torch.ones(3, 3), [True, True, True]))
refused("max_pool2d_backward", lambda: torch.ops.aten.max_pool2d_backward(image[..., :2, :2], image, [2, 2]))
bits = torch.tensor([True, False])
refused("isin", lambda: torch.isin(torch.ones(2), bits))
refused("trapezoid", lambda: torch.trapezoid(torch.ones(2), bits))
refused("grid", lambda: F.grid_sample(image, torch.zeros(1, 2, 2, 2, dtype=torch.float64)))
refused("divergence", lambda: F.kl_div(torch.ones(2), torch.tensor([1, 0])))
refused("bincount", lambda: torch.bincount(bits))
# Along a dimension positions go round; without one they do not.
rows = torch.arange(15.).reshape(5, 3)
for place in (-6, -1, 5, 7):
    show(lambda: torch.take_along_dim(rows, torch.tensor([[place]]), 0).tolist())
    show(lambda: torch.compile(lambda x, i: torch.take_along_dim(x, i, 0), backend="eager")(rows, torch.tensor([[place]])).tolist())
show(lambda: torch.take_along_dim(rows, torch.tensor([-1])))
