# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.eval_frame: OptimizedModule is put here when torch.nn is loaded.
import torch.nn
from torch._dynamo.testing import unsupported  # noqa: F401
from torch._dynamo import disable, explain, export, optimize, optimize_assert, reset  # noqa: F401
