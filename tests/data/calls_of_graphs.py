# SPDX-License-Identifier: Apache-2.0
# What a backend of a script is given: a graph of the calls as the script writes them. Recorded: calls_of_graphs.txt.
import torch
import torch.nn as nn
import torch.nn.functional as F


def told(gm, example_inputs):
    print(gm.code.strip())
    print([tuple(v.shape) if isinstance(v, torch.Tensor) else v for v in example_inputs])
    return gm.forward


def tell(f, *args, **options):
    print("##", getattr(f, "__name__", type(f).__name__))
    torch._dynamo.reset()
    r = torch.compile(f, backend=told, **options)(*args)
    print(r if isinstance(r, torch.Tensor) else [v.tolist() if isinstance(v, torch.Tensor) else v for v in r])


o = torch.ones
w = o(3)
def f1(x, y): return torch.sin(x) + y.cos() * 2
def f2(x):
    a, b = x.split(1)
    y = x.view(-1)[1:]
    return F.relu(y) + a.sum() - b.mean(dim=1, keepdim=True), x.t()
def f3(d, l): return d["k"] @ l[0] + w
def f4(x):
    x.add_(1)
    x[0] = 5
    x += 2
    return x.relu_() * torch.ones(3)
def f5(x): return x.softmax(-1).to(torch.float64), x.size(0), torch.cat([x, x], dim=0), -x, x > 0, ~(x == 1), x.max(0)
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 2); self.seq = nn.Sequential(nn.ReLU(), nn.Linear(2, 2)); self.register_buffer("b", o(2))
        self.s = o(2)
        with torch.no_grad():
            for p in self.parameters(): p.fill_(0.5)
    def forward(self, x): return self.seq(self.l(x)) * self.b + self.s
def f6(x, n): return x * n + x.shape[0], x.reshape(x.shape[0] * 2, -1)
def f7(x):
    with torch.no_grad(): y = x * 2
    return y + F.dropout(x, 0.5, training=False) + torch.rand(3)


tell(f1, o(2), o(2))
tell(f2, o(2, 3))
tell(f3, {"k": o(3, 3)}, [o(3, 3)])
tell(f4, o(3))
tell(f5, o(2, 3))
tell(M(), o(4, 3))
tell(f6, o(2, 6), 3, dynamic=True)
torch.manual_seed(0)
tell(f7, o(3))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.drop = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Dropout(0.5)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn(self.conv(x))), 2)
        return F.log_softmax(self.fc(self.drop(x.flatten(1))), dim=1)


torch.manual_seed(0)
net = Net().eval()
torch._dynamo.reset()
compiled = torch.compile(net, backend=told)
print(torch.allclose(compiled(o(2, 1, 6, 6)), net(o(2, 1, 6, 6))))


def counted(gm, example_inputs):
    print(gm.graph)
    print(gm.print_readable(print_output=False).count("# File"), len(gm.graph.nodes))
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target is torch.relu:
            node.target = torch.sigmoid
    gm.recompile()
    return gm


@torch.compile(backend=counted)
def swapped(x, w):
    h = torch.relu(x @ w)
    h = h + 1
    return h.sum()


x, w2 = o(2, 3, requires_grad=True), torch.full((3, 2), 0.5, requires_grad=True)
loss = swapped(x, w2)
loss.backward()
print(loss.item(), x.grad.tolist(), w2.grad.tolist())
buffer = torch.zeros(3)


@torch.compile(backend=told)
def writes(x):
    buffer.add_(x)
    view = x[1:]
    view.mul_(3)
    return x.sum() + buffer.mean()


x = o(3)
print(writes(x), x, buffer, writes(x), x, buffer)

for f in [
    lambda x: x.softmax(-1),
    lambda x: x.to(torch.float64),
    lambda x: torch.cat([x, x], dim=0),
    lambda x: -x,
    lambda x: x > 0,
    lambda x: ~(x == 1),
    lambda x: x.max(0),
    lambda x: (x * 2, x.size(0)),
    lambda x: x.sort(dim=1),
    lambda x: torch.topk(x, 2),
    lambda x: x.bernoulli(0.5),
    lambda x: x[None, :, ..., 0],
    lambda x: torch.nn.functional.layer_norm(x, (3,)),
    lambda x: x.masked_fill(x > 0, 1),
    lambda x: torch.where(x > 0, x, 0.),
    lambda x: torch.arange(3) + x,
    lambda x: x.new_zeros(3),
    lambda x: torch.einsum("ij,kj->ik", x, x),
    lambda x: x @ x.t(),
    lambda x: x.float() + 1,
    lambda x: x.clone().fill_(3),
    lambda x: torch.tensor([1., 2., 3.]) * x,
    lambda x: torch.stack([x, x]).mean((0, 1)),
    lambda x: x.chunk(2),
    lambda x: torch.nn.functional.cross_entropy(x, torch.tensor([0, 1])),
    lambda x: x.expand(2, 2, 3).permute(2, 0, 1).contiguous(),
    lambda x: torch.nn.functional.scaled_dot_product_attention(x[None], x[None], x[None]),
    lambda x: x.abs().max().sqrt() if x.dim() == 2 else x,
    lambda x: torch.zeros_like(x),
    lambda x: x.shape[0] * x,
    lambda x: x.pow(2).sum().div_(2),
    lambda x: torch.nn.functional.one_hot(x.long(), 3),
    lambda x: x.cumsum(0).detach(),
    lambda x: torch.nn.functional.gelu(x),
    lambda x: x.var(0),
    lambda x: x.norm(),
    lambda x: x.unbind(0),
]:
    try:
        tell(f, o(2, 3))
    except Exception as e:
        print(type(e).__name__)


# What is given although the graph does not compute it; values of calls in place, and of those that give tuples.
def described(gm, ex):
    print(gm.code.strip())
    print([(n.name, type(n.meta.get("example_value")).__name__) for n in gm.graph.nodes])
    return gm.forward
def described_of(f, *args, **kw):
    print("##", f.__name__)
    torch._dynamo.reset()
    r = torch.compile(f, backend=described, **kw)(*args)
    print(r if isinstance(r, torch.Tensor) else [v.tolist() if isinstance(v, torch.Tensor) else v for v in r], [a.tolist() for a in args if isinstance(a, torch.Tensor)])
def a1(x): y = x + 1; return y, x
def a2(x): x[0] = 5; return x
def a3(x): v = x[1:]; v.add_(1); return x
def a4(x): x += 1; return x, x
def a5(x): y = x.mul_(2); return y
def a6(x): x.mul_(2); return [x, x * 3, x]
def a7(x): v = x[1:]; v.add_(1); return v
def a8(x, l): x.add_(1); l.append(x); return x.sum()
def a9(x): y = x * 2; y.add_(1); return y, y
def b1(x, w): w.copy_(x); return x * 2
def b2(x): x.add_(1); y = x; return y + 1, y
def b3(x): return x.add_(1).mul_(2)
def b4(x): x.zero_(); x.t_() if False else 0; return x.view(-1)
def b5(x): v, i = x.view(2, 1).max(0); p, q = x.split(1); return v + i, p, q
for f, a in [(a1, (o(2),)), (a2, (o(2),)), (a3, (o(2),)), (a4, (o(2),)), (a5, (o(2),)), (a6, (o(2),)), (a7, (o(2),)), (a8, (o(2), [])), (a9, (o(2),)), (b1, (o(2), o(2))), (b2, (o(2),)), (b3, (o(2),)), (b4, (o(2),)), (b5, (o(2),))]:
    described_of(f, *a)
# Blocks of autocast are calls, too.
def c1(x, w):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = x @ w
        with torch.autocast("cpu", enabled=False):
            z = y.float() @ w
    return y, z
@torch.autocast("cpu", dtype=torch.bfloat16)
def c2(x, w): return torch.mm(x, w) + 1
def c3(x, w): return x @ w
for f in (c1, c2): described_of(f, o(2, 2), o(2, 2))
with torch.autocast("cpu", dtype=torch.bfloat16): described_of(c3, o(2, 2), o(2, 2))
lin = torch.nn.Linear(2, 2)
with torch.no_grad(): lin.weight.fill_(0.5); lin.bias.fill_(1.0)
def c4(x):
    with torch.amp.autocast("cpu", dtype=torch.bfloat16): y = lin(x)
    return (y.float() ** 2).sum()
torch._dynamo.reset(); x = o(3, 2, requires_grad=True)
loss = torch.compile(c4, backend=described)(x); loss.backward(); print(loss.item(), x.grad.tolist(), lin.weight.grad.tolist())
