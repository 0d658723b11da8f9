# SPDX-License-Identifier: Apache-2.0
# __torch_function__ of classes, subclasses of torch.Tensor, modes. Recorded: torch_functions.txt.
import torch, functools
from torch.overrides import TorchFunctionMode
HANDLED = {}
def implements(f):
    def deco(fn): HANDLED[f] = fn; return fn
    return deco
class Diagonal:
    def __init__(self, n, v): self.n, self.v = n, v
    def __repr__(self): return f'Diagonal({self.n}, {self.v})'
    def tensor(self): return self.v * torch.eye(self.n)
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func not in HANDLED or not all(issubclass(t, (torch.Tensor, Diagonal)) for t in types): return NotImplemented
        return HANDLED[func](*args, **(kwargs or {}))
@implements(torch.mean)
def mean(d): return d.v / d.n
@implements(torch.add)
def add(a, b):
    if isinstance(a, Diagonal) and isinstance(b, Diagonal): return Diagonal(a.n, a.v + b.v)
    return (a.tensor() if isinstance(a, Diagonal) else a) + (b.tensor() if isinstance(b, Diagonal) else b)
@implements(torch.matmul)
def mm(a, b): return Diagonal(a.n, a.v * b.v) if isinstance(b, Diagonal) else a.v * b
d, e = Diagonal(3, 2.), Diagonal(3, 5.); print(torch.mean(d), torch.add(d, e), torch.add(d, torch.ones(3, 3)).sum(), torch.matmul(d, e), torch.matmul(d, torch.ones(3, 2)))
try: torch.sum(d)
except TypeError as err: print(str(err).split(' on types')[0])
class Logging(torch.Tensor):
    calls = []
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        Logging.calls.append(getattr(func, '__name__', '?')); return super().__torch_function__(func, types, args, kwargs or {})
x = torch.ones(2, 2).as_subclass(Logging); y = torch.relu(x @ x) + 1; print(type(y).__name__, isinstance(y, torch.Tensor), y.tolist(), [c for c in Logging.calls if c in ('matmul', 'relu', 'add')])
class Meta(torch.Tensor):
    @staticmethod
    def __new__(cls, data, meta='', **kw): return torch.as_tensor(data, **kw).as_subclass(cls)
    def __init__(self, data, meta='', **kw): self.meta = meta
    def double_it(self): return self * 2
t = Meta([1., 2.], meta='hi'); print(t.meta, t.double_it(), type(t + 1).__name__, t.sum(), hasattr(t + 1, 'meta'), t.requires_grad, t.shape, len(t))
t2 = Meta([3.], meta='g'); t2.requires_grad_(True); (t2 * t2).sum().backward(); print(t2.grad, type(t2.grad).__name__)
class Count(TorchFunctionMode):
    def __init__(self): super().__init__(); self.n = {}
    def __torch_function__(self, func, types, args=(), kwargs=None):
        k = getattr(func, '__name__', str(func)); self.n[k] = self.n.get(k, 0) + 1; return func(*args, **(kwargs or {}))
with Count() as c: z = torch.ones(2); z = torch.sin(z) + torch.cos(z); z = z.exp()
print({k: c.n.get(k) for k in ('ones', 'sin', 'cos', 'exp')})
class Swap(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None): return torch.cos(*args) if func is torch.sin else func(*args, **(kwargs or {}))
with Swap(): print(torch.sin(torch.zeros(2)))
class P(torch.nn.Parameter): pass
class M(torch.nn.Module):
    def __init__(s): super().__init__(); s.w = P(torch.ones(2))
print([type(p).__name__ for p in M().parameters()])

x = torch.arange(6.)
print(x.view(2, 3)._base is x, x.detach()._base, x[1:]._base is x, x.view(2, 3)[0]._base is x, x.t()._base is x, x._is_view(), x[1:]._is_view())
y = torch.ones(3, requires_grad=True)
print(y.view(3, 1)._base is y, y.detach()._base, (y * 2)[0]._base)
print(torch.linalg.LinAlgError.__mro__, ValueError.__mro__)
L = torch.compile(lambda a: torch.relu(a) * 2)
print(L(torch.ones(2).as_subclass(Logging)), L(torch.ones(2)))
def wrapped(a, v):
    d = Diagonal(2, v)
    return torch.matmul(d, a) + torch.mean(d)
print(torch.compile(wrapped, backend="eager")(torch.ones(2, 2), 3.0))
class Plain(torch.Tensor): pass
for r in torch.ones(2, 2).as_subclass(Plain): print(type(r).__name__, r)
p = Plain([[1., 2.], [3., 4.]]); print(p, p.as_subclass(torch.Tensor), p.t(), -p, 2 - p, p == 1, p.sum().item())
