# SPDX-License-Identifier: Apache-2.0
# When locals of a compiled function that nothing reads again are given up: as eagerly, seen by __del__, weak references
# and their callbacks; at its first call and at the next.
import torch, weakref
said = []


class N:
    def __init__(self, n): self.n = n
    def __del__(self): said.append(("del", self.n))
    def m(self): return self.n
def note(r): said.append("called")
def show(*a): said.append(a)

def f1(x):
    n = N("f1")
    y = x + 1
    show("mid")
    return y * 2
def f2(x):
    n = N("f2")
    r = weakref.ref(n)
    y = x + 1
    show("mid", r() is None)
    return y * 2
def f3(x):
    n = N("f3")
    n = None
    show("after none")
    return x + 1
def f4(x):
    n = N("f4")
    del n
    show("after del")
    return x + 1
def f5(x, n):
    r = weakref.ref(n, note)
    y = x + 1
    n = None
    show("mid", r() is None)
    return y
class Plain:
    def m(self): return 1
def f6(x):
    p = Plain()
    r = weakref.ref(p)
    show("mid", r() is None)
    show("mid", r() is None)
    return x + 1
def f7(x):
    p = Plain()
    w = weakref.WeakMethod(p.m)
    show("mid", w() is None)
    show("mid", w() is None)
    return x + 1
def f8(x):
    p = Plain()
    r = weakref.ref(p, note)
    y = x + 1
    return y
def f9(x):
    p = Plain()
    q = [p]
    r = weakref.ref(p, note)
    show("m1", r() is None)
    q = 1
    show("m2", r() is None)
    p = 2
    show("m3", r() is None)
    return x + 1
def g10(x):
    p = N("g10")
    return x + 1
def f10(x):
    y = g10(x)
    show("after g")
    return y
def f11(x):
    t = torch.ones(3)
    r = weakref.ref(t)
    show("t", r() is None)
    y = x + t
    show("t2", r() is None)
    return y
def f12(x):
    t = x + 1
    r = weakref.ref(t)
    show("t", r() is None)
    show("t", r() is None)
    return x * 2
def f13(x):
    l = {1, 2}
    r = weakref.ref(l)
    show("t", r() is None)
    show("t", r() is None)
    return x * 2
def f14(x):
    def inner(): return 3
    r = weakref.ref(inner)
    show("t", r() is None)
    show("t", r() is None)
    return x * 2
def f15(x):
    for i in range(2):
        n = N(i)
        show("loop", i)
    show("after")
    return x * 2
def f16(x):
    try:
        n = N("try")
        show("in try")
        raise ValueError("a")
    except ValueError as e:
        show("handler")
    show("after")
    return x + 1
def f17(x, box):
    n = box.pop()
    show("popped")
    show("still")
    return x + 1
def f18(x, box):
    n = box.pop()
    r = weakref.ref(n, note)
    y = x + 1
    show("popped", r() is None)
    del n
    show("still", r() is None)
    return x + 1
def f19(x):
    n = N("arg")
    def inner(k):
        show("in inner")
        return k
    inner(n)
    show("after inner")
    return x + 1
class W:
    pass
def f20(x):
    a = W(); a.n = N("held")
    show("one")
    a = 3
    show("two")
    return x + 1
def f21(x):
    a = [N("l")]
    show("one")
    a = 3
    show("two")
    return x + 1
def f22(x):
    a = N("c")
    def h(): return a
    show("one")
    show("two")
    return x + 1
def f23(x):
    with torch.no_grad():
        a = N("w")
        show("one")
    show("two")
    a = None
    show("three")
    return x + 1
def f24(x, ws):
    a = Plain()
    ws.add(a)
    show("one", len(ws))
    y = x + 1
    show("two", len(ws))
    return y
def f25(x, wd):
    a = Plain()
    wd["k"] = a
    show("one", len(wd))
    y = x + 1
    show("two", len(wd))
    return y
def f26(x):
    a = Plain()
    weakref.finalize(a, show, "final")
    show("one")
    y = x + 1
    show("two")
    return y
def f27(x):
    class K: pass
    r = weakref.ref(K)
    show("one", r() is None)
    show("two", r() is None)
    return x
def f28(x):
    def gen():
        try:
            yield 1
            yield 2
        finally:
            show("closed")
    g = gen()
    next(g)
    show("one")
    show("two")
    return x + 1
def f29(x):
    n = Plain()
    r = weakref.ref(n)
    k = n
    n = 0
    show("one", r() is None)
    show("one", r() is None)
    return x + 1
def f30(x):
    w = weakref.proxy(p := Plain())
    show("one")
    show("v", w.m())
    return x + 1

def a1(x):
    a = N("a1")
    def h(): return a
    show("one")
    show("two", h is None)
    return x + 1
def a2(x, n):
    h = lambda: n
    show("one")
    return x + 1


def once(f, given):
    said.clear()
    f(torch.ones(3), *[make() for make in given])
    show("returned")
    return list(said)


given = {f5: [Plain], f17: [lambda: [N("box")]], f18: [lambda: [N("box")]], f24: [weakref.WeakSet],
         f25: [weakref.WeakValueDictionary], a2: [lambda: N("a2")]}
agree = 0
for f in [v for k, v in list(globals().items()) if k[0] in "fa" and k[1:].isdigit()]:
    arguments = given.get(f, [])
    expected, compiled = once(f, arguments), torch.compile(f)
    for time in ("first", "next"):
        got = once(compiled, arguments)
        if got == expected:
            agree += 1
        else:
            print(f.__name__, time, got, "for", expected)
print(agree, "agree")
