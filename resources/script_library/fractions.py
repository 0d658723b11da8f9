# SPDX-License-Identifier: Apache-2.0
# fractions: numbers as quotients of two integers.
import math
import numbers
import re

from _comparisons import Compared

_form = re.compile(r"\s*([-+]?)(\d[\d_]*)?(?:/(\d[\d_]*)|(?:\.(\d*))?(?:[eE]([-+]?\d+))?)\s*$")


def _of_text(text):
    found = _form.match(text)
    if not found or not (found.group(2) or found.group(4)):
        raise ValueError(f"Invalid literal for Fraction: {text!r}")
    sign, whole, below, places, exponent = found.groups()
    top, bottom = int(whole or 0), int(below or 1)
    if places:
        top, bottom = top * 10 ** len(places) + int(places), 10 ** len(places)
    if exponent:
        power = int(exponent)
        top, bottom = (top * 10 ** power, bottom) if power >= 0 else (top, bottom * 10 ** -power)
    return -top if sign == "-" else top, bottom


class Fraction(Compared, numbers.Rational):
    def __new__(cls, numerator=0, denominator=None):
        self = object.__new__(cls)
        if denominator is None:
            if isinstance(numerator, str):
                top, bottom = _of_text(numerator)
            elif isinstance(numerator, int):
                top, bottom = int(numerator), 1
            elif hasattr(numerator, "as_integer_ratio"):
                top, bottom = numerator.as_integer_ratio()
            else:
                raise TypeError("argument should be a string or a Rational instance or have the "
                                "as_integer_ratio() method")
        else:
            if not isinstance(numerator, (int, Fraction)) or not isinstance(denominator, (int, Fraction)):
                raise TypeError("both arguments should be Rational instances")
            top = numerator.numerator * denominator.denominator
            bottom = numerator.denominator * denominator.numerator
        if bottom == 0:
            raise ZeroDivisionError(f"Fraction({top}, 0)")
        common = math.gcd(top, bottom) if bottom > 0 else -math.gcd(top, bottom)
        self._numerator, self._denominator = top // common, bottom // common
        return self

    @classmethod
    def from_float(cls, f):
        return cls(f)

    @classmethod
    def from_decimal(cls, d):
        return cls(d)

    numerator = property(lambda self: self._numerator)
    denominator = property(lambda self: self._denominator)
    real = property(lambda self: self)
    imag = property(lambda self: 0)

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def is_integer(self):
        return self._denominator == 1

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        # Of the convergents the last below the limit, and the one between it and the next.
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        near, last = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        return last if abs(last - self) <= abs(near - self) else near

    def __repr__(self):
        return f"{type(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        return str(self._numerator) if self._denominator == 1 else f"{self._numerator}/{self._denominator}"

    def __format__(self, spec):
        return format(float(self), spec) if spec and spec[-1] in "eEfFgG%" else format(str(self), spec)

    def __hash__(self):
        if self._denominator == 1:
            return hash(self._numerator)
        prime = 2 ** 61 - 1
        inverse = pow(self._denominator, prime - 2, prime)
        value = abs(self._numerator) * inverse % prime if inverse else 314159
        value = value if self._numerator >= 0 else -value
        return -2 if value == -1 else value

    def _with(self, other, exact, inexact):
        if isinstance(other, int):
            other = Fraction(other)
        if isinstance(other, Fraction):
            return exact(self, other)
        if isinstance(other, (float, complex)):
            return inexact(float(self), other)
        return NotImplemented

    def _behind(self, other, exact, inexact):
        if isinstance(other, int):
            return exact(Fraction(other), self)
        if isinstance(other, (float, complex)):
            return inexact(other, float(self))
        return NotImplemented

    def __add__(self, other):
        return self._with(other, _add, lambda a, b: a + b)

    def __radd__(self, other):
        return self._behind(other, _add, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, _sub, lambda a, b: a - b)

    def __rsub__(self, other):
        return self._behind(other, _sub, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, _mul, lambda a, b: a * b)

    def __rmul__(self, other):
        return self._behind(other, _mul, lambda a, b: a * b)

    def __truediv__(self, other):
        return self._with(other, _div, lambda a, b: a / b)

    def __rtruediv__(self, other):
        return self._behind(other, _div, lambda a, b: a / b)

    def __floordiv__(self, other):
        return self._with(other, _floordiv, lambda a, b: a // b)

    def __rfloordiv__(self, other):
        return self._behind(other, _floordiv, lambda a, b: a // b)

    def __mod__(self, other):
        return self._with(other, _mod, lambda a, b: a % b)

    def __rmod__(self, other):
        return self._behind(other, _mod, lambda a, b: a % b)

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __pow__(self, other):
        if isinstance(other, (int, Fraction)) and other.denominator == 1:
            power = other.numerator
            if power >= 0:
                return Fraction(self._numerator ** power, self._denominator ** power)
            return Fraction(self._denominator ** -power, self._numerator ** -power)
        return float(self) ** (float(other) if isinstance(other, Fraction) else other)

    def __rpow__(self, other):
        return other ** (self._numerator if self._denominator == 1 else float(self))

    def __neg__(self):
        return Fraction(-self._numerator, self._denominator)

    def __pos__(self):
        return Fraction(self)

    def __abs__(self):
        return Fraction(abs(self._numerator), self._denominator)

    def __bool__(self):
        return self._numerator != 0

    def __float__(self):
        return self._numerator / self._denominator

    def __trunc__(self):
        return -(-self._numerator // self._denominator) if self._numerator < 0 else self._numerator // self._denominator

    def __int__(self):
        return self.__trunc__()

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, rest = divmod(self._numerator, self._denominator)
            up = 2 * rest > self._denominator or (2 * rest == self._denominator and floor % 2 == 1)
            return floor + 1 if up else floor
        shift = 10 ** abs(ndigits)
        return Fraction(round(self * shift), shift) if ndigits > 0 else Fraction(round(self / shift) * shift)

    def __complex__(self):
        return complex(float(self))

    def conjugate(self):
        return Fraction(self)

    def __reduce__(self):
        return type(self), (self._numerator, self._denominator)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def _compare(self, other, holds):
        if isinstance(other, (int, Fraction)):
            return holds(self._numerator * other.denominator, other.numerator * self._denominator)
        if isinstance(other, float):
            return holds(0.0, other) if math.isnan(other) or math.isinf(other) else holds(self, Fraction(other))
        return NotImplemented


def _add(a, b):
    return Fraction(a._numerator * b._denominator + b._numerator * a._denominator, a._denominator * b._denominator)


def _sub(a, b):
    return Fraction(a._numerator * b._denominator - b._numerator * a._denominator, a._denominator * b._denominator)


def _mul(a, b):
    return Fraction(a._numerator * b._numerator, a._denominator * b._denominator)


def _div(a, b):
    return Fraction(a._numerator * b._denominator, a._denominator * b._numerator)


def _floordiv(a, b):
    return (a._numerator * b._denominator) // (a._denominator * b._numerator)


def _mod(a, b):
    return a - b * _floordiv(a, b)
