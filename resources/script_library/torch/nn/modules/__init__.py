# SPDX-License-Identifier: Apache-2.0
# torch.nn.modules: the modules of torch.nn by their longer name.
from torch.nn import *


def __getattr__(name):
    import torch
    return getattr(torch.nn, name)
