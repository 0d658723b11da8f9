# SPDX-License-Identifier: Apache-2.0

def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def pow(a, b):
    return a ** b


def matmul(a, b):
    return a @ b


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def xor(a, b):
    return a ^ b


def lshift(a, b):
    return a << b


def rshift(a, b):
    return a >> b


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def iadd(a, b):
    a += b
    return a


def isub(a, b):
    a -= b
    return a


def imul(a, b):
    a *= b
    return a


def itruediv(a, b):
    a /= b
    return a


def ifloordiv(a, b):
    a //= b
    return a


def imod(a, b):
    a %= b
    return a


def ipow(a, b):
    a **= b
    return a


def imatmul(a, b):
    a @= b
    return a


def iand(a, b):
    a &= b
    return a


def ior(a, b):
    a |= b
    return a


def ixor(a, b):
    a ^= b
    return a


def ilshift(a, b):
    a <<= b
    return a


def irshift(a, b):
    a >>= b
    return a


concat, iconcat = add, iadd


def is_(a, b):
    return a is b


def is_not(a, b):
    return a is not b


def not_(a):
    return not a


def truth(a):
    return bool(a)


def neg(a):
    return -a


def pos(a):
    return +a


def invert(a):
    return ~a


inv = invert


def index(a):
    return range(a).stop


def contains(a, b):
    return b in a


def getitem(a, b):
    return a[b]


def setitem(a, b, c):
    a[b] = c


def delitem(a, b):
    del a[b]


def countOf(a, b):
    return sum(1 for x in a if x is b or x == b)


def indexOf(a, b):
    return list(a).index(b)


def length_hint(obj, default=0):
    return len(obj) if hasattr(obj, "__len__") else default


_abs = abs


def abs(a):
    return _abs(a)


def call(f, /, *args, **kwargs):
    return f(*args, **kwargs)


def itemgetter(item, *items):
    if not items:
        return lambda obj: obj[item]
    every = (item,) + items
    return lambda obj: tuple(obj[i] for i in every)


def _path(obj, name):
    for part in name.split("."):
        obj = getattr(obj, part)
    return obj


def attrgetter(attr, *attrs):
    if not attrs:
        return lambda obj: _path(obj, attr)
    every = (attr,) + attrs
    return lambda obj: tuple(_path(obj, a) for a in every)


def methodcaller(name, /, *args, **kwargs):
    return lambda obj: getattr(obj, name)(*args, **kwargs)
