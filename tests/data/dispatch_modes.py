# SPDX-License-Identifier: Apache-2.0
# Modes that see or replace operations, tables of decompositions, rules of vmap. Recorded: dispatch_modes.txt.
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

aten = torch.ops.aten


class Log(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is not aten.detach.default:
            self.seen.append(str(func))
        return func(*args, **(kwargs or {}))


x = torch.full((2, 3), 0.5, requires_grad=True)
w = torch.ones(3, 2)
with Log() as log:
    y = (x @ w).relu().sum()
    z = torch.cat([x, x]).tanh() * 2 + 1
print(log.seen, type(y.grad_fn).__name__, z.requires_grad)
y.backward()
print(x.grad.tolist())


class Swap(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is aten.cos.default:
            func = aten.sin.default
        if func == aten.add.Tensor:
            return aten.sub.Tensor(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))


with Swap():
    print(torch.zeros(2).cos(), torch.ones(2) + torch.full((2,), 5.0))
print(torch.zeros(2).cos())


class Count(TorchDispatchMode):
    def __init__(self):
        self.by_name, self.elements = {}, 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        name = func._schema.name
        self.by_name[name] = self.by_name.get(name, 0) + 1
        if isinstance(out, torch.Tensor):
            self.elements += out.numel()
        return out


with Count() as count:
    a = x.detach() @ w
    b = torch.exp(a) / a.abs()
    c = torch.maximum(a, b).mean()
print(sorted(count.by_name.items()) if "aten::detach" not in count.by_name else sorted(
    (k, v) for k, v in count.by_name.items() if k != "aten::detach"))
with Log() as outer:
    with Log() as inner:
        w.sin()
    w.cos()
print(outer.seen, inner.seen)


class Refuse(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise ValueError(f"no {func.overloadpacket.__name__}")


try:
    with Refuse():
        w.exp()
except ValueError as e:
    print(e)
print(w.exp().sum() > 0)


class Names(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print("called", func.__name__)
        return func(*args, **(kwargs or {}))


with Names():
    (torch.ones(2) + 1).sum()


@torch.compile(backend="eager")
def compiled(x):
    return x.sin() + 1


with Log() as log:
    given = compiled(w)
print("aten.sin.default" in log.seen, torch.equal(given, w.sin() + 1))


def told(gm):
    return [str(n.target) for n in gm.graph.nodes if n.op == "call_function" and "detach" not in str(n.target)]


table = torch._decomp.get_decompositions([aten.silu, aten.mse_loss.default, aten.hardtanh])
print(len(table) > 0, all(callable(f) for f in table.values()), aten.silu.default in torch._decomp.core_aten_decompositions())
print(told(make_fx(lambda v: torch.nn.functional.silu(v))(w)), told(make_fx(lambda v: torch.nn.functional.silu(v), decomposition_table=table)(w)))
v = torch.tensor([-30.0, -1.0, 0.0, 0.3, 2.0, 40.0])
for f in [torch.nn.functional.silu, torch.nn.functional.gelu, torch.nn.functional.softplus, torch.nn.functional.elu,
          torch.nn.functional.hardswish, torch.nn.functional.leaky_relu, lambda v: v.softmax(0), lambda v: v.logsumexp(0),
          lambda v: torch.nn.functional.mse_loss(v, v + 1), lambda v: torch.lerp(v, v * 2, 0.25)]:
    gm = make_fx(lambda v: f(v), decomposition_table=torch._decomp.core_aten_decompositions())(v)
    print(torch.allclose(gm(v), f(v), atol=1e-6))


@torch.library.custom_op("dispatch_modes::scaled", mutates_args=())
def scaled(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * by


@scaled.register_vmap
def _(info, in_dims, x, by):
    print("the rule", info.batch_size, in_dims)
    return scaled(x, by), in_dims[0]


print(torch.vmap(scaled, in_dims=(1, None))(torch.arange(6.0).reshape(2, 3), 2.0).tolist())


class Numbers(TorchDispatchMode):
    def __torch_dispatch__(self, f, types, args=(), kwargs=None):
        print(f, [a for a in args if not isinstance(a, torch.Tensor)])
        return f(*args, **(kwargs or {}))


image, window = torch.ones(1, 1, 4), torch.ones(1, 1, 2)
with Numbers():
    print(torch.nn.functional.conv1d(image, window).shape, torch.nn.functional.conv1d(image, window, stride=(2,)).shape)


class Names(TorchFunctionMode):
    def __init__(self):
        self.seen = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append((func.__name__, len(args)))
        return func(*args, **(kwargs or {}))


def written(x):
    y = x.clone()
    y += 1
    y -= x
    y *= 2
    y /= 3
    y.add_(x).mul_(2).relu_().clamp_(0, 9).sigmoid_()
    y[0] = 5
    y[0, 1] = 7
    y[:, 1:] = x[:, 1:]
    y[x > 3] = 2
    z = x.clone()
    z.zero_()
    z.fill_(3)
    z.copy_(y)
    return z


def integers(i):
    j = i.clone()
    j //= 2
    j %= 5
    j **= 2
    j |= 8
    return (j << 1, 2 << j, 6 & j, 6 | j, 6 ^ j, 3 / j, j == 8)


grid = torch.arange(6.0).reshape(2, 3)
for mode in (Log, Names):
    with mode() as seen:
        given = written(grid)
    print(seen.seen, given.tolist())
with Names() as seen:
    given = integers(torch.tensor([9, 4]))
print(seen.seen, [g.tolist() for g in given])


class Twice(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is aten.add_.Tensor:
            print(func, func._schema.name, func._schema.overload_name, len(args))
            return aten.add_.Tensor(args[0], args[1] * 2)
        return func(*args, **(kwargs or {}))


leaf = torch.ones(3, requires_grad=True)
with Twice():
    y = leaf * 3
    y.add_(torch.ones(3))
    y.mul_(torch.full((3,), 2.0))
y.sum().backward()
print(y.tolist(), leaf.grad.tolist())


# What Python asks of a tensor is told to a mode, and to the class of the tensor.
class Names(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print("F", func.__name__, len(args), kwargs or {})
        return func(*args, **(kwargs or {}))


p, q = torch.tensor([1.0, -2.0]), torch.tensor([True, False])
with Names():
    found = [abs(p), ~q, +p, bool(p[0] > 0), len(p), repr(p), float(p[0]), int(p[0]), f"{p[0]:.2f}", 1.0 in p, [v for v in p]]
print(found)
class Kind(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return super().__torch_function__(func, types, args, kwargs or {})
k = p.as_subclass(Kind)
print(abs(k), +k, len(k), bool(k[0] > 0), type(abs(k)).__name__, [type(v).__name__ for v in k], k)
