# SPDX-License-Identifier: Apache-2.0
# Distributions that are made of others, of uniform and of Cauchy numbers.
import math

import torch
import torch.nn.functional as F
from torch.distributions import (Categorical, Distribution, Exponential, Normal, OneHotCategorical,
                                 TransformedDistribution, Uniform, _LocationScale, _OfProbabilities, broadcast_all,
                                 constraints, register_kl)
from torch.distributions._gamma import Binomial, Gamma
from torch.distributions.transforms import (AbsTransform, AffineTransform, ExpTransform, PowerTransform,
                                            SigmoidTransform, StickBreakingTransform)

_euler = 0.57721566490153286060  # Euler's constant


def _kept(probs):
    """As far from 0 and 1 as the dtype tells apart."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


class Cauchy(_LocationScale):
    mode = _LocationScale.mean

    @property
    def mean(self):
        return torch.full_like(self.loc, math.nan)

    @property
    def variance(self):
        return torch.full_like(self.loc, math.inf)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        return self.loc + torch.empty(shape, dtype=self.loc.dtype, device=self.loc.device).cauchy_() * self.scale

    def log_prob(self, value):
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def cdf(self, value):
        return torch.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value):
        return torch.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()


class Gumbel(TransformedDistribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        limits = torch.finfo(self.loc.dtype)
        base = Uniform(torch.full_like(self.loc, limits.tiny), torch.full_like(self.loc, 1 - limits.eps), validate_args)
        super().__init__(base, [ExpTransform().inv, AffineTransform(0, -torch.ones_like(self.scale)),
                                ExpTransform().inv, AffineTransform(loc, -self.scale)], validate_args)

    @property
    def mean(self):
        return self.loc + self.scale * _euler

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return (math.pi / math.sqrt(6)) * self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def log_prob(self, value):
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    def entropy(self):
        return self.scale.log() + (1 + _euler)


class _Half(TransformedDistribution):
    """The absolute value of what lies around 0."""
    arg_constraints = {"scale": constraints.positive}

    def __init__(self, scale, validate_args=None):
        super().__init__(self._whole(0, scale), AbsTransform(), validate_args)

    @property
    def scale(self):
        return self.base_dist.scale

    @property
    def mode(self):
        return torch.zeros_like(self.scale)

    def log_prob(self, value):
        value = torch.as_tensor(value, dtype=self.scale.dtype, device=self.scale.device)
        return torch.where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value):
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value):
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(_Half):
    _whole = Normal

    @property
    def mean(self):
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self):
        return self.scale.pow(2) * (1 - 2 / math.pi)


class HalfCauchy(_Half):
    _whole = Cauchy

    @property
    def mean(self):
        return torch.full_like(self.scale, math.inf)

    @property
    def variance(self):
        return self.base_dist.variance


class Weibull(TransformedDistribution):
    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        super().__init__(Exponential(torch.ones_like(self.scale), validate_args),
                         [PowerTransform(self.concentration_reciprocal), AffineTransform(0, self.scale)], validate_args)

    def _moment(self, n):
        return torch.exp(torch.lgamma(1 + n * self.concentration_reciprocal))

    @property
    def mean(self):
        return self.scale * self._moment(1)

    @property
    def mode(self):
        return self.scale * ((self.concentration - 1) / self.concentration) ** self.concentration_reciprocal

    @property
    def variance(self):
        return self.scale.pow(2) * (self._moment(2) - self._moment(1).pow(2))

    def entropy(self):
        return (_euler * (1 - self.concentration_reciprocal) +
                torch.log(self.scale * self.concentration_reciprocal) + 1)


class Pareto(TransformedDistribution):
    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_all(scale, alpha)
        super().__init__(Exponential(self.alpha, validate_args), [ExpTransform(), AffineTransform(0, self.scale)],
                         validate_args)

    @property
    def mean(self):
        a = self.alpha.clamp(min=1)  # none below
        return a * self.scale / (a - 1)

    @property
    def mode(self):
        return self.scale

    @property
    def variance(self):
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    def entropy(self):
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class Kumaraswamy(TransformedDistribution):
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        ones = torch.ones_like(self.concentration0)
        super().__init__(Uniform(torch.zeros_like(ones), ones, validate_args),
                         [PowerTransform(self.concentration0.reciprocal()), AffineTransform(1.0, -1.0),
                          PowerTransform(self.concentration1.reciprocal())], validate_args)

    def _moment(self, n):
        b, more = self.concentration0, 1 + n / self.concentration1
        return b * torch.exp(torch.lgamma(more) + torch.lgamma(b) - torch.lgamma(more + b))

    @property
    def mean(self):
        return self._moment(1)

    @property
    def mode(self):
        a, b = self.concentration1, self.concentration0
        found = b.reciprocal() * (-b).log1p() - (-b * a).log1p()
        return torch.where((b < 1) | (a < 1), math.nan, found).exp()

    @property
    def variance(self):
        return self._moment(2) - self.mean.pow(2)

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        return ((1 - b.reciprocal()) + (1 - a.reciprocal()) * (torch.digamma(b + 1) + _euler) - torch.log(a) -
                torch.log(b))


class InverseGamma(TransformedDistribution):
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args)

    @property
    def concentration(self):
        return self.base_dist.concentration

    @property
    def rate(self):
        return self.base_dist.rate

    @property
    def mean(self):
        return torch.where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def mode(self):
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        a = self.concentration
        return torch.where(a > 2, self.rate.square() / ((a - 1).square() * (a - 2)), math.inf)

    def entropy(self):
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()


class LogisticNormal(TransformedDistribution):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args)
        super().__init__(base if base.batch_shape else base.expand((1,)), StickBreakingTransform(), validate_args)

    @property
    def loc(self):
        return self.base_dist.base_dist.loc

    @property
    def scale(self):
        return self.base_dist.base_dist.scale


class FisherSnedecor(Distribution):
    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    has_rsample = True

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1, self._gamma2 = Gamma(self.df1 * 0.5, self.df1), Gamma(self.df2 * 0.5, self.df2)
        super().__init__(self.df1.shape, validate_args=validate_args)

    @property
    def mean(self):
        return torch.where(self.df2 > 2, self.df2 / (self.df2 - 2), math.nan)

    @property
    def mode(self):
        return torch.where(self.df1 > 2, (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2), math.nan)

    @property
    def variance(self):
        a, b = self.df1, self.df2
        return torch.where(b > 4, 2 * b.pow(2) * (a + b - 2) / (a * (b - 2).pow(2) * (b - 4)), math.nan)

    def rsample(self, sample_shape=torch.Size()):
        above, below = self._gamma1.rsample(sample_shape), self._gamma2.rsample(sample_shape)
        tiny = torch.finfo(below.dtype).tiny
        return (above / below.clamp(min=tiny)).clamp(min=tiny)

    def log_prob(self, value):
        a, b, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        return ((a + b).lgamma() - a.lgamma() - b.lgamma() + a * ratio.log() + (a - 1) * torch.log(value) -
                (a + b) * torch.log1p(ratio * value))


class _OneByOne(_OfProbabilities):
    """Of numbers, each with a probability of its own."""
    _is_binary = True

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._given_probs = probs is not None
        self._given(None if probs is None else broadcast_all(probs)[0],
                    None if logits is None else broadcast_all(logits)[0])
        checked = self._given_probs and self._checks(validate_args)
        if checked and not constraints.unit_interval.check(self._probs).all():
            raise ValueError(f"Expected parameter probs of distribution {type(self).__name__} to lie in [0, 1], "
                             f"found\n{self._probs}")
        super().__init__(self.param_shape, validate_args=False)


class Geometric(_OneByOne):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits, validate_args)
        if self._given_probs and self._checks(validate_args) and not (self._probs > 0).all():
            raise ValueError(f"Expected parameter probs of distribution Geometric to be positive, found\n{self._probs}")

    @property
    def mean(self):
        return 1.0 / self.probs - 1.0

    @property
    def mode(self):
        return torch.zeros_like(self.probs)

    @property
    def variance(self):
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape=torch.Size()):
        p = self.probs
        with torch.no_grad():
            u = torch.empty(self._extended_shape(sample_shape), dtype=p.dtype, device=p.device).uniform_(
                torch.finfo(p.dtype).tiny, 1)
            return (u.log() / (-p).log1p()).floor()

    def log_prob(self, value):
        value, probs = broadcast_all(value, self.probs)
        probs = torch.where((probs == 1) & (value == 0), 0, probs)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


class NegativeBinomial(_OfProbabilities):
    _is_binary = True

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        self._given_probs = probs is not None
        self._given(probs, logits)
        total_count, given = broadcast_all(total_count, probs if logits is None else logits)
        self.total_count = total_count.type_as(given)
        self._given(given if logits is None else None, None if logits is None else given)
        super().__init__(given.shape, validate_args=False)

    @property
    def mean(self):
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self):
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self):
        return self.mean / torch.sigmoid(-self.logits)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return torch.poisson(Gamma(self.total_count, torch.exp(-self.logits), False).sample(sample_shape))

    def log_prob(self, value):
        n = self.total_count
        ways = torch.lgamma(1.0 + value) + torch.lgamma(n) - torch.lgamma(n + value)
        return (n * F.logsigmoid(-self.logits) + value * F.logsigmoid(self.logits) -
                ways.masked_fill(n + value == 0.0, 0.0))


class Multinomial(Distribution):
    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=False)

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def param_shape(self):
        return self._categorical.param_shape

    @property
    def mean(self):
        return self.probs * self.total_count

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=torch.Size()):
        drawn = self._categorical.sample((self.total_count,) + tuple(sample_shape)).movedim(0, -1)
        counts = torch.zeros(self._extended_shape(sample_shape), dtype=drawn.dtype, device=drawn.device)
        return counts.scatter_add(-1, drawn, torch.ones_like(drawn)).type_as(self.probs)

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, value)
        logits = torch.where((value == 0) & (logits == -math.inf), 0, logits)
        return torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1) + (logits * value).sum(-1)

    def entropy(self):
        n = torch.tensor(self.total_count, dtype=self.probs.dtype, device=self.probs.device)
        counts = torch.arange(1, self.total_count + 1, dtype=n.dtype, device=n.device)
        counts = counts.reshape((-1,) + (1,) * len(self.param_shape))
        weighed = torch.exp(Binomial(self.total_count, probs=self.probs).log_prob(counts)) * torch.lgamma(counts + 1)
        return n * self._categorical.entropy() - torch.lgamma(n + 1) + weighed.sum([0, -1])


class LogitRelaxedBernoulli(_OneByOne):
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        super().__init__(probs, logits, validate_args)

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        probs = _kept(self.probs.expand(shape))
        u = _kept(torch.rand(shape, dtype=probs.dtype, device=probs.device))
        return (u.log() - (-u).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, value)
        apart = logits - value.mul(self.temperature)
        return self.temperature.log() + apart - 2 * apart.exp().log1p()


class ExpRelaxedCategorical(Distribution):
    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        self.temperature = temperature
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=False)

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    def rsample(self, sample_shape=torch.Size()):
        u = _kept(torch.rand(self._extended_shape(sample_shape), dtype=self.logits.dtype, device=self.logits.device))
        scores = (self.logits - (-u.log()).log()) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value):
        k = self._categorical._num_events
        logits, value = broadcast_all(self.logits, value)
        score = logits - value.mul(self.temperature)
        score = (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1)
        return score + torch.full_like(self.temperature, float(k)).lgamma() + self.temperature.log().mul(k - 1)


class _Relaxed(TransformedDistribution):
    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(self._bent(temperature, probs, logits), self._straight(), validate_args)

    @property
    def temperature(self):
        return self.base_dist.temperature

    @property
    def probs(self):
        return self.base_dist.probs

    @property
    def logits(self):
        return self.base_dist.logits


class RelaxedBernoulli(_Relaxed):
    _bent, _straight = LogitRelaxedBernoulli, SigmoidTransform


class RelaxedOneHotCategorical(_Relaxed):
    _bent, _straight = ExpRelaxedCategorical, ExpTransform


class OneHotCategoricalStraightThrough(OneHotCategorical):
    has_rsample = True

    def rsample(self, sample_shape=torch.Size()):
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class ContinuousBernoulli(_OneByOne):
    has_rsample = True

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        super().__init__(probs, logits, validate_args)
        if self._given_probs:
            self._probs = _kept(self._probs)
        self._lims = lims

    @property
    def probs(self):
        if self._probs is None:
            self._probs = _kept(torch.sigmoid(self._logits))
        return self._probs

    def _stable(self):
        """Whether the closed formulas may be used, and probabilities with which they may."""
        outside = (self.probs <= self._lims[0]) | (self.probs > self._lims[1])
        return outside, torch.where(outside, self.probs, self._lims[0])

    def _log_norm(self):
        outside, p = self._stable()
        below, above = torch.where(p <= 0.5, p, 0.0), torch.where(p >= 0.5, p, 1.0)
        found = (torch.log(torch.abs(torch.log1p(-p) - torch.log(p))) -
                 torch.where(p <= 0.5, torch.log1p(-2.0 * below), torch.log(2.0 * above - 1.0)))
        x = (self.probs - 0.5).pow(2)
        return torch.where(outside, found, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self):
        outside, p = self._stable()
        x = self.probs - 0.5
        return torch.where(outside, p / (2.0 * p - 1.0) + 1.0 / (torch.log1p(-p) - torch.log(p)),
                           0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x.pow(2)) * x)

    @property
    def variance(self):
        outside, p = self._stable()
        x = (self.probs - 0.5).pow(2)
        return torch.where(outside, p * (p - 1.0) / (1.0 - 2.0 * p).pow(2) +
                           1.0 / (torch.log1p(-p) - torch.log(p)).pow(2),
                           1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def rsample(self, sample_shape=torch.Size()):
        return self.icdf(torch.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype,
                                    device=self.probs.device))

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none") + self._log_norm()

    def cdf(self, value):
        outside, p = self._stable()
        found = (p.pow(value) * (1.0 - p).pow(1.0 - value) + p - 1.0) / (2.0 * p - 1.0)
        return torch.where(value <= 0.0, 0.0, torch.where(value >= 1.0, 1.0, torch.where(outside, found, value)))

    def icdf(self, value):
        outside, p = self._stable()
        return torch.where(outside, (torch.log1p(-p + value * (2.0 * p - 1.0)) - torch.log1p(-p)) /
                           (torch.log(p) - torch.log1p(-p)), value)

    def entropy(self):
        none, one = torch.log1p(-self.probs), torch.log(self.probs)
        return self.mean * (none - one) - self._log_norm() - none


class MixtureSameFamily(Distribution):
    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        batch = component_distribution.batch_shape
        mixed = mixture_distribution.batch_shape
        if any(a != 1 and b != 1 and a != b for a, b in zip(reversed(mixed), reversed(batch[:-1]))):
            raise ValueError(f"`mixture_distribution.batch_shape` ({mixed}) is not compatible with "
                             f"`component_distribution.batch_shape`({batch[:-1]})")
        count = mixture_distribution.param_shape[-1]
        if count != batch[-1]:
            raise ValueError(f"`mixture_distribution component` ({count}) does not equal "
                             f"`component_distribution.batch_shape[-1]` ({batch[-1]})")
        self.mixture_distribution, self.component_distribution = mixture_distribution, component_distribution
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(batch[:-1], component_distribution.event_shape, validate_args=False)

    def _pad(self, x):
        return x.unsqueeze(-1 - self._event_ndims)

    def _weighed(self, x):
        probs = self.mixture_distribution.probs
        mixed = len(self.mixture_distribution.batch_shape)
        missing = 0 if mixed == 1 else len(self.batch_shape) - mixed
        probs = probs.reshape(tuple(probs.shape[:-1]) + (1,) * missing + tuple(probs.shape[-1:]) +
                              (1,) * self._event_ndims)
        return torch.sum(probs * x, -1 - self._event_ndims)

    @property
    def mean(self):
        return self._weighed(self.component_distribution.mean)

    @property
    def variance(self):
        apart = (self.component_distribution.mean - self._pad(self.mean)).pow(2.0)
        return self._weighed(self.component_distribution.variance) + self._weighed(apart)

    def cdf(self, x):
        return torch.sum(self.component_distribution.cdf(self._pad(x)) * self.mixture_distribution.probs, -1)

    def log_prob(self, x):
        found = self.component_distribution.log_prob(self._pad(x))
        return torch.logsumexp(found + torch.log_softmax(self.mixture_distribution.logits, -1), -1)

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            at = len(tuple(sample_shape)) + len(self.batch_shape)
            event = tuple(self.event_shape)
            chosen = self.mixture_distribution.sample(sample_shape)
            drawn = self.component_distribution.sample(sample_shape)
            chosen = chosen.reshape(tuple(chosen.shape) + (1,) * (len(event) + 1))
            chosen = chosen.expand(tuple(drawn.shape[:at]) + (1,) + event)
            return torch.gather(drawn, at, chosen).squeeze(at)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"


class VonMises(Distribution):
    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return 1 - torch.special.i1e(self.concentration) / torch.special.i0e(self.concentration)

    def log_prob(self, value):
        k = self.concentration
        return k * torch.cos(value - self.loc) - math.log(2 * math.pi) - torch.special.i0e(k).log() - k

    def sample(self, sample_shape=torch.Size()):
        """Best and Fisher's rejection from a wrapped Cauchy distribution (1979), computed in double."""
        with torch.no_grad():
            loc, k = self.loc.double(), self.concentration.double()
            tau = 1 + (1 + 4 * k ** 2).sqrt()
            rho = (tau - (2 * tau).sqrt()) / (2 * k)
            proposal = torch.where(k < 1e-5, 1 / k + k, (1 + rho ** 2) / (2 * rho))
            x = torch.zeros(self._extended_shape(sample_shape), dtype=loc.dtype, device=loc.device)
            done = torch.zeros_like(x, dtype=torch.bool)
            while not done.all():
                u1, u2, u3 = torch.rand((3,) + tuple(x.shape), dtype=loc.dtype, device=loc.device).unbind()
                z = torch.cos(math.pi * u1)
                f = (1 + proposal * z) / (proposal + z)
                c = k * (proposal - f)
                accept = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
                x = torch.where(accept, (u3 - 0.5).sign() * f.acos(), x)
                done = done | accept
            return ((x + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)


@register_kl(Cauchy, Cauchy)
def _cauchy(p, q):
    return ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()


@register_kl(Gumbel, Gumbel)
def _gumbel(p, q):
    first, second, third = p.scale / q.scale, q.loc / q.scale, p.loc / q.scale
    apart = -first.log() - second + third
    return apart + first * _euler + torch.exp(second + (1 + first).lgamma() - third) - (1 + _euler)


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio - 1 - ratio.log())


@register_kl(Pareto, Pareto)
def _pareto(p, q):
    ratio = p.scale / q.scale
    alpha = q.alpha / p.alpha
    found = q.alpha * ratio.log() - alpha.log() + alpha - 1
    return torch.where(p.scale < q.scale, math.inf, found)
