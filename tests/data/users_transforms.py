# SPDX-License-Identifier: Apache-2.0
# Transformations of functions: vmap, grad, jacobians, functional calls. Recorded: users_transforms.txt.
import torch
from torch.func import vmap, grad, jacrev, jacfwd, hessian, vjp, jvp, functional_call, stack_module_state, grad_and_value
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
params = {k: v.detach() for k, v in net.named_parameters()}
def loss(p, x, y): return (functional_call(net, p, (x,)).squeeze(-1) - y).pow(2).mean()
x, y = torch.randn(5, 3), torch.randn(5)
per = vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)
print({k: (tuple(v.shape), round(v.norm().item(), 4)) for k, v in per.items()})
full = grad(loss)(params, x, y)
print(all(torch.allclose(per[k].mean(0), full[k], atol=1e-6) for k in per))
f = lambda v: torch.stack([v[0] * v[1], v[1].sin(), v.prod()])
v = torch.tensor([1., 2., 3.])
print(jacrev(f)(v), torch.allclose(jacrev(f)(v), jacfwd(f)(v)))
print(hessian(lambda u: (u ** 3).sum() + u[0] * u[1])(v))
out, back = vjp(f, v); print(out, back(torch.ones(3))[0])
print(jvp(f, (v,), (torch.ones(3),)))
g, val = grad_and_value(lambda u: (u * u).sum())(v); print(g, val)
nets = [torch.nn.Linear(2, 2) for _ in range(3)]
p, b = stack_module_state(nets)
base = torch.nn.Linear(2, 2, device="meta")
def call(p, b, x): return functional_call(base, (p, b), (x,))
o = vmap(call, (0, 0, None))(p, b, torch.ones(4, 2)); print(o.shape, torch.allclose(o[1], nets[1](torch.ones(4, 2))))
print(vmap(lambda a, b: a @ b, in_dims=(0, None))(torch.ones(2, 3, 4), torch.ones(4)).shape, vmap(torch.dot)(torch.ones(3, 2), torch.ones(3, 2)))
print(vmap(lambda a: (a.sum(), a * 2), out_dims=(0, 1))(torch.arange(6.).view(2, 3))[1].shape)
print(vmap(vmap(lambda a, b: a * b, (None, 0)), (0, None))(torch.arange(2.), torch.arange(3.)))
c = torch.compile(lambda p, x, y: vmap(grad(loss), (None, 0, 0))(p, x, y))
print(all(torch.allclose(c(params, x, y)[k], per[k], atol=1e-6) for k in per))
jc = torch.compile(jacrev(f)); print(torch.allclose(jc(v), jacrev(f)(v)))
try: vmap(lambda a, b: a + b)(torch.ones(2), torch.ones(3))
except ValueError as e: print(str(e)[:80])
try: print(vmap(lambda a: a + torch.randn(1), randomness="different")(v).shape); vmap(lambda a: a + torch.randn(1))(v)
except RuntimeError as e: print(str(e)[:60])
print(torch.autograd.functional.jacobian(f, v).shape, torch.autograd.functional.hvp(lambda u: (u**3).sum(), v, torch.ones(3))[1])
print(vmap(lambda m: torch.linalg.det(m))(torch.eye(2).repeat(3, 1, 1) * torch.arange(1., 4.)[:, None, None]))
def inverse(z):
    y = z.clone(); back = vmap(torch.Tensor.acos_)(y)
    return back is y, back is z, back
def parts(z):
    def one(a):
        b = a * 2; b.add_(1); b[0] = 5
        return b
    return vmap(one)(z)
def added(z, w):
    y = z.clone(); back = vmap(lambda a, b: a.add_(b), in_dims=(1, 0), out_dims=(1))(y, w)
    return back is y, y
for f in (inverse, parts):
    for g in (f, torch.compile(f, backend="eager", fullgraph=True)): print(g(torch.full((3, 2), 0.5)))
for g in (added, torch.compile(added, backend="eager", fullgraph=True)): print(g(torch.ones(3, 2), torch.arange(2.)))
import weakref
w = torch.ones(3, requires_grad=True); opt = torch.optim.SGD([w], lr=0.1); w.square().sum().backward(); r = weakref.ref(w.grad)
opt.step(); opt.zero_grad(); print(r() is None, w.grad); print(torch._refs.abs(-v))
