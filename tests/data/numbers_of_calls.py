# Numbers that differ from call to call: one graph for all of them, with PyTorch's results.
import math

import torch
import torch._dynamo
from torch._dynamo.testing import CompileCounter
from torch._dynamo.utils import counters

x = torch.tensor([1.5, -2.0, 0.25, 3.0])
floats = [i * 0.125 for i in range(2, 10)]
ints = list(range(2, 10))


def alpha(x, t):
    return torch.add(x, x, alpha=t) + torch.sub(x, 1, alpha=-t) + x.clone().add_(x, alpha=-t)


def value(x, t):
    return x.addcdiv(x, x * x + 1, value=t) + torch.addcmul(x, x, x, value=t)


def filled(x, t):
    y, z = x.clone(), x.clone()
    y.fill_(t)
    z[0] = t
    z[1:3] = t
    return y + z + torch.full((4,), t) + torch.full((2, 4), t, dtype=torch.float64).sum()


def least(x, t):
    return x * min(t, 0.5) + max(t, 0.75) + max(0.25, t) - min(1.0, t, 0.3)


def magnitude(x, t):
    return x * abs(t - 0.5) + abs(t)


def waves(x, t):
    return x * math.cos(t) + math.sin(t) * math.tanh(t)


def momentum(x, i):
    return x * min(0.99, (1 + i) / (10 + i))


def schedule(x, i):
    return x * 0.5 * (1 + math.cos(math.pi * i / 100))


def correction(x, i):
    return x / (1 - 0.9 ** i)


def run(function, numbers):
    torch._dynamo.reset()
    counters.clear()
    compiled = torch.compile(function, backend="eager")
    close = [torch.allclose(compiled(x, n), function(x, n)) for n in numbers]
    print(function.__name__, counters["stats"]["unique_graphs"], all(close))


for function in (alpha, value, filled, least, magnitude, waves):
    run(function, floats)
for function in (momentum, schedule, correction):
    run(function, ints)
for function, numbers in ((momentum, ints), (correction, ints), (lambda x, t: x * t + t / 3, floats)):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter)
    close = [torch.allclose(compiled(x, n), function(x, n)) for n in numbers]
    print(counter.frame_count, counter.op_count, all(close))
whole = torch.arange(4)
filled = torch.compile(lambda x, t: x.clone().fill_(t), backend="eager")
print([filled(whole, t).tolist() for t in floats[:3]])
try:
    torch.add(whole, whole, alpha=0.25)
except RuntimeError as e:
    print(e)
