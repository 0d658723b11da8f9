# SPDX-License-Identifier: Apache-2.0
# Parametrizations of weights: by direction and length, by the greatest singular value.
import torch
import torch.nn.functional as F
from torch.nn import Module
from torch.nn.utils import parametrize


def _norm_except_dim(v, dim):
    if dim == -1:
        return v.norm()
    return v.transpose(0, dim).flatten(1).norm(dim=1).view([-1] + [1] * (v.dim() - 1)).transpose(0, dim)


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return weight_v * (weight_g / _norm_except_dim(weight_v, self.dim))

    def right_inverse(self, weight):
        return _norm_except_dim(weight, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    return parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


class _SpectralNorm(Module):
    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        if n_power_iterations <= 0:
            raise ValueError("Expected n_power_iterations to be positive, but got "
                             f"n_power_iterations={n_power_iterations}")
        if dim >= weight.dim() or dim < -weight.dim():
            raise IndexError("Dimension out of range")
        self.dim = dim if dim >= 0 else dim + weight.dim()
        self.eps = eps
        if weight.dim() > 1:
            self.n_power_iterations = n_power_iterations
            rows = self._rows(weight.detach())
            u = rows.new_empty(rows.shape[0]).normal_(0, 1)
            v = rows.new_empty(rows.shape[1]).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            self._power_method(rows, 15)

    def _rows(self, weight):
        order = [self.dim] + [d for d in range(weight.dim()) if d != self.dim]
        return weight.permute(order).flatten(1)

    def _power_method(self, rows, count):
        with torch.no_grad():
            for _ in range(count):
                self._u.copy_(F.normalize(torch.mv(rows, self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(torch.mv(rows.t(), self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        rows = self._rows(weight)
        if self.training:
            self._power_method(rows, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / torch.dot(u, torch.mv(rows, v))

    def right_inverse(self, value):
        return value


def _transposes(module):
    return isinstance(module, (torch.nn.ConvTranspose1d, torch.nn.ConvTranspose2d, torch.nn.ConvTranspose3d))


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    if dim is None:
        dim = 1 if _transposes(module) else 0
    made = _SpectralNorm(getattr(module, name), n_power_iterations, dim, eps)
    return parametrize.register_parametrization(module, name, made)


def _orthogonalized(matrix):
    """The nearest sign-fixed Q of a QR decomposition."""
    q, r = torch.linalg.qr(matrix)
    return q * r.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def _is_orthogonal(q):
    n, k = q.shape[-2:]
    eye = torch.eye(k, dtype=q.dtype, device=q.device)
    limit = 10.0 * n * torch.finfo(q.dtype).eps
    return torch.allclose(q.mH @ q, eye, atol=limit)


class _Orthogonal(Module):
    """A matrix with orthonormal columns (rows, where it has more columns than rows) of any other one."""

    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        self.trivialized = use_trivialization
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X):
        wide = X.size(-2) < X.size(-1)
        X = X.mT if wide else X
        n, k = X.size(-2), X.size(-1)
        if self.orthogonal_map == "householder":
            below = X.tril(diagonal=-1)
            tau = 2.0 / (1.0 + (below * below).sum(dim=-2))
            Q = torch.linalg.householder_product(below, tau)
            Q = Q * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            low = X.tril()
            if n != k:
                low = torch.cat([low, low.new_zeros(*low.shape[:-2], n, n - k)], -1)
            A = low - low.mH
            if self.orthogonal_map == "matrix_exp":
                Q = torch.matrix_exp(A)
            else:
                eye = torch.eye(n, dtype=A.dtype, device=A.device)
                Q = torch.linalg.solve(eye - 0.5 * A, eye + 0.5 * A)
            Q = Q[..., :k] if n != k else Q
        if self.trivialized:
            Q = self.base @ Q
        return Q.mT if wide else Q

    def right_inverse(self, Q):
        with torch.no_grad():
            return self._original(Q)

    def _original(self, given):
        if given.shape != self.shape:
            raise ValueError(f"Expected a matrix or batch of matrices of shape {self.shape}. "
                             f"Got a tensor of shape {given.shape}.")
        wide = given.size(-2) < given.size(-1)
        Q = given.mT if wide else given
        n, k = Q.size(-2), Q.size(-1)
        if not self.trivialized:
            if self.orthogonal_map != "householder":
                raise NotImplementedError("It is not possible to assign to the matrix exponential or the Cayley "
                                          "parametrizations when use_trivialization=False.")
            A, tau = torch.geqrf(Q)
            signs = A.diagonal(dim1=-2, dim2=-1).sign()
            A.diagonal(dim1=-2, dim2=-1).copy_(torch.where(tau == 0.0, -signs, signs))
            return A.mT if wide else A
        if n != k:
            more = torch.randn(*Q.shape[:-2], n, n - k, dtype=Q.dtype, device=Q.device)
            self.base = _orthogonalized(torch.cat([Q, more], -1))
        else:
            self.base = Q.clone() if _is_orthogonal(Q) else _orthogonalized(Q)
        found = torch.zeros_like(given)
        found.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return found


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.dim() < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.dim()} dimensions.")
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise ValueError('orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
                         f"Got: {orthogonal_map}")
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return parametrize.register_parametrization(module, name, made, unsafe=True)
