"""A bool is an input, passes between kernels, and is an output."""
import torch

sizes = {"tiny": (64, 512)}


def model(x, keep):
    mask = (x > x.mean()) & keep
    return mask, torch.where(mask, x, 0.0).sum(), mask.any()


def example_inputs(size):
    rows, columns = sizes[size]
    return (torch.randn(rows, columns), torch.randn(rows, columns) > 0)
