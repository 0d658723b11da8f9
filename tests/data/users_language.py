# SPDX-License-Identifier: Apache-2.0
# Python's own ways within a compiled function. Recorded: users_language.txt.
import torch, functools, enum, math
from typing import NamedTuple
COUNT = 0
class Mode(enum.Enum): ADD = 1; MUL = 2
class Pt(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor
    def norm(self): return (self.x ** 2 + self.y ** 2).sqrt()
class Op:
    __slots__ = ("k", "_c")
    def __init__(self, k): self.k = k; self._c = 0
    @property
    def scale(self): return self.k * 2
    def __call__(self, x, *more, mode=Mode.ADD, **kw):
        self._c += 1
        r = x * self.scale
        for m in more: r = r + m if mode is Mode.ADD else r * m
        return r + kw.get("bias", 0)
    def __len__(self): return 3
    def __contains__(self, v): return v == "a"
    def __matmul__(self, x): return x @ x.t()
op = Op(1.5)
@functools.lru_cache(None)
def const(n): return math.factorial(n)
def outer(a):
    total = []
    def inner(b, c=2, *, d=3):
        nonlocal a
        a = a + b * c * d; total.append(a.sum()); return a
    return inner, total
def f(x, flag="x", **kw):
    global COUNT
    COUNT += 1
    inner, total = outer(x)
    y = inner(x); y = inner(y, d=1)
    match flag:
        case "x" | "y": y = y + 1
        case str(s) if len(s) > 2: y = y - len(s)
        case _: y = y * 0
    if (n := y.shape[0]) > 1: y = y / n
    z = {k: v * 2 for k, v in kw.items()}; s = {i % 3 for i in range(7)}
    y = y + sum(z.values()) + len(s) + const(4)
    try:
        if flag == "boom": raise KeyError("k")
        y = y + 1
    except KeyError as e: y = y - len(e.args)
    else: y = y * 2
    finally: y = y + 0.5
    y = op(y, x, x, mode=Mode.MUL if flag == "y" else Mode.ADD, bias=1) + len(op) + ("a" in op)
    p = Pt(y, y + 1); g = (i * p.x for i in range(3)); acc = next(g)
    for q in g: acc = acc + q
    first, *rest = [acc, p.norm(), y]; a, (b, c) = 1, (2, 3)
    return first + sum(rest) * a + b - c, total, f"{flag}:{n}", lambda v: v + n
x = torch.arange(3.)
for fl in ("x", "y", "long", "boom"):
    e = f(x, fl, u=torch.ones(3)); c = torch.compile(f, backend="eager")(x, fl, u=torch.ones(3)); print(fl, torch.allclose(e[0], c[0]), [t.item() for t in c[1]] == [t.item() for t in e[1]], c[2], c[3](1), COUNT, op._c)
part = torch.compile(functools.partial(f, flag="y")); print([round(v, 3) for v in part(x, u=torch.zeros(3))[0].tolist()])
@torch.compile(backend="eager")
def loops(x, n):
    out = []
    while n > 0:
        n -= 1
        if n % 2: continue
        out.append(x * n)
        if len(out) == 3: break
    else: out.append(x)
    for i, (a, b) in enumerate(zip(out, reversed(out))): x = x + a * b * (i or -1)
    d = dict(sorted({"b": 1, "a": 2}.items())); d.update(c=3); d.setdefault("e", []).append(x)
    return x + d.pop("c"), list(d), max(out, key=lambda t: t.shape[0]).shape, any(t is x for t in out), [*range(2), *"ab"], {**d}.keys() - {"a"}
r = loops(x, 7); print(r[0], r[1:5], sorted(r[5])); print(loops(x, 2)[1:4])
class Meta(type):
    def __call__(cls, *a): o = super().__call__(*a); o.made = True; return o
class Base:
    registry = {}
    def __init_subclass__(cls, **kw): Base.registry[cls.__name__] = cls
    @classmethod
    def make(cls, *a): return cls(*a)
    @staticmethod
    def two(): return 2
class Kid(Base):
    def __init__(self, v): self.v = v
    def __getattr__(self, n): return f"no {n}"
    def run(self, x): return x * self.v + self.two() + type(self).registry["Kid"].two()
print(torch.compile(lambda x: Kid.make(3).run(x), backend="eager")(x), Kid(1).foo)

class Known:
    def who(self): return __class__.__name__
    @classmethod
    def make(cls): return __class__, cls
    @staticmethod
    def still(): return (lambda: __class__)()
    def inner(self):
        class Deep:
            def who(self): return __class__.__name__, [__class__.__name__ for _ in range(1)]
        return Deep().who(), __class__.__name__
    def of(self, x): return x * len(__class__.__name__)
class Later(Known): pass
print(Later().who(), Later.make(), Later.still(), Later().inner(), Known.__dict__.keys() >= {"__class__"}, torch.compile(Later().of, backend="eager")(x))
def outside(): return __class__
class Mocked:
    __class__ = property(lambda self: int)
    def who(self): return self.__class__
print(Mocked().who())
for f in (outside, lambda: int(1, 2), lambda: int(1.5, 10), lambda: int(base=3), lambda: int("12", base=3), lambda: int(b"12", 8), lambda: int(None, 2), lambda: int(1, "2"), lambda: int("0x1f", 0)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for z in (3+4j, -0.5-2.25j, complex("nan-infj"), 0j, -1.5j, complex(-0.0, -0.0), 1234567.891+1e20j):
    for spec in ("", ".1f", "+.2f", ".3", "g", "e", "20.1f", "<20", "^20", "*>20.2f", ",.2f", " .1f", "n", "E", "G", "F", "#.0f", "_", "+", "020.1f", "=20.1f", "d", "%", "s"):
        try: print(spec, f"[{z:{spec}}]")
        except ValueError as e: print(spec, e)
print("{:.2f} {:>12}".format(1+2j, 1j), format(torch.tensor(1.5-2j), ".1f"))


# Flags made of others, unions as they are shown, dataclasses with slots, names for parameters that take none.
import dataclasses, enum, typing
class Bits(enum.IntFlag):
    A = enum.auto(); B = enum.auto(); C = A | B
class Colours(enum.Flag):
    RED = enum.auto(); GREEN = enum.auto(); BOTH = RED | GREEN; NEXT = enum.auto()
print(Bits.A | Bits.B, Bits.C, Bits.A in Bits.C, Bits(3), int(Bits.B), Colours.BOTH, Colours.NEXT.value, list(Colours))
print(typing.Union[int, None], typing.Union[int, str, None], int | None, int | str, typing.Callable[[int], None], typing.Dict[str, None], list[None], typing.Iterable[int], typing.Sequence[typing.Tuple[int, str]])
print(typing.get_args(int | str), typing.get_args(typing.Optional[int]), isinstance(3, int | str), isinstance(None, int | None), isinstance([], typing.Iterable))
@dataclasses.dataclass(slots=True, kw_only=True)
class Slotted:
    a: int = 1
    b: list = dataclasses.field(default_factory=list)
    def total(self): return self.a + len(self.b)
s = Slotted(a=3); s.a = 4; print(s, s.total(), Slotted.__slots__, hasattr(s, "__dict__"))
for bad in (lambda: setattr(s, "c", 1), lambda: Slotted(3)):
    try: bad()
    except (AttributeError, TypeError) as e: print(type(e).__name__, e if isinstance(e, TypeError) else "")
def places(x, y, /, z=0): return x
try: places(x=1, y=2)
except TypeError as e: print(e)
