"""Weights that a compiled convolution keeps in a layout of its own, changed in every way: prints what
differs from eager, then a count."""
import torch
import torch.nn as nn
import torch.nn.functional as F

counts = {"agree": 0}


def same(name, ours, theirs):
    if ours.shape == theirs.shape and ((ours - theirs).abs() <= 1e-4 * (1 + theirs.abs())).all().item():
        counts["agree"] += 1
    else:
        print(f"{name} differs: {ours} and {theirs}")


def data(seed, *sizes):
    n = 1
    for size in sizes:
        n = n * size
    return torch.arange(float(n)).mul(0.37).add(float(seed)).sin().reshape(sizes)


def convolved(x, w):
    return F.conv2d(x, w, padding=1)


compiled = torch.compile(convolved)
x, w = data(1, 2, 16, 9, 9), data(2, 16, 16, 3, 3)
for k in range(3):
    same(f"again {k}", compiled(x, w), convolved(x, w))
w.mul_(0.5)
same("changed in place", compiled(x, w), convolved(x, w))
w[3].fill_(2)
same("changed through a view", compiled(x, w), convolved(x, w))
w[3:5, 2] = 0.25
same("an item assigned", compiled(x, w), convolved(x, w))
w.uniform_(-1, 1)
same("drawn anew", compiled(x, w), convolved(x, w))
other = w.clone()
same("an equal one", compiled(x, other), convolved(x, other))
other.add_(1)
same("one of two changed", compiled(x, other), convolved(x, other))
same("back to the first", compiled(x, w), convolved(x, w))
for k in range(4):
    w = data(k, 16, 16, 3, 3)  # the memory of the one before may be used again
    same(f"a new one {k}", compiled(x, w), convolved(x, w))
both = data(9, 32, 16, 3, 3)
for k in range(2):
    same(f"half {k}", compiled(x, both[16 * k:16 * k + 16]), convolved(x, both[16 * k:16 * k + 16]))
parameter = nn.Parameter(data(3, 16, 16, 3, 3))
for k in range(2):
    compiled(x, parameter).pow(2).sum().backward()
    with torch.no_grad():
        parameter.sub_(parameter.grad * 1e-4)
    same(f"after a step {k}", compiled(x, parameter), convolved(x, parameter))
parameter.data = data(5, 16, 16, 3, 3)
same("other data", compiled(x, parameter), convolved(x, parameter))


def step(x, w):
    w.mul_(0.5)
    return convolved(x, w)


compiled = torch.compile(step, fullgraph=True)
mine, theirs = data(6, 16, 16, 3, 3), data(6, 16, 16, 3, 3)
for k in range(3):
    same(f"changed by the function {k}", compiled(x, mine), step(x, theirs))
# What is added has one channel, or one place: oneDNN takes it for a number, where windows see padding only.
for sizes, channels, results, stride in (((9,), 1, 1, 1), ((5, 4), 4, 1, 1), ((3, 4, 2), 1, 1, 2), ((1, 1), 4, 3, 3)):
    run = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}[len(sizes)]
    x, w = data(1, 2, channels, *sizes), data(2, results, channels, *[1] * len(sizes))
    rest = data(3, *run(x, w, padding=1, stride=stride).shape)
    added = torch.compile(lambda x, w, r: run(x, w, padding=1, stride=stride) + r)
    same(f"added {sizes}", added(x, w, rest), run(x, w, padding=1, stride=stride) + rest)
# Other ranks.
line, solid = data(1, 2, 3, 9), data(1, 2, 3, 5, 4, 6)
same("1-d", torch.compile(F.conv1d)(line, data(2, 4, 3, 3)), F.conv1d(line, data(2, 4, 3, 3)))
same("3-d", torch.compile(F.conv3d)(solid, data(2, 4, 3, 2, 3, 2)), F.conv3d(solid, data(2, 4, 3, 2, 3, 2)))
last = data(1, 2, 3, 5, 4).contiguous(memory_format=torch.channels_last)
w = data(2, 4, 3, 3, 3)
out = torch.compile(convolved)(last, w)
same("channels last", out, convolved(data(1, 2, 3, 5, 4), w))
if not last.is_contiguous(memory_format=torch.channels_last) or last.is_contiguous() or out.stride() != (80, 1, 16, 4):
    print("memory formats are not kept:", last.stride(), out.stride())
print(counts["agree"], "agree")
