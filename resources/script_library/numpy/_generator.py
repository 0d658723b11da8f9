# SPDX-License-Identifier: Apache-2.0
# numpy.random.default_rng: PCG64 and what numpy makes of its words. Sources: numpy/random/bit_generator.pyx,
# src/pcg64/pcg64.h, src/distributions/distributions.c, _generator.pyx. Normal and exponential numbers may differ from
# numpy's in the last bit, as the layers of their ziggurats are computed here.
import math as _math

import numpy as _np
from _drawing import drawing

_LOW, _WORD, _STATE = 0xffffffff, 0xffffffffffffffff, (1 << 128) - 1
_STEP = 0x2360ED051FC65DA44385DF649FCCF645


def _seed_words(entropy, count):
    """What SeedSequence(entropy) gives: words of 64 bits."""
    words = []
    for number in entropy if isinstance(entropy, (list, tuple)) else [entropy]:
        if number < 0:
            raise ValueError("expected non-negative integer")
        words += [number >> shift & _LOW for shift in range(0, max(number.bit_length(), 1), 32)]
    constant = 0x43b0d7e5

    def hashed(value):
        nonlocal constant
        value ^= constant
        constant = constant * 0x931e8875 & _LOW
        value = value * constant & _LOW
        return value ^ value >> 16

    def mixed(x, y):
        found = (0xca01f9dd * x - 0x4973f715 * y) & _LOW
        return found ^ found >> 16

    pool = [hashed(words[i] if i < len(words) else 0) for i in range(4)]
    for source in range(4):
        for i in range(4):
            if i != source:
                pool[i] = mixed(pool[i], hashed(pool[source]))
    for word in words[4:]:
        for i in range(4):
            pool[i] = mixed(pool[i], hashed(word))
    halves, constant = [], 0x8b51f9dd
    for i in range(2 * count):
        value = pool[i % 4] ^ constant
        constant = constant * 0x58f38ded & _LOW
        value = value * constant & _LOW
        halves.append(value ^ value >> 16)
    return [halves[2 * i] | halves[2 * i + 1] << 32 for i in range(count)]


def _tables(edge, area, height, width, bits):
    """The layers of a ziggurat: what a word is below inside of them, their widths, the density at their edges."""
    most = 2.0 ** bits
    inside, widths, density = [0] * 256, [0.0] * 256, [1.0] * 256
    base = area / height(edge)
    inside[0], widths[0] = int(edge / base * most), base / most
    density[255], widths[255] = height(edge), edge / most
    x = outer = edge
    for i in range(254, 0, -1):
        x = width(area / x + height(x))
        inside[i + 1] = int(x / outer * most)
        outer = x
        density[i], widths[i] = height(x), x / most
    return inside, widths, density


_NORMAL_EDGE = 3.6541528853610088
_EXPONENTIAL_EDGE = 7.69711747013104972
_made = {}


def _normal_tables():
    if "normal" not in _made:
        area = (_NORMAL_EDGE * _math.exp(-0.5 * _NORMAL_EDGE * _NORMAL_EDGE) +
                _math.sqrt(_math.pi / 2) * _math.erfc(_NORMAL_EDGE / _math.sqrt(2.0)))
        _made["normal"] = _tables(_NORMAL_EDGE, area, lambda x: _math.exp(-0.5 * x * x),
                                  lambda y: _math.sqrt(-2.0 * _math.log(y)), 52)
    return _made["normal"]


def _exponential_tables():
    if "exponential" not in _made:
        area = (_EXPONENTIAL_EDGE + 1) * _math.exp(-_EXPONENTIAL_EDGE)
        _made["exponential"] = _tables(_EXPONENTIAL_EDGE, area, lambda x: _math.exp(-x), lambda y: -_math.log(y), 53)
    return _made["exponential"]


@drawing()
class Generator:
    def __init__(self, seed=None):
        if seed is None:
            import time
            seed = time.time_ns()
        words = _seed_words(seed if isinstance(seed, (list, tuple)) else int(seed), 4)
        self._increment = ((words[2] << 64 | words[3]) << 1 | 1) & _STATE
        self._state = self._increment
        self._state = (self._state + (words[0] << 64 | words[1])) & _STATE
        self._state = (self._state * _STEP + self._increment) & _STATE
        self._half = None

    def _next(self):
        self._state = state = (self._state * _STEP + self._increment) & _STATE
        turn = state >> 122
        word = state >> 64 ^ state & _WORD
        return (word >> turn | word << 64 - turn) & _WORD

    def _next32(self):
        if self._half is not None:
            found, self._half = self._half, None
            return found
        word = self._next()
        self._half = word >> 32
        return word & _LOW

    def _double(self):
        return (self._next() >> 11) * (1.0 / 9007199254740992.0)

    def _upto(self, most):
        """0 .. most, by Lemire's multiplication."""
        if most == 0:
            return 0
        bits, draw = (32, self._next32) if most <= _LOW else (64, self._next)
        mask = (1 << bits) - 1
        if most == mask:
            return draw()
        count = most + 1
        product = draw() * count
        if product & mask < count:
            least = (mask - most) % count
            while product & mask < least:
                product = draw() * count
        return product >> bits

    def _below(self, most):
        """0 .. most, by leaving out what is too large; what shuffles draw."""
        mask = (1 << most.bit_length()) - 1
        while True:
            value = (self._next32() if most <= _LOW else self._next()) & mask
            if value <= most:
                return value

    def _normal(self):
        inside, widths, density = _normal_tables()
        while True:
            word = self._next()
            layer = word & 0xff
            word >>= 8
            length = word >> 1 & 0xfffffffffffff
            x = length * widths[layer]
            if word & 1:
                x = -x
            if length < inside[layer]:
                return x
            if layer > 0:
                if (density[layer - 1] - density[layer]) * self._double() + density[layer] < _math.exp(-0.5 * x * x):
                    return x
                continue
            while True:
                beyond = -1 / _NORMAL_EDGE * _math.log1p(-self._double())
                y = -_math.log1p(-self._double())
                if y + y > beyond * beyond:
                    return -(_NORMAL_EDGE + beyond) if length >> 8 & 1 else _NORMAL_EDGE + beyond

    def _exponential(self):
        inside, widths, density = _exponential_tables()
        while True:
            word = self._next() >> 3
            layer = word & 0xff
            word >>= 8
            x = word * widths[layer]
            if word < inside[layer]:
                return x
            if layer == 0:
                return _EXPONENTIAL_EDGE - _math.log1p(-self._double())
            if (density[layer - 1] - density[layer]) * self._double() + density[layer] < _math.exp(-x):
                return x

    def _filled(self, draw, size, dtype=None):
        if size is None:
            return draw()
        sizes = (size,) if isinstance(size, int) else tuple(size)
        count = 1
        for n in sizes:
            count *= int(n)
        found = _np.array([draw() for _ in range(count)], dtype="float64" if dtype is None else dtype)
        return found.reshape(sizes)

    def _spread(self, draw, first, second, size):
        """draw(a, b) for all pairs of two numbers or arrays."""
        if not any(isinstance(v, (_np.ndarray, list, tuple)) for v in (first, second)):
            return self._filled(lambda: draw(first, second), size)
        a, b = _np.broadcast_arrays(_np.asarray(first, dtype="float64"), _np.asarray(second, dtype="float64"))
        if size is not None:
            a, b = _np.broadcast_to(a, size), _np.broadcast_to(b, size)
        values = [draw(x, y) for x, y in zip(a.reshape(-1).tolist(), b.reshape(-1).tolist())]
        return _np.array(values, dtype="float64").reshape(a.shape)

    def random(self, size=None, dtype="float64", out=None):
        if str(getattr(dtype, "__name__", dtype)) == "float32":
            return self._filled(lambda: (self._next32() >> 8) * (1.0 / 16777216.0), size, "float32")
        return self._filled(self._double, size)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._spread(lambda a, b: a + (b - a) * self._double(), low, high, size)

    def standard_normal(self, size=None, dtype="float64", out=None):
        if str(getattr(dtype, "__name__", dtype)) == "float32":
            raise NotImplementedError("standard_normal: draw float64 and convert it with astype")
        return self._filled(self._normal, size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return self._spread(lambda a, b: a + b * self._normal(), loc, scale, size)

    def standard_exponential(self, size=None):
        return self._filled(self._exponential, size)

    def exponential(self, scale=1.0, size=None):
        return self._spread(lambda a, b: a * self._exponential(), scale, 0.0, size)

    def integers(self, low, high=None, size=None, dtype="int64", endpoint=False):
        if high is None:
            low, high = 0, low
        low, high = int(low), int(high) - (0 if endpoint else 1)
        if low > high:
            raise ValueError("low >= high")
        if str(getattr(dtype, "__name__", dtype)) not in ("int64", "int"):
            raise NotImplementedError("integers: draw int64 and convert them with astype")
        return self._filled(lambda: low + self._upto(high - low), size, "int64")

    def _shuffled(self, values, draw, first=1):
        for i in range(len(values) - 1, first - 1, -1):
            j = draw(i)
            values[i], values[j] = values[j], values[i]

    def shuffle(self, x, axis=0):
        order = list(range(len(x)))
        self._shuffled(order, self._below)
        if isinstance(x, _np.ndarray):
            x[:] = x[_np.array(order)]
        else:
            x[:] = [x[i] for i in order]

    def permutation(self, x, axis=0):
        order = list(range(x if isinstance(x, int) else len(x)))
        self._shuffled(order, self._below)
        return _np.array(order) if isinstance(x, int) else _np.asarray(x)[_np.array(order)]

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        count = a if isinstance(a, int) else len(a)
        sizes = () if size is None else (size,) if isinstance(size, int) else tuple(size)
        number = 1
        for n in sizes:
            number *= n
        if p is not None:
            if not replace:
                raise NotImplementedError("choice: p with replace=False")
            ends, total = [], 0.0
            for v in _np.asarray(p, dtype="float64").tolist():
                total += v
                ends.append(total)
            drawn = [self._double() for _ in range(number)]
            places = [sum([e / total <= d for e in ends]) for d in drawn]
        elif replace:
            places = [self._upto(count - 1) for _ in range(number)]
        else:
            if number > count:
                raise ValueError("Cannot take a larger sample than population when replace is False")
            places = self._without_replacement(count, number, shuffle)
        among = None if isinstance(a, int) else _np.asarray(a)
        if size is None:
            return places[0] if among is None else among[places[0]]
        found = _np.array(places).reshape(sizes)
        return found if among is None else among[found]

    def _without_replacement(self, count, number, shuffle):
        if count > 10000 and number > count // (50 if shuffle else 20):
            order = list(range(count))
            self._shuffled(order, self._upto, max(count - number, 1))
            return order[count - number:]
        found, places = set(), []
        for j in range(count - number, count):
            value = self._upto(j)
            if value in found:
                value = j
            found.add(value)
            places.append(value)
        if shuffle:
            self._shuffled(places, self._upto)
        return places


def default_rng(seed=None):
    return seed if isinstance(seed, Generator) else Generator(seed)
