# SPDX-License-Identifier: Apache-2.0
# torch._dynamo in the script language; marks of sizes come from the evaluator.
from collections import namedtuple

import torch
import torch._config
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


GuardFail = namedtuple("GuardFail", ["reason", "orig_code"])


def optimize(backend="inductor", *, nopython=False, guard_export_fn=None, guard_fail_fn=None, disable=False,
             dynamic=None):
    """torch.compile's forerunner. guard_fail_fn is told why a function is compiled once more."""

    def decorate(function):
        compiled = torch.compile(function, backend=backend, fullgraph=nopython, dynamic=dynamic, disable=disable)
        if guard_fail_fn is None:
            return compiled
        import torch._dynamo.utils as utils

        def watched(*args, **kwargs):
            def observe(name, segment, breaks, guards):
                for kind, source, condition in guards:
                    if kind == "RECOMPILES":
                        guard_fail_fn(GuardFail(condition, None))

            utils._observers.append(observe)
            try:
                return compiled(*args, **kwargs)
            finally:
                utils._observers.remove(observe)

        return watched

    return decorate


def optimize_assert(backend="inductor", *, dynamic=None, **options):
    return optimize(backend, nopython=True, dynamic=dynamic)


config.patch = torch._config.patcher(config)


def run(fn=None):
    """Uses what is compiled already; for other inputs the function runs as it is."""
    from torch.compiler import set_stance
    if fn is None:
        return run

    def wrapped(*args, **kwargs):
        if is_compiling():
            return fn(*args, **kwargs)
        with set_stance("eager_on_recompile"):
            return fn(*args, **kwargs)

    return wrapped


def reset():
    """Every compiled function keeps its own entries, and drops them when it goes: there are no others to drop."""


_backends = {}  # torch.compile looks names up here


def register_backend(compiler_fn=None, name=None, tags=()):
    """A callable (gm, example_inputs) that torch.compile then knows by its name."""
    if compiler_fn is None:
        return lambda function: register_backend(function, name, tags)
    if not callable(compiler_fn):
        raise AssertionError("a backend is a callable (gm, example_inputs)")
    name = name or compiler_fn.__name__
    if name in _backends or name in ("aot_eager", "eager", "inductor"):
        raise AssertionError(f"duplicate name: {name}")
    _backends[name] = compiler_fn
    return compiler_fn


def list_backends(exclude_tags=("debug", "experimental")):
    return sorted((["inductor"] if exclude_tags else ["aot_eager", "eager", "inductor"]) + list(_backends))


def lookup_backend(compiler_fn):
    if callable(compiler_fn):
        return compiler_fn
    if compiler_fn not in _backends:
        raise RuntimeError(f"{compiler_fn} is no backend that was registered: {sorted(_backends)}")
    return _backends[compiler_fn]


class GraphCompileReason:
    def __init__(self, reason, user_stack, graph_break=True):
        self.reason = reason
        self.user_stack = user_stack
        self.graph_break = graph_break

    def __repr__(self):
        return f"GraphCompileReason(reason={self.reason!r}, user_stack={self.user_stack}, " \
               f"graph_break={self.graph_break})"


class _FrameSummary:
    def __init__(self, filename, lineno, name):
        self.filename = filename
        self.lineno = lineno
        self.name = name

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


class ExplainOutput:
    """What torch._dynamo.explain(f)(*args) gives; prints as PyTorch's."""

    def __init__(self, graphs, break_reasons, out_guards):
        self.graphs = graphs
        self.graph_count = len(graphs)
        self.graph_break_count = max(len(graphs) - 1, 0)
        self.break_reasons = break_reasons
        self.ops_per_graph = [[n.target for n in g.graph.nodes if n.op == "call_function"] for g in graphs]
        self.op_count = sum(len(ops) for ops in self.ops_per_graph)
        self.out_guards = out_guards
        self.compile_times = None

    def __str__(self):
        text = f"Graph Count: {self.graph_count}\nGraph Break Count: {self.graph_break_count}\n"
        text += f"Op Count: {self.op_count}\nBreak Reasons:\n"
        for i, reason in enumerate(self.break_reasons):
            text += f"  Break Reason {i + 1}:\n    Reason: {reason.reason}\n    User Stack:\n"
            for frame in reason.user_stack:
                text += f"      {frame}\n"
        text += "Ops per Graph:\n"
        for i, ops in enumerate(self.ops_per_graph):
            text += f"  Ops {i + 1}:\n"
            for op in ops:
                text += f"    {op}\n"
        text += "Out Guards:\n"
        for i, (kind, source, condition) in enumerate(self.out_guards):
            text += f"  Guard {i + 1}:\n    Name: {source!r}\n    Create Function: {kind}\n"
            text += f"    Code List: [{condition!r}]\n"
        return text

    def __repr__(self):
        return str(self)


def explain(f, *extra_args, **extra_kwargs):
    """explain(f)(*args): runs f once, compiled anew, and tells its graphs, breaks and guards."""

    def inner(*args, **kwargs):
        import torch._dynamo.utils as utils
        graphs, reasons, guards = [], [], []

        def collect(gm, example_inputs):
            graphs.append(gm)
            return gm.forward

        def observe(function, segment, breaks, found):
            for message, hint, file, line in breaks:
                reason = message + ("\n  Hint: " + hint if hint else "")
                reasons.append(GraphCompileReason(reason, [_FrameSummary(file, line, function)]))
            guards.extend(found)

        utils._observers.append(observe)
        try:
            torch.compile(f, backend=collect)(*args, **kwargs)
        finally:
            utils._observers.remove(observe)
        return ExplainOutput(graphs, reasons, guards)

    return inner(*extra_args, **extra_kwargs) if extra_args or extra_kwargs else inner


def mark_static_address(t, guard=True):
    """Says that t stays where it is in memory, which nothing here relies upon."""
    if not isinstance(t, torch.Tensor):
        raise TypeError(f"mark_static_address expects a tensor but received {type(t)}")


def allow_in_graph(fn):
    return fn


def is_compiling():
    return _C.is_compiling()
