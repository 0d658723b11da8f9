# SPDX-License-Identifier: Apache-2.0

import math

pi, e, tau, inf, nan = math.pi, math.e, math.tau, math.inf, math.nan
infj, nanj = complex(0, inf), complex(0, nan)


def phase(z):
    z = complex(z)
    return math.atan2(z.imag, z.real)


def polar(z):
    return abs(z), phase(z)


def rect(r, phi):
    return complex(r * math.cos(phi), r * math.sin(phi))


def exp(z):
    z = complex(z)
    return rect(math.exp(z.real), z.imag)


def log(z, base=None):
    result = complex(math.log(abs(z)), phase(z))
    return result if base is None else result / log(base)


def log10(z):
    return log(z) / math.log(10)


def sqrt(z):
    z = complex(z)
    if z == 0:
        return complex(0, z.imag)
    r = math.sqrt((abs(z.real) + abs(z)) / 2)
    if z.real >= 0:
        return complex(r, z.imag / (2 * r))
    return complex(abs(z.imag) / (2 * r), math.copysign(r, z.imag))


def cosh(z):
    z = complex(z)
    return complex(math.cosh(z.real) * math.cos(z.imag), math.sinh(z.real) * math.sin(z.imag))


def sinh(z):
    z = complex(z)
    return complex(math.sinh(z.real) * math.cos(z.imag), math.cosh(z.real) * math.sin(z.imag))


def cos(z):
    z = complex(z)
    return cosh(complex(-z.imag, z.real))


def sin(z):
    z = complex(z)
    r = sinh(complex(-z.imag, z.real))
    return complex(r.imag, -r.real)


def tan(z):
    return sin(z) / cos(z)


def tanh(z):
    return sinh(z) / cosh(z)


def isnan(z):
    z = complex(z)
    return math.isnan(z.real) or math.isnan(z.imag)


def isinf(z):
    z = complex(z)
    return math.isinf(z.real) or math.isinf(z.imag)


def isfinite(z):
    return not isnan(z) and not isinf(z)


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    return a == b or abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)
