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
