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
