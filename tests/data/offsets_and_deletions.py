# SPDX-License-Identifier: Apache-2.0
# Compiled functions that count from a storage's beginning, of inputs that begin theirs and do not; and that delete what they
# read. What PyTorch printed: offsets_and_deletions.txt.
import torch
import torch.nn as nn

compiled = False


def maybe(f):
    return torch.compile(f) if compiled else f


numbers = torch.arange(10.0)
for read in (lambda t: t.as_strided((3,), (1,), 1) * 1, lambda t: torch.as_strided_copy(t, (2,), (1,), 1) * 1,
             lambda t: torch.as_strided_scatter(t, torch.ones(2), (2,), (1,), 1)):
    f = maybe(read)
    print(f(numbers[0:4].clone()).tolist(), f(numbers[4:8]).tolist(), f(numbers[0:4].clone()).tolist())


class Forgetful(nn.Module):
    def __init__(self):
        super().__init__()
        self.p = nn.Parameter(torch.ones(2))
        self.layer = nn.Linear(2, 2)
        self.register_buffer("b", torch.full((2,), 3.0))

    def forward(self, x):
        y = x * self.p + self.b
        del self.p
        del self.b
        self.p = nn.Parameter(torch.zeros(2))
        self.b = torch.ones(2)
        return y


module = Forgetful()
f = maybe(module)
print(f(torch.ones(2)).tolist(), f(torch.ones(2)).tolist(), module.p.tolist())


def without():
    n = 2.0

    def f(x):
        nonlocal n
        y = x * n
        del n
        return y

    return f


f = maybe(without())
print(f(torch.ones(2)).tolist())
try:
    f(torch.ones(2))
except NameError as error:
    print(type(error).__name__)
