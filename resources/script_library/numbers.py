# SPDX-License-Identifier: Apache-2.0

class _Kind(type):
    def __instancecheck__(cls, value):
        # Only the towers' own classes take built-in numbers; a script's subclass takes its instances.
        return any(c is cls for c in type(value).__mro__) or isinstance(value, cls.__dict__.get("_types", ()))

    def __subclasscheck__(cls, other):
        return cls in other.__mro__ or issubclass(other, cls.__dict__.get("_types", ()))

    def register(cls, other):
        return other


class Number(metaclass=_Kind):
    _types = (int, float, complex)


class Complex(Number):
    _types = (int, float, complex)


class Real(Complex):
    _types = (int, float)


class Rational(Real):
    _types = (int,)


class Integral(Rational):
    _types = (int,)
