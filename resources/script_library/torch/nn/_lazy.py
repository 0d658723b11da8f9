# SPDX-License-Identifier: Apache-2.0
# torch.nn: modules that learn a size from their first input.
import torch
from torch.nn import (BatchNorm1d, BatchNorm2d, BatchNorm3d, Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d,
                      ConvTranspose3d, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, Linear)
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy


class LazyModuleMixin:
    """A module whose initialize_parameters(*inputs) runs before its first forward, after which it is a
    cls_to_become, where there is one. Under torch.compile it runs for real, before the function is captured."""

    __module__ = "torch.nn.modules.lazy"
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


class LazyLinear(LazyModuleMixin, Linear):
    """A Linear that learns in_features from its first input."""
    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False)
        self.out_features = out_features
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()


class _LazyConv(LazyModuleMixin):
    """A convolution that learns in_channels."""

    def _start(self, out_channels, bias, device, dtype):
        self.out_channels = out_channels
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            return
        rank = len(self.kernel_size)
        if input.dim() not in (rank + 1, rank + 2):
            raise RuntimeError(f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to "
                               f"{type(self).__name__}, but got input of size: {input.shape}")
        self.in_channels = input.shape[1] if input.dim() == rank + 2 else input.shape[0]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if self.transposed:
            channels = (self.in_channels, self.out_channels // self.groups)
        else:
            channels = (self.out_channels, self.in_channels // self.groups)
        self.weight.materialize(channels + self.kernel_size)
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


def _conv(become):
    class Lazy(_LazyConv, become):
        cls_to_become = become

        def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                     padding_mode="zeros", device=None, dtype=None):
            super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode)
            self._start(out_channels, bias, device, dtype)

    return _named(Lazy, become)


def _transposed(become):
    class Lazy(_LazyConv, become):
        cls_to_become = become

        def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
                     dilation=1, padding_mode="zeros", device=None, dtype=None):
            super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode)
            self._start(out_channels, bias, device, dtype)

    return _named(Lazy, become)


def _norm(become):
    class Lazy(LazyModuleMixin, become):
        cls_to_become = become

        def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
            super().__init__(0, eps, momentum, False, False)
            self.affine = affine
            self.track_running_stats = track_running_stats
            if affine:
                self.weight = UninitializedParameter(device=device, dtype=dtype)
                self.bias = UninitializedParameter(device=device, dtype=dtype)
            if track_running_stats:
                import torch
                self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
                self.running_var = UninitializedBuffer(device=device, dtype=dtype)
                self.num_batches_tracked = torch.tensor(0, device=device)

        def reset_parameters(self):
            if not self.has_uninitialized_params() and self.num_features != 0:
                super().reset_parameters()

        def initialize_parameters(self, input):
            if not self.has_uninitialized_params():
                return
            self.num_features = input.shape[1]
            for tensor in (self.weight, self.bias) if self.affine else ():
                tensor.materialize((self.num_features,))
            for tensor in (self.running_mean, self.running_var) if self.track_running_stats else ():
                tensor.materialize((self.num_features,))
            self.reset_parameters()

    return _named(Lazy, become)


def _named(lazy, become):
    lazy.__name__ = lazy.__qualname__ = "Lazy" + become.__name__
    return lazy


LazyConv1d, LazyConv2d, LazyConv3d = _conv(Conv1d), _conv(Conv2d), _conv(Conv3d)
LazyConvTranspose1d, LazyConvTranspose2d = _transposed(ConvTranspose1d), _transposed(ConvTranspose2d)
LazyConvTranspose3d = _transposed(ConvTranspose3d)
LazyBatchNorm1d, LazyBatchNorm2d = _norm(BatchNorm1d), _norm(BatchNorm2d)
LazyBatchNorm3d = _norm(BatchNorm3d)
LazyInstanceNorm1d, LazyInstanceNorm2d = _norm(InstanceNorm1d), _norm(InstanceNorm2d)
LazyInstanceNorm3d = _norm(InstanceNorm3d)


from torch._homes import settle as _settle

_settle("torch.nn", globals(), modules=False)
