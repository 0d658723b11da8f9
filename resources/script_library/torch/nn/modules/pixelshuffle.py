# SPDX-License-Identifier: Apache-2.0
# torch.nn.modules.pixelshuffle: modules of torch.nn by their longer name.
import torch.nn
from torch.nn import *


def __getattr__(name):
    return getattr(torch.nn, name)
