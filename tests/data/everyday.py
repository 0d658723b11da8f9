# SPDX-License-Identifier: Apache-2.0
# What scripts do every day: slices by tensors, numbers of tensors, vmap, out=, views in place, averages, generators of numpy,
# saving, anomalies. Recorded: everyday.txt.
import io
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
from torch.func import vmap
from torch.utils import _pytree as pytree


def plain(v):
    if isinstance(v, (list, tuple)) and not hasattr(v, "numel") and not hasattr(v, "_fields"):
        return type(v)([plain(each) for each in v])
    return v.detach() if isinstance(v, torch.Tensor) and v.grad_fn is not None else v


def t(name, f, brief=False):
    try:
        print(name, plain(f()))
    except Exception as error:
        print(name, type(error).__name__, "" if brief else str(error).splitlines()[0])


# Slices and indices by tensors of one integer.
data, i, numbers = torch.arange(10), torch.tensor(3), list(range(10))
grid = torch.arange(12).view(3, 4)
t("batch", lambda: [data[k:k + 3].tolist() for k in torch.tensor([5, 0, 2])])
t("step", lambda: (data[i::i], data[-i:], data[:torch.tensor([2])], data[:torch.tensor(True)]))
t("grid", lambda: (grid[torch.tensor(1):, :torch.tensor(2)], grid[i - 2:i, i - 1]))
t("too many", lambda: data[:torch.tensor([2, 3])])
t("fraction", lambda: data[:torch.tensor(2.0)])
t("lists", lambda: (numbers[i:i + 2], numbers[i], "abcdef"[i:], (1, 2, 3, 4, 5)[i - 1:i], list(range(i)), range(i - 1, i)))
t("sizes", lambda: (torch.narrow(data, 0, i, 2), np.arange(10)[i:i + 2]))
t("empty bytes", lambda: (bool(b""), bool(b"a"), bool(bytearray())))
written = torch.zeros(6)
written[i:i + 2] = 5
written[:i - 2] += 1
t("written", lambda: written)

# Numbers of complex tensors.
z, w = torch.tensor(1 + 2j), torch.tensor(3 + 0j)
for value in (z, w):
    t("float", lambda: float(value))
    t("int", lambda: int(value))
    t("item", lambda: (value.item(), bool(value), complex(value), value.tolist(), torch.tensor([value.item()])))
    t("index", lambda: numbers[value])

# vmap: random numbers and empty batches.
rows = torch.ones(2, 3)
t("vmap error", lambda: vmap(lambda a: a + torch.rand(3))(rows))
t("vmap dropout", lambda: vmap(lambda a: F.dropout(a, 0.5))(rows))
torch.manual_seed(0)
t("vmap same", lambda: vmap(lambda a: a + torch.rand(3), randomness="same")(rows))
t("vmap different", lambda: vmap(lambda a: a + torch.rand(3), randomness="different")(rows))
t("vmap after", lambda: torch.rand(2))
t("vmap wrong", lambda: vmap(lambda a: a, randomness="some")(rows))
t("vmap empty", lambda: (vmap(lambda a: a * 2)(torch.zeros(0, 3)).shape, vmap(lambda a, b: (a.sum(), a @ b), (0, None))(torch.zeros(0, 3), rows.t())))
t("vmap dims", lambda: [r.shape for r in vmap(lambda a: (a, a * 2), out_dims=(0, 1))(torch.ones(2, 3))])
t("vmap keywords", lambda: vmap(lambda a, k=1: a * k)(rows, k=torch.tensor(3.0)))

# Results that go into given tensors.
x, o = torch.tensor([1.0, 4.0, 9.0]), torch.empty(3)
t("out", lambda: (torch.add(x, 1, out=o) is o, o, torch.sqrt(x, out=o), torch.matmul(x, x, out=torch.empty(()))))
t("out sizes", lambda: torch.mul(x, 2, out=torch.empty(0)))
t("out dtype", lambda: (torch.add(torch.tensor([1, 2]), 1, out=torch.empty(2)), torch.add(x, 1, out=torch.empty(3, dtype=torch.double))))
t("out cast", lambda: torch.add(x, 1, out=torch.empty(3, dtype=torch.long)), True)
t("out grad", lambda: torch.add(x, 1, out=o.clone().requires_grad_()), True)
t("out two", lambda: [v.tolist() for v in torch.max(grid, 1, out=(torch.empty(3, dtype=torch.long), torch.empty(3, dtype=torch.long)))])
t("out cat", lambda: (torch.cat([x, x], out=torch.empty(6)), torch.stack([x, x], 1, out=torch.empty(3, 2)).shape, torch.clamp(x, 2, 5, out=o)))

# Views in place.
v = torch.arange(6.0).view(2, 3)
same = v
t("views", lambda: (v.unsqueeze_(0).shape, same.shape, v.squeeze_().shape, v.t_().shape, v.stride(), v.transpose_(0, 1).shape, v.unsqueeze_(1).squeeze_(1).shape))
u = torch.ones(2, 3, requires_grad=True)
y = u * 2
kept = y.sin()
y.t_()
t("views grad", lambda: ((y * torch.arange(6.0).view(3, 2)).sum()).backward())
t("views grad", lambda: (u.grad, y.shape, kept.shape))
y = u * 3
kept = y.sin()
y.t_()
try:
    kept.sum().backward()
except RuntimeError as error:
    print("views saved", "modified by an inplace operation" in str(error))
t("views leaf", lambda: u.unsqueeze_(0))
with torch.no_grad():
    t("views leaf", lambda: (u.t_().shape, u.requires_grad, u.is_leaf))
base = torch.zeros(2, 3)
view = base[0]
view.unsqueeze_(0)
view += 1
t("views memory", lambda: base)

# Texts of tensors.
torch.set_printoptions(precision=2, sci_mode=False)
t("print", lambda: torch.tensor([1.23456, 1e-6, 12345.678]))
torch.set_printoptions(profile="short")
t("print", lambda: torch.tensor([1.23456, 2.0]))
torch.set_printoptions(profile="default", threshold=10, edgeitems=2, linewidth=40)
t("print", lambda: (torch.arange(30.0), torch.arange(20).view(10, 2)))
torch.set_printoptions(sci_mode=True)
t("print", lambda: torch.tensor([1.0, 2.5]))
torch.set_printoptions(profile="full")
t("print", lambda: torch.arange(1200).sum() + torch.arange(1100)[-3:])
torch.set_printoptions(profile="default")
t("print", lambda: torch.tensor([1.23456, 2.0]))

# numpy's generator.
rng = np.random.default_rng(42)
t("rng", lambda: (rng.random(3), rng.integers(0, 10, 5), rng.normal(1.0, 2.0, (2, 2)), rng.standard_normal(), rng.uniform(-1, 1)))
t("rng", lambda: (rng.permutation(6), rng.choice(5, 3, replace=False), rng.choice([1.5, 2.5], 3, p=[0.25, 0.75]), rng.exponential(2.0), int(rng.integers(2 ** 40))))
order = np.arange(6)
rng.shuffle(order)
t("rng", lambda: (order, np.random.default_rng(7).integers(1, 6, 8, endpoint=True), np.random.default_rng(rng) is rng))

# Lists of tensors, nests, saving.
many = [torch.ones(2), torch.arange(3.0)]
torch._foreach_mul_(many, 0.5)
torch._foreach_add_(many, [torch.ones(2), torch.ones(3)], alpha=2)
torch._foreach_lerp_(many, [torch.zeros(2), torch.zeros(3)], 0.5)
t("foreach", lambda: (many, torch._foreach_sqrt(many), torch._foreach_norm(many), torch._foreach_sub(many, 1), torch._foreach_addcdiv(many, many, many, 2)))
nest = {"a": [1, (2, torch.tensor(3))], "b": None}
leaves, spec = pytree.tree_flatten(nest)
t("nest", lambda: (leaves, spec.num_leaves, pytree.tree_unflatten(leaves, spec) == nest, pytree.tree_map(lambda v: v * 2 if v is not None else 0, nest)))
model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
file = io.BytesIO()
torch.save({"model": model.state_dict(), "epoch": 3, "rate": 0.1, "names": ("a", "b"), "dtype": torch.float16, "flags": torch.tensor([True, False])}, file)
file.seek(0)
back = torch.load(file)
t("saved", lambda: (list(back), back["epoch"], back["rate"], back["names"], back["dtype"], back["flags"], list(back["model"])))
t("saved", lambda: [torch.equal(a, b) and a.dtype == b.dtype for a, b in zip(model.state_dict().values(), back["model"].values())])
t("saved", lambda: nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)).load_state_dict(back["model"]))

# Averages of weights.
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn
torch.manual_seed(1)
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
mean, moving = AveragedModel(net), AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9), use_buffers=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
scheduler = SWALR(optimizer, swa_lr=0.05, anneal_epochs=3)
rates = []
for step in range(4):
    optimizer.zero_grad()
    net(torch.randn(4, 2)).pow(2).sum().backward()
    optimizer.step()
    mean.update_parameters(net)
    moving.update_parameters(net)
    scheduler.step()
    rates.append(round(scheduler.get_last_lr()[0], 6))
update_bn([torch.ones(3, 2), torch.zeros(3, 2)], mean)
t("averages", lambda: (rates, mean.n_averaged, mean.module[0].weight, moving.module[0].bias, moving.module[1].running_mean, mean.module[1].running_mean))

# Layers.
torch.manual_seed(2)
t("same", lambda: (F.conv2d(torch.randn(1, 2, 5, 4), torch.randn(3, 2, 2, 4), padding="same"), nn.Conv1d(2, 2, 4, padding="same")(torch.randn(2, 7)).shape,
                   F.conv1d(torch.randn(1, 1, 6), torch.randn(1, 1, 2), padding="same", dilation=3)))
table = nn.Embedding(4, 3, max_norm=1.0)
with torch.no_grad():
    table.weight.mul_(3)
found = table(torch.tensor([[0, 2], [2, 0]]))
found.sum().backward()
t("max_norm", lambda: (found, table.weight.norm(dim=1), table.weight.grad))
for options in ({"add_bias_kv": True}, {"add_zero_attn": True}, {"add_bias_kv": True, "add_zero_attn": True}):
    attention = nn.MultiheadAttention(4, 2, batch_first=True, **options).eval()
    q = torch.randn(2, 3, 4)
    output, weights = attention(q, q, q, key_padding_mask=torch.tensor([[False, False, True], [False, False, False]]))
    t("attention", lambda: (output, weights.shape, [n for n, p in attention.named_parameters()]))

# Gradients that become NaN.
leaf = torch.tensor([0.0, 1.0], requires_grad=True)


def anomaly(function):
    with torch.autograd.detect_anomaly():
        function().sum().backward()


t("anomaly", lambda: anomaly(lambda: leaf.log() * 0 / 0))
t("anomaly", lambda: anomaly(lambda: leaf.sqrt() * 0))
t("anomaly", lambda: (anomaly(lambda: leaf.sqrt()), leaf.grad, torch.is_anomaly_enabled()))
t("no anomaly", lambda: (leaf.sqrt() * 0).sum().backward())

# A module that becomes another one behind a compiled function.
layer = nn.Linear(2, 2)
step = torch.compile(lambda x: layer(x))
step(torch.ones(2))
layer.__class__ = nn.Identity
t("class", lambda: step(torch.ones(2)))

# Parametrizations.
from torch.nn.utils import parametrizations, parametrize, spectral_norm
torch.manual_seed(3)
for name, make in (("spectral", lambda: parametrizations.spectral_norm(nn.Linear(3, 2))), ("old", lambda: spectral_norm(nn.Conv1d(2, 3, 2))),
                   ("weight", lambda: parametrizations.weight_norm(nn.Linear(3, 2))), ("transposed", lambda: parametrizations.spectral_norm(nn.ConvTranspose1d(2, 3, 2)))):
    made = make()
    x = torch.randn(2, 2, 4) if "Conv" in type(made).__name__ else torch.randn(2, 3)
    made(x)
    made(x).pow(2).sum().backward()
    t(name, lambda: (made(x), made.eval()(x).sum(), [(n, p.grad) for n, p in made.named_parameters()], list(made.state_dict())))


class Symmetric(nn.Module):
    def forward(self, m):
        return m.triu() + m.triu(1).t()

    def right_inverse(self, m):
        return m.triu()


square = nn.Linear(2, 2)
parametrize.register_parametrization(square, "weight", Symmetric())
t("symmetric", lambda: (square.weight, parametrize.is_parametrized(square), type(square).__name__, [n for n, p in square.named_parameters()]))
square.weight = torch.tensor([[1.0, 2.0], [2.0, 3.0]])
t("symmetric", lambda: (square.weight, parametrize.remove_parametrizations(square, "weight").weight, type(square).__name__, parametrize.is_parametrized(square)))
