# SPDX-License-Identifier: Apache-2.0
# torch.fx.passes.shape_prop: what every value of a graph is, found by running it.
import torch
from collections import namedtuple

TensorMetadata = namedtuple("TensorMetadata", ["shape", "dtype", "requires_grad", "stride", "memory_format", "is_quantized",
                                               "qparams"])


def _extract_tensor_metadata(result, include_contiguity=True):
    contiguous = torch.contiguous_format if result.is_contiguous() else None
    return TensorMetadata(result.shape, result.dtype, result.requires_grad, result.stride(), contiguous, False, {})


class ShapeProp(torch.fx.Interpreter):
    """Runs a graph node by node; node.meta gets the "type" and, of tensors, the "tensor_meta" of each result."""

    def __init__(self, gm, fake_mode=None):
        super().__init__(gm)

    def run_node(self, n):
        result = super().run_node(n)
        found = torch.fx.node.map_aggregate(result, lambda v: _extract_tensor_metadata(v)
                                            if isinstance(v, torch.Tensor) else v)
        if any(isinstance(v, TensorMetadata) for v in (found if type(found) in (list, tuple) else [found])):
            n.meta["tensor_meta"] = found
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args):
        return super().run(*args)
