# SPDX-License-Identifier: Apache-2.0
# torch.nn.utils.stateless: torch.func.functional_call by its older name.
import torch


def functional_call(module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False):
    return torch.func.functional_call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights,
                                      strict=strict)
