# SPDX-License-Identifier: Apache-2.0
# torch._inductor.compile_fx: the compiler of graphs, for backends that only change a graph.
import torch


def compile_fx(model_, example_inputs_, inner_compile=None, config_patches=None, decompositions=None, **options):
    """A callable that runs a graph compiled."""
    return torch.compile(model_, fullgraph=True, options=config_patches)


compile_fx_inner = compile_fx
