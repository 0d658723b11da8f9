print(7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 % -3, 2 ** 10, 2 ** -1, 7 / 2)
print(7.5 // 2, -7.5 % 2, 1e3, 1e16, 1e-5, 0.1 + 0.2, 1 / 3, 100.0, 1e22, -0.0, 3.0)
print(1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, True + 1, not 0, not [], 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, -16 >> 2)
print(int("42"), int(3.9), int(-3.9), float("2.5"), float("1e3"), int("ff", 16), bool(""), bool("x"))
print(abs(-3), abs(-2.5), round(2.5), round(3.5), round(2.567, 2), divmod(17, 5), pow(2, 5))
print(min(3, 1, 2), max([4, 9, 2]), min([], default=7), max("a", "bb", key=len), sum([1, 2, 3]), sum([0.5], 1))
print(0x1F, 0b101, 0o17, 1_000_000, 1.5e-3, .5, 5.)
print(float("inf"), -float("inf"), float("nan"), 1e308 * 10)
x = 5
x += 2
x -= 1
x *= 3
x //= 2
x **= 2
x %= 50
x <<= 1
x |= 1
print(x, x.bit_length(), (2.0).is_integer())
print(3 if x > 10 else 4, None is None, x is not None, 2 in [1, 2], 5 not in (1, 2))
print(1 and 2, 0 and 2, 1 or 2, 0 or "b", None or [] or "end")
print(isinstance(1, int), isinstance(True, int), isinstance(1.0, (int, str)), isinstance("a", str))
print(1 != 2, "a" < "b", [1, 2] < [1, 3], (1,) == (1,), [1] == (1,), {1: 2} == {1: 2})
print(round(15, -1), round(5, -1), round(25, -1), round(12345, -2), round(5, -100), round(-15, -1), round(-26, -1), round(True, 1))
print(2**53 + 1 == float(2**53), 9223372036854775807 < 9223372036854775808.0, 3 < 3.5, -3 > -3.5, 3.5 <= 3, 2 == 2.0)
print(2**53 + 1 in {float(2**53): 1}, 2**53 in {float(2**53): 1}, 2**62 + 2**61 in {6917529027641081856.0})
print(-5.0 // float("inf"), 5.0 // -float("inf"), 5.0 // float("inf"), 1.0 // 0.1, -6.0 % 3, -0.0 // 2, -7.5 // 2)
