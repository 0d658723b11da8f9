name = "world"
n = 42
pi = 3.14159265
print(f"hello {name}!", f"{n:5d}|{n:<5}|{n:^6}|{n:05d}|{n:+d}|{n:,}|{1234567:,}")
print(f"{pi:.3f} {pi:10.2f}| {pi:<10.2f}| {pi:e} {pi:.1e} {pi:g} {0.25:.0%} {n:x} {n:#x} {n:b}")
print(f"{name!r} {name!s} {{literal}} {'nested ' + name} {n + 1} {n=} {pi=:.2f}")
w = 8
print(f"{name:>{w}}|{name:*^{w + 4}}|{pi:{w}.{3}}")
print("a" + 'b' "c" """d
e""", 'it\'s', "tab\there", "\x41\u00e9\U0001F600", r"raw\n", "line1\
line2")
print("abc"[0], "abc"[-1], "hello"[1:3], "hello"[::-1], "héllo"[1], len("héllo"))
print("a,b,c".split(","), " x y  z ".split(), "-".join(["1", "2"]), "  pad ".strip() + "|", "xxaxx".strip("x"))
print("Hello".upper(), "Hello".lower(), "hello world".title(), "abcabc".replace("b", "X"), "abcabc".replace("b", "X", 1))
print("hello".startswith("he"), "hello".endswith(("x", "lo")), "hello".find("l"), "hello".find("z"), "hello".count("l"))
print("5".zfill(3), "ab".ljust(5) + "|", "ab".rjust(5) + "|", "ab".center(6) + "|", "12".isdigit(), "ab1".isalpha())
print("{} and {:.2f} and {0}".format("x", 2.5) if False else "{} and {:.2f}".format("x", 2.5), "{b}{a}".format(a=1, b=2))
print(repr("it's"), repr('say "hi"'), repr("both ' and \""), repr("a\nb"), str(None), str([1, "a"]), repr((1,)))
print("ab" * 3, "x" in "xyz", "q" not in "xyz", ord("A"), chr(233), "a\nb\n".splitlines())
print("一些中文", f"大小 {(5, 5)} 的张量", sep=" | ", end=".\n")
print(1, "two", 3.0, None, True, [1, "x", None], {"k": (1, 2)}, sep=", ")
for i, c in enumerate("abc", start=1):
    print(i, c, end=" ")
print()



class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __repr__(self):
        return "Point"

    def __str__(self):
        return "point"


p = Point(3, [4, {"k": 5}])
print("{0.x} {0.y[0]} {0.y[1][k]} {p.x:>4}|{p!r} {p!s} {0!r:>8}|{!s:<7}|".replace("{!s", "{0!s").format(p, p=p))
print("{} {} {{}} {:>{}} {:{fill}^{width}}".format(1, "a", "b", 4, "c", fill="*", width=5))
print("{[a]} {[1]}".format({"a": 1}, [1, 2]), "{!r}".format("x"), "{:.{}f}".format(3.14159, 2))
for pattern in ["{", "}", "{0} {}", "{} {0}", "{!x}", "{0.}", "{0[}", "{0[]}", "{0]}", "{missing}", "{5}", "{0.none}", "{!r", "{:{:{}}}"]:
    try:
        print(pattern, pattern.format(1, 2, 3))
    except (ValueError, KeyError, IndexError, AttributeError) as error:
        print(pattern, type(error).__name__)
print("\N{BULLET} \N{greek small letter alpha}\N{DIGIT ONE}", f"\N{EM DASH}{1 + 1}\N{BULLET}", r"\N{BULLET}", f"\{1}")
