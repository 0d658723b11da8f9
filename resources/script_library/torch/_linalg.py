# SPDX-License-Identifier: Apache-2.0
# torch.linalg: what gives complex results for real matrices.
import torch
from torch import _ops
from torch._complex import C, P, conj, is_complex, parts


def _wanted(A, name):
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError(f"{name}: A must be batches of square matrices, but they are {A.shape[-2]} by {A.shape[-1]} "
                           "matrices")
    if is_complex(A):
        raise NotImplementedError(f"{name}: eigenvalues of complex matrices are not implemented; those of Hermitian ones "
                                  "are: torch.linalg.eigvalsh")
    return A


def _unpacked(row, sizes):
    """Eigenvalues and vectors, of a row of numbers for each matrix."""
    n = sizes[-1]
    pairs = row.reshape(list(row.shape[:-1]) + [n + n * n, 2])
    return C(pairs[..., :n, :].contiguous()), C(pairs[..., n:, :].reshape(list(sizes) + [2]).contiguous())


class _General(torch.autograd.Function):
    """On pairs, so that compiled graphs take it. Source of the gradient: Boeddeker et al., "On the computation of
    complex-valued gradients with application to statistically optimum beamforming" (2017), 4.77, 4.78."""

    @staticmethod
    def forward(ctx, A):
        row = _ops._matrix_task(A, None, "general")
        ctx.save_for_backward(row)
        ctx.sizes = list(A.shape)
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
        return parts(torch.linalg.solve(adjoint, inner @ adjoint))[0]


def _floating(A):
    return A if A.is_floating_point() else A.to(torch.get_default_dtype())


def eig(A, *, out=None):
    A = _floating(_wanted(A, "linalg.eig"))
    return torch.return_types.linalg_eig(_unpacked(_General.apply(A), A.shape))


def eigvals(A, *, out=None):
    A = _floating(_wanted(A, "linalg.eigvals"))
    return _unpacked(_General.apply(A), A.shape)[0]
