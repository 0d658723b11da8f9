# SPDX-License-Identifier: Apache-2.0
# Ints of more than 64 bits that compiled functions compute from sizes that are symbols: exact, as eagerly.
import math
import torch
def f1(x): return x.shape[0] ** 40
def f2(x): 
    n = x.shape[0]
    for _ in range(70): n = n * 2
    return n
def f3(x):
    n = x.shape[0] << 70
    return n
def f4(x):
    n = x.shape[0]
    a = n * 2**62 * 4
    return a // 2**60, a % 7, -a, a > 5, a == n
def f5(x):
    n = x.size(0)
    return (n * 2**63) // 2**63, n + 2**63 - 2**63
def f6(x):
    n = x.size(0) * 4611686018427387904
    if n > 10: return x + 1, n
    return x - 1, n
def f7(x):
    n = x.size(0); m = 9223372036854775807
    return m - n, m + n, m * n, -m - n, -m - n - n
def f8(x):
    n = x.size(0); 
    return n * (2**32) * (2**31), (n * 2**32 * 2**31) // (2**32), n*n*n*n*n*n*n*n*n*n*n*n*n*n*n*n*n*n*n*n*n*n
def f9(x):
    n = x.numel()
    return n ** 30, float(n ** 30), str(n ** 20), (n ** 20) & 255, n**20 ^ 3
def f10(x):
    n = x.size(0)
    h = 14695981039346656037
    for i in range(3):
        h = (h ^ n) * 1099511628211 % 2**64
    return h
def f11(x):
    n = x.size(0)
    s = 12345
    for i in range(4): s = (s * 6364136223846793005 + n) & (2**64 - 1)
    return s
def f12(x):
    n = x.size(0)
    return x + n * 2**40 * 2**30 
def f13(x):
    n = x.size(0)
    return x * (n ** 25)
def f14(x):
    n = x.size(0)
    return max(n * 2**62, 5), min(-n * 2**62, 5), abs(-n * 2**62), divmod(n * 2**62, 3), sum([n*2**62, n*2**62])
def f15(x):
    n = x.size(0)
    return n * 2**62 / 3, (n * 2**62) / (n * 2**61)
def f16(x):
    n = x.size(0)
    return torch.full((2,), n * 2**61, dtype=torch.float64)
def f17(x):
    n = x.size(0) * 2**61
    return n, n + n, n * 2, n * n
def f18(x):
    n = x.size(0) * 2**61
    assert n * 4 > 0
    return bool(n * 4), (n * 4 == 0), n * 8 != 0
def f19(x):
    n = x.size(0)
    return math.factorial(n + 20), math.comb(n + 70, n + 30), math.prod([n * 2**31, n * 2**31]), math.gcd(n * 2**62, 12), math.isqrt(n * 2**62)
def f20(x):
    return (1 << x.size(0) * 10) 
def f21(x):
    return hash(x.size(0) * 2**63), int(x.size(0) * 2**63), (x.size(0) * 2**63).bit_length()
def f22(x):
    return [x.size(0) * 2**63], {x.size(0) * 2**63: 1}
def f23(x):
    n = x.size(0)
    return (n - 5) * 2**60 * 2**3 + n, (n * 2**50 + 1) * (n * 2**50 - 1), -(n * 2**62 - 1)
def f24(x):
    n = x.size(0) * 2**58
    return x * n, n


def tried(f, x):
    try:
        return str(f(x))
    except Exception as error:
        return type(error).__name__


agree = 0
for f in [v for k, v in list(globals().items()) if k[0] == "f" and k[1:].isdigit()]:
    for dynamic in (True, None):
        compiled = torch.compile(f, dynamic=dynamic)
        for n in (3, 5, 7, 64):
            x = torch.ones(n)
            got, expected = tried(compiled, x), tried(f, x)
            if got == expected:
                agree += 1
            else:
                print(f.__name__, n, dynamic, got, "for", expected)
print(agree, "agree")
