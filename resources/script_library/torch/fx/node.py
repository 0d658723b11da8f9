# SPDX-License-Identifier: Apache-2.0
from torch.fx import Node, map_aggregate, map_arg
