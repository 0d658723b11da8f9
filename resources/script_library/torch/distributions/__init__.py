# SPDX-License-Identifier: Apache-2.0
# torch.distributions: those that samplers, variational models and policies use, with PyTorch's draws.
import copy
import math

import torch
import torch.nn.functional as F
from torch.distributions import constraints
from torch.distributions.kl import kl_divergence, register_kl
from torch.distributions.transforms import (AbsTransform, AffineTransform, ComposeTransform, ExpTransform,
                                            IndependentTransform, PowerTransform, ReshapeTransform, SigmoidTransform,
                                            SoftmaxTransform, SoftplusTransform, StickBreakingTransform, TanhTransform,
                                            Transform, _sum_rightmost)


def broadcast_all(*values):
    """Tensors of one shape; numbers become tensors beside the first tensor that there is."""
    tensors = [v for v in values if isinstance(v, torch.Tensor)]
    if not tensors:
        return torch.broadcast_tensors(*[torch.tensor(float(v)) for v in values])
    like = tensors[0]
    return torch.broadcast_tensors(*[v if isinstance(v, torch.Tensor) else torch.tensor(v, dtype=like.dtype,
                                                                                        device=like.device)
                                     for v in values])


def probs_to_logits(probs, is_binary=False):
    eps = torch.finfo(probs.dtype).eps
    clamped = probs.clamp(min=eps, max=1 - eps)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)


def logits_to_probs(logits, is_binary=False):
    return torch.sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


class Distribution:
    has_rsample = False
    arg_constraints = {}
    _validate_args = not torch._compiles

    @staticmethod
    def set_default_validate_args(value):
        Distribution._validate_args = value

    def _checks(self, validate_args):
        return Distribution._validate_args if validate_args is None else validate_args

    def __init__(self, batch_shape=torch.Size(), event_shape=torch.Size(), validate_args=None):
        self._batch_shape = torch.Size(batch_shape)
        self._event_shape = torch.Size(event_shape)
        if self._checks(validate_args):
            for name, constraint in self.arg_constraints.items():
                value = self.__dict__.get(name)
                if isinstance(value, torch.Tensor) and not constraint.check(value).all():
                    raise ValueError(f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) "
                                     f"of distribution {self!r} to satisfy the constraint {constraint}, but found "
                                     f"invalid values:\n{value}")

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def mean(self):
        raise NotImplementedError

    mode = variance = mean

    @property
    def stddev(self):
        return self.variance.sqrt()

    def _extended_shape(self, sample_shape=torch.Size()):
        return torch.Size(tuple(sample_shape) + tuple(self._batch_shape) + tuple(self._event_shape))

    def expand(self, batch_shape, _instance=None):
        """The same distribution with more in a batch: what it is given by, expanded."""
        new, old, batch_shape = copy.copy(self), len(self._batch_shape), torch.Size(batch_shape)
        for name, value in self.__dict__.items():
            if isinstance(value, Distribution):
                new.__dict__[name] = value.expand(tuple(batch_shape) + tuple(value.batch_shape[old:]))
            elif isinstance(value, torch.Tensor) and value.shape[:old] == self._batch_shape:
                new.__dict__[name] = value.expand(tuple(batch_shape) + tuple(value.shape[old:]))
        new._batch_shape = batch_shape
        return new

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=torch.Size()):
        raise NotImplementedError

    def sample_n(self, n):
        return self.sample(torch.Size((n,)))

    def log_prob(self, value):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return torch.exp(self.entropy())

    def __repr__(self):
        names = [name for name in self.arg_constraints if name in self.__dict__]
        shown = ", ".join(f"{n}: {self.__dict__[n] if self.__dict__[n].numel() == 1 else self.__dict__[n].size()}"
                          for n in names)
        return type(self).__name__ + "(" + shown + ")"


class _LocationScale(Distribution):
    """Of numbers around loc, as far from it as scale says."""
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.loc


class Normal(_LocationScale):
    mode = _LocationScale.mean

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        eps = torch.normal(torch.zeros(shape, dtype=self.loc.dtype, device=self.loc.device),
                           torch.ones(shape, dtype=self.loc.dtype, device=self.loc.device))
        return self.loc + eps * self.scale

    def log_prob(self, value):
        return (-((value - self.loc) ** 2) / (2 * self.scale ** 2) - self.scale.log() -
                math.log(math.sqrt(2 * math.pi)))

    def cdf(self, value):
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * torch.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)


class LogNormal(Distribution):
    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.base_dist = Normal(loc, scale, validate_args)
        self.loc, self.scale = self.base_dist.loc, self.base_dist.scale
        super().__init__(self.loc.shape, validate_args=False)

    @property
    def mean(self):
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def variance(self):
        squared = self.scale.pow(2)
        return squared.expm1() * (2 * self.loc + squared).exp()

    def sample(self, sample_shape=torch.Size()):
        return self.base_dist.sample(sample_shape).exp()

    def rsample(self, sample_shape=torch.Size()):
        return self.base_dist.rsample(sample_shape).exp()

    def log_prob(self, value):
        return self.base_dist.log_prob(value.log()) - value.log()

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class Uniform(Distribution):
    has_rsample = True

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.shape, validate_args=False)
        if self._checks(validate_args) and not (self.low < self.high).all():
            raise ValueError("Uniform is not defined when low>= high")

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def variance(self):
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        drawn = torch.rand(shape, dtype=self.low.dtype, device=self.low.device)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        inside = self.low.le(value).to(self.low.dtype) * self.high.gt(value).to(self.low.dtype)
        return torch.log(inside) - torch.log(self.high - self.low)

    def cdf(self, value):
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return torch.log(self.high - self.low)


class Exponential(Distribution):
    arg_constraints = {"rate": constraints.positive}
    has_rsample = True

    def __init__(self, rate, validate_args=None):
        self.rate, = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.rate.reciprocal()

    stddev = mean

    @property
    def variance(self):
        return self.rate.pow(-2)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        return torch.empty(shape, dtype=self.rate.dtype, device=self.rate.device).exponential_() / self.rate

    def log_prob(self, value):
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        return 1 - torch.exp(-self.rate * value)

    def entropy(self):
        return 1.0 - torch.log(self.rate)


class Laplace(_LocationScale):
    @property
    def variance(self):
        return 2 * self.scale.pow(2)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        u = torch.empty(shape, dtype=self.loc.dtype, device=self.loc.device).uniform_(
            torch.finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * torch.log1p(-u.abs())

    def log_prob(self, value):
        return -torch.log(2 * self.scale) - torch.abs(value - self.loc) / self.scale

    def entropy(self):
        return 1 + torch.log(2 * self.scale)


class _OfProbabilities(Distribution):
    """Given by probs or by logits; the other follows when it is asked for."""
    _is_binary = False

    @property
    def logits(self):
        if self._logits is None:
            self._logits = probs_to_logits(self._probs, self._is_binary)
        return self._logits

    @property
    def probs(self):
        if self._probs is None:
            self._probs = logits_to_probs(self._logits, self._is_binary)
        return self._probs

    @property
    def param_shape(self):
        return (self._probs if self._logits is None else self._logits).size()

    def _given(self, probs, logits):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        self._probs, self._logits = probs, logits

    def __repr__(self):
        known = [(name, value) for name, value in (("probs", self._probs), ("logits", self._logits)) if value is not None]
        shown = ", ".join(f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in known)
        return f"{type(self).__name__}({shown})"


class Bernoulli(_OfProbabilities):
    _is_binary = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._given_probs = probs is not None
        self._given(None if probs is None else broadcast_all(probs)[0],
                    None if logits is None else broadcast_all(logits)[0])
        if self._given_probs and self._checks(validate_args) and not constraints.unit_interval.check(self._probs).all():
            raise ValueError(f"Expected parameter probs of distribution Bernoulli to lie in [0, 1], found\n{self._probs}")
        super().__init__(self.param_shape, validate_args=False)

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand=True):
        values = torch.arange(2, dtype=self.probs.dtype, device=self.probs.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + tuple(self._batch_shape)) if expand else values


class Categorical(_OfProbabilities):
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._given_probs = probs is not None
        for value in (probs, logits):
            if value is not None and value.dim() < 1:
                raise ValueError("`probs` parameter must be at least one-dimensional.")
        if probs is not None and self._checks(validate_args) and not (probs >= 0).all():
            raise ValueError(f"Expected parameter probs of distribution Categorical to be a simplex, found\n{probs}")
        self._given(None if probs is None else probs / probs.sum(-1, keepdim=True),
                    None if logits is None else logits - logits.logsumexp(dim=-1, keepdim=True))
        self._num_events = self.param_shape[-1]
        super().__init__(self.param_shape[:-1], validate_args=False)

    @property
    def mode(self):
        return self.probs.argmax(dim=-1)

    def sample(self, sample_shape=torch.Size()):
        sample_shape = torch.Size(sample_shape)
        rows = self.probs.detach().reshape(-1, self._num_events)
        drawn = torch.multinomial(rows, sample_shape.numel(), True).T
        return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        value, log_pmf = torch.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return log_pmf.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        least = torch.finfo(self.logits.dtype).min
        return -(torch.clamp(self.logits, min=least) * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        values = torch.arange(self._num_events, dtype=torch.long, device=self.probs.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + tuple(self._batch_shape)) if expand else values


class OneHotCategorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits, validate_args)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=False)

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    mean = probs

    @property
    def mode(self):
        return F.one_hot(self.probs.argmax(-1), self._categorical._num_events).to(self.probs)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def enumerate_support(self, expand=True):
        n = self._event_shape[0]
        values = torch.eye(n, dtype=self.probs.dtype, device=self.probs.device)
        values = values.view((n,) + (1,) * len(self._batch_shape) + (n,))
        return values.expand((n,) + tuple(self._batch_shape) + (n,)) if expand else values

    def sample(self, sample_shape=torch.Size()):
        drawn = self._categorical.sample(sample_shape)
        return F.one_hot(drawn, self._categorical._num_events).to(self.probs)

    def log_prob(self, value):
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()


class Independent(Distribution):
    """The last dimensions of a batch as one event."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape = tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape)
        if reinterpreted_batch_ndims > len(base_distribution.batch_shape):
            raise ValueError("Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                             f"{reinterpreted_batch_ndims} vs {len(base_distribution.batch_shape)}")
        event = reinterpreted_batch_ndims + len(base_distribution.event_shape)
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        super().__init__(shape[:len(shape) - event], shape[len(shape) - event:], validate_args=False)

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def variance(self):
        return self.base_dist.variance

    def sample(self, sample_shape=torch.Size()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=torch.Size()):
        return self.base_dist.rsample(sample_shape)

    def _summed(self, values):
        n = self.reinterpreted_batch_ndims
        return values if n == 0 else values.reshape(tuple(values.shape[:values.dim() - n]) + (-1,)).sum(-1)

    def log_prob(self, value):
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self):
        return self._summed(self.base_dist.entropy())

    def __repr__(self):
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Distribution):
    """What transforms make of the samples of another distribution."""

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = [transforms] if isinstance(transforms, Transform) else list(transforms)
        own = len(base_distribution.event_shape)
        whole = ComposeTransform(self.transforms)
        shape = torch.Size(tuple(base_distribution.batch_shape) + tuple(base_distribution.event_shape))
        if len(shape) < whole.event_dim:
            raise ValueError(f"base_distribution needs to have shape with size at least {whole.event_dim}, but got "
                             f"{shape}.")
        forward = whole.forward_shape(shape)
        before = whole.inverse_shape(forward)
        if before != shape:
            base_distribution = base_distribution.expand(before[:len(before) - own])
        if whole.event_dim > own:
            base_distribution = Independent(base_distribution, whole.event_dim - own)
        self.base_dist = base_distribution
        event = max(own, whole.event_dim)
        super().__init__(forward[:len(forward) - event], forward[len(forward) - event:], validate_args=validate_args)

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            x = self.base_dist.sample(sample_shape)
            for transform in self.transforms:
                x = transform(x)
            return x

    def rsample(self, sample_shape=torch.Size()):
        x = self.base_dist.rsample(sample_shape)
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value):
        event, total, y = len(self.event_shape), 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            total = total - _sum_rightmost(transform.log_abs_det_jacobian(x, y), event - transform.event_dim)
            y = x
        return total + _sum_rightmost(self.base_dist.log_prob(y), event - len(self.base_dist.event_shape))

    def cdf(self, value):
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        value = self.base_dist.cdf(value)
        sign = math.prod([t.sign for t in self.transforms]) if self.transforms else 1
        return sign * (value - 0.5) + 0.5


class MultivariateNormal(Distribution):
    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if sum(m is not None for m in (covariance_matrix, precision_matrix, scale_tril)) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        if precision_matrix is not None:
            covariance_matrix = torch.linalg.inv(precision_matrix)
        tril = torch.linalg.cholesky(covariance_matrix) if scale_tril is None else scale_tril
        batch = torch.broadcast_shapes(tril.shape[:-2], loc.shape[:-1])
        self.loc = loc.expand(tuple(batch) + (-1,))
        self.scale_tril = tril.expand(tuple(batch) + (-1, -1))
        self._given = ("covariance_matrix" if covariance_matrix is not None and precision_matrix is None else
                       "precision_matrix" if precision_matrix is not None else "scale_tril")
        super().__init__(batch, self.loc.shape[-1:], validate_args=False)

    @property
    def mean(self):
        return self.loc

    def __repr__(self):
        return f"{type(self).__name__}(loc: {self.loc.size()}, {self._given}: {self.scale_tril.size()})"

    @property
    def covariance_matrix(self):
        return self.scale_tril @ self.scale_tril.mT

    @property
    def variance(self):
        return self.scale_tril.pow(2).sum(-1)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        eps = torch.normal(torch.zeros(shape, dtype=self.loc.dtype), torch.ones(shape, dtype=self.loc.dtype))
        return self.loc + (self.scale_tril @ eps.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        rest = torch.linalg.solve_triangular(self.scale_tril, (value - self.loc).unsqueeze(-1), upper=False).squeeze(-1)
        half = self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + rest.pow(2).sum(-1)) - half

    def entropy(self):
        half = self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + half


import torch.distributions.kl as kl
from torch.distributions._gamma import Beta, Binomial, Chi2, Dirichlet, Gamma, Poisson, StudentT
from torch.distributions._more import (Cauchy, ContinuousBernoulli, FisherSnedecor, Geometric, Gumbel, HalfCauchy,
                                       HalfNormal, InverseGamma, Kumaraswamy, LogisticNormal, MixtureSameFamily,
                                       Multinomial, NegativeBinomial, OneHotCategoricalStraightThrough, Pareto,
                                       RelaxedBernoulli, RelaxedOneHotCategorical, VonMises, Weibull)

kl._fill()
from torch._homes import settle as _settle

_settle("torch.distributions", globals())
