# What is captured anew, and what is not: functions that a frame makes, ints within objects, reset().
import torch
import torch._dynamo
from torch._dynamo.testing import CompileCounter, normalize_gm, same, unsupported
from torch.library import define, impl

x = torch.arange(4.0)


def counted(name, function, calls, **how):
    """What the calls give, compiled as plainly, and how often that captured."""
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter, **how)
    for make in calls:
        plain, found = function(*make()), compiled(*make())
        assert same(plain, found), (name, plain, found)
    print(name, counter.frame_count)


def closure(v):
    factor = v * 2

    def inner(w):
        return w * factor + shift

    shift = v.sum()
    torch._dynamo.graph_break()
    return inner(v), inner(v + 1)


def shared(v):
    count = torch.zeros(())

    def up(by):
        nonlocal count
        count = count + by
        return count

    def twice(by):
        up(by)
        return up(by)

    torch._dynamo.graph_break()
    twice(v)
    return count, up(v) * 2


def handed_out(v):
    add = lambda w: w + v
    torch._dynamo.graph_break()
    return add(v) * 2, add


counted("a closure behind a break", closure, [lambda: (x,)] * 4)
counted("closures that share a cell", shared, [lambda: (x,)] * 4)
for add in [torch.compile(handed_out, backend="eager")(x + i)[1] for i in range(3)]:
    print("handed out", add(x).tolist())


class Box:
    def __init__(self, n):
        self.n = n


def up(box, v):
    box.n = box.n + 3
    return v * box.n


counted("an item of a list", lambda v, n: v + n[1] * 2, [lambda i=i: (x, [0, i]) for i in range(3, 9)])
counted("an item of a tuple", lambda v, n: v + n[0] % 4, [lambda i=i: (x, (i,)) for i in range(3, 9)])
counted("a value of a dict", lambda v, n: v * n["a"], [lambda i=i: (x, {"a": i}) for i in range(3, 9)])
counted("an attribute", lambda v, n: v * n.n, [lambda i=i: (x, Box(i)) for i in range(3, 9)])
counted("an attribute that grows", lambda v, n: up(n, v), [lambda i=i: (Box(i), x)[::-1] for i in range(3, 9)])
counted("a size of an item", lambda v, n: v.new_ones(n[0]) * 2, [lambda i=i: (x, [i]) for i in range(3, 9)])
counted("all of a list", lambda v, n: v * sum(n) + n[0], [lambda: (x, [3, 4]), lambda: (x, [5, 4]), lambda: (x, [5, 4])])

box = Box(5)
step = torch.compile(lambda v: up(box, v), backend="eager")
print([step(x).sum().item() for _ in range(4)], box.n, type(box.n).__name__)

counter = CompileCounter()
sine = torch.compile(lambda v: v.sin(), backend=counter)
for again in (False, False, True, False):
    if again:
        torch._dynamo.reset()
    assert same(sine(x), x.sin())
print("after a reset", counter.frame_count)


class Base:
    pass


class First(Base):
    pass


class Second(Base):
    pass


class Below(First):
    pass


print([c.__name__ for c in Base.__subclasses__()], [c.__name__ for c in First.__subclasses__()], Below.__subclasses__())
del Second
print(torch.compile(lambda v: v * len(First.__subclasses__()), backend="eager")(x).tolist())

print(torch.compile(lambda v: unsupported(v.sin(), v + 1) * 2, backend="eager")(x).tolist())
print(repr(normalize_gm("a\n\n\n  # said\nb = 1  \n")))
print(same(x.numpy(), x.numpy()), same(x.numpy(), x.numpy() + 1), same([x.sum(), 6], [torch.tensor(6.0), 6]))
define("counted::halves", "(Tensor x) -> Tensor", tags=torch.Tag.pt2_compliant_tag)
impl("counted::halves", "CompositeImplicitAutograd", lambda v: v / 2)
print(torch.ops.counted.halves.default.tags, torch.ops.counted.halves(x).tolist(), str(torch.Tag.core))

counted("ints", lambda v, n: v + n % 4, [lambda i=i: (x, i) for i in range(3, 7)])
counted("floats", lambda v, n: v * n, [lambda i=i: (x, i / 2) for i in range(3, 7)])
with torch._dynamo.config.patch(specialize_int=True, specialize_float=True):
    counted("constant ints", lambda v, n: v + n % 4, [lambda i=i: (x, i) for i in range(3, 7)])
    counted("constant floats", lambda v, n: v * n, [lambda i=i: (x, i / 2) for i in range(3, 7)])


# Loops whose steps need numbers of the data, where no break may come.
def listed(x):
    s = x.sum().item()
    return [torch.full((), v) for v in [s, s + 1, 2.0]]


def counted_steps(x):
    n, total = int(x.sum().item()), x
    for i in range(3):
        total = total + torch.zeros(n).sum() + i
    return total


def several(x):
    it = iter([1, 2, 3])
    n, a = x.nonzero().shape[0], next(it)
    for b in it:
        x = x + torch.zeros(x.nonzero().shape[0]).sum() * b
    for i, b in enumerate([1, 2]):
        x = x + x[x > 0].sum() * b + i
    for key, b in {"a": 1, "b": 2}.items():
        x = x + torch.full((), x.sum().item()) * b
    for b in (c * 2 for c in (1, 2)):
        x = x + x[x > 0].sum() * b
    return x + a + n


for f in (listed, counted_steps, several):
    print(f.__name__, torch.compile(f, fullgraph=True, backend="eager")(torch.arange(3.0)))


class Kept:
    """A manager that lives across a break."""

    def __init__(self, factor):
        self.factor = factor

    def __enter__(self):
        self.before, self.factor = self.factor, self.factor + 1
        return self

    def __exit__(self, *about):
        self.factor = self.before

    def scaled(self, v):
        return v * self.factor


def managed(v):
    with Kept(2) as kept:
        torch._dynamo.graph_break()
        v = v * kept.factor
    return v + kept.factor


def nested_modes(v):
    with torch.set_grad_enabled(False):
        torch._dynamo.graph_break()
        with torch.set_grad_enabled(True):
            v = v * 5
            torch._dynamo.graph_break()
            v = torch.sqrt(v)
    return v


def bound(v):
    scaled = Kept(3).scaled
    torch._dynamo.graph_break()
    return scaled(v)


for f in (nested_modes, bound):
    torch._dynamo.reset()
    counted(f.__name__, f, [lambda: (x,)] * 4)
counter = CompileCounter()  # PyTorch runs a function eagerly that breaks where a manager of its own is open
kept = torch.compile(managed, backend=counter)
print([kept(x).sum().item() for _ in range(4)], counter.frame_count <= 1)


def once(v):
    return v.sin() + 1


torch._dynamo.reset()
counter, others = CompileCounter(), CompileCounter()
for _ in range(3):
    torch.compile(once, backend=counter)(x)
torch.compile(once, backend=others)(x)
print("compiled several times", counter.frame_count, others.frame_count)
inner = torch.compile(once, backend=counter)
torch.compile(inner, backend=others)(torch.ones(2, 2))
print("compiled twice over", counter.frame_count, others.frame_count)
