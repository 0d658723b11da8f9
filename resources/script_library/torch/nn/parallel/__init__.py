# SPDX-License-Identifier: Apache-2.0
# torch.nn.parallel: on one device a module is called as it is; other processes there are none.
import torch
from torch.nn import Module


class DataParallel(Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = [] if device_ids is None else list(device_ids)
        if len(self.device_ids) > 1:
            raise NotImplementedError("a batch is not split between GPUs: name one device")

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


class DistributedDataParallel(Module):
    def __init__(self, module, device_ids=None, **options):
        super().__init__()
        torch.distributed.get_rank()  # raises: there is no group
