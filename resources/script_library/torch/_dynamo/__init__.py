# SPDX-License-Identifier: Apache-2.0
# torch._dynamo in the script language; marks of sizes come from the evaluator.
import torch
# _C: the evaluator's own functions; only scripts of the library know that name.


def graph_break(msg=""):
    """Ends the graph here: it is the evaluator that stops before a function it may not run."""
    _C.graph_break()


def disable(fn=None, recursive=True, *, reason=None, wrapping=True):
    if fn is None:
        return lambda function: disable(function)
    return _C.disable(fn)


def optimize(backend="inductor", *, nopython=False, guard_export_fn=None, guard_fail_fn=None, disable=False,
             dynamic=None):
    return lambda function: torch.compile(function, backend=backend, fullgraph=nopython, dynamic=dynamic,
                                          disable=disable)


def reset():
    """Entries belong to their functions, which keep them: a new torch.compile() starts afresh."""
    _C.reset_entries()


def list_backends(exclude_tags=("debug", "experimental")):
    return [name for name in _C.backends() if name == "inductor" or not exclude_tags]


def allow_in_graph(fn):
    return fn


def is_compiling():
    return _C.is_compiling()


class OptimizedModule:
    pass
