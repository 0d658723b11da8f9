# SPDX-License-Identifier: Apache-2.0
# torch.nn.utils.parametrize: attributes of modules that are computed of others at every use.
from contextlib import contextmanager

import torch
from torch.nn import Module, ModuleDict, ModuleList, Parameter


class ParametrizationList(ModuleList):
    """What an attribute is computed of, original or original0, original1 .., and by which modules."""

    def __init__(self, modules, original, unsafe=False):
        super().__init__(modules)
        self.unsafe = unsafe
        new = original
        for module in reversed(list(self)):
            if hasattr(module, "right_inverse"):
                with torch.no_grad():
                    new = module.right_inverse(new)
        self.is_tensor = isinstance(new, torch.Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        for name, value in zip(self._names(), [new] if self.is_tensor else new):
            if isinstance(original, Parameter):
                kept = original if value is original else Parameter(value.detach(), original.requires_grad)
                self.register_parameter(name, kept)
            else:
                self.register_buffer(name, value)

    def _names(self):
        return ["original"] if self.is_tensor else [f"original{i}" for i in range(self.ntensors)]

    def right_inverse(self, value):
        with torch.no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            for name, new in zip(self._names(), [value] if self.is_tensor else value):
                getattr(self, name).copy_(new)

    def forward(self):
        modules = list(self)
        value = modules[0](*[getattr(self, name) for name in self._names()])
        for module in modules[1:]:
            value = module(value)
        return value


_cached = 0  # contexts of cached() that are open
_values = {}


@contextmanager
def cached():
    """Within, what an attribute is computed of is looked at once."""
    global _cached
    _cached += 1
    try:
        yield
    finally:
        _cached -= 1
        if not _cached:
            _values.clear()


def _property(name):
    def get(self):
        if not _cached:
            return self.parametrizations[name]()
        key = id(self), name
        if key not in _values:
            _values[key] = self.parametrizations[name]()
        return _values[key]

    def put(self, value):
        _values.pop((id(self), name), None)
        self.parametrizations[name].right_inverse(value)

    return property(get, put)


def is_parametrized(module, tensor_name=None):
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        with torch.no_grad():
            value = getattr(module, tensor_name)
            if hasattr(parametrization, "right_inverse"):
                module.parametrizations[tensor_name].right_inverse(parametrization.right_inverse(value))
        module.parametrizations[tensor_name].append(parametrization)
        return module
    if tensor_name not in module._parameters and tensor_name not in module._buffers:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
                         f"'{tensor_name}'")
    original = getattr(module, tensor_name)
    made = ParametrizationList([parametrization], original, unsafe)
    if not is_parametrized(module):
        kind = type(module)
        module.__class__ = type("Parametrized" + kind.__name__, (kind,), {"_unparametrized": kind})
        module.parametrizations = ModuleDict()
    delattr(module, tensor_name)
    setattr(type(module), tensor_name, _property(tensor_name))
    module.parametrizations[tensor_name] = made
    return module


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    made = module.parametrizations[tensor_name]
    if not leave_parametrized and not made.is_tensor:
        raise ValueError("Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in "
                         "terms of a sequence of tensors.")
    with torch.no_grad():
        value = getattr(module, tensor_name).detach() if leave_parametrized else made.original.detach()
    first = getattr(made, made._names()[0])
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    if isinstance(first, Parameter):
        module.register_parameter(tensor_name, Parameter(value.clone(), first.requires_grad))
    else:
        module.register_buffer(tensor_name, value.clone())
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module)._unparametrized
    return module
