# SPDX-License-Identifier: Apache-2.0
# What scripts see of the tape, tensors without values, hooks of every module, and Python's small modules.
import base64
import decimal
import pickle
import queue
import uuid
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.modules.module import (register_module_forward_hook, register_module_forward_pre_hook,
                                     register_module_full_backward_hook, register_module_full_backward_pre_hook)
from torch.optim.sgd import SGD

# functions of the tape
x = torch.randn(4, 4, requires_grad=True)
w = torch.randn(4, 4, requires_grad=True)
b = torch.randn(4, requires_grad=True)
made = {
    "add": x + w, "pow": x ** 2, "powers": x.abs() ** w, "neg": -x, "relu": F.relu(x), "gelu": F.gelu(x),
    "softmax": F.softmax(x, -1), "sum": x.sum(), "rows": x.sum(1), "mean": x.mean(1), "max": x.max(),
    "most": x.max(1)[0], "amax": x.amax(1), "mm": x @ w, "mv": torch.mv(x, b), "bmm": torch.bmm(x[None], w[None]),
    "addmm": torch.addmm(b, x, w), "linear": F.linear(x, w, b), "view": x.view(16), "t": x.t(),
    "transpose": x.transpose(0, 1), "permute": x.permute(1, 0), "select": x[0], "slice": x[1:3],
    "index": x[torch.tensor([0, 1])], "cat": torch.cat([x, w]), "stack": torch.stack([x, w]), "clone": x.clone(),
    "where": torch.where(x > 0, x, w), "clamp": x.clamp(0, 1), "mse": F.mse_loss(x, w),
    "ce": F.cross_entropy(x, torch.tensor([0, 1, 2, 3])),
    "bce": F.binary_cross_entropy_with_logits(x, torch.ones(4, 4)), "norm": F.layer_norm(x, (4,), b, b),
    "embedding": F.embedding(torch.tensor([0, 1]), w), "dropout": F.dropout(x, 0.5, True),
    "conv": F.conv2d(x[None, None], w[None, None]), "pool": F.max_pool2d(x[None, None], 2),
    "double": x.double(), "std": x.std(), "prod": x.prod(), "cumsum": x.cumsum(0), "lse": x.logsumexp(0),
    "split": x.split(2)[0], "unbind": x.unbind()[0], "masked": x.masked_fill(x > 0, 0.), "topk": x.topk(2)[0],
    "sort": x.sort()[0], "gather": x.gather(1, torch.zeros(4, 1, dtype=torch.long)), "interpolate":
    F.interpolate(x[None, None], scale_factor=2.), "dot": b.dot(b), "repeat": x.repeat(2, 2), "roll": x.roll(1, 0),
}
for name, value in made.items():
    assert value.grad_fn.name() == type(value.grad_fn).__name__
    print(name, value.grad_fn.name())
for name in ("add", "neg", "mm", "mse", "addmm", "view"):
    print(name, [(type(node).__name__, i) for node, i in made[name].grad_fn.next_functions])
z = (x * w).sum()
product = z.grad_fn.next_functions[0][0]
print(product.next_functions[0][0].variable is x, product is z.grad_fn.next_functions[0][0], z.grad_fn is z.grad_fn)
print(isinstance(z.grad_fn, torch.autograd.graph.Node), type(z.grad_fn), product.next_functions[1][0].name(),
      type(product) is type((x * 2).grad_fn), hasattr(product, "variable"), len({z.grad_fn, z.grad_fn, product}))


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * a

    @staticmethod
    def backward(ctx, g):
        return g


def walk(node, depth=0):
    if node is not None:
        print(" " * depth + type(node).__name__)
        for before, _ in node.next_functions:
            walk(before, depth + 1)


walk(Square.apply(x.exp()).sum().grad_fn)
walk(nn.ReLU()(torch.addmm(b, x, w)).sum().grad_fn)

# tensors without values
t = torch.empty(2, 3, device="meta")
print(t, t.device, t.device.type, t.is_meta, repr(torch.device("meta")), t.to("meta") is t)
print(torch.ones(3, device="meta", dtype=torch.int64), (t @ t.t()).shape, torch.randn(2).to("meta"), t + 1)
for wrong in (t.cpu, t.tolist, lambda: torch.ones(1, device="meta").item(), lambda: bool(t.sum() > 0),
              lambda: nn.Linear(2, 2, device="meta").to("cpu")):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
before = torch.random.get_rng_state()
with torch.device("meta"):
    net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dropout(0.5), nn.Linear(4, 2))
    print(torch.arange(3), torch.rand(2).device)
print(before.equal(torch.random.get_rng_state()), net(torch.empty(5, 3, device="meta")), {p.device for p in net.parameters()})
net(torch.empty(5, 3, device="meta")).sum().backward()
print(net[0].weight.grad, sum(p.numel() for p in net.parameters()))
print(torch.compile(net, backend="eager")(torch.empty(5, 3, device="meta")).shape)
net.to_empty(device="cpu")
for layer in net:
    if hasattr(layer, "reset_parameters"):
        layer.reset_parameters()
print(net(torch.randn(5, 3)).shape, net[0].weight.device, type(net[0].weight).__name__)
layer = nn.Linear(2, 2, device="meta")
layer.load_state_dict({"weight": torch.ones(2, 2), "bias": torch.zeros(2)}, assign=True)
print(layer(torch.ones(1, 2)), nn.Conv2d(3, 8, 3, device="meta")(torch.empty(1, 3, 8, 8, device="meta")).shape)

# where classes come from
print(type(net), type(t), type(net[0].weight), torch.float32.__class__, type(t.shape), type(t.device), nn.Module)
print(type(torch.optim.Adam(net.parameters())), nn.LSTM.__module__, type(torch.utils.data.DataLoader([1])),
      torch.no_grad, type(torch.Generator()), SGD is torch.optim.SGD)
from torch.distributions.normal import Normal
from torch.utils.data.dataset import TensorDataset
print(Normal, TensorDataset, torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2)))

# hooks of every module
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
seen = []
handles = [register_module_forward_hook(lambda m, i, o: seen.append((type(m).__name__, tuple(o.shape)))),
           register_module_forward_pre_hook(lambda m, i: seen.append(("before", type(m).__name__))),
           register_module_full_backward_hook(lambda m, gi, go: seen.append(("back", type(m).__name__, gi[0] is None))),
           register_module_full_backward_pre_hook(lambda m, go: seen.append(("to", type(m).__name__)))]
net(torch.ones(2, 3)).sum().backward()
for handle in handles:
    handle.remove()
print(*seen, sep="\n")
seen.clear()
print(torch.compile(net, backend="eager")(torch.ones(2, 3)).detach(), seen)
torch._dynamo.reset()
twice = register_module_forward_hook(lambda m, i, o: o * 2 if isinstance(m, nn.ReLU) else None)
print(net(torch.ones(2, 3)).detach(), torch.compile(net, backend="eager")(torch.ones(2, 3)).detach())
twice.remove()

# Python's small modules
print(uuid.uuid5(uuid.NAMESPACE_DNS, "python.org"), len(uuid.uuid4().hex), uuid.uuid4() != uuid.uuid4())
print(Decimal("0.1") + Decimal("0.2"), Decimal(1) / 3, Decimal("1.10") * 3, Decimal("123.456").quantize(Decimal("0.01")),
      round(Decimal("2.675"), 2), Decimal("-7") % 3, Decimal(7) // 2, Decimal("1e-9"), Decimal("1E+5"), Decimal(0.1))
with decimal.localcontext() as context:
    context.prec = 6
    print(Decimal(1) / 7, Decimal(2).sqrt(), Decimal(2).exp(), Decimal(10).ln(), Decimal(2) ** Decimal("0.5"))
print(f"{Decimal('1234.5'):,.2f}", repr(Decimal("1.0")), Decimal("3.14") > 3, sorted([Decimal("2"), Decimal("-1")]),
      sum([Decimal("0.1")] * 3), Decimal("1.50").normalize(), int(Decimal("-2.9")), hash(Decimal(2)) == hash(2))
print(Fraction(1, 3) + Fraction(1, 6), Fraction("3/4"), Fraction(0.5), repr(Fraction(2, 4)), Fraction(7, 2) // 1,
      Fraction(3.14159).limit_denominator(100), Fraction(1, 2) ** 2, Fraction(1, 3) < 0.5, Fraction(4, 2) == 2)
print(base64.b64encode(b"hi there").decode(), base64.b64decode("aGk="), base64.urlsafe_b64encode(b"\xff\xfe"))
waiting = queue.PriorityQueue()
for item in (3, 1, 2):
    waiting.put(item)
with ThreadPoolExecutor(2) as pool:
    print([waiting.get() for _ in range(3)], list(pool.map(lambda i: i * i, range(4))), pool.submit(pow, 2, 5).result())


kept = pickle.loads(pickle.dumps({"a": np.arange(3.), "b": np.float32(1.5), "c": 1 + 2j, "d": frozenset([1]),
                                  "e": [np.array([True, False]), np.int64(3)]}))
print([complex(text) for text in ("1+2j", "-j", " (3e4) ", "2.5J", "-1-.5j", "inf", "+1")])
for text in ("", "1+2", "j1", "1 +2j", "0x1j"):
    try:
        complex(text)
    except ValueError as error:
        print(error)
print(kept, kept["a"].dtype, type(kept["b"]), type(kept["e"][1]))


class A:
    x = 1


class B(A):
    def f(self):
        pass


print([n for n in dir(B) if n[0] != "_"], "f" in dir(B()), "forward" in dir(nn.Linear))
print("__init__" in dir(A), "__class__" in dir(A()), "relu" in dir(torch), "add" in dir(torch.Tensor))
torch._C._set_grad_enabled(False)
print(torch.is_grad_enabled())
torch._C._set_grad_enabled(True)
with torch.profiler.profile(record_shapes=True) as prof:
    with torch.profiler.record_function("step"):
        F.relu(F.linear(torch.ones(1, 2), torch.ones(3, 2)))
found = {row.key: row.count for row in prof.key_averages()}
print(found["step"], found["aten::linear"], found["aten::relu"], "aten::relu" in prof.key_averages().table())

# graphs, masks and rounded values
class Flagged(nn.Module):
    def forward(self, x, flag=True, other=None):
        return x * 2 if flag else x


graph = torch.fx.symbolic_trace(Flagged(), concrete_args={"flag": True, "other": None})
print(graph.code, graph(torch.ones(1), True, None))
print(torch.fx.experimental.proxy_tensor.make_fx(lambda x, y: x.sin() + y)(torch.ones(1), torch.ones(1)).code)
print(torch._dynamo.explain(torch.compile(lambda x: torch.sin(x) + 1))(torch.ones(1)).op_count)
import torch.nn.utils.prune as prune
layer = nn.Linear(4, 2)
with torch.no_grad():
    layer.weight.copy_(torch.arange(-4., 4.).view(2, 4))
prune.l1_unstructured(layer, "weight", amount=0.5)
prune.l1_unstructured(layer, "weight", amount=1)
print(layer.weight.detach(), layer.weight_mask, sorted(n for n, _ in layer.named_parameters()), prune.is_pruned(layer))
layer(torch.ones(1, 4)).sum().backward()
print(layer.weight_orig.grad)
prune.remove(layer, "weight")
print(layer.weight, prune.is_pruned(layer), sorted(layer.state_dict()))
prune.ln_structured(layer, "weight", amount=1, n=2, dim=0)
print(layer.weight_mask)
points = torch.linspace(-1, 1, 6).requires_grad_()
rounded = torch.fake_quantize_per_tensor_affine(points, 0.1, 0, -5, 5)
rounded.sum().backward()
print(rounded.detach(), points.grad, torch.fake_quantize_per_channel_affine(
    torch.tensor([[0.26, 0.3], [1.0, 9.0]]), torch.tensor([0.1, 0.2]), torch.tensor([0, 1], dtype=torch.int32), 0, 0, 20))

# pruning, and pruning again
torch.manual_seed(3)


def new():
    layer = nn.Linear(4, 3)
    with torch.no_grad():
        layer.weight.copy_(torch.arange(-5., 7.).view(3, 4))
        layer.bias.copy_(torch.arange(3.))
    return layer
layer = new(); opt = torch.optim.SGD(layer.parameters(), lr=0.1)
weight = layer.weight
prune.l1_unstructured(layer, "weight", amount=0.5)
print(layer.weight_orig is weight)
prune.random_unstructured(layer, "weight", amount=2)
print(layer.weight_mask)
layer(torch.ones(1, 4)).sum().backward(); opt.step()
print(layer.weight_orig.detach(), layer.weight.detach())
layer(torch.ones(1, 4)); print(layer.weight.detach())
prune.random_structured(layer, "weight", amount=1, dim=1); print(layer.weight_mask)
prune.ln_structured(layer, "weight", 1, n=1, dim=0); print(layer.weight_mask)
prune.custom_from_mask(layer, "bias", torch.tensor([1, 0, 1])); print(layer.bias.detach())
prune.remove(layer, "weight"); prune.remove(layer, "bias")
print(layer.weight is weight, prune.is_pruned(layer))
a, b = new(), new()
pairs = [(a, "weight"), (b, "weight"), (b, "bias")]
prune.global_unstructured(pairs, prune.L1Unstructured, importance_scores={(b, "weight"): torch.arange(12.).view(3, 4) + 10}, amount=0.3)
print(a.weight_mask, b.weight_mask, b.bias_mask)
print(prune.L1Unstructured(0.5).prune(torch.arange(4.)), prune.L1Unstructured(2).prune(torch.arange(4.), importance_scores=-torch.arange(4.)))
for wrong in (lambda: prune.L1Unstructured(-1), lambda: prune.L1Unstructured(1.5), lambda: prune.L1Unstructured("a"),
              lambda: prune.l1_unstructured(new(), "weight", 13), lambda: prune.ln_structured(new(), "bias", 1, 2, 0),
              lambda: prune.ln_structured(new(), "weight", 1, 2, 2), lambda: prune.global_unstructured(pairs, prune.RandomStructured, amount=1),
              lambda: prune.remove(new(), "weight")):
    try: wrong(); print("no error")
    except (ValueError, TypeError, IndexError) as e: print(type(e).__name__, e)


# What hooks of functions get is as long as next_functions.
leaf, plain = torch.ones(3, requires_grad=True), torch.ones(3)
for name, made in (("mul", leaf * plain), ("add", leaf + plain), ("sub a number", leaf - 1), ("div", plain / leaf),
                   ("where", torch.where(plain > 0, leaf, plain)), ("linear", nn.functional.linear(
                       torch.ones(4, 3), torch.ones(2, 3, requires_grad=True), torch.zeros(2))),
                   ("convolution", nn.functional.conv1d(torch.ones(1, 1, 4), torch.ones(1, 1, 2, requires_grad=True))),
                   ("norm", nn.functional.layer_norm(torch.ones(2, 3), (3,), leaf, None)), ("slice", leaf[1:]),
                   ("gather", leaf.gather(0, torch.tensor([1]))), ("exp", leaf.exp())):
    made.grad_fn.register_hook(lambda given, arrived, of=made.grad_fn: print(
        name, [g if g is None else tuple(g.shape) for g in given], len(given) == len(of.next_functions)))
    made.sum().backward()
made = leaf * plain
made.grad_fn.register_hook(lambda given, arrived: (given[0] * 10, None))
leaf.grad = None
made.sum().backward()
print(leaf.grad)

# what activations say of themselves, and all that a star brings
from torch.nn import *
print(ReLU(), ReLU(True), ReLU6(True), SiLU(), Mish(True), SELU(), Hardsigmoid(True), Hardswish(), GELU("tanh"),
      Hardtanh(-2.0, 3, True), LeakyReLU(0.2, True), ELU(2.0), CELU(1.5, True), Softplus(2, 10), Softshrink(), Hardshrink(0.3),
      Threshold(0.1, 20, True), GLU(), Softmax(1), LogSoftmax(), Softmin(dim=0), PReLU(3), Dropout(0.2, True), Tanh())
print(LSTM(2, 3), MaxPool3d(2), CircularPad1d(1), [name for name in ("ReLU", "Softmax", "GELU", "Sigmoid", "Hardswish", "ELU")
                                                   if hasattr(globals()[name](), "inplace")])
points = torch.linspace(-3, 3, 7)
for name in ("ReLU ReLU6 SiLU Mish SELU Hardsigmoid Hardswish GELU Hardtanh LeakyReLU ELU CELU Softplus Softshrink Hardshrink "
             "Tanh Sigmoid LogSigmoid Softsign Tanhshrink").split():
    print(name, globals()[name].__module__, globals()[name]()(points))
print(Threshold(0.5, 2)(points), Softmin(0)(points), LogSoftmax(0)(points), GLU()(points[:6]), PReLU()(points).detach(),
      isinstance(BatchNorm2d(3), torch.nn.modules.batchnorm._BatchNorm), isinstance(Conv1d(1, 1, 1), torch.nn.modules.conv._ConvNd),
      isinstance(MSELoss(), torch.nn.modules.loss._Loss), isinstance(NLLLoss(), torch.nn.modules.loss._WeightedLoss))


# A function of the tape that a script wrote has what its context has.
class Kept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        y = x.exp() * k
        ctx.save_for_backward(x, y); ctx.k = k
        return y
    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * y, None
leaf = torch.ones(2, requires_grad=True)
made = Kept.apply(leaf, 3)
print([tuple(t.shape) for t in made.grad_fn.saved_tensors], made.grad_fn.k, made.grad_fn.saved_tensors[0] is leaf, hasattr(made.grad_fn, "other"))
made.sum().backward()
try: made.grad_fn.saved_tensors
except RuntimeError as e: print(str(e)[:60])
try: (leaf * 2).backward()
except RuntimeError as e: print(e)
