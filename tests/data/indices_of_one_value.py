"""Indices into what has one value everywhere are checked, and what computes them is there when it is needed."""
import torch
import torch.nn.functional as F


@torch.compile
def picked(x, i):
    return (x + 1)[i] * 2


@torch.compile
def chained(x, i):
    y = (x + 1).cos()
    return (y * 0.5)[i] + y[i.abs() % 12]


@torch.compile
def scattered(a, m, s, z, q):
    v = torch.masked_scatter(a, m, s + z)
    return F.nll_loss(F.log_softmax(v, 1), q), v.sum(0)


x = torch.tensor([0.25]).expand(12)
for f in (picked, chained):
    print(f(x, torch.tensor([3, -12, 11])))
    for wrong in (12, -13, 1000):
        try:
            print(f(x, torch.tensor([1, wrong])))
        except IndexError:
            print("IndexError", wrong)

a = (torch.arange(12.0).reshape(4, 3) / 8).t().detach().requires_grad_()
s = torch.tensor([0.5]).expand(12).requires_grad_()
m = torch.arange(12).reshape(3, 4) % 3 == 1
loss, sums = scattered(a, m, s, torch.tensor(0.125), torch.tensor([1]).expand(3))
print(loss.detach(), sums.detach())
(loss + sums.sum()).backward()
print(a.grad)
