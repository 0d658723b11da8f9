# SPDX-License-Identifier: Apache-2.0

import torch.nn as _nn
from einops import rearrange as _rearrange, reduce as _reduce


class Rearrange(_nn.Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths

    def forward(self, x):
        return _rearrange(x, self.pattern, **self.axes_lengths)

    def extra_repr(self):
        return repr(self.pattern) + "".join(f", {k}={v}" for k, v in self.axes_lengths.items())


class Reduce(_nn.Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths

    def forward(self, x):
        return _reduce(x, self.pattern, self.reduction, **self.axes_lengths)

    def extra_repr(self):
        return f"{self.pattern!r}, {self.reduction!r}" + "".join(f", {k}={v}" for k, v in self.axes_lengths.items())
