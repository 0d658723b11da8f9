# SPDX-License-Identifier: Apache-2.0
# torch._logging: what compiled functions do, told on standard error as PyTorch's logs tell it.
import sys

import torch._dynamo.utils as _utils

_names = ("all", "dynamo", "aot", "inductor", "dynamic", "bytecode", "aot_graphs", "aot_joint_graph", "ddp_graphs", "graph",
          "graph_code", "graph_breaks", "graph_sizes", "guards", "recompiles", "recompiles_verbose", "trace_source",
          "trace_call", "output_code", "schedule", "fusion", "perf_hints", "post_grad_graphs", "onnx", "modules",
          "cudagraphs", "autotuning", "overlap", "export", "distributed", "torch", "compiled_autograd", "trace_shape_events",
          "verbose_guards", "sym_node", "benchmarking", "loop_ordering", "hierarchical_compile", "kernel_code",
          "compiled_autograd_verbose", "graph_region_expansion", "inductor_metrics", "cudagraph_static_inputs",
          "trace_bytecode", "not_implemented", "custom_format_test_artifact", "joint_graph_passes", "pre_grad_graphs",
          "side_effects", "annotation", "dtensor", "async_compile", "caching", "node_runtime_estimation", "autograd",
          "optimizer", "fsdp", "c10d", "rank", "ddp", "fake_tensor", "cache", "debug_trace", "compute_dependencies")
_wanted = set()


def _write(artifact, text):
    for line in text.splitlines():
        sys.stderr.write(f"[__{artifact}] {line}\n")


def _observe(function, segment, breaks, guards):
    name = function or "<lambda>"
    if "graph_breaks" in _wanted:
        for message, hint, file, line in breaks:
            _write("graph_breaks", f"Graph break in user code at {file}:{line}\nGraph Break Reason: {message}")
    found = [guard for guard in guards if guard[0] == "RECOMPILES"]
    if found and _wanted & {"recompiles", "recompiles_verbose"}:
        _write("recompiles", f"Recompiling function {name} in {found[0][3]}:{found[0][4]}\n"
               "    triggered by the following guard failure(s):\n" +
               "\n".join(f"    - {condition}" for kind, source, condition, file, line in found))
    if "guards" in _wanted:
        _write("guards", "GUARDS:\n" + "\n".join(f"+- {kind}: {condition}  # {file}:{line}" if line else
                                                 f"+- {kind}: {condition}"
                                                 for kind, source, condition, file, line in guards if kind != "RECOMPILES"))


def set_logs(*, modules=None, **artifacts):
    """set_logs(recompiles=True, graph_breaks=True, guards=True): those are told from now on, the others no longer."""
    for name in artifacts:
        if name not in _names:
            raise ValueError(f"Unrecognized log or artifact name passed to set_logs: {name}")
    _wanted.clear()
    _wanted.update(name for name, level in artifacts.items() if level)
    if _observe in _utils._observers:
        _utils._observers.remove(_observe)
    if _wanted:
        _utils._observers.append(_observe)
