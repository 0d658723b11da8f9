"""Five thousand tensors joined."""
import torch


@torch.compile
def f(*parts):
    return torch.cat(parts)


f(*[torch.randn(8) for _ in range(5000)])
