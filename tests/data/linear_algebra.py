# SPDX-License-Identifier: Apache-2.0
"""Factorizations and solutions with their gradients, first and second. linear_algebra.txt is what this prints
under PyTorch (python3 linear_algebra.py > linear_algebra.txt); numbers are compared to six digits."""
import torch

compiled = False  # the test sets it


def how(f):
    return torch.compile(f) if compiled else f


def matrix(*sizes, seed=0):
    n = 1
    for size in sizes:
        n *= size
    values = [((i * 37 + seed * 11 + i * i * 5) % 23 - 11) / 7 for i in range(n)]
    return torch.tensor(values, dtype=torch.float64).reshape(sizes)


def definite(*sizes):
    a = matrix(*sizes)
    return a @ a.mT + torch.eye(sizes[-1], dtype=a.dtype)


def flat(value):
    return [value] if isinstance(value, torch.Tensor) else [item for part in value for item in flat(part)]


def numbers(t):
    return [x + 0.0 if abs(x) > 1e-9 else 0.0 for x in t.detach().reshape(-1).tolist()]


def weighted(results):
    total = 0
    for k, t in enumerate(results):
        if t.is_floating_point() and t.requires_grad:
            total = total + (t * (torch.arange(t.numel(), dtype=t.dtype).reshape(t.shape) % 5 + 0.5 + k)).sum()
    return total


def show(name, f, *inputs, second=True):
    leaves = [t.clone().requires_grad_() for t in inputs]
    results = flat(how(f)(*leaves))
    for t in results:
        print(name, str(t.dtype), list(t.shape), numbers(t))
    total = weighted(results)
    if not isinstance(total, torch.Tensor):
        return
    grads = torch.autograd.grad(total, leaves, create_graph=second)
    for g in grads:
        print(name, "gradient", numbers(g))
    if second:
        for t in torch.autograd.grad(sum((g * g).sum() for g in grads), leaves, allow_unused=True):
            print(name, "second", None if t is None else numbers(t))


L = torch.linalg
square, batch, wide, tall = matrix(3, 3), matrix(2, 3, 3, seed=2), matrix(2, 4, seed=3), matrix(4, 2, seed=4)
half = lambda a: (a + a.mT) / 2
SECOND = not compiled  # a compiled function has no second derivative
for name, f in {
    "inv": L.inv, "det": L.det, "slogdet": L.slogdet, "svdvals": L.svdvals, "lu": L.lu, "qr": L.qr,
    "matrix_exp": L.matrix_exp, "pinv": L.pinv, "cond": L.cond, "nuclear": lambda a: L.matrix_norm(a, "nuc"),
    "spectral": lambda a: L.matrix_norm(a, 2), "least": lambda a: L.norm(a, -2, dim=(-1, -2)), "rank": L.matrix_rank,
    "lu_factor": L.lu_factor, "power": lambda a: L.matrix_power(a, -2), "projector": lambda a: L.svd(a)[0] @ L.svd(a)[2],
}.items():
    show(name, f, square, second=SECOND)
    show(name, f, batch, second=False)
for name, f in {"svdvals": L.svdvals, "lu": L.lu, "pinv": L.pinv, "rank": L.matrix_rank, "lu_factor": L.lu_factor,
                "projector": lambda a: L.svd(a, full_matrices=False)[0] @ L.svd(a, full_matrices=False)[2]}.items():
    show(name, f, wide, second=False)
    show(name, f, tall, second=False)
show("qr", L.qr, wide, second=False)
show("qr", L.qr, tall, second=SECOND)
print("qr_r", numbers(L.qr(square.mT, "r")[1]))
print("complete", [list(t.shape) for t in L.qr(tall, "complete")], numbers(L.qr(tall, "complete")[1]))
for upper in (False, True):
    show("cholesky", lambda a: L.cholesky(half(a), upper=upper), definite(3, 3), second=SECOND)
show("cholesky_ex", lambda a: L.cholesky_ex(a), half(square), second=False)
show("eigvalsh", lambda a: L.eigvalsh(half(a)), square, second=SECOND)
show("eigvalsh", lambda a: L.eigvalsh(half(a), "U"), batch, second=False)
show("eigh", lambda a: L.eigh(half(a))[1].abs() + L.eigh(half(a))[0], square, second=False)
show("svd", lambda a: [t.abs() for t in L.svd(a, full_matrices=False)], tall, second=False)
show("svd", lambda a: [t.abs() for t in L.svd(a, full_matrices=False)], wide, second=False)
show("solve", L.solve, square, tall[:3], second=SECOND)
show("solve", L.solve, batch, matrix(3, 2, seed=6), second=False)
show("solve", L.solve, square, matrix(3, seed=6), second=False)
show("solve", lambda a, b: L.solve(a, b, left=False), square, matrix(2, 3, seed=6), second=False)
show("triangular", lambda a, b: L.solve_triangular(a, b, upper=True), square, matrix(2, 3, 2, seed=6), second=SECOND)
show("triangular", lambda a, b: L.solve_triangular(a, b, upper=False, left=False, unitriangular=True), square,
     matrix(2, 3, seed=6), second=False)
show("lstsq", lambda a, b: L.lstsq(a, b).solution, tall, matrix(4, 3, seed=7), second=False)
show("lstsq", lambda a, b: L.lstsq(a, b, driver="gelsd"), tall, matrix(4, 3, seed=7), second=False)
show("cholesky_solve", lambda b, f: torch.cholesky_solve(b, L.cholesky(half(f))), matrix(3, 2, seed=6), definite(3, 3),
     second=False)
show("cholesky_inverse", lambda f: torch.cholesky_inverse(L.cholesky(half(f))), definite(3, 3), second=False)
pivots = torch.tensor([2, 3, 3], dtype=torch.int32)
show("lu_unpack", lambda a: torch.lu_unpack(a, pivots), square, second=False)
for left, adjoint in ((True, False), (True, True), (False, False), (False, True)):
    show("lu_solve", lambda a, b: L.lu_solve(a, pivots, b if left else b.mT, left=left, adjoint=adjoint), definite(3, 3),
         matrix(2, 3, 2, seed=6), second=False)
show("lu_solve_of_torch", lambda b, a: torch.lu_solve(b, *torch.lu(a)), matrix(3, 2, seed=6), square, second=False)
show("householder_product", L.householder_product, tall, matrix(2, seed=5), second=SECOND)
show("householder_product", L.householder_product, batch, matrix(2, 2, seed=5), second=False)
for left, transpose in ((True, False), (True, True), (False, False), (False, True)):
    show("ormqr", lambda a, t, c: torch.ormqr(a, t, c if left else c.mT, left=left, transpose=transpose), tall,
         matrix(2, seed=5), matrix(4, 3, seed=7), second=False)
show("matrix_sqrth", L.matrix_sqrth, definite(2, 3, 3), second=False)
show("polar", L.polar, tall, second=False)
show("pinv_of_triangle", lambda a: L.pinv(a, hermitian=True), square, second=False)
show("logdet", torch.logdet, definite(2, 3, 3), second=False)
show("tensorinv", lambda a: L.tensorinv(a, 1), matrix(4, 2, 2, seed=9), second=False)
show("tensorsolve", L.tensorsolve, matrix(2, 2, 4, seed=9), matrix(2, 2, seed=5), second=False)
show("eigh of the upper triangle", lambda a: (lambda l, v: (l, v.abs()))(*L.eigh(a, UPLO="U")), matrix(3, 3, seed=4), second=False)
show("eigvalsh of the upper triangle", lambda a: L.eigvalsh(a, UPLO="U"), matrix(3, 3, seed=4), second=False)
show("eigvals", lambda a: torch.view_as_real(L.eigvals(a)), matrix(4, 4, seed=2), second=False)
show("eig", lambda a: (lambda l, v: (torch.view_as_real(l), v.abs()))(*L.eig(a)), matrix(2, 3, 3, seed=6), second=False)
show("geqrf", lambda a: tuple(torch.geqrf(a.detach())), matrix(4, 3, seed=1))
show("ldl_factor", lambda a: tuple(L.ldl_factor(a.detach())), (lambda a: a + a.mT)(matrix(4, 4, seed=3)))
show("ldl_solve", lambda a, b: L.ldl_solve(*L.ldl_factor(a.detach()), b.detach()),
     (lambda a: a + a.mT)(matrix(2, 5, 5, seed=3)), matrix(2, 5, 2))
def lowrank(name, f, *inputs):
    torch.manual_seed(1)
    show(name, lambda *a: tuple(v.abs() for v in f(*a)), *inputs, second=False)


for a in (tall, wide, batch):
    lowrank("svd_lowrank", lambda a: torch.svd_lowrank(a, 2), a)
lowrank("svd_lowrank of the rest", lambda a, m: torch.svd_lowrank(a, q=2, niter=1, M=m), tall, matrix(1, 2, seed=8))
lowrank("pca_lowrank", lambda a: torch.pca_lowrank(a, 1), tall)
lowrank("pca_lowrank not centred", lambda a: torch.pca_lowrank(a, center=False), wide)
try:
    torch.pca_lowrank(tall, 5)
except ValueError as e:
    print(e)
print([t.dtype for t in L.lu_factor(square)], L.inv(square.float()).dtype, L.svd(wide)[0].shape, L.svd(wide)[2].shape,
      torch.svd(wide)[2].shape, L.eigh(torch.zeros(0, 3, 3))[0].shape, L.inv(torch.zeros(2, 0, 0)).shape)
for f in (lambda: L.cholesky(-torch.eye(2)), lambda: L.inv(torch.zeros(2, 2)), lambda: L.inv(torch.zeros(3, 2, 2)),
          lambda: L.solve(torch.zeros(2, 2), torch.ones(2)), lambda: L.eigh(torch.full((2, 2), float("nan")))):
    try:
        f()
    except RuntimeError as e:
        print(str(e).split("\n")[0])

# Without elements any vectors of length 1 will do; the factor that cholesky_solve is given has a gradient in both triangles.
print([v.tolist() for v in L.svd(torch.zeros(0, 3))], [v.tolist() for v in L.svd(torch.zeros(2, 2, 0))[:2]], L.lstsq(torch.zeros(3, 0), torch.ones(3, 2)))
for upper in (False, True):
    right, factor = torch.tensor([[1.0], [2.0]], requires_grad=True), torch.tensor([[2.0, 0.5], [1.0, 3.0]], requires_grad=True)
    torch.cholesky_solve(right, factor, upper).sum().backward()
    print(right.grad.tolist(), [round(v, 5) for v in factor.grad.flatten().tolist()])

# An infinity leaves NaN, a NaN is refused; vectors of nothing have a gradient, too.
for bad in (float("inf"), float("nan")):
    matrix = torch.eye(3)
    matrix[1, 1] = bad
    for f in (L.svdvals, lambda m: L.svd(m)[1], lambda m: L.matrix_norm(m, 2), lambda m: L.matrix_norm(m, "nuc"), L.cond):
        try:
            print(f(matrix).tolist())
        except RuntimeError as e:
            print(str(e).split("\n")[0])
print([v.requires_grad for v in L.svd(torch.zeros(0, 2, requires_grad=True))],
      [v.requires_grad for v in torch.svd(torch.zeros(3, 5, 0, requires_grad=True), some=False)])
print(torch.spmm(torch.ones(2, 3), torch.ones(3, 1)).tolist())
