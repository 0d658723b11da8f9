# SPDX-License-Identifier: Apache-2.0
# Reductions that leave out what is not a number.
import warnings as _warnings

import numpy as _np
import torch as _torch
from numpy import _floats, _raw, _result_of

__all__ = ["nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin", "nanargmax", "nanargmin",
           "nanmedian", "nanquantile", "nanpercentile", "nancumsum", "nancumprod"]


def _filled(a, value):
    x = _raw(a)
    if not x.dtype.is_floating_point:
        return _np._wrap(x)
    return _np._wrap(_torch.where(_torch.isnan(x), _torch.full_like(x, value), x))


def _count(a, axis, keepdims):
    return _np.sum(~_np.isnan(_np.asarray(a)), axis, keepdims=keepdims)


def nansum(a, axis=None, dtype=None, out=None, keepdims=False):
    return _np.sum(_filled(a, 0.0), axis, dtype, out, keepdims)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False):
    return _np.prod(_filled(a, 1.0), axis, dtype, out, keepdims)


def nancumsum(a, axis=None):
    return _np.cumsum(_filled(a, 0.0), axis)


def nancumprod(a, axis=None):
    return _np.cumprod(_filled(a, 1.0), axis)


def _warned(found, text):
    if bool(_np.isnan(_np.asarray(found)).any()):
        _warnings.warn(text, RuntimeWarning, stacklevel=3)
    return found


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    return _warned(nansum(a, axis, dtype, keepdims=keepdims) / _of(a, _count(a, axis, keepdims)),
                   "Mean of empty slice")


def _of(a, count):
    """A number of elements in the dtype of what is divided by it."""
    return count.astype(_floats(_raw(a)).dtype.__repr__().split(".")[1])


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    x = _np._wrap(_floats(_raw(a)))
    count = _count(x, axis, True)
    apart = x - nansum(x, axis, keepdims=True) / _of(x, count)
    found = nansum(apart * apart, axis, keepdims=keepdims)
    number = _of(x, count if keepdims else _count(x, axis, False))
    return _warned(_np.where(number - ddof > 0, found / (number - ddof), _np.nan).astype(found.dtype),
                   "Degrees of freedom <= 0 for slice.")


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return _np.sqrt(nanvar(a, axis, ddof=ddof, keepdims=keepdims))


def _extreme(a, axis, keepdims, function, value):
    x = _np.asarray(a)
    found = function(_filled(x, value), axis, keepdims=keepdims)
    if not x._tensor.dtype.is_floating_point:
        return found
    nothing = _np.all(_np.isnan(x), axis, keepdims=keepdims)
    return _warned(_np.where(nothing, _np.nan, found).astype(found.dtype), "All-NaN slice encountered")


def nanmax(a, axis=None, out=None, keepdims=False):
    return _extreme(a, axis, keepdims, _np.max, -_np.inf)


def nanmin(a, axis=None, out=None, keepdims=False):
    return _extreme(a, axis, keepdims, _np.min, _np.inf)


def _position(a, axis, keepdims, function, value):
    x = _np.asarray(a)
    if x._tensor.dtype.is_floating_point and bool(_np.any(_np.all(_np.isnan(x), axis))):
        raise ValueError("All-NaN slice encountered")
    return function(_filled(x, value), axis, keepdims=keepdims)


def nanargmax(a, axis=None, out=None, keepdims=False):
    return _position(a, axis, keepdims, _np.argmax, -_np.inf)


def nanargmin(a, axis=None, out=None, keepdims=False):
    return _position(a, axis, keepdims, _np.argmin, _np.inf)


def nanquantile(a, q, axis=None, method="linear", keepdims=False):
    return _np._quantile(a, q, axis, method, keepdims, _torch.nanquantile)


def nanpercentile(a, q, axis=None, method="linear", keepdims=False):
    return nanquantile(a, _np.asarray(q) / 100, axis, method, keepdims)


def nanmedian(a, axis=None, keepdims=False):
    return nanquantile(a, 0.5, axis, keepdims=keepdims)
