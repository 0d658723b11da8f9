# SPDX-License-Identifier: Apache-2.0
from torch.fx import CodeGen, Graph, Node, _PyTreeCodeGen, _PyTreeInfo, map_aggregate, map_arg
