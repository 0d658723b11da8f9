# SPDX-License-Identifier: Apache-2.0
from torch.signal import windows
