# SPDX-License-Identifier: Apache-2.0
# torch._higher_order_ops.wrap: a call that PyTorch keeps as a graph of its own; here it is part of the graph around it.


def wrap(func, *args, **kwargs):
    return func(*args, **kwargs)
