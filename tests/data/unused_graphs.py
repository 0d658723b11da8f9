# What is computed for nothing is a graph for a backend of the script, too, as PyTorch's is.
import torch
import torch._dynamo
from torch._dynamo.testing import CompileCounter

x = torch.ones(4)


def run(function, *args):
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter)
    results = [compiled(*args), compiled(*args)]
    print(function.__name__, counter.frame_count, counter.op_count, results[1])


def unsupported(a, b):
    torch._dynamo.graph_break()
    return a


def negated(a):
    return not [a + 1]


def lost(a):
    b = a.sin()
    b.cos()
    return a.shape[0]


def into_a_break(a, b):
    c = a + b
    d = unsupported(b, c)
    return d * 2


def in_a_loop(xs):
    for i in range(3):
        xs[0] = torch.abs(xs[1])
        xs[0] = None
    return len(xs)


def without_gradients(a):
    b = a + 1
    with torch.no_grad():
        b = b + 1
        torch._dynamo.graph_break()
        b = b * 2
    return b - 1


def left_off(a):
    torch.set_grad_enabled(False)
    b = a + 1
    torch.set_grad_enabled(True)
    return b


for function in (negated, lost, without_gradients, left_off):
    run(function, x)
run(into_a_break, x, x)
with torch.no_grad():
    run(without_gradients, x)
