# SPDX-License-Identifier: Apache-2.0
# Draws of numpy.random's legacy generator from its uniform and normal numbers.
# Source: numpy/random/src/legacy/legacy-distributions.c, numpy/random/src/distributions/distributions.c.
import math as _math


class Draws:
    """Of one number each, for a generator with _double() and _normal()."""

    def _standard_exponential(self):
        return -_math.log(1.0 - self._double())

    def _gamma(self, shape):
        if shape == 1.0:
            return self._standard_exponential()
        if shape == 0.0:
            return 0.0
        if shape < 1.0:
            while True:
                u, v = self._double(), self._standard_exponential()
                if u <= 1.0 - shape:
                    x = u ** (1.0 / shape)
                    if x <= v:
                        return x
                else:
                    y = -_math.log((1.0 - u) / shape)
                    x = (1.0 - shape + shape * y) ** (1.0 / shape)
                    if x <= v + y:
                        return x
        b = shape - 1.0 / 3.0
        c = 1.0 / _math.sqrt(9.0 * b)
        while True:
            v = 0.0
            while v <= 0.0:
                x = self._normal()
                v = 1.0 + c * x
            v = v * v * v
            u = self._double()
            if u < 1.0 - 0.0331 * (x * x) * (x * x) or _math.log(u) < 0.5 * x * x + b * (1.0 - v + _math.log(v)):
                return b * v

    def _beta(self, a, b):
        if a > 1.0 or b > 1.0:
            x, y = self._gamma(a), self._gamma(b)
            return x / (x + y)
        while True:
            u, v = self._double(), self._double()
            x, y = u ** (1.0 / a), v ** (1.0 / b)
            if x + y > 1.0 or u + v <= 0.0:
                continue
            if x + y > 0.0:
                return x / (x + y)
            p, q = _math.log(u) / a, _math.log(v) / b
            most = max(p, q)
            p, q = p - most, q - most
            return _math.exp(p - _math.log(_math.exp(p) + _math.exp(q)))

    def _laplace(self, loc, scale):
        u = self._double()
        while u <= 0.0:
            u = self._double()
        return loc - scale * _math.log(2.0 - u - u) if u >= 0.5 else loc + scale * _math.log(u + u)

    def _logistic(self, loc, scale):
        u = self._double()
        while u <= 0.0:
            u = self._double()
        return loc + scale * _math.log(u / (1.0 - u))

    def _gumbel(self, loc, scale):
        u = 1.0 - self._double()
        while u >= 1.0:
            u = 1.0 - self._double()
        return loc - scale * _math.log(-_math.log(u))

    def _triangular(self, left, mode, right):
        base, ratio = right - left, (mode - left) / (right - left)
        u = self._double()
        if u <= ratio:
            return left + _math.sqrt(u * (mode - left) * base)
        return right - _math.sqrt((1.0 - u) * (right - mode) * base)

    def _poisson(self, lam):
        if lam == 0:
            return 0
        if lam < 10:
            least, count, product = _math.exp(-lam), 0, 1.0
            while True:
                product *= self._double()
                if product <= least:
                    return count
                count += 1
        b = 0.931 + 2.53 * _math.sqrt(lam)
        a = -0.059 + 0.02483 * b
        inverse, v_r = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
        while True:
            u, v = self._double() - 0.5, self._double()
            us = 0.5 - abs(u)
            k = _math.floor((2 * a / us + b) * u + lam + 0.43)
            if us >= 0.07 and v <= v_r:
                return k
            if k < 0 or (us < 0.013 and v > us):
                continue
            if _math.log(v) + _math.log(inverse) - _math.log(a / (us * us) + b) <= \
                    -lam + k * _math.log(lam) - _math.lgamma(k + 1):
                return k

    def _binomial(self, n, p):
        n = int(n)
        if n == 0 or p == 0:
            return 0
        if p > 0.5:
            return n - self._binomial_of_few(n, 1.0 - p)
        return self._binomial_of_few(n, p)

    def _binomial_of_few(self, n, p):
        if p * n > 30:
            return self._binomial_of_many(n, p)
        q = 1.0 - p
        first = _math.exp(n * _math.log(q))
        bound = int(min(n, n * p + 10.0 * _math.sqrt(n * p * q + 1)))
        x, px, u = 0, first, self._double()
        while u > px:
            x += 1
            if x > bound:
                x, px, u = 0, first, self._double()
            else:
                u -= px
                px = ((n - x + 1) * p * px) / (x * q)
        return x

    def _binomial_of_many(self, n, p):
        """The BTPE algorithm of Kachitvichyanukul and Schmeiser."""
        q = 1.0 - p
        fm = n * p + p
        m = _math.floor(fm)
        p1 = _math.floor(2.195 * _math.sqrt(n * p * q) - 4.6 * q) + 0.5
        xm = m + 0.5
        xl, xr = xm - p1, xm + p1
        c = 0.134 + 20.5 / (15.3 + m)
        a = (fm - xl) / (fm - xl * p)
        left = a * (1.0 + a / 2.0)
        a = (xr - fm) / (xr * q)
        right = a * (1.0 + a / 2.0)
        p2 = p1 * (1.0 + 2.0 * c)
        p3 = p2 + c / left
        p4 = p3 + c / right
        nrq = n * p * q
        while True:
            u, v = self._double() * p4, self._double()
            if u <= p1:
                return _math.floor(xm - p1 * v + u)
            if u <= p2:
                x = xl + (u - p1) / c
                v = v * c + 1.0 - abs(m - x + 0.5) / p1
                if v > 1.0:
                    continue
                y = _math.floor(x)
            elif v == 0.0:
                continue
            elif u <= p3:
                y = _math.floor(xl + _math.log(v) / left)
                if y < 0:
                    continue
                v = v * (u - p2) * left
            else:
                y = _math.floor(xr - _math.log(v) / right)
                if y > n:
                    continue
                v = v * (u - p3) * right
            if self._accepts(n, p, q, m, xm, nrq, y, v):
                return y

    def _accepts(self, n, p, q, m, xm, nrq, y, v):
        k = abs(y - m)
        if not 20 < k < nrq / 2.0 - 1:
            s = p / q
            a, f = s * (n + 1), 1.0
            for i in range(m + 1, y + 1):
                f *= a / i - s
            for i in range(y + 1, m + 1):
                f /= a / i - s
            return v <= f
        rho = (k / nrq) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5)
        t = -k * k / (2 * nrq)
        found = _math.log(v)
        if found < t - rho:
            return True
        if found > t + rho:
            return False
        x1, f1, z, w = y + 1, m + 1, n + 1 - m, n - y + 1

        def rest(v):
            square = v * v
            return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / square) / square) / square) / square) / v / 166320.0

        return found <= (xm * _math.log(f1 / x1) + (n - m + 0.5) * _math.log(z / w) + (y - m) * _math.log(w * p / (x1 * q)) +
                         rest(f1) + rest(z) + rest(x1) + rest(w))
