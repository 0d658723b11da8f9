// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scripts that mean harm, and how each ends.
#pragma once

namespace cutaway::test {

struct AdversarialScript {
    const char* name;
    const char* text;
    /// "": it runs to its end; "cancelled": it goes on until it is cancelled; otherwise part of the
    /// message that it ends with.
    const char* outcome;
};

inline constexpr const char* kTooLarge = "may take";

inline const AdversarialScript kAdversarialScripts[] = {
    // ---- one kind of value posing as another
    {"a built-in method's function", "''.upper.__func__(range(3))", "no attribute '__func__'"},
    {"a list's method on a range", "class A:\n    f = [].append\nA().f(range(3), 1)",
     "takes exactly one argument (2 given)"},
    {"the evaluator's own module", "import torch._C\ntorch._C.graph_break",
     "no attribute 'graph_break'"},
    {"the evaluator's own module through torch", "from torch import _C\n_C.graph_break()",
     "no attribute 'graph_break'"},
    {"the evaluator's own module through torch.nn", "import torch\ntorch.nn._C",
     "no attribute '_C'"},
    {"the evaluator's own module as a name", "_C", "name '_C' is not defined"},
    {"compile() of what is no module", "import torch\ntorch.nn.Module.compile(lambda: 5)",
     "Module.compile() of a function"},
    {"super() of NotImplemented", "class A: pass\nsuper(A, NotImplemented).f",
     "super() of a NotImplementedType, expected an instance of A"},
    {"super() of another class", "class A: pass\nclass B: pass\nsuper(A, B()).__init__()",
     "super() of a B, expected an instance of A"},
    {"super() after del self",
     "class A:\n    def f(self):\n        del self\n        super().f()\nA().f()",
     "first parameter was deleted"},
    {"super() of a method called with a number",
     "class A:\n    def f(self):\n        return super().f()\nA.f(5)", "super() of a int"},
    {"type_as() of a number", "import torch\ntorch.ones(2).type_as(5)", "must be a tensor"},
    {"a class that outlives its name",
     "def f():\n    class A: pass\n    class B(A):\n        def g(self): return super()\n    "
     "return "
     "B().g()\ns = f()\ns.__init__()",
     ""},
    {"parameters under numbers",
     "import torch\nm = torch.nn.Linear(1, 1)\nm._parameters[5] = m.weight\nlist(m.parameters())",
     ""},
    {"an attribute of the wrong kind",
     "import torch\nm = torch.nn.Linear(1, 1)\nm._modules = 5\nm.to(torch.float64)\nprint(m)",
     "error"},
    {"calling a slice", "slice(1, 2)()", "cannot be called"},
    {"size of a number", "import torch\ntorch.Tensor.size(5)", "no attribute 'size'"},
    {"a window before the memory", "import torch\ntorch.ones(3).as_strided((3,), (1,), -10)",
     "storage_offset of at least 0"},
    {"a window behind the memory", "import torch\ntorch.ones(3).as_strided((2**32 + 1,), (2**32,))",
     "Storage size calculation overflowed"},

    // ---- scripts' code inside the evaluator's loops
    {"a generator that clears the list it is assigned to",
     "l = list(range(100))\ndef g():\n    l.clear()\n    yield 1\nl[0:50] = g()\nassert l == [1]",
     ""},
    {"a generator that clears, with a step",
     "l = list(range(100))\ndef g():\n    l.clear()\n    yield 1\nl[0:50:2] = g()",
     "found 1 values for a slice of 0"},
    {"__repr__ that clears its list",
     "class R:\n    def __repr__(self):\n        l.clear()\n        return 'R'\nl = [R() for i in "
     "range(50)]\nassert repr(l) == '[R]'",
     ""},
    {"__repr__ that grows its list",
     "class R:\n    def __repr__(self):\n        l.append(R())\n        return 'R'\nl = "
     "[R()]\nprint(l)",
     "cancelled"},
    {"__repr__ that grows its dict",
     "class R:\n    def __repr__(self):\n        d[len(d)] = R()\n        return 'R'\nd = {0: "
     "R()}\nprint(d)",
     "cancelled"},
    {"__repr__ that clears its dict",
     "class R:\n    def __repr__(self):\n        d.clear()\n        return 'R'\nd = {i: R() for i "
     "in "
     "range(50)}\nprint(d)",
     ""},
    {"__eq__ that grows its list",
     "class E:\n    def __eq__(self, other):\n        l.append(E())\n        return False\nl = "
     "[E()]\n5 in l",
     "cancelled"},
    {"__eq__ that clears its list as it searches",
     "class E:\n    def __eq__(self, other):\n        l.clear()\n        return True\nl = [E() for "
     "i "
     "in range(50)]\nl.remove(5)",
     "the item is not in the list"},
    {"__eq__ that clears both sides of a comparison",
     "class E:\n    def __eq__(self, other):\n        a.clear()\n        b.clear()\n        return "
     "True\na = {i: E() for i in range(50)}\nb = {i: E() for i in range(50)}\na == b",
     ""},
    {"__lt__ that clears the list being sorted",
     "class L:\n    def __lt__(self, other):\n        l.clear()\n        return True\nl = [L() for "
     "i "
     "in range(50)]\nl.sort()",
     ""},
    {"__lt__ that grows the list being sorted",
     "class L:\n    def __lt__(self, other):\n        l.append(L())\n        return True\nl = [L() "
     "for i in range(50)]\nl.sort()",
     "list modified during sort"},
    {"__lt__ that contradicts itself",
     "class L:\n    def __lt__(self, other):\n        return True\nsorted([L() for i in "
     "range(99)])",
     ""},
    {"a list in itself, printed", "l = []\nl.append(l)\nassert repr(l) == '[[...]]'", ""},
    {"a list in itself, compared", "a = []\na.append(a)\nb = []\nb.append(b)\na == b",
     "nested too deeply"},
    {"a module in itself",
     "import torch\nm = torch.nn.Linear(1, 1)\nm.me = m\nassert len(list(m.parameters())) == 2\n"
     "m.state_dict()",
     "nested too deeply"},
    {"a module in itself, printed", "import torch\nm = torch.nn.Linear(1, 1)\nm.me = m\nrepr(m)",
     "nested too deeply"},
    {"a module in itself, trained", "import torch\nm = torch.nn.Linear(1, 1)\nm.me = m\nm.eval()",
     "nested too deeply"},
    {"an object that becomes a number", "class A: pass\na = A()\na.__class__ = int\na + 1",
     "cannot become a int"},
    {"other bases", "class A: pass\nclass B: pass\nB.__bases__ = (A,)", "cannot be set"},
    {"an attribute of int", "int.real = 3", "immutable type 'int'"},
    {"a format field that nests for ever", "('{:' * 100000).format(1)", "expected '}'"},
    {"a key that clears the list being sorted",
     "l = list(range(50))\nl.sort(key=lambda x: l.clear() or x)", ""},
    {"a dict that grows while it is walked", "d = {0: 0}\nfor k in d:\n    d[k + 1] = 0",
     "dictionary changed size during iteration"},
    {"a dict emptied while it is walked",
     "d = {i: i for i in range(99)}\nfor k in d:\n    d.clear()",
     "dictionary changed size during iteration"},
    {"a generator that runs itself", "def f():\n    yield next(g)\ng = f()\nnext(g)",
     "already executing"},
    {"an index that changes the list",
     "class I:\n    def __len__(self):\n        l.clear()\n        return 3\nl = [1, 2, "
     "3]\nl[len(I()) "
     "- 1]",
     "out of range"},
    {"__str__ that gives itself", "class A:\n    def __str__(self):\n        return self\nstr(A())",
     "returned non-string"},
    {"__bool__ that gives itself",
     "class A:\n    def __bool__(self):\n        return self\nbool(A())", "should return bool"},
    {"__len__ that gives text", "class A:\n    def __len__(self):\n        return 'x'\nlen(A())",
     "must be an int"},
    {"__index__ that clears the list it slices",
     "class I:\n    def __index__(self):\n        l.clear()\n        return 5\nl = "
     "list(range(100))\nassert l[I():] == [] and l[:] == []\nl = list(range(100))\nl[I():50] = [1, "
     "2]\nassert l == [1, 2]\nl = list(range(100))\ndel l[I():]\nassert l == []",
     ""},
    {"__index__ that clears the list it writes",
     "class I:\n    def __index__(self):\n        l.clear()\n        return 5\nl = "
     "list(range(100))\nl.insert(I(), 3)\nassert l == [3]\nl = list(range(100))\nl[I()] = 3",
     "out of range"},
    {"__index__ that clears the list it pops",
     "class I:\n    def __index__(self):\n        l.clear()\n        return 5\nl = "
     "list(range(100))\nl.pop(I())",
     "empty list"},
    {"__index__ that clears the bytes it searches",
     "class I:\n    def __index__(self):\n        del b[:]\n        return 50\nb = bytearray(b'x' "
     "* 100)\nassert b.find(b'y', I()) == -1",
     ""},
    {"an abandoned generator that clears the list being copied",
     "def g():\n    try:\n        yield 1\n    finally:\n        l.clear()\n        l.append(5)\nl "
     "= [[i] for i in range(100000)]\nx = g()\nnext(x)\nx = None; y = l[:]\nassert y == [5]",
     ""},

    // ---- keys
    {"NaN as a key",
     "n = float('nan')\nd = {n: 1}\nassert list(d.items())[0][1] == 1\nd.copy()\ndict(d)\nd | "
     "d\nd.update(d)\nassert d[n] == 1 and n != n",
     ""},
    {"a shared nest as a key",
     "t = ()\nfor i in range(60):\n    t = (t, t)\nd = {t: 1}\nassert t in d", ""},
    {"two shared nests as keys",
     "def nest():\n    t = ()\n    for i in range(60):\n        t = (t, t)\n    return t\nd = "
     "{nest(): 1}\nnest() in d",
     "cancelled"},
    {"a class in a function whose method reads its variable",
     "def f(x):\n    class A:\n        y = x\n        def g(self):\n            return x\n    "
     "return "
     "A\nassert f(5)().g() == 5 and f(6).y == 6",
     ""},

    // ---- endless
    {"sleeping", "import time\ntime.sleep(10**9)", "cancelled"},
    {"while True", "while True:\n    pass", "cancelled"},
    {"a very long sum", "sum(range(10**15))", "cancelled"},
    {"a very long min", "min(x for x in range(10**15))", "cancelled"},
    {"a very long any", "any(map(lambda x: False, range(10**15)))", "cancelled"},
    {"a very long search", "-1 in iter(range(10**15))", "cancelled"},
    {"a very long unpacking", "(a, *b), c = zip(range(10**15), range(2)), 1\n*d, e = range(10**15)",
     kTooLarge},
    {"a filter that lets nothing through", "next(filter(lambda x: False, range(10**15)))",
     "cancelled"},
    {"recursion without loops", "def f(n):\n    if n:\n        f(n - 1)\n        f(n - 1)\nf(900)",
     "cancelled"},
    {"recursion through __eq__",
     "class A:\n    def __init__(self, n):\n        self.n = n\n    def __eq__(self, other):\n     "
     "   "
     "return self.n == 0 or A(self.n - 1) == 1 and A(self.n - 1) == 1\nA(200) == 1",
     "cancelled"},
    {"printing a shared nest", "l = []\nfor i in range(45):\n    l = [l, l]\nprint(l)",
     "cancelled"},
    {"comparing two shared nests",
     "def nest():\n    l = []\n    for i in range(60):\n        l = [l, l]\n    return l\nnest() "
     "== "
     "nest()",
     "cancelled"},
    {"ordering two shared nests",
     "def nest(n):\n    l = [n]\n    for i in range(60):\n        l = [l, l]\n    return "
     "l\nnest(1) "
     "<= nest(1)",
     "cancelled"},
    {"handlers that catch everything",
     "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n    "
     "   "
     " pass\n    finally:\n        pass",
     "cancelled"},
    {"a generator that goes on after all",
     "def g():\n    while True:\n        yield 1\nfor x in "
     "g(): pass",
     "cancelled"},
    {"sorting by an endless key", "sorted([1, 2], key=lambda x: sum(range(10**15)))", "cancelled"},
    {"joining for ever", "','.join('x' for i in iter(range(10**15)))", "cancelled"},
    {"an endless sequence of __getitem__",
     "class A:\n    def __getitem__(self, i):\n        return i\nsum(A())", "cancelled"},
    {"an endless sequence of __next__",
     "class A:\n    def __iter__(self):\n        return self\n    def __next__(self):\n        "
     "return "
     "0\nsum(A())",
     "cancelled"},
    {"isinstance of a shared nest of classes",
     "t = (int,)\nfor i in range(60):\n    t = (t, t)\nisinstance('', t)", "cancelled"},
    {"a search that a simple algorithm cannot end",
     "s = 'a' * 10**7\nassert (s + 'c').find('a' * 10**6 + 'b') == -1", ""},
    {"counting what overlaps itself", "assert ('a' * 10**7).count('a' * 10**6 + 'b') == 0", ""},
    {"a power of long numbers", "pow(3, 1 << 10**6, (1 << 10**5) + 7)", "cancelled"},
    {"places of a large triangle", "import torch\ntorch.tril_indices(10**7, 10**7)",
     "has more than 268435456 places"},
    {"all combinations", "import torch\ntorch.combinations(torch.arange(1000), 10)",
     "numel: integer multiplication overflow"},
    {"a stack of a million tensors", "import torch\ntorch.stack([torch.ones(1)] * 10**6)",
     "cancelled"},

    // ---- large
    {"doubling a text", "s = 'x'\nwhile True:\n    s = s + s", kTooLarge},
    {"doubling a list", "s = [1]\nwhile True:\n    s = s + s", kTooLarge},
    {"doubling a tuple", "s = (1,)\nwhile True:\n    s += s", kTooLarge},
    {"extending a list by itself", "s = [1]\nwhile True:\n    s.extend(s)", kTooLarge},
    {"a list in place", "s = [1]\nwhile True:\n    s += s", kTooLarge},
    {"assigning a list to its own end", "s = [1]\nwhile True:\n    s[len(s):] = s", kTooLarge},
    {"a text repeated", "s = 'x' * 10**12", kTooLarge},
    {"a list repeated", "s = [0] * 10**10", kTooLarge},
    {"a tuple repeated", "s = (0, 1) * 10**10", kTooLarge},
    {"a wide alignment", "s = 'x'.ljust(10**12)", kTooLarge},
    {"a wide alignment with a long filling", "'x'.center(10**7, 'y' * 10**6)",
     "exactly one character"},
    {"a wide format", "w = 10**9\nf'{1:{w}}'", "malformed format"},
    {"a precise format", "p = 10**9\nf'{1.5:.{p}f}'", "malformed format"},
    {"formatting with %", "'%1000000000d' % 1", "width too big"},
    {"a format that repeats its argument", "('{0}' * 10**5).format('x' * 10**6)", kTooLarge},
    {"a replacement that grows", "('a' * 10**6).replace('a', 'b' * 10**6)", kTooLarge},
    {"joining what is large", "('x' * 10**6).join(['y'] * 10**5)", kTooLarge},
    {"splitting what is large", "s = 'a ' * 3 * 10**7\nl = s.split()", kTooLarge},
    {"a list of all numbers", "l = list(range(10**15))", kTooLarge},
    {"a comprehension over all numbers", "l = [x for x in range(10**15)]", kTooLarge},
    {"a dict of all numbers", "d = {x: x for x in range(10**15)}", kTooLarge},
    {"a set of all numbers", "s = set(range(10**15))", kTooLarge},
    {"sorting all numbers", "sorted(range(10**15))", kTooLarge},
    {"appending for ever", "l = []\nwhile True:\n    l.append([])", kTooLarge},
    {"catching the limit for ever",
     "l = []\nwhile True:\n    try:\n        l.append('x' * 10**6)\n    except Exception:\n        "
     "pass",
     "cancelled"},
    {"names for ever",
     "class A: pass\na = A()\ni = 0\nwhile True:\n    setattr(a, 'x' * 10**5 + str(i), 1)\n    i "
     "+= 1",
     kTooLarge},
    {"closures for ever", "f = None\nwhile True:\n    f = lambda f=f: f", kTooLarge},
    {"a class of a class of a class", "class A: pass\nfor i in range(10**6):\n    class A(A): pass",
     "at most 1000 work"},
    {"arguments for ever", "def f(*a): return f(*a, *a)\nf(1)", kTooLarge},
    {"keywords for ever",
     "def f(**k): return len(k)\nf(**{'k' + str(i): i for i in range(10**15)})", kTooLarge},
    {"a long unknown name", "class A: pass\ngetattr(A(), 'x' * 10**7)", "no attribute 'xxx"},
    {"a long key error", "{}['x' * 10**7]", "has no key 'xxx"},
    {"a large text as an error", "raise ValueError('x' * 5 * 10**7)", "xxx"},
    {"a large error in a handler",
     "try:\n    raise ValueError('x' * 5 * 10**7)\nexcept ValueError as e:\n    assert len(str(e)) "
     "== 5 * 10**7",
     ""},
    {"steps beyond every sequence",
     "l = list(range(9))\nassert l[::10**30] == [0] and l[10**30:] == [] and l[::-2**63] == [8] "
     "and l[5::2**63 - 1] == [5]\nassert 'abc'[::2**70] == 'a' and (1, 2)[-10**30:10**30] == (1, "
     "2)",
     ""},
    {"a piece for every element", "import torch\ntorch.ones(10**7).split(1)", "pieces, at most"},
    {"more pieces than there are elements", "import torch\ntorch.ones(3).tensor_split(10**12)",
     "pieces, at most"},
    {"as many rows as elements", "import torch\ntorch.ones(10**7).unbind()", "pieces, at most"},

    // ---- deep
    {"a tower of lists", "l = []\nfor i in range(10**6):\n    l = [l]\nprint(l)", "too deep"},
    {"a tower of tuples as a key", "t = ()\nfor i in range(10**6):\n    t = (t,)\n{t: 1}",
     "too deep"},
    {"a tower of iterators", "i = iter([1])\nfor k in range(10**5):\n    i = enumerate(i)\nnext(i)",
     "too deep"},
    {"a tower of maps",
     "i = iter([1])\nfor k in range(10**5):\n    i = map(lambda x: x, i)\nnext(i)", "too deep"},
    {"a tower of static methods", "f = len\nfor k in range(10**5):\n    f = staticmethod(f)\nf([])",
     "too deep"},
    {"a tower of exceptions",
     "e = Exception()\nfor k in range(10**5):\n    e = Exception(e)\nstr(e)", "too deep"},
    {"a tower of slices", "s = slice(1)\nfor k in range(10**5):\n    s = slice(s)\nprint(s)",
     "too deep"},
    {"recursion without end", "def f(): f()\nf()", "too deep"},
    {"recursion through __getattr__",
     "class A:\n    def __getattr__(self, n): return self.x\nA().y", "too deep"},
    {"recursion through __repr__", "class A:\n    def __repr__(self): return repr(self)\nrepr(A())",
     "too deep"},
    {"recursion through __iter__", "class A:\n    def __iter__(self): return iter(self)\nlist(A())",
     "too deep"},
    {"recursion through a property",
     "class A:\n    @property\n    def p(self): return self.p\nA().p", "too deep"},
    {"a list that contains itself", "l = []\nl.append(l)\nprint(l)\nl == l", ""},
    {"a compiled function that returns what contains itself",
     "import torch\n@torch.compile\ndef f(x):\n    l = [x]\n    l.append(l)\n    return l\nl = "
     "f(torch.ones(3))\nassert l[1] is l",
     ""},
    {"comparing lists that contain each other",
     "a = []\nb = [a]\na.append(b)\nc = []\nd = [c]\nc.append(d)\na == c", "too deep"},
    {"a tower of exceptions to catch",
     "t = (ValueError,)\nfor i in range(10**5):\n    t = (t,)\ntry:\n    raise KeyError\nexcept "
     "t:\n    pass",
     "catching classes that do not inherit"},

    // ---- text that is none
    {"half a pair of surrogates", "s = chr(0xd800)", "chr()"},
    {"half a pair of surrogates in a literal", "s = '\\ud800'", "surrogate"},
    {"Latin-1", "s = 'caf\xe9'", "not UTF-8"},
    {"a cut character at the end", "s = 1 # \xe4\xb8", "not UTF-8"},
    {"an overlong character", "s = '\xc0\xaf'", "not UTF-8"},
    {"stripping a part of a character", "s = '\u00e9\u00e8'.strip('\u00e8')\nassert s == '\u00e9'",
     ""},

    // ---- finalizers
    {"cycles of objects with finalizers",
     "class A:\n    def __init__(self):\n        self.me, self.large = self, [0] * 10000\n"
     "    def __del__(self): pass\nfor i in range(20000): A()",
     ""},
    {"a finalizer that makes another object", "class A:\n    def __del__(self): A()\nA()", ""},
    {"a finalizer without an end",
     "class A:\n    def __del__(self):\n        while True: pass\nA()", "cancelled"},
    {"finalizers that raise what nobody may catch",
     "import sys\nclass A:\n    def __del__(self): sys.exit(1)\nclass B:\n"
     "    def __del__(self): raise KeyboardInterrupt\nA()\nB()\na = A()",
     ""},
    {"a finalizer that keeps its object",
     "class A:\n    def __del__(self):\n        global kept\n        kept = self\n"
     "for i in range(100): A()\nassert type(kept) is A",
     ""},

    // ---- the syntax tree and its code
    {"bases without an order", "class A: pass\nclass B(A): pass\nclass C(A, B): pass",
     "no consistent order"},
};

} // namespace cutaway::test
