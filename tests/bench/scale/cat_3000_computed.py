"""Three thousand computed parts joined."""
import torch


@torch.compile
def f(x):
    return torch.cat([x * i for i in range(3000)])


f(torch.randn(8))
