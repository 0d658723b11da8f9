# SPDX-License-Identifier: Apache-2.0
# What scripts do within fullgraph=True: distributions, operations of their own whose bodies no graph holds, generators
# of random numbers, defaults that are deleted, code of the capture. What PyTorch printed: full_graphs.txt.
import copy
import random
import numpy as np
import torch
import torch._dynamo
from torch._dynamo.comptime import comptime
from torch._dynamo.testing import CompileCounter
from torch._higher_order_ops.while_loop import while_loop
from torch.distributions import Bernoulli, Beta, Categorical, Independent, Normal, Uniform

try:
    Normal(torch.zeros(2), -1.0)
except ValueError as e:
    print("before any compilation:", str(e).split("(")[0])


@torch.library.custom_op("rows::sine", mutates_args=())
def sine(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.sin(x.numpy()))


@sine.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("rows::grow", mutates_args=("x",))
def grow(x: torch.Tensor) -> None:
    if x.sum().item() > -1000:
        x.add_(1)


@torch._dynamo.disable
def hidden(x):
    return x * 2


library = torch.library.Library("rows2", "DEF")
library.define("twice(Tensor x) -> Tensor")


@torch.library.impl(library, "twice", "CPU")
def twice(x):
    return hidden(x)


@torch.library.register_fake("rows2::twice")
def _(x):
    return torch.empty_like(x)


def given(x, scale=torch.ones(2), *, more=torch.ones(1)):
    return x * scale + more


def normal(x): return Normal(x, x.exp()).log_prob(x)
def whole(x): return Independent(Normal(x, torch.tensor(1)), 1).log_prob(x)
def drawn(x): return Normal(x, 1.0).rsample().shape
def flat(x): return Uniform(x, x + 2).log_prob(x + 0.5)
def between(x): return Beta(x.exp(), x.exp()).log_prob(torch.full_like(x, 0.5))
def either(x): return Bernoulli(torch.sigmoid(x)).log_prob(torch.ones_like(x))
def chosen(x): return Categorical(probs=torch.softmax(x, -1)).entropy()
def operation(x): return sine(x) + 1
def changed(x):
    y = x + 1
    grow(y)
    return y
def disabled(x): return torch.ops.rows2.twice(x) + 1
def seeded(x):
    own = random.Random(3)
    return x + own.randint(1, 5) + own.random()
def fresh(x): return bytearray(b"ab"), x
def told(x):
    @comptime
    def _(ctx):
        pass
    return x + 1
def deterministic(x): return x + 1 if torch.are_deterministic_algorithms_enabled() else x


x = torch.arange(6.0).reshape(3, 2) / 10
for f in (normal, whole, drawn, flat, between, either, chosen, operation, changed, disabled, seeded, told, deterministic):
    compiled = torch.compile(f, fullgraph=True, backend="eager")
    compiled(x)
    print(f.__name__, compiled(x))
compiled = torch.compile(fresh, fullgraph=True, backend="eager")
compiled(x)[0].append(67)
print(compiled(x)[0])
compiled = torch.compile(deterministic, fullgraph=True, backend="eager")
for on in (False, True, False):
    torch.use_deterministic_algorithms(on)
    print(on, compiled(x).sum())
print("no longer checked:", Normal(x, -1.0).scale[0, 0], Uniform(x, x - 1).high[0, 0])
try:
    Normal(x, -1.0, validate_args=True)
except ValueError as e:
    print("where asked for:", str(e).split("(")[0])
print(given(x[0]), given.__defaults__[0])
del given.__defaults__
del given.__kwdefaults__
print(given.__defaults__, given.__kwdefaults__)
try:
    given(x[0])
except TypeError as e:
    print(e)

ones = torch.ones(3)


# Asked within one graph: which classes extend another one, and what runs as if no class took torch's calls; a slope that varies.
class Root:
    pass


class Left(Root):
    pass


def names(x):
    return [c.__name__ for c in Root.__subclasses__()], x + len(Root.__subclasses__())


counter = CompileCounter()
compiled = torch.compile(names, backend=counter, fullgraph=True)
print(compiled(ones), compiled(ones), counter.frame_count)


class Right(Root):
    pass


print(compiled(ones), counter.frame_count)


class Loud(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print("asked")
        return super().__torch_function__(func, types, args, kwargs)


def quiet(x):
    with torch._C.DisableTorchFunctionSubclass():
        y = x * 2
    with torch._C.DisableTorchFunction():
        return y + 1


counter = CompileCounter()
print(torch.compile(quiet, backend=counter, fullgraph=True)(ones), counter.frame_count)
loud = ones.as_subclass(Loud)
with torch._C.DisableTorchFunctionSubclass():
    print(type(loud + 1).__name__)
print(type(loud + 1).__name__)
counter = CompileCounter()
compiled = torch.compile(lambda x, slope: torch.nn.functional.leaky_relu(x, slope), backend=counter, fullgraph=True)
for slope in (0.1, 0.2, 0.3, 0.4):
    print(compiled(torch.tensor([1.0, -2.0]), slope))
print(counter.frame_count)


def doubled(i, y):
    return i + 1, y * 2


def looped(x):
    i, y = while_loop(lambda i, y: i < 3, doubled, (torch.tensor(0), x))
    return i, y + 1


print(looped(ones), torch.compile(looped, backend="eager", fullgraph=True)(ones))


class Pair:
    def __new__(cls, a, b=2):
        made = object.__new__(cls)
        made.a, made.b = a, b
        return made

    def __getnewargs__(self):
        return self.a, self.b


print(vars(copy.copy(Pair(1, 3))), vars(copy.deepcopy(Pair([1], 3))))
aten = torch.ops.aten
for value in (aten.add, aten.add.Tensor, torch.add, aten._assert_async.msg):
    print(isinstance(value, torch._ops.OpOverload), isinstance(value, torch._ops.OpOverloadPacket))


# An operation of the script is a call in the graph that a backend gets, with its own gradient.
@torch.library.custom_op("rows::scaled", mutates_args=())
def scaled(x: torch.Tensor, k: float) -> torch.Tensor:
    return x * k


@scaled.register_fake
def _(x, k):
    return torch.empty_like(x)


def keep_scale(ctx, inputs, output):
    ctx.k = inputs[1]


scaled.register_autograd(lambda ctx, g: (g * ctx.k, None), setup_context=keep_scale)
graphs = []


def keep(gm, example):
    graphs.append(gm)
    return gm


leaf = torch.ones(3, requires_grad=True)
result = torch.compile(lambda x: scaled(x + 1, 2.0).sin(), backend=keep, fullgraph=True)(leaf)
result.sum().backward()
print(result.detach(), leaf.grad)
print([(node.name, str(node.target)) for node in graphs[0].graph.nodes if node.op == "call_function"][1:])
