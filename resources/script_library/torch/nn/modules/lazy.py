# SPDX-License-Identifier: Apache-2.0
# torch.nn.modules.lazy: modules that make their parameters when they see their first input.
import torch
from torch.nn.parameter import is_lazy


class LazyModuleMixin:
    """A module whose initialize_parameters(*inputs) runs before its first forward, after which it is a
    cls_to_become, where there is one. Under torch.compile it runs for real, before the function is captured."""

    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._lazy_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def has_uninitialized_params(self):
        return any(is_lazy(t) for t in [*self._parameters.values(), *self._buffers.values()])

    def initialize_parameters(self, *args, **kwargs):
        raise NotImplementedError(f"initialize_parameters is not implemented for {self.__class__.__name__}")

    def _infer_parameters(self, module, args, kwargs=None):
        _C.before_capture(module, module._materialize, [list(args), dict(kwargs or {})])

    def _materialize(self, args, kwargs):
        self.initialize_parameters(*args, **kwargs)
        if self.has_uninitialized_params():
            raise RuntimeError(f"module {type(self).__name__} has not been fully initialized")
        self._lazy_hook.remove()
        del self._lazy_hook
        if not self._forward_pre_hooks:
            del self._forward_pre_hooks
            self.__dict__.pop("_hooked", None)
        if self.cls_to_become is not None:
            self.__class__ = self.cls_to_become

