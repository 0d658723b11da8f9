# SPDX-License-Identifier: Apache-2.0
# torch.ops.higher_order: what graphs have for functions that take functions.
import torch
import torch.library


def cond(pred, true_graph, false_graph, operands):
    """torch.cond of functions that give tuples."""
    return torch.cond(pred, true_graph, false_graph, operands)


cond.__module__ = "torch.ops.higher_order"
torch.ops.__dict__["higher_order"] = torch.library._Namespace("higher_order")
torch.ops.higher_order.cond = cond
