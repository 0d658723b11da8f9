# SPDX-License-Identifier: Apache-2.0
from torch.optim import Optimizer

required = object()  # what a parameter without a value was given once
