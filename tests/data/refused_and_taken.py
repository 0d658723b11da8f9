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
