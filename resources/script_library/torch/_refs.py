# SPDX-License-Identifier: Apache-2.0
# torch._refs: PyTorch's own operations in Python, which give what the operations do.
import torch


def __getattr__(name):
    found = getattr(torch, name, None)
    if found is None:
        found = getattr(torch.Tensor, name, None)
    if found is None or name.startswith("_"):
        raise AttributeError(f"module 'torch._refs' has no attribute '{name}'")
    return found
