# Assertions of data are checks of the graph; what a compiled function of C is; results compared as torch._dynamo does.
import torch
import torch._dynamo
from torch._dynamo.testing import CompileCounter, same


def first(x):
    b = x.sin()
    assert x[0] == 3, "First dim need to be 3"
    assert (x > 0).all()
    return x.cos() + b


def number(x):
    assert torch.all(x > 0).item(), "positive"
    return x + 1


def told(x):
    assert x.sum() > 2, f"the sum of {tuple(x.shape)}"
    return x + 1


def sizes(x):
    assert x.shape[0] > 2, "short"
    assert x.dim() == 1 and x.shape[0] < 100
    return x * 2


good = torch.tensor([3.0, 4.0, 5.0])
bad = {"first": [torch.tensor([3.0, -4.0, 5.0]), torch.tensor([2.0, 4.0, 5.0])], "number": [torch.zeros(3)],
       "told": [torch.zeros(3)], "sizes": [torch.ones(2)]}
for f in (first, number, told, sizes):
    for full in (True, False):
        if f in (number, told) and full:
            continue
        torch._dynamo.reset()
        counter = CompileCounter()
        compiled = torch.compile(f, backend=counter, fullgraph=full)
        print(f.__name__, compiled(good), counter.frame_count)
        for wrong in bad[f.__name__]:
            try:
                print(compiled(wrong))
            except Exception as e:
                print(type(e).__name__, str(e).split("\n")[0] if f is not sizes else "")
grads = torch.tensor([3.0, 4.0], requires_grad=True)
torch.compile(first, backend="eager", fullgraph=True)(grads).sum().backward()
print(grads.grad)

counter = CompileCounter()
print(torch.compile(torch.sin, backend=counter, fullgraph=True)(torch.ones(2)), counter.frame_count)
print(torch.compile(torch.add)(torch.ones(2), torch.ones(2), alpha=2))


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


print(same(torch.tensor([105]), 105), same(torch.tensor([1, 2]), 1), same((good, {"a": 1}), [good, {"a": 1}]))


def decorated(x):
    @torch.no_grad()
    def augment(v):
        return (v + 1) * 2

    @torch.inference_mode()
    def other(v):
        return v - 1

    return augment(x), other(x)


graphs = []


def kept(gm, example_inputs):
    graphs.append([getattr(node.target, "__name__", node.target) for node in gm.graph.nodes])
    return gm.forward


print(torch.compile(decorated, backend=kept)(good)[0], [name for name in graphs[0] if name in ("add", "mul", "sub")])


def tells(f, *args):
    try:
        print(f(*args))
    except RuntimeError as e:
        print("RuntimeError", str(e).split("\n")[0])


# The graph that a script gets asserts itself: called again, after dead code is gone, compiled once more, exported.
false, wrong, minus = torch.tensor(False), torch.tensor([5.0, 6.0, 7.0]), torch.tensor([3.0, -4.0, 5.0])
aten = torch.ops.aten
tells(torch._assert_async, torch.tensor([2.0]))
for f, more in ((torch._assert_async, ()), (torch._assert_async, ("told",)), (aten._assert_async.default, ()),
                (aten._assert_async.msg, ("told",)), (aten._assert_scalar.default, ("told",))):
    tells(f, false if f is not aten._assert_scalar.default else False, *more)
gm, _ = torch._dynamo.export(first)(good)
print(gm.code.strip())
for _ in range(2):
    for x in (good, wrong, minus):
        tells(gm, x)
    gm.graph.eliminate_dead_code()
    gm.recompile()


def only(x):
    torch._assert_async(x.sum() > 0, "the sum")


for f, values in ((first, (good, wrong, minus)), (only, (good, -good))):
    for backend in ("inductor", lambda gm, example: gm, lambda gm, example: torch.compile(gm, backend="eager")):
        torch._dynamo.reset()
        compiled = torch.compile(f, fullgraph=True, backend=backend)
        for x in values:
            tells(compiled, x)


class Asserting(torch.nn.Module):
    def forward(self, x):
        torch._assert_async(x[0] == 3, "three")
        return x * 2


program = torch.export.export(Asserting(), (good,))
print([str(node.target) for node in program.graph.nodes if node.op == "call_function"])
for x in (good, wrong):
    tells(program.module(), x)
