# SPDX-License-Identifier: Apache-2.0
# Copies of objects, eager and compiled, across breaks of the graph; operators that another class's object answers. What
# Python and PyTorch printed: copied_objects.txt.
import copy

import torch


class Box:
    def __init__(self):
        self.v = torch.ones(1)
        self.k = [1, 2]


class Slots:
    __slots__ = ("v", "w")

    def __init__(self):
        self.v = [1]


class Answers:
    def __gt__(self, other):
        return "gt"

    def __lt__(self, other):
        return "lt"

    def __ge__(self, other):
        return "ge"

    def __le__(self, other):
        return "le"

    def __eq__(self, other):
        return "eq"

    def __ne__(self, other):
        return "ne"


class Equal:
    def __eq__(self, other):
        return True


box, layer = Box(), torch.nn.Linear(2, 2)


def deep(x):
    other = copy.deepcopy(box)
    other.k.append(3)
    return other.v * x * len(other.k)


def made_inside(x):
    new = Box()
    return copy.deepcopy(new).v * x + copy.copy(new).v


def a_module(x):
    other = copy.deepcopy(layer)
    return (other(x) - layer(x)).detach(), len(list(other.parameters()))


for function, x in ((deep, torch.ones(1)), (made_inside, torch.ones(1)), (a_module, torch.ones(1, 2))):
    for f in (function, torch.compile(function)):
        print(function.__name__, f(x), box.k)
slots = Slots()
shallow, deeper = copy.copy(slots), copy.deepcopy(slots)
print(shallow.v is slots.v, deeper.v is slots.v, deeper.v, hasattr(deeper, "w"))
x, answers = torch.ones(2), Answers()
print(x < answers, x > answers, x <= answers, x >= answers, x == answers, x != answers, x == Equal(), x != Equal())
try:
    "é".encode("ascii")
except UnicodeEncodeError as error:
    print(type(error).__name__, error)
print(list(torch.nn.ParameterDict({"z": torch.ones(1), "a": torch.ones(1)}).keys()))


# Tensors that are copied although nothing of them changes.
def copied(x):
    return [x.to(torch.float32, copy=True), x.to("cpu", torch.float32, False, True), x.to(x, False, True), x.to(torch.float64, copy=True)]


for f in (copied, torch.compile(copied)):
    x = torch.ones(2)
    for y in f(x):
        y.add_(1)
        print("copied", y is x, x.tolist(), y.tolist())
