# SPDX-License-Identifier: Apache-2.0
# torch.nn.modules.lazy: the base of modules that make their parameters when they see their first input.
from torch.nn._lazy import LazyModuleMixin
