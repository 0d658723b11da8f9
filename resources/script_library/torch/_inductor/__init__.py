# SPDX-License-Identifier: Apache-2.0
# torch._inductor: its settings are torch._inductor.config.
import torch
import torch._config

config.patch = torch._config.patcher(config)
torch._config.defaults(
    config, debug=False, epilogue_fusion=True, epilogue_fusion_first=False, max_fusion_size=64, dce=False,
    pattern_matcher=True, shape_padding=True, benchmark_kernel=False, coordinate_descent_tuning=False,
    comprehensive_padding=True, size_asserts=True, fallback_random=False, allow_buffer_reuse=True,
    max_autotune_gemm=False, max_autotune_pointwise=False, force_disable_caches=False, fx_graph_cache=True,
    unroll_reductions_threshold=8, permute_fusion=False, aggressive_fusion=False, split_reductions=True)
torch._config.defaults(config.triton, cudagraphs=False, cudagraph_trees=True, unique_kernel_names=True,
                       descriptive_names="original_aten", autotune_pointwise=True, max_tiles=None)
torch._config.defaults(config.trace, enabled=False, graph_diagram=False, debug_dir=None)
config.cpu_backend, config.cuda_backend, config.cpp_wrapper = "cpp", "cuda", False


def list_mode_options(mode=None, dynamic=None):
    options = {"default": {}, "reduce-overhead": {"triton.cudagraphs": True},
               "max-autotune": {"max_autotune": True, "triton.cudagraphs": True},
               "max-autotune-no-cudagraphs": {"max_autotune": True}}
    return options if mode is None else options[mode]


def list_options():
    return ["epilogue_fusion", "fallback_random", "max_autotune", "shape_padding", "trace.enabled",
            "trace.graph_diagram", "triton.cudagraphs"]


def compile(gm, example_inputs, options=None):
    """A callable that runs a graph compiled."""
    return torch.compile(gm, fullgraph=True, options=options)
