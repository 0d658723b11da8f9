# SPDX-License-Identifier: Apache-2.0
# torch._C: what scripts use of PyTorch's extension module by its name.
from torch.overrides import _Without as DisableTorchFunctionSubclass
from torch.overrides import _WithoutModes as DisableTorchFunction

import torch

_LinAlgError = torch.linalg.LinAlgError


def _get_privateuse1_backend_name():
    return "privateuseone"


def _set_grad_enabled(mode):
    _C.set_grad_enabled(mode)
