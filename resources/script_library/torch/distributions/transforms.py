# SPDX-License-Identifier: Apache-2.0
# torch.distributions.transforms: invertible functions with the logarithm of their Jacobian's determinant.
import math

import torch
import torch.nn.functional as F


class Transform:
    bijective = True
    sign = 1
    event_dim = 0  # dimensions that belong to one event

    def __init__(self, cache_size=0):
        self._cache_size = cache_size

    @property
    def inv(self):
        return _Inverse(self)

    def __call__(self, x):
        return self._call(x)

    def log_abs_det_jacobian(self, x, y):
        raise NotImplementedError

    def forward_shape(self, shape):
        return shape

    def inverse_shape(self, shape):
        return shape

    def __repr__(self):
        return type(self).__name__ + "()"


class _Inverse(Transform):
    def __init__(self, transform):
        super().__init__()
        self._inv = transform
        self.event_dim = transform.event_dim

    @property
    def inv(self):
        return self._inv

    @property
    def sign(self):
        return self._inv.sign

    def _call(self, x):
        return self._inv._inverse(x)

    def _inverse(self, y):
        return self._inv._call(y)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def __repr__(self):
        return f"_InverseTransform({self._inv!r})"


def _sum_rightmost(value, dims):
    return value if dims == 0 else value.reshape(tuple(value.shape[:value.dim() - dims]) + (-1,)).sum(-1)


class ComposeTransform(Transform):
    def __init__(self, parts, cache_size=0):
        super().__init__()
        self.parts = list(parts)
        self.event_dim = max([part.event_dim for part in self.parts], default=0)

    @property
    def sign(self):
        return math.prod([part.sign for part in self.parts])

    def _call(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y):
        for part in reversed(self.parts):
            y = part.inv(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return torch.zeros_like(x)
        total = 0
        for part in self.parts:
            after = part(x)
            total = total + _sum_rightmost(part.log_abs_det_jacobian(x, after), self.event_dim - part.event_dim)
            x = after
        return total

    def __repr__(self):
        return "ComposeTransform(\n    " + ",\n    ".join([repr(part) for part in self.parts]) + "\n)"


identity_transform = ComposeTransform([])


class AffineTransform(Transform):
    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__()
        self.loc = loc
        self.scale = scale
        self.event_dim = event_dim

    @property
    def sign(self):
        return self.scale.sign() if isinstance(self.scale, torch.Tensor) else (self.scale > 0) - (self.scale < 0)

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        if isinstance(self.scale, torch.Tensor):
            found = torch.abs(self.scale).log().expand(torch.broadcast_shapes(self.scale.shape, x.shape))
        else:
            found = torch.full_like(x, math.log(abs(self.scale)))
        return _sum_rightmost(found, self.event_dim)


class ExpTransform(Transform):
    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class PowerTransform(Transform):
    def __init__(self, exponent, cache_size=0):
        super().__init__()
        self.exponent = torch.as_tensor(exponent)

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()


class SigmoidTransform(Transform):
    def _call(self, x):
        limits = torch.finfo(x.dtype)
        return torch.clamp(torch.sigmoid(x), min=limits.tiny, max=1.0 - limits.eps)

    def _inverse(self, y):
        limits = torch.finfo(y.dtype)
        y = y.clamp(min=limits.tiny, max=1.0 - limits.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x) - F.softplus(x)


class SoftplusTransform(Transform):
    def _call(self, x):
        return F.softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -F.softplus(-x)


class TanhTransform(Transform):
    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return torch.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))
