# SPDX-License-Identifier: Apache-2.0
# Arrays as sets: sorted, each value once.
import numpy as _np
import torch as _torch
from numpy import _common, _raw, _result_of, _wrap

__all__ = ["unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "union1d", "intersect1d",
           "setdiff1d", "setxor1d", "isin"]


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
           sorted=True):
    """The values of an array in order, then as asked: where each comes first, which of them every element is, how
    often each comes."""
    x = _raw(ar)
    flat = x.reshape(-1) if axis is None else x.movedim(axis, 0)
    values, inverse, counts = _torch.unique(flat, sorted=True, return_inverse=True, return_counts=True,
                                            dim=None if axis is None else 0)
    if equal_nan and axis is None and x.dtype.is_floating_point and bool(_torch.isnan(values).any()):
        first = int(_torch.isnan(values).nonzero()[0, 0])
        inverse = inverse.clamp(max=first)
        counts = _torch.cat([counts[:first], counts[first:].sum(0, keepdim=True)])
        values = values[:first + 1]
    found = [_wrap(values if axis is None else values.movedim(0, axis))]
    if return_index:
        places = _torch.full((counts.numel(),), flat.shape[0], dtype=_torch.int64)
        at = _torch.arange(flat.shape[0])
        found.append(_wrap(places.scatter_reduce(0, inverse.reshape(-1), at, "amin")))
    if return_inverse:
        found.append(_wrap(inverse.reshape(x.shape) if axis is None else inverse))
    if return_counts:
        found.append(_wrap(counts))
    return tuple(found) if len(found) > 1 else found[0]





def _named(class_name, fields, values):
    from collections import namedtuple
    return namedtuple(class_name, fields)(*values)


def unique_all(x):
    return _named("UniqueAllResult", "values indices inverse_indices counts",
                  unique(x, True, True, True, equal_nan=False))


def unique_counts(x):
    return _named("UniqueCountsResult", "values counts", unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x):
    return _named("UniqueInverseResult", "values inverse_indices", unique(x, return_inverse=True, equal_nan=False))


def unique_values(x):
    return unique(x, equal_nan=False)


def union1d(ar1, ar2):
    return unique(_np.concatenate([ar1, ar2], None))


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    a, b = _common([element, list(test_elements) if isinstance(test_elements, (set, range)) else test_elements])
    return _result_of(_torch.isin(a, b, invert=invert))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    a, first = unique(ar1, return_index=True)
    b, second = unique(ar2, return_index=True)
    in_a, in_b = isin(a, b), isin(b, a)
    found = a[in_a].astype(_np.result_type(a, b))
    return (found, first[in_a], second[in_b]) if return_indices else found


def setdiff1d(ar1, ar2, assume_unique=False):
    a = _np.asarray(ar1).ravel() if assume_unique else unique(ar1)
    return a[isin(a, ar2, invert=True)]


def setxor1d(ar1, ar2, assume_unique=False):
    a, b = unique(ar1), unique(ar2)
    return union1d(a[isin(a, b, invert=True)], b[isin(b, a, invert=True)])
