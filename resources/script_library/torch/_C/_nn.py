# SPDX-License-Identifier: Apache-2.0
# torch._C._nn: functions of torch.nn.functional under the names that the code of graphs has for them.
from torch.nn.functional import (
    avg_pool2d, avg_pool3d, gelu, hardshrink, linear, logsigmoid, one_hot, pixel_shuffle, pixel_unshuffle,
    scaled_dot_product_attention, softplus, softshrink)
