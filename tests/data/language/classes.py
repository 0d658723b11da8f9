#---- basics
class A:
    count = 0
    def __init__(self, x, y=2):
        self.x, self.y = x, y
        A.count += 1
    def total(self): return self.x + self.y
a, b = A(1), A(1, 5)
print(a.total(), b.total(), A.count, a.count, A.total(b), a.__dict__, type(a) is A, isinstance(a, A), a.__class__.__name__)
#---- class and static methods
class A:
    n = 3
    @classmethod
    def make(cls, v): o = cls(); o.v = v; return o
    @staticmethod
    def add(a, b): return a + b
    @classmethod
    def name(cls): return cls.__name__
class B(A): n = 4
print(A.make(1).v, type(B.make(2)).__name__, A.add(1, 2), B().add(3, 4), B.name(), B().name())
#---- properties
class C:
    def __init__(self): self._v = 1
    @property
    def v(self):
        "doc of v"
        return self._v
    @v.setter
    def v(self, x):
        if x < 0: raise ValueError("negative")
        self._v = x
    @v.deleter
    def v(self): self._v = None
    w = property(lambda self: self._v * 2)
c = C(); c.v = 5; print(c.v, c.w, C.v.__doc__)
try:
    c.v = -1
except ValueError as e:
    print(e)
del c.v; print(c.v)
try:
    c.w = 1
except AttributeError as e:
    print("AttributeError")
#---- inheritance
class A:
    def __init__(self, x): self.x = x
    def f(self): return "A.f"
    def g(self): return self.f()
class B(A):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y
    def f(self): return "B." + super().f()
b = B(1, 2)
print(b.x, b.y, b.f(), b.g(), issubclass(B, A), isinstance(b, A), B.__mro__ == (B, A, object), B.__bases__, B.__base__)
#---- diamond
class A:
    def f(self): return ["A"]
class B(A):
    def f(self): return ["B"] + super().f()
class C(A):
    def f(self): return ["C"] + super().f()
class D(B, C):
    def f(self): return ["D"] + super().f()
print(D().f(), [c.__name__ for c in D.__mro__], D.mro() == list(D.__mro__))
#---- mro error
class A: pass
class B(A): pass
try:
    class C(A, B): pass
except TypeError as e:
    print("TypeError")
#---- super with arguments
class A:
    def f(self): return 1
    @classmethod
    def make(cls): return cls.__name__
class B(A):
    def f(self): return super(B, self).f() + 1
    @classmethod
    def make(cls): return "sub " + super().make()
print(B().f(), B.make())
#---- mixins with kwargs
class Base:
    def __init__(self, **kw): self.kw = kw
class M1:
    def __init__(self, a=0, **kw): super().__init__(**kw); self.a = a
class M2:
    def __init__(self, b=0, **kw): super().__init__(**kw); self.b = b
class X(M1, M2, Base): pass
x = X(a=1, b=2, c=3); print(x.a, x.b, x.kw)
#---- getattr setattr hooks
class A:
    def __init__(self): object.__setattr__(self, "log", [])
    def __getattr__(self, n): return "missing " + n
    def __setattr__(self, n, v):
        self.log.append(n)
        super().__setattr__(n, v)
    def __delattr__(self, n):
        self.log.append("del " + n)
        object.__delattr__(self, n)
a = A(); a.x = 1; a.y = 2; del a.x
print(a.x, a.y, a.log, getattr(a, "z"), hasattr(a, "anything"))
#---- getattribute
class A:
    def __init__(self): self.x = 1
    def __getattribute__(self, n):
        if n == "magic": return 42
        return super().__getattribute__(n)
a = A(); print(a.x, a.magic)
try:
    a.nope
except AttributeError as e:
    print(e)
#---- item protocol
class M:
    def __init__(self): self.d = {}
    def __getitem__(self, k): return self.d[k]
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
    def __contains__(self, k): return k in self.d
    def __len__(self): return len(self.d)
    def __iter__(self): return iter(self.d)
m = M(); m["a"] = 1; m[1, 2] = 3
print(m["a"], m[1, 2], "a" in m, len(m), list(m)[:2], bool(m), bool(M()))
del m["a"]; print("a" in m)
#---- old style iteration
class S:
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i * 10
print(list(S()), 10 in S(), [x for x in S()], tuple(S()))
#---- iterator class
class It:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1
        return self.n
print(list(It(3)), sum(It(4)), max(It(3)), list(zip(It(2), It(5))), [*It(2)])
#---- operators
class V:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, o): return V(self.x + o.x, self.y + o.y)
    def __sub__(self, o): return V(self.x - o.x, self.y - o.y)
    def __mul__(self, k): return V(self.x * k, self.y * k) if isinstance(k, (int, float)) else NotImplemented
    __rmul__ = __mul__
    def __truediv__(self, k): return V(self.x / k, self.y / k)
    def __neg__(self): return V(-self.x, -self.y)
    def __pos__(self): return self
    def __invert__(self): return "inv"
    def __matmul__(self, o): return self.x * o.x + self.y * o.y
    def __pow__(self, n): return V(self.x ** n, self.y ** n)
    def __mod__(self, n): return V(self.x % n, self.y % n)
    def __floordiv__(self, n): return V(self.x // n, self.y // n)
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** 0.5
    def __eq__(self, o): return (self.x, self.y) == (o.x, o.y)
    def __repr__(self): return f"V({self.x}, {self.y})"
    def __bool__(self): return bool(self.x or self.y)
    def __iadd__(self, o): self.x += o.x; return self
    def __radd__(self, o): return self if o == 0 else NotImplemented
    def __divmod__(self, n): return (self // n, self % n)
a, b = V(1, 2), V(3, 4)
print(a + b, a - b, a * 3, 2 * a, b / 2, -a, +a, ~a, a @ b, a ** 2, b % 2, b // 2, abs(b), a == V(1, 2), a != b, bool(V(0, 0)), sum([a, b]), divmod(b, 2))
a += b; print(a)
for f in (lambda: a * "x", lambda: a + 1 if False else a - None, lambda: "s" * a):
    try:
        f()
    except (TypeError, AttributeError) as e:
        print(type(e).__name__)
#---- comparisons
class N:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return self.v < o.v
    def __le__(self, o): return self.v <= o.v
    def __repr__(self): return f"N{self.v}"
print(sorted([N(3), N(1)]), N(1) < N(2), N(1) > N(2), N(1) <= N(1), N(2) >= N(1), min(N(2), N(1)), max([N(5), N(7)]))
try:
    print(N(1) < 5)
except AttributeError: print("AttributeError")
class O: pass
try:
    O() < O()
except TypeError as e:
    print(e)
#---- reflected with subclass
class A:
    def __add__(self, o): return "A.add"
    def __radd__(self, o): return "A.radd"
class B(A):
    def __radd__(self, o): return "B.radd"
print(A() + B(), A() + A(), 1 + A(), B() + A())
#---- not implemented
class A:
    def __add__(self, o): return NotImplemented
    def __eq__(self, o): return NotImplemented
class B:
    def __radd__(self, o): return "B"
print(A() + B(), A() == A(), A() != 1)
try:
    A() + 1
except TypeError as e:
    print(e)
#---- call
class F:
    def __call__(self, *a, **k): return a, k
print(F()(1, x=2), callable(F()), list(map(F(), [1])))
#---- context manager
class CM:
    def __init__(self, swallow=False): self.s = swallow
    def __enter__(self): print("enter"); return self
    def __exit__(self, t, v, tb): print("exit", t.__name__ if t else None, v); return self.s
with CM() as c: print("body", isinstance(c, CM))
with CM(True): raise ValueError("x")
try:
    with CM(), CM() as d: raise KeyError("k")
except KeyError as e:
    print("caught", e)
#---- slots
class P:
    __slots__ = ("x", "y")
    def __init__(self, x): self.x = x
p = P(1); print(p.x, hasattr(p, "y"), P.__slots__)
try:
    p.z = 1
except AttributeError as e:
    print("AttributeError")
p.y = 2; print(p.y, hasattr(p, "__dict__"))
#---- dict and vars
class A:
    c = 1
    def __init__(self): self.x = 1
a = A(); a.__dict__["y"] = 2
print(a.y, vars(a), "c" in A.__dict__, "c" in vars(A), "x" in dir(a), "c" in dir(a), sorted(k for k in A.__dict__ if not k.startswith("__")))
a.__dict__.update(z=5); print(a.z)
#---- type with three arguments
B = type("B", (object,), {"v": 5, "f": lambda self: self.v * 2})
print(B().f(), B.__name__, type(B) is type)
class Base: pass
C = type("C", (Base,), dict(x=1)); print(issubclass(C, Base), C().x)
#---- new and singleton
class S:
    _i = None
    def __new__(cls, *a):
        if cls._i is None: cls._i = super().__new__(cls)
        return cls._i
    def __init__(self, v=0): self.v = v
a = S(1); b = S(2); print(a is b, a.v)
class N:
    def __new__(cls): return 5
print(N())
#---- object new
class A:
    def __init__(self): self.x = 1
a = A.__new__(A); print(hasattr(a, "x")); a.__init__(); print(a.x, object.__new__(A).__class__ is A)
#---- init_subclass
class P:
    subs = []
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        cls.tag = tag
        P.subs.append(cls.__name__)
class A(P, tag="a"): pass
class B(P): pass
print(P.subs, A.tag, B.tag)
#---- set_name and descriptors
class D:
    def __set_name__(self, owner, name): self.n = "_" + name
    def __get__(self, o, t=None): return self if o is None else getattr(o, self.n, "unset")
    def __set__(self, o, v): setattr(o, self.n, v * 2)
class A:
    x = D()
a = A(); print(a.x); a.x = 5; print(a.x, a.__dict__, type(A.x).__name__)
class Lazy:
    def __init__(self, f): self.f = f
    def __get__(self, o, t):
        v = self.f(o); o.__dict__[self.f.__name__] = v; return v
class B:
    @Lazy
    def v(self): print("computed"); return 1
b = B(); print(b.v, b.v)
#---- metaclass
class Meta(type):
    def __new__(m, name, bases, ns, **kw):
        ns["made"] = name.lower()
        return super().__new__(m, name, bases, ns)
    def __call__(cls, *a): o = super().__call__(*a); o.extra = 1; return o
    def __iter__(cls): return iter([1, 2])
    def hello(cls): return "hello " + cls.__name__
class A(metaclass=Meta):
    def __init__(self, v=0): self.v = v
class B(A): pass
print(A.made, B.made, B(3).v, B().extra, list(A), A.hello(), type(A) is Meta, isinstance(A, Meta))
#---- abc
from abc import ABC, abstractmethod, ABCMeta
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def name(self): pass
    def twice(self): return 2 * self.area()
try:
    Shape()
except TypeError as e:
    print("TypeError")
class Sq(Shape):
    def area(self): return 4
    name = "sq"
print(Sq().twice(), isinstance(Sq(), Shape), Sq().name)
class Half(Shape):
    def area(self): return 1
try:
    Half()
except TypeError as e:
    print("TypeError")
#---- class attributes
class A:
    l = []
    n = 1
a, b = A(), A(); a.l.append(1); a.n = 5
print(b.l, b.n, A.n, a.n); A.n = 9; print(b.n, a.n); del a.n; print(a.n)
setattr(A, "m", lambda self: "m"); print(a.m(), getattr(A, "zz", None), hasattr(A, "m"))
#---- methods as values
class A:
    def __init__(self, v): self.v = v
    def get(self, k=0): return self.v + k
a = A(5); f = a.get; g = A.get
print(f(), f(1), g(a, 2), f.__self__ is a, f.__func__ is A.get, f.__name__, a.get == a.get, list(map(a.get, [1, 2])), f == A(5).get)
a.get = lambda: "own"; print(a.get())
#---- default repr
class A: pass
print(repr(A()).startswith("<"), "A object at 0x" in repr(A()), repr(A) == str(A), repr(A.__init__) != "", f"{A.__name__}")
#---- nested classes
class Outer:
    class Inner:
        v = 1
        def f(self): return Outer.Inner.v
    def make(self): return self.Inner()
print(Outer().make().f(), Outer.Inner.__qualname__, Outer.make.__qualname__, Outer.Inner.__name__)
#---- private names
class A:
    def __init__(self): self.__x = 1; self._y = 2
    def get(self): return self.__x
    def __hidden(self): return "h"
    def call(self): return self.__hidden()
a = A(); print(a.get(), a.call(), a._A__x, hasattr(a, "__x"), sorted(a.__dict__))
#---- class getitem
class A:
    def __class_getitem__(cls, k): return (cls.__name__, k)
print(A[int][1] is int, A["x"], list[int] is not None, dict[str, int] is not None)
#---- conversions
class A:
    def __len__(self): return 3
    def __iter__(self): return iter("abc")
    def __reversed__(self): return iter("cba")
    def __hash__(self): return 7
    def __bytes__(self): return b"b"
print(list(A()), tuple(A()), len(A()), list(reversed(A())), hash(A()), bool(A()), ",".join(A()), bytes(A()))
#---- eq and hash none
class A:
    def __eq__(self, o): return True
print(A.__hash__ is None, A() == 5, 5 == A(), A() != 5)
#---- instancecheck
class M(type):
    def __instancecheck__(c, o): return o == 5
class A(metaclass=M): pass
print(isinstance(5, A), isinstance(6, A))
#---- del hook
class A:
    def __init__(self, n): self.n = n
    def __repr__(self): return f"A{self.n}"
l = [A(1), A(2)]
del l[0]
print(l)
#---- isinstance forms
print(isinstance(1, (str, int)), isinstance("a", (int, (float, str))), isinstance(1, int | str), isinstance(None, type(None)), isinstance([], list), isinstance(print, type(len)), issubclass(bool, int), issubclass(int, object), issubclass(ValueError, (KeyError, Exception)), isinstance(3, object), isinstance(int, type))
try:
    isinstance(1, 5)
except TypeError as e:
    print(e)
#---- dynamic attributes
class Config:
    def __init__(self, **kw):
        for k, v in kw.items(): setattr(self, k, v)
    def __repr__(self): return "Config(" + ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items()) + ")"
c = Config(lr=0.1, n="x"); c.extra = [1]
print(c, getattr(c, "lr"), vars(c), {k: v for k, v in vars(c).items() if not k.startswith("_")})
#---- copy of instances with update
class A:
    def clone(self, **kw):
        o = type(self).__new__(type(self)); o.__dict__.update(self.__dict__); o.__dict__.update(kw); return o
a = A(); a.x = 1; b = a.clone(y=2); print(b.__dict__, a.__dict__)
#---- class name attributes
class A:
    """d"""
    x: int = 3
    y: "str"
print(A.__name__, A.__module__, A.__doc__, A.__annotations__, A.__dict__["x"], A().__class__, A.__class__)
#---- multiple inheritance attributes
class A: v = 1
class B: v = 2; w = 3
class C(A, B): pass
print(C.v, C.w, C().v)
#---- super property
class A:
    @property
    def p(self): return 1
    @p.setter
    def p(self, v): self.q = v
class B(A):
    @property
    def p(self): return super().p + 1
class C(A):
    @A.p.getter
    def p(self): return 7
b = B(); print(b.p); c = C(); c.p = 3; print(c.p, c.q)
#---- attribute errors
class A: pass
for f in (lambda: A().x, lambda: A.y, lambda: (1).z, lambda: None.foo, lambda: [].bar, lambda: A(1), lambda: "".nope, lambda: setattr(1, "x", 2)):
    try:
        f()
    except (AttributeError, TypeError) as e:
        print(type(e).__name__, e)
#---- __del__
import gc
class A:
    def __init__(self, n): self.n = n
    def __del__(self): print("del", self.n)
a = A(1); b = a; del a; print("one left"); b = None; print("gone")
def f(): x = A(2); print("in")
f(); print("after")
l = [A(3)]; l.clear(); print("cleared"); d = {"k": A(4)}; d["k"] = 5; print("replaced")
class B(A):
    def __del__(self): super().__del__(); print("and B")
B(5); print("sub")
kept = []
class Back:
    def __del__(self): kept.append(self); print("kept")
Back(); print(len(kept)); kept.clear(); print("once")
c = A(6); c.me = c; del c; gc.collect(); print("collected")
class Bad:
    def __del__(self): raise ValueError("x")
Bad(); print("goes on")
try:
    e = A(7); raise KeyError(1)
except KeyError: pass
del e; print("end")
class Late: pass
Late.__del__ = lambda self: print("late")
Late(); late = A(8)
#---- finalizers run in order
class D:
    def __init__(self, n): self.n = n
    def __del__(self): print("del", self.n)
l, d, t = [D(1), D(2)], {1: D(3), 2: D(4)}, (D(5), D(6))
l = None; d = None; t = None
l = [D(1), D(2), D(3)]; l.clear(); l = [D(4)]; l[0] = 5; l.append(D(6)); l.pop(); print("popped")
o = D(7); o.child = D(8); o.other = D(9); o.child.child = D(10); del o
def g():
    a = D(20); b = D(21)
    print("in g")
    return 5
print(g())
D(30)
for i in range(2): o = D(40 + i)
print("end")
#---- finalizers change what they see
log = []
class D:
    def __init__(self, n): self.n, self.more = n, [n]
    def __del__(self): log.append(self.n); self.more.append("gone")
o = D(1); m = o.more; o = None; print(m, log)
box = [D(2)]; box.clear(); print(log)
class H: pass
h = H(); h.o = D(3); h.o = None; print(log); h.o = D(4); del h.o; print(log)
try: o = D(5); raise ValueError
except ValueError: pass
del o; print(log)
def g(a):
    a = None
    return len(log)
print(g([D(6)]), len(log))
#---- the hash of a method is the hash of what it gives
class A:
    def __init__(self, v): self.v = v
    def __hash__(self): return hash(self.v)
    def __eq__(self, other): return self.v == other.v
o = A("text"); print(hash(o) == hash("text"), hash(A(object)) == hash(object), hash(A((1, "a"))) == hash((1, "a")), A("text") in {o})
#---- floats of a class
class Celsius(float):
    def __new__(cls, v, unit="C"): o = super().__new__(cls, v); o.unit = unit; return o
    def __add__(self, o): return Celsius(float(self) + o, self.unit)
    def __repr__(self): return f"{float(self):.1f}{self.unit}"
class Plain(float): pass
t = Celsius(20.5)
print(t, t + 1, t * 2, type(t * 2).__name__, t.unit, isinstance(t, float), isinstance(2.0, Celsius), t > 20, round(t), f"{t:.2f}", [t], float(t), t.is_integer(), hash(t) == hash(20.5), sum([t, t]), {t: 1}[20.5], t == 20.5, 20.5 == t, -t, abs(t), int(t), divmod(t, 3), t // 2, 1 / t, t ** 2, bool(Plain(0)), max(t, 3), t.as_integer_ratio(), "%.1f %s" % (t, t), str(t))
p = Plain("2.5"); print(p, repr(p), type(p).__name__, type(p + 1).__name__, p + p, p.hex(), Plain() == 0, sorted([p, Plain(1)]), p.__add__(1), float.__repr__(t), type(float(p)).__name__, p is float(p), vars(t), super(Celsius, t).__add__(1))
import math, copy
print(math.floor(p), math.sqrt(Plain(9)), math.isnan(p), t in [20.5], [1, 2, 3][int(p)], range(int(p)), min([p, 1.0]), round(p, 1), "{:>8}|{!r}".format(t, t), isinstance(p, (int, float)), issubclass(Celsius, float), Celsius.__mro__[1].__name__)
try: Plain("x")
except ValueError as e: print(e)
#---- ints and texts of a class
class Even(int):
    def __new__(cls, v):
        if v % 2: raise ValueError(f"{v} is odd")
        return super().__new__(cls, v)
    @property
    def half(self): return self // 2
class Name(str):
    def shout(self): return Name(self.upper() + "!")
e, n = Even(4), Name("ab")
print(e, e.half, e + 1, type(e + 1).__name__, range(e), [0] * e, e == 4, {e: 1}[4], repr(e), f"{e:03d}", "abcdef"[e], {e, 4, 1})
print(n.shout(), type(n.shout()).__name__, n + "c", type(n + "c").__name__, n == "ab", {n: 1}["ab"], repr(n), f"{n:>4}", n[0], "-".join([n, n]), len(n), n in "xabx")
#---- __prepare__
class Meta(type):
    known = {}
    @classmethod
    def __prepare__(meta, name, bases, **given): print("prepare", name, [b.__name__ for b in bases], given); return {"made_by": meta.__name__, "order": []}
    def __new__(meta, name, bases, names, tag=None): made = super().__new__(meta, name, bases, names); meta.known[tag or name] = made; return made
    def __init__(cls, name, bases, names, tag=None): super().__init__(name, bases, names)
class A(metaclass=Meta): order.append(1); x = made_by
class B(A, tag="b"): order.append(2)
print(list(Meta.known), A.order, B.order, A.x, type(B).__name__, B.made_by)
class Twice(dict):
    def __setitem__(self, k, v):
        if k in self and not k.startswith("__"): raise TypeError(f"{k} is there already")
        dict.__setitem__(self, k, v)
    def __missing__(self, k):
        if k.startswith("__") or not k.isupper(): raise KeyError(k)
        self[k] = k.lower(); return k.lower()
class Once(type):
    def __prepare__(name, bases): return Twice()
    def __new__(m, name, bases, names): return super().__new__(m, name, bases, dict(names))
class C(metaclass=Once):
    RED
    y = GREEN
    def f(self): return len("abc")
print(C.RED, C.GREEN, C.y, C().f())
try:
    class D(metaclass=Once):
        a = 1
        a = 2
except TypeError as e: print(e)
class Wrong(type):
    def __prepare__(name, bases): return 3
try:
    class E(metaclass=Wrong): pass
except TypeError as e: print(e)
