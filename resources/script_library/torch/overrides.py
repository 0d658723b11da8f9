# SPDX-License-Identifier: Apache-2.0
# torch.overrides: classes and modes that take calls of torch's functions (__torch_function__).
import operator

import torch

_modes = []
# Functions that PyTorch's own code tells of with arguments as their signatures have them: those without a default by
# position, the others by name. The others of torch.nn.functional are C++ there, which tells what it was given.
_TOLD_AS_GIVEN = {
    "avg_pool1d", "avg_pool2d", "avg_pool3d", "bilinear", "celu_", "channel_shuffle", "conv1d", "conv2d", "conv3d",
    "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "gelu", "hardshrink",
    "linear", "logsigmoid", "native_channel_shuffle", "one_hot", "pairwise_distance", "pdist", "pixel_shuffle",
    "pixel_unshuffle", "prelu", "scaled_dot_product_attention", "softplus", "softshrink"}
_PLAIN = {"size", "dim", "numel", "stride", "is_contiguous", "is_floating_point", "item", "tolist", "data_ptr"}


def _as_signature(func, args, kwargs):
    if getattr(func, "__module__", None) != "torch.nn.functional" or func.__name__ in _TOLD_AS_GIVEN:
        return args, kwargs or None
    names, defaults = _C.parameter_names(func), func.__defaults__ or ()
    required = len(names) - len(defaults)
    if len(args) > len(names) or func.__kwdefaults__:
        return args, kwargs
    given = dict(zip(names, args))
    given.update(kwargs)
    if any(name not in given for name in names[:required]):
        return args, kwargs
    named = {name: given.get(name, default) for name, default in zip(names[required:], defaults)}
    return tuple(given[name] for name in names[:required]), named


def _classes_of(values):
    """Objects whose class takes calls, one of each class, those of derived classes first."""
    found = []
    for v in values:
        for each in v if isinstance(v, (list, tuple)) else (v,):
            kind = type(each)
            takes = kind is not torch.Tensor and kind is not torch.nn.Parameter and hasattr(kind, "__torch_function__")
            if not takes or any(type(other) is kind for other in found):
                continue
            place = [i for i, other in enumerate(found) if issubclass(kind, type(other))]
            found.insert(place[0] if place else len(found), each)
    return found


def _dispatch(func, args, kwargs):
    args, kwargs = _as_signature(func, args, kwargs)
    objects = _classes_of(list(args) + list((kwargs or {}).values()))
    types = tuple(type(each) for each in objects)
    if _modes:
        mode = _modes.pop()
        _C.override_torch(len(_modes) > 0)
        try:
            return mode.__torch_function__(func, types, args, kwargs)
        finally:
            _modes.append(mode)
            _C.override_torch(True)
    for each in objects:
        found = type(each).__torch_function__(func, types, args, kwargs)
        if found is not NotImplemented:
            return found
    if _C.builtin_name(func) is not None:
        raise TypeError(f"Multiple dispatch failed for '{resolve_name(func)}'; all __torch_function__ handlers returned "
                        "NotImplemented:\n\n" + "".join(f"  - tensor subclass {t}\n" for t in types) +
                        "\nFor more information, try re-running with TORCH_LOGS=not_implemented")
    raise TypeError(f"no implementation found for '{resolve_name(func)}' on types that implement __torch_function__: "
                    f"{list(types)}")


# The functions of torch.Tensor that operators stand for, where those have other names.
_OPERATORS = {"__add__": "add", "__radd__": "add", "__sub__": "sub", "__mul__": "mul", "__rmul__": "mul",
              "__truediv__": "div", "__mod__": "remainder", "__pow__": "pow", "__matmul__": "matmul", "__lt__": "lt",
              "__le__": "le", "__gt__": "gt", "__ge__": "ge", "__ne__": "ne", "__rand__": "bitwise_and",
              "__ror__": "bitwise_or", "__rxor__": "bitwise_xor", "__iadd__": "add_", "__isub__": "sub_",
              "__imul__": "mul_", "__itruediv__": "div_", "__ifloordiv__": "floor_divide_", "__imod__": "remainder_",
              "__ipow__": "pow_"}


def _of_two(name, function):
    function.__name__ = name
    return function


# Those that torch.Tensor has no method for here.
_MADE = {"__eq__": _of_two("__eq__", lambda self, other: self == other),
         "__rtruediv__": _of_two("__rdiv__", lambda self, other: self.reciprocal() * other),
         "__lshift__": _of_two("__lshift__", lambda self, other: self << other),
         "__rlshift__": _of_two("__rlshift__", lambda self, other: other << self),
         "__rshift__": _of_two("__rshift__", lambda self, other: self >> other),
         "__rrshift__": _of_two("__rrshift__", lambda self, other: other >> self),
         "__iand__": _of_two("__iand__", lambda self, other: operator.iand(self, other)),
         "__ior__": _of_two("__ior__", lambda self, other: operator.ior(self, other)),
         "__ixor__": _of_two("__ixor__", lambda self, other: operator.ixor(self, other)),
         "__ilshift__": _of_two("__ilshift__", lambda self, other: operator.ilshift(self, other)),
         "__irshift__": _of_two("__irshift__", lambda self, other: operator.irshift(self, other))}


def _operator(name, tensor, other):
    function = _MADE[name] if name in _MADE else getattr(torch.Tensor, _OPERATORS.get(name, name))
    return _dispatch(function, (tensor, other), {})


def _protocol(name, tensor, rest):
    """What Python asks of a tensor: abs(x), len(x), str(x)."""
    if name == "unbind":
        _dispatch(torch.Tensor.dim, (tensor,), {})
    return _dispatch(getattr(torch.Tensor, name), (tensor, *rest), {"tensor_contents": None} if name == "__repr__" else {})


def _converted(value, cls):
    if isinstance(value, torch.Tensor):
        return value if isinstance(value, cls) else value.as_subclass(cls)
    if isinstance(value, (list, tuple)):
        items = [_converted(v, cls) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def _default(cls, func, types, args=(), kwargs=None):
    """What torch.Tensor does: the function of what the tensors are, its results of the class."""
    if not all(issubclass(cls, t) for t in types):
        return NotImplemented
    with torch._C.DisableTorchFunctionSubclass():
        found = func(*args, **(kwargs or {}))
    plain = func in get_default_nowrap_functions() or getattr(func, "__name__", "") in _PLAIN
    return found if plain or cls is torch.Tensor else _converted(found, cls)


def _new(cls, *args, **kwargs):
    if issubclass(cls, torch.nn.Parameter):
        data = args[0] if args else kwargs.get("data", torch.empty(0))
        wanted = kwargs.get("requires_grad", args[1] if len(args) > 1 else True)
        return _C.as_subclass(torch.nn.Parameter(data, wanted), cls)
    return _C.as_subclass(torch.Tensor(*args, **kwargs), cls)


def _as_subclass(self, cls):
    if not (isinstance(cls, type) and issubclass(cls, torch.Tensor)):
        raise TypeError(f"as_subclass(): argument 'cls' must be a class of torch.Tensor, not {cls!r}")
    return _C.as_subclass(self, cls)


def _make_subclass(cls, data, require_grad=False, **options):
    return _C.as_subclass(data.detach().requires_grad_(require_grad), cls)


def _make_wrapper_subclass(cls, *args, **options):
    raise NotImplementedError("tensors without memory of their own (_make_wrapper_subclass, __torch_dispatch__) are not "
                              "available: keep a tensor in an attribute and define __torch_function__")


torch.Tensor.__new__ = staticmethod(_new)
torch.Tensor.__torch_function__ = classmethod(_default)
torch.Tensor.as_subclass = _as_subclass
torch.Tensor._make_subclass = staticmethod(_make_subclass)
torch.Tensor._make_wrapper_subclass = staticmethod(_make_wrapper_subclass)


class TorchFunctionMode:
    """In `with`, its __torch_function__ is asked for every call of a function of torch."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _modes.append(self)
        _C.override_torch(True)
        return self

    def __exit__(self, kind, error, trace):
        _modes.pop()
        _C.override_torch(len(_modes) > 0)

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class _Without:
    """Calls of torch's functions as if no class had __torch_function__; with modes, as if there were none either."""

    modes = False

    def __enter__(self):
        self._before = _C.plain_torch(True)
        self._modes = list(_modes) if self.modes else []
        if self._modes:
            _modes.clear()
            _C.override_torch(False)
        return self

    def __exit__(self, kind, error, trace):
        _C.plain_torch(self._before)
        if self._modes:
            _modes.extend(self._modes)
            _C.override_torch(True)


class _WithoutModes(_Without):
    modes = True


def get_default_nowrap_functions():
    return ()


def resolve_name(f):
    """"torch.relu", "torch.nn.functional.relu", "torch.Tensor.add"."""
    name = _C.builtin_name(f)
    if name is not None:
        return "torch." + name if name.startswith("Tensor.") else name
    return f"{f.__module__}.{f.__qualname__}" if hasattr(f, "__module__") else None


def is_tensor_method_or_property(func):
    return (_C.builtin_name(func) or "").startswith("Tensor.")


def is_tensor_like(inp):
    return isinstance(inp, torch.Tensor) or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args):
    return len(_modes) > 0 or len(_classes_of(relevant_args)) > 0


def has_torch_function_unary(inp):
    return has_torch_function((inp,))


def has_torch_function_variadic(*inps):
    return has_torch_function(inps)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """What the classes of the arguments make of a call of a function; raises where they have nothing to say."""
    return _dispatch(public_api, args, kwargs)


def wrap_torch_function(dispatcher):
    def inner(func):
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return func(*args, **kwargs)

        wrapped.__name__ = func.__name__
        return wrapped

    return inner
