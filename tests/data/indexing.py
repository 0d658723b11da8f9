"""Indexing with tensors, lists and masks, compiled against eager, values and gradients: prints each case whose
numbers differ, then a count. The numbers were compared with PyTorch's."""
import torch

counts = {"agree": 0}


def same(name, ours, theirs):
    if ours.shape == theirs.shape and (ours.numel() == 0 or (ours - theirs).abs().max().item() < 1e-5):
        counts["agree"] += 1
    else:
        print(f"{name} differs: {ours} and {theirs}")


def numbers(*sizes):
    count = 1
    for size in sizes:
        count = count * size
    return (torch.arange(count, dtype=torch.float32) * 0.7 + 0.3).sin().reshape(*sizes)


i = torch.tensor([0, 2, -1, 1, 2])
j = torch.tensor([1, 0, 4, -2, 0])
k = torch.tensor([[2], [0]])
m = torch.tensor([2, 2, 0, 1, -3])
column = torch.tensor([0, 3, 1])

reads = {
    "one": lambda x: x[i],
    "two": lambda x: x[i, j],
    "three": lambda x: x[i, j, m],
    "broadcast": lambda x: x[k, column],
    "apart": lambda x: x[i, :, m],
    "middle": lambda x: x[:, j],
    "last": lambda x: x[..., m],
    "of a slice": lambda x: x[1:3, j],
    "new dimension": lambda x: x[None, i],
    "number before": lambda x: x[1, j],
    "number between": lambda x: x[i, 1, m],
    "list": lambda x: x[[0, 2]],
    "lists": lambda x: x[[0, 2], [1, 1]],
    "number tensor": lambda x: x[torch.tensor(2)],
    "steps": lambda x: x[::2, j, 1:],
    "nothing": lambda x: x[torch.tensor([], dtype=torch.int64)],
    "index_select": lambda x: torch.index_select(x, 1, torch.tensor([3, 0, 0])),
    "take_along_dim": lambda x: torch.take_along_dim(x, torch.tensor([[[1], [0], [2], [2], [1]]]), 2),
    "index_add": lambda x: torch.index_add(x, 0, torch.tensor([2, 0, 2]), x * 2, alpha=0.5),
}
for name, function in reads.items():
    results = []
    for call in (function, torch.compile(function, fullgraph=True)):
        x = numbers(3, 5, 3).requires_grad_()
        y = call(x)
        (y * numbers(*y.shape) if y.numel() else y).sum().backward()
        results.append((y.detach(), x.grad))
    same(name, results[1][0], results[0][0])
    same(name + ", gradient", results[1][1], results[0][1])

mask = numbers(3, 5) > 0.2
everywhere = numbers(3, 5, 3) > 0
rows = torch.tensor([True, False, True])


def rows_written(y, v):
    y[torch.tensor([0, 2, 1])] = v


def columns_filled(y, v):
    y[:, torch.tensor([1, 3])] = 2.5


def last_one_stays(y, v):
    y[torch.tensor([1, 1, 1]), torch.tensor([2, 2, 4])] = v[0, :3]


def mask_filled(y, v):
    y[mask] = -1.5


def elements_filled(y, v):
    y[everywhere] = 0.25


def accumulated(y, v):
    y.index_put_((torch.tensor([0, 0, 2]),), v, accumulate=True)


def accumulated_places(y, v):
    y.index_put_((torch.tensor([0, 0, 2]), torch.tensor([1, 1, 1])), v[:, 0], accumulate=True)


def raised(y, v):
    y[..., torch.tensor([0, 2])] += 1


for write in (rows_written, columns_filled, last_one_stays, mask_filled, elements_filled, accumulated,
              accumulated_places, raised):
    def function(x, v):
        y = x * 1
        write(y, v)
        return y

    results = []
    for call in (function, torch.compile(function, fullgraph=True)):
        x = numbers(3, 5, 3).requires_grad_()
        v = (numbers(3, 5, 3) * 2).requires_grad_()
        y = call(x, v)
        (y * numbers(3, 5, 3).cos()).sum().backward()
        results.append((y.detach(), x.grad, v.grad))
    same(write.__name__, results[1][0], results[0][0])
    same(write.__name__ + ", gradient", results[1][1], results[0][1])
    if results[0][2] is not None:
        same(write.__name__ + ", gradient of the values", results[1][2], results[0][2])

x = numbers(3, 5, 3)
y = x.clone()
y[rows, 0] = 3
same("rows of a mask", y[rows][:, 0], torch.full((2, 3), 3.0))
same("masked elements", x[everywhere], x.reshape(-1)[everywhere.reshape(-1)])
same("masked rows", x[rows], torch.stack([x[0], x[2]]))
same("mask and index", x[rows, torch.tensor([1, 4])], torch.stack([x[0, 1], x[2, 4]]))
kept = x.clone().requires_grad_()
(kept[mask] * 2).sum().backward()
same("masked, gradient", kept.grad, torch.where(mask.unsqueeze(-1), torch.full((3, 5, 3), 2.0), 0.0))


@torch.compile
def picked(x, mask):
    return x[mask] * 2


same("a mask breaks the graph", picked(x, mask), x[mask] * 2)
same("masked_select", torch.masked_select(x, rows.reshape(3, 1, 1)), x[rows].reshape(-1))
same("masked_scatter", torch.masked_scatter(torch.zeros(3, 5, 3), rows.reshape(3, 1, 1), x),
     torch.stack([x[0], torch.zeros(5, 3), x[1]]))


@torch.compile
def selected(x, rows):
    return torch.masked_select(x * 2, rows)


same("masked_select breaks the graph", selected(x, rows.reshape(3, 1, 1)), x[rows].reshape(-1) * 2)
for wrong in (lambda: x[torch.tensor([3])], lambda: x[:, torch.tensor([-6])], lambda: x[torch.tensor([0.5])],
              lambda: x[0, 0, 0, 0], lambda: x[torch.tensor([0, 1]), torch.tensor([0, 1, 2])], lambda: x[mask[:2]]):
    try:
        wrong()
        print("no error")
    except IndexError:
        counts["agree"] += 1
most = 2**63 - 1
same("an integer beyond 2^53", torch.zeros(3, dtype=torch.long).scatter(0, torch.tensor([1]), most),
     torch.tensor([0, most, 0]))
same("the least of integers", torch.tensor([1, 2, 3]).scatter_reduce(
    0, torch.tensor([0, 0, 2]), torch.tensor([5, 7, 9]), "amin", include_self=False), torch.tensor([5, 2, 9]))
counts["agree"] += torch.broadcast_shapes((2, 1), (3,), (1, 1, 1)) == (1, 2, 3)
print(counts["agree"], "agree")
