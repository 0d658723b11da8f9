# SPDX-License-Identifier: Apache-2.0
# numpy.linalg: torch's, on arrays.
import numpy as _np
import torch as _torch

class LinAlgError(ValueError):
    """A matrix for which there is no result."""


def _x(a):
    return _np._floats(_np._raw(a))


def _named(name, fields, values):
    from collections import namedtuple
    return namedtuple(name, fields)(*values)


def norm(x, ord=None, axis=None, keepdims=False):
    x = _x(x)
    if axis is None and ord is None:
        return _np._result_of(_torch.linalg.vector_norm(x.reshape(-1)))
    return _np._result_of(_torch.linalg.norm(x, ord, axis, keepdim=keepdims))


def inv(a):
    return _np._wrap(_guarded(_torch.linalg.inv, _x(a)))


def pinv(a):
    return _np._wrap(_torch.linalg.pinv(_x(a)))


def det(a):
    return _np._result_of(_torch.linalg.det(_x(a)))


def solve(a, b):
    return _np._wrap(_guarded(_torch.linalg.solve, _x(a), _x(b)))


def cholesky(a):
    try:
        return _np._wrap(_torch.linalg.cholesky(_x(a)))
    except RuntimeError:
        raise LinAlgError("Matrix is not positive definite") from None


def qr(a, mode="reduced"):
    if mode == "r":
        return _np._wrap(_torch.linalg.qr(_x(a), "r")[1])
    q, r = _torch.linalg.qr(_x(a), mode)
    return _named("QRResult", "Q R", [_np._wrap(q), _np._wrap(r)])


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    if not compute_uv:
        return _np._wrap(_torch.linalg.svdvals(_x(a)))
    return _named("SVDResult", "U S Vh", [_np._wrap(t) for t in _torch.linalg.svd(_x(a), full_matrices=full_matrices)])


def eigh(a, UPLO="L"):
    values, vectors = _torch.linalg.eigh(_x(a), UPLO)
    return _named("EighResult", "eigenvalues eigenvectors", [_np._wrap(values), _np._wrap(vectors)])


def matrix_rank(A, tol=None, hermitian=False):
    return _np._result_of(_torch.linalg.matrix_rank(_x(A), atol=tol, rtol=None if tol is None else 0.0))


def matrix_power(a, n):
    return _np._wrap(_torch.linalg.matrix_power(_np._raw(a), n))


def _guarded(function, *args):
    try:
        return function(*args)
    except RuntimeError as error:
        raise LinAlgError("Singular matrix" if "singular" in str(error).lower() else str(error)) from None


def eig(a):
    values, vectors = _torch.linalg.eig(_x(a))
    return _named("EigResult", "eigenvalues eigenvectors", _real(values, vectors))


def eigvals(a):
    return _real(_torch.linalg.eigvals(_x(a)))[0]


def _real(*parts):
    """numpy's eigenvalues are real where all of them are."""
    if bool((parts[0].imag == 0).all()):
        parts = [p.real for p in parts]
    return tuple(_np._wrap(p.contiguous()) for p in parts)


def eigvalsh(a, UPLO="L"):
    return _np._wrap(_torch.linalg.eigvalsh(_x(a), UPLO))


def svdvals(x):
    return _np._wrap(_torch.linalg.svdvals(_x(x)))


def slogdet(a):
    sign, value = _torch.linalg.slogdet(_x(a))
    return _named("SlogdetResult", "sign logabsdet", [_np._result_of(sign), _np._result_of(value)])


def cond(x, p=None):
    return _np._result_of(_torch.linalg.cond(_x(x), p))


def lstsq(a, b, rcond=None):
    """(solution, sums of squares that are left, rank, singular values)."""
    x, y = _x(a), _x(b)
    rows = y if y.dim() > 1 else y.unsqueeze(1)
    s = _torch.linalg.svdvals(x)
    limit = (_torch.finfo(x.dtype).eps * max(x.shape) if rcond is None else rcond) * s[0]
    rank = int((s > limit).sum())
    found = _torch.linalg.pinv(x, rtol=None if rcond is None else rcond) @ rows if rank < min(x.shape) or \
        x.shape[0] < x.shape[1] else _torch.linalg.lstsq(x, rows).solution
    left = ((rows - x @ found) ** 2).sum(0) if rank == x.shape[1] and x.shape[0] > rank else x.new_zeros(0)
    return _np._wrap(found if y.dim() > 1 else found.squeeze(1)), _np._wrap(left), rank, _np._wrap(s)


def multi_dot(arrays):
    return _np._result_of(_torch.linalg.multi_dot(_np._common(arrays)))


def tensorinv(a, ind=2):
    return _np._wrap(_torch.linalg.tensorinv(_x(a), ind))


def tensorsolve(a, b, axes=None):
    return _np._wrap(_torch.linalg.tensorsolve(_x(a), _x(b), axes))


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    return _np._result_of(_torch.linalg.vector_norm(_x(x), ord, axis, keepdims))


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return _np._result_of(_torch.linalg.matrix_norm(_x(x), ord, keepdim=keepdims))


def diagonal(x, /, *, offset=0):
    return _np._wrap(_torch.diagonal(_np._raw(x), offset, -2, -1))


def trace(x, /, *, offset=0, dtype=None):
    return _np._result_of(_torch.diagonal(_np._raw(x), offset, -2, -1).sum(-1))


def matrix_transpose(x, /):
    return _np._wrap(_np._raw(x).mT)


def cross(x1, x2, /, *, axis=-1):
    return _np.cross(x1, x2, axis=axis)


def matmul(x1, x2, /):
    return _np.matmul(x1, x2)


def outer(x1, x2, /):
    return _np.outer(x1, x2)


def tensordot(x1, x2, /, *, axes=2):
    return _np.tensordot(x1, x2, axes)


def vecdot(x1, x2, /, *, axis=-1):
    return _np.vecdot(x1, x2, axis=axis)
