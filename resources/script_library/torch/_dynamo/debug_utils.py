# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.debug_utils: whether a compiled model gives what the model itself gives.
import copy

import torch
from torch._dynamo.testing import collect_results, reduce_to_scalar_loss, requires_bwd_pass
from torch._dynamo.utils import clone_input, same
from torch.utils._pytree import tree_map


def clone_inputs_retaining_gradness(example_inputs):
    return [clone_input(x) if isinstance(x, torch.Tensor) else x for x in example_inputs]


def run_fwd_maybe_bwd(gm, args, only_fwd=False, disable_clone=False):
    """What a copy of the model gives, and the gradients that its backward leaves where there is one."""
    gm = copy.deepcopy(gm)
    if not disable_clone:
        args = clone_inputs_retaining_gradness(args)
    if hasattr(gm, "zero_grad"):
        gm.zero_grad(True)
    out = gm(*args)
    if only_fwd:
        return out
    if requires_bwd_pass(out):
        reduce_to_scalar_loss(out).backward()
    return collect_results(gm, out, None, args)


def cast_to(dtype, model, inputs):
    return model.to(dtype), tree_map(lambda x: x.to(dtype) if isinstance(x, torch.Tensor) and x.is_floating_point()
                                     else x, inputs)


def cast_to_fp64(model, inputs):
    return cast_to(torch.float64, model, inputs)


def same_two_models(gm, opt_gm, example_inputs, only_fwd=False):
    first = run_fwd_maybe_bwd(gm, example_inputs, only_fwd)
    second = run_fwd_maybe_bwd(opt_gm, example_inputs, only_fwd)
    return same(first, second, tol=1e-3, equal_nan=True)
