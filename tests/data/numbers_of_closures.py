# Floats that are compared, global ones, numbers in cells, and functions made anew in every call: what they share is
# captured once.
import torch
from torch._dynamo.utils import counters

x = torch.tensor([1.5, -2.0, 0.25, 3.0])
SCALE = 0.0


def run(name, function, calls):
    torch._dynamo.reset()
    counters.clear()
    compiled = torch.compile(function, backend="eager")
    print(name, [round(float(compiled(*given).sum()), 4) for given in calls], counters["stats"]["unique_graphs"])


def chosen(x, t):
    return x * (t if t > 0 else 0)


def either(x, t):
    return x * t if t > 0.55 else x + t


def applied(x, f):
    return f(x)


def adding(n):
    return lambda v: v + n


def scaled(x):
    return x * SCALE


floats = [(x, i * 0.125) for i in range(2, 9)]
run("chosen", chosen, floats)
run("chosen", chosen, floats + [(x, -1.5), (x, 0.0), (x, -2.5)])
run("lambda", applied, [(x, lambda v: v + 1) for i in range(5)])
run("two lambdas", applied, [(x, lambda v: v + 1), (x, lambda v: v + 2), (x, lambda v: v + 1)])
run("closure", applied, [(x, adding(i)) for i in range(2, 9)])
run("closure", applied, [(x, adding(i * 0.25)) for i in range(2, 9)])
run("default", applied, [(x, lambda v, k=i: v + k) for i in range(2, 4)])
torch._dynamo.reset()
counters.clear()
compiled = torch.compile(scaled, backend="eager")
for i in range(2, 8):
    SCALE = i * 0.25
    print(compiled(x).tolist())
print(counters["stats"]["unique_graphs"])
run("either", either, floats)
