"""Compiled functions that break inside of what they call, change what is outside, and draw random numbers, with
gradients, against the same functions run eagerly: prints what differs, then a count."""
import torch
import torch.nn as nn
import torch.nn.functional as F

counts = {"agree": 0}


def same(name, ours, theirs):
    close = [(a - b).abs() <= 1e-5 * (1 + b.abs()) for a, b in zip(ours, theirs)]
    if len(ours) == len(theirs) and all([c.all().item() for c in close]):
        counts["agree"] += 1
    else:
        print(f"{name} differs: {ours} and {theirs}")


def inner(y):
    y = y * y
    len(y.tolist())
    return y.sin()


def nested(x):
    return (inner(x * 3) + inner(x - 1)).sum()


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(4, 4)
        self.drop = nn.Dropout(0.3)
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x):
        y = self.drop(F.gelu(self.line(x)))
        self.seen = 0.5 * self.seen + y.detach().mean(0)
        y.sum().item()
        return x + F.dropout(y, 0.1, self.training)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(), nn.BatchNorm1d(4), Block())
        self.calls = []

    def forward(self, x):
        self.calls.append(x.shape[0])
        return self.blocks(x).pow(2).mean()


def train(compiled):
    torch.manual_seed(7)
    net = Net()
    step = torch.compile(net) if compiled else net
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for i in range(4):
        optimizer.zero_grad()
        loss = step(torch.randn(6, 4))
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    net.eval()
    losses.append(step(torch.ones(6, 4)).detach())
    return losses + [p.detach() for p in net.parameters()] + [b.float() for b in net.buffers()] + [
        torch.tensor(net.calls)]


for _ in range(2):
    x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    torch.compile(nested)(x).backward()
    nested(y).backward()
    same("nested", [x.grad], [y.grad])
same("training", train(True), train(False))


def noisy(x):
    a = torch.randn_like(x) * x + torch.rand(3)
    return (a * F.dropout(x, 0.5)).sum()


def drawn(function):
    torch.manual_seed(11)
    x = torch.arange(3.0, requires_grad=True)
    results = []
    for i in range(3):
        loss = function(x)
        loss.backward()
        results.append(loss.detach())
    return results + [x.grad]


same("noisy", drawn(torch.compile(noisy, fullgraph=True)), drawn(noisy))


def assigned(x):
    y = x * 2
    y[0] = x[1] * x[2]
    y[1:] = x[1:] * x[0]
    z = torch.zeros(2, 3)
    z[1] = y
    z[0, 1:] = x[:2]
    return (z * z).sum()


same("items", drawn(torch.compile(assigned, fullgraph=True)), drawn(assigned))


def masks(n):
    return torch.rand(n, 3) + torch.randint(0, 5, (n, 3))


def many(function):
    torch.manual_seed(1)
    return [function(n) for n in (2, 3, 4, 7, 9)]


same("sizes that vary", many(torch.compile(masks)), many(masks))


def hooked(compiles):
    """A hook whose code breaks the graph of the gradients: they are computed as eager code does."""
    torch._dynamo.reset()
    seen = []
    layer = torch.nn.Linear(2, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1., 2.], [3., 4.]]))
    layer.register_full_backward_hook(lambda module, inputs, outputs: seen.append(inputs[0].tolist()))
    layer.register_full_backward_pre_hook(lambda module, outputs: (outputs[0] * (1 + len(str(outputs[0].tolist())) % 2),))
    x = torch.ones(1, 2, requires_grad=True)
    (torch.compile(layer) if compiles else layer)(x).sum().backward()
    return [x.grad, layer.weight.grad, torch.tensor(seen)]


same("hooks that break", hooked(True), hooked(False))


class Named:
    def __init__(self, v):
        self.v = v


def names_kept(x):
    """An object's __dict__ that is written behind a break is still the object's."""
    new = Named(x)
    names = new.__dict__
    torch._dynamo.graph_break()
    names["v"] = x + 1
    return [new.v * 2]


same("names", torch.compile(names_kept)(torch.ones(2)), names_kept(torch.ones(2)))


def parametrized():
    """A module's class is set after the module was made in the function."""
    layer = torch.nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        layer.weight.fill_(2.)
    return [torch.nn.utils.parametrizations.weight_norm(layer)(torch.ones(1, 1) * 3).detach()]


same("parametrized", torch.compile(parametrized)(), parametrized())
print(counts["agree"], "agree")
