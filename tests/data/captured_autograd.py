# SPDX-License-Identifier: Apache-2.0
# torch.autograd.Function and torch.autograd.grad in compiled functions, without a break. Printed under PyTorch: captured_autograd.txt.
import torch
from torch import nn
compiled = False
def comp(f):
    return torch.compile(f, fullgraph=True) if compiled else f

class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result
    @staticmethod
    def backward(ctx, g):
        result, = ctx.saved_tensors
        return g * result * 2

class ScaledAdd(torch.autograd.Function):
    @staticmethod
    def forward(a, b, scale):
        return a + scale * b, (a * b).sum(), a.argmax()
    @staticmethod
    def setup_context(ctx, inputs, output):
        a, b, scale = inputs
        ctx.save_for_backward(a, b)
        ctx.scale = scale
        ctx.mark_non_differentiable(output[2])
    @staticmethod
    def backward(ctx, g1, g2, g3):
        a, b = ctx.saved_tensors
        return g1 + g2 * b, ctx.scale * g1 + g2 * a + 0.25, None

class Ste(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x.round()
    @staticmethod
    def backward(ctx, g): return g.clamp(-0.5, 0.5)

def run(name, f, *tensors):
    f = comp(f)
    for _ in range(2):
        xs = [t.clone().requires_grad_() if t.is_floating_point() else t for t in tensors]
        out = f(*xs)
        outs = out if isinstance(out, tuple) else (out,)
        loss = sum((o * torch.arange(1., 1 + o.numel()).view(o.shape)).sum() for o in outs if o.requires_grad)
        loss.backward()
        print(name, [o.detach().round(decimals=4).tolist() for o in outs], [None if x.grad is None else x.grad.round(decimals=4).tolist() for x in xs])

torch.manual_seed(0)
x = torch.tensor([0.3, -1.2, 2.1]); y = torch.tensor([1.5, 0.4, -0.7])
run("exp", lambda a: Exp.apply(a * 2) + a, x)
run("scaled", lambda a, b: ScaledAdd.apply(a, b * b, 3.0)[:2], x, y)
run("ste", lambda a: Ste.apply(a * 3) * a, x)
run("twice", lambda a, b: Exp.apply(Exp.apply(a * 0.1)) * Ste.apply(b), x, y)

# torch.autograd.grad
def inner(a):
    z = (a ** 3).sum()
    g, = torch.autograd.grad(z, a)
    return g * a
run("grad", inner, x)
def second(a):
    z = (a ** 3).sum()
    g, = torch.autograd.grad(z, a, create_graph=True)
    h, = torch.autograd.grad(g.sum(), a, create_graph=True)
    return g + h
run("second", second, x)
def mid(a, b):
    m = a * b
    n = torch.tanh(m)
    g1, g2 = torch.autograd.grad(n, [m, b], grad_outputs=torch.ones_like(n), create_graph=True, allow_unused=True)
    return g1, g2
run("mid", mid, x, y)
def unused(a, b):
    z = (a * 2).sum() + b.sum() * 0
    g = torch.autograd.grad(z, [a, b], allow_unused=True, create_graph=True)
    return a * g[0]
run("unused", unused, x, y)
def leafs(a):
    inner = a.detach().requires_grad_()
    with torch.enable_grad():
        e = torch.nn.functional.layer_norm(inner, (3,)).pow(3).sum()
    f, = torch.autograd.grad(e, inner)
    return a * f
run("leaf", leafs, x)
def gradexp(a):
    z = Exp.apply(a).sum()
    g, = torch.autograd.grad(z, a, create_graph=True)
    return g
run("gradexp", gradexp, x)
def funcgrad(a):
    return torch.func.grad(lambda v: (v.sin() * v).sum())(a) * a
run("funcgrad", funcgrad, x)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
def pde(t):
    u = net(t)
    du, = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)
    d2u, = torch.autograd.grad(du, t, torch.ones_like(u), create_graph=True)
    return ((d2u + u) ** 2).mean()
f = comp(pde)
for _ in range(2):
    net.zero_grad()
    t = torch.linspace(0, 1, 5).view(5, 1).requires_grad_()
    l = f(t); l.backward()
    print("pde", round(l.item(), 6), [p.grad.flatten()[:3].round(decimals=5).tolist() for p in net.parameters()], t.grad.flatten().round(decimals=5).tolist())
