# SPDX-License-Identifier: Apache-2.0
# torch.jit: there is no TorchScript here. script() and trace() give the function or module itself, which runs as it
# is; torch.compile() is what makes it fast.
import torch


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    return obj


def trace(func, example_inputs=None, optimize=None, check_trace=True, **options):
    if isinstance(example_inputs, torch.Tensor):
        example_inputs = (example_inputs,)
    if example_inputs is not None:
        with torch.no_grad():
            func(*example_inputs)  # wrong inputs are told now, as tracing would
    return func


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    if mod.training:
        raise RuntimeError("Freezing is currently only implemented for modules in eval mode. Please call .eval() on "
                           "your module before freezing.")
    return mod


def ignore(drop=False, **kwargs):
    return drop if callable(drop) else lambda function: function


unused = ignore
export = ignore


def is_scripting():
    return False


def is_tracing():
    return False


def save(m, f):
    raise OSError(f"scripts cannot write files here: {f}")


def load(f, map_location=None):
    raise FileNotFoundError(f"scripts cannot read files here: {f}")
