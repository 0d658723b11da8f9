"""Twenty thousand pointwise operations in a chain."""
import torch


@torch.compile
def f(x):
    for _ in range(5000):
        x = torch.sin(x) * 0.5 + torch.cos(x)
    return x


f(torch.randn(64, 64))
