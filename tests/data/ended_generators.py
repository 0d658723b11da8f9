# SPDX-License-Identifier: Apache-2.0
# Generators that a compiled function leaves inside of a try or with, and managers made of them: their ends come where
# they come eagerly, and managers that end within the function are no break.
import contextlib
import torch
said = []


@contextlib.contextmanager
def scaled(k):
    said.append("in")
    try:
        yield k
    finally:
        said.append("out")


@contextlib.contextmanager
def recording(on):
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(on)
    try:
        yield
    finally:
        torch.set_grad_enabled(before)


@contextlib.contextmanager
def catching():
    try:
        yield
    except ValueError as e:
        said.append(str(e))
    else:
        said.append("else")


def steps():
    try:
        yield 1
        yield 2
    finally:
        said.append("end")


def f1(x):
    with scaled(3.0) as k:
        y = x * k
    return y + 1
def f2(x):
    with scaled(2.0) as a, scaled(3.0) as b:
        return x * a * b
def f3(x):
    with recording(False):
        y = x * 2
    return y, torch.is_grad_enabled()
def f4(x):
    with catching():
        raise ValueError("inner")
    with catching():
        pass
    return x + 1
@scaled(4.0)
def f5(x): return x - 1
def f6(x):
    with contextlib.ExitStack() as s:
        return x * s.enter_context(scaled(5.0))
def f7(x):
    for i in range(3):
        with scaled(float(i)) as k:
            x = x + k
    return x
def f8(x):
    for i in steps():
        x = x + i
    return x
def f9(x):
    g = steps()
    next(g)
    x = x + 1
    g.close()
    return x
def f10(x):
    a, b = steps()
    return x + a + b
def f11(x):
    try:
        with scaled(2.0) as k:
            x = x * k
            raise KeyError("k")
    except KeyError as e:
        said.append(repr(e))
    return x
def f12(x):
    with scaled(2.0) as k:
        y = x * k
        torch._dynamo.graph_break()
        y = y + 1
    return y
def f13(x):
    for i in steps():
        x = x + i
        break
    said.append("after")
    return x
def f14(x):
    g = steps()
    next(g)
    y = x + 1
    g = None
    said.append("gone")
    return y
def f15(x):
    g = steps()
    g.send(None)
    return x + 1
def f16(x):
    with scaled(2.0) as k:
        if x.sum() > 0:
            x = x * k
    return x
def f17(x):
    with scaled(2.0) as k:
        n = x.sum().item()
        return x * k if n > 0 else x


one = f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11
agree = 0
for f in one + (f12, f13, f14, f15, f16, f17):
    x = torch.ones(2, requires_grad=f is f3)
    expected = str((f(x), said))
    for full in (True, False) if f in one else (False,):
        said.clear()
        compiled = torch.compile(f, fullgraph=full, backend="eager")
        for time in ("first", "next"):
            said.clear()
            try:
                got = str((compiled(x), said))
            except torch._dynamo.exc.Unsupported as e:
                got = e
            if got == expected:
                agree += 1
            else:
                print(f.__name__, full, time, got, "differs from", expected)
    said.clear()
print(agree, "agree")
