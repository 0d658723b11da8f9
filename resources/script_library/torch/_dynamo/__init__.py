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
                for kind, source, condition, file, line in guards:
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
torch._config.defaults(
    config, verbose=False, dynamic_shapes=True, guard_nn_modules=True, dead_code_elimination=True, optimize_ddp=True,
    inline_inbuilt_nn_modules=True, log_compilation_metrics=True, report_guard_failures=True, repro_after=None,
    repro_level=2, allow_rnn=False, accumulated_recompile_limit=256, fail_on_recompile_limit_hit=False,
    minimum_call_count=1, rewrite_assert_with_torch_assert=True, numpy_default_float="float64",
    numpy_default_int="int64", numpy_default_complex="complex128", raise_on_ctx_manager_usage=True,
    compiled_autograd=False, replay_record_enabled=False, only_allow_pt2_compliant_ops=False, traceable_tensor_subclasses=set())


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
    """Every compiled function forgets its entries: its next call compiles anew."""
    _C.forget_entries()


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
    known = ["cudagraphs", "inductor"]
    if not exclude_tags:
        known += ["aot_eager", "aot_eager_decomp_partition", "aot_eager_default_partitioner", "aot_ts", "eager", "eager_debug",
                  "eager_noexcept", "pre_dispatch_eager", "ts"]
    return sorted(known + list(_backends))


def lookup_backend(compiler_fn):
    if callable(compiler_fn):
        return compiler_fn
    if compiler_fn in _backends:
        return _backends[compiler_fn]
    if compiler_fn not in list_backends(None):
        raise RuntimeError(f"{compiler_fn} is no backend: {list_backends(None)}")

    def backend(gm, example_inputs, **options):
        return torch.compile(gm, backend=compiler_fn)

    backend.__name__ = backend.__qualname__ = compiler_fn
    return backend


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


class Guard:
    """What an entry relies on: of which value, what, and the line that made it so."""

    def __init__(self, kind, name, condition, file, line):
        self.name = name
        self.source = "local" if name.startswith("L[") else "shape_env" if kind in ("SIZE", "SHAPE_ENV") else "global"
        self.guard_types = [kind]
        self.code_list = [condition]
        self.user_stack = [_FrameSummary(file, line, "")] if line else []

    def create_fn_name(self):
        return self.guard_types[0]

    def __str__(self):
        text = f"Name: {self.name!r}\n    Source: {self.source}\n    Create Function: {self.create_fn_name()}\n"
        text += f"    Guard Types: {self.guard_types}\n    Code List: {self.code_list}\n"
        for frame in self.user_stack:
            text += f"    User Stack: <FrameSummary file {frame.filename}, line {frame.lineno}>\n"
        return text

    def __repr__(self):
        return str(self)


class ExplainOutput:
    """What torch._dynamo.explain(f)(*args) gives; prints as PyTorch's."""

    def __init__(self, graphs, graph_count, graph_break_count, break_reasons, op_count, ops_per_graph=None,
                 out_guards=None, compile_times=None):
        self.graphs = graphs
        self.graph_count = graph_count
        self.graph_break_count = graph_break_count
        self.break_reasons = break_reasons
        self.op_count = op_count
        self.ops_per_graph = ops_per_graph
        self.out_guards = out_guards
        self.compile_times = compile_times

    def __str__(self):
        text = f"Graph Count: {self.graph_count}\nGraph Break Count: {self.graph_break_count}\n"
        text += f"Op Count: {self.op_count}\nBreak Reasons:\n"
        for i, reason in enumerate(self.break_reasons):
            text += f"  Break Reason {i + 1}:\n    Reason: {reason.reason}\n    User Stack:\n"
            for frame in reason.user_stack:
                text += f"      {frame}\n"
        if self.ops_per_graph is not None:
            text += "Ops per Graph:\n"
            for i, ops in enumerate(self.ops_per_graph):
                text += f"  Ops {i + 1}:\n" + "".join([f"    {op}\n" for op in ops])
        if self.out_guards is not None:
            text += "Out Guards:\n"
            for i, guard in enumerate(self.out_guards):
                text += f"  Guard {i + 1}:\n    {guard}"
        if self.compile_times is not None:
            text += f"Compile Times: {self.compile_times}\n"
        return text

    def __repr__(self):
        return str(self)


class _Explained:
    """Collects what captures tell; graphs run as they are, or as a backend makes of them."""

    def __init__(self, backend=None):
        self.backend = backend
        self.graphs, self.break_reasons, self.guards = [], [], []

    def __call__(self, gm, example_inputs):
        self.graphs.append(gm)
        return gm.forward if self.backend is None else self.backend(gm, example_inputs)

    def observe(self, function, segment, breaks, guards):
        for message, hint, file, line in breaks:
            reason = message + ("\n  Hint: " + hint if hint else "")
            self.break_reasons.append(GraphCompileReason(reason, [_FrameSummary(file, line, function)]))
        self.guards.extend([Guard(*guard) for guard in guards])

    def ops_per_graph(self):
        return [[n.target for n in g.graph.nodes if n.op == "call_function"] for g in self.graphs]

    def told(self, *more):
        """\param more: what the output of a whole explanation has besides"""
        operations = sum(len(ops) for ops in self.ops_per_graph())
        return ExplainOutput(self.graphs, len(self.graphs), max(len(self.graphs) - 1, 0), self.break_reasons, operations,
                             *more)


def explain(f, *extra_args, **extra_kwargs):
    """explain(f)(*args): runs f once, compiled anew, and tells its graphs, breaks, guards and times."""

    def inner(*args, **kwargs):
        import torch._dynamo.utils as utils
        found = _Explained()
        before = len(utils._capture_seconds)
        utils._observers.append(found.observe)
        try:
            torch.compile(getattr(f, "_torchdynamo_orig_callable", f), backend=found)(*args, **kwargs)
        finally:
            utils._observers.remove(found.observe)
        return found.told(found.ops_per_graph(), found.guards, utils._times(utils._capture_seconds[before:]))

    return inner(*extra_args, **extra_kwargs) if extra_args or extra_kwargs else inner


def export(f, *extra_args, **extra_kwargs):
    """export(f)(*args): (the one graph of f, which takes what f takes and gives what f gives, its guards)."""
    from torch._dynamo import _exported
    return _exported.export(f, *extra_args, **extra_kwargs)


def mark_static_address(t, guard=True):
    """Says that t stays where it is in memory, which nothing here relies upon."""
    if not isinstance(t, torch.Tensor):
        raise TypeError(f"mark_static_address expects a tensor but received {type(t)}")


def allow_in_graph(fn):
    if isinstance(fn, (list, tuple)):
        return [allow_in_graph(each) for each in fn]
    return _C.allow_builtin(fn, True)


def disallow_in_graph(fn):
    """Calls of a function of torch end the graph; one of the script, decorated, runs eagerly as a whole."""
    if isinstance(fn, (list, tuple)):
        return [disallow_in_graph(each) for each in fn]
    return _C.allow_builtin(fn, False) if _C.builtin_name(fn) is not None else disable(fn)


def assume_constant_result(fn):
    """fn is called while a graph is captured, with that call's values; what it gives is a constant of the graph."""
    import functools

    @functools.wraps(fn)
    def constant(*args, **kwargs):
        return _C.call_constant(fn, *args, **kwargs)

    return constant


def substitute_in_graph(original_fn, *, can_constant_fold_through=False, skip_signature_check=False,
                        is_embedded_type=False):
    """Says how a function of C would be written in Python; the functions of scripts are written so already."""
    def decorate(traceable_fn):
        if not callable(traceable_fn):
            raise TypeError(f"substitute_in_graph expects a function but got {type(traceable_fn)!r}")
        return traceable_fn

    return decorate


def is_dynamo_supported():
    return True


def is_compiling():
    return _C.is_compiling()
