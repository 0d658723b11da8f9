# SPDX-License-Identifier: Apache-2.0
from torch.fx import Match, replace_pattern
