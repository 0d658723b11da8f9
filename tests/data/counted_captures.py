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


def branches(v, first, second, third):
    v = v + 1
    if first:
        v = v + 2
    v = v + 3
    if second:
        v = v + 4
    v = v + 5
    if third:
        v = v + 6
    return v + 7


def stepped(v):
    it = iter((1, 2, 3, 4, 5))
    v = v + next(it) + next(it)
    v = unsupported(v, v)
    return v + next(it), list(it), next(it, "end")


def given_iterator(v, it):
    a = next(it)
    return v * a, [v + b for b in it]


def keeps_iterator(v):
    it = iter([v, v + 1, v + 2])
    v = unsupported(v, v) + next(it)
    v = unsupported(v, v) * next(it)
    return v, it


def stepped_in_loop(v):
    it = iter(range(20))
    for _ in range(10):
        v = v + next(it)
        torch._dynamo.graph_break()
        v = v * 2
    return v, list(it)


yes, no = torch.tensor([1.0]), torch.tensor([0.0])
torch._dynamo.reset()
counted("paths that meet", branches, [lambda a=a, b=b, c=c: (x, a, b, c) for a in (yes, no) for b in (yes, no)
                                      for c in (yes, no)])
counted("an iterator behind a break", stepped, [lambda: (x,)] * 3)
torch._dynamo.reset()
compiled = torch.compile(given_iterator, backend="eager")
for values in ([1, 2, 3], [2, 3], [2, 3], (5.0, 6.0)):
    it = iter(values)
    (a, rest), plain = compiled(x, it), given_iterator(x, iter(values))
    print(a.tolist(), [t.tolist() for t in rest], same((a, rest), plain), next(it, "end"))
compiled = torch.compile(keeps_iterator, backend="eager")
for _ in range(3):
    v, it = compiled(x)
    print(v.tolist(), next(it).tolist(), next(it, "end"))
compiled = torch.compile(stepped_in_loop, backend="eager")
print(same(compiled(x), stepped_in_loop(x)), same(compiled(x + 1), stepped_in_loop(x + 1)))
it = iter([x, x * 2, x * 3])
pull = torch.compile(lambda: next(it) + 1, backend="eager")
print(pull().tolist(), pull().tolist(), next(it).tolist())
try:
    pull()
except StopIteration:
    print("no more")


class Slices(torch.nn.Module):
    def forward(self, given):
        taken = given[1:3]
        taken[0] = given[0].abs() + 1
        return taken


counter = CompileCounter()
compiled = torch.compile(Slices(), backend=counter)
print([t.tolist() for t in compiled.forward([x, x, x])], counter.frame_count)
print(set(dir(Slices())) <= set(dir(compiled)))


class Both(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 3)
        self.register_buffer("seen", torch.zeros(3))

    def forward(self, given):
        return self.linear(given) + self.seen


from torch._dynamo.debug_utils import same_two_models
model, other = Both(), Both()
print(same_two_models(model, torch.compile(model, backend="eager"), [torch.randn(4, 2, requires_grad=True)]),
      same_two_models(model, torch.compile(other, backend="eager"), [torch.randn(4, 2)]))


class Block(torch.nn.Module):
    def __init__(self, scale=2):
        super().__init__()
        self.linear, self.act, self.scale, self.calls = torch.nn.Linear(4, 4), torch.nn.GELU(), scale, 0
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, v):
        self.calls += 1
        self.seen += 1
        return v + self.act(self.linear(v)) * self.scale


def over_modules(name, function, calls, most, **how):
    """One entry serves modules that are alike."""
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter, **how)
    for given in calls:
        plain, found = function(*given), compiled(*given)
        assert torch.allclose(plain, found), name
    print(name, counter.frame_count <= most)


blocks = [Block() for _ in range(12)]
over_modules("a module as argument", lambda m, v: m(v), [(b, x) for b in blocks], 2)
over_modules("its method", lambda m, v: m.forward(v) * 2, [(b, x) for b in blocks], 2)
pairs = [(0, 1), (2, 3), (4, 4), (0, 8), (1, 1)]
over_modules("two modules, once one", lambda a, b, v: a(v) + b(v), [(blocks[i], blocks[j], x) for i, j in pairs], 5)
over_modules("whether they are one", lambda a, b, v: v + 1 if a is b else a(v),
             [(blocks[i], blocks[j], x) for i, j in pairs], 4)
blocks[5].scale, blocks[7].act = 3, torch.nn.ReLU()
blocks[6].eval()
for block in blocks:
    block.calls = 0
over_modules("modules that differ", lambda m, v: m(v), [(b, x) for b in blocks], 5)
step = torch.compile(lambda m, v: m(v).sum())
for block in blocks[:4]:
    step(block, x).backward()
    found = block.linear.weight.grad.clone()
    block.zero_grad()
    block(x).sum().backward()
    print(torch.allclose(found, block.linear.weight.grad, atol=1e-6), block.calls, block.seen.item())
    block.zero_grad()
