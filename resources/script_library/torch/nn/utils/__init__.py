# SPDX-License-Identifier: Apache-2.0
# torch.nn.utils in the script language.
import math

import torch


def _with_gradients(parameters):
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else parameters
    return [p for p in parameters if p.grad is not None]


def _norm(x, norm_type):
    if norm_type == math.inf:
        return x.abs().max()
    if norm_type == 2.0:
        return (x * x).sum().sqrt()
    if norm_type == 1.0:
        return x.abs().sum()
    return (x.abs() ** norm_type).sum() ** (1.0 / norm_type)


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    with torch.no_grad():
        tensors = list(tensors)
        if not tensors:
            return torch.tensor(0.0)
        total = _norm(torch.stack([_norm(t.detach(), float(norm_type)) for t in tensors]), float(norm_type))
    if error_if_nonfinite and not math.isfinite(total.item()):
        raise RuntimeError(f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so "
                           "it cannot be clipped. To disable this error and scale the gradients by the non-finite "
                           "norm anyway, set `error_if_nonfinite=False`")
    return total


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    with torch.no_grad():
        factor = torch.clamp(max_norm / (total_norm + 1e-6), max=1.0)
        for p in _with_gradients(parameters):
            p.grad.mul_(factor)


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    parameters = _with_gradients(parameters)
    total = get_total_norm([p.grad for p in parameters], norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(parameters, max_norm, total, foreach)
    return total


def clip_grad_value_(parameters, clip_value, foreach=None):
    with torch.no_grad():
        for p in _with_gradients(parameters):
            p.grad.clamp_(-float(clip_value), float(clip_value))


def parameters_to_vector(parameters):
    return torch.cat([p.view(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    at = 0
    for p in parameters:
        p.data = vec[at:at + p.numel()].view(p.shape).data
        at += p.numel()


def skip_init(module_cls, *args, **kwargs):
    kwargs.pop("device", None)
    return module_cls(*args, **kwargs)


class _WeightNorm:
    """weight = g * v / |v|, computed anew before every call."""

    def __init__(self, module, name, dim):
        self.name = name
        self.dim = dim
        weight = getattr(module, name)
        del module._parameters[name]
        module.register_parameter(name + "_g", torch.nn.Parameter(self.size(weight).detach()))
        module.register_parameter(name + "_v", torch.nn.Parameter(weight.detach()))
        self(module, None)

    def size(self, v):
        if self.dim is None:
            return (v * v).sum().sqrt()
        return (v * v).sum([d for d in range(v.dim()) if d != self.dim], keepdim=True).sqrt()

    def weight(self, module):
        v = getattr(module, self.name + "_v")
        return v * (getattr(module, self.name + "_g") / self.size(v))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.weight(module))


def weight_norm(module, name="weight", dim=0):
    made = _WeightNorm(module, name, dim)
    module._weight_norm = (made, module.register_forward_pre_hook(made))
    return module


def remove_weight_norm(module, name="weight"):
    made, handle = module._weight_norm
    handle.remove()
    weight = made.weight(module).detach()
    del module._parameters[name + "_g"]
    del module._parameters[name + "_v"]
    if name in module.__dict__:
        delattr(module, name)
    module.register_parameter(name, torch.nn.Parameter(weight))
    return module
