# SPDX-License-Identifier: Apache-2.0
# torch.linalg: what gives complex results for real matrices, and what has other defaults than elsewhere.
import torch
from torch._complex import C, P, conj, is_complex, make, parts
from torch._complex_linalg import embedded, farthest, size


def _wanted(A, name):
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(f"{name}: A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} "
                           "matrices")
    return A


def _unpacked(row, sizes):
    """Eigenvalues and vectors, of a row of numbers for each matrix."""
    n = sizes[-1]
    pairs = row.reshape(list(row.shape[:-1]) + [n + n * n, 2])
    return C(pairs[..., :n, :].clone(memory_format=torch.contiguous_format)), C(pairs[..., n:, :].reshape(list(sizes) + [2]).contiguous())


def _halved(row, sizes):
    """The same of R + iI from those of [[R, -I], [I, R]]: of whose vectors (p, q) the p + iq are vectors of R + iI, or
    0. Of length 1, the largest element real, as LAPACK's zgeev gives them."""
    n = sizes[-1]
    if n == 0:
        return row
    values, vectors = _unpacked(row, list(sizes[:-2]) + [2 * n, 2 * n])
    (pr, pi), (qr, qi) = parts(vectors[..., :n, :]), parts(vectors[..., n:, :])
    vectors = make(pr - qi, pi + qr)
    order, _ = farthest(vectors, n)
    values = torch.gather(values, -1, order)
    vectors = torch.gather(vectors, -1, order.unsqueeze(-2).expand(vectors.shape[:-1] + order.shape[-1:]))
    largest = torch.gather(vectors, -2, size(vectors).argmax(-2, keepdim=True))
    turn = conj(largest) / torch.abs(largest)
    vectors = vectors * turn / torch.sqrt(size(vectors).sum(-2, keepdim=True))
    return torch.cat([P(values).flatten(-2), P(vectors).flatten(-3)], -1)


class _General(torch.autograd.Function):
    """On pairs, so that compiled graphs take it; of a real matrix or of the pairs of a complex one. Source of the gradient: Boeddeker et al., "On the computation of
    complex-valued gradients with application to statistically optimum beamforming" (2017), 4.77, 4.78."""

    @staticmethod
    def forward(ctx, A, whole):
        if whole:
            A = C(A)
            row = _halved(_C._matrix_task(embedded(A), None, "general"), A.shape)
        else:
            row = _C._matrix_task(A, None, "general")
        ctx.save_for_backward(row)
        ctx.sizes = list(A.shape)
        ctx.whole = whole
        return row

    @staticmethod
    def backward(ctx, grad):
        row, = ctx.saved_tensors
        values, vectors = _unpacked(row, ctx.sizes)
        of_values, of_vectors = _unpacked(grad, ctx.sizes)
        adjoint = conj(vectors.mT)
        turned = adjoint @ of_vectors
        turned = turned - adjoint @ (vectors * parts(turned.diagonal(0, -2, -1))[0].unsqueeze(-2))
        same = torch.eye(ctx.sizes[-1], dtype=torch.bool, device=row.device)
        apart = conj(values.unsqueeze(-2) - values.unsqueeze(-1))
        inner = torch.where(same, of_values.unsqueeze(-2), turned / torch.where(same, 1, apart))
        found = torch.linalg.solve(adjoint, inner @ adjoint)
        return P(found) if ctx.whole else parts(found)[0], None


def _general(A, name):
    A = _wanted(A, name)
    if is_complex(A):
        return _unpacked(_General.apply(P(A), True), A.shape)
    A = A if A.is_floating_point() else A.to(torch.get_default_dtype())
    return _unpacked(_General.apply(A, False), A.shape)


def eig(A, *, out=None):
    values, vectors = _general(A, "linalg.eig")
    return torch.return_types.linalg_eig((values, vectors.mT.clone(memory_format=torch.contiguous_format).mT))


def eigvals(A, *, out=None):
    return _general(A, "linalg.eigvals")[0]


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return torch.diagonal(A, offset, dim1, dim2)
