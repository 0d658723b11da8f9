# SPDX-License-Identifier: Apache-2.0
# torch._higher_order_ops: operations that take functions.
from torch import cond
