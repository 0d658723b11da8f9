# SPDX-License-Identifier: Apache-2.0
# torch.nn.utils in the script language.
import math

import torch


def _with_gradients(parameters):
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else parameters
    return [p for p in parameters if p.grad is not None]


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    with torch.no_grad():
        tensors = list(tensors)
        if not tensors:
            return torch.tensor(0.0)
        norm = lambda x: torch.linalg.vector_norm(x, float(norm_type))
        total = norm(torch.stack([norm(t.detach()) for t in tensors]))
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


class _SpectralNorm:
    """weight = weight_orig over its greatest singular value, computed anew before every call."""

    def __init__(self, module, name, n_power_iterations, dim, eps):
        self.name = name
        self.n_power_iterations = n_power_iterations
        self.dim = dim
        self.eps = eps
        weight = module._parameters[name]
        with torch.no_grad():
            rows = self.rows(weight)
            u = self.unit(weight.new_empty(rows.shape[0]).normal_(0, 1))
            v = self.unit(weight.new_empty(rows.shape[1]).normal_(0, 1))
        del module._parameters[name]
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.detach())
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)

    def unit(self, v):
        return torch.nn.functional.normalize(v, dim=0, eps=self.eps)

    def rows(self, weight):
        order = [self.dim] + [d for d in range(weight.dim()) if d != self.dim]
        return weight.permute(order).reshape(weight.shape[self.dim], -1)

    def weight(self, module, iterate):
        weight = getattr(module, self.name + "_orig")
        u, v = getattr(module, self.name + "_u"), getattr(module, self.name + "_v")
        rows = self.rows(weight)
        if iterate:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(self.unit(torch.mv(rows.t(), u)))
                    u.copy_(self.unit(torch.mv(rows, v)))
                u, v = u.clone(), v.clone()
        return weight / torch.dot(u, torch.mv(rows, v))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.weight(module, module.training))


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    if dim is None:
        from torch.nn.utils.parametrizations import _transposes
        dim = 1 if _transposes(module) else 0
    made = _SpectralNorm(module, name, n_power_iterations, dim, eps)
    module._spectral_norm = (made, module.register_forward_pre_hook(made))
    return module


def remove_spectral_norm(module, name="weight"):
    made, handle = module._spectral_norm
    handle.remove()
    with torch.no_grad():
        weight = made.weight(module, False)
    delattr(module, name)
    for kind in ("_u", "_v", "_orig"):
        delattr(module, name + kind)
    module.register_parameter(name, torch.nn.Parameter(weight.detach()))
    return module


from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_conv_bn_weights, fuse_linear_bn_eval, fuse_linear_bn_weights
