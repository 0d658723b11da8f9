"""A sum of 4096 values, written level by level."""
import torch


@torch.compile
def f(x):
    level = [torch.sin(x + i) for i in range(4096)]
    while len(level) > 1:
        level = [level[2 * i] + level[2 * i + 1] for i in range(len(level) // 2)]
    return level[0]


f(torch.randn(64, 64))
