# SPDX-License-Identifier: Apache-2.0
# Functions of single elements beside those of numpy/__init__.py.
import math as _math

import numpy as _np
import torch as _torch
from numpy import _floats, _one, _pair, _raw, _result_of, _two, _wrap

__all__ = ["arcsinh", "asinh", "arccosh", "acosh", "arctanh", "atanh", "acos", "asin", "atan", "atan2", "pow",
           "bitwise_invert", "bitwise_left_shift", "bitwise_right_shift", "positive", "signbit", "isposinf", "isneginf",
           "isreal", "iscomplex", "isrealobj", "iscomplexobj", "real", "imag", "angle", "conj", "conjugate",
           "real_if_close", "nan_to_num", "fabs", "fix", "fmod", "copysign", "float_power", "heaviside", "gcd", "lcm",
           "logaddexp", "logaddexp2", "ldexp", "nextafter", "spacing", "sinc", "i0", "modf", "frexp", "divmod",
           "bitwise_count", "hanning", "hamming", "blackman", "bartlett", "kaiser", "vectorize", "frompyfunc"]

arcsinh = asinh = _one(_torch.asinh)
arccosh = acosh = _one(_torch.acosh)
arctanh = atanh = _one(_torch.atanh)
acos, asin, atan, atan2, pow = _np.arccos, _np.arcsin, _np.arctan, _np.arctan2, _np.power
bitwise_invert, bitwise_left_shift, bitwise_right_shift = _np.invert, _np.left_shift, _np.right_shift
positive = _one(lambda x: x.clone(), False)
signbit = _one(_torch.signbit)
isposinf, isneginf = _one(_torch.isposinf), _one(_torch.isneginf)
conj = conjugate = _one(lambda x: x.conj_physical(), False)
fabs = _one(_torch.abs)
fix = _one(_torch.trunc, False)
copysign = _two(_torch.copysign, True)
heaviside = _two(_torch.heaviside, True)
gcd, lcm = _two(_torch.gcd), _two(_torch.lcm)
logaddexp, logaddexp2 = _two(_torch.logaddexp, True), _two(_torch.logaddexp2, True)
nextafter = _two(_torch.nextafter, True)
fmod = _two(_torch.fmod)
sinc = _one(_torch.sinc)


def i0(x):
    return _wrap(_torch.i0(_floats(_raw(x))))


def isrealobj(x):
    return not iscomplexobj(x)


def iscomplexobj(x):
    return _raw(x).is_complex()


def iscomplex(x):
    x = _raw(x)
    return _result_of(x.imag != 0 if x.is_complex() else _torch.zeros_like(x, dtype=_torch.bool))


def isreal(x):
    return ~iscomplex(x)


def real(val):
    return val.real if isinstance(val, (_np._Values, int, float, complex)) else _np.asarray(val).real


def imag(val):
    return val.imag if isinstance(val, (_np._Values, int, float, complex)) else _np.asarray(val).imag


def angle(z, deg=False):
    z = _raw(z)
    found = z.angle() if z.is_complex() else _torch.atan2(_torch.zeros_like(_floats(z)), _floats(z))
    return _result_of(found * (180 / _math.pi) if deg else found)


def real_if_close(a, tol=100):
    x = _raw(a)
    if not x.is_complex() or not bool((x.imag.abs() < tol * _torch.finfo(x.dtype).eps).all()):
        return _np.asarray(a)
    return _np.asarray(a).real


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """The array with numbers in the place of nan and infinities; in the array's own memory with copy=False."""
    found = _raw(x)
    if found.dtype.is_floating_point:
        made = _torch.nan_to_num(found, nan, posinf, neginf)
        found = made if copy else found.copy_(made)
    elif copy:
        found = found.clone()
    return _result_of(found)


def float_power(x1, x2):
    x, y = _raw(x1), _raw(x2)
    return _result_of(_torch.pow(x.to(_torch.float64), y.to(_torch.float64)))


def ldexp(x1, x2):
    x = _floats(_raw(x1))
    return _result_of((x.to(_torch.float64) * _torch.pow(2.0, _raw(x2).to(_torch.float64))).to(x.dtype))


def spacing(x):
    x = _floats(_raw(x))
    away = _torch.where(x < 0, -_math.inf, _math.inf).to(x.dtype)
    return _result_of(_torch.nextafter(x, away) - x)


def modf(x):
    x = _floats(_raw(x))
    whole = _torch.trunc(x)
    part = _torch.where(_torch.isinf(x), _torch.zeros_like(x), x - whole)
    return _result_of(_torch.copysign(part, x)), _result_of(whole)


def frexp(x):
    mantissa, exponent = _torch.frexp(_floats(_raw(x)))
    return _result_of(mantissa), _result_of(exponent)


def divmod(x1, x2):
    return _np.floor_divide(x1, x2), _np.remainder(x1, x2)


def bitwise_count(x):
    left = _raw(x).abs() if _raw(x).dtype != _torch.bool else _raw(x).to(_torch.uint8)
    found = _torch.zeros_like(left, dtype=_torch.uint8)
    while bool((left != 0).any()):
        found += (left & 1).to(_torch.uint8)
        left = left >> 1
    return _result_of(found)


# windows
def _window(M, shape):
    if M < 1:
        return _np.zeros(0)
    return _np.ones(1) if M == 1 else _wrap(shape(_torch.arange(1 - M, M, 2, dtype=_torch.float64)))


def hanning(M):
    return _window(M, lambda n: 0.5 + 0.5 * _torch.cos(_math.pi * n / (M - 1)))


def hamming(M):
    return _window(M, lambda n: 0.54 + 0.46 * _torch.cos(_math.pi * n / (M - 1)))


def blackman(M):
    return _window(M, lambda n: 0.42 + 0.5 * _torch.cos(_math.pi * n / (M - 1)) +
                   0.08 * _torch.cos(2.0 * _math.pi * n / (M - 1)))


def bartlett(M):
    return _window(M, lambda n: _torch.where(n <= 0, 1 + n / (M - 1), 1 - n / (M - 1)))


def kaiser(M, beta):
    return _window(M, lambda n: _torch.i0(beta * _torch.sqrt(1 - (n / (M - 1)) ** 2)) /
                   _torch.i0(_torch.tensor(float(beta), dtype=_torch.float64)))


# functions of Python
class vectorize:
    """A function of numbers as one of arrays."""

    def __init__(self, pyfunc, otypes=None, signature=None):
        if signature is not None:
            raise NotImplementedError("numpy.vectorize: signature= is not available")
        self.pyfunc, self.otypes = pyfunc, otypes
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")

    def __call__(self, *args, **named):
        arrays = _np.broadcast_arrays(*args)
        rows = [self.pyfunc(*row, **named) for row in zip(*[list(a.ravel()) for a in arrays])]
        several = bool(rows) and isinstance(rows[0], tuple)
        columns = list(zip(*rows)) if several else [rows]
        found = []
        for i, column in enumerate(columns):
            made = _np.array(list(column), dtype=self.otypes[i] if self.otypes else None)
            made = made.reshape(arrays[0].shape)
            found.append(made if made.ndim else made[()])
        return tuple(found) if several else found[0]


def frompyfunc(func, nin, nout):
    raise NotImplementedError("numpy.frompyfunc gives arrays of objects, which are not available; use numpy.vectorize")
