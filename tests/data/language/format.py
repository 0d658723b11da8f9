#---- fstring basics
x, name = 3.14159, "bob"
print(f"{x:.2f} {name!r} {name:>6}| {name:<6}| {name:^7}| {x!s:.4} {1 + 2} {{}} {name.upper()}")
#---- fstring ints
n = 42
print(f"{n:5}|{n:<5}|{n:^5}|{n:05}|{n:+}|{n:x}|{n:#x}|{n:b}|{n:#b}|{n:o}|{n:,}|{n:e}|{n:.1f}|{n:c}|{n:d}|{-n:05}|{n: }|{n:%}")
#---- fstring floats
f = 1234567.891
print(f"{f:,.2f}|{f:.3e}|{f:g}|{f:.3g}|{f:10.1f}|{f:<12.2f}|{f:+.0f}|{f:_.1f}|{0.256:.1%}|{f:E}|{f:G}|{1e-10:.2f}|{1e10:g}|{f}|{100.0:g}|{2.0}|{f:012.1f}|{0.1:.20f}")
#---- fstring special floats
print(f"{float('inf'):.2f}|{float('nan'):5}|{float('-inf'):+}|{float('inf'):05}|{-0.0:.1f}|{1e100:.3g}|{123:.3}" if False else f"{float('inf'):.2f}|{float('nan'):5}|{float('-inf'):+}|{-0.0:.1f}|{1e100:.3g}")
#---- nested spec
w, p = 10, 3
print(f"{3.14159:{w}.{p}f}|{'a':{'>'}{w}}|{'x':*^{w}}|{3:{'0'}{5}}")
#---- debug
a = 5
b = "s"
print(f"{a=} {b=} {a + 1=} {a=:>4} {b=!s} { a = }")
#---- quotes and expressions
d = {"k": [1, 2]}
print(f"{d['k'][0]} {d['k']!r:>10} {[i for i in range(3)]} {(lambda y: y * 2)(4)} {'yes' if d else 'no'} {d.get('z', 'none')}")
#---- multi line
s = (f"a={1}"
     f" b={2}")
print(s, f"""x
{s}""")
#---- format method
print("{} {}".format(1, 2), "{1} {0}".format("a", "b"), "{x}+{y}".format(x=1, y=2), "{0[1]} {1.real}".format([1, 2], 3), "{:>5}|{:<5}|{:^5}".format(1, 2, 3), "{!r}".format("a"), "{:{}}".format("a", 4) + "|", "{a[k]}".format(a={"k": 1}))
#---- format builtin
print(format(3.14159, ".2f"), format(255, "x"), format("a", ">4"), format(True), format(1e6, ","), format(None), format([1]))
#---- format of objects
class P:
    def __init__(self, x): self.x = x
    def __format__(self, spec): return f"P<{spec}:{self.x}>"
    def __repr__(self): return "repr"
p = P(1)
print(f"{p} {p:abc} {p!r} {p!s:>8} {p!r:^10}", "{:zz}".format(p), format(p, "q"))
#---- str and repr
class A:
    def __str__(self): return "str"
    def __repr__(self): return "repr"
print(A(), [A()], f"{A()}", f"{A()!r}", str(A()), repr(A()), {1: A()}, (A(),))
#---- only repr
class A:
    def __repr__(self): return f"A()"
print(A(), str(A()), f"{A()}", f"{A():>5}|" if False else "")
#---- bool and none in format
print(f"{True} {None} {True:d} {True:5}|{False:<3}|{[]} {()} {'':5}|")
#---- format errors
for f in (lambda: f"{'a':d}", lambda: f"{1:s}", lambda: "{} {}".format(1), lambda: "{x}".format(y=1), lambda: f"{[1]:5}", lambda: f"{1.5:d}"):
    try:
        print(f())
    except (ValueError, TypeError, KeyError, IndexError) as e:
        print(type(e).__name__, e)
#---- print options
import sys
print(1, 2, sep="-", end="!\n")
print("a", "b", sep="")
print()
print(*[1, 2, 3], sep=", ")
print("to stderr", file=sys.stderr)
print("x", end="")
print("y", flush=True)
sys.stdout.write("written\n")
sys.stdout.flush()
#---- table
rows = [("a", 1.5), ("bb", 22.25)]
for n, v in rows:
    print(f"{n:<5}|{v:>8.2f}|{'#' * int(v)}")
#---- percent log line
epoch, loss = 3, 0.123456
print(f"epoch {epoch:3d} | loss {loss:.4f} | lr {1e-3:.2e} | {epoch / 10:.0%} | {epoch:>4}/{10}")
print("epoch %d, loss %.3f" % (epoch, loss))
#---- grouping and padding
print(f"{1234567:>15,}|{1234567:<15,}|{-1234567:015,}|{1234.5:,}|{0xffff:_x}|{1234567:^+15}")
#---- datetime free
print("{:08.3f}".format(3.14159), "{:+08d}".format(42), "{:<8}|".format(3), "{:=+6d}".format(7))
