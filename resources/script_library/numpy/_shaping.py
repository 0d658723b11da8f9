# SPDX-License-Identifier: Apache-2.0
# Shapes, places and grids of arrays beside those of numpy/__init__.py.
import itertools as _itertools
import math as _math

import numpy as _np
import torch as _torch
from numpy import _common, _raw, _result_of, _wrap

__all__ = ["asanyarray", "asfortranarray", "asarray_chkfinite", "copy", "astype", "atleast_3d", "concat",
           "permute_dims", "matrix_transpose", "rollaxis", "broadcast_arrays", "broadcast_shapes", "rot90", "fliplr",
           "flipud", "dstack", "hsplit", "vsplit", "dsplit", "unstack", "block", "pad", "insert", "delete", "resize",
           "trim_zeros", "diagonal", "diagflat", "fill_diagonal", "diag_indices", "diag_indices_from", "tril_indices",
           "tril_indices_from", "triu_indices", "triu_indices_from", "mask_indices", "indices", "mgrid", "ogrid", "r_",
           "c_", "s_", "index_exp", "ix_", "ndindex", "ndenumerate", "unravel_index", "ravel_multi_index",
           "fromfunction", "fromiter", "frombuffer", "geomspace", "vander", "flatnonzero", "select", "piecewise",
           "choose", "compress", "extract", "place", "put", "putmask", "copyto", "take_along_axis", "put_along_axis",
           "apply_along_axis", "apply_over_axes", "lexsort", "partition", "argpartition", "packbits", "unpackbits",
           "array_equiv", "isfortran"]

asanyarray = asfortranarray = _np.asarray


def asarray_chkfinite(a, dtype=None):
    a = _np.asarray(a, dtype)
    if not bool(_np.isfinite(a).all()):
        raise ValueError("array must not contain infs or NaNs")
    return a


def copy(a, order="K"):
    return _np.array(a)


def astype(x, dtype, /, *, copy=True):
    return x.astype(dtype, copy=copy)


def isfortran(a):
    x = _raw(a)
    return not x.is_contiguous() and x.permute(*range(x.dim() - 1, -1, -1)).is_contiguous()


# shapes
def atleast_3d(*arrays):
    found = []
    for a in arrays:
        a = _np.asarray(a)
        found.append(a.reshape(1, -1, 1) if a.ndim < 2 else a.reshape(*a.shape, 1) if a.ndim == 2 else a)
    return found[0] if len(found) == 1 else tuple(found)


concat, permute_dims = _np.concatenate, _np.transpose


def matrix_transpose(x):
    return _wrap(_raw(x).mT)


def rollaxis(a, axis, start=0):
    x = _raw(a)
    axis = axis % x.dim()
    start = start + x.dim() if start < 0 else start
    return _wrap(x.movedim(axis, start - 1 if axis < start else start))


def broadcast_arrays(*args):
    return tuple(_wrap(t) for t in _torch.broadcast_tensors(*[_raw(a) for a in args]))


def broadcast_shapes(*shapes):
    try:
        return tuple(_torch.broadcast_shapes(*shapes))
    except RuntimeError:
        sizes = [str(tuple(s) if isinstance(s, (tuple, list)) else (s,)) for s in shapes]
        pairs = [(i, j) for j in range(len(shapes)) for i in range(j) if not _fit(shapes[i], shapes[j])]
        i, j = pairs[0]
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg "
                         f"{i} with shape {sizes[i]} and arg {j} with shape {sizes[j]}.") from None


def _fit(a, b):
    return all([n == m or n == 1 or m == 1 for n, m in zip(reversed(a), reversed(b))])


def rot90(m, k=1, axes=(0, 1)):
    return _wrap(_torch.rot90(_raw(m), k, axes))


def fliplr(m):
    return _np.flip(m, 1)


def flipud(m):
    return _np.flip(m, 0)


def dstack(tup):
    parts = atleast_3d(*tup)
    return _np.concatenate(parts if isinstance(parts, tuple) else [parts], 2)


def hsplit(ary, indices_or_sections):
    return _np.split(ary, indices_or_sections, 1 if _np.ndim(ary) > 1 else 0)


def vsplit(ary, indices_or_sections):
    return _np.split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    return _np.split(ary, indices_or_sections, 2)


def unstack(x, /, *, axis=0):
    return tuple(_wrap(t) for t in _raw(x).unbind(axis))


def _nested(arrays, depth, dims):
    if not isinstance(arrays, list):
        a = _np.asarray(arrays)
        return a.reshape((1,) * (dims - a.ndim) + a.shape) if a.ndim < dims else a
    return _np.concatenate([_nested(a, depth + 1, dims) for a in arrays], dims - _levels(arrays))


def _levels(arrays):
    return 1 + _levels(arrays[0]) if isinstance(arrays, list) else 0


def _most(arrays):
    return max([_most(a) for a in arrays]) if isinstance(arrays, list) else _np.ndim(arrays)


def block(arrays):
    return _np.array(_nested(arrays, 0, max(_levels(arrays), _most(arrays))))


# joining, leaving out
def _pairs(width, dims):
    if isinstance(width, dict):
        return [_pairs(width.get(d, width.get(d - dims, 0)), 1)[0] for d in range(dims)]
    if isinstance(width, int):
        return [(width, width)] * dims
    width = [w if isinstance(w, (int, float)) else tuple(int(n) for n in w) for w in
             (width.tolist() if isinstance(width, _np.ndarray) else width)]
    if isinstance(width[0], tuple):
        width = [w if len(w) == 2 else (w[0], w[0]) for w in width]
        return width if len(width) == dims else width * dims
    return [(width[0], width[-1])] * dims


def _edges(n, before, after, mode, reflect_type):
    """For each place of a padded dimension, the place that it shows."""
    if n == 0:
        raise ValueError(f"can't extend empty axis 0 using modes other than 'constant' or 'empty'")
    found = []
    for i in range(-before, n + after):
        if mode == "edge":
            i = min(max(i, 0), n - 1)
        elif mode == "wrap":
            i %= n
        else:
            turn = 2 * n - (2 if mode == "reflect" else 0)
            i = i % turn if turn else 0
            i = i if i < n else (turn - i - (0 if mode == "reflect" else 1))
        found.append(i)
    return _torch.tensor(found, dtype=_torch.int64)


def pad(array, pad_width, mode="constant", constant_values=0, end_values=0, reflect_type="even", stat_length=None):
    x = _raw(array)
    width = _pairs(pad_width, x.dim())
    if mode in ("edge", "wrap", "reflect", "symmetric") and reflect_type == "even":
        for d, (before, after) in enumerate(width):
            x = x.index_select(d, _edges(x.shape[d], before, after, mode, reflect_type))
        return _wrap(x)
    sides = {"maximum": _np.max, "minimum": _np.min, "mean": _np.mean, "median": _np.median}
    if mode not in ("constant", "empty") and (mode not in sides or stat_length is not None):
        raise NotImplementedError(f"numpy.pad: mode {mode!r} is not available; use one of constant, edge, reflect, "
                                  "symmetric, wrap, maximum, minimum, mean, median")
    if mode in sides:
        values = None
    elif isinstance(constant_values, (int, float, _np.generic)):
        values = [(constant_values, constant_values)] * x.dim()
    else:
        values = [tuple(v) if isinstance(v, (list, tuple)) else v for v in constant_values]
        values = [(values[0], values[-1])] * x.dim() if not isinstance(values[0], tuple) else \
            values * (1 if len(values) == x.dim() else x.dim())
    for d, (before, after) in enumerate(width):
        parts = []
        for k, count in ((0, before), (1, after)):
            shape = list(x.shape)
            shape[d] = count
            if values is None:
                part = _raw(sides[mode](_wrap(x), d, keepdims=True))
                part = (part.round() if not x.dtype.is_floating_point and part.dtype.is_floating_point else part)
                parts.append(part.to(x.dtype).expand(shape))
            else:
                parts.append(_torch.full(shape, values[d][k]).to(x.dtype))
        x = _torch.cat([parts[0], x, parts[1]], d)
    return _wrap(x)


def _which(n, obj):
    """The places in 0 .. n that an int, a slice, a mask or a list names."""
    if isinstance(obj, slice):
        return list(range(*obj.indices(n)))
    at = _np.asarray(obj)
    if at._tensor.dtype == _torch.bool:
        return at.nonzero()[0].tolist()
    values = at.ravel().tolist() if at.ndim else [int(obj)]
    for v in values:
        if not -n <= v < n:
            raise IndexError(f"index {int(v)} is out of bounds for axis 0 with size {n}")
    return [int(v) % n for v in values]


def delete(arr, obj, axis=None):
    x = _raw(arr)
    if axis is None:
        x, axis = x.reshape(-1), 0
    left_out = set(_which(x.shape[axis], obj))
    keep = [i for i in range(x.shape[axis]) if i not in left_out]
    return _wrap(x.index_select(axis, _torch.tensor(keep, dtype=_torch.int64)))


def insert(arr, obj, values, axis=None):
    x = _raw(arr)
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = axis % x.dim()
    n = x.shape[axis]
    one = isinstance(obj, (int, _np.generic))
    places = [int(obj)] if one else [int(p) for p in (range(*obj.indices(n)) if isinstance(obj, slice) else
                                                      _np.asarray(obj).tolist())]
    places = [p + n if p < 0 else p for p in places]
    for p in places:
        if not 0 <= p <= n:
            raise IndexError(f"index {p} is out of bounds for axis {axis} with size {n}")
    given = _raw(values).to(x.dtype)
    if one:
        if given.dim() == x.dim() - 1 and given.dim():
            given = given.unsqueeze(axis)
        elif given.dim() == 1 and x.dim() == 1:
            places = places * given.shape[0]
    shape = list(x.shape)
    shape[axis] = len(places) if given.dim() < x.dim() or given.shape[axis] == 1 else given.shape[axis]
    if one and len(places) == 1 and shape[axis] > 1:
        places = places * shape[axis]
    given = given.expand(shape)
    order = sorted(range(len(places)), key=lambda i: places[i])
    parts, last = [], 0
    for i in order:
        parts += [x.narrow(axis, last, places[i] - last), given.narrow(axis, i, 1)]
        last = places[i]
    return _wrap(_torch.cat(parts + [x.narrow(axis, last, n - last)], axis))


def resize(a, new_shape):
    flat = _raw(a).reshape(-1)
    shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    return _wrap(flat[_torch.arange(_math.prod(shape)) % flat.numel()].reshape(shape))


def trim_zeros(filt, trim="fb"):
    values = _np.asarray(filt)
    there = values.nonzero()[0].tolist()
    first = (there[0] if there else len(values)) if "f" in trim.lower() else 0
    last = (there[-1] + 1 if there else first) if "b" in trim.lower() else len(values)
    return filt[first:last]


# diagonals and grids
def diagonal(a, offset=0, axis1=0, axis2=1):
    return _wrap(_torch.diagonal(_raw(a), offset, axis1, axis2))


def diagflat(v, k=0):
    return _wrap(_torch.diag(_raw(v).reshape(-1), k))


def fill_diagonal(a, val, wrap=False):
    x = a._tensor
    if wrap:
        raise NotImplementedError("numpy.fill_diagonal: wrap=True is not available")
    n = min(x.shape)
    at = _torch.arange(n)
    given = _raw(val).to(x.dtype).reshape(-1)
    x[(at,) * x.dim()] = given[at % given.numel()]


def diag_indices(n, ndim=2):
    return (_np.arange(n),) * ndim


def diag_indices_from(arr):
    return diag_indices(arr.shape[0], arr.ndim)


def tril_indices(n, k=0, m=None):
    return _np.nonzero(_np.tri(n, m, k))


def triu_indices(n, k=0, m=None):
    return _np.nonzero(_np.tri(n, m, k - 1) == 0)


def tril_indices_from(arr, k=0):
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr, k=0):
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def mask_indices(n, mask_func, k=0):
    return _np.nonzero(mask_func(_np.ones((n, n), int), k))


def indices(dimensions, dtype=int, sparse=False):
    found = _np.meshgrid(*[_np.arange(n, dtype=dtype) for n in dimensions], indexing="ij", sparse=sparse)
    return tuple(found) if sparse else _np.stack(found)


def _steps(key):
    """The numbers of a slice of a grid: an imaginary step is their count."""
    start = 0 if key.start is None else key.start
    if isinstance(key.step, complex):
        return _np.linspace(start, key.stop, int(abs(key.step)))
    return _np.arange(start, key.stop, 1 if key.step is None else key.step)


class _Grid:
    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            return _steps(key)
        parts = [_steps(k) for k in key]
        kind = _np.result_type(*parts)
        found = _np.meshgrid(*[p.astype(kind) for p in parts], indexing="ij", sparse=self.sparse)
        return tuple(found) if self.sparse else _np.stack(found)


class _Rows:
    def __init__(self, axis, columns):
        self.axis, self.columns = axis, columns

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        if key and isinstance(key[0], str):
            raise NotImplementedError("numpy.r_ and numpy.c_ with a text are not available; use concatenate")
        parts = [_steps(k) if isinstance(k, slice) else _np.atleast_1d(k) for k in key]
        if self.columns:
            parts = [p.reshape(-1, 1) if p.ndim == 1 else p for p in parts]
        return _np.concatenate(parts, self.axis)


class _Index:
    def __init__(self, always):
        self.always = always

    def __getitem__(self, key):
        return (key,) if self.always and not isinstance(key, tuple) else key


mgrid, ogrid, r_, c_, s_, index_exp = _Grid(False), _Grid(True), _Rows(0, False), _Rows(-1, True), _Index(False), \
    _Index(True)


def ix_(*args):
    found = []
    for i, a in enumerate(args):
        a = _np.asarray(a)
        a = a.nonzero()[0] if a._tensor.dtype == _torch.bool else a
        found.append(a.reshape((1,) * i + (-1,) + (1,) * (len(args) - i - 1)))
    return tuple(found)


def ndindex(*shape):
    shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return _itertools.product(*[range(n) for n in shape])


def ndenumerate(arr):
    a = _np.asarray(arr)
    return iter([(at, a[at]) for at in ndindex(a.shape)])


def unravel_index(indices, shape, order="C"):
    at, found = _np.asarray(indices), []
    for n in reversed(tuple(shape)):
        found.append(at % n)
        at = at // n
    return tuple(reversed(found))


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    found = 0
    for at, n in zip(multi_index, dims):
        at = _np.asarray(at)
        if mode == "raise" and bool(((at < 0) | (at >= n)).any()):
            raise ValueError("invalid entry in coordinates array")
        found = found * n + (at % n if mode == "wrap" else at.clip(0, n - 1) if mode == "clip" else at)
    return found if found.ndim else found[()]


def fromfunction(function, shape, *, dtype=float, **named):
    return function(*indices(shape, dtype), **named)


def fromiter(iter, dtype, count=-1):
    return _np.array(list(iter) if count < 0 else list(_itertools.islice(iter, count)), dtype=dtype)


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    kind = _np.dtype(dtype)
    if isinstance(buffer, bytearray) and offset % kind.itemsize == 0:
        bytes_ = _native.tensor_of_bytes(buffer)[offset:]
    else:
        bytes_ = _torch.tensor(list(buffer)[offset:], dtype=_torch.uint8)
    if bytes_.numel() % kind.itemsize:
        raise ValueError("buffer size must be a multiple of element size")
    found = bytes_.view(kind._torch)
    return _wrap(found if count < 0 else found[:count])


def geomspace(start, stop, num=50, endpoint=True, dtype=None):
    sign = -1.0 if start < 0 and stop < 0 else 1.0
    found = sign * _np.logspace(_math.log10(sign * start), _math.log10(sign * stop), num, endpoint)
    if num > 0:
        found[0] = start
    if num > 1 and endpoint:
        found[-1] = stop
    return found if dtype is None else found.astype(dtype)


def vander(x, N=None, increasing=False):
    x = _np.asarray(x)
    powers = _np.arange(len(x) if N is None else N)
    return x.reshape(-1, 1) ** (powers if increasing else powers[::-1])


# choosing and writing
def flatnonzero(a):
    return _np.nonzero(_np.ravel(a))[0]


def select(condlist, choicelist, default=0):
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    kind = _np.result_type(*choicelist, default)
    found = _np.asarray(default, kind)
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        found = _np.where(condition, _np.asarray(choice, kind), found)
    return found


def piecewise(x, condlist, funclist, *args, **kw):
    x = _np.asarray(x)
    conditions = [_np.asarray(c) for c in (condlist if isinstance(condlist, (list, tuple)) else [condlist])]
    if len(funclist) == len(conditions) + 1:
        rest = conditions[0]
        for c in conditions[1:]:
            rest = rest | c
        conditions.append(~rest)
    elif len(funclist) != len(conditions):
        raise ValueError(f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} "
                         "functions are expected")
    found = _np.zeros_like(x)
    for condition, function in zip(conditions, funclist):
        found[condition] = function(x[condition], *args, **kw) if callable(function) else function
    return found


def choose(a, choices, out=None, mode="raise"):
    at, *parts = broadcast_arrays(a, *choices)
    if mode == "raise" and bool(((at < 0) | (at >= len(parts))).any()):
        raise ValueError("invalid entry in choice array")
    at = at % len(parts) if mode == "wrap" else at.clip(0, len(parts) - 1)
    return _result_of(_torch.stack(_common(parts)).gather(0, at._tensor.to(_torch.int64).unsqueeze(0))[0])


def compress(condition, a, axis=None):
    x = _raw(a)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, axis)
    return _wrap(x.index_select(axis, _np.nonzero(condition)[0]._tensor))


def extract(condition, arr):
    return _np.ravel(arr)[_np.nonzero(_np.ravel(condition))[0]]


def _written(a, at, values):
    given = _raw(values).to(a._tensor.dtype).reshape(-1)
    flat = a._tensor.reshape(-1).clone()
    flat[at] = given[_torch.arange(at.numel()) % given.numel()]
    a._tensor.copy_(flat.reshape(a._tensor.shape))


def place(arr, mask, vals):
    _written(arr, flatnonzero(mask)._tensor, vals)


def put(a, ind, v, mode="raise"):
    _written(a, _raw(ind).reshape(-1), v)


def putmask(a, mask, values):
    at = flatnonzero(mask)._tensor
    given = _raw(values).reshape(-1)
    _written(a, at, _wrap(given[at % given.numel()]) if at.numel() else values)


def copyto(dst, src, casting="same_kind", where=True):
    given = _raw(src).to(dst._tensor.dtype)
    dst._tensor.copy_(given if where is True else _torch.where(_raw(where), given, dst._tensor))


def take_along_axis(arr, indices, axis=-1):
    x, at = _raw(arr), _raw(indices)
    if axis is None:
        x, axis = x.reshape(-1), 0
    return _wrap(_torch.take_along_dim(x, at % max(x.shape[axis], 1), axis))


def put_along_axis(arr, indices, values, axis):
    x, at = arr._tensor, _raw(indices)
    x.scatter_(axis, at % x.shape[axis], _raw(values).to(x.dtype).expand(at.shape))


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    a = _np.moveaxis(_np.asarray(arr), axis, -1)
    rows = [func1d(a[at], *args, **kwargs) for at in ndindex(a.shape[:-1])]
    found = _np.array(rows)
    found = found.reshape(a.shape[:-1] + found.shape[1:])
    inner = found.ndim - (a.ndim - 1)
    axis = axis % a.ndim
    for i in range(inner):
        found = _np.moveaxis(found, a.ndim - 1 + i, axis + i)
    return found


def apply_over_axes(func, a, axes):
    a = _np.asarray(a)
    for axis in axes if isinstance(axes, (list, tuple)) else [axes]:
        found = func(a, axis)
        a = found if found.ndim == a.ndim else _np.expand_dims(found, axis)
    return a


# orders
def lexsort(keys, axis=-1):
    order = _np.arange(len(keys[0]))
    for key in keys:
        order = order[_np.argsort(_np.asarray(key)[order], kind="stable")]
    return order


def partition(a, kth, axis=-1):
    return _np.sort(a, axis)


def argpartition(a, kth, axis=-1):
    return _np.argsort(a, axis)


def packbits(a, axis=None, bitorder="big"):
    x = (_raw(a) != 0).to(_torch.uint8)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, axis)
    x = x.movedim(axis, -1)
    x = _torch.nn.functional.pad(x, (0, -x.shape[-1] % 8)).reshape(*x.shape[:-1], -1, 8)
    weights = [1 << (7 - i if bitorder == "big" else i) for i in range(8)]
    return _wrap((x * _torch.tensor(weights)).sum(-1).to(_torch.uint8).movedim(-1, axis))


def unpackbits(a, axis=None, count=None, bitorder="big"):
    x = _raw(a)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, axis)
    places = _torch.tensor([7 - i if bitorder == "big" else i for i in range(8)])
    bits = (x.movedim(axis, -1).to(_torch.int64).unsqueeze(-1) >> places & 1).to(_torch.uint8)
    bits = bits.reshape(*bits.shape[:-2], -1)
    return _wrap((bits if count is None else bits[..., :count]).movedim(-1, axis))


def array_equiv(a1, a2):
    try:
        a, b = broadcast_arrays(a1, a2)
    except RuntimeError:
        return False
    return bool((a == b).all())
