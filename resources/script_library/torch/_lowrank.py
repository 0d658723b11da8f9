# SPDX-License-Identifier: Apache-2.0
# Singular values of matrices of low rank by random projections. Source: Halko, Martinsson and Tropp, "Finding structure
# with randomness" (2009), algorithms 4.4 and 5.1.
import torch

__all__ = ["svd_lowrank", "pca_lowrank"]


def get_approximate_basis(A, q, niter=2, M=None):
    """Columns that span nearly what those of A - M do."""
    def times(matrix, subtracted, columns):
        product = matrix @ columns
        return product if subtracted is None else product - subtracted @ columns

    exact = A.is_complex() or A.dtype in (torch.float16, torch.float32, torch.float64)
    start = torch.randn(A.shape[-1], q, dtype=A.dtype if exact else torch.float32, device=A.device)
    basis = torch.linalg.qr(times(A, M, start)).Q
    for _ in range(2 if niter is None else niter):
        basis = torch.linalg.qr(times(A.mH, None if M is None else M.mH, basis)).Q
        basis = torch.linalg.qr(times(A, M, basis)).Q
    return basis


def svd_lowrank(A, q=6, niter=2, M=None):
    q = 6 if q is None else q
    wide = A.shape[-2] < A.shape[-1]
    if M is not None:
        M = M.broadcast_to(A.size())
    if wide:
        A, M = A.mH, None if M is None else M.mH
    basis = get_approximate_basis(A, q, niter, M)
    part = basis.mH @ A
    if M is not None:
        part = part - basis.mH @ M
    U, S, Vh = torch.linalg.svd(part, full_matrices=False)
    U, V = basis @ U, Vh.mH
    return (V, S, U) if wide else (U, S, V)


def pca_lowrank(A, q=None, center=True, niter=2):
    most = min(A.shape[-2:])
    if q is None:
        q = min(6, most)
    elif not 0 <= q <= most:
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={most}")
    if not niter >= 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(dim=(-2,), keepdim=True) if center else A, q, niter)
