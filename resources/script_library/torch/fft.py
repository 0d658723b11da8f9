# SPDX-License-Identifier: Apache-2.0
# torch.fft: what needs no complex numbers. Transforms to real numbers take real ones, as products with cosines and sines.
import math

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


def _along(x, matrix, dim):
    return torch.matmul(x.movedim(dim, -1), matrix.mT).movedim(-1, dim)


def _of_length(x, n, dim):
    """Cut off, or filled up with zeros."""
    if x.shape[dim] >= n:
        return x.narrow(dim, 0, n)
    behind = x.dim() - 1 - dim % x.dim()
    return torch.nn.functional.pad(x, [0, 0] * behind + [0, n - x.shape[dim]])


def _hermitian(input, s, dim, norm, inverse):
    """Every dimension transformed, the last one from its half with k >= 0; of real numbers, so that the sign of the
    exponents does not matter."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    x = input if input.is_floating_point() else input.to(torch.get_default_dtype())
    dims = [d % max(x.dim(), 1) for d in (range(-len(s), 0) if dim is None and s is not None else _dims(x, dim))]
    sizes = [x.shape[d] for d in dims]
    sizes[-1] = 2 * (sizes[-1] - 1)
    if s is not None:
        if len(s) != len(dims):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
        sizes = [size if n == -1 else n for size, n in zip(sizes, s)]
    for n in sizes:
        if n < 1:
            raise RuntimeError(f"Invalid number of data points ({n}) specified")
    other, count = None, 1
    for i, (d, n) in enumerate(zip(dims, sizes)):
        last = i == len(dims) - 1
        x = _of_length(x, n // 2 + 1 if last else n, d)
        other = other if other is None else _of_length(other, x.shape[d], d)
        turns = torch.arange(n, device=x.device).unsqueeze(1) * torch.arange(x.shape[d], device=x.device) % n
        angles = turns.to(torch.float64) * (2 * math.pi / n)
        if last:
            twice = torch.full((x.shape[d],), 2.0, dtype=torch.float64, device=x.device)
            twice[0] = 1.0
            if n % 2 == 0:
                twice[-1] = 1.0
            cosines, sines = angles.cos() * twice, angles.sin() * twice
        else:
            cosines, sines = angles.cos(), angles.sin()
        cosines, sines = cosines.to(x.dtype), sines.to(x.dtype)
        x, other = (_along(x, cosines, d) if other is None else _along(x, cosines, d) - _along(other, sines, d),
                    None if last else _along(x, sines, d) if other is None else
                    _along(x, sines, d) + _along(other, cosines, d))
        count *= n
    scaled = "backward" if inverse else "forward"
    if norm == "ortho":
        return x / math.sqrt(count)
    return x / count if (norm or "backward") == scaled else x


def irfftn(input, s=None, dim=None, norm=None, *, out=None):
    found = _hermitian(input, s, dim, norm, True)
    return found if out is None else out.copy_(found)


def hfftn(input, s=None, dim=None, norm=None, *, out=None):
    found = _hermitian(input, s, dim, norm, False)
    return found if out is None else out.copy_(found)


def irfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return irfftn(input, s, dim, norm, out=out)


def hfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return hfftn(input, s, dim, norm, out=out)


def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    return irfftn(input, None if n is None else (n,), (dim,), norm, out=out)


def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    return hfftn(input, None if n is None else (n,), (dim,), norm, out=out)
