# SPDX-License-Identifier: Apache-2.0
# torch.nn.modules: the modules of torch.nn by their longer name.
from torch.nn import *
