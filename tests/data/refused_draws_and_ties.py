# SPDX-License-Identifier: Apache-2.0
# What PyTorch says of distributions that there are not, and gradients where several are the extreme.
import torch
import torch.nn.functional as F

inf = float("inf")


def tell(name, function):
    try:
        print(name, function())
    except (RuntimeError, NotImplementedError) as error:
        print(name, type(error).__name__, str(error))


def rounded(t):
    return [round(v, 3) for v in t.flatten().tolist()]


def reduced(how, include, base, source, along_rows):
    a = torch.tensor(base, requires_grad=True)
    s = torch.tensor(source, requires_grad=True)
    index = torch.tensor([0, 0, 1, 0, 1, 0])
    if along_rows:
        y = a.index_reduce(0, index, s, how, include_self=include)
    else:
        y = a.scatter_reduce(0, index, s, how, include_self=include)
    (y * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    return rounded(y), rounded(a.grad), rounded(s.grad)


def between(function, p):
    y = torch.tensor([[1.0, 0.0], [3.0, 4.0], [3.0, 5.0], [4.0, 5.0]], requires_grad=True)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    d = torch.cdist(x, y, p=p) if function == "cdist" else F.pdist(y, p=p)
    asked = d.requires_grad
    d.sum().backward()
    return asked, rounded(d), rounded(y.grad), None if x.grad is None else rounded(x.grad)


for how in ("amax", "amin", "prod", "mean"):
    for include in (True, False):
        for rows in (True, False):
            for base, source in (
                ([2.0, 2.0, 1.0, 7.0], [1.0, 2.0, 3.0, 2.0, 5.0, 0.5]),
                ([2.0, 5.0, 1.0, 7.0], [2.0, 2.0, 5.0, 2.0, 5.0, 0.5]),
                ([0.0, 5.0, 1.0, 7.0], [2.0, 0.0, 5.0, 0.0, 5.0, 0.5]),
            ):
                tell(f"{how} {include} {rows}", lambda: reduced(how, include, base, source, rows))
for function in ("cdist", "pdist"):
    for p in (0.0, 1.0, 2.0, inf):
        tell(f"{function} {p}", lambda: between(function, p))
tell("cdist of inf", lambda: rounded(torch.cdist(torch.tensor([[inf, inf]]), torch.ones(1, 2), p=inf)))
tell("cdist of nan", lambda: rounded(torch.cdist(torch.tensor([[inf, float("nan")]]), torch.ones(1, 2), p=0.0)))

tell("normal", lambda: torch.normal(torch.zeros(2), torch.tensor([-1.0, 1.0])))
tell("normal of nan", lambda: torch.normal(torch.zeros(2), torch.tensor([float("nan"), 1.0])))
tell("normal of a number", lambda: torch.normal(0.0, torch.tensor([-1.0, 1.0])))
tell("normal of none", lambda: torch.normal(torch.zeros(0), torch.zeros(0)))
tell("normal complex", lambda: torch.normal(torch.zeros(2), torch.ones(2, dtype=torch.complex64)))
tell("normal_", lambda: torch.zeros(2).normal_(0, -1))
tell("exponential_", lambda: torch.zeros(2).exponential_(-1))
tell("uniform_", lambda: torch.zeros(2).uniform_(2, 1))
tell("uniform_ of one", lambda: torch.zeros(2).uniform_(2, 2))
tell("geometric_", lambda: torch.zeros(2).geometric_(0))
tell("geometric_ of 1", lambda: torch.zeros(2).geometric_(1))
tell("cauchy_", lambda: torch.zeros(2).cauchy_(0, -1))
tell("log_normal_", lambda: torch.zeros(2).log_normal_(0, -1))

for dtype in (torch.uint8, torch.int8, torch.int32, torch.int64):
    v = torch.tensor([0, 1, 2, 100], dtype=dtype)
    for least, most in ((-2, 2), (0.0, 1.5), (1, 300), (-300, 0.5)):
        tell(f"hardtanh {dtype} {least} {most}", lambda: F.hardtanh(v, least, most))
