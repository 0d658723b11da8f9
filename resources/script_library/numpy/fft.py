# SPDX-License-Identifier: Apache-2.0
# numpy.fft: torch.fft on arrays; transforms are of double precision, as NumPy's.
import numpy as _np
import torch as _torch


def _x(a):
    a = _np._raw(a)
    return a if a.is_complex() else a.to(_torch.float64)


def fft(a, n=None, axis=-1, norm=None):
    return _np._wrap(_torch.fft.fft(_x(a), n, axis, norm))


def ifft(a, n=None, axis=-1, norm=None):
    return _np._wrap(_torch.fft.ifft(_x(a), n, axis, norm))


def rfft(a, n=None, axis=-1, norm=None):
    return _np._wrap(_torch.fft.rfft(_x(a), n, axis, norm))


def irfft(a, n=None, axis=-1, norm=None):
    return _np._wrap(_torch.fft.irfft(_x(a), n, axis, norm))


def fft2(a, s=None, axes=(-2, -1), norm=None):
    return _np._wrap(_torch.fft.fft2(_x(a), s, axes, norm))


def ifft2(a, s=None, axes=(-2, -1), norm=None):
    return _np._wrap(_torch.fft.ifft2(_x(a), s, axes, norm))


def fftfreq(n, d=1.0):
    return _np._wrap(_torch.fft.fftfreq(n, d, dtype=_torch.float64))


def rfftfreq(n, d=1.0):
    return _np._wrap(_torch.fft.rfftfreq(n, d, dtype=_torch.float64))


def fftshift(x, axes=None):
    return _np._wrap(_torch.fft.fftshift(_np._raw(x), axes))


def ifftshift(x, axes=None):
    return _np._wrap(_torch.fft.ifftshift(_np._raw(x), axes))
