# SPDX-License-Identifier: Apache-2.0

import math as _m
import time as _time
from bisect import bisect as _bisect
from _drawing import drawing as _drawing
from itertools import accumulate as _accumulate

_NV = 4 * _m.exp(-0.5) / _m.sqrt(2.0)
_TWOPI = 2 * _m.pi


def _sha512(data):
    k, mask = _K512, (1 << 64) - 1
    h = list(_H512)
    n = len(data)
    data = bytes(data) + b"\x80" + bytes((111 - n) % 128) + (8 * n).to_bytes(16, "big")

    def rot(x, r):
        return (x >> r | x << (64 - r)) & mask

    for at in range(0, len(data), 128):
        w = [int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "big") for i in range(16)]
        for i in range(16, 80):
            s0 = rot(w[i - 15], 1) ^ rot(w[i - 15], 8) ^ w[i - 15] >> 7
            s1 = rot(w[i - 2], 19) ^ rot(w[i - 2], 61) ^ w[i - 2] >> 6
            w.append((w[i - 16] + s0 + w[i - 7] + s1) & mask)
        a, b, c, d, e, f, g, x = h
        for i in range(80):
            t1 = x + (rot(e, 14) ^ rot(e, 18) ^ rot(e, 41)) + (e & f ^ (e ^ mask) & g) + k[i] + w[i]
            t2 = (rot(a, 28) ^ rot(a, 34) ^ rot(a, 39)) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, x = (t1 + t2) & mask, a, b, c, (d + t1) & mask, e, f, g
        h = [(p + q) & mask for p, q in zip(h, (a, b, c, d, e, f, g, x))]
    return b"".join(v.to_bytes(8, "big") for v in h)


def _primes(n):
    out, c = [], 2
    while len(out) < n:
        if all(c % p for p in out):
            out.append(c)
        c += 1
    return out


def _root_bits(p, third):
    if not third:
        return _m.isqrt(p << 128) & (1 << 64) - 1
    target, low, high = p << 192, 0, 1 << 70
    while low < high:
        mid = (low + high + 1) // 2
        if mid ** 3 <= target:
            low = mid
        else:
            high = mid - 1
    return low & (1 << 64) - 1


_K512 = _H512 = None


@_drawing("random", "getrandbits")
class Random:
    VERSION = 3

    def __init__(self, x=None):
        self._state = _native.random_state()
        self.seed(x)

    def seed(self, a=None, version=2):
        global _K512, _H512
        if a is None:
            a = _time.time_ns()
        if isinstance(a, (str, bytes, bytearray)):
            if _K512 is None:
                primes = _primes(80)
                _K512 = [_root_bits(p, True) for p in primes]
                _H512 = [_root_bits(p, False) for p in primes[:8]]
            data = a.encode() if isinstance(a, str) else bytes(a)
            a = int.from_bytes(data + _sha512(data), "big")
        elif not isinstance(a, int):
            if not isinstance(a, float):
                raise TypeError("The only supported seed types are: None, int, float, str, bytes, and bytearray.")
            a = hash(a)
            if a < 0:
                a += 1 << 64
        _native.random_seed(self._state, abs(a))
        self.gauss_next = None

    def getstate(self):
        return (3, bytes(self._state), self.gauss_next)

    def setstate(self, state):
        self._state[:] = state[1]
        self.gauss_next = state[2]

    def random(self):
        return _native.random_float(self._state)

    def getrandbits(self, k):
        return _native.random_bits(self._state, k)

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def _below(self, n):
        k = n.bit_length()
        r = self.getrandbits(k)
        while r >= n:
            r = self.getrandbits(k)
        return r

    _randbelow = _below

    def randrange(self, start, stop=None, step=1):
        if not isinstance(start, int) or not (stop is None or isinstance(stop, int)):
            raise TypeError("randrange() takes integers")
        if stop is None:
            if start > 0:
                return self._below(start)
            raise ValueError("empty range for randrange()")
        width = stop - start
        if step == 1:
            if width > 0:
                return start + self._below(width)
            raise ValueError(f"empty range for randrange() ({start}, {stop}, {width})")
        n = (width + step - 1) // step if step > 0 else (width + step + 1) // step
        if n <= 0:
            raise ValueError("empty range for randrange()")
        return start + step * self._below(n)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._below(len(seq))]

    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self._below(i + 1)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k, *, counts=None):
        if isinstance(population, (set, frozenset, dict)):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        if counts is not None:
            population = [x for x, c in zip(population, counts) for _ in range(c)]
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        result = [None] * k
        setsize = 21
        if k > 5:
            setsize += 4 ** _m.ceil(_m.log(k * 3) / _m.log(4) - 1e-12)
        if n <= setsize:
            pool = list(population)
            for i in range(k):
                j = self._below(n - i)
                result[i] = pool[j]
                pool[j] = pool[n - i - 1]
        else:
            selected = set()
            for i in range(k):
                j = self._below(n)
                while j in selected:
                    j = self._below(n)
                selected.add(j)
                result[i] = population[j]
        return result

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                return [population[_m.floor(self.random() * n)] for _ in range(k)]
            cum_weights = list(_accumulate(weights))
        if len(cum_weights) != n:
            raise ValueError("The number of weights does not match the population")
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        return [population[_bisect(cum_weights, self.random() * total, 0, n - 1)] for _ in range(k)]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u, c, low, high = 1.0 - u, 1.0 - c, high, low
        return low + (high - low) * _m.sqrt(u * c)

    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u1 = self.random()
            u2 = 1.0 - self.random()
            z = _NV * (u1 - 0.5) / u2
            if z * z / 4.0 <= -_m.log(u2):
                return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        z = self.gauss_next
        self.gauss_next = None
        if z is None:
            x2pi = self.random() * _TWOPI
            g2rad = _m.sqrt(-2.0 * _m.log(1.0 - self.random()))
            z = _m.cos(x2pi) * g2rad
            self.gauss_next = _m.sin(x2pi) * g2rad
        return mu + z * sigma

    def lognormvariate(self, mu=0.0, sigma=1.0):
        return _m.exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd=1.0):
        return -_m.log(1.0 - self.random()) / lambd

    def gammavariate(self, alpha, beta):
        if alpha > 1.0:
            ainv = _m.sqrt(2.0 * alpha - 1.0)
            bbb, ccc = alpha - _m.log(4.0), alpha + ainv
            while True:
                u1 = self.random()
                if not 1e-7 < u1 < 0.9999999:
                    continue
                u2 = 1.0 - self.random()
                v = _m.log(u1 / (1.0 - u1)) / ainv
                x = alpha * _m.exp(v)
                z = u1 * u1 * u2
                r = bbb + ccc * v - x
                if r + 1.0 + _m.log(4.5) - 4.5 * z >= 0.0 or r >= _m.log(z):
                    return x * beta
        if alpha == 1.0:
            return -_m.log(1.0 - self.random()) * beta
        while True:
            u = self.random()
            b = (_m.e + alpha) / _m.e
            p = b * u
            x = p ** (1.0 / alpha) if p <= 1.0 else -_m.log((b - p) / alpha)
            u1 = self.random()
            if p > 1.0:
                if u1 <= x ** (alpha - 1.0):
                    break
            elif u1 <= _m.exp(-x):
                break
        return x * beta

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-_m.log(1.0 - self.random())) ** (1.0 / beta)

    def vonmisesvariate(self, mu, kappa):
        if kappa <= 1e-6:
            return _TWOPI * self.random()
        s = 0.5 / kappa
        r = s + _m.sqrt(1.0 + s * s)
        while True:
            z = _m.cos(_m.pi * self.random())
            d = z / (r + z)
            u = self.random()
            if u < 1.0 - d * d or u <= (1.0 - d) * _m.exp(d):
                break
        q = 1.0 / r
        f = (q + z) / (1.0 + q * z)
        return (mu + _m.acos(f)) % _TWOPI if self.random() > 0.5 else (mu - _m.acos(f)) % _TWOPI


SystemRandom = Random
_inst = Random()
seed, random, uniform, triangular = _inst.seed, _inst.random, _inst.uniform, _inst.triangular
randint, choice, randrange, sample = _inst.randint, _inst.choice, _inst.randrange, _inst.sample
shuffle, choices, normalvariate, lognormvariate = _inst.shuffle, _inst.choices, _inst.normalvariate, _inst.lognormvariate
expovariate, vonmisesvariate, gammavariate, gauss = _inst.expovariate, _inst.vonmisesvariate, _inst.gammavariate, _inst.gauss
betavariate, paretovariate, weibullvariate = _inst.betavariate, _inst.paretovariate, _inst.weibullvariate
getstate, setstate, getrandbits, randbytes = _inst.getstate, _inst.setstate, _inst.getrandbits, _inst.randbytes
