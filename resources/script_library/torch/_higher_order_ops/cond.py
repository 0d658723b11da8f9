# SPDX-License-Identifier: Apache-2.0
# torch._higher_order_ops.cond: torch.cond by the name of its operation.
import torch


def cond_op(*args, **kwargs):
    """torch.cond."""
    names = ("pred", "true_fn", "false_fn", "operands")
    for name in kwargs:
        if name not in names:
            raise torch._dynamo.exc.UncapturedHigherOrderOpError(f"cond() has no argument {name!r}")
    assert len(args) + len(kwargs) == 4 and not any(name in kwargs for name in names[:len(args)]), \
        "cond() takes pred, true_fn, false_fn and operands"
    return torch.cond(*args, **kwargs)
