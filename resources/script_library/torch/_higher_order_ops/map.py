# SPDX-License-Identifier: Apache-2.0
# torch._higher_order_ops.map: by the name of its module.
from torch._higher_order_ops._loops import map
