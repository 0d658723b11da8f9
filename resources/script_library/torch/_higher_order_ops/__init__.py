# SPDX-License-Identifier: Apache-2.0
# torch._higher_order_ops: operations that take functions, each in a module of its name.
from torch import cond
from torch._higher_order_ops import _operators
from torch._higher_order_ops.associative_scan import associative_scan
from torch._higher_order_ops.map import map
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
