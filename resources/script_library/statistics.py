# SPDX-License-Identifier: Apache-2.0

import math as _m
from collections import namedtuple as _namedtuple


class StatisticsError(ValueError):
    pass


def _exact(total, n):
    r = total / n
    return int(r) if isinstance(total, int) and total % n == 0 else r


def mean(data):
    data = list(data)
    if not data:
        raise StatisticsError("mean requires at least one data point")
    return _exact(_m.fsum(data) if any(isinstance(x, float) for x in data) else sum(data), len(data))


def fmean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError("fmean requires at least one data point")
    if weights is None:
        return _m.fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    total = _m.fsum(weights)
    if not total:
        raise StatisticsError("sum of weights must be non-zero")
    return _m.fsum(x * w for x, w in zip(data, weights)) / total


def geometric_mean(data):
    data = list(data)
    if not data or min(data) <= 0:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive numbers")
    return _m.exp(_m.fsum(map(_m.log, data)) / len(data))


def harmonic_mean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError("harmonic_mean requires at least one data point")
    if min(data) < 0:
        raise StatisticsError("harmonic mean does not support negative values")
    if len(data) == 1 and weights is None:
        return data[0]
    if min(data) == 0:
        return 0
    from fractions import Fraction
    weights = [1] * len(data) if weights is None else list(weights)
    return float(sum(weights) / sum(Fraction(w / x) for w, x in zip(weights, data)))


def median(data):
    data = sorted(data)
    n = len(data)
    if not n:
        raise StatisticsError("no median for empty data")
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[len(data) // 2]


def median_grouped(data, interval=1.0):
    data = sorted(data)
    n = len(data)
    if not n:
        raise StatisticsError("no median for empty data")
    x = data[n // 2]
    below, equal = sum(v < x for v in data), data.count(x)
    return float(x) - interval / 2.0 + interval * (n / 2 - below) / equal


def mode(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    if not counts:
        raise StatisticsError("no mode for empty data")
    return max(counts, key=counts.get)


def multimode(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    return [x for x, n in counts.items() if n == max(counts.values())]


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    if len(data) < 2:
        raise StatisticsError("must have at least two data points")
    if method not in ("inclusive", "exclusive"):
        raise ValueError(f"Unknown method: {method!r}")
    inner = method == "inclusive"
    m, found = len(data) + (-1 if inner else 1), []
    for i in range(1, n):
        j = i * m // n
        j = j if inner else min(max(j, 1), len(data) - 1)
        delta = i * m - j * n
        a, b = (data[j], data[j + 1]) if inner else (data[j - 1], data[j])
        found.append((a * (n - delta) + b * delta) / n)
    return found


def _squares(data):
    n = len(data)
    total = sum(data) if not any(isinstance(x, float) for x in data) else _m.fsum(data)
    if isinstance(total, int):
        return (n * sum(x * x for x in data) - total * total), n
    c = total / n
    return _m.fsum((x - c) ** 2 for x in data), 1


def pvariance(data, mu=None):
    data = list(data)
    if not data:
        raise StatisticsError("pvariance requires at least one data point")
    s, scale = _squares(data)
    return _exact(s, scale * len(data))


def variance(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError("variance requires at least two data points")
    s, scale = _squares(data)
    return _exact(s, scale * (len(data) - 1))


def stdev(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError("stdev requires at least two data points")
    return _m.sqrt(variance(data))


def pstdev(data, mu=None):
    data = list(data)
    if not data:
        raise StatisticsError("pstdev requires at least one data point")
    return _m.sqrt(pvariance(data))


def _paired(x, y, name):
    x, y = list(x), list(y)
    if len(x) != len(y):
        raise StatisticsError(f"{name} requires that both inputs have same number of data points")
    if len(x) < 2:
        raise StatisticsError(f"{name} requires at least two data points")
    mx, my = _m.fsum(x) / len(x), _m.fsum(y) / len(y)
    return x, y, mx, my, _m.fsum((a - mx) * (b - my) for a, b in zip(x, y))


def covariance(x, y, /):
    x, y, mx, my, sxy = _paired(x, y, "covariance")
    return sxy / (len(x) - 1)


def correlation(x, y, /):
    x, y, mx, my, sxy = _paired(x, y, "correlation")
    sxx, syy = _m.fsum((a - mx) ** 2 for a in x), _m.fsum((b - my) ** 2 for b in y)
    if not sxx or not syy:
        raise StatisticsError("at least one of the inputs is constant")
    return sxy / _m.sqrt(sxx * syy)


LinearRegression = _namedtuple("LinearRegression", ("slope", "intercept"))


def linear_regression(x, y, /, *, proportional=False):
    x, y, mx, my, sxy = _paired(x, y, "linear regression")
    if proportional:
        sxy, mx, my = _m.fsum(a * b for a, b in zip(x, y)), 0.0, 0.0
    sxx = _m.fsum((a - mx) ** 2 for a in x)
    if not sxx:
        raise StatisticsError("x is constant")
    slope = sxy / sxx
    return LinearRegression(slope=slope, intercept=0.0 if proportional else my - slope * mx)


class NormalDist:
    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError("sigma must be non-negative")
        self._mu, self._sigma = float(mu), float(sigma)

    @classmethod
    def from_samples(cls, data):
        data = list(data)
        return cls(fmean(data), stdev(data))

    mean = median = mode = property(lambda self: self._mu)
    stdev = property(lambda self: self._sigma)
    variance = property(lambda self: self._sigma ** 2)

    def samples(self, n, *, seed=None):
        import random
        gauss = random.gauss if seed is None else random.Random(seed).gauss
        return [gauss(self._mu, self._sigma) for _ in range(n)]

    def pdf(self, x):
        variance = self._sigma ** 2
        if not variance:
            raise StatisticsError("pdf() not defined when sigma is zero")
        return _m.exp((x - self._mu) ** 2 / (-2.0 * variance)) / _m.sqrt(_m.tau * variance)

    def cdf(self, x):
        if not self._sigma:
            raise StatisticsError("cdf() not defined when sigma is zero")
        return 0.5 * (1.0 + _m.erf((x - self._mu) / (self._sigma * _m.sqrt(2.0))))

    def inv_cdf(self, p):
        if not 0.0 < p < 1.0:
            raise StatisticsError("p must be in the range 0.0 < p < 1.0")
        low, high = -40.0, 40.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if 0.5 * _m.erfc(-middle / _m.sqrt(2.0)) < p else (low, middle)
        return self._mu + (low + high) / 2 * self._sigma

    def quantiles(self, n=4):
        return [self.inv_cdf(i / n) for i in range(1, n)]

    def zscore(self, x):
        return (x - self._mu) / self._sigma

    def __add__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu + other._mu, _m.hypot(self._sigma, other._sigma))
        return NormalDist(self._mu + other, self._sigma)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu - other._mu, _m.hypot(self._sigma, other._sigma))
        return NormalDist(self._mu - other, self._sigma)

    def __mul__(self, factor):
        return NormalDist(self._mu * factor, self._sigma * _m.fabs(factor))

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, NormalDist) and (self._mu, self._sigma) == (other._mu, other._sigma)

    def __hash__(self):
        return hash((self._mu, self._sigma))

    def __repr__(self):
        return f"NormalDist(mu={self._mu!r}, sigma={self._sigma!r})"
