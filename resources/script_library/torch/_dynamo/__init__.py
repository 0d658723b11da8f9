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

    def inner(*args, **kwargs):
        return _C.call_disabled(fn, *args, **kwargs)

    return inner


def optimize(backend="inductor", *, nopython=False, guard_export_fn=None, guard_fail_fn=None, disable=False,
             dynamic=None):
    return lambda function: torch.compile(function, backend=backend, fullgraph=nopython, dynamic=dynamic,
                                          disable=disable)


def reset():
    """Every compiled function keeps its own entries, and drops them when it goes: there are no others to drop."""


def list_backends(exclude_tags=("debug", "experimental")):
    return ["inductor"] if exclude_tags else ["aot_eager", "eager", "inductor"]


def allow_in_graph(fn):
    return fn


def is_compiling():
    return _C.is_compiling()
