# Numbers that a captured graph computes: .item() and .tolist() in functions that may not break, what is done with them,
# and what torch._check() says of them.
import torch


class Counter:
    def __init__(self):
        self.graphs = 0

    def __call__(self, gm, example_inputs):
        self.graphs += 1
        return gm.forward


inputs = [torch.tensor([1., 2., 3.]), torch.tensor([2.5, 0., 4.]), torch.tensor([-2.5, -1., -3.])]


def show(function, counted=True, inputs=inputs):
    count = Counter()
    compiled = torch.compile(function, backend=count, fullgraph=True)
    for x in inputs:
        try:
            print(function.__name__, compiled(x), function(x))
        except RuntimeError:
            print(function.__name__, "RuntimeError")
    if counted:
        print(function.__name__, count.graphs)


def total(x):
    return x.sum().item()


def scaled(x):
    return x * x.max().item() + 1


def arithmetic(x):
    n = x.int().max().item()
    return n * 2 + 1, n / 4, n // 3, n % 5, -n, +n, n ** 2, n > 2, n <= 2, n + 0.5, 2 - n, n & 3


def in_a_tensor(x):
    return torch.tensor([x[0].item(), 2.0]), torch.tensor([[x[0].int().item()], [2]]), torch.tensor(x[1].item())


def listed(x):
    return [i * 4 for i in x.int().tolist()], x.int().view(3, 1).tolist()


def converted(x):
    return float(x[0]) + int(x[1]), int(x[0].item()), float(x[1].int().item())


def of_type(x):
    n, f = x[0].int().item(), x[0].item()
    return isinstance(n, int), isinstance(f, float), isinstance(f, int), type(n), type(f), type((x[0] > 0).item())


def indexed(x):
    return torch.where(x > 1, x, x[0].item()), x.clamp(max=x[0].item())


def promoted(x):
    f, n = x[0].item(), x[0].int().item()
    return x.half() * f, x.int() * f, (x > 1) * f, x.int() + n, x.bfloat16() + f, x > f, n - x, f / (x + 10)


def kept(x):
    y = x.clone()
    n = y[0].item()
    y.add_(1)
    return n, y


def in_containers(x):
    found = [x[0].item()]
    found.append(x[1].item())
    return {"a": found, "b": (x[2].item(),)}, x[0].item() is None


def checked(x):
    n = x.int().max().item()
    torch._check(n >= 2)
    return x * 2 if n >= 1 else x * 3


for function in (total, scaled, arithmetic, in_a_tensor, listed, converted, indexed, promoted, kept, in_containers,
                 checked):
    show(function)
show(of_type, counted=False)


def sized(x):
    n = x.int().max().item()
    torch._check_is_size(n)
    return torch.zeros(n) + 1, x.new_ones(n, 2)


def split(x):
    return torch.split(torch.arange(6), x.int().abs().tolist())


def counted(x):
    return (x > 1).nonzero() + 1


# Their sizes are numbers of the graph: PyTorch has one graph of these, Cutaway one up to there and one from there.
show(sized, counted=False)
show(split, counted=False, inputs=[torch.tensor([1., 2., 3.])])
show(counted, counted=False)


def branched(x):
    return x + 1 if x[0].item() > 0 else x - 1


show(branched)


def picked(x):
    return x[x.int().abs().min().item()]


show(picked, counted=False)


@torch.compile(backend="eager")
def broken(x):
    return x * x[0].item()


print("without fullgraph", [broken(x) for x in inputs])
with torch._dynamo.config.patch(capture_scalar_outputs=True):
    count = Counter()
    print("by the setting", torch.compile(scaled, backend=count)(inputs[0]), count.graphs)

leaf = torch.tensor([1., 2.], requires_grad=True)
torch.compile(lambda x: (x * x.sum().item()).sum(), fullgraph=True)(leaf).backward()
print("no gradient", leaf.grad)


def chosen(x):
    rows = [x, x + 1, x + 2]
    return rows[torch.as_tensor(2)]


show(chosen, counted=False)
print("with symbols", torch.compile(lambda x: x.tolist(), dynamic=True, fullgraph=True)(torch.tensor([[1, 2], [3, 4]])))
