# SPDX-License-Identifier: Apache-2.0
from torch.nn import Buffer, Parameter
