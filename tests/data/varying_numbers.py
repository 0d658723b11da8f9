# SPDX-License-Identifier: Apache-2.0
# Numbers that differ from call to call, drawn within compiled functions or kept in containers: the results are those of
# eager calls, and few captures serve all calls.
import collections
import dataclasses
import random
import numpy as np
import torch
from torch._dynamo.testing import CompileCounter

torch._dynamo.config.use_numpy_random_stream = True
x = torch.arange(1.0, 7.0)


def scaled(v): return v * random.random()
def between(v): return v + random.uniform(1, 2) * 2
def shifted(v): return v + random.randint(3, 9)
def chosen(v): return v * random.choice([2.0, 3.0, 5.0])
def both(v): return v * random.random() + random.gauss(0.0, 1.0)
def number(v): return v * np.random.rand()
def array(v): return torch.from_numpy(np.random.randn(6)) + v
def rows(v): return v + torch.from_numpy(np.random.uniform(size=(2, 6))).sum(0)
def whole(v): return v * int(np.random.randint(2, 50))
def inner(v):
    def noise(): return np.random.normal(0.0, 2.0)
    return v + noise()
def of_rng(v, rng=np.random.default_rng(0)): return v + rng.random(6)
kept = {"calls": 1, "last": "none"}
def counting(v):
    kept["calls"] += 1
    kept["last"] = "some"
    return v * kept["calls"]
totals = {"decay": 1.0}
def fading(v):
    totals["decay"] *= 0.5
    return v * totals["decay"]
class Cache:
    def __init__(self): self.seen, self.sizes = 0, [0, 0]
cache = Cache()
def filling(v):
    cache.seen += len(v)
    return v + cache.seen


def results(f, times):
    random.seed(3)
    np.random.seed(3)
    kept["calls"] = 1
    cache.seen = 0
    totals["decay"] = 1.0
    rng = f.__defaults__ and np.random.default_rng(0)
    return [f(x, rng) if rng else f(x) for _ in range(times)]


Pair = collections.namedtuple("Pair", "factor shift")


@dataclasses.dataclass
class Settings:
    factor: float
    shift: int


def of_pair(v, pair): return v * pair.factor + pair.shift
def of_settings(v, settings): return v * settings.factor + settings.shift
def of_dict(v, kept):
    for each in kept.values():
        v = v + each
    return v
def of_shape(v, shape): return v.expand(*shape)
def of_product(v, number): return v.clone().mul_(1 - number * 0.9 ** 3).add_(number)
def of_sum(v, numbers): return v * sum(numbers)


given = {of_pair: lambda i: Pair(0.1 * i, i), of_settings: lambda i: Settings(0.1 * i, i), of_shape: lambda i: (i, 6),
         of_product: lambda i: 0.1 * i,
         of_dict: lambda i: {"whole": i, "real": 1.5 * i}, of_sum: lambda i: [i, 0.5 * i]}
agree = 0
for f, make in given.items():
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(f, backend=counter)
    agree += all(torch.allclose(f(x, make(i)), compiled(x, make(i))) for i in range(2, 9))
    agree += counter.frame_count <= 3
    print(f.__name__, "captured", counter.frame_count, "times")
for f in (scaled, between, shifted, chosen, both, number, array, rows, whole, inner, of_rng, counting, fading, filling):
    torch._dynamo.reset()
    eagerly, counter = results(f, 7), CompileCounter()
    compiled = torch.compile(f, backend=counter)
    compiled.__defaults__ = f.__defaults__
    found = results(compiled, 7)
    agree += all(torch.allclose(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(eagerly, found))
    agree += counter.frame_count <= 4
    print(f.__name__, "captured", counter.frame_count, "times")
print(agree, "agree")
