# SPDX-License-Identifier: Apache-2.0
# torch.linalg of complex matrices, and composites of complex tensors: values and gradients. complex_matrices.txt is what
# PyTorch prints.
import math
import torch

L, F = torch.linalg, torch.nn.functional


def rounded(t):
    values = torch.view_as_real(t.resolve_conj()) if t.is_complex() else t
    return [round(float(v), 5) + 0.0 for v in values.detach().reshape(-1).tolist()]


def show(name, *values):
    for value in values:
        if isinstance(value, (list, tuple)):
            show(name, *value)
        elif isinstance(value, torch.Tensor):
            print(name, value.dtype, list(value.shape), rounded(value))
        else:
            print(name, value)


def matrix(*sizes, seed=0):
    count = math.prod(sizes)
    flat = [complex(((i + seed) * 7 % 11 - 4.5) / 4, ((i * 3 + seed) * 5 % 13 - 6.25) / 5) for i in range(count)]
    return torch.tensor(flat, dtype=torch.complex128).reshape(sizes)


def definite(*sizes, seed=0):
    a = matrix(*sizes, seed=seed)
    return a @ a.mH + torch.eye(sizes[-1])


def case(name, f, *inputs, gradient=True):
    inputs = [x.clone() for x in inputs]
    for x in inputs:
        if gradient and (x.is_floating_point() or x.is_complex()):
            x.requires_grad_()
    found = f(*inputs)
    show(name, found)
    loss = 0
    for value in found if isinstance(found, (list, tuple)) else [found]:
        if value.requires_grad:
            pairs = torch.view_as_real(value.resolve_conj()) if value.is_complex() else value
            weights = torch.tensor([0.25 + 0.5 * (i * 7 % 5) for i in range(pairs.numel())], dtype=pairs.dtype)
            loss = loss + (pairs.reshape(-1) * weights).sum()
    if gradient:
        loss.backward()
        show(name + " grad", [x.grad for x in inputs if x.requires_grad])


square, tall, wide, batch = matrix(3, 3, seed=2), matrix(3, 2, seed=1), matrix(2, 3, seed=1), matrix(2, 3, 2, seed=6)
turn = L.qr(matrix(3, 3, seed=3))[0]
twice = turn * torch.tensor([1.0, 2, 2]) @ turn.mH  # an eigenvalue two times

for a, kind in ((square, "square"), (tall, "tall"), (wide, "wide"), (batch, "batch")):
    case("qr " + kind, lambda a: tuple(L.qr(a)), a)
    case("svd " + kind, lambda a: [v.abs() for v in L.svd(a, full_matrices=False)], a)
    case("svdvals " + kind, L.svdvals, a)
    case("pinv " + kind, L.pinv, a)
    case("rank " + kind, L.matrix_rank, a, gradient=False)
    case("lu " + kind, lambda a: tuple(L.lu(a))[1:], a)
case("complete qr", lambda a: [a - q[:, :2] @ r[:2] for q, r in [L.qr(a, mode="complete")]][0], tall, gradient=False)
case("geqrf", lambda a: tuple(torch.geqrf(a)), tall, gradient=False)
case("householder_product", L.householder_product, tall, matrix(2, seed=5))
for left, transpose in ((True, False), (False, True)):
    case("ormqr", lambda a, t, c: torch.ormqr(a, t, c if left else c.mT, left=left, transpose=transpose), tall,
         matrix(2, seed=5), matrix(3, 2, seed=7))
for a, kind in ((square, "square"), (matrix(2, 2, 2, seed=8), "batch")):
    case("det " + kind, L.det, a)
    case("slogdet " + kind, lambda a: tuple(L.slogdet(a)), a)
    case("eig " + kind, lambda a: torch.view_as_real(L.eigvals(a)).sum(-2), a)
    case("eig vectors " + kind, lambda a: [a @ v - v * l.unsqueeze(-2) for l, v in [L.eig(a)]][0], a, gradient=False)
    case("eigh " + kind, lambda a: [v.abs() for v in L.eigh(a)], a)
    case("eigvalsh " + kind, lambda a: L.eigvalsh(a, UPLO="U"), a)
    case("pinv hermitian " + kind, lambda a: L.pinv(a, hermitian=True), a)
case("eigh twice", lambda a: [v.mH @ v for l, v in [L.eigh(a)]] + [v * l @ v.mH - a for l, v in [L.eigh(a)]], twice,
     gradient=False)
case("svd twice", lambda a: [x for u, s, v in [L.svd(a)] for x in (u.mH @ u, v @ v.mH, u * s @ v - a)], twice, gradient=False)
case("svd of rank 1", lambda a: [x for u, s, v in [L.svd(a)] for x in (u.mH @ u, v @ v.mH, u[:, :2] * s @ v - a)],
     torch.outer(matrix(3, seed=3), matrix(2, seed=4)), gradient=False)
case("cholesky", L.cholesky, definite(3, 3))
case("upper cholesky", lambda a: L.cholesky(a, upper=True), definite(2, 2, 2, seed=3))
case("cholesky_ex", lambda a: tuple(L.cholesky_ex(a))[1], definite(2, 2, 2) * torch.tensor([1, -1]).reshape(2, 1, 1), gradient=False)
case("cholesky_solve", lambda b, a: torch.cholesky_solve(b, L.cholesky(a)), matrix(2, 1, seed=6), definite(2, 2))
case("cholesky_inverse", lambda a: torch.cholesky_inverse(L.cholesky(a, upper=True), upper=True), definite(2, 2))
case("lu_solve", lambda b, a: torch.lu_solve(b, *L.lu_factor(a)), matrix(3, 2, seed=6), square)
case("linalg lu_solve", lambda b, a: L.lu_solve(*L.lu_factor(a), b.mT, left=False, adjoint=True), matrix(3, 2, seed=6), square)
for hermitian in (False, True):
    for a in (twice, square, matrix(2, 4, 4, seed=8), matrix(3, 3, seed=4) * torch.tensor([[0, 1, 1], [1, 0, 1], [1, 1, 0]])):
        case("ldl_factor", lambda a: tuple(L.ldl_factor_ex(a, hermitian=hermitian)), a, gradient=False)
        case("ldl_solve", lambda a, b: L.ldl_solve(*L.ldl_factor(a, hermitian=hermitian), b, hermitian=hermitian), a,
             matrix(a.shape[-1], 2, seed=6), gradient=False)
case("triangular_solve", lambda b, a: torch.triangular_solve(b, a, transpose=True)[0], matrix(3, 2, seed=6), square)
case("lstsq", lambda a, b: L.lstsq(a, b)[0], tall, matrix(3, 1, seed=6))
case("polar", lambda a: tuple(L.polar(a)), tall)
case("matrix_sqrth", L.matrix_sqrth, definite(2, 2))
case("matrix_power", lambda a: (L.matrix_power(a, 0), L.matrix_power(a, 5), L.matrix_power(a, -2)), square)
case("det of nothing", L.det, matrix(2, 0, 0))

z, w = matrix(2, 3), matrix(2, 3, seed=5)
case("fill", lambda z: torch.fill(z, 2 + 1j) + z, z)
case("cov", torch.cov, z)
case("cov weights", lambda z, a: torch.cov(z, fweights=torch.tensor([1, 2, 4]), aweights=a),
     z, torch.tensor([0.5, 1, 2], dtype=torch.float64), gradient=False)
for reduction in ("none", "sum", "mean"):
    case("l1_loss", lambda a, b: F.l1_loss(a, b, reduction=reduction), z, w)
    case("triplet", lambda a, b, c: F.triplet_margin_loss(a, b, c, reduction=reduction, swap=True), z, w, matrix(2, 3, seed=3))
case("pairwise_distance", F.pairwise_distance, z, w)
case("normalize", F.normalize, z)
case("rms_norm", lambda z, w: F.rms_norm(z, (3,), w), z, matrix(3, seed=5))
case("renorm", lambda z: torch.renorm(z, 2, 0, 1.5), z)
case("logaddexp", torch.logaddexp, z, w)
case("logaddexp of equals", torch.logaddexp, z, z)
case("logcumsumexp of equals", lambda z: torch.logcumsumexp(z, 0), torch.stack([z[0], z[0], w[0]]))
case("logcumsumexp", lambda z: torch.logcumsumexp(z, 1), z)
case("vander", lambda z: (L.vander(z[0]), L.vander(z, N=2)), z)
case("tensordot", lambda a, b: torch.tensordot(a, b, ([0], [0])), z, w)
case("unfold", lambda z: F.unfold(z.reshape(1, 2, 3, 1), (2, 1)), z)
case("masked", lambda z: (torch.masked.mean(z, mask=torch.tensor([True, False, True])), torch.masked.var(z), torch.masked.std(z, 1)), z)
torch.manual_seed(3)
show("drawn", torch.empty(3, dtype=torch.complex128).normal_(0, 2), torch.empty(2, dtype=torch.complex64).uniform_(1, 2))

# Compiled: branches that only some of the loops know to be never taken.
symmetric = torch.tensor([[1 + 1j, 2j, 3], [2j, -1, 1 - 1j], [3, 1 - 1j, 0.5j]])
show("compiled ldl", *torch.compile(lambda a: tuple(L.ldl_factor_ex(a, hermitian=False)))(symmetric))
