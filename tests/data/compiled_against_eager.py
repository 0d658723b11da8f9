"""Small functions, compiled and eager: prints each whose numbers or gradients differ, then a count."""
import torch
import torch.nn.functional as F

counts = {"agree": 0}


def same(a, b):
    a = a.detach().double()
    b = b.detach().double()
    if a.shape != b.shape:
        return False
    close = (a - b).abs() <= 1e-4 * (1 + a.abs())
    return (close | ((a != a) & (b != b)) | (a == b)).all().item()


def compare(name, function, *args):
    mine = [a.clone().detach().requires_grad_(True) for a in args]
    theirs = [a.clone().detach().requires_grad_(True) for a in args]
    eager = function(*mine)
    compiled = torch.compile(function)(*theirs)
    results = [("value", eager, compiled)]
    if eager.requires_grad:
        weights = torch.cos(eager.detach())
        (eager * weights).sum().backward()
        (compiled * weights).sum().backward()
        for k in range(len(args)):
            if mine[k].grad is not None:
                results.append((f"gradient {k}", mine[k].grad, theirs[k].grad))
    for what, a, b in results:
        if same(a, b):
            counts["agree"] += 1
        else:
            print(f"{name}: {what} differs: {a} and {b}")


torch.manual_seed(0)

# A buffer read whole and at an element.
matrix = torch.randn(7, 9)
vector = torch.randn(9)
compare("x - x[:, 0:1]", lambda x: x - x[:, 0:1], matrix)
compare("x * x[0]", lambda x: x * x[0], matrix)
compare("x - x[-1]", lambda x: x - x[-1], matrix)
compare("x - x[0, 0]", lambda x: x - x[0, 0], matrix)
compare("unsqueeze 2-D", lambda x: x.unsqueeze(0) - x.unsqueeze(1), matrix)
compare("rows and columns", lambda x: x[0:1, :] - x[:, 0:1] + x, matrix)
compare("read in two loops", lambda x: (x - x[:, 0:1]).exp().sum(dim=1) + x[0, 0], matrix)
compare("v * v[0]", lambda x: x * x[0], vector)
compare("v - v[-1]", lambda x: x - x[-1], vector)
compare("unsqueeze 1-D", lambda x: x.unsqueeze(0) - x.unsqueeze(1), vector)

# Values of rows that are named in several phases.
base = matrix.abs() + 0.1
for shape in [(9,), (7, 1), (1,), (7, 9), (1, 9)]:
    compare(f"x ** y of {shape}", lambda x, y: x ** y, base, torch.rand(*shape) + 0.5)
for shape in [(7, 9), (1, 9), (7, 1), (9,), (2, 3, 9)]:
    width = shape[-1]
    compare(f"layer_norm of {shape}", lambda x, w, b: F.layer_norm(x, (width,), w, b),
            torch.randn(*shape), torch.randn(width), torch.randn(width))
    compare(f"native_layer_norm of {shape}",
            lambda x, w, b: torch.native_layer_norm(x, (width,), w, b, 1e-5)[0],
            torch.randn(*shape), torch.randn(width), torch.randn(width))

# Computed places in broadcast memory.
for n in [1, 5, 9]:
    index = torch.randint(0, 6, (n,))
    compare(f"scatter_add of {n}", lambda x, s: x.scatter_add(0, index, s).sum(), torch.randn(6),
            torch.randn(n))
    compare(f"scatter_add of {n}, weighted", lambda x, s: x.scatter_add(0, index, s),
            torch.randn(6), torch.randn(n))
    compare(f"gather of {n}", lambda x: x.gather(0, index).sum(), torch.randn(6))

# One computed place for what is known after a whole reduction.
place = torch.tensor(0)
compare("index_add of a mean", lambda x, y: (x * x).mean().index_add(0, place, y), vector[:5],
        vector[0].clone())
compare("one class of a loss", lambda x: F.multi_margin_loss(x, place) + x.sum(), vector[:4])

# Whole reductions of values that are the same along a dimension.
for shape in [(1, 1), (3, 1), (1, 4), (1,)]:
    small = torch.rand(*shape) + 1
    compare(f"sum of {shape}", lambda x: x.expand(3, 4).sum(), small)
    compare(f"mean of {shape}", lambda x: x.expand(3, 4).mean(), small)
    compare(f"prod of {shape}", lambda x: x.expand(3, 4).prod(), small)
    compare(f"max of {shape}", lambda x: x.expand(3, 4).max(), small)
    compare(f"squares of {shape}", lambda x: (x.expand(3, 4) * x).sum(), small)
scalar = vector[0].clone()
for shape in [(3, 4), (5,), (40, 33)]:
    compare(f"0-d beside {shape}", lambda x, b: (x + b).sum(), torch.randn(*shape), scalar)
    compare(f"one element beside {shape}", lambda x, b: (x + b).sum(), torch.randn(*shape),
            torch.randn(1))
    compare(f"mean beside {shape}", lambda x, b: (x * b).mean() + b, torch.randn(*shape), scalar)

# Lanes behind the end of a row.
for n in [1, 2, 3, 5, 6, 7, 9, 13, 15, 17, 31]:
    k = torch.arange(n).expand(4, n).contiguous()
    compare(f"masked quotient of {n}", lambda a, b: torch.where(k < 3, a / b, 0.).sum(dim=1),
            torch.randn(4, n), torch.rand(4, n) + 0.5)
    compare(f"masked logarithm of {n}",
            lambda a, b: torch.where(k < 3, b.log() * a, 0.).sum(dim=1), torch.randn(4, n),
            torch.rand(4, n) + 0.5)

print(counts["agree"], "agree")
