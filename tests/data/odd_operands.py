# SPDX-License-Identifier: Apache-2.0
# Orders of 0, cut circular padding, weights of one row, shared gradients of tables. What PyTorch
# printed: odd_operands.txt.
import torch
import torch.nn.functional as F


def tell(name, function):
    try:
        print(name, function())
    except (RuntimeError, NotImplementedError) as error:
        print(name, type(error).__name__)


def rounded(t):
    return [round(v, 4) for v in t.flatten().tolist()]


for dtype in (torch.int64, torch.uint8, torch.bool):
    for decimals in (0, 1, -1):
        tell(f"round {dtype} {decimals}", lambda: torch.tensor([3, 15]).to(dtype).round(decimals=decimals))
tell("round", lambda: torch.tensor([3.14, 15.0]).round(decimals=-1))
half = torch.tensor([0.5])
tell("quantile", lambda: torch.quantile(torch.ones(3, dtype=torch.float64), half))
tell("nanquantile", lambda: torch.nanquantile(torch.ones(3, dtype=torch.float64), half))
tell("quantile of floats", lambda: torch.quantile(torch.ones(3), half))

x = torch.tensor([0.0, float("nan"), 2.0, -0.0, -3.0], requires_grad=True)
orders = {
    "norm": lambda: x.norm(0),
    "vector_norm": lambda: torch.linalg.vector_norm(x, 0),
    "of dimensions": lambda: x.view(5, 1).norm(0, dim=1),
    "pairwise": lambda: F.pairwise_distance(x, torch.zeros(5), p=0.0, eps=0.0),
}
for name, function in orders.items():
    y = function()
    print(name, rounded(y), y.requires_grad)
    y.sum().backward()

w = torch.ones(4, requires_grad=True)
for sizes in ((6, 4), (4,), (2, 3, 4)):
    tell(f"linear {sizes}", lambda: F.linear(torch.arange(4.0).expand(sizes), w).tolist())
tell("linear with a bias", lambda: F.linear(torch.ones(6, 4), w, torch.tensor(2.0)))
tell("linear of other sizes", lambda: F.linear(torch.ones(6, 4), torch.ones(3)))
F.linear(torch.arange(8.0).view(2, 4), w).sum().backward()
print("gradient", w.grad)

y = torch.arange(8.0).view(1, 2, 4).requires_grad_()
for mode, pads in {
    "circular": ((-1, 2), (2, -1), (-1, -1), (-3, 1), (-2, 2), (1, 2)),
    "reflect": ((-1, 2), (2, -1)),
    "replicate": ((-1, 2), (2, -1)),
}.items():
    for pad in pads:
        y.grad = None
        padded = F.pad(y, pad, mode=mode)
        (padded * torch.arange(float(padded.shape[-1]))).sum().backward()
        print(mode, pad, padded.tolist(), y.grad.tolist())

index = torch.tensor([0, 2, 2, 1, 2])
for padding in (None, 1, -1):
    table = torch.arange(6.0).view(3, 2).requires_grad_()
    rows = F.embedding(index, table, padding, scale_grad_by_freq=True)
    (rows * torch.arange(10.0).view(5, 2)).sum().backward()
    print("embedding", padding, rows.tolist(), rounded(table.grad))
layer = torch.nn.Embedding(3, 2, scale_grad_by_freq=True)
layer(index).sum().backward()
print("layer", layer.weight.grad)

nothing = torch.empty(0, requires_grad=True)
empty = F.batch_norm(nothing, torch.empty(0), torch.empty(0), training=True)
empty.sum().backward()
print("batch norm of nothing", empty.shape, nothing.grad.shape)

for count in (lambda v: torch.linalg.vector_norm(v, 0), lambda v: torch.norm(v, p=0), lambda v: torch.linalg.norm(v, 0)):
    some = torch.tensor([1.0, 0.0, 2.0], requires_grad=True)
    size = count(some)
    size.backward()
    print("norm of order 0", size.item(), size.requires_grad, some.grad)
# The slope of logit's slope at 0 and 1; elements that share memory; an index smaller than what is added.
ends = torch.tensor([0.0, 0.25, 1.0, -1.0], requires_grad=True)
for eps in (None, 0.1):
    slope = torch.autograd.grad(torch.logit(ends, eps).sum(), ends, create_graph=True)[0]
    print("logit", slope.detach(), torch.autograd.grad(slope.sum(), ends)[0])
wide = torch.zeros(3).expand(2, 3)
wide.index_put_((torch.tensor([0, 1, 1]), torch.tensor([0, 0, 2])), torch.tensor([1.0, 2.0, 4.0]), accumulate=True)
print("added", wide)
for name in ("tril_", "triu_"):
    square = torch.ones(3).expand(3, 3)
    getattr(square, name)()
    print(name, square)
few = torch.tensor([[0, 1], [2, 0]])
for run in (lambda x, y: x.scatter_add(0, few, y), torch.compile(lambda x, y: x.scatter_add(0, few, y))):
    leaf = torch.zeros(3, 4, requires_grad=True)
    added = run(leaf, torch.arange(12.0).reshape(3, 4))
    added.pow(2).sum().backward()
    print("few", added.detach(), leaf.grad)
truth = torch.tensor([[True, False], [True, True]])
for function in (torch.any, torch.all):
    print("no dims", function(truth, dim=()), function(truth.float(), dim=(), keepdim=True), function(truth.to(torch.uint8), dim=[]))
# A single wider number beside floats of 16 bits is rounded first, but as a factor.
for dtype in (torch.bfloat16, torch.float16):
    some = torch.linspace(-2, 2, 9).to(dtype)
    number, whole = torch.tensor(1.1), torch.arange(255, 264)
    for function in (torch.add, torch.sub, torch.mul, torch.div, torch.fmod, torch.remainder, torch.lt, torch.maximum):
        print(function.__name__, function(some, number).tolist(), function(some, whole).tolist())
    print("equal", torch.tensor(1.1).to(dtype) * torch.ones(2, dtype=dtype) == number)
# Attention of the encoder's fast path.
heads, seen = torch.linspace(-1, 1, 24).reshape(2, 3, 4), torch.tensor([[False, True, True], [False, False, True], [False, False, False]])
parts = (torch.linspace(-1, 1, 48).reshape(12, 4), torch.linspace(0, 1, 12), torch.eye(4), torch.zeros(4))
for more in ((), (None, False), (seen, True, True, 0), (seen[1:], True, False, 1)):
    print(torch.ops.aten._native_multi_head_attention(heads, heads, heads, 4, 2, *parts, *more))
torch.manual_seed(5)
chances = torch.full((6,), 0.5)
for drawn in (torch.ops.aten.bernoulli(chances), torch.ops.aten.bernoulli.p(chances, 0.3), torch.ops.aten.bernoulli.Tensor(chances, chances)):
    print(drawn)
# A number times integers, in gradients.
whole, half = torch.tensor([2, 3]), torch.tensor([1.0, 2.0], requires_grad=True)
for function in (lambda: torch.addcmul(half, whole, half, value=2.5), lambda: torch.addcmul(half, half, whole, value=2.5),
                 lambda: torch.addcdiv(half, whole, half, value=2.5)):
    print("times integers", function().detach(), torch.autograd.grad(function().sum(), half)[0])
# A float beside doubles is one.
tenths = torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64)
print("tenths", torch.isin(tenths, 0.1), torch.isin(0.2, tenths), torch.searchsorted(tenths, 0.1), torch.bucketize(0.3, tenths, right=True))
print("tenths", torch.isin(tenths.float(), 0.1), torch.searchsorted(tenths.float(), 0.1), torch.searchsorted(torch.tensor([1, 2]), 1.5))
