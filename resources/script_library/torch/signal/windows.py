# SPDX-License-Identifier: Apache-2.0
# torch.signal.windows: symmetric windows, and with sym=False one period of them.
import math

import torch


def _checked(name, M, dtype):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if dtype not in [torch.float32, torch.float64]:
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    return dtype


def _line(start, step, M, dtype, device, requires_grad):
    """start, start + step, ..., M numbers."""
    return torch.linspace(start, start + (M - 1) * step, M, dtype=dtype, device=device, requires_grad=requires_grad)


def _short(M, dtype, device, requires_grad):
    """The window of length 0, or of length 1, which is 1."""
    return torch.ones((M,), dtype=dtype, device=device, requires_grad=requires_grad)


def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    dtype = _checked("exponential", M, dtype)
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    if M == 0:
        return _short(M, dtype, device, requires_grad)
    if center is None:
        center = (M if not sym and M > 1 else M - 1) / 2.0
    return torch.exp(-torch.abs(_line(-center / tau, 1 / tau, M, dtype, device, requires_grad)))


def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    dtype = _checked("cosine", M, dtype)
    if M == 0:
        return _short(M, dtype, device, requires_grad)
    step = math.pi / (M + 1 if not sym and M > 1 else M)
    return torch.sin(_line(0.5 * step, step, M, dtype, device, requires_grad))


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    dtype = _checked("gaussian", M, dtype)
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    if M == 0:
        return _short(M, dtype, device, requires_grad)
    step = 1 / (std * math.sqrt(2))
    start = -(M if not sym and M > 1 else M - 1) / 2.0
    return torch.exp(-_line(start * step, step, M, dtype, device, requires_grad) ** 2)


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    dtype = _checked("kaiser", M, dtype)
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M <= 1:
        return _short(M, dtype, device, requires_grad)
    step = 2.0 * beta / (M if not sym else M - 1)
    k = torch.linspace(-beta, min(beta, -beta + (M - 1) * step), M, dtype=dtype, device=device, requires_grad=requires_grad)
    inside = torch.clamp(beta * beta - k * k, min=0)
    return torch.i0(torch.sqrt(inside)) / torch.i0(torch.tensor(beta, dtype=dtype, device=device))


def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    dtype = _checked("general_cosine", M, dtype)
    if M <= 1:
        return _short(M, dtype, device, requires_grad)
    if not isinstance(a, (list, tuple)):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    k = _line(0, 2 * math.pi / (M if not sym else M - 1), M, dtype, device, requires_grad)
    signed = torch.tensor([(-1) ** i * w for i, w in enumerate(a)], device=device, dtype=dtype, requires_grad=requires_grad)
    order = torch.arange(len(a), dtype=dtype, device=device)
    return (signed.unsqueeze(-1) * torch.cos(order.unsqueeze(-1) * k)).sum(0)


def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, device=device, requires_grad=requires_grad)


def hamming(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return general_hamming(M, sym=sym, dtype=dtype, device=device, requires_grad=requires_grad)


def hann(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, device=device, requires_grad=requires_grad)


def blackman(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    dtype = _checked("blackman", M, dtype)
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, dtype=dtype, device=device, requires_grad=requires_grad)


def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype, device=device,
                          requires_grad=requires_grad)


def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    dtype = _checked("bartlett", M, dtype)
    if M <= 1:
        return _short(M, dtype, device, requires_grad)
    return 1 - torch.abs(_line(-1, 2 / (M if not sym else M - 1), M, dtype, device, requires_grad))
