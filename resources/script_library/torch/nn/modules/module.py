# SPDX-License-Identifier: Apache-2.0
# torch.nn.modules.module: modules of torch.nn by their longer name, and hooks of all of them.
import torch.nn
from torch.nn import *


def register_module_forward_pre_hook(hook):
    return torch.nn._register_global("_forward_pre_hooks", (hook, False))


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    return torch.nn._register_global("_forward_hooks", (hook, with_kwargs))


def register_module_full_backward_hook(hook):
    return torch.nn._register_global("_backward_hooks", hook)


def register_module_backward_hook(hook):
    return register_module_full_backward_hook(hook)


def register_module_full_backward_pre_hook(hook):
    return torch.nn._register_global("_backward_pre_hooks", hook)


def register_module_parameter_registration_hook(hook):
    return torch.nn._register_registration("_parameters", hook)


def register_module_buffer_registration_hook(hook):
    return torch.nn._register_registration("_buffers", hook)


def register_module_module_registration_hook(hook):
    return torch.nn._register_registration("_modules", hook)


def __getattr__(name):
    return getattr(torch.nn, name)
