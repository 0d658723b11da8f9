# SPDX-License-Identifier: Apache-2.0
# torch._C: what scripts use of PyTorch's extension module by its name.
from torch.overrides import _Without as DisableTorchFunctionSubclass
from torch.overrides import _WithoutModes as DisableTorchFunction

import torch

_LinAlgError = torch.linalg.LinAlgError


def _get_privateuse1_backend_name():
    return "privateuseone"


def _get_cublas_allow_tf32():
    return torch.backends.cuda.matmul.allow_tf32


def _set_cublas_allow_tf32(allowed):
    torch.backends.cuda.matmul.allow_tf32 = allowed


def _set_grad_enabled(mode):
    _C.set_grad_enabled(mode)
