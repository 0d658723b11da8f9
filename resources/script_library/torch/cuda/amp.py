# SPDX-License-Identifier: Apache-2.0
# torch.cuda.amp: torch.amp for one kind of device, as older scripts spell it.
import torch
from torch.amp import GradScaler


class autocast(torch.amp.autocast):
    def __init__(self, enabled=True, dtype=torch.float16, cache_enabled=True):
        super().__init__("cuda", dtype, enabled)
