"""Values that look like others: integers of NumPy as positions, seeds as texts, methods that are compiled already."""
import numpy as np
import torch


def show(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__)


x = torch.arange(3.0)
for k in (np.int64(1), np.int32(-1), np.argmax([1, 3, 2]), slice(np.int64(0), np.int64(2)), "a", {}, 1j):
    show(lambda: x[k])
show(lambda: torch.arange(6).reshape(2, 3)[np.int64(1), np.int16(2)])


class Two:
    def __index__(self):
        return 2


show(lambda: x[Two()])
x[np.int64(1)] = 5
print(x)

show(lambda: torch.frombuffer(b"abc", dtype=torch.int32))
show(lambda: torch.repeat_interleave(torch.ones(2), torch.tensor([-1, 2])))
show(lambda: torch.repeat_interleave(torch.ones(2), torch.tensor([0, 2])))
show(lambda: torch.quantile(torch.ones(2), 1.5))
show(lambda: torch.rot90(torch.ones(2)))
for seed in ("a", 1.5, "12", torch.tensor(3)):
    show(lambda: torch.manual_seed(seed).initial_seed())
z = torch.tensor([1 + 2j], requires_grad=True)
show(lambda: (z * 1).sum().backward())
p = torch.ones(2, requires_grad=True)
p.register_post_accumulate_grad_hook(lambda p: p.grad.zero_())
show(lambda: (p * 2).sum().backward())
print(ascii("İ".lower()), "ŉ".upper(), "ﬁ".title())

for of in (torch.nn.functional.nll_loss, torch.nn.functional.cross_entropy):
    weights = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    show(lambda: of(torch.zeros(2, 3), torch.tensor([0, 2]), weights).backward())

# A number has one place: neither none nor two of it are picked.
z = torch.tensor(5.)
for places in (torch.tensor(0), torch.tensor([0]), torch.tensor([0, 0]), torch.zeros(0, dtype=torch.long)):
    show(lambda: z.index_select(0, places))
    show(lambda: z.index_add(0, places, z))
    show(lambda: torch.compile(lambda z: z.index_select(0, places), backend="eager")(z * 1) if places.dim() else None)

# What out= takes: a dtype that the result can be cast to, or the result's own and no other.
i = torch.tensor([1, 0])
f, d, one = torch.tensor([1.5, 2.5]), torch.float64, torch.eye(2)
outs = {"mm": lambda o: torch.mm(one, one, out=o), "matmul": lambda o: torch.matmul(one, one, out=o),
        "bmm": lambda o: torch.bmm(one[None], one[None], out=o), "addmm": lambda o: torch.addmm(one, one, one, out=o),
        "gather": lambda o: torch.gather(f, 0, i, out=o), "index_select": lambda o: torch.index_select(f, 0, i, out=o),
        "tril": lambda o: torch.tril(one, out=o), "softmax": lambda o: torch.softmax(f, 0, out=o),
        "sort": lambda o: torch.sort(f, out=(o, torch.zeros(2, dtype=torch.int64)))[0],
        "places": lambda o: torch.sort(f, out=(torch.zeros(2), o))[1], "max": lambda o: torch.max(f, 0, out=(o, torch.zeros((), dtype=torch.int64)))[0],
        "argmax": lambda o: torch.argmax(f, dim=0, out=o), "amax": lambda o: torch.amax(f, 0, out=o), "norm": lambda o: torch.linalg.norm(f, out=o),
        "any": lambda o: torch.any(f > 2, 0, out=o), "where": lambda o: torch.where(f > 2, f, f, out=o), "floor": lambda o: torch.floor(f, out=o),
        "clamp": lambda o: torch.clamp(f, 0, 2, out=o), "add": lambda o: torch.add(f, 1, out=o), "sum": lambda o: torch.sum(f, 0, out=o),
        "outer": lambda o: torch.outer(f, f, out=o), "eq": lambda o: torch.eq(f, f, out=o), "var": lambda o: torch.var(f, 0, out=o)}
for name, call in outs.items():
    for dtype in (torch.float64, torch.float32, torch.int64, torch.int32, torch.uint8, torch.bool):
        try:
            print(name, dtype, call(torch.zeros(0, dtype=dtype)).tolist())
        except RuntimeError as error:
            print(name, dtype, error)

# Data that is assigned between forward and backward: the tape saved the tensor, of results their values.
def assigned(f, given, which):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = f(x)
    (x if which == "x" else y).data = given
    (y * 3).sum().backward()
    print(which, x.grad.tolist(), x.tolist(), y.tolist())


for given in (torch.zeros(2), torch.arange(4.0)[::2] + 1, torch.ones(2)):
    for f in (lambda x: x * x, lambda x: x.sqrt(), torch.compile(lambda x: x * x * x)):
        for which in "xy":
            assigned(f, given, which)

for format in (torch.channels_last, torch.contiguous_format, None, torch.preserve_format, 3):
    for sizes in ((2, 3, 4, 5), (1, 1, 2, 2), (2, 3)):
        show(lambda: torch.empty(sizes, memory_format=format).stride())
show(lambda: torch.empty(2, 3, 4, 5, 6, memory_format=torch.channels_last_3d, dtype=torch.int32, requires_grad=False).stride())
show(lambda: torch.zeros(2, memory_format=None))
for sizes in ((2**70,), (2, 2**70), (2**63, 2), (2**62,), (2**62, 8), (-1,)):
    for f in (torch.zeros, torch.ones, torch.empty, torch.ones(3).reshape, torch.ones(3).expand):
        show(lambda: f(*sizes))
        show(lambda: f(sizes))
show(lambda: torch.full((2**70,), 1))
show(lambda: torch.full((2,), 2**70))
try:
    torch.zeros(2, 2**70)
except TypeError as error:
    print(str(error)[:80])
show(lambda: torch.compile(lambda x: x, mode="default", options={"max_autotune": True}))
show(lambda: torch.compile(lambda x: x, mode="default", options=None) is None)

# Results that go into tensors of the caller's.
def outs(*dtypes):
    return tuple(torch.empty(0, dtype=dtype) for dtype in dtypes)


row, places = torch.tensor([[3.0, 1.0, 2.0]]), (torch.float32, torch.int64)
for f in (torch.sort, torch.cummax, torch.median, torch.mode, torch.max):
    pair = outs(*places)
    got = f(row, 1, out=pair)
    print(got, got.values is pair[0], type(got), pair[1])
print(torch.topk(row, 2, out=outs(*places)), torch.aminmax(row, out=outs(*places[:1] * 2)).max)
two = torch.ones(2)
for parts, out in (([two, two], torch.empty(4, dtype=torch.int)), ([two, two], torch.empty(4, dtype=torch.double)),
                   ([two, two], 3), ([two], (torch.empty(2),)), ([two.int()], torch.empty(2)), ([two], None),
                   ([two], torch.empty(2, dtype=torch.bool))):
    show(lambda: torch.cat(parts, out=out))
    show(lambda: torch.stack(parts, out=out))
x = torch.arange(4.0)
show(lambda: torch.cat([x[:2], x[1:]], out=x[1:]))

for self, at, source in (((3,), [0], ()), ((3,), [0, 1], ()), ((3, 2), [0], ()), ((3,), 0, ()), ((), 0, ()), ((), [0], (1,)),
                         ((), [0, 0], (2,)), ((3,), [0], (1, 1)), ((3, 2), [0], (1, 3)), ((3, 2), [0], (2,)), ((3, 2), [[0]], (1, 2)),
                         ((3, 2), [0, 1], (3, 2)), ((3,), [7], (1,)), ((3,), [0.0], (1,))):
    index = torch.tensor(at)
    show(lambda: torch.zeros(self).index_copy_(0, index, torch.full(source, 2.0)))
    show(lambda: torch.zeros(self).index_reduce_(0, index, torch.full(source, 2.0), "amax"))
    show(lambda: torch.zeros(self).index_fill_(0, index, 2.0))

# Other sizes of the same memory: what shares it sees what is written there.
x = torch.arange(6.0).reshape(2, 3)
y = x.t()
print(y.resize_(3, 2).stride(), y.resize_(4).tolist(), x[1:].resize_(2).tolist(), x.t()[1:].resize_(2, 2).tolist(), x.resize_(0).shape)
x = torch.arange(12.0).reshape(3, 4)
row = x[1]
torch.add(torch.ones(2, 2), 1, out=row)
row.mul_(5)
print(row, x, x[0].resize_(2, 3).zero_(), x)
z = torch.arange(2.0)
print(z.resize_(4)[:2], z.resize_(1), z.resize_(2, 0).shape)
