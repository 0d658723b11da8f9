"""Hooks and kept gradients of a value that others were computed of before: compiled as eagerly."""
import torch


def late_hook(x, w):
    y = x * w
    z = y * 2
    y.register_hook(lambda g: g * 3)
    return z + y


def hook_without_use(x, w):
    y = x * w
    z = y * 2
    y.register_hook(lambda g: g * 3)
    return z


def early_hook(x, w):
    y = x * w
    y.register_hook(lambda g: g * 3)
    z = y * 2
    return z + y


def changed(x, w):
    y = x * w
    y.register_hook(lambda g: g * 3)
    y.mul_(2)
    return y


kept = []


def keeps(x, w):
    y = x * w
    z = (y * 2).sin()
    y.retain_grad()
    kept.append(y)
    return z + y


def between(x, w):
    a = x + w
    b = a.exp()
    c = b * a
    b.register_hook(lambda g: g + 1)
    d = c * b
    a.register_hook(lambda g: g * 0.5)
    return d + a


for f in (late_hook, hook_without_use, early_hook, changed, keeps, between):
    for g in (f, torch.compile(f)):
        w = torch.tensor([1.0, 0.5], requires_grad=True)
        out = g(torch.tensor([1.0, 2.0]), w)
        out.sum().backward()
        print(f.__name__, out.detach(), w.grad)
for y in kept:
    print(y.grad)


# A kept gradient is that of the tensor as it is last: changes in place take it along, also of a base and its views.
def whole(y):
    return y.mul_(3)


def part(y):
    y[1:].mul_(3)
    return y


def twice(y):
    return y.mul_(3).add_(1)


for change in (whole, part, twice):
    for g in (change, torch.compile(change)):
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        v = y[1:]
        v.retain_grad()
        y.retain_grad()
        g(y)
        (y * y).sum().backward()
        print(change.__name__, x.grad, y.grad, v.grad, y.retains_grad)
