# SPDX-License-Identifier: Apache-2.0
# numpy.random: the legacy generator (Mersenne twister) with numpy's own ways from its words to numbers.
# Source: numpy/random/src/legacy/legacy-distributions.c, numpy/random/mtrand.pyx.
import math as _math

import numpy as _np
import torch as _torch
from _drawing import drawing as _drawing
from numpy._draws import Draws as _Draws

_PAIRS = 312  # of words that are drawn at once


@_drawing()
class RandomState(_Draws):
    def __init__(self, seed=None):
        self._generator = _torch.Generator()
        self.seed(seed)

    def seed(self, seed=None):
        if seed is None:
            import time
            seed = time.time_ns()
        elif not 0 <= int(seed) < 2 ** 32:
            raise ValueError("Seed must be between 0 and 2**32 - 1")
        self._generator.manual_seed(int(seed) & 0xffffffff)
        self._words = []
        self._gauss = None

    def _next(self):
        """The next word of the twister; torch gives pairs of them, the first in the upper half."""
        if not self._words:
            for pair in _torch.randint(-2 ** 63, 2 ** 63 - 1, (_PAIRS,), generator=self._generator).tolist():
                pair += 2 ** 63
                self._words += [pair >> 32, pair & 0xffffffff]
            self._words.reverse()
        return self._words.pop()

    def _double(self):
        a, b = self._next() >> 5, self._next() >> 6
        return (a * 67108864.0 + b) / 9007199254740992.0

    def _normal(self):
        if self._gauss is not None:
            found, self._gauss = self._gauss, None
            return found
        while True:
            x1 = 2.0 * self._double() - 1.0
            x2 = 2.0 * self._double() - 1.0
            r2 = x1 * x1 + x2 * x2
            if 0.0 < r2 < 1.0:
                break
        f = _math.sqrt(-2.0 * _math.log(r2) / r2)
        self._gauss = f * x1
        return f * x2

    def _upto(self, most):
        mask = (1 << most.bit_length()) - 1
        while True:
            if most > 0xffffffff:
                value = (self._next() << 32 | self._next()) & mask
            else:
                value = self._next() & mask
            if value <= most:
                return value

    def _array(self, draw, size, whole=False):
        if size is None:
            return draw()
        size = (size,) if isinstance(size, int) else tuple(int(s) for s in size)
        values = [draw() for _ in range(_math.prod(size))]
        return _np._wrap(_torch.tensor(values, dtype=_torch.int64 if whole else _torch.float64).reshape(size))

    def _each(self, draw, size, *parameters, whole=False):
        """draw(*parameters), for each of their numbers where there are arrays among them."""
        if not any(isinstance(p, (list, tuple, _np.ndarray)) for p in parameters):
            return self._array(lambda: draw(*parameters), size, whole)
        arrays = _np.broadcast_arrays(*[_np.asarray(p, dtype="float64") for p in parameters])
        if size is not None:
            arrays = [_np.broadcast_to(a, size) for a in arrays]
        values = [draw(*row) for row in zip(*[a.reshape(-1).tolist() for a in arrays])]
        return _np.array(values, dtype="int64" if whole else "float64").reshape(arrays[0].shape)

    def random_sample(self, size=None):
        return self._array(self._double, size)

    random = random_sample

    def rand(self, *size):
        return self.random_sample(size if size else None)

    def randn(self, *size):
        return self._array(self._normal, size if size else None)

    def standard_normal(self, size=None):
        return self._array(self._normal, size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._each(lambda m, s: m + s * self._normal(), size, loc, scale)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return self._each(lambda m, s: _math.exp(m + s * self._normal()), size, mean, sigma)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._each(lambda a, b: a + (b - a) * self._double(), size, low, high)

    def standard_exponential(self, size=None):
        return self._array(self._standard_exponential, size)

    def exponential(self, scale=1.0, size=None):
        return self._each(lambda s: s * self._standard_exponential(), size, scale)

    def standard_gamma(self, shape, size=None):
        return self._each(self._gamma, size, shape)

    def gamma(self, shape, scale=1.0, size=None):
        return self._each(lambda k, s: s * self._gamma(k), size, shape, scale)

    def beta(self, a, b, size=None):
        return self._each(self._beta, size, a, b)

    def chisquare(self, df, size=None):
        return self._each(lambda d: 2.0 * self._gamma(d / 2.0), size, df)

    def standard_t(self, df, size=None):
        def draw(d):
            n = self._normal()
            return _math.sqrt(d / 2.0) * n / _math.sqrt(self._gamma(d / 2.0))

        return self._each(draw, size, df)

    def standard_cauchy(self, size=None):
        def draw():
            n = self._normal()
            return n / self._normal()

        return self._array(draw, size)

    def dirichlet(self, alpha, size=None):
        alpha = [float(a) for a in alpha]
        sizes = () if size is None else (size,) if isinstance(size, int) else tuple(size)
        rows = []
        for _ in range(_math.prod(sizes)):
            row = [self._gamma(a) for a in alpha]
            inverse = 1.0 / sum(row)
            rows.append([v * inverse for v in row])
        return _np.array(rows).reshape(sizes + (len(alpha),))

    def laplace(self, loc=0.0, scale=1.0, size=None):
        return self._each(self._laplace, size, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        return self._each(self._logistic, size, loc, scale)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return self._each(self._gumbel, size, loc, scale)

    def rayleigh(self, scale=1.0, size=None):
        return self._each(lambda s: s * _math.sqrt(-2.0 * _math.log(1.0 - self._double())), size, scale)

    def weibull(self, a, size=None):
        return self._each(lambda k: self._standard_exponential() ** (1.0 / k) if k else 0.0, size, a)

    def pareto(self, a, size=None):
        return self._each(lambda k: _math.exp(self._standard_exponential() / k) - 1, size, a)

    def power(self, a, size=None):
        return self._each(lambda k: (1.0 - _math.exp(-self._standard_exponential())) ** (1.0 / k), size, a)

    def triangular(self, left, mode, right, size=None):
        return self._each(self._triangular, size, left, mode, right)

    def poisson(self, lam=1.0, size=None):
        return self._each(self._poisson, size, lam, whole=True)

    def binomial(self, n, p, size=None):
        return self._each(self._binomial, size, n, p, whole=True)

    def multinomial(self, n, pvals, size=None):
        def draw():
            counts, left, rest = [], int(n), 1.0
            for p in pvals[:-1]:
                counts.append(self._binomial(left, p / rest))
                left -= counts[-1]
                if left <= 0:
                    break
                rest -= p
            counts += [0] * (len(pvals) - len(counts))
            counts[-1] += max(left, 0)
            return counts

        sizes = () if size is None else (size,) if isinstance(size, int) else tuple(size)
        rows = [draw() for _ in range(_math.prod(sizes))]
        return _np.array(rows).reshape(sizes + (len(pvals),))

    def randint(self, low, high=None, size=None, dtype=int):
        if high is None:
            low, high = 0, low
        if low >= high:
            raise ValueError("low >= high")
        low, most = int(low), int(high) - int(low) - 1
        return self._array(lambda: low + (self._upto(most) if most else 0), size, True)

    def shuffle(self, x):
        for i in range(len(x) - 1, 0, -1):
            j = self._upto(i)
            if isinstance(x, _np.ndarray) and x.ndim > 1:
                row = x[i].copy()
                x[i] = x[j]
                x[j] = row
            else:
                x[i], x[j] = (x[j].item(), x[i].item()) if isinstance(x, _np.ndarray) else (x[j], x[i])

    def permutation(self, x):
        if isinstance(x, int):
            order = list(range(x))
            self.shuffle(order)
            return _np.array(order)
        order = list(range(len(x)))
        self.shuffle(order)
        return _np.asarray(x)[order]

    def choice(self, a, size=None, replace=True, p=None):
        among = None if isinstance(a, int) else a
        count = a if among is None else len(among)
        number = 1 if size is None else _math.prod(size) if isinstance(size, tuple) else size
        if p is not None:
            total, sums = 0.0, []
            for v in p:
                total += float(v)
                sums.append(total)
            if abs(total - 1.0) > 1e-8:
                raise ValueError("probabilities do not sum to 1")
            if not replace:
                raise NotImplementedError("numpy.random.choice: p without replacement is not available")
            sums = _torch.tensor([s / total for s in sums], dtype=_torch.float64)
            drawn = _torch.tensor([self._double() for _ in range(number)], dtype=_torch.float64)
            places = _torch.searchsorted(sums, drawn, side="right").tolist()
        elif replace:
            places = [self._upto(count - 1) if count > 1 else 0 for _ in range(number)]
        else:
            if number > count:
                raise ValueError("Cannot take a larger sample than population when 'replace=False'")
            order = list(range(count))
            self.shuffle(order)
            places = order[:number]
        if size is None:
            return places[0] if among is None else among[places[0]]
        found = _np.array(places) if among is None else _np.asarray(among)[places]
        return found.reshape(size) if isinstance(size, tuple) else found


_default = RandomState()
ranf = sample = _default.random_sample
for _name in ("beta binomial chisquare choice dirichlet exponential gamma gumbel laplace logistic lognormal multinomial normal "
              "pareto permutation poisson power rand randint randn random random_sample rayleigh seed shuffle "
              "standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular uniform "
              "weibull").split():
    globals()[_name] = getattr(_default, _name)


from numpy._generator import Generator, default_rng
