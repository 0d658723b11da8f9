# SPDX-License-Identifier: Apache-2.0
# decimal: numbers of decimal digits, rounded to the context's precision (General Decimal Arithmetic).
import math
import numbers
import re

from _comparisons import Compared

ROUND_UP = "ROUND_UP"
ROUND_DOWN = "ROUND_DOWN"
ROUND_CEILING = "ROUND_CEILING"
ROUND_FLOOR = "ROUND_FLOOR"
ROUND_HALF_UP = "ROUND_HALF_UP"
ROUND_HALF_DOWN = "ROUND_HALF_DOWN"
ROUND_HALF_EVEN = "ROUND_HALF_EVEN"
ROUND_05UP = "ROUND_05UP"
MAX_PREC = 999999999999999999


class DecimalException(ArithmeticError):
    pass


class InvalidOperation(DecimalException):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class Inexact(DecimalException):
    pass


class Rounded(DecimalException):
    pass


class Overflow(Inexact):
    pass


class Underflow(Inexact):
    pass


class FloatOperation(DecimalException, TypeError):
    pass


class Context:
    def __init__(self, prec=28, rounding=ROUND_HALF_EVEN, Emin=-999999, Emax=999999, capitals=1, clamp=0,
                 flags=None, traps=None):
        self.prec, self.rounding, self.Emin, self.Emax = prec, rounding, Emin, Emax
        self.capitals, self.clamp, self.flags, self.traps = capitals, clamp, flags or {}, traps or {}

    def copy(self):
        return Context(self.prec, self.rounding, self.Emin, self.Emax, self.capitals, self.clamp)

    def create_decimal(self, value="0"):
        return Decimal(value)._rounded(self)

    def quantize(self, a, b):
        return Decimal(a).quantize(b, context=self)

    def sqrt(self, a):
        return Decimal(a).sqrt(self)

    def divide(self, a, b):
        return _divide(_want(a), _want(b), self)

    def add(self, a, b):
        return _add(_want(a), _want(b), self)

    def multiply(self, a, b):
        return _multiply(_want(a), _want(b), self)


DefaultContext = Context()
BasicContext = Context(9, ROUND_HALF_UP)
ExtendedContext = Context(9)
_current = [Context()]


def getcontext():
    return _current[-1]


def setcontext(context):
    _current[-1] = context


class localcontext:
    """In `with`, a context of its own."""

    def __init__(self, ctx=None, **settings):
        self.context = (ctx or getcontext()).copy()
        for name, value in settings.items():
            setattr(self.context, name, value)

    def __enter__(self):
        _current.append(self.context)
        return self.context

    def __exit__(self, kind, error, trace):
        _current.pop()


_form = re.compile(r"([-+]?)(?:(\d+)?(?:\.(\d*))?(?:[eE]([-+]?\d+))?|(inf(?:inity)?)|(nan))$", re.IGNORECASE)


def _round_quotient(top, bottom, negative, rounding):
    """top / bottom as a whole number, both at least 0."""
    whole, rest = divmod(top, bottom)
    if rest == 0:
        return whole
    half = (2 * rest > bottom) - (2 * rest < bottom)
    up = {ROUND_UP: True, ROUND_DOWN: False, ROUND_CEILING: not negative, ROUND_FLOOR: negative,
          ROUND_HALF_UP: half >= 0, ROUND_HALF_DOWN: half > 0, ROUND_HALF_EVEN: half > 0 or (half == 0 and whole % 2 == 1),
          ROUND_05UP: whole % 10 in (0, 5)}[rounding]
    return whole + 1 if up else whole


def _made(sign, digits, exponent, special=""):
    self = object.__new__(Decimal)
    self._sign, self._int, self._exp, self._special = sign, digits, exponent, special
    return self


def _want(value):
    if isinstance(value, Decimal):
        return value
    return Decimal(value) if isinstance(value, int) else None


class Decimal(Compared, numbers.Number):
    def __new__(cls, value="0", context=None):
        if isinstance(value, Decimal):
            return _made(value._sign, value._int, value._exp, value._special)
        if isinstance(value, bool) or isinstance(value, int):
            return _made(int(value < 0), abs(int(value)), 0)
        if isinstance(value, float):
            if math.isnan(value) or math.isinf(value):
                return Decimal(str(value))
            top, bottom = value.as_integer_ratio()
            power = bottom.bit_length() - 1  # a power of two
            return _made(int(math.copysign(1.0, value) < 0), abs(top) * 5 ** power, -power)
        if isinstance(value, (tuple, list)):
            sign, digits, exponent = value
            return _made(sign, int("".join(str(d) for d in digits) or "0"), exponent)
        if not isinstance(value, str):
            raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")
        found = _form.match(value.strip().replace("_", ""))
        if not found or not (found.group(2) or found.group(3) or found.group(5) or found.group(6)):
            raise InvalidOperation("[<class 'decimal.ConversionSyntax'>]")
        sign, whole, places, exponent, infinite, nan = found.groups()
        if infinite or nan:
            return _made(int(sign == "-"), 0, 0, "Infinity" if infinite else "NaN")
        places = places or ""
        return _made(int(sign == "-"), int((whole or "") + places), int(exponent or 0) - len(places))

    @classmethod
    def from_float(cls, f):
        return cls(f)

    # what it is

    def is_nan(self):
        return self._special == "NaN"

    def is_infinite(self):
        return self._special == "Infinity"

    def is_finite(self):
        return not self._special

    def is_zero(self):
        return not self._special and self._int == 0

    def is_signed(self):
        return self._sign == 1

    def as_tuple(self):
        return DecimalTuple(self._sign, tuple(int(d) for d in str(self._int)), self._exp)

    def adjusted(self):
        return self._exp + len(str(self._int)) - 1

    def as_integer_ratio(self):
        if self._special:
            raise (ValueError if self.is_nan() else OverflowError)(
                f"cannot convert {'NaN' if self.is_nan() else 'Infinity'} to integer ratio")
        number = -self._int if self._sign else self._int
        if self._exp >= 0:
            return number * 10 ** self._exp, 1
        common = math.gcd(number, 10 ** -self._exp)
        return number // common, 10 ** -self._exp // common

    # rounding

    def _at(self, exponent, rounding):
        """The same value with this exponent."""
        if self._exp >= exponent:
            return _made(self._sign, self._int * 10 ** (self._exp - exponent), exponent)
        whole = _round_quotient(self._int, 10 ** (exponent - self._exp), self._sign == 1, rounding)
        return _made(self._sign, whole, exponent)

    def _rounded(self, context):
        if self._special:
            return self
        over = len(str(self._int)) - context.prec
        if over <= 0:
            return self
        result = self._at(self._exp + over, context.rounding)
        return result._rounded(context) if len(str(result._int)) > context.prec else result

    def quantize(self, exp, rounding=None, context=None):
        exp = _want(exp)
        if self._special or exp._special:
            return self if self._special == exp._special else _invalid()
        context = context or getcontext()
        result = self._at(exp._exp, rounding or context.rounding)
        if len(str(result._int)) > context.prec:
            _invalid()
        return result

    def to_integral_value(self, rounding=None, context=None):
        return self if self._special or self._exp >= 0 else self._at(0, rounding or getcontext().rounding)

    to_integral = to_integral_value

    def normalize(self, context=None):
        result = self._rounded(context or getcontext())
        if result._special:
            return result
        digits, exponent = result._int, result._exp
        if digits == 0:
            return _made(result._sign, 0, 0)
        while digits % 10 == 0:
            digits, exponent = digits // 10, exponent + 1
        return _made(result._sign, digits, exponent)

    def __round__(self, ndigits=None):
        if ndigits is None:
            return int(self._at(0, ROUND_HALF_EVEN)) if self._exp < 0 else int(self)
        return self.quantize(_made(0, 1, -ndigits), ROUND_HALF_EVEN)

    def __int__(self):
        if self._special:
            raise (ValueError if self.is_nan() else OverflowError)(
                f"cannot convert {'NaN' if self.is_nan() else 'Infinity'} to integer")
        number = self._int * 10 ** self._exp if self._exp >= 0 else self._int // 10 ** -self._exp
        return -number if self._sign else number

    __trunc__ = __int__

    def __floor__(self):
        return int(self._at(0, ROUND_FLOOR)) if self._exp < 0 else int(self)

    def __ceil__(self):
        return int(self._at(0, ROUND_CEILING)) if self._exp < 0 else int(self)

    def __float__(self):
        return float(str(self))

    def __complex__(self):
        return complex(float(self))

    def __bool__(self):
        return bool(self._special) or self._int != 0

    # texts

    def __str__(self):
        sign = "-" if self._sign else ""
        if self._special:
            return sign + self._special
        digits = str(self._int)
        left = self._exp + len(digits)
        if self._exp <= 0 and left > -6:
            point = left
        else:
            point = 1
        if point <= 0:
            whole, places = "0", "." + "0" * -point + digits
        elif point >= len(digits):
            whole, places = digits + "0" * (point - len(digits)), ""
        else:
            whole, places = digits[:point], "." + digits[point:]
        power = "" if left == point else f"E{left - point:+d}"
        return sign + whole + places + power

    def __repr__(self):
        return f"Decimal('{self}')"

    def __format__(self, spec):
        kind = spec[-1:]
        if kind not in ("e", "E", "f", "F", "g", "G", "n", "%"):
            return format(str(self), spec) if not spec or spec[-1] not in "," else self._grouped(spec)
        start, dot, places = spec[:-1].partition(".")
        if kind in "eEgGn" or self._special:
            return format(float(self), spec)
        value = self if kind != "%" else _made(self._sign, self._int, self._exp + 2)
        if dot:
            value = value._at(-int(places), getcontext().rounding)
        elif value._exp > 0:
            value = value._at(0, ROUND_HALF_EVEN)
        digits = str(value._int).rjust(1 - value._exp, "0")
        whole, rest = (digits[:value._exp], "." + digits[value._exp:]) if value._exp < 0 else (digits, "")
        return _laid_out(start, value._sign, whole, rest + ("%" if kind == "%" else ""))

    def _grouped(self, spec):
        whole, dot, rest = str(abs(self)).partition(".")
        return _laid_out(spec, self._sign, whole, dot + rest)

    # arithmetic

    def __neg__(self):
        return _made(1 - self._sign if self else 0, self._int, self._exp, self._special)._rounded(getcontext())

    def __pos__(self):
        return self._rounded(getcontext())

    def __abs__(self):
        return _made(0, self._int, self._exp, self._special)._rounded(getcontext())

    def copy_abs(self):
        return _made(0, self._int, self._exp, self._special)

    def copy_negate(self):
        return _made(1 - self._sign, self._int, self._exp, self._special)

    def __add__(self, other):
        other = _want(other)
        return NotImplemented if other is None else _add(self, other, getcontext())

    __radd__ = __add__

    def __sub__(self, other):
        other = _want(other)
        return NotImplemented if other is None else _add(self, other.copy_negate(), getcontext())

    def __rsub__(self, other):
        other = _want(other)
        return NotImplemented if other is None else other - self

    def __mul__(self, other):
        other = _want(other)
        return NotImplemented if other is None else _multiply(self, other, getcontext())

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = _want(other)
        return NotImplemented if other is None else _divide(self, other, getcontext())

    def __rtruediv__(self, other):
        other = _want(other)
        return NotImplemented if other is None else other / self

    def __divmod__(self, other):
        return self // other, self % other

    def __floordiv__(self, other):
        other = _want(other)
        if other is None:
            return NotImplemented
        if other.is_zero():
            raise DivisionByZero("[<class 'decimal.DivisionByZero'>]") if self else InvalidOperation(
                "[<class 'decimal.DivisionUndefined'>]")
        low = min(self._exp, other._exp)
        return _made(self._sign ^ other._sign, self._at(low, ROUND_DOWN)._int // other._at(low, ROUND_DOWN)._int, 0)

    def __rfloordiv__(self, other):
        return _want(other) // self

    def __mod__(self, other):
        other = _want(other)
        if other is None:
            return NotImplemented
        if other.is_zero():
            _invalid()
        low = min(self._exp, other._exp)
        rest = self._at(low, ROUND_DOWN)._int % other._at(low, ROUND_DOWN)._int
        return _made(self._sign, rest, low)._rounded(getcontext())

    def __rmod__(self, other):
        return _want(other) % self

    def __pow__(self, other, modulo=None):
        other = _want(other)
        if other is None:
            return NotImplemented
        context = getcontext()
        if other._exp >= 0 or other == int(other):
            power = int(other)
            exact = _made(self._sign if power % 2 else 0, self._int ** abs(power), self._exp * abs(power))
            if power >= 0:
                return exact._rounded(context)
            return _divide(Decimal(1), exact, context)
        more = context.copy()
        more.prec += 10
        return _exp(_multiply(_ln(self, more), other, more), more)._rounded(context)

    def __rpow__(self, other):
        return _want(other) ** self

    def sqrt(self, context=None):
        context = context or getcontext()
        if self._sign and self._int:
            _invalid()
        if self._special:
            return self
        if self._int == 0:
            return _made(self._sign, 0, self._exp // 2)
        # An integer's root with two digits more than wanted; a sticky last digit where it is inexact.
        shift = max(0, 2 * (context.prec + 2) - len(str(self._int)))
        shift += (self._exp - shift) % 2
        number = self._int * 10 ** shift
        root = math.isqrt(number)
        exponent = (self._exp - shift) // 2
        if root * root == number:
            wanted = self._exp // 2
            while exponent < wanted and root % 10 == 0:
                root, exponent = root // 10, exponent + 1
            return _made(0, root, exponent)._rounded(context)
        return _made(0, root * 10 + 1, exponent - 1)._rounded(context)

    def exp(self, context=None):
        context = context or getcontext()
        more = context.copy()
        more.prec += 10
        return _exp(self, more)._rounded(context)

    def ln(self, context=None):
        context = context or getcontext()
        more = context.copy()
        more.prec += 10
        return _ln(self, more)._rounded(context)

    def log10(self, context=None):
        context = context or getcontext()
        if self._int == 10 ** (len(str(self._int)) - 1) and not self._sign:
            return Decimal(self.adjusted())
        more = context.copy()
        more.prec += 10
        return _divide(_ln(self, more), _ln(Decimal(10), more), more)._rounded(context)

    def max(self, other, context=None):
        return self if self >= other else _want(other)

    def min(self, other, context=None):
        return self if self <= other else _want(other)

    # comparing

    def __hash__(self):
        if self._special:
            return hash(float(self))
        from fractions import Fraction
        return hash(Fraction(*self.as_integer_ratio()))

    def compare(self, other, context=None):
        return Decimal((self > other) - (self < other))

    def _order(self, other, holds):
        held = self._compare(other, holds)
        if held is not NotImplemented and (self.is_nan() or other != other):
            raise InvalidOperation("[<class 'decimal.InvalidOperation'>]")
        return held

    def _compare(self, other, holds):
        if isinstance(other, float):
            other = Decimal(other)
        elif hasattr(other, "denominator") and not isinstance(other, int):
            top, bottom = self.as_integer_ratio()
            return holds(top * other.denominator, other.numerator * bottom)
        other = _want(other)
        if other is None:
            return NotImplemented
        if self.is_nan() or other.is_nan():
            return holds(math.nan, 0.0)
        if self._special or other._special:
            size = lambda d: (-math.inf if d._sign else math.inf) if d._special else 0.0
            return holds(size(self), size(other))
        low = min(self._exp, other._exp)
        a, b = self._int * 10 ** (self._exp - low), other._int * 10 ** (other._exp - low)
        return holds(-a if self._sign else a, -b if other._sign else b)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return Decimal, (str(self),)

    real = property(lambda self: self)
    imag = property(lambda self: Decimal(0))

    def conjugate(self):
        return self


class DecimalTuple(tuple):
    def __new__(cls, sign, digits, exponent):
        return tuple.__new__(cls, (sign, digits, exponent))

    sign = property(lambda self: self[0])
    digits = property(lambda self: self[1])
    exponent = property(lambda self: self[2])

    def __repr__(self):
        return f"DecimalTuple(sign={self[0]}, digits={self[1]}, exponent={self[2]})"


def _laid_out(start, sign, whole, rest):
    """With the fill, alignment, sign, width and grouping that a format says."""
    found = re.match(r"(?:(.)?([<>^=]))?([-+ ])?(0)?(\d+)?(,|_)?", start)
    fill, align, signs, zero, width, group = found.groups()
    if group:
        parts = []
        while len(whole) > 3:
            whole, last = whole[:-3], whole[-3:]
            parts.insert(0, last)
        whole = group.join([whole] + parts)
    before = "-" if sign else signs if signs in ("+", " ") else ""
    width = int(width or 0)
    if zero and not align:
        return before + (whole + rest).rjust(width - len(before), "0")
    if align == "=":
        return before + (whole + rest).rjust(width - len(before), fill or " ")
    text = before + whole + rest
    if align == "<":
        return text.ljust(width, fill or " ")
    return text.center(width, fill or " ") if align == "^" else text.rjust(width, fill or " ")


def _invalid():
    raise InvalidOperation("[<class 'decimal.InvalidOperation'>]")


def _add(a, b, context):
    if a._special or b._special:
        if a.is_nan() or b.is_nan():
            return a if a.is_nan() else b
        if a._special and b._special and a._sign != b._sign:
            _invalid()
        return a if a._special else b
    low = min(a._exp, b._exp)
    x, y = a._int * 10 ** (a._exp - low), b._int * 10 ** (b._exp - low)
    total = (-x if a._sign else x) + (-y if b._sign else y)
    sign = int(total < 0) if total else a._sign & b._sign
    return _made(sign, abs(total), low)._rounded(context)


def _multiply(a, b, context):
    sign = a._sign ^ b._sign
    if a._special or b._special:
        if a.is_nan() or b.is_nan():
            return a if a.is_nan() else b
        if not a or not b:
            _invalid()
        return _made(sign, 0, 0, "Infinity")
    return _made(sign, a._int * b._int, a._exp + b._exp)._rounded(context)


def _divide(a, b, context):
    sign = a._sign ^ b._sign
    if a._special or b._special:
        if a.is_nan() or b.is_nan():
            return a if a.is_nan() else b
        if a._special and b._special:
            _invalid()
        return _made(sign, 0, 0, "Infinity") if a._special else _made(sign, 0, 0)
    if b._int == 0:
        if a._int == 0:
            raise InvalidOperation("[<class 'decimal.DivisionUndefined'>]")
        raise DivisionByZero("[<class 'decimal.DivisionByZero'>]")
    if a._int == 0:
        return _made(sign, 0, a._exp - b._exp)
    shift = max(0, len(str(b._int)) - len(str(a._int)) + context.prec + 1)
    whole, rest = divmod(a._int * 10 ** shift, b._int)
    exponent = a._exp - b._exp - shift
    if rest:
        if whole % 5 == 0:
            whole += 1  # so that rounding sees that there is more
    else:
        while exponent < a._exp - b._exp and whole % 10 == 0:
            whole, exponent = whole // 10, exponent + 1
    return _made(sign, whole, exponent)._rounded(context)


def _exp(x, context):
    if x._special:
        return x if x.is_nan() or not x._sign else Decimal(0)
    if not x:
        return Decimal(1)
    # exp(x) = exp(x / 10 ** k) ** 10 ** k, by its series.
    k = max(0, x.adjusted() + 2)
    inner = context.copy()
    inner.prec += k + 5
    small = _made(x._sign, x._int, x._exp - k)
    total = term = Decimal(1)
    n = 1
    while term and term.adjusted() > total.adjusted() - inner.prec - 2:
        term = _divide(_multiply(term, small, inner), Decimal(n), inner)
        total = _add(total, term, inner)
        n += 1
    for _ in range(k):
        fifth = _multiply(_multiply(total, total, inner), total, inner)
        fifth = _multiply(_multiply(fifth, total, inner), total, inner)
        total = _multiply(fifth, fifth, inner)
    return total._rounded(context)


def _ln(x, context):
    if x.is_nan() or (x._special and not x._sign):
        return x
    if x._sign and x._int:
        _invalid()
    if x._int == 0:
        return _made(1, 0, 0, "Infinity")
    if x == 1:
        return Decimal(0)
    inner = context.copy()
    inner.prec += 8
    guess = Decimal(math.log(x._int) + x._exp * math.log(10))
    digits = 15
    while True:  # Newton: g + 2 (x - e^g) / (x + e^g) triples the digits
        power = _exp(guess, inner)
        step = _divide(_add(x, power.copy_negate(), inner), _add(x, power, inner), inner)
        guess = _add(guess, _multiply(Decimal(2), step, inner), inner)
        digits *= 3
        if digits > 2 * inner.prec:
            return guess._rounded(context)
