"""Axes that lie apart are loops of a pass; a later pass over them follows what all rows give."""
import torch


def extreme_after_mean(a):
    y = torch.maximum(a, torch.nanmean(a, [0, 2], True))
    return y.min(), y.min() < 0


def where_it_is(a, m):
    y = torch.maximum(a, m)
    return (y == y.min()).sum(), y.max() - y


def spread(a, m):
    y = a * m
    return (y - y.mean()).square().mean().sqrt(), y / y.abs().sum()


def channels(x, w):
    y = x * w[None, :, None, None]
    c = y - y.mean([0, 2, 3], keepdim=True)
    v = c.square().mean([0, 2, 3], keepdim=True)
    return c / (v + 1e-5).sqrt(), y.amax([0, 2, 3])


def data(*sizes):
    n = 1
    for size in sizes:
        n *= size
    return ((torch.arange(n) * 37 + 11) % 101 / 16.0 - 3).reshape(sizes).double().requires_grad_()


for f, sizes in ((extreme_after_mean, ((3, 4, 2),)), (where_it_is, ((3, 4, 2), (1, 4, 1))),
                 (where_it_is, ((5, 7, 16), (1, 7, 1))), (spread, ((3, 4, 2), (1, 4, 1))),
                 (spread, ((2, 9, 8, 3), (1, 9, 1, 1))), (channels, ((3, 4, 5, 2), (4,))),
                 (channels, ((2, 3, 16, 16), (3,)))):
    inputs = [data(*size) for size in sizes]
    outputs = torch.compile(f)(*inputs)
    sum((o.double() * 0.7).sum() for o in outputs if o.requires_grad).backward()
    print(f.__name__, sizes)
    for t in [*outputs, *(i.grad for i in inputs)]:
        t = t.detach().double()
        print("   ", tuple(t.shape), *(f"{v.item():.6f}" for v in (t.sum(), t.flatten()[-1], t.square().sum())))
