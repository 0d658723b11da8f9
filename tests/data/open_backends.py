# Backends of a script with sizes that stay open: called once for all sizes, with the sizes as inputs.
import torch

torch.manual_seed(0)
calls = []


def telling(gm, example_inputs):
    sizes = [n for n in gm.graph.nodes if n.op == "placeholder" and n.type is torch.SymInt]
    calls.append(len(sizes))
    print("called with", [type(v).__name__ for v in example_inputs], [tuple(v.shape) for v in example_inputs
                                                                      if isinstance(v, torch.Tensor)])
    print("sizes", all(isinstance(n.meta["example_value"], torch.SymInt) for n in sizes), gm.code.count(" : torch.SymInt"),
          gm.print_readable(print_output=False).count('"Sym(s') >= len(sizes))
    return gm.forward


def tell(name, function, *calls_with, backend=telling, **options):
    torch._dynamo.reset()
    calls.clear()
    compiled = torch.compile(function, backend=backend, **options)
    for given in calls_with:
        found, wanted = compiled(*given), function(*given)
        if not isinstance(found, tuple):
            found, wanted = (found,), (wanted,)
        print(name, [torch.equal(a, b) if isinstance(a, torch.Tensor) else a == b for a, b in zip(found, wanted)],
              [tuple(v.shape) if isinstance(v, torch.Tensor) else v for v in found])
    print(name, "calls of the backend:", calls)


def joined(x, y):
    z = x.reshape(-1) * x.shape[0]
    return torch.cat([z, y]) + y.shape[0] * 2


def halves(x):
    rows = x[: x.shape[0] // 2]
    return rows.sum() + x.new_zeros(x.shape[0] * 2, x.shape[1] + 3).shape[0], x.shape[0] * 3


def rows_of(x):
    return x.view(x.shape[0], -1) * 2 + x.size(0)


ones = torch.ones
tell("two sizes", joined, *[(ones(n, 4), torch.arange(float(n))) for n in (3, 5, 7)], dynamic=True)
tell("computed sizes", halves, *[(ones(n, n + 1),) for n in (8, 5, 9)], dynamic=True)
tell("sizes that differed", rows_of, *[(ones(n, 4, 2),) for n in (3, 5, 7, 9)])
tell("an int", lambda x, n: x + n, *[(ones(n), n + 1) for n in (3, 5, 7)], dynamic=True)
tell("no open size", lambda x: x + 1, (ones(3),), (ones(4),), dynamic=False)


def by_nodes(gm, example_inputs):
    calls.append(len(example_inputs))
    return torch.fx.Interpreter(gm).run


def run_at_once(gm, example_inputs):
    calls.append([tuple(v.shape) for v in gm(*example_inputs)])
    return lambda *inputs: gm(*inputs)


tell("interpreted", joined, *[(ones(n, 4), ones(n)) for n in (3, 5)], backend=by_nodes, dynamic=True)
tell("run with the examples", joined, *[(ones(n, 4), ones(n)) for n in (3, 5)], backend=run_at_once, dynamic=True)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.reshape(-1) * x.shape[1]

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.reshape(x.shape[0], x.shape[1]) * x.shape[0] * 10


count = []


def counting(gm, example_inputs):
    count.append(1)
    return gm


step = torch.compile(lambda x: (Scaled.apply(x) * 2).sum() + (x * x.shape[0]).sum(), backend=counting, dynamic=True)
for n in (3, 4, 6):
    x = torch.ones(n, 2, requires_grad=True)
    step(x).backward()
    print("gradients", x.grad.flatten().tolist())
print("backends called", len(count))

net = torch.nn.Sequential(torch.nn.Conv1d(1, 2, 3, padding=1), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.LayerNorm(16))
count.clear()
model = torch.compile(net, backend=counting, dynamic=True)
for n in (2, 3, 5):
    x = torch.randn(n, 1, 8)
    net.zero_grad()
    model(x).square().sum().backward()
    found = net[0].weight.grad.clone()
    net.zero_grad()
    net(x).square().sum().backward()
    print("a network", torch.allclose(found, net[0].weight.grad, atol=1e-5), torch.allclose(model(x), net(x), atol=1e-6))
print("backends called", len(count))
count.clear()
marked = torch.compile(lambda x: x.sum(0) + x.shape[0], backend=counting)
for n in (3, 4, 5):
    x = torch.ones(n, 2)
    torch._dynamo.mark_dynamic(x, 0)
    print("marked", marked(x).tolist())
print("backends called", len(count))
print("functions of sizes", torch.sym_max(2, 3), torch.sym_min(2, 3.0), torch.sym_int(2.7), torch.sym_float(3), torch.sym_not(True),
      torch.sym_sum([1, 2, 3]), torch.sym_ite(True, 1, 2), isinstance(3, (int, torch.SymInt)), isinstance(3.0, torch.SymFloat))


def told(gm, example_inputs):
    for n in gm.graph.nodes:
        v = n.meta.get("example_value")
        print(" ", n.op, n.name, (tuple(v.shape), v.dtype, str(v.device), isinstance(v, torch.Tensor)) if hasattr(v, "dtype") else None)
    return gm.forward


def without_dead(gm, example_inputs):
    gm.graph.eliminate_dead_code()
    gm.recompile()
    return told(gm, example_inputs)


def writes(x):
    y = x.clone()
    y[0] = 5
    y[1:] += 2
    return y * 2


def writes_inputs(x, b):
    b[0] = 3
    return (x + b).long().t()


torch._dynamo.reset()
for backend in (told, without_dead):
    x, b = torch.arange(4.0), torch.arange(4.0)
    print(torch.compile(writes, backend=backend)(x), torch.compile(writes_inputs, backend=backend)(x, b), b)
torch.compile(lambda x: x.view(-1, 2) * x.shape[0], backend=told, dynamic=True)(torch.arange(4.0))
