#---- values
def f(x):
    match x:
        case 0: return "zero"
        case 1 | 2: return "small"
        case "a": return "letter"
        case None: return "none"
        case True: return "true"
        case -1: return "minus"
        case 1.5: return "float"
        case _: return "other"
print([f(v) for v in (0, 1, 2, "a", None, -1, 1.5, 9, "b")])
#---- sequences
def f(x):
    match x:
        case []: return "empty"
        case [a]: return f"one {a}"
        case [1, b]: return f"1,{b}"
        case (a, b): return f"two {a} {b}"
        case [first, *rest]: return f"first {first} rest {rest}"
        case _: return "no"
print(f([]), f([5]), f([1, 2]), f((3, 4)), f([1, 2, 3]), f("ab"), f(5), f({1, 2}))
#---- star middle
match [1, 2, 3, 4]:
    case [a, *mid, z]: print(a, mid, z)
match [1, 2]:
    case [*_, last]: print(last)
#---- nested
match [1, [2, (3, 4)]]:
    case [a, [b, (c, d)]]: print(a, b, c, d)
#---- mappings
def f(x):
    match x:
        case {"op": "add", "a": a, "b": b}: return a + b
        case {"op": str(name), **rest}: return name, rest
        case {}: return "some dict"
    return None
print(f({"op": "add", "a": 1, "b": 2}), f({"op": "x", "k": 1}), f({"z": 1}), f([1]))
#---- classes
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
def f(p):
    match p:
        case P(0, 0): return "origin"
        case P(0, y): return f"y axis {y}"
        case P(x=x, y=0): return f"x axis {x}"
        case P(x, y) if x == y: return "diagonal"
        case P(): return "point"
        case int(n): return f"int {n}"
        case str() as s: return f"str {s}"
        case list() | tuple(): return "seq"
        case float(): return "float"
    return "?"
print([f(v) for v in (P(0, 0), P(0, 3), P(4, 0), P(2, 2), P(1, 2), 7, "s", [1], (1,), 2.5, None)])
#---- dataclass patterns
from dataclasses import dataclass
@dataclass
class Add:
    l: object
    r: object
@dataclass
class Num:
    v: int
def ev(e):
    match e:
        case Num(v): return v
        case Add(l, r): return ev(l) + ev(r)
print(ev(Add(Num(1), Add(Num(2), Num(3)))))
#---- enum and dotted values
from enum import Enum
class C(Enum):
    RED = 1
    BLUE = 2
def f(c):
    match c:
        case C.RED: return "r"
        case C.BLUE: return "b"
print(f(C.RED), f(C.BLUE), f(3))
#---- as and guards
def f(x):
    match x:
        case [1 | 2 as n, *_] if n > 1: return "two", n
        case [int() as n, *_]: return "int", n
        case (str() | bytes()) as s: return s
    return None
print(f([2, 3]), f([1]), f("q"), f([None]))
#---- match as a name
match = 5
print(match)
match(1) if callable(match) else print("name")
case = 3
print(match + case)
#---- no match falls through
match 5:
    case 6: print("no")
print("after")
#---- strings are not sequences
match "ab":
    case [a, b]: print("seq")
    case str(): print("str")
#---- tuple subject
a, b = 1, "x"
match a, b:
    case 1, "y": print("y")
    case 1, s: print(s)
#---- literals nested in mapping
match {"shape": [2, 3], "dtype": "f32"}:
    case {"shape": [2, n], "dtype": "f32" | "f64" as d}: print(n, d)
