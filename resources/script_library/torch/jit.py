# SPDX-License-Identifier: Apache-2.0
# torch.jit: there is no TorchScript here. script() and trace() give the function or module itself, which runs as it
# is; torch.compile() is what makes it fast.
import typing

import torch

_isinstance = isinstance


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    return obj


def trace(func, example_inputs=None, optimize=None, check_trace=True, **options):
    if isinstance(example_inputs, torch.Tensor):
        example_inputs = (example_inputs,)
    if example_inputs is not None:
        with torch.no_grad():
            func(*example_inputs)  # wrong inputs are told now, as tracing would
    return func


def optimize_for_inference(mod, other_methods=None):
    return mod


def freeze(mod, preserved_attrs=None, optimize_numerics=True):
    if mod.training:
        raise RuntimeError("Freezing is currently only implemented for modules in eval mode. Please call .eval() on "
                           "your module before freezing.")
    return mod


def ignore(drop=False, **kwargs):
    return drop if callable(drop) else lambda function: function


unused = ignore
export = ignore


def script_if_tracing(fn):
    return fn


def annotate(the_type, the_value):
    return the_value


def isinstance(obj, target_type):
    """Whether obj is of the type, its elements included: isinstance(x, List[torch.Tensor])."""
    if _isinstance(target_type, (tuple, list)):
        return any(isinstance(obj, one) for one in target_type)
    origin, inner = typing.get_origin(target_type), typing.get_args(target_type)
    if origin is None:
        return obj is None if target_type is None else _isinstance(obj, target_type)
    if origin is typing.Union:
        return any(isinstance(obj, one) for one in inner)
    if not _isinstance(obj, origin):
        return False
    if not inner:
        raise RuntimeError(f"Attempted to use {target_type} without a contained type. Please add a contained type, "
                           "e.g. List[int]")
    if origin is dict:
        return all(isinstance(k, inner[0]) and isinstance(v, inner[1]) for k, v in obj.items())
    if origin is tuple:
        return len(obj) == len(inner) and all(isinstance(v, one) for v, one in zip(obj, inner))
    return all(isinstance(v, inner[0]) for v in obj)


Final = typing.Final


def is_scripting():
    return False


def is_tracing():
    return False


def save(m, f):
    raise OSError(f"scripts cannot write files here: {f}")


def load(f, map_location=None):
    raise FileNotFoundError(f"scripts cannot read files here: {f}")
