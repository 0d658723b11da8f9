# SPDX-License-Identifier: Apache-2.0
# torch.functional: functions of torch that PyTorch writes in Python.
from torch import (
    atleast_1d, atleast_2d, atleast_3d, block_diag, broadcast_shapes, broadcast_tensors, cartesian_prod, cdist, einsum,
    istft, lu, meshgrid, norm, split, stft, tensordot, unique, unique_consecutive, unravel_index)
