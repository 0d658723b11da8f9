# torch._dynamo.export: one graph with a function's own arguments and results; constants that a script promises.
import inspect

import torch
import torch._dynamo

ones = torch.ones(3)


def nested(a, b, *args, kw0, **kw):
    x = a + b["q"] + args[0]
    return {"a": x * kw0, "b": 3, "c": [a, x], "d": kw["kw2"] + 1}


def told(name, function, *args, **kwargs):
    gm, guards = torch._dynamo.export(function)(*args, **kwargs)
    print("==", name, list(inspect.signature(gm.forward).parameters))
    print(gm.code.split("return", 1)[1].strip())
    print([node.target for node in gm.graph.nodes if node.op == "placeholder"])
    print(gm(*args, **kwargs))
    return gm


gm = told("nested", nested, ones, {"q": ones * 3}, ones * 4, ones * 2, kw0=ones * 5, kw2=torch.ones(2))
print(gm(torch.ones(5), {"q": torch.ones(5)}, torch.ones(5), torch.ones(5), kw0=torch.ones(5), kw2=torch.ones(1)))
print(torch._dynamo.export(lambda x: x)(ones)[0](ones * 2))
told("twice", lambda x: (x, (x, x + 1)), ones)
told("nothing", lambda x: (x.sin(), None, 4), ones)
gm = told("a number", lambda x, k: x * k, ones, 4)
print(gm(ones, 5))


def defaults(x, y=2.0, *, z=1):
    return x * y + z


told("defaults", defaults, ones)
told("defaults", defaults, ones, ones * 2, z=ones * 3)


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(3.0))

    def forward(self, x, scale):
        return {"out": x * self.weight * scale["by"]}


told("a module", Layer(), ones, {"by": torch.tensor(2.0)})
gm, _ = torch._dynamo.export(lambda x, y: (x.cos() + y["a"], y), aten_graph=True)(ones, {"a": ones * 2})
print(gm.code)
print(torch._dynamo.export(lambda x: x + 1, same_signature=False)(ones).graph_module(ones))
print(torch.fx.Interpreter(gm).run(ones, {"a": ones * 2}))
for wrong in ({"decomposition_table": {}}, {"pre_dispatch": True}):
    try:
        torch._dynamo.export(lambda x: x, **wrong)(ones)
    except AssertionError as e:
        print(str(e)[:60])


@torch._dynamo.assume_constant_result
def rows(x):
    return torch.nonzero(x)


@torch._dynamo.assume_constant_result
def known(x):
    return None if x.sum() > 2 else 4


@torch._dynamo.assume_constant_result
def both(x):
    return [2, x.sum().item()]


class Constant(torch.nn.Module):
    @torch._dynamo.assume_constant_result
    def first(self, x):
        return int(x[0])

    def forward(self, x):
        if known(x) is None:
            return x + self.first(x), rows(x), both(x)
        return x * 2


gm, _ = torch._dynamo.export(Constant())(ones)
print(gm(ones), gm(ones * 5))
print(torch.compile(Constant(), backend="eager", fullgraph=True)(ones))


# Bools on open sizes and numbers of the graph are computed anew by each call.
def larger(x):
    return x.sin().sum() + torch.scalar_tensor(x.shape[0] > 4)


gm, _ = torch._dynamo.export(larger, aten_graph=True)(torch.ones(6, 4))
print([(gm(torch.ones(n, 4)) - larger(torch.ones(n, 4))).item() for n in (2, 3, 7)])
with torch._dynamo.config.patch(capture_scalar_outputs=True):
    gm, _ = torch._dynamo.export(lambda a, b: (a[0].item() + b[0].item(), a + 1))(torch.zeros(3), torch.zeros(3))
    print(gm(ones * 2, ones * 3))
