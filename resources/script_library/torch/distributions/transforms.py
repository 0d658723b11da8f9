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
    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)

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

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

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

    def forward_shape(self, shape):
        return torch.broadcast_shapes(shape, getattr(self.loc, "shape", ()), getattr(self.scale, "shape", ()))

    inverse_shape = forward_shape


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

    def forward_shape(self, shape):
        return torch.broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


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


class AbsTransform(Transform):
    """Not one to one: the inverse is the one that is not negative."""
    bijective = False
    sign = 1

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class SoftmaxTransform(Transform):
    bijective = False
    event_dim = 1

    def _call(self, x):
        powers = (x - x.max(-1, True)[0]).exp()
        return powers / powers.sum(-1, True)

    def _inverse(self, y):
        return y.log()


class StickBreakingTransform(Transform):
    """Of n numbers the n + 1 lengths that a stick is broken into."""
    event_dim = 1

    def _offset(self, like):
        return (like.shape[-1] + 1 - like.new_ones(like.shape[-1]).cumsum(-1)).log()

    def _call(self, x):
        z = SigmoidTransform()(x - self._offset(x))
        return F.pad(z, [0, 1], value=1) * F.pad((1 - z).cumprod(-1), [1, 0], value=1)

    def _inverse(self, y):
        broken = y[..., :-1]
        rest = torch.clamp(1 - broken.cumsum(-1), min=torch.finfo(y.dtype).tiny)
        return broken.log() - rest.log() + self._offset(broken)

    def log_abs_det_jacobian(self, x, y):
        x = x - self._offset(x)
        return (-x + F.logsigmoid(x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape):
        return torch.Size(tuple(shape[:-1]) + (shape[-1] + 1,))

    def inverse_shape(self, shape):
        return torch.Size(tuple(shape[:-1]) + (shape[-1] - 1,))


class ReshapeTransform(Transform):
    """The last dimensions of an event with other sizes."""

    def __init__(self, in_shape, out_shape, cache_size=0):
        super().__init__()
        self.in_shape, self.out_shape = torch.Size(in_shape), torch.Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        self.event_dim = max(len(self.in_shape), len(self.out_shape))

    def _turned(self, x, old, new):
        return x.reshape(tuple(x.shape[:x.dim() - len(old)]) + tuple(new))

    def _call(self, x):
        return self._turned(x, self.in_shape, self.out_shape)

    def _inverse(self, y):
        return self._turned(y, self.out_shape, self.in_shape)

    def log_abs_det_jacobian(self, x, y):
        return x.new_zeros(tuple(x.shape[:x.dim() - len(self.in_shape)]))


class IndependentTransform(Transform):
    """The last dimensions of a batch belong to the event."""

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__()
        self.base_transform, self.reinterpreted_batch_ndims = base_transform, reinterpreted_batch_ndims
        self.event_dim = base_transform.event_dim + reinterpreted_batch_ndims

    @property
    def sign(self):
        return self.base_transform.sign

    def _call(self, x):
        return self.base_transform(x)

    def _inverse(self, y):
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        return _sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)
