#---- big powers
print(2**64, 2**100, -2**63, 2**63, (-2)**63, 3**50)
print(10**30 // 7, -10**30 // 7, 10**30 % 7, -10**30 % 7, divmod(10**25, -3))
#---- big arithmetic
a = 123456789012345678901234567890
b = 987654321
print(a + b, a - b, b - a, a * b, a // b, a % b, -a, +a, abs(-a))
print(a * 0, a - a, (a + 1) - a == 1, type((a + 1) - a))
#---- overflow of 64 bits
x = 9223372036854775807
print(x + 1, -x - 2, x * x, x << 3, (x + 1) >> 1, -(x + 1) - 1)
y = -9223372036854775808
print(y - 1, -y, abs(y), y // -1, y * -1)
#---- big compare and hash
a, b = 2**70, 2**70
print(a == b, a is not None, a < b + 1, a > 1.5, a == float(a), hash(a) == hash(b), {a: 1}[b], a in [b], a != b)
print(2**70 < 2**71, 2**70 < 5, 5 < 2**70, -2**70 < 5, sorted([2**65, 1, -2**66, 3]))
#---- big bits
a = 2**80 + 5
print(a & 0xff, a | 1, a ^ a, a >> 75, ~a, a.bit_length(), (1 << 100) - 1, bin(2**66)[:8], hex(a), oct(2**65))
#---- big in float
print(float(2**80), int(1e20), int(-1e25), 2**80 / 2**79, 2**80 * 1.5, 10**18 / 3, round(1e20), int(1e300) % 1000)
#---- big text
print(str(2**90), f"{2**90:,}", f"{2**70:x}", f"{2**70:_}", "%d" % 2**70, int("123456789012345678901234567890"), repr(-2**77), f"{10**20:e}")
#---- factorial
import math
def fact(n):
    return 1 if n == 0 else n * fact(n - 1)
print(fact(30), math.factorial(25), math.comb(60, 30), math.perm(30, 15), math.gcd(10**30, 6**20), math.lcm(12, 18), math.isqrt(10**30))
#---- fibonacci
def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
print(fib(10), fib(100), fib(200))
#---- pow with modulus
print(pow(3, 200, 1000007), pow(2, -1, 7), pow(2, 10), pow(2.0, 3), pow(2, -2), pow(10**20, 3, 10**9 + 7))
#---- int of text
print(int("42"), int("-7"), int("  12  "), int("1_000"), int("ff", 16), int("0x1f", 0), int("0b101", 0), int("z", 36), int("+5"))
#---- int errors
for bad in ["x", "", "1.5", "1__0", "0x"]:
    try:
        print(int(bad))
    except ValueError as e:
        print(e)
#---- int methods
print((5).bit_length(), (255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "big"), (7).bit_count(), (3).real, (3).imag, (3).conjugate(), (6).numerator, int.__name__)
#---- float text
print(1.0, 0.1, 1e16, 1e15, 1e-5, 0.0001, 123456789.123, 1e100, -0.0, float("inf"), float("-inf"), float("nan"), 1/3, 2/3, 1e22, 5e-324)
#---- float parse
print(float("1e3"), float(" 2.5 "), float("1_000.5"), float("Infinity"), float("-nan") != float("nan"), float(3), float(".5"), float("5."))
try:
    float("abc")
except ValueError as e:
    print(e)
#---- float methods
print((2.5).is_integer(), (2.0).is_integer(), (0.75).as_integer_ratio(), (3.7).hex(), float.fromhex("0x1.8p1"), (1.5).real, (2.5).__floor__() if hasattr(2.5, "__floor__") else 2)
#---- round
print(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234, -2), round(1.0), round(1.25, 1), round(5, 2), round(-1.5), round(1e16), round(0.5), round(12.0, 0))
#---- division
print(7 // 2, -7 // 2, 7 // -2, 7 % 3, -7 % 3, 7 % -3, 7.5 // 2, -7.5 // 2, 7.5 % 2, -7.5 % 2, 1 / 4, 6 / 3, divmod(-7, 2), divmod(7.5, 2))
#---- zero division
for f in (lambda: 1 / 0, lambda: 1 // 0, lambda: 1 % 0, lambda: 1.0 / 0, lambda: 1.5 // 0, lambda: 1.5 % 0, lambda: divmod(1, 0), lambda: 0 ** -1):
    try:
        f()
    except ZeroDivisionError as e:
        print(type(e).__name__, e)
#---- bools are ints
print(True + True, True * 3, sum([True, False, True]), True == 1, False is False, isinstance(True, int), bool(0.0), bool("a"), bool([]), int(True), True & False, True | 2, ~True, -True)
#---- literals
print(0xff, 0o17, 0b11, 1_000_000, 1e3, 1E-2, .5, 5., 0XFF, 0B1, 00)
#---- complex
z = 3 + 4j
print(z, abs(z), z.real, z.imag, z.conjugate(), z * 2, z * z, z / (1 - 1j), -z, z == 3 + 4j, complex(1, 2), 1j ** 2, type(z).__name__)
#---- cmath
import cmath
print(cmath.sqrt(-1), cmath.exp(1j * cmath.pi).real, abs(cmath.phase(-1) - cmath.pi) < 1e-12, cmath.polar(1j))
#---- chained comparison
x = 5
print(1 < x < 10, 1 < x > 3, 5 == x == 5.0, 1 < 2 < 3 < 3, not 1 < x < 4)
#---- shifts
print(1 << 10, 1024 >> 3, -1 >> 5, -8 >> 1, 1 << 0, 5 >> 100)
try:
    1 << -1
except ValueError as e:
    print(e)
#---- abs min max sum
print(abs(-3), abs(-2.5), min(3, 1, 2), max([1, 5, 3]), sum([1, 2, 3]), sum([0.1] * 3), sum([[1], [2]], []), min("hello"), max("a", "bb", key=len), min([], default=7))
#---- number formatting in print
print(1e5, 100000.0, 1e17, 123456789012345680.0, 0.1 + 0.2, 1e-7, 3.0e-10)
#---- index protocol
class I:
    def __index__(self):
        return 3
print([1, 2, 3, 4][I()], range(10)[I()], hex(I()), bin(I()), list(range(I())), "abcdef"[I():], int(I()))
#---- conversions of objects
class N:
    def __int__(self): return 7
    def __float__(self): return 2.5
    def __bool__(self): return False
    def __round__(self, n=None): return ("rounded", n)
    def __trunc__(self): return 1
    def __abs__(self): return "abs"
    def __complex__(self): return 1 + 2j
n = N()
print(int(n), float(n), bool(n), round(n), round(n, 2), abs(n))
#---- math functions
import math
print(math.floor(-2.5), math.ceil(2.1), math.trunc(-2.7), math.sqrt(16), math.hypot(3, 4), math.exp(0), math.log(math.e), math.log(8, 2), math.log2(8), math.log10(1000), math.pow(2, 3))
print(math.fabs(-2), math.copysign(1, -0.0), math.fsum([0.1] * 10), math.prod([1, 2, 3, 4]), math.isclose(1, 1 + 1e-10), math.isclose(1, 1.1, rel_tol=0.2), math.isfinite(1.0), math.isinf(math.inf), math.isnan(math.nan))
print(math.sin(0), math.cos(0), math.atan2(1, 1) == math.pi / 4, math.degrees(math.pi), math.radians(180) == math.pi, math.tau, math.modf(2.5), math.frexp(8.0), math.ldexp(0.5, 4), math.gamma(5), math.lgamma(1), math.erf(0), math.erfc(0), math.remainder(7, 4), math.fmod(-7, 3), math.dist([0, 0], [3, 4]), math.cbrt(27.0), math.exp2(3))
print(math.acosh(1), math.asinh(0), math.atanh(0), math.gcd(12, 18, 24), math.gcd(), math.ulp(1.0), math.nextafter(1.0, 2.0))
#---- math errors
import math
for f in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.exp(1000), lambda: math.factorial(-1), lambda: math.acos(2)):
    try:
        print(f())
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- augmented
x = 5
x += 2; x -= 1; x *= 3; x /= 2; x **= 2; x //= 4; x %= 7
print(x)
y = 0b1010
y &= 6; y |= 1; y ^= 7; y <<= 2; y >>= 1
print(y)
#---- float power
print(2 ** 0.5, 4 ** -1, (-8) ** 2, -2 ** 2, 2 ** 3 ** 2, 0 ** 0, 0.0 ** 0, (-1) ** 0.5 == 1j ** 1 or True)
#---- type names
for v in (1, 2**70, 1.5, True, None, "s", b"s", [1], (1,), {1}, {1: 2}, frozenset(), range(3), slice(1), ..., NotImplemented, len, int, lambda: 0, 1j):
    print(type(v).__name__, end=" ")
print(type(type(1)), type(int))
#---- hash of numbers
print(hash(1) == hash(1.0) == hash(True), hash(5), hash(-1) == hash(-2), hash(2**61), hash(0.5) == hash(0.5), hash("a") == hash("a"), hash((1, 2)) == hash((1, 2)), hash(None) == hash(None))
#---- statistics
import statistics
print(statistics.mean([1, 2, 3, 4]), statistics.median([3, 1, 2]), statistics.stdev([1, 2, 3, 4]), statistics.pstdev([1, 2, 3, 4]), statistics.variance([1, 2, 3]), statistics.mode([1, 1, 2]), statistics.median([1, 2, 3, 4]))
#---- operators at the ends of 64 bits, at zeros and at infinities
M = 2**63 - 1
for a in (0, 1, -1, 7, -7, M, -M - 1, 2**62):
    for b in (0, 1, -1, 2, -2, 3, -3, 63, 64, M, -M - 1):
        r = [a + b, a - b, a * b, a & b, a | b, a ^ b, a < b, a <= b, a == b, a != b, a > b, a >= b]
        for f in (lambda: a // b, lambda: a % b, lambda: a >> b):
            try: r.append(f())
            except Exception as e: r.append(type(e).__name__)
        c = a; c += b; d = a; d -= b; e = a; e *= b
        print(a, b, r, c, d, e)
for a in (0.0, -0.0, 1.5, float('inf'), float('nan'), -2.25):
    for b in (0.0, -0.0, 1.5, float('inf'), float('nan'), -2.25):
        r = [a + b, a - b, a * b, a < b, a <= b, a == b, a != b, a > b, a >= b]
        for f in (lambda: a / b, lambda: a // b, lambda: a % b):
            try: r.append(f())
            except Exception as e: r.append(type(e).__name__)
        print(a, b, r)
