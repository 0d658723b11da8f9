// SPDX-License-Identifier: Apache-2.0
// Every way a script can observe what is outside of a compiled function: call, change it, call
// again. A compiled function must answer as the plain function does.
#include "tests/support/script_world.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::test;

class TestStaleEntries : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_change_outside_is_seen_data();
    void a_change_outside_is_seen();
    void what_did_not_change_is_not_compiled_again_data();
    void what_did_not_change_is_not_compiled_again();
    void guards_name_what_they_rely_on();
};

namespace {

/// `setup` defines g and what it needs; `call` prints what f (g, or g compiled) gives.
std::string script(const QString& setup, const QString& call, const QString& change,
                   bool compiled) {
    QString text = "import torch\nimport torch.nn as nn\nx = torch.ones(2)\n";
    text += setup + "\nf = " + (compiled ? "torch.compile(g)" : "g") + "\n";
    text += "def show():\n    try:\n        print(" + call +
            ")\n    except Exception as e:\n        print(type(e).__name__)\n";
    text += "show()\nshow()\n" + change + "\nshow()\nshow()\n";
    return text.toStdString();
}

struct Row {
    const char *name, *setup, *call, *change;
};

const Row kRows[] = {
    // types
    {"a setting of a backend", "def g(x): return x * (2 if torch.backends.cudnn.allow_tf32 else 3)",
     "f(x)", "torch.backends.cudnn.allow_tf32 = False"},
    {"type of an object", R"(
class A: pass
class B: pass
v = A()
def g(x, v): return x * (2 if type(v) is A else 3))",
     "f(x, v)", "v = B()"},
    {"__class__ of an object", R"(
class A: pass
class B: pass
v = A()
def g(x, v): return x * (2 if v.__class__ is A else 3))",
     "f(x, v)", "v = B()"},
    {"__class__ of a tensor", R"(
v = torch.ones(2, requires_grad=True)
def g(x, v): return x * (2 if v.__class__ is nn.Parameter else 3))",
     "f(x, v)", "v = nn.Parameter(torch.ones(2))"},
    {"type of a tensor", R"(
v = torch.ones(2, requires_grad=True)
def g(x, v): return x * (2 if type(v) == nn.Parameter else 3))",
     "f(x, v)", "v = nn.Parameter(torch.ones(2))"},
    {"isinstance of a parameter", R"(
v = torch.ones(2, requires_grad=True)
def g(x, v): return x * (2 if isinstance(v, nn.Parameter) else 3))",
     "f(x, v)", "v = nn.Parameter(torch.ones(2))"},
    {"type of a number", "v = 1\ndef g(x, v): return x * (2 if type(v) is int else 3)", "f(x, v)",
     "v = 1.0"},
    {"list against tuple", "v = [1, 2]\ndef g(x, v): return x, v * 2", "f(x, v)", "v = (1, 2)"},
    {"list against tuple, by type",
     "v = [x, x]\ndef g(x, v): return x * (2 if type(v) is list else 3)", "f(x, v)", "v = (x, x)"},
    {"list against tuple, one item",
     "v = [2, x]\ndef g(v): return v[0] * v[1], isinstance(v, list)", "f(v)", "v = (2, x)"},
    {"list against tuple, compared", "v = [2]\ndef g(x, v): return x * 1, v == [2]", "f(x, v)",
     "v = (2,)"},
    {"list against tuple, in a list", "v = [[2]]\ndef g(x, v): return x * 1, v[0] + v[0]",
     "f(x, v)", "v[0] = (2,)"},
    {"tuple against a size", "v = (1, 2)\ndef g(x, v): return x * 1, repr(v)", "f(x, v)",
     "v = torch.ones(1, 2).shape"},
    {"something instead of None", "v = None\ndef g(x, v): return x * (2 if v is None else 3)",
     "f(x, v)", "v = [1]"},
    {"None instead of something", "v = [1]\ndef g(x, v): return x * (2 if v is None else 3)",
     "f(x, v)", "v = None"},
    {"compared with None", "v = [1]\ndef g(x, v): return x * (2 if v == None else 3)", "f(x, v)",
     "v = None"},
    {"callable", R"(
class A:
    def __call__(self): return 1
v = A()
def g(x, v): return x * (2 if callable(v) else 3))",
     "f(x, v)", "v = [1]"},
    {"callable by the class", R"(
class A:
    def __call__(self): return 1
v = A()
def g(x, v): return x * (2 if callable(v) else 3))",
     "f(x, v)", "del A.__call__"},
    {"a tensor instead of a list", "v = [x, x * 3]\ndef g(v): return v[0] + v[1]", "f(v)",
     "v = torch.ones(2, 2)"},
    // attributes that are not there
    {"hasattr", R"(
class A: pass
v = A()
def g(x, v): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x, v)", "v.k = 1"},
    {"hasattr, another object", R"(
class A: pass
v = A()
v.other = 1
def g(x, v): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x, v)", "v = A()\nv.k = 1"},
    {"hasattr, the class", R"(
class A: pass
v = A()
def g(x, v): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x, v)", "A.k = 1"},
    {"hasattr, a base class", R"(
class A: pass
class B(A): pass
v = B()
def g(x, v): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x, v)", "A.k = 1"},
    {"hasattr of a class", R"(
class A: pass
def g(x): return x * (2 if hasattr(A, 'k') else 3))",
     "f(x)", "A.k = 1"},
    {"hasattr of a function", R"(
def v(): pass
def g(x): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x)", "v.k = 1"},
    {"hasattr of a module", R"(
v = nn.ReLU()
def g(x, v): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x, v)", "v.k = 1"},
    {"hasattr of a module's parameters", R"(
v = nn.Identity()
def g(x, v): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x, v)", "v.k = nn.Parameter(torch.ones(1))"},
    {"hasattr of a module's buffers", R"(
v = nn.Identity()
def g(x, v): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x, v)", "v.register_buffer('k', torch.ones(1))"},
    {"hasattr of a module's modules", R"(
v = nn.Identity()
def g(x, v): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x, v)", "v.k = nn.ReLU()"},
    {"hasattr gone", R"(
class A: pass
v = A()
v.k = 1
def g(x, v): return x * (2 if hasattr(v, 'k') else 3))",
     "f(x, v)", "del v.k"},
    {"getattr with a default", R"(
class A: pass
v = A()
def g(x, v): return x * getattr(v, 'k', 5))",
     "f(x, v)", "v.k = 7"},
    {"AttributeError", R"(
class A: pass
v = A()
def g(x, v):
    try:
        return x * v.k
    except AttributeError:
        return x * 5)",
     "f(x, v)", "v.k = 7"},
    {"__getattr__", R"(
class A:
    def __getattr__(self, name): return 5
v = A()
def g(x, v): return x * v.k)",
     "f(x, v)", "v.k = 7"},
    {"__getattr__ is another", R"(
class A:
    def __getattr__(self, name): return 5
v = A()
def g(x, v): return x * v.k)",
     "f(x, v)", "A.__getattr__ = lambda self, name: 6"},
    // names
    {"a global", "k = 2\ndef g(x): return x * k", "f(x)", "k = 3"},
    {"a global's type", "k = 2\ndef g(x): return x * k", "f(x)", "k = 2.5"},
    {"NameError of a global", R"(
def g(x):
    try:
        return x * k
    except NameError:
        return x * 5)",
     "f(x)", "k = 7"},
    {"a global gone", R"(
k = 7
def g(x):
    try:
        return x * k
    except NameError:
        return x * 5)",
     "f(x)", "del k"},
    {"a built-in shadowed", "def g(x): return x * len([1, 2])", "f(x)", "len = lambda v: 5"},
    {"a shadow gone", "len = lambda v: 5\ndef g(x): return x * len([1, 2])", "f(x)", "del len"},
    {"a built-in type shadowed", "def g(x): return x * int(2.5)", "f(x)", "int = lambda v: 5"},
    {"a global function", "def h(x): return x + 1\ndef g(x): return h(x)", "f(x)",
     "def h(x): return x + 2"},
    {"a global of an inlined function", "k = 2\ndef h(x): return x * k\ndef g(x): return h(x)",
     "f(x)", "k = 3"},
    {"a closure", R"(
def make():
    n = 2
    def get(x): return x * n
    def put(v):
        nonlocal n
        n = v
    return get, put
g, put = make())",
     "f(x)", "put(3)"},
    {"a closure without a value", R"(
def make():
    def get(x):
        try:
            return x * n
        except NameError:
            return x * 5
    def put(v):
        nonlocal n
        n = v
    return get, put
    n = 0
g, put = make())",
     "f(x)", "put(3)"},
    {"two closures of one name", R"(
def make(n):
    def get(x): return x * n
    def put(v):
        nonlocal n
        n = v
    return get, put
a, put_a = make(2)
b, put_b = make(3)
def g(x): return a(x) + b(x))",
     "f(x)", "put_b(5)"},
    {"a module's function", "def g(x): return torch.cos(x * 0) * nn.functional.relu(x) * k\nk = 1",
     "f(x)", "k = 4"},
    // classes
    {"a class attribute", "class A:\n    k = 2\ndef g(x): return x * A.k", "f(x)", "A.k = 3"},
    {"a class attribute by an object", "class A:\n    k = 2\nv = A()\ndef g(x, v): return x * v.k",
     "f(x, v)", "A.k = 3"},
    {"a class attribute shadowed by an object",
     "class A:\n    k = 2\nv = A()\ndef g(x, v): return x * v.k", "f(x, v)", "v.k = 3"},
    {"a class attribute shadowed, another object",
     "class A:\n    k = 2\nv = A()\nv.j = 1\ndef g(x, v): return x * v.k", "f(x, v)",
     "v = A()\nv.k = 3"},
    {"a base class's attribute",
     "class A:\n    k = 2\nclass B(A): pass\nv = B()\ndef g(x, v): return x * v.k", "f(x, v)",
     "A.k = 3"},
    {"a base class's attribute shadowed by a class",
     "class A:\n    k = 2\nclass B(A): pass\nv = B()\ndef g(x, v): return x * v.k", "f(x, v)",
     "B.k = 3"},
    {"a class attribute gone",
     "class A:\n    k = 2\nclass B(A):\n    k = 3\nv = B()\ndef g(x, v): "
     "return x * v.k",
     "f(x, v)", "del B.k"},
    {"a list in a class", "class A:\n    k = [2, 3]\ndef g(x): return x * A.k[0]", "f(x)",
     "A.k[0] = 5"},
    {"another list in a class", "class A:\n    k = [2, 3]\nv = A()\ndef g(x, v): return x * v.k[0]",
     "f(x, v)", "A.k = [5, 3]"},
    {"a dict in a class", "class A:\n    k = {'a': 2}\ndef g(x): return x * A.k['a']", "f(x)",
     "A.k['a'] = 5"},
    {"a tensor in a class", "class A:\n    k = torch.ones(2)\ndef g(x): return x * A.k", "f(x)",
     "A.k = torch.ones(1) * 5"},
    {"a method", "class A:\n    def m(self, x): return x * 2\nv = A()\ndef g(x, v): return v.m(x)",
     "f(x, v)", "A.m = lambda self, x: x * 3"},
    {"a method shadowed by an object",
     "class A:\n    def m(self, x): return x * 2\nv = A()\ndef g(x, v): return v.m(x)", "f(x, v)",
     "v.m = lambda x: x * 3"},
    {"__call__",
     "class A:\n    def __call__(self, x): return x * 2\nv = A()\ndef g(x, v): return v(x)",
     "f(x, v)", "A.__call__ = lambda self, x: x * 3"},
    {"an operator",
     "class A:\n    def __add__(self, o): return 2\nv = A()\ndef g(x, v): return x * (v + 1)",
     "f(x, v)", "A.__add__ = lambda self, o: 3"},
    {"a reflected operator",
     "class A:\n    def __radd__(self, o): return 2\nv = A()\ndef g(x, v): return x * (1 + v)",
     "f(x, v)", "A.__radd__ = lambda self, o: 3"},
    {"an operator that comes",
     "class A:\n    def __radd__(self, o): return 2\nclass B:\n    pass\nv, w = B(), A()\ndef g(x, "
     "v, w): "
     "return x * (v + w)",
     "f(x, v, w)", "B.__add__ = lambda self, o: 3"},
    {"a comparison",
     "class A:\n    def __lt__(self, o): return True\nv = A()\ndef g(x, v): return x * (2 "
     "if v < 1 else 3)",
     "f(x, v)", "A.__lt__ = lambda self, o: False"},
    {"__eq__", "class A: pass\nv = A()\ndef g(x, v): return x * (2 if v == 1 else 3)", "f(x, v)",
     "A.__eq__ = lambda self, o: True"},
    {"__bool__", "class A: pass\nv = A()\ndef g(x, v): return x * (2 if v else 3)", "f(x, v)",
     "A.__bool__ = lambda self: False"},
    {"__len__", "class A: pass\nv = A()\ndef g(x, v): return x * (2 if v else 3)", "f(x, v)",
     "A.__len__ = lambda self: 0"},
    {"__getitem__",
     "class A:\n    def __getitem__(self, i): return i\nv = A()\ndef g(x, v): return x * v[2]",
     "f(x, v)", "A.__getitem__ = lambda self, i: i + 1"},
    {"__iter__",
     "class A:\n    def __iter__(self): return iter([1, 2])\nv = A()\ndef g(x, v): return x * "
     "sum(v)",
     "f(x, v)", "A.__iter__ = lambda self: iter([5])"},
    {"__contains__",
     "class A:\n    def __contains__(self, i): return True\nv = A()\ndef g(x, v): return x * (2 if "
     "1 in v "
     "else 3)",
     "f(x, v)", "A.__contains__ = lambda self, i: False"},
    {"__repr__",
     "class A:\n    def __repr__(self): return 'a'\nv = A()\ndef g(x, v): return x * 1, repr(v)",
     "f(x, v)", "A.__repr__ = lambda self: 'b'"},
    {"__str__ that comes",
     "class A:\n    def __repr__(self): return 'a'\nv = A()\ndef g(x, v): return x * 1, f'{v}'",
     "f(x, v)", "A.__str__ = lambda self: 'b'"},
    {"__init__", "class A:\n    def __init__(self): self.k = 2\ndef g(x): return x * A().k", "f(x)",
     "def init(self): self.k = 3\nA.__init__ = init"},
    {"__enter__", R"(
class A:
    def __enter__(self): return 2
    def __exit__(self, a, b, c): pass
v = A()
def g(x, v):
    with v as k:
        return x * k)",
     "f(x, v)", "A.__enter__ = lambda self: 3"},
    {"a static method",
     "class A:\n    @staticmethod\n    def m(x): return x * 2\ndef g(x): return A.m(x)", "f(x)",
     "A.m = staticmethod(lambda x: x * 3)"},
    {"a class method",
     "class A:\n    k = 2\n    @classmethod\n    def m(cls, x): return x * cls.k\ndef g(x): return "
     "A.m(x)",
     "f(x)", "A.k = 3"},
    {"super()", R"(
class A:
    def m(self, x): return x * 2
class B(A):
    def m(self, x): return super().m(x) + 1
v = B()
def g(x, v): return v.m(x))",
     "f(x, v)", "A.m = lambda self, x: x * 3"},
    {"super() finds a nearer one", R"(
class A:
    def m(self, x): return x * 2
class B(A): pass
class C(B):
    def m(self, x): return super().m(x) + 1
v = C()
def g(x, v): return v.m(x))",
     "f(x, v)", "B.m = lambda self, x: x * 3"},
    {"a property's value",
     "class A:\n    @property\n    def k(self): return self._k\nv = A()\nv._k = 2\ndef g(x, v): "
     "return x * "
     "v.k",
     "f(x, v)", "v._k = 3"},
    {"a property is another",
     "class A:\n    @property\n    def k(self): return 2\nv = A()\ndef g(x, v): "
     "return x * v.k",
     "f(x, v)", "A.k = property(lambda self: 3)"},
    {"a property reads a global",
     "n = 2\nclass A:\n    @property\n    def k(self): return n\nv = A()\ndef "
     "g(x, v): return x * v.k",
     "f(x, v)", "n = 3"},
    {"a module's forward", "v = nn.ReLU()\ndef g(x, v): return v(x)", "f(x, v)",
     "nn.ReLU.forward = lambda self, x: x * 3"},
    {"forward of one module", "v = nn.ReLU()\ndef g(x, v): return v(x)", "f(x, v)",
     "v.forward = lambda x: x * 3"},
    {"forward of the compiled module", R"(
class M(nn.Module):
    def forward(self, x): return self.m(x)
    def m(self, x): return x * 2
g = M())",
     "f(x)", "M.m = lambda self, x: x * 3"},
    {"an attribute of the compiled module", R"(
class M(nn.Module):
    k = 2
    def forward(self, x): return x * self.k
g = M())",
     "f(x)", "g.k = 3"},
    {"a module of the compiled module", R"(
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Identity()
    def forward(self, x): return self.a(x)
g = M())",
     "f(x)", "class T(nn.Module):\n    def forward(self, x): return x * 3\ng.a = T()"},
    {"a training flag", R"(
class M(nn.Module):
    def forward(self, x): return x * (2 if self.training else 3)
g = M())",
     "f(x)", "g.eval()"},
    {"a training flag inside", R"(
class M(nn.Module):
    def forward(self, x): return x * (2 if self.training else 3)
v = M()
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.v = v
    def forward(self, x): return self.v(x)
g = N())",
     "f(x)", "v.training = False"},
    {"the modules of a list",
     "v = nn.ModuleList([nn.Identity()])\ndef g(x, v):\n    for m in v:\n        x = "
     "m(x) + 1\n    return x",
     "f(x, v)", "v.append(nn.Identity())"},
    {"a parameter that is None", R"(
v = nn.Linear(2, 2)
def g(x, v): return x * (2 if v.bias is None else 3))",
     "f(x, v)", "v.bias = None"},
    {"a buffer", R"(
v = nn.Identity()
v.register_buffer('k', torch.ones(2))
def g(x, v): return x * v.k)",
     "f(x, v)", "v.k = torch.ones(1) * 5"},
    // functions
    {"a default", "def h(x, k=2): return x * k\ndef g(x): return h(x)", "f(x)",
     "h.__defaults__ = (3,)"},
    {"a default that comes",
     "def h(x, k): return x * k\ndef g(x):\n    try:\n        return h(x)\n    except TypeError:\n "
     "       "
     "return x * 5",
     "f(x)", "h.__defaults__ = (3,)"},
    {"a list as default", "def h(x, k=[2]): return x * k[0]\ndef g(x): return h(x)", "f(x)",
     "h.__defaults__[0][0] = 3"},
    {"a keyword default", "def h(x, *, k=2): return x * k\ndef g(x): return h(x)", "f(x)",
     "h.__kwdefaults__ = {'k': 3}"},
    {"a keyword default in its dict", "def h(x, *, k=2): return x * k\ndef g(x): return h(x)",
     "f(x)", "h.__kwdefaults__['k'] = 3"},
    {"a default of the compiled function", "def g(x, k=2): return x * k", "f(x)",
     "g.__defaults__ = (3,)"},
    {"__defaults__ read", "def h(x, k=2): return x * k\ndef g(x): return x * h.__defaults__[0]",
     "f(x)", "h.__defaults__ = (3,)"},
    {"a function's attribute", "def h(x): return x\nh.k = 2\ndef g(x): return h(x) * h.k", "f(x)",
     "h.k = 3"},
    {"a function as argument",
     "def a(x): return x * 2\ndef b(x): return x * 3\nv = a\ndef g(x, v): return "
     "v(x)",
     "f(x, v)", "v = b"},
    {"a method of another object",
     "class A:\n    def __init__(self, k): self.k = k\n    def m(self, x): "
     "return x * self.k\nv = A(2).m\ndef g(x, v): return v(x)",
     "f(x, v)", "v = A(3).m"},
    // containers
    {"an item", "v = [2, 3]\ndef g(x, v): return x * v[0]", "f(x, v)", "v[0] = 5"},
    {"a negative index", "v = [2, 3]\ndef g(x, v): return x * v[-1]", "f(x, v)", "v.append(5)"},
    {"a length", "v = [2, 3]\ndef g(x, v): return x * len(v)", "f(x, v)", "v.append(5)"},
    {"an empty list", "v = []\ndef g(x, v): return x * (2 if v else 3)", "f(x, v)", "v.append(5)"},
    {"IndexError",
     "v = [2]\ndef g(x, v):\n    try:\n        return x * v[1]\n    except IndexError:\n        "
     "return x * 5",
     "f(x, v)", "v.append(7)"},
    {"membership in a list", "v = [2]\ndef g(x, v): return x * (2 if 7 in v else 3)", "f(x, v)",
     "v.append(7)"},
    {"an index in a list", "v = [2, 7]\ndef g(x, v): return x * v.index(7)", "f(x, v)",
     "v.insert(0, 1)"},
    {"the text of a list", "v = [2]\ndef g(x, v): return x * 1, str(v)", "f(x, v)", "v[0] = 3"},
    {"the text of a dict", "v = {'a': 2}\ndef g(x, v): return x * 1, f'{v}'", "f(x, v)",
     "v['a'] = 3"},
    {"the text of a set", "v = {2}\ndef g(x, v): return x * 1, repr(v)", "f(x, v)", "v.add(3)"},
    {"a nested list", "v = [[2]]\ndef g(x, v): return x * v[0][0]", "f(x, v)", "v[0][0] = 3"},
    {"a sorted list", "v = [3, 2]\ndef g(x, v): return x * sorted(v)[0]", "f(x, v)", "v[0] = 1"},
    {"an unpacked list", "v = [3, 2]\ndef g(x, v):\n    a, *b = v\n    return x * len(b)",
     "f(x, v)", "v.append(1)"},
    {"a list passed with *", "v = [3, 2]\ndef h(*a): return len(a)\ndef g(x, v): return x * h(*v)",
     "f(x, v)", "v.append(1)"},
    {"a dict passed with **",
     "v = {'a': 3}\ndef h(**a): return len(a)\ndef g(x, v): return x * h(**v)", "f(x, v)",
     "v['b'] = 1"},
    {"compared lists", "v, w = [3], [3]\ndef g(x, v, w): return x * (2 if v == w else 3)",
     "f(x, v, w)", "w[0] = 4"},
    {"compared dicts", "v, w = {'a': 3}, {'a': 3}\ndef g(x, v, w): return x * (2 if v == w else 3)",
     "f(x, v, w)", "w['a'] = 4"},
    {"compared sets", "v, w = {3}, {3}\ndef g(x, v, w): return x * (2 if v == w else 3)",
     "f(x, v, w)", "w.add(4)"},
    {"a dict's value", "v = {'a': 2}\ndef g(x, v): return x * v['a']", "f(x, v)", "v['a'] = 3"},
    {"a dict's key that comes", "v = {'a': 2}\ndef g(x, v): return x * v.get('b', 5)", "f(x, v)",
     "v['b'] = 3"},
    {"a dict's key that goes", "v = {'a': 2}\ndef g(x, v): return x * v.get('a', 5)", "f(x, v)",
     "del v['a']"},
    {"KeyError",
     "v = {}\ndef g(x, v):\n    try:\n        return x * v['a']\n    except KeyError:\n        "
     "return x * 5",
     "f(x, v)", "v['a'] = 7"},
    {"membership in a dict", "v = {}\ndef g(x, v): return x * (2 if 'a' in v else 3)", "f(x, v)",
     "v['a'] = 7"},
    {"a dict's length", "v = {'a': 1}\ndef g(x, v): return x * len(v)", "f(x, v)", "v['b'] = 7"},
    {"a dict's order", "v = {'a': 1, 'b': 2}\ndef g(x, v): return x * 1, list(v)", "f(x, v)",
     "v = {'b': 2, 'a': 1}"},
    {"a dict's order of items", "v = {'a': 1, 'b': 2}\ndef g(x, v): return x * 1, v.items()",
     "f(x, v)", "v['a'] = v.pop('a')"},
    {"the type of a dict's key", "v = {1: 1}\ndef g(x, v): return x * 1, [k for k in v]", "f(x, v)",
     "v = {True: 1}"},
    {"the type of a key in a tuple", "v = {(1, 2): 1}\ndef g(x, v): return x * 1, [k for k in v]",
     "f(x, v)", "v = {(1.0, 2): 1}"},
    {"membership in a set", "v = {1}\ndef g(x, v): return x * (2 if 5 in v else 3)", "f(x, v)",
     "v.add(5)"},
    {"an object as key",
     "class K: pass\na, b = K(), K()\nd = {a: 2, b: 3}\nk = a\ndef g(x, k): return x * "
     "d[k]",
     "f(x, k)", "k = b"},
    {"two objects as keys",
     "class K: pass\na, b = K(), K()\nd = {a: 2, b: 3}\ndef g(x): return x * (d[a] + "
     "10 * d[b])",
     "f(x)", "d[b] = 4"},
    {"an object in a list",
     "class K: pass\na, b = K(), K()\nk = a\ndef g(x, k): return x * (2 if k in [a] "
     "else 3)",
     "f(x, k)", "k = b"},
    {"an object not in a list",
     "class K: pass\na, b = K(), K()\nk = b\ndef g(x, k): return x * (2 if k in "
     "[a] else 3)",
     "f(x, k)", "k = a"},
    {"an object in a set",
     "class K: pass\na, b = K(), K()\nk = b\ns = {a}\ndef g(x, k): return x * (2 if k "
     "in s else 3)",
     "f(x, k)", "k = a"},
    {"id()",
     "class K: pass\na, b = K(), K()\nk = b\ndef g(x, k): return x * (2 if id(k) == id(a) else 3)",
     "f(x, k)", "k = a"},
    {"hash()",
     "class K: pass\na, b = K(), K()\nk = b\ndef g(x, k): return x * (2 if hash(k) == hash(a) "
     "else 3)",
     "f(x, k)", "k = a"},
    {"one list twice", "v, w = [1], [1]\ndef g(x, v, w): return x * (2 if v is w else 3)",
     "f(x, v, w)", "w = v"},
    {"one list no more twice", "v = [1]\nw = v\ndef g(x, v, w): return x * (2 if v is w else 3)",
     "f(x, v, w)", "w = [1]"},
    {"one tensor twice", "v, w = x * 1, x * 1\ndef g(v, w): return v * (2 if v is w else 3)",
     "f(v, w)", "w = v"},
    {"one object twice",
     "class K: pass\na, b = K(), K()\ndef g(x, a, b): return x * (2 if a is b else 3)",
     "f(x, a, b)", "b = a"},
    {"equal objects",
     "class K: pass\na, b = K(), K()\ndef g(x, a, b): return x * (2 if a == b else 3)",
     "f(x, a, b)", "b = a"},
    {"a sentinel", "class K: pass\nNO = K()\nv = NO\ndef g(x, v): return x * (2 if v is NO else 3)",
     "f(x, v)", "v = K()"},
    {"no sentinel",
     "class K: pass\nNO = K()\nv = K()\ndef g(x, v): return x * (2 if v is NO else 3)", "f(x, v)",
     "v = NO"},
    {"an object that hashes itself", R"(
class K:
    def __init__(self, n): self.n = n
    def __hash__(self): return self.n
    def __eq__(self, o): return self.n == o.n
d = {K(1): 2, K(2): 3}
k = K(1)
def g(x, k): return x * d[k])",
     "f(x, k)", "k = K(2)"},
    {"an object that hashes itself, changed", R"(
class K:
    def __init__(self, n): self.n = n
    def __hash__(self): return self.n
    def __eq__(self, o): return self.n == o.n
d = {K(1): 2, K(2): 3}
k = K(1)
def g(x, k): return x * d[k])",
     "f(x, k)", "k.n = 2"},
    {"a key of an object that hashes itself", R"(
class K:
    def __init__(self, n): self.n = n
    def __hash__(self): return self.n
    def __eq__(self, o): return self.n == o.n
d = {K(1): 2}
def g(x): return x * d.get(K(2), 5))",
     "f(x)", "d[K(2)] = 7"},
    {"__dict__", "class K: pass\nv = K()\nv.k = 2\ndef g(x, v): return x * v.__dict__['k']",
     "f(x, v)", "v.k = 3"},
    {"__dict__ of another object",
     "class K: pass\nv = K()\nv.k = 2\ndef g(x, v): return x * v.__dict__['k']", "f(x, v)",
     "v = K()\nv.k = 3"},
    {"an object's attribute", "class K: pass\nv = K()\nv.k = 2\ndef g(x, v): return x * v.k",
     "f(x, v)", "v.k = 3"},
    {"an object in an object",
     "class K: pass\nv = K()\nv.o = K()\nv.o.k = 2\ndef g(x, v): return x * v.o.k", "f(x, v)",
     "v.o = K()\nv.o.k = 3"},
    {"a range", "v = range(3)\ndef g(x, v): return x * len(v)", "f(x, v)", "v = range(4)"},
    {"a slice", "v = slice(0, 1)\ndef g(x, v): return x[v]", "f(x, v)", "v = slice(0, 2)"},
    {"a text", "v = 'a'\ndef g(x, v): return x * (2 if v == 'a' else 3)", "f(x, v)", "v = 'b'"},
    {"an argument list", "v = [1]\ndef g(x, *a): return x * len(a)", "f(x, *v)", "v.append(2)"},
    {"keyword arguments", "v = {}\ndef g(x, **a): return x * len(a)", "f(x, **v)", "v['k'] = 2"},
    {"the arguments of an error", "v = ValueError(2)\ndef g(x, v): return x * v.args[0]", "f(x, v)",
     "v = ValueError(3)"},
    {"the text of an error", "v = ValueError('a')\ndef g(x, v): return x * 1, str(v)", "f(x, v)",
     "v = ValueError('b')"},
    // tensors and modes
    {"sizes", "v = torch.ones(2)\ndef g(x, v): return x * v.shape[0]", "f(x, v)",
     "v = torch.ones(3)"},
    {"rank", "v = torch.ones(2)\ndef g(x, v): return x * v.dim()", "f(x, v)",
     "v = torch.ones(3, 1)"},
    {"dtype", "v = torch.ones(2)\ndef g(x, v): return x * (2 if v.dtype == torch.float32 else 3)",
     "f(x, v)", "v = v.double()"},
    {"requires_grad", "v = torch.ones(2)\ndef g(x, v): return x * (2 if v.requires_grad else 3)",
     "f(x, v)", "v = torch.ones(2, requires_grad=True)"},
    {"is_leaf",
     "v = torch.ones(2, requires_grad=True)\ndef g(x, v): return x * (2 if v.is_leaf else 3)",
     "f(x, v)", "v = v * 1"},
    {"grad_fn",
     "v = torch.ones(2, requires_grad=True)\ndef g(x, v): return x * (2 if v.grad_fn is None else "
     "3)",
     "f(x, v)", "v = v * 1"},
    {"strides", "v = torch.ones(2, 3)\ndef g(x, v): return x * v.stride(0)", "f(x, v)",
     "v = torch.ones(3, 2).T"},
    {"contiguous", "v = torch.ones(2, 3)\ndef g(x, v): return x * (2 if v.is_contiguous() else 3)",
     "f(x, v)", "v = torch.ones(3, 2).T"},
    {"the text of a tensor", "v = torch.ones(2)\ndef g(x, v): return x * 1, str(v)", "f(x, v)",
     "v = torch.zeros(2)"},
    {"the text of a computed tensor", "def g(x): return f'{x * 2}'", "f(x)", "x = torch.zeros(2)"},
    {"the repr of a tensor in a list", "v = [x]\ndef g(x, v): return x * 1, repr(v)", "f(x, v)",
     "v = [torch.zeros(2)]"},
    {"format() of a tensor", "def g(x): return x * 2, '{}'.format(x * 2)", "f(x)",
     "x = torch.zeros(2)"},
    {"grad mode", "def g(x): return x * (2 if torch.is_grad_enabled() else 3)", "f(x)",
     "torch.set_grad_enabled(False)"},
    {"threads", "torch.set_num_threads(1)\ndef g(x): return x * torch.get_num_threads()", "f(x)",
     "torch.set_num_threads(2)"},
    {"a setting",
     "import torch._dynamo.config as c\nc.accumulated_recompile_limit = 200\n"
     "def g(x): return x * c.accumulated_recompile_limit",
     "f(x)", "c.accumulated_recompile_limit = 300"},
    {"a number of a list that varies, then another kind", "n = [3]\ndef g(x, n): return x * n[0]",
     "f(x, n)",
     "n[0] = 4\nshow()\nn[0] = 5\nshow()\nn[0] = 2.5\nshow()\nn[0] = True\nshow()\nn[0] = 1"},
    {"a number of a dict that varies, read by itself and in the sum",
     "n = {'a': 3, 'b': 2}\ndef g(x, n): return x * n['a'] + sum(n.values())", "f(x, n)",
     "n['a'] = 4\nshow()\nn['a'] = 5\nshow()\nn['a'] = 6\nn['b'] = 7"},
    {"an attribute that varies decides a branch", R"(
class A: k = 2
n = A()
n.k = 3
def g(x, n): return x + n.k if n.k > 5 else x - n.k)",
     "f(x, n)", "n.k = 4\nshow()\nn.k = 9\nshow()\ndel n.k"},
    {"an attribute that varies, then a property", R"(
class A: pass
class B:
    @property
    def k(self): return 8
n = A()
n.k = 3
def g(x, n): return x * n.k)",
     "f(x, n)", "n.k = 4\nshow()\nn.k = 5\nshow()\nn = B()"},
    {"two functions of one text behind a break, and which", R"(
v = [0]
def g(x):
    def make(k): return lambda w: w * k
    a, b = make(2), make(3)
    if v[0]: a, b = b, a
    torch._dynamo.graph_break()
    return a(x) + b(x) * 10, a is b)",
     "f(x)", "v[0] = 1"},
    {"a function that a frame made, with attributes of its own", R"(
v = [0]
def g(x):
    def h(w): return w * getattr(h, 'k', 1)
    if v[0]: h.k = 5
    torch._dynamo.graph_break()
    return h(x))",
     "f(x)", "v[0] = 1"},
    {"a function that a frame made, or another one", R"(
v = [0]
def other(w): return w * 7
def g(x):
    def h(w): return w * 2
    if v[0]: h = other
    torch._dynamo.graph_break()
    return h(x), h is other)",
     "f(x)", "v[0] = 1"},
    {"a default that a frame's function has", R"(
v = [2]
def g(x):
    def h(w, k=v[0]): return w * k
    torch._dynamo.graph_break()
    return h(x))",
     "f(x)", "v[0] = 3"},
    {"a variable of a frame's function", R"(
v = [2]
def g(x):
    k = v[0] * 1.5
    def h(w): return w * k
    torch._dynamo.graph_break()
    return h(x))",
     "f(x)", "v[0] = 3"},
    {"a setting that comes",
     "import torch._dynamo.config as c\n"
     "def g(x): return x * getattr(c, 'accumulated_recompile_limit', 2)",
     "f(x)", "c.accumulated_recompile_limit = 300"},
    // behind a graph break
    {"a class attribute behind a break",
     "class A:\n    k = 2\ndef g(x):\n    print('-')\n    return x * A.k", "f(x)", "A.k = 3"},
    {"a list against a tuple behind a break",
     "v = [1]\ndef g(x, v):\n    print('-')\n    return x * 1, v + v", "f(x, v)", "v = (1,)"},
    {"what a broken call gave",
     "v = [2]\ndef h(v):\n    print('-')\n    return v\ndef g(x, v):\n    w = h(v)\n "
     "   return x * 1, w * 2",
     "f(x, v)", "v = (2,)"},
    {"a name without a value behind a break", R"(
v = [0]
def g(x, v):
    if v[0]:
        k = 2
    print('-')
    try:
        return x * k
    except NameError:
        return x * 5)",
     "f(x, v)", "v[0] = 1"},
};

} // namespace

void TestStaleEntries::a_change_outside_is_seen_data() {
    QTest::addColumn<QString>("setup");
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("change");
    for (const Row& row : kRows)
        QTest::newRow(row.name) << QString(row.setup) << QString(row.call) << QString(row.change);
}

void TestStaleEntries::a_change_outside_is_seen() {
    QFETCH(QString, setup);
    QFETCH(QString, call);
    QFETCH(QString, change);
    ScriptWorld plain, world;
    ScriptRun eager = plain.run(script(setup, call, change, false));
    QCOMPARE(QString::fromStdString(eager.error), QString());
    // The change shows in what the plain function gives: the row tests something.
    QStringList lines = QString::fromStdString(eager.printed).split('\n', Qt::SkipEmptyParts);
    qsizetype half = lines.size() / 2;
    QVERIFY(lines.mid(0, half) != lines.mid(half));
    ScriptRun compiled = world.run(script(setup, call, change, true));
    QCOMPARE(QString::fromStdString(compiled.error), QString());
    QCOMPARE(QString::fromStdString(compiled.printed), QString::fromStdString(eager.printed));
}

void TestStaleEntries::what_did_not_change_is_not_compiled_again_data() {
    QTest::addColumn<QString>("setup");
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("change");
    auto row = [](const char* name, const char* setup, const char* call, const char* change) {
        QTest::newRow(name) << QString(setup) << QString(call) << QString(change);
    };
    row("a function that the frame makes anew",
        "def g(x):\n    def h(w): return w * 2\n    torch._dynamo.graph_break()\n    return h(x)",
        "f(x)", "pass");
    row("another global comes", "def g(x): return x * len([1])", "f(x)", "other = 1");
    row("another attribute of the object",
        "class A:\n    k = 2\nv = A()\ndef g(x, v): return x * v.k", "f(x, v)", "v.other = 1");
    row("another object with other attributes",
        "class A:\n    k = 2\nv = A()\nv.a = 1\ndef g(x, v): return x * v.k", "f(x, v)",
        "v = A()\nv.b = 1");
    row("another attribute of the class",
        "class A:\n    k = 2\nv = A()\ndef g(x, v): return x * v.k", "f(x, v)", "A.other = 1");
    row("the same value again", "class A:\n    k = 2\nv = A()\ndef g(x, v): return x * v.k",
        "f(x, v)", "A.k = 3\nA.k = 2");
    row("an attribute of a module", "v = nn.Linear(2, 2)\ndef g(x, v): return v(x)", "f(x, v)",
        "v.other = 1");
    row("a key that is not read", "v = {'a': 2}\ndef g(x, v): return x * v['a']", "f(x, v)",
        "v['b'] = 1");
    row("an equal list", "v = [2]\ndef g(x, v): return x * v[0]", "f(x, v)", "v = [2]");
    row("an equal key", "v = ('a', 1)\nd = {('a', 1): 2}\ndef g(x, v): return x * d[v]", "f(x, v)",
        "v = ('a', 1)");
    row("a tensor in a class", "class A:\n    k = torch.ones(2)\ndef g(x): return x * A.k", "f(x)",
        "A.k = torch.zeros(2)");
}

void TestStaleEntries::what_did_not_change_is_not_compiled_again() {
    QFETCH(QString, setup);
    QFETCH(QString, call);
    QFETCH(QString, change);
    ScriptWorld world;
    ScriptRun run = world.run(script(setup, call, change, true));
    QCOMPARE(QString::fromStdString(run.error), QString());
    QCOMPARE(world.compiler.captured.size(), size_t{1});
}

void TestStaleEntries::guards_name_what_they_rely_on() {
    ScriptWorld world;
    ScriptRun run = world.run("import torch\n"                                              // 1
                              "class A:\n    k = 2\n    table = [3]\n    def m(self, x):\n" // 2..5
                              "        return x * self.k\n"                                 // 6
                              "def h(x, s=4):\n    return x * s\n"                          // 7
                              "@torch.compile\ndef f(x, v):\n"                              // 9
                              "    y = v.m(x) * len([1])\n"                                 // 11
                              "    if hasattr(v, 'extra'):\n        y = y + 1\n"            // 12
                              "    return h(y) * A.table[0]\n"                              // 14
                              "f(torch.ones(2), A())\n");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QStringList texts;
    for (const auto& g : world.compiler.captured.at(0).guards)
        texts << QString::fromStdString(
            fmt::format("{} {}: {} {}", g.where.line, g.kind, g.source, g.condition));
    for (const char* text :
         {"6 CONSTANT_MATCH: A.k == 2", "11 FUNCTION_MATCH: A.m is the same function",
          "11 BUILTIN_MATCH: len is the built-in one",
          "12 HASATTR: L['v'] has no attribute 'extra'", "14 CONSTANT_MATCH: default 's' of h == 4",
          "14 CONSTANT_MATCH: G['A'].table[0] == 3", "14 TYPE_MATCH: G['A'].table is a list"})
        QVERIFY2(texts.contains(text), qPrintable(text + ("\nnot among\n" + texts.join('\n'))));
}

QTEST_APPLESS_MAIN(TestStaleEntries)
#include "test_stale_entries.moc"
