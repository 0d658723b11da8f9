# Conditions and splits of open sizes: kept in the graph, or told of; none is decided without a word.
import torch
import torch._dynamo
from torch.export import Dim

small, large = torch.arange(12.0).view(3, 4), torch.arange(32.0).view(8, 4)
x = torch.arange(24.0).view(6, 4)


def by_cond(x):
    return torch.cond(x.shape[0] > 4, lambda x: x.cos(), lambda x: x.sin() + 1, [x])


def closing_over(x):
    y, n = x * 2, x.shape[0]
    return torch.cond(n * 2 >= 10, lambda x: x + y, lambda x: x - y, (x,))


def nested(x):
    def inner(x):
        return torch.cond(x.shape[1] == 4, lambda x: x + 1, lambda x: x + 2, (x,))
    return torch.cond(x.shape[0] != 3, inner, lambda x: x * 3, (x,))


def by_elements(x):
    return torch.cond(x.sum() > 300, lambda x: x.relu(), lambda x: x.neg(), (x,))


def halves(x):
    return torch.split(x, x.shape[0] // 2)


def by_branch(x):
    return x.cos() if x.shape[0] > 4 else x.sin()


def shown(values):
    return [[round(float(v.sum()), 3), list(v.shape)] for v in (values if isinstance(values, (list, tuple)) else [values])]


for function in (by_cond, closing_over, nested, by_elements, halves):
    for aten in (False, True):
        torch._dynamo.reset()
        gm, _ = torch._dynamo.export(function, aten_graph=aten)(x)
        print(function.__name__, aten, shown(gm(small)), shown(gm(large)))
    torch._dynamo.reset()
    print(function.__name__, [shown(torch.compile(function, dynamic=True)(v)) for v in (x, small, large)])
torch._dynamo.reset()
gm, _ = torch._dynamo.export(by_cond)(x)
print([(node.op, getattr(node.target, "__name__", node.target)) for node in gm.graph.nodes if node.op != "placeholder"][1:])
print(gm.cond_true_0.code.strip().split("\n")[-1].strip(), [n.op for n in gm.cond_false_0.graph.nodes])


class Module(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


for function in (by_cond, by_branch, halves):
    for kind in (Dim("b"), Dim("b", min=5), Dim.AUTO):
        torch._dynamo.reset()
        try:
            ep = torch.export.export(Module(function), (x,), dynamic_shapes=({0: kind},))
        except Exception as e:
            print(function.__name__, type(e).__name__, str(e).split("\n")[0])
            continue
        for v in (small, large):
            try:
                print(function.__name__, shown(ep.module()(v)))
            except Exception as e:
                print(function.__name__, type(e).__name__, str(e)[:13])
for shapes in (({0: Dim("b")},), ({0: Dim("b", min=5)},)):
    for function in (by_cond, by_branch):
        torch._dynamo.reset()
        try:
            gm, _ = torch._dynamo.export(function, dynamic_shapes=shapes)(x)
            print(function.__name__, shown(gm(small)), shown(gm(large)))
        except Exception as e:
            print(function.__name__, type(e).__name__, str(e).split("\n")[0])


def seen(gm, inputs):
    print([getattr(node.target, "__name__", node.target) for node in gm.graph.nodes if node.op == "call_function"])
    return gm.forward


torch._dynamo.reset()
compiled = torch.compile(by_cond, backend=seen, dynamic=True)
print(shown(compiled(x)), shown(compiled(small)))
