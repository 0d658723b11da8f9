# SPDX-License-Identifier: Apache-2.0
# Calls of compiled modules with hooks, forwards of their own, a __call__; and small results beside. Recorded:
# compiled_modules.txt.
import functools

import torch
from torch import nn


class Double(nn.Module):
    def forward(self, x):
        return x * 2


x = torch.ones(1)
module = Double()
compiled = torch.compile(module)
print("plain", compiled(x).item())
handle = module.register_forward_hook(lambda mod, inputs, output: output + 1000)
print("hook", module(x).item(), compiled(x).item())
handle.remove()
print("hook removed", compiled(x).item())
module = Double()
module.register_forward_hook(lambda mod, inputs, output: output + 1000)
print("hook before", torch.compile(module)(x).item())
module = Double()
module.register_forward_pre_hook(lambda mod, inputs: (inputs[0] + 5,))
print("pre-hook", torch.compile(module)(x).item())
module = Double()
compiled = torch.compile(module)
compiled(x)
compiled.register_forward_hook(lambda mod, inputs, output: output + 5)
print("hook of the compiled one", compiled(x).item())
module = Double()
module.compile()
print("compile()", module(x).item())
module.forward = lambda x: x + 20
print("own forward", module(x).item())
module = Double()
module.compile()
module.register_forward_hook(lambda mod, inputs, output: output + 9)
print("hook after compile()", module(x).item())
module = Double()
module.forward = lambda x: x + 20
print("own forward before", torch.compile(module)(x).item())
module = Double()
module.register_full_backward_hook(lambda mod, inputs, outputs: (inputs[0] * 100,))
leaf = torch.ones(1, requires_grad=True)
torch.compile(module)(leaf).sum().backward()
print("backward hook", leaf.grad.item())


class Other(nn.Module):
    def forward(self, x):
        return x * 3


module = Other()
compiled = torch.compile(module)
compiled(x)
Other.forward = lambda self, x: x + 10
print("another forward of the class", compiled(x).item(), compiled(x).item())


class Called(nn.Module):
    def __call__(self, x):
        return super().__call__(x) + 50

    def forward(self, x):
        return x * 2


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Called()

    def forward(self, x):
        return self.inner(x) + 0.5


print("__call__", Called()(x).item(), torch.compile(Called())(x).item())
print("__call__ inside", Outer()(x).item(), torch.compile(Outer())(x).item())
print("chunks of nothing", [tuple(part.shape) for part in torch.zeros(2, 0).chunk(3, 1)])
print("close", torch.isclose(torch.tensor([0, -1], dtype=torch.int8), torch.tensor([-128, 127], dtype=torch.int8)).tolist())
print("repeated", torch.arange(3).repeat_interleave(torch.tensor([0, 1, 2])).tolist(), torch.arange(2).repeat_interleave(2).tolist())
print("from the end", torch.ones(3).index_fill(0, torch.tensor([-3]), 7.).tolist(), torch.take_along_dim(torch.arange(3.), torch.tensor([-1, 0, -3]), 0).tolist())


def refused(name, function):
    try:
        print(name, function())
    except (RuntimeError, IndexError) as error:
        print(name, type(error).__name__)


ones = torch.ones(3)
refused("index_fill", lambda: ones.index_fill(0, torch.tensor([-4]), 7.))
refused("gather of uint8", lambda: ones.gather(0, torch.tensor([0], dtype=torch.uint8)))
refused("gather of int16", lambda: ones.gather(0, torch.tensor([0], dtype=torch.int16)))
refused("hypot", lambda: torch.hypot(torch.tensor([1]), torch.tensor([1])))
refused("nextafter", lambda: torch.nextafter(torch.tensor([1]), torch.tensor([1])))
refused("power of bools", lambda: torch.tensor([True]) ** torch.tensor([True]))


def wrapped(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


class Wrapped(nn.Module):
    @wrapped
    def forward(self, x, n):
        return x * n


# Their arguments, self first, are all in *args.
module = Wrapped()
for compiled in torch.compile(module), torch.compile(module.forward):
    print("wrapped", [compiled(x, 1).item(), compiled(x, 2).item(), compiled(x + 1, 3).item(), compiled(x, n=4).item()])
