# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.utils: what was captured, counted. The evaluator calls _note_entry() once this module is loaded.
import math
from collections import Counter, defaultdict

import torch

counters = defaultdict(Counter)
_observers = []
_capture_seconds = []
_sizes = None  # of the last capture
_branches = ("the branch depends on the data of a tensor",)  # PyTorch counts those apart


def _note_entry(function, segment, breaks, guards, operations, seconds, sizes):
    """breaks: (message, hint, file, line); guards: (kind, source, condition, file, line); sizes: None where none was a
    symbol, else the symbols (name, number in this call, source, least, most or None, what it equals or None) and what
    was found to hold of them."""
    global _sizes
    _sizes = sizes
    _capture_seconds.append(seconds)
    counters["frames"]["total"] += 1  # what follows a graph break is a frame of its own
    counters["frames"]["ok"] += 1
    if operations:
        counters["stats"]["calls_captured"] += operations
        counters["stats"]["unique_graphs"] += 1
    for message, hint, file, line in breaks:
        counters["unimplemented" if message in _branches else "graph_break"][message] += 1
    for observer in _observers:
        observer(function, segment, breaks, guards)


def _times(seconds):
    return "\n".join(["TorchDynamo compilation metrics:", "Function, Runtimes (s)",
                      ", ".join(["capture"] + [f"{s:.4f}" for s in seconds])])


def compile_times(repr="str", aggregate=False):
    """How long captures took, one after the other, or in all."""
    seconds = [sum(_capture_seconds)] if aggregate else _capture_seconds
    if repr == "str":
        return _times(seconds)
    return ["Function", "Runtimes (s)"], [["capture"] + [f"{s:.4f}" for s in seconds]]


def is_compile_supported(device_type):
    return device_type in ("cpu", "cuda")


def clone_input(x):
    return x.detach().clone().requires_grad_(x.requires_grad)


def clone_inputs(example_inputs):
    """Copies of the tensors in a list, a tuple or a dict; of others the values themselves."""
    if type(example_inputs) is dict:
        copies = dict(example_inputs)
        for key, value in copies.items():
            if isinstance(value, tuple):
                copies[key] = clone_inputs(value)
            elif isinstance(value, torch.Tensor):
                copies[key] = clone_input(value)
        return copies
    return [clone_input(x) if isinstance(x, torch.Tensor) else x for x in example_inputs]


def same(ref, res, fp64_ref=None, cos_similarity=False, tol=1e-4, equal_nan=False, exact_dtype=True,
         relax_numpy_equality=False):
    """Whether two results are the same up to rounding: tensors, arrays, numbers, and what holds them."""
    import numpy  # only here: most scripts do without it

    def alike(a, b):
        return same(a, b, None, cos_similarity, tol, equal_nan, exact_dtype, relax_numpy_equality)

    if isinstance(ref, (list, tuple)):
        return isinstance(res, (list, tuple)) and len(ref) == len(res) and all(alike(a, b) for a, b in zip(ref, res))
    if isinstance(ref, dict):
        return isinstance(res, dict) and set(ref.keys()) == set(res.keys()) and all(alike(ref[k], res[k]) for k in ref)
    if isinstance(ref, set):
        return isinstance(res, set) and ref == res
    if isinstance(ref, torch.Tensor):
        if isinstance(res, (bool, int, float)):
            res = torch.full_like(ref, res, dtype=torch.tensor(res).dtype)
        if not isinstance(res, torch.Tensor) or ref.shape != res.shape or (exact_dtype and ref.dtype != res.dtype):
            return False
        if not (ref.is_floating_point() or ref.is_complex()):
            return torch.equal(ref, res.to(ref.dtype))
        if cos_similarity:
            a, b = ref.flatten().to(torch.float32), res.flatten().to(torch.float32)
            return torch.equal(a, b) or torch.nn.functional.cosine_similarity(a, b, dim=0, eps=1e-6).item() >= 0.99
        return torch.allclose(ref, res.to(ref.dtype), atol=tol, rtol=tol, equal_nan=equal_nan)
    if isinstance(ref, float) and not isinstance(ref, numpy.generic):
        return math.isclose(ref, res, rel_tol=tol, abs_tol=tol) or (equal_nan and ref != ref and res != res)
    if isinstance(ref, numpy.ndarray):
        return type(ref) is type(res) and alike(torch.as_tensor(ref), torch.as_tensor(res))
    if isinstance(ref, numpy.generic):
        if relax_numpy_equality and not isinstance(res, numpy.generic):
            return bool(ref.item() == res)
        return type(ref) is type(res) and bool(ref == res)
    if type(ref) is type(res) and type(ref).__eq__ is object.__eq__ and getattr(ref, "__dict__", None):
        return alike(ref.__dict__, res.__dict__)
    return ref == res
