# SPDX-License-Identifier: Apache-2.0
# torch.amp: mixed precision. The lists of operations are the evaluator's (core/capture/autocast.cpp).
import torch
from torch.amp import autocast_mode
from torch.amp.autocast_mode import autocast


class GradScaler:
    """Scales a loss, and leaves a step out when a gradient is not finite."""

    __module__ = "torch.amp.grad_scaler"

    def __init__(self, device="cuda", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        self._enabled = enabled
        self._scale = float(init_scale)
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._growth_tracker = 0
        self._found_inf = False
        self._unscaled = []

    def is_enabled(self):
        return self._enabled

    def get_scale(self):
        return self._scale if self._enabled else 1.0

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        if isinstance(outputs, (list, tuple)):
            return type(outputs)([self.scale(o) for o in outputs])
        return outputs * self._scale

    def unscale_(self, optimizer):
        if not self._enabled:
            return
        if any(optimizer is other for other in self._unscaled):
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        self._unscaled.append(optimizer)
        with torch.no_grad():
            for group in optimizer.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        p.grad.mul_(1.0 / self._scale)
                        total = p.grad.sum().item()
                        if total != total or total in (float("inf"), -float("inf")):
                            self._found_inf = True

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if not any(optimizer is other for other in self._unscaled):
            self.unscale_(optimizer)
        return None if self._found_inf else optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = float(new_scale)
        elif self._found_inf:
            self._scale *= self._backoff_factor
            self._growth_tracker = 0
        else:
            self._growth_tracker += 1
            if self._growth_tracker == self._growth_interval:
                self._scale *= self._growth_factor
                self._growth_tracker = 0
        self._found_inf = False
        self._unscaled = []

    def state_dict(self):
        if not self._enabled:
            return {}
        return {"scale": self._scale, "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
                "growth_interval": self._growth_interval, "_growth_tracker": self._growth_tracker}

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a disabled instance "
                               "of GradScaler.")
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._scale = state_dict["scale"]
        self._growth_tracker = state_dict["_growth_tracker"]


def is_autocast_available(device_type):
    return device_type in ("cpu", "cuda")


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """For forward() of an autograd.Function under autocast: which mode its backward() has, or inputs of one dtype."""
    if fwd is None:
        return lambda function: custom_fwd(function, device_type=device_type, cast_inputs=cast_inputs)

    def cast(value):
        if isinstance(value, torch.Tensor):
            return value.to(cast_inputs) if value.is_floating_point() and value.dtype != torch.float64 else value
        if isinstance(value, dict):
            return {cast(k): cast(v) for k, v in value.items()}
        return type(value)([cast(v) for v in value]) if isinstance(value, (list, tuple)) else value

    def decorated(*args, **kwargs):
        args[0]._dtype = torch.get_autocast_dtype(device_type)
        if cast_inputs is None:
            args[0]._fwd_used_autocast = torch.is_autocast_enabled(device_type)
            return fwd(*args, **kwargs)
        active = torch.is_autocast_enabled(device_type)
        args[0]._fwd_used_autocast = False
        if not active:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*[cast(a) for a in args], **cast(kwargs))

    return decorated


def custom_bwd(bwd=None, *, device_type):
    if bwd is None:
        return lambda function: custom_bwd(function, device_type=device_type)

    def decorated(*args, **kwargs):
        with autocast(device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **kwargs)

    return decorated
