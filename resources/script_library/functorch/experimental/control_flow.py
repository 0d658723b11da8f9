# SPDX-License-Identifier: Apache-2.0
# functorch.experimental.control_flow: functions that are torch's now.
from torch import cond
from torch._higher_order_ops import map
