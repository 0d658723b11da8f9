# SPDX-License-Identifier: Apache-2.0
# What scripts do within fullgraph=True: distributions, operations of their own whose bodies no graph holds, generators
# of random numbers, defaults that are deleted, code of the capture. What PyTorch printed: full_graphs.txt.
import random
import numpy as np
import torch
from torch._dynamo.comptime import comptime
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
