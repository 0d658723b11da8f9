# SPDX-License-Identifier: Apache-2.0
# numpy.linalg: torch's, on arrays.
import numpy as _np
import torch as _torch

LinAlgError = _torch.linalg.LinAlgError if hasattr(_torch.linalg, "LinAlgError") else RuntimeError


def _x(a):
    return _np._floats(_np._raw(a))


def norm(x, ord=None, axis=None, keepdims=False):
    x = _x(x)
    if axis is None and ord is None:
        return _np._result_of(_torch.linalg.vector_norm(x.reshape(-1)))
    return _np._result_of(_torch.linalg.norm(x, ord, axis, keepdim=keepdims))


def inv(a):
    return _np._wrap(_torch.linalg.inv(_x(a)))


def pinv(a):
    return _np._wrap(_torch.linalg.pinv(_x(a)))


def det(a):
    return _np._result_of(_torch.linalg.det(_x(a)))


def solve(a, b):
    return _np._wrap(_torch.linalg.solve(_x(a), _x(b)))


def cholesky(a):
    return _np._wrap(_torch.linalg.cholesky(_x(a)))


def qr(a):
    q, r = _torch.linalg.qr(_x(a))
    return _np._wrap(q), _np._wrap(r)


def svd(a, full_matrices=True, compute_uv=True):
    if not compute_uv:
        return _np._wrap(_torch.linalg.svdvals(_x(a)))
    return tuple(_np._wrap(t) for t in _torch.linalg.svd(_x(a), full_matrices=full_matrices))


def eigh(a):
    values, vectors = _torch.linalg.eigh(_x(a))
    return _np._wrap(values), _np._wrap(vectors)


def matrix_rank(a):
    return int(_torch.linalg.matrix_rank(_x(a)))


def matrix_power(a, n):
    return _np._wrap(_torch.linalg.matrix_power(_np._raw(a), n))
