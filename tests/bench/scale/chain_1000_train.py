"""A thousand operations in a chain, forward and backward."""
import torch


@torch.compile
def f(x):
    for _ in range(250):
        x = torch.sin(x) * 0.5 + torch.cos(x)
    return x.sum()


f(torch.randn(64, 64, requires_grad=True)).backward()
