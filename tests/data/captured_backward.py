# SPDX-License-Identifier: Apache-2.0
# loss.backward() in compiled functions, without a break. Printed under PyTorch: captured_backward.txt.
import torch
from torch import nn
import torch.nn.functional as F
compiled = False
def comp(f):
    return torch.compile(f, fullgraph=True) if compiled else f

def show(t):
    return None if t is None else t.detach().round(decimals=4).tolist()

# A whole training step: zero_grad, forward, backward, step.
for make in (lambda p: torch.optim.SGD(p, lr=0.1), lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9)):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    opt = make(net.parameters())
    def step(x, y):
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        return loss
    f = comp(step)
    for i in range(4):
        loss = f(torch.linspace(-1, 1, 12).view(4, 3) * (i + 1), torch.tensor([0, 1, 1, 0]))
        print("step", round(loss.item(), 5), loss.requires_grad, show(net[0].bias), show(net[2].weight.grad))

# .grad is added to, and stays the object that it was.
w = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)
def twice(x):
    (w * x).sum().backward()
    (w ** 2 * x).sum().backward()
    return w.grad * 2
f = comp(twice)
kept = None
for i in range(3):
    out = f(torch.tensor([1.0, 2.0, 3.0]) + i)
    if kept is None: kept = w.grad
    print("adds", show(out), show(w.grad), kept is w.grad, w.grad.requires_grad, w.grad.is_leaf)

# Every leaf gets a gradient in memory of its own.
a = torch.ones(2, 3, requires_grad=True); b = torch.full((2, 3), 2.0, requires_grad=True)
def both(g):
    (a + b).backward(g)
f = comp(both)
g = torch.arange(6.0).view(2, 3)
for _ in range(2):
    a.grad = b.grad = None
    f(g)
    a.grad.add_(1); g.add_(10)
    print("own", show(a.grad), show(b.grad), a.grad.stride(), b.grad.is_contiguous())
def spread():
    a.sum().backward()
f = comp(spread)
for _ in range(2):
    a.grad = None
    f(); a.grad[0, 0] = 5
    print("spread", show(a.grad), a.grad.stride())
m = torch.randn(3, 4).t().detach().requires_grad_()
def turned(x):
    (m @ x).sum().backward()
f = comp(turned)
for _ in range(2):
    m.grad = None
    f(torch.arange(6.0).view(3, 2))
    print("turned", show(m.grad), m.grad.stride())

# inputs=, several roots, retain_graph, unused leaves.
p = torch.tensor([1.0, 2.0], requires_grad=True); q = torch.tensor([3.0, 4.0], requires_grad=True)
def chosen(x):
    y = (p * q * x).sum()
    y.backward(inputs=[q], retain_graph=True)
    z = y * 2
    torch.autograd.backward([z, (p * x).sum()])
    return y.detach()
f = comp(chosen)
for _ in range(2):
    p.grad = q.grad = None
    print("chosen", show(f(torch.tensor([0.5, 2.0]))), show(p.grad), show(q.grad))
def blocked(x):
    with torch.no_grad():
        k = q * 2
    (p * k + q.detach() * x).sum().backward()
f = comp(blocked)
for _ in range(2):
    p.grad = q.grad = None
    f(torch.tensor([0.5, 2.0]))
    print("blocked", show(p.grad), show(q.grad))

# An argument, and who calls it may change: no gradient, one that is there, no leaf.
def square(x):
    y = (x * x).sum()
    y.backward()
    return y
f = comp(square)
x = torch.tensor([1.0, 2.0], requires_grad=True)
for _ in range(3):
    print("argument", show(f(x)), show(x.grad))
x = torch.tensor([3.0], requires_grad=True)
print("argument", show(f(x)), show(x.grad))

# What backward() has freed is freed.
y = f(x)
try:
    y.backward()
except RuntimeError as e:
    print("again", str(e)[:30])
print(y.requires_grad, y.is_leaf)

# Functions of the script on the way, and losses of nn.
class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v): return v * 2
    @staticmethod
    def backward(ctx, g): return g.clamp(-0.5, 0.5)
def clipped(v):
    Clip.apply(v * 3).sum().backward()
f = comp(clipped)
x = torch.tensor([3.0, 1.0], requires_grad=True)
for _ in range(2):
    x.grad = None
    f(x); print("function", show(x.grad))
torch.manual_seed(1)
table = nn.Embedding(5, 3); norm = nn.LayerNorm(3)
def language(i):
    loss = (norm(table(i)) ** 3 * torch.arange(6.0).view(2, 3)).sum()
    loss.backward()
    nn.utils.clip_grad_norm_(table.parameters(), 0.5)
f = comp(language)
for _ in range(2):
    table.zero_grad(); norm.zero_grad()
    f(torch.tensor([1, 3]))
    print("language", show(table.weight.grad), show(norm.weight.grad), show(norm.bias.grad))
