# SPDX-License-Identifier: Apache-2.0
# torch.amp.autocast_mode. The lists of operations are the evaluator's (core/capture/autocast.cpp).
import functools

import torch


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device = device_type
        self.dtype = torch.get_autocast_dtype(device_type) if dtype is None else dtype
        if enabled and self.dtype not in (torch.bfloat16, torch.float16):
            import warnings
            warnings.warn(f"In {device_type} autocast, but the target dtype is not supported. Disabling autocast.")
            enabled = False
        self.enabled = enabled
        # As a graph says it: what was given, where the function that is compiled made it.
        within = torch.compiler.is_compiling()
        self._told = (dtype, cache_enabled) if within else (self.dtype, cache_enabled is not False)
        self._before = []

    def __enter__(self):
        self._before.append(_C.autocast_mode(self.device))
        _C.set_autocast_mode(self.device, self.enabled, self.dtype)
        _C.tell_autocast(self.device, self._told[0], self.enabled, self._told[1])
        return self

    def __exit__(self, kind, error, trace):
        enabled, dtype = self._before.pop()
        _C.set_autocast_mode(self.device, enabled, dtype)
        _C.tell_autocast()
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return wrapped


def _enter_autocast(*vals):
    """What a graph calls where a block begins; with its result _exit_autocast() ends it."""
    mode = autocast(*vals)
    mode.__enter__()
    return mode


def _exit_autocast(mode):
    mode.__exit__(None, None, None)
