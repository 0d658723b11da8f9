# SPDX-License-Identifier: Apache-2.0
"""Writes pytorch_names.txt: the public names of PyTorch's modules and of its tensors, so that a script that uses
one which Cutaway lacks is told so. Run with the PyTorch that is to be described, in an empty folder:
    python .../resources/pytorch_names.py > .../resources/pytorch_names.txt
Each line is a module (or class), a colon and its names."""
import importlib
import inspect
import types

import torch

MODULES = """torch torch.amp torch.autograd torch.backends torch.cuda torch.distributions torch.fft torch.func torch.linalg
torch.nn torch.nn.attention torch.nn.functional torch.nn.init torch.nn.parallel torch.nn.utils torch.nn.utils.parametrizations
torch.nn.utils.rnn torch.optim torch.optim.lr_scheduler torch.random torch.signal.windows torch.sparse torch.special
torch.utils torch.utils.checkpoint torch.utils.data""".split()

CONFIGURATIONS = ["torch._dynamo.config", "torch._functorch.config", "torch._inductor.config"]


def is_public(owner, name):
    if name.startswith("_") or not name.isidentifier():
        return False
    value = inspect.getattr_static(owner, name, None)
    if not isinstance(value, types.ModuleType):
        return True
    return value.__name__.startswith("torch.")  # not what it imports for itself


def line(label, owner):
    names = sorted(name for name in dir(owner) if is_public(owner, name))
    return label + ": " + " ".join(names)


print("# Written by pytorch_names.py with PyTorch", torch.__version__.split("+")[0])
for module in MODULES:
    print(line(module, importlib.import_module(module)))
for module in CONFIGURATIONS:
    settings = importlib.import_module(module)._config
    print(module + ": " + " ".join(sorted({name.split(".")[0] for name in settings} | {"patch"})))
print(line("torch.Tensor", torch.Tensor))
