"""Hooks and kept gradients of a value that others were computed of before: compiled as eagerly."""
import torch


def late_hook(x, w):
    y = x * w
    z = y * 2
    y.register_hook(lambda g: g * 3)
    return z + y


def hook_without_use(x, w):
    y = x * w
    z = y * 2
    y.register_hook(lambda g: g * 3)
    return z


def early_hook(x, w):
    y = x * w
    y.register_hook(lambda g: g * 3)
    z = y * 2
    return z + y


def changed(x, w):
    y = x * w
    y.register_hook(lambda g: g * 3)
    y.mul_(2)
    return y


kept = []


def keeps(x, w):
    y = x * w
    z = (y * 2).sin()
    y.retain_grad()
    kept.append(y)
    return z + y


def between(x, w):
    a = x + w
    b = a.exp()
    c = b * a
    b.register_hook(lambda g: g + 1)
    d = c * b
    a.register_hook(lambda g: g * 0.5)
    return d + a


for f in (late_hook, hook_without_use, early_hook, changed, keeps, between):
    for g in (f, torch.compile(f)):
        w = torch.tensor([1.0, 0.5], requires_grad=True)
        out = g(torch.tensor([1.0, 2.0]), w)
        out.sum().backward()
        print(f.__name__, out.detach(), w.grad)
for y in kept:
    print(y.grad)


# A kept gradient is that of the tensor as it is last: changes in place take it along, also of a base and its views.
def whole(y):
    return y.mul_(3)


def part(y):
    y[1:].mul_(3)
    return y


def twice(y):
    return y.mul_(3).add_(1)


for change in (whole, part, twice):
    for g in (change, torch.compile(change)):
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        v = y[1:]
        v.retain_grad()
        y.retain_grad()
        g(y)
        (y * y).sum().backward()
        print(change.__name__, x.grad, y.grad, v.grad, y.retains_grad)

# A leaf's hooks see the sum of all that arrives, once; a backward() that fails before leaves no part of it.
def both(name, loss):
    for compiled in (False, True):
        w = torch.tensor([1., 2., 3.], requires_grad=True)
        seen = []
        w.register_hook(lambda g: (seen.append(g.tolist()), g.clamp(max=3))[1])
        w.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.tolist()))
        (torch.compile(loss, backend="aot_eager") if compiled else loss)(w).backward()
        print(name, compiled, w.grad.tolist(), seen)
both("twice", lambda w: (w * w).sum())
both("thrice", lambda w: (w * w * w).sum() + w.sum())
w = torch.tensor([1., 2.], requires_grad=True)
w.register_hook(lambda g: g + 1)
f = torch.compile(lambda a: (a * a).sum())
(f(w) + f(w)).backward()
print(w.grad)
print(torch.autograd.grad((w * w).sum(), w))
u = torch.tensor([2.], requires_grad=True)
u.register_hook(lambda g: print("not asked for", g))
print(torch.autograd.grad((w * u).sum(), w))
class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()
    @staticmethod
    def backward(ctx, g):
        raise ValueError("no")
w = torch.tensor([1., 2.], requires_grad=True)
for _ in range(2):
    try:
        (Bad.apply(w * 2).sum() + (w * w).sum()).backward()
    except ValueError as e:
        print(e, w.grad)
p = torch.nn.Parameter(torch.tensor([1., 2.]))
def step(q):
    with torch.no_grad():
        q.sub_(q.grad * .1)
    q.grad = None
p.register_post_accumulate_grad_hook(step)
for _ in range(2):
    ((p * p * p).sum() + p.sum()).backward()
print(p, p.grad)
x = torch.ones(2, requires_grad=True)
torch.autograd.backward([x, x * 2, x], [torch.ones(2), torch.ones(2), torch.ones(2)])
print(x.grad)
m = torch.nn.Linear(2, 2)
torch.nn.init.constant_(m.weight, .5); torch.nn.init.zeros_(m.bias)
m.weight.register_hook(lambda g: print("hook", g.tolist()))
m(m(torch.ones(1, 2))).sum().backward()
print(m.weight.grad)


# Hooks of functions of the tape, and of several tensors at once.
from torch.autograd.graph import register_multi_grad_hook


def t(name, f):
    global x, w
    x, w = torch.tensor([1., 2.], requires_grad=True), torch.tensor([3., 4.], requires_grad=True)
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, str(e)[:100])


def a():
    seen = []
    y = x * w
    h = y.grad_fn.register_hook(lambda gi, go: seen.append((gi, go)))
    y.sum().backward()
    return seen, x.grad
t("hook", a)
def b():
    y = x * w
    y.grad_fn.register_hook(lambda gi, go: (gi[0] * 2, None))
    x.grad = w.grad = None
    y.sum().backward(); return x.grad, w.grad
t("hook changes", b)
def c():
    y = x * w
    y.grad_fn.register_prehook(lambda go: (go[0] * 10,))
    x.grad = w.grad = None
    y.sum().backward(); return x.grad, w.grad
t("prehook", c)
def d():
    y = x * w
    s = []
    h = y.grad_fn.register_prehook(lambda go: s.append(1))
    h.remove()
    k = y.grad_fn.register_hook(lambda gi, go: s.append(2))
    k.remove()
    y.sum().backward(); return s
t("removed", d)
def e():
    s = []
    x.grad = w.grad = None
    h = register_multi_grad_hook((x, w), lambda g: s.append(g))
    (x * w).sum().backward(); (x * 2).sum().backward()
    h.remove(); (x * w).sum().backward()
    return s
t("multi", e)
def f():
    s = []
    y, z = x * 2, w * 3
    register_multi_grad_hook((y, z, x), lambda g: s.append([None if q is None else q.tolist() for q in g]))
    (y * z).sum().backward(retain_graph=True)
    y.sum().backward()
    return s
t("multi inner", f)
def any_of():
    s = []
    y, z = x * 2, w * 3
    register_multi_grad_hook((y, z), lambda q: s.append(q.tolist()), mode="any")
    (y * z).sum().backward(retain_graph=True); y.sum().backward()
    return s
t("any", any_of)
def h():
    y = x * w
    y.grad_fn.register_hook(lambda gi, go: (gi[0],))
    y.sum().backward()
t("wrong count", h)
def i():
    y = (x * w)
    z = y.exp()
    s = []
    y.register_hook(lambda q: s.append("tensor"))
    y.grad_fn.register_prehook(lambda q: s.append("pre"))
    y.grad_fn.register_hook(lambda a, b: s.append("post"))
    y.retain_grad()
    z.sum().backward()
    return s, y.grad
t("order", i)
def j():
    acc = (x * 1).grad_fn.next_functions[0][0]
    s = []
    acc.register_hook(lambda gi, go: s.append((gi, go)))
    acc.register_prehook(lambda go: (go[0] * 3,))
    x.grad = None
    (x * 1).sum().backward()
    return s, x.grad
t("accumulate", j)
def k():
    y = x * w
    s = []
    y.grad_fn.register_hook(lambda gi, go: s.append("a"))
    y.grad_fn.register_hook(lambda gi, go: s.append("b"))
    torch.autograd.grad(y.sum(), x)
    return s
t("grad()", k)
def l():
    v, i = torch.stack([x, w]).max(0)
    s = []
    v.grad_fn.register_prehook(lambda go: s.append([q if q is None else q.tolist() for q in go]))
    v.sum().backward(); return s
t("two outputs", l)
def n():
    y = x * w
    y.grad_fn.register_hook(lambda gi, go: "no")
    y.sum().backward()
t("not tuple", n)
def o():
    y = x * w
    y.grad_fn.register_prehook(lambda go: 1)
    y.sum().backward()
t("pre not tuple", o)
def p():
    s = []
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a): return a * 2
        @staticmethod
        def backward(ctx, g): return g * 2
    y = F.apply(x)
    y.grad_fn.register_hook(lambda gi, go: s.append((gi, go)))
    y.grad_fn.register_prehook(lambda go: s.append(go))
    y.sum().backward(); return s
t("function", p)
def q():
    s = []
    f = torch.compile(lambda x, w: (x * w).exp())
    y = f(x, w)
    y.grad_fn.register_prehook(lambda go: s.append(len(go)))
    y.sum().backward(); return s, y.grad_fn.name()
t("compiled", q)
def r():
    s = []
    register_multi_grad_hook((x, w), lambda g: s.append([q is None for q in g]))
    def f(x, w): return (x * w).sin().sum()
    torch.compile(f)(x, w).backward(); return s
t("multi compiled", r)
t("mode", lambda: register_multi_grad_hook((x,), print, mode="no"))
t("none", lambda: register_multi_grad_hook((torch.ones(2),), print))
def u():
    y = x * w
    y.grad_fn.register_hook(lambda gi: None)
    y.sum().backward()
t("arity", u)
