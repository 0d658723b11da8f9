# SPDX-License-Identifier: Apache-2.0
# numpy.random: the legacy generator (Mersenne twister) with numpy's own ways from its words to numbers.
# Source: numpy/random/src/legacy/legacy-distributions.c, numpy/random/mtrand.pyx.
import math as _math

import numpy as _np
import torch as _torch

_PAIRS = 312  # of words that are drawn at once


class RandomState:
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

    def random_sample(self, size=None):
        return self._array(self._double, size)

    random = random_sample

    def rand(self, *size):
        return self.random_sample(size if size else None)

    def randn(self, *size):
        return self._array(self._normal, size if size else None)

    standard_normal = lambda self, size=None: self._array(self._normal, size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._array(lambda: loc + scale * self._normal(), size)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._array(lambda: low + (high - low) * self._double(), size)

    def exponential(self, scale=1.0, size=None):
        return self._array(lambda: -scale * _math.log(1.0 - self._double()), size)

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
seed = _default.seed
random_sample = random = ranf = sample = _default.random_sample
rand = _default.rand
randn = _default.randn
standard_normal = _default.standard_normal
normal = _default.normal
uniform = _default.uniform
exponential = _default.exponential
randint = _default.randint
shuffle = _default.shuffle
permutation = _default.permutation
choice = _default.choice


from numpy._generator import Generator, default_rng
