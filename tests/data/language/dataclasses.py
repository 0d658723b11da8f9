#---- basics
from dataclasses import dataclass, field
@dataclass
class P:
    x: int
    y: float = 2.0
    tags: list = field(default_factory=list)
a, b = P(1), P(1, 2.0)
a.tags.append("t")
print(a, b, a == b, P(1) == P(1), P(1) != P(2), P(x=3, y=1), a.x, b.tags, P.__name__)
#---- config
from dataclasses import dataclass
@dataclass
class GPTConfig:
    block_size: int = 1024
    vocab_size: int = 50304
    n_layer: int = 12
    dropout: float = 0.0
    bias: bool = True
c = GPTConfig(n_layer=2)
c.bias = False
print(c, GPTConfig(**{"dropout": 0.1}), c.block_size // 2)
#---- post init
from dataclasses import dataclass, field, InitVar
@dataclass
class A:
    w: int
    h: int
    area: int = field(init=False)
    scale: InitVar[int] = 1
    def __post_init__(self, scale):
        self.area = self.w * self.h * scale
print(A(2, 3), A(2, 3, 10).area)
#---- frozen order
from dataclasses import dataclass, FrozenInstanceError
@dataclass(frozen=True, order=True)
class V:
    a: int
    b: int = 0
v = V(1, 2)
print(v < V(1, 3), sorted([V(2), V(1, 5)]), hash(v) == hash(V(1, 2)), {v: 1}[V(1, 2)], V(1) <= V(1))
try:
    v.a = 5
except FrozenInstanceError as e:
    print(type(e).__name__, e)
try:
    del v.a
except AttributeError as e:
    print("AttributeError")
#---- inheritance
from dataclasses import dataclass
@dataclass
class A:
    x: int
    y: int = 1
@dataclass
class B(A):
    z: int = 2
    y: int = 5
print(B(0), B(1, 2, 3), isinstance(B(0), A))
#---- helpers
from dataclasses import dataclass, fields, asdict, astuple, replace, is_dataclass, make_dataclass, field
@dataclass
class In:
    v: int
@dataclass
class Out:
    name: str
    inner: In
    items: list = field(default_factory=list, repr=False, compare=False, metadata={"k": 1})
o = Out("a", In(3), [In(1)])
print([f.name for f in fields(o)], asdict(o), astuple(In(5)), replace(o, name="b"), is_dataclass(o), is_dataclass(int), fields(Out)[2].metadata["k"], fields(In)[0].type)
print(make_dataclass("D", ["a", ("b", int, field(default=3))])(1), o)
#---- errors
from dataclasses import dataclass, field
for make in ("a: int = 1\n    b: int", "a: list = []"):
    try:
        exec("from dataclasses import dataclass\n@dataclass\nclass X:\n    " + make)
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
@dataclass
class P:
    x: int
try:
    P()
except TypeError as e:
    print(e)
#---- eq and hash
from dataclasses import dataclass
@dataclass
class A:
    x: int
@dataclass(eq=False)
class B:
    x: int
@dataclass(unsafe_hash=True)
class C:
    x: int
print(A(1) == A(1), B(1) == B(1), hash(C(1)) == hash(C(1)), A.__hash__, A(1) == 1)
try:
    hash(A(1))
except TypeError as e:
    print(e)
#---- kw_only and slots
from dataclasses import dataclass, KW_ONLY, field
@dataclass(kw_only=True)
class A:
    x: int
    y: int = 2
@dataclass(slots=True)
class B:
    x: int
@dataclass
class C:
    a: int
    _: KW_ONLY
    b: int = 3
    c: int = field(default=4, kw_only=True)
print(A(x=1), B(2).x, C(1, b=5))
#---- methods and class vars
from dataclasses import dataclass
from typing import ClassVar, Optional
@dataclass
class A:
    n: ClassVar[int] = 0
    v: Optional[int] = None
    def double(self): return self.v * 2
    @property
    def p(self): return self.v
    @classmethod
    def make(cls): return cls(4)
print(A(3).double(), A.make(), A(1).p, A.n, A())
#---- repr options
from dataclasses import dataclass, field
@dataclass(repr=False)
class A:
    x: int
@dataclass
class B:
    x: int
    secret: str = field(default="s", repr=False)
    def __repr__(self): return "custom"
print("A object" in repr(A(1)), B(1))
@dataclass
class T:
    name: str
    kids: list
t = T("r", []); t.kids.append(t); print(t)
#---- namedtuple
from collections import namedtuple
P = namedtuple("P", ["x", "y"])
p = P(1, y=2)
print(p, p.x, p[1], len(p), p == (1, 2), p._replace(x=5), p._asdict(), P._fields, [*p], P._make([7, 8]), isinstance(p, tuple), hash(p) == hash((1, 2)))
x, y = p; print(x + y, p + (3,), max(P(1, 5), P(2, 0)))
Q = namedtuple("Q", "a b c", defaults=[9]); print(Q(1, 2), Q._field_defaults)
try:
    p.x = 3
except AttributeError as e:
    print("AttributeError")
class R(namedtuple("R", "u v")):
    def total(self): return self.u + self.v
print(R(1, 2).total(), R(1, 2))
#---- typing namedtuple
from typing import NamedTuple
class S(NamedTuple):
    name: str
    n: int = 3
    def label(self): return f"{self.name}{self.n}"
s = S("a"); print(s, s.label(), s._fields, S("b", 4)[1], s == ("a", 3), S.__annotations__)
E = NamedTuple("E", [("a", int), ("b", str)]); print(E(1, "x"))
#---- enum
from enum import Enum, IntEnum, auto, Flag, unique
class C(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1
    def label(self): return self.name.lower()
print(C.RED, repr(C.RED), C.RED.name, C.RED.value, C(2), C["GREEN"], C.CRIMSON is C.RED, list(C), len(C), C.RED == C.RED, C.RED != C.GREEN, C.RED in C, isinstance(C.RED, C), C.GREEN.label(), {C.RED: 1}[C.RED], C.RED == 1)
try:
    C(9)
except ValueError as e:
    print(e)
try:
    C.RED = 5
except AttributeError as e:
    print("AttributeError")
print(C.__members__.keys(), [m.name for m in C], type(C.RED) is C, hash(C.RED) == hash(C.RED))
#---- int enum
from enum import IntEnum, auto, Enum, StrEnum
class L(IntEnum):
    LOW = 1
    HIGH = 10
print(L.LOW < L.HIGH, L.HIGH + 1, L(10), L.LOW == 1, sorted([L.HIGH, L.LOW]), [0, 5][L.LOW], f"{L.LOW}", f"{L.LOW:d}", int(L.HIGH), isinstance(L.LOW, int), L.LOW, repr(L.LOW), range(L.HIGH)[3])
class A(Enum):
    X = auto()
    Y = auto()
print(A.X.value, A.Y.value)
class M(str, Enum):
    TRAIN = "train"
    EVAL = "eval"
print(M.TRAIN == "train", M.TRAIN.value, M("eval"), M.TRAIN.upper(), {"train": 1}[M.TRAIN], isinstance(M.TRAIN, str))
class S(StrEnum):
    ONE = auto()
print(S.ONE, S.ONE == "one")
#---- flags
from enum import Flag, IntFlag, auto
class F(Flag):
    R = auto()
    W = auto()
    X = auto()
p = F.R | F.W
print(p, F.R in p, F.X in p, p & F.R, bool(p & F.X), (F.R | F.X).value, p.value, F(3) == p)
class I(IntFlag):
    A = 1
    B = 2
print((I.A | I.B) == 3, I.A | 4)
#---- enum extras
from enum import Enum
class Op(Enum):
    ADD = ("+", 1)
    MUL = ("*", 2)
    def __init__(self, sym, prec): self.sym, self.prec = sym, prec
    @property
    def desc(self): return f"{self.sym}{self.prec}"
    @classmethod
    def default(cls): return cls.ADD
    @staticmethod
    def s(): return 1
print(Op.ADD.sym, Op.MUL.prec, Op.ADD.desc, Op.default(), Op.s(), Op(("+", 1)))
Color = Enum("Color", "RED GREEN"); print(Color.RED, Color.GREEN.value, list(Color))
class W(Enum):
    A = 1
    @classmethod
    def _missing_(cls, v): return cls.A
print(W(77))
#---- typed dict
from typing import TypedDict, Literal, Protocol, runtime_checkable, Final
class T(TypedDict, total=False):
    a: int
print(T(a=1), T.__annotations__ if False else "")
@runtime_checkable
class HasLen(Protocol):
    def __len__(self) -> int: ...
X: Final = 3
print(X, Literal["a", "b"] is not None)
#---- simple namespace
from types import SimpleNamespace
n = SimpleNamespace(a=1, b="x"); n.c = [1]
print(n, n.a, vars(n), n == SimpleNamespace(a=1, b="x", c=[1]))
