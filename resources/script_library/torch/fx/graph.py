# SPDX-License-Identifier: Apache-2.0
from torch.fx import Graph, Node, map_aggregate, map_arg
