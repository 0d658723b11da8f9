# SPDX-License-Identifier: Apache-2.0
# torch._inductor: its settings are torch._inductor.config.
import torch
import torch._config

config.patch = torch._config.patcher(config)
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
