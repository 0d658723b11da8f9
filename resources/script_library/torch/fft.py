# SPDX-License-Identifier: Apache-2.0
# torch.fft: what needs no complex numbers.
import torch


def _dims(input, dim):
    return list(range(input.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)


def fftshift(input, dim=None):
    dims = _dims(input, dim)
    return torch.roll(input, [input.shape[d] // 2 for d in dims], dims)


def ifftshift(input, dim=None):
    dims = _dims(input, dim)
    return torch.roll(input, [(input.shape[d] + 1) // 2 for d in dims], dims)


def fftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False):
    places = torch.arange(n, dtype=torch.get_default_dtype() if dtype is None else dtype, device=device)
    found = torch.where(places < (n + 1) // 2, places, places - n) * (1.0 / (n * d))
    return found.requires_grad_() if requires_grad else found


def rfftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False):
    places = torch.arange(n // 2 + 1, dtype=torch.get_default_dtype() if dtype is None else dtype, device=device)
    found = places * (1.0 / (n * d))
    return found.requires_grad_() if requires_grad else found
