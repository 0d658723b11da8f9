# SPDX-License-Identifier: Apache-2.0
# Statistics, curves and products of arrays.
import math as _math

import numpy as _np
import torch as _torch
from numpy import _common, _floats, _pair, _raw, _result_of, _wrap

__all__ = ["average", "median", "quantile", "percentile", "_quantile", "histogram", "histogram_bin_edges",
           "histogram2d", "histogramdd", "digitize", "cov", "corrcoef", "convolve", "correlate", "gradient", "diff",
           "ediff1d", "trapezoid", "interp", "unwrap", "cross", "kron", "tensordot", "vdot", "vecdot", "matvec",
           "vecmat", "polyfit", "polyval", "polyadd", "polysub", "polymul", "polyder", "polyint", "poly", "roots",
           "cumulative_sum", "cumulative_prod", "einsum_path"]


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    a = _np.asarray(a)
    if weights is None:
        found = _np.mean(a, axis, keepdims=keepdims)
        total = _result_of(_torch.full_like(found._tensor, a.size / max(found.size, 1)))
        return (found, total) if returned else found
    w = _np.asarray(weights)
    if w.shape != a.shape and axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if w.shape != a.shape:
        w = w.reshape([a.shape[d] if d == axis % a.ndim else 1 for d in range(a.ndim)])
    total = _np.sum(w * _np.ones_like(a, dtype=_np.result_type(a, w)), axis, keepdims=keepdims)
    if bool((total == 0).any()):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    found = _np.sum(a * w, axis, keepdims=keepdims) / total
    return (found, total) if returned else found


def _as_one_axis(x, axis):
    """The dimensions of a tuple as one, the last; and which it was."""
    if axis is None:
        return x.reshape(-1), 0
    if isinstance(axis, tuple):
        axis = [d % x.dim() for d in axis]
        rest = [d for d in range(x.dim()) if d not in axis]
        return x.permute(*rest, *axis).reshape([x.shape[d] for d in rest] + [-1]), -1
    return x, axis


def _kept(found, a, axis, front=0):
    """With the dimensions that are gone as ones."""
    dims = _raw(a).dim()
    gone = range(dims) if axis is None else [d % dims for d in (axis if isinstance(axis, tuple) else (axis,))]
    for d in sorted(gone):
        found = found.unsqueeze(d + front)
    return found


def _quantile(a, q, axis, method, keepdims, function):
    if method not in ("linear", "lower", "higher", "nearest", "midpoint"):
        raise NotImplementedError(f"quantile: method {method!r} is not available; use linear, lower, higher, nearest "
                                  "or midpoint")
    given = _raw(a)
    x = _floats(given)
    if isinstance(q, (int, float)) and not isinstance(q, _np.generic):
        at = _torch.tensor(float(q), dtype=x.dtype)
    else:
        at = _raw(q).to(_torch.float64)
        x = x.to(_torch.float64)
    if bool(((at < 0) | (at > 1)).any()):
        raise ValueError("Quantiles must be in the range [0, 1]")
    flat, dim = _as_one_axis(x, axis)
    found = function(flat, at.reshape(-1) if at.dim() > 1 else at, dim, interpolation=method)
    if keepdims:
        found = _kept(found, a, axis, 1 if at.dim() else 0)
    if at.dim() > 1:
        found = found.reshape(at.shape + found.shape[1:])
    return _result_of(found.to(given.dtype) if method in ("lower", "higher", "nearest") else found)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    return _quantile(a, q, axis, method, keepdims, _torch.quantile)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    if isinstance(q, (int, float)) and not isinstance(q, _np.generic):
        x = _floats(_raw(a))
        part = (_torch.tensor(float(q), dtype=x.dtype) / 100).item()
    else:
        part = _np.asarray(q) / 100
    try:
        return _quantile(a, part, axis, method, keepdims, _torch.quantile)
    except ValueError:
        raise ValueError("Percentiles must be in the range [0, 100]") from None


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    x = _floats(_raw(a))
    flat, dim = _as_one_axis(x, axis)
    n = flat.shape[dim]
    if n == 0:
        return _np.mean(a, axis, keepdims=keepdims)
    order = flat.sort(dim)[0]
    low, high, last = [order.select(dim, i) for i in ((n - 1) // 2, n // 2, n - 1)]
    found = _torch.where(_torch.isnan(last), last, low if n % 2 else (low + high) / 2)
    return _result_of(_kept(found, a, axis) if keepdims else found)


# histograms
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    x = _raw(a).reshape(-1)
    if isinstance(bins, str):
        raise NotImplementedError(f"numpy.histogram: bins={bins!r} is not available; give a number or the edges")
    if not isinstance(bins, (int, _np.generic)):
        edges = _np.asarray(bins)
        if bool((edges[1:] < edges[:-1]).any()):
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges
    if int(bins) < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if range is not None:
        first, last = range
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
    elif x.numel() == 0:
        first, last = 0.0, 1.0
    else:
        first, last = x.min().item(), x.max().item()
        if not (_math.isfinite(first) and _math.isfinite(last)):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
    if first == last:
        first, last = first - 0.5, last + 0.5
    edges = _np.linspace(first, last, int(bins) + 1)
    return edges.astype("float32") if x.dtype == _torch.float32 else edges


def _bin_of(x, edges):
    """The bin of every number; -1 outside of all. The last edge belongs to the last bin."""
    e = edges._tensor
    kind = _torch.promote_types(x.dtype, e.dtype)
    x, e = x.to(kind).contiguous(), e.to(kind).contiguous()
    at = _torch.searchsorted(e, x, right=True) - 1
    at = _torch.where(x == e[-1], _torch.full_like(at, len(edges) - 2), at)
    return _torch.where((x >= e[0]) & (x <= e[-1]), at, _torch.full_like(at, -1))


def histogram(a, bins=10, range=None, density=None, weights=None):
    x = _raw(a).reshape(-1)
    edges = histogram_bin_edges(a, bins, range)
    at = _bin_of(x, edges)
    inside = at >= 0
    w = None if weights is None else _raw(weights).reshape(-1)[inside]
    counts = _wrap(_torch.bincount(at[inside], w, len(edges) - 1))
    if density:
        counts = counts / _np.diff(edges) / _np.sum(counts)
    return counts, edges


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    columns = [_raw(c) for c in sample] if isinstance(sample, (list, tuple)) else list(_raw(sample).unbind(-1))
    count = len(columns)
    each = list(bins) if isinstance(bins, (list, tuple)) else [bins] * count
    edges = [histogram_bin_edges(_wrap(c), b, None if range is None else range[i])
             for i, (c, b) in enumerate(zip(columns, each))]
    inside, flat = _torch.ones_like(columns[0], dtype=_torch.bool), _torch.zeros_like(columns[0], dtype=_torch.int64)
    shape = [len(e) - 1 for e in edges]
    for c, e in zip(columns, edges):
        at = _bin_of(c, e)
        inside = inside & (at >= 0)
        flat = flat * (len(e) - 1) + at
    w = None if weights is None else _raw(weights)[inside]
    counts = _wrap(_torch.bincount(flat[inside], w, _math.prod(shape)).to(_torch.float64).reshape(shape))
    if density:
        counts = counts / _np.sum(counts)
        for i, e in enumerate(edges):
            counts = counts / _np.diff(e).reshape([-1 if d == i else 1 for d in _python_range(count)])
    return counts, edges


_python_range = range


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]


def digitize(x, bins, right=False):
    edges = _np.asarray(bins)
    if len(edges) > 1 and bool((edges[1:] < edges[:-1]).any()):
        return len(edges) - _np.searchsorted(edges[::-1], x, side="left" if right else "right")
    return _np.searchsorted(edges, x, side="left" if right else "right")


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    x = _np.asarray(m)
    x = x.reshape(1, -1) if x.ndim < 2 else x if rowvar else x.T
    if y is not None:
        y = _np.asarray(y)
        x = _np.concatenate([x, y.reshape(1, -1) if y.ndim < 2 else y if rowvar else y.T])
    ddof = (0 if bias else 1) if ddof is None else ddof
    found = _torch.cov(_floats(x._tensor).to(_torch.float64), correction=ddof,
                       fweights=None if fweights is None else _raw(fweights),
                       aweights=None if aweights is None else _raw(aweights))
    return _wrap(found)


def corrcoef(x, y=None, rowvar=True):
    c = cov(x, y, rowvar)
    if c.ndim == 0:
        return _np.float64(1.0)
    d = _np.sqrt(_np.diag(c))
    return _np.clip(c / d[:, None] / d[None, :], -1, 1)


# curves
def convolve(a, v, mode="full"):
    return correlate(a, _np.asarray(v)[::-1], mode, _flipped=True)


def correlate(a, v, mode="valid", _flipped=False):
    x, y = _common([_np.atleast_1d(a), _np.atleast_1d(v)])
    if x.numel() == 0 or y.numel() == 0:
        raise ValueError(f"{'a' if x.numel() == 0 else 'v'} cannot be empty")
    turned = x.numel() < y.numel()
    n, m = max(x.numel(), y.numel()), min(x.numel(), y.numel())
    full = _torch.nn.functional.pad(x, (y.numel() - 1, y.numel() - 1)).unfold(0, y.numel(), 1)
    found = (full * y).sum(-1)
    if mode == "full":
        return _wrap(found)
    if mode == "same":
        first = (m - 1) // 2
        first = m - 1 - first if turned and not _flipped else first
        return _wrap(found[first:first + n])
    return _wrap(found[m - 1:n])


def diff(a, n=1, axis=-1, prepend=None, append=None):
    x = _np.asarray(a)

    def end(value):
        value = _np.asarray(value)
        shape = list(x.shape)
        shape[axis] = 1
        return _np.broadcast_to(value, shape) if value.ndim == 0 else value

    parts = [x if v is x else end(v) for v in (prepend, x, append) if v is not None]
    x = _np.concatenate(parts, axis) if len(parts) > 1 else x
    return _wrap(_torch.diff(x._tensor, n, axis))


def ediff1d(ary, to_end=None, to_begin=None):
    found = diff(_np.ravel(ary))
    parts = ([] if to_begin is None else [_np.ravel(to_begin)]) + [found] + \
        ([] if to_end is None else [_np.ravel(to_end)])
    return _np.concatenate(parts).astype(found.dtype)


def gradient(f, *varargs, axis=None, edge_order=1):
    x = _floats(_raw(f))
    axes = list(range(x.dim())) if axis is None else [d % x.dim() for d in (axis if isinstance(axis, tuple) else (axis,))]
    steps = list(varargs) if len(varargs) == len(axes) else list(varargs) * len(axes) if varargs else [1.0] * len(axes)
    found = []
    for d, h in zip(axes, steps):
        if x.shape[d] < edge_order + 1:
            raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
                             "elements are required.")
        spacing = float(h) if isinstance(h, (int, float, _np.generic)) else _raw(h).to(x.dtype)
        if isinstance(spacing, float):
            found.append(_wrap(_torch.gradient(x, spacing=spacing, dim=d, edge_order=edge_order)[0]))
        else:
            found.append(_wrap(_torch.gradient(x, spacing=(spacing,), dim=d, edge_order=edge_order)[0]))
    return found[0] if len(found) == 1 else tuple(found)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = _floats(_raw(y)).movedim(axis, -1)
    step = dx
    if x is not None:
        given = _raw(x)
        step = _torch.diff(given if given.dim() == 1 else given.movedim(axis, -1))
    return _result_of((step * (y[..., 1:] + y[..., :-1]) / 2.0).sum(-1))


def interp(x, xp, fp, left=None, right=None, period=None):
    if period is not None:
        xp, fp = _np.asarray(xp, "float64") % period, _np.asarray(fp, "float64")
        order = _np.argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = _np.concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = _np.concatenate([fp[-1:], fp, fp[:1]])
        x = _np.asarray(x, "float64") % period
    at, knots, values = [_raw(v).to(_torch.float64) for v in (x, xp, fp)]
    j = (_torch.searchsorted(knots, at.contiguous(), right=True) - 1).clamp(0, max(knots.numel() - 2, 0))
    if knots.numel() == 1:
        found = values[0].expand(at.shape)
    else:
        slope = (values[j + 1] - values[j]) / (knots[j + 1] - knots[j])
        found = slope * (at - knots[j]) + values[j]
        found = _torch.where(at >= knots[-1], values[-1], found)
    found = _torch.where(at < knots[0], values[0] if left is None else float(left), found)
    found = _torch.where(at > knots[-1], values[-1] if right is None else float(right), found)
    return _result_of(found)


def unwrap(p, discont=None, axis=-1, *, period=2 * _math.pi):
    x = _floats(_raw(p)).movedim(axis, -1)
    steps = _torch.diff(x)
    half = period / 2
    turned = _torch.remainder(steps + half, period) - half
    turned = _torch.where((turned == -half) & (steps > 0), half, turned)
    change = _torch.where(steps.abs() < (half if discont is None else discont), 0.0, turned - steps)
    return _wrap(_torch.cat([x[..., :1], x[..., 1:] + change.cumsum(-1)], -1).movedim(-1, axis))


def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(_np.cumsum, x, axis, 0, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
    return _cumulative(_np.cumprod, x, axis, 1, include_initial)


def _cumulative(function, x, axis, first, include_initial):
    x = _np.asarray(x)
    axis = 0 if axis is None else axis
    found = function(x, axis)
    if not include_initial:
        return found
    shape = list(found.shape)
    shape[axis] = 1
    return _np.concatenate([_np.full(shape, first, found.dtype), found], axis)


# products
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = _pair(_np.asarray(a), _np.asarray(b))
    x, y = x.movedim(axisa, -1), y.movedim(axisb, -1)
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
                         f"{x.shape[-1]} and {y.shape[-1]} dimensional instead.")
    x, y = _torch.broadcast_tensors(x, y)
    return _wrap(_torch.linalg.cross(x, y).movedim(-1, axisc))


def kron(a, b):
    x, y = _pair(_np.asarray(a), _np.asarray(b))
    return _result_of(_torch.kron(x, y))


def tensordot(a, b, axes=2):
    x, y = _pair(_np.asarray(a), _np.asarray(b))
    if not isinstance(axes, int):
        axes = [[p] if isinstance(p, int) else list(p) for p in axes]
    return _result_of(_torch.tensordot(x, y, axes))


def vdot(a, b):
    x, y = _pair(_np.asarray(a), _np.asarray(b))
    return _result_of(_torch.vdot(x.reshape(-1), y.reshape(-1)))


def vecdot(x1, x2, /, *, axis=-1):
    x, y = _pair(_np.asarray(x1), _np.asarray(x2))
    return _result_of((x.conj() * y).sum(axis))


def matvec(x1, x2):
    return _np.matmul(x1, _np.asarray(x2)[..., None])[..., 0]


def vecmat(x1, x2):
    return _np.matmul(_np.asarray(x1)[..., None, :], x2)[..., 0, :]


def einsum_path(*operands, optimize="greedy"):
    raise NotImplementedError("numpy.einsum_path is not available: einsum chooses its own order")


# polynomials, highest power first
def polyval(p, x):
    found = _np.zeros_like(_np.asarray(x))
    for c in _np.asarray(p):
        found = found * x + c
    return found if found.ndim else found[()]


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    if full or cov:
        raise NotImplementedError("numpy.polyfit: full= and cov= are not available")
    x, y = _np.asarray(x) + 0.0, _np.asarray(y) + 0.0
    rows = _np.vander(x, deg + 1)
    if w is not None:
        rows, y = rows * _np.asarray(w)[:, None], (y.T * _np.asarray(w)).T
    scale = _np.sqrt((rows * rows).sum(axis=0))
    found = _torch.linalg.lstsq((rows / scale)._tensor, y._tensor if y.ndim > 1 else y._tensor.unsqueeze(1)).solution
    found = _wrap(found if y.ndim > 1 else found.squeeze(1))
    return (found.T / scale).T


def _aligned(a, b):
    a, b = _np.atleast_1d(a), _np.atleast_1d(b)
    n = max(len(a), len(b))
    return [_np.concatenate([_np.zeros(n - len(v), v.dtype), v]) for v in (a, b)]


def polyadd(a1, a2):
    a, b = _aligned(a1, a2)
    return a + b


def polysub(a1, a2):
    a, b = _aligned(a1, a2)
    return a - b


def polymul(a1, a2):
    return convolve(a1, a2)


def polyder(p, m=1):
    p = _np.asarray(p)
    for _ in range(m):
        n = len(p) - 1
        p = p[:-1] * _np.arange(n, 0, -1)
    return p


def polyint(p, m=1, k=0):
    p = _np.asarray(p)
    for _ in range(m):
        p = _np.concatenate([p / _np.arange(len(p), 0, -1), _np.array([k + 0.0])])
    return p


def poly(seq_of_zeros):
    found = _np.ones(1)
    for z in _np.atleast_1d(seq_of_zeros):
        found = convolve(found, _np.stack([_np.ones_like(z), -z]))
    return found


def roots(p):
    p = _np.asarray(p)
    there = _np.nonzero(p)[0].tolist()
    if not there:
        return _np.zeros(0)
    behind = len(p) - there[-1] - 1
    p = p[there[0]:there[-1] + 1] + 0.0
    n = len(p)
    found = _np.zeros(0)
    if n > 1:
        companion = _np.diag(_np.ones(n - 2), -1)
        companion[0, :] = -p[1:] / p[0]
        found = _np.linalg.eigvals(companion)
    return _np.concatenate([found, _np.zeros(behind, found.dtype)])
