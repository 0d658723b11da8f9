"""Sorts, scans and reductions into places, compiled, against Python's own loops over lists: prints each case whose
numbers differ, then a count. PyTorch prints the same count."""
import math

import torch
import torch.nn.functional as F

counts = {"agree": 0}


def numbers(*sizes):
    count = 1
    for size in sizes:
        count = count * size
    x = ((torch.arange(count, dtype=torch.float32) * 0.7 + 0.3).sin() * 4).round() / 2
    return x.reshape(*sizes)


def same(name, ours, wanted):
    wanted = torch.tensor(wanted, dtype=ours.dtype)
    if ours.shape == wanted.shape and (ours - wanted).abs().max().item() < 2e-4:
        counts["agree"] += 1
    else:
        print(f"{name} differs: {ours} and {wanted}")


def along(x, dim, row):
    """row(list) of every row along dim, as nested lists."""
    moved = x.transpose(dim, 1).tolist()
    return torch.tensor([row(r) for r in moved]).transpose(dim, 1).tolist()


def order_of(row, descending):
    order = []
    for i in range(len(row)):
        at = len(order)
        while at > 0 and (row[order[at - 1]] < row[i] if descending else row[order[at - 1]] > row[i]):
            at = at - 1
        order.insert(at, i)
    return order


def running(row, combine):
    out = [row[0]]
    for value in row[1:]:
        out.append(combine(out[-1], value))
    return out


def places(row, largest):
    best, out = 0, []
    for i in range(len(row)):
        if (row[i] >= row[best]) if largest else (row[i] <= row[best]):
            best = i
        out.append(best)
    return out


for sizes in ((3, 5), (7, 4), (2, 700), (40, 1), (600, 3)):
    x = numbers(*sizes)
    for dim in (0, 1):
        for down in (False, True):
            order = along(x, dim, lambda row: order_of(row, down))
            found = torch.compile(lambda x: torch.sort(x, dim=dim, descending=down, stable=True))(x)
            same(f"sort {sizes} {dim} {down}", found[1], order)
            k = min(3, sizes[dim])
            best = torch.compile(lambda x: torch.topk(x, k, dim=dim, largest=down))(x)
            same(f"topk {sizes} {dim} {down}", best[0], found[0].narrow(dim, 0, k).tolist())
        small = x / 4
        same(f"cumsum {sizes} {dim}", torch.compile(lambda x: torch.cumsum(x, dim))(small),
             along(small, dim, lambda row: running(row, lambda a, b: a + b)))
        same(f"cumprod {sizes} {dim}", torch.compile(lambda x: torch.cumprod(x, dim))(small),
             along(small, dim, lambda row: running(row, lambda a, b: a * b)))
        same(f"cummax {sizes} {dim}", torch.compile(lambda x: torch.cummax(x, dim))(x)[1],
             along(x, dim, lambda row: places(row, True)))
        same(f"cummin {sizes} {dim}", torch.compile(lambda x: torch.cummin(x, dim))(x)[1],
             along(x, dim, lambda row: places(row, False)))
        same(f"median {sizes} {dim}", torch.compile(lambda x: torch.median(x, dim))(x)[0],
             torch.sort(x, dim)[0].select(dim, (sizes[dim] - 1) // 2).tolist())


def scattered(self, index, src, how, include):
    out, seen = list(self), [1 if include else 0 for _ in self]
    for at, value in zip(index, src):
        if seen[at] == 0:
            out[at] = value
        elif how == "sum" or how == "mean":
            out[at] = out[at] + value
        elif how == "prod":
            out[at] = out[at] * value
        else:
            out[at] = max(out[at], value) if how == "amax" else min(out[at], value)
        seen[at] = seen[at] + 1
    if how == "mean":
        out = [value / max(count, 1) for value, count in zip(out, seen)]
    return out


for count in (6, 3000):
    start, src = numbers(9), numbers(count) / 3 + 1.01
    if count > 6:
        src = 1 + (src - 1) / 1000
    index = (torch.arange(count) * 7 + 3) % 8
    for how in ("sum", "prod", "mean", "amax", "amin"):
        for include in (True, False):
            found = torch.compile(
                lambda start, src: start.scatter_reduce(0, index, src, how, include_self=include))(start, src)
            wanted = scattered(start.tolist(), index.tolist(), src.tolist(), how, include)
            same(f"scatter_reduce {count} {how} {include}", found / (1 + abs(max(wanted))),
                 [value / (1 + abs(max(wanted))) for value in wanted])


def normed(row):
    mean = sum(row) / len(row)
    spread = (sum([(value - mean) ** 2 for value in row]) / len(row) + 1e-5) ** 0.5
    return [(value - mean) / spread for value in row]


def shares(row):
    powers = [math.exp(value - max(row)) for value in row]
    return [power / sum(powers) for power in powers]


# A running extreme that later passes over its row read, in one function with them.
for length in (1, 5, 37):
    for largest in (True, False):
        def read(x):
            best = (torch.cummax if largest else torch.cummin)(x, 1).values
            return F.layer_norm(best, (length,)), best.softmax(1)

        x, beside = numbers(4, length), numbers(4, length)
        x.requires_grad_(), beside.requires_grad_()
        best = [[row[at] for at in places(row, largest)] for row in x.tolist()]
        norm, share = torch.compile(read)(x)
        same(f"layer norm {length} {largest}", norm.detach(), [normed(row) for row in best])
        same(f"softmax {length} {largest}", share.detach(), [shares(row) for row in best])
        weights = numbers(length, 4).t() + 0.3
        (norm * weights + share * weights * weights).sum().backward()
        norm, share = read(beside)
        (norm * weights + share * weights * weights).sum().backward()
        same(f"gradients {length} {largest}", x.grad, beside.grad.tolist())
print(counts["agree"], "agree")
