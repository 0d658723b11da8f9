# SPDX-License-Identifier: Apache-2.0
# torch.nn in the script language: what a user steps into.
import math
import warnings
from collections import OrderedDict, namedtuple

import torch
import torch.nn.functional as F
# _C: the evaluator's own functions; only scripts of the library know that name.
Parameter = _C.Parameter


# Hooks of every module, by kind as a module's own; while there is one, Module._hooked says so.
_global_hooks = {"_forward_pre_hooks": {}, "_forward_hooks": {}, "_backward_hooks": {}, "_backward_pre_hooks": {}}


# What is told of each parameter, buffer and module that modules get, by the dict that it goes to.
_registration_hooks = {"_parameters": {}, "_buffers": {}, "_modules": {}}


def _registered_in(table, kind, hook, name, told):
    """Keeps the hook in its kind's dict of a table; the class Module has told under a name while the table has any."""
    hooks = table[kind]
    key = len(hooks) + sum(hooks.keys()) + 1
    hooks[key] = hook
    setattr(Module, name, told)

    def remove():
        hooks.pop(key, None)
        if not any(table.values()) and name in Module.__dict__:
            delattr(Module, name)

    return torch._RemovableHandle(remove)


def _register_registration(kind, hook):
    return _registered_in(_registration_hooks, kind, hook, "_registered", _registered)


def _registered(self, kind, name, value):
    """What the hooks make of a value that a module is to get; Module._registered while there are any."""
    for hook in list(_registration_hooks[kind].values()):
        made = hook(self, name, value)
        if made is not None:
            value = made
    return value


def _register_global(kind, hook):
    return _registered_in(_global_hooks, kind, hook, "_hooked", True)


class _Hooks:
    """A module's dict of hooks of one kind, made when it is first asked for."""

    def __init__(self, kind):
        self.kind = kind

    def __get__(self, module, owner=None):
        if module is None:
            return self
        setattr(module, self.kind, OrderedDict())
        return module.__dict__[self.kind]


def _forward_unimplemented(self, *input):
    raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


class Module:
    forward = _forward_unimplemented
    _version = 1  # of what state_dict() says of itself

    def _keep(self, kind, name, value):
        if "_registered" in Module.__dict__ and (value is not None or kind != "_parameters"):
            value = self._registered(kind, name, value)
        getattr(self, kind)[name] = value

    def __init__(self):
        self.training = True
        self._parameters = {}
        self._buffers = {}
        self._non_persistent_buffers_set = set()
        self._modules = {}

    def _check_name(self, kind, name, known):
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {type(name).__name__}")
        if "." in name:
            raise KeyError(f"{kind} name can't contain \".\"")
        if name == "":
            raise KeyError(f"{kind} name can't be empty string \"\"")
        if hasattr(self, name) and name not in known:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name, param):
        self._check_name("parameter", name, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(f"cannot assign '{type(param).__name__}' object to parameter '{name}' "
                            "(torch.nn.Parameter or None required)")
        self._keep("_parameters", name, param)

    def register_buffer(self, name, tensor, persistent=True):
        self._check_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, torch.Tensor):
            raise TypeError(f"cannot assign '{type(tensor).__name__}' object to buffer '{name}' "
                            "(torch Tensor or None required)")
        self._keep("_buffers", name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name, module):
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        self._check_name("module", name, self._modules)
        self._keep("_modules", name, module)

    def register_module(self, name, module):
        self.add_module(name, module)

    # what a module consists of

    def _children(self):
        found = []
        for name, child in self._modules.items():
            if child is not None and not any(child is other for _, other in found):
                found.append((name, child))
        return found

    def named_children(self):
        return iter(self._children())

    def children(self):
        return iter([child for name, child in self._children()])

    def _walk(self, memo, prefix, remove_duplicate):
        if self in memo:
            return []
        if remove_duplicate:
            memo.add(self)
        found = [(prefix, self)]
        for name, child in self._modules.items():
            if child is not None:
                found += child._walk(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)
        return found

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        return iter(self._walk(set() if memo is None else memo, prefix, remove_duplicate))

    def modules(self):
        return iter([module for name, module in self._walk(set(), "", True)])

    def _named_members(self, member, recurse, start="", remove_duplicate=True):
        found = []
        seen = set()
        for prefix, module in self._walk(set(), start, remove_duplicate) if recurse else [(start, self)]:
            for name, tensor in getattr(module, member).items():
                if tensor is None or tensor in seen:
                    continue
                if remove_duplicate:
                    seen.add(tensor)
                found.append((f"{prefix}.{name}" if prefix else name, tensor))
        return found

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(self._named_members("_parameters", recurse, prefix, remove_duplicate))

    def parameters(self, recurse=True):
        return iter([tensor for name, tensor in self._named_members("_parameters", recurse)])

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(self._named_members("_buffers", recurse, prefix, remove_duplicate))

    def buffers(self, recurse=True):
        return iter([tensor for name, tensor in self._named_members("_buffers", recurse)])

    def get_submodule(self, target):
        module = self
        for name in target.split(".") if target else []:
            if name not in module._modules:
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = module._modules[name]
        return module

    def set_submodule(self, target, module):
        path = target.split(".")
        self.get_submodule(".".join(path[:-1]))._modules[path[-1]] = module

    def get_parameter(self, target):
        path = target.split(".")
        module = self.get_submodule(".".join(path[:-1]))
        if path[-1] not in module._parameters:
            raise AttributeError(f"{type(module).__name__} has no attribute `{path[-1]}`")
        return module._parameters[path[-1]]

    def get_buffer(self, target):
        path = target.split(".")
        module = self.get_submodule(".".join(path[:-1]))
        if path[-1] not in module._buffers:
            raise AttributeError("`" + path[-1] + "` is not a buffer")
        return module._buffers[path[-1]]

    # hooks: a module without any is called through its forward at once

    for _kind in ("_forward_pre_hooks", "_forward_hooks", "_backward_hooks", "_backward_pre_hooks", "_state_dict_pre_hooks",
                  "_state_dict_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks"):
        locals()[_kind] = _Hooks(_kind)
    del _kind

    def _register(self, kind, hook, prepend=False):
        hooks = getattr(self, kind)
        self._hooked = True
        key = len(hooks) + sum(hooks.keys()) + 1
        if prepend:
            before = dict(hooks)
            hooks.clear()
            hooks[key] = hook
            hooks.update(before)
        else:
            hooks[key] = hook
        return torch._RemovableHandle(lambda: hooks.pop(key, None))

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        return self._register("_forward_pre_hooks", (hook, with_kwargs), prepend)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        return self._register("_forward_hooks", (hook, with_kwargs), prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        return self._register("_backward_hooks", hook, prepend)

    def register_full_backward_pre_hook(self, hook, prepend=False):
        return self._register("_backward_pre_hooks", hook, prepend)

    def register_backward_hook(self, hook):
        return self.register_full_backward_hook(hook)

    def register_state_dict_pre_hook(self, hook):
        return self._register("_state_dict_pre_hooks", hook)

    def register_state_dict_post_hook(self, hook):
        return self._register("_state_dict_hooks", (hook, False))

    def _register_state_dict_hook(self, hook):
        return self._register("_state_dict_hooks", (hook, True))

    def register_load_state_dict_pre_hook(self, hook):
        return self._register("_load_state_dict_pre_hooks", (hook, True))

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return self._register("_load_state_dict_pre_hooks", (hook, with_module))

    def register_load_state_dict_post_hook(self, hook):
        return self._register("_load_state_dict_post_hooks", hook)

    def _hooks(self, kind):
        return list(_global_hooks[kind].values()) + list(self.__dict__.get(kind, {}).values())

    def __call__(self, *args, **kwargs):
        if "_traced_by" in self.__dict__:  # torch.fx
            return self._traced_by._called(self, args, kwargs)
        for hook, with_kwargs in self._hooks("_forward_pre_hooks"):
            if with_kwargs:
                result = hook(self, args, kwargs)
                if result is not None:
                    args, kwargs = result
            else:
                result = hook(self, args)
                if result is not None:
                    args = result if isinstance(result, tuple) else (result,)
        backward = self._hooks("_backward_hooks")
        before = self._hooks("_backward_pre_hooks")
        if backward or before:
            outside = torch.autograd._BackwardHooks(self, backward, before)
            args = outside.inputs(args)
        result = self.forward(*args, **kwargs)
        for hook, with_kwargs in self._hooks("_forward_hooks"):
            changed = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
            if changed is not None:
                result = changed
        if backward or before:
            result = outside.outputs(result)
        return result

    # states

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for members in (self._parameters, self._buffers):
            for name, tensor in members.items():
                if tensor is not None and name not in self._non_persistent_buffers_set:
                    destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def get_extra_state(self):
        raise RuntimeError("Reached a code path in Module.get_extra_state() that should never be called.")

    def set_extra_state(self, state):
        raise RuntimeError("Reached a code path in Module.set_extra_state() that should never be called.")

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        if args:  # by place, as it once was
            destination, prefix, keep_vars = (args + (destination, prefix, keep_vars)[len(args):])[:3]
        state = destination
        if state is None:
            state = OrderedDict()
            state._metadata = OrderedDict()
        told = {"version": self._version}
        if hasattr(state, "_metadata"):
            state._metadata[prefix[:-1]] = told
        for hook in list(self.__dict__.get("_state_dict_pre_hooks", {}).values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(state, prefix, keep_vars)
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(destination=state, prefix=prefix + name + ".", keep_vars=keep_vars)
        for hook, replaces in list(self.__dict__.get("_state_dict_hooks", {}).values()):
            changed = hook(self, state, prefix, told)
            if changed is not None:
                if not replaces:
                    raise RuntimeError("state_dict post-hook must return None")
                state = changed
        return state

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                              error_msgs):
        for hook, with_module in list(self.__dict__.get("_load_state_dict_pre_hooks", {}).values()):
            hook(*((self,) if with_module else ()), state_dict, prefix, local_metadata, strict, missing_keys,
                 unexpected_keys, error_msgs)
        own = {name: tensor for members in (self._parameters, self._buffers) for name, tensor in members.items()
               if tensor is not None and name not in self._non_persistent_buffers_set}
        for name, tensor in own.items():
            key = prefix + name
            if key not in state_dict:
                # Dicts of PyTorch before 0.4.1 have none; the module keeps its own.
                if strict and (name != "num_batches_tracked" or local_metadata.get("version") is not None):
                    missing_keys.append(key)
                continue
            given = state_dict[key]
            if not isinstance(given, torch.Tensor):
                error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
                                  f"object from checkpoint but received {type(given)}")
            elif given.shape != tensor.shape:
                error_msgs.append(f"size mismatch for {key}: copying a param with shape {given.shape} from "
                                  f"checkpoint, the shape in current model is {tensor.shape}.")
            elif not local_metadata.get("assign_to_params_buffers", False):
                with torch.no_grad():
                    tensor.copy_(given)
            elif name in self._parameters:
                kept = isinstance(given, Parameter)
                self._parameters[name] = given if kept else Parameter(given, tensor.requires_grad)
            else:
                self._buffers[name] = given
        extra = prefix + "_extra_state"
        if type(self).set_extra_state is not Module.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    first, dot, rest = key[len(prefix):].partition(".")
                    if first not in (self._modules if dot else own):
                        unexpected_keys.append(key)

    def _load(self, state_dict, prefix, metadata, assign, told):
        local = dict(metadata.get(prefix[:-1], {}))
        if assign:
            local["assign_to_params_buffers"] = True
        self._load_from_state_dict(state_dict, prefix, local, True, *told)
        for name, child in self._modules.items():
            if child is not None:
                start = prefix + name + "."
                part = {key: value for key, value in state_dict.items() if key.startswith(start)}
                child._load(part, start, metadata, assign, told)
        hooks = list(self.__dict__.get("_load_state_dict_post_hooks", {}).values())
        if hooks:
            found = _IncompatibleKeys(told[0], told[1])
            for hook in hooks:
                hook(self, found)

    def load_state_dict(self, state_dict, strict=True, assign=False):
        if not hasattr(state_dict, "keys"):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing, unexpected, errors = told = [], [], []
        self._load(dict(state_dict), "", getattr(state_dict, "_metadata", {}), assign, told)
        if strict:
            for names, which in (unexpected, "Unexpected"), (missing, "Missing"):
                if names:
                    quoted = ", ".join(f'"{name}"' for name in names)
                    errors.insert(0, f"{which} key(s) in state_dict: {quoted}. ")
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return _IncompatibleKeys(missing, unexpected)

    # modes and conversions

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self._modules.values():
            if child is not None:
                child.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters():
            if parameter.grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                parameter.grad.zero_()

    def share_memory(self):
        return self

    def apply(self, fn):
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def _apply(self, fn, recurse=True):
        with torch.no_grad():
            for module in self.modules() if recurse else [self]:
                for name, parameter in list(module._parameters.items()):
                    if parameter is not None:
                        gradient = parameter.grad
                        made = fn(parameter.data)
                        if made.is_meta == parameter.is_meta:
                            parameter.data = made
                        else:  # a tensor without values gets none: it is another parameter
                            parameter = module._parameters[name] = Parameter(made, parameter.requires_grad)
                        if gradient is not None:
                            parameter.grad = fn(gradient)
                for name, buffer in module._buffers.items():
                    if buffer is not None:
                        module._buffers[name] = fn(buffer)
        return self

    def to(self, *args, **kwargs):
        dtype = kwargs.get("dtype")
        rest = []
        for value in args:
            if isinstance(value, torch.dtype):
                dtype = value
            elif isinstance(value, torch.Tensor):
                dtype = value.dtype
                rest.append(value.device)
            else:
                rest.append(value)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError("nn.Module.to only accepts floating point or complex dtypes, but got desired "
                            f"dtype={dtype}")
        memory_format = kwargs.get("memory_format")
        kwargs = {name: value for name, value in kwargs.items() if name not in ("dtype", "memory_format")}

        def convert(tensor):
            if rest or kwargs:
                try:
                    tensor = tensor.to(*rest, **kwargs)
                except NotImplementedError as error:
                    if str(error) != "Cannot copy out of meta tensor; no data!":
                        raise
                    raise NotImplementedError(f"{error} Please use torch.nn.Module.to_empty() instead of "
                                              "torch.nn.Module.to() when moving module from meta to a different "
                                              "device.") from None
            if dtype is not None and tensor.is_floating_point():
                tensor = tensor.to(dtype)
            if memory_format is not None and tensor.dim() in (4, 5):
                tensor = tensor.to(memory_format=memory_format)
            return tensor

        return self._apply(convert)

    def to_empty(self, *, device, recurse=True):
        return self._apply(lambda tensor: torch.empty(tensor.shape, dtype=tensor.dtype, device=device), recurse)

    def cuda(self, device=None):
        return self._apply(lambda tensor: tensor.cuda(device))

    def cpu(self):
        return self._apply(lambda tensor: tensor.cpu())

    def type(self, dst_type):
        return self._apply(lambda tensor: tensor.to(dst_type))

    def float(self):
        return self._apply(lambda tensor: tensor.float() if tensor.is_floating_point() else tensor)

    def double(self):
        return self._apply(lambda tensor: tensor.double() if tensor.is_floating_point() else tensor)

    def half(self):
        return self._apply(lambda tensor: tensor.half() if tensor.is_floating_point() else tensor)

    def bfloat16(self):
        return self._apply(lambda tensor: tensor.bfloat16() if tensor.is_floating_point() else tensor)

    def compile(self, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, disable=False):
        _C.compile_module(self, fullgraph, dynamic, backend, mode, options, disable)

    # text

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        first = extra.split("\n") if extra else []
        lines = []
        for name, child in self._modules.items():
            lines.append("(" + name + "): " + repr(child).replace("\n", "\n  "))
        text = self._get_name() + "("
        if len(first) == 1 and not lines:
            text += first[0]
        elif first or lines:
            text += "\n  " + "\n  ".join(first + lines) + "\n"
        return text + ")"


class OptimizedModule:
    """What a compiled module says of itself: it has one child, the module. All other names are the module's."""

    __module__ = "torch._dynamo.eval_frame"
    _children = Module._children
    named_children = Module.named_children
    children = Module.children
    _walk = Module._walk
    named_modules = Module.named_modules
    modules = Module.modules
    _named_members = Module._named_members
    named_parameters = Module.named_parameters
    parameters = Module.parameters
    named_buffers = Module.named_buffers
    buffers = Module.buffers
    get_submodule = Module.get_submodule
    set_submodule = Module.set_submodule
    get_parameter = Module.get_parameter
    get_buffer = Module.get_buffer
    _version = 1
    _save_to_state_dict = Module._save_to_state_dict
    state_dict = Module.state_dict
    _load_from_state_dict = Module._load_from_state_dict
    _load = Module._load
    load_state_dict = Module.load_state_dict
    get_extra_state = Module.get_extra_state
    set_extra_state = Module.set_extra_state
    train = Module.train
    eval = Module.eval
    requires_grad_ = Module.requires_grad_
    zero_grad = Module.zero_grad
    apply = Module.apply
    _apply = Module._apply
    to = Module.to
    cuda = Module.cuda
    cpu = Module.cpu
    float = Module.float
    double = Module.double
    half = Module.half
    bfloat16 = Module.bfloat16
    type = Module.type
    _get_name = Module._get_name
    extra_repr = Module.extra_repr
    __repr__ = Module.__repr__
    _parameters = _buffers = __dict__ = property(lambda self: {})
    _modules = property(lambda self: {"_orig_mod": self._orig_mod})
    _non_persistent_buffers_set = property(lambda self: set())

    def __deepcopy__(self, memo):
        import copy
        return _C.compiled_like(self, copy.deepcopy(self._orig_mod, memo))


_Optimized = OptimizedModule
del OptimizedModule


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys!r}, unexpected_keys={self.unexpected_keys!r})"

    __str__ = __repr__


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(torch.empty(out_features, in_features, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        # Kaiming uniform with a = sqrt(5): both bounds are 1 / sqrt(in_features).
        bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
        with torch.no_grad():
            self.weight.uniform_(-bound, bound)
            if self.bias is not None:
                self.bias.uniform_(-bound, bound)

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class NonDynamicallyQuantizableLinear(Linear):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__(in_features, out_features, bias, device, dtype)


class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        bound = 1 / math.sqrt(in1_features)
        self.weight = Parameter(torch.empty(out_features, in1_features, in2_features, device=device, dtype=dtype))
        self.bias = Parameter(torch.empty(out_features, device=device, dtype=dtype)) if bias else None
        with torch.no_grad():
            self.weight.uniform_(-bound, bound)
            if bias:
                self.bias.uniform_(-bound, bound)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        return (f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
                f"out_features={self.out_features}, bias={self.bias is not None}")


class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = Parameter(torch.ones(self.normalized_shape, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
        if elementwise_affine and bias:
            self.bias = Parameter(torch.zeros(self.normalized_shape, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
                f"bias={self.bias is not None}")

    def reset_parameters(self):
        if self.elementwise_affine:
            with torch.no_grad():
                self.weight.fill_(1)
                if self.bias is not None:
                    self.bias.fill_(0)


class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = Parameter(torch.ones(self.normalized_shape, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)

    def forward(self, x):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        if affine:
            self.weight = Parameter(torch.ones(num_channels, device=device, dtype=dtype))
            self.bias = Parameter(torch.zeros(num_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
                f"bias={self.bias is not None}")


class ReLU(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.relu(input, inplace=self.inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class ReLU6(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.relu6(input, self.inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class GELU(Module):
    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f"approximate={self.approximate!r}"


class SiLU(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.silu(input, inplace=self.inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class Mish(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.mish(input, self.inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class Tanh(Module):
    def forward(self, input):
        return torch.tanh(input)


class Sigmoid(Module):
    def forward(self, input):
        return torch.sigmoid(input)


class LogSigmoid(Module):
    def forward(self, input):
        return F.logsigmoid(input)


class Hardsigmoid(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.hardsigmoid(input, self.inplace)


class Hardswish(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.hardswish(input, self.inplace)


class Hardtanh(Module):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__()
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self):
        return f"min_val={self.min_val}, max_val={self.max_val}" + (", inplace=True" if self.inplace else "")


class LeakyReLU(Module):
    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self):
        return f"negative_slope={self.negative_slope}" + (", inplace=True" if self.inplace else "")


class ELU(Module):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input):
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self):
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class CELU(Module):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input):
        return F.celu(input, self.alpha, self.inplace)

    def extra_repr(self):
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class SELU(Module):
    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.selu(input, self.inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class Softplus(Module):
    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f"beta={self.beta}, threshold={self.threshold}"


class Softsign(Module):
    def forward(self, input):
        return F.softsign(input)


class Tanhshrink(Module):
    def forward(self, input):
        return F.tanhshrink(input)


class Softshrink(Module):
    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return F.softshrink(input, self.lambd)

    def extra_repr(self):
        return str(self.lambd)


class Hardshrink(Module):
    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return F.hardshrink(input, self.lambd)

    def extra_repr(self):
        return str(self.lambd)


class Threshold(Module):
    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self):
        return f"threshold={self.threshold}, value={self.value}" + (", inplace=True" if self.inplace else "")


class GLU(Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.glu(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class Softmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.softmax(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class LogSoftmax(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.log_softmax(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class Softmin(Module):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.softmin(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class Softmax2d(Module):
    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3)


class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(torch.full((num_parameters,), init, device=device, dtype=dtype))

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class _DropoutNd(Module):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    def forward(self, input):
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    def forward(self, input):
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    def forward(self, input):
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    def forward(self, input):
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    def forward(self, input):
        return F.alpha_dropout(input, self.p, self.training)


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input):
        return torch.flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input):
        dim = self.dim % input.dim()
        return input.reshape(tuple(input.shape[:dim]) + tuple(self.unflattened_size) + tuple(input.shape[dim + 1:]))

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


def _grouped(modules):
    """The lines of a list of modules, equal neighbours as one: "(0-2): 3 x Linear(...)"."""
    groups = []
    for index, module in enumerate(modules):
        text = repr(module)
        if groups and groups[-1][2] == text:
            groups[-1][1] = index
        else:
            groups.append([index, index, text])
    lines = []
    for first, last, text in groups:
        if first == last:
            lines.append(f"({first}): {text}")
        else:
            lines.append(f"({first}-{last}): {last - first + 1} x {text}")
    return [line.replace("\n", "\n  ") for line in lines]


class Sequential(Module):
    def __init__(self, *modules):
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], dict):
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            for index, module in enumerate(modules):
                self.add_module(str(index), module)

    def _place(self, index):
        if index < -len(self) or index >= len(self):
            raise IndexError(f"index {index} is out of range")
        return list(self._modules.keys())[index]

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index, module):
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        index += len(self) if index < 0 else 0
        for i in range(len(self), index, -1):
            self._modules[str(i)] = self._modules[str(i - 1)]
        self._modules[str(index)] = module
        return self

    def extend(self, sequential):
        for module in sequential:
            self.append(module)
        return self

    def pop(self, key):
        module = self[key]
        del self[key]
        return module

    def _renumber(self, modules):
        self._modules.clear()
        for index, module in enumerate(modules):
            self._modules[str(index)] = module

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __add__(self, other):
        return Sequential(*self, *other)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(dict(list(self._modules.items())[index]))
        return self._modules[self._place(index)]

    def __setitem__(self, index, module):
        self._modules[self._place(index)] = module

    def __delitem__(self, index):
        names = list(self._modules.keys())[index] if isinstance(index, slice) else [self._place(index)]
        self._renumber([module for name, module in self._modules.items() if name not in names])

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            for module in modules:
                self.append(module)

    def _place(self, index):
        if index < -len(self) or index >= len(self):
            raise IndexError(f"index {index} is out of range")
        return str(index % len(self))

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renumber(modules)

    def pop(self, key):
        module = self[key]
        del self[key]
        return module

    def _renumber(self, modules):
        self._modules.clear()
        for index, module in enumerate(modules):
            self._modules[str(index)] = module

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __add__(self, other):
        return ModuleList(list(self) + list(other))

    def __iadd__(self, modules):
        return self.extend(modules)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[self._place(index)]

    def __setitem__(self, index, module):
        self._modules[self._place(index)] = module

    def __delitem__(self, index):
        names = list(self._modules.keys())[index] if isinstance(index, slice) else [self._place(index)]
        self._renumber([module for name, module in self._modules.items() if name not in names])

    def __contains__(self, module):
        return any(module is other for other in self._modules.values())

    def __repr__(self):
        if len(self) == 0:
            return self._get_name() + "()"
        return self._get_name() + "(\n  " + "\n  ".join(_grouped(self._modules.values())) + "\n)"


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def update(self, modules):
        for name, module in modules.items() if hasattr(modules, "items") else modules:
            self[name] = module

    def __len__(self):
        return len(self._modules)

    def __contains__(self, name):
        return name in self._modules

    def __iter__(self):
        return iter(self._modules.keys())

    def __getitem__(self, name):
        return self._modules[name]

    def __setitem__(self, name, module):
        self.add_module(name, module)

    def __delitem__(self, name):
        del self._modules[name]

    def pop(self, name):
        return self._modules.pop(name)

    def clear(self):
        self._modules.clear()

    def keys(self):
        return self._modules.keys()

    def values(self):
        return self._modules.values()

    def items(self):
        return self._modules.items()


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def append(self, value):
        if isinstance(value, torch.Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        self.register_parameter(str(self._size), value)
        self._size += 1
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def __len__(self):
        return self._size

    def __iter__(self):
        return iter(self._parameters.values())

    def __iadd__(self, values):
        return self.extend(values)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ParameterList(list(self._parameters.values())[index])
        if index < -self._size or index >= self._size:
            raise IndexError(f"index {index} is out of range")
        return self._parameters[str(index % self._size)]

    def __setitem__(self, index, value):
        self._parameters[str(index % self._size)] = value if isinstance(value, Parameter) else Parameter(value)

    def extra_repr(self):
        return "\n".join(f"  ({name}): {_described(p, p.dtype)}" for name, p in self._parameters.items())


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        if parameters is not None:
            self.update(parameters)

    def update(self, parameters):
        pairs = parameters.items() if hasattr(parameters, "items") else parameters
        if isinstance(parameters, dict) and not isinstance(parameters, OrderedDict):
            pairs = sorted(pairs)
        for name, value in pairs:
            self[name] = value

    def __len__(self):
        return len(self._parameters)

    def __contains__(self, name):
        return name in self._parameters

    def __iter__(self):
        return iter(self._parameters.keys())

    def __getitem__(self, name):
        return self._parameters[name]

    def __setitem__(self, name, value):
        self._parameters[name] = value if isinstance(value, Parameter) else Parameter(value)

    def __delitem__(self, name):
        del self._parameters[name]

    def pop(self, name):
        return self._parameters.pop(name)

    def get(self, name, default=None):
        return self._parameters.get(name, default)

    def keys(self):
        return self._parameters.keys()

    def values(self):
        return self._parameters.values()

    def items(self):
        return self._parameters.items()

    def extra_repr(self):
        return "\n".join(f"  ({name}): {_described(p, torch.typename(p))}" for name, p in self._parameters.items())


def _described(parameter, kind):
    sizes = "x".join(str(size) for size in parameter.shape)
    return f"Parameter containing: [{kind} of size {sizes}]"


class _Loss(Module):
    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = F._old_reduction(size_average, reduce)
        self.reduction = reduction


class _WeightedLoss(_Loss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class CrossEntropyLoss(_WeightedLoss):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                 label_smoothing=0.0):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input, target):
        return F.cross_entropy(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction,
                               label_smoothing=self.label_smoothing)


class CTCLoss(_Loss):
    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(self, log_probs, targets, input_lengths, target_lengths):
        return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction,
                          self.zero_infinity)


class NLLLoss(_WeightedLoss):
    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input, target):
        return F.nll_loss(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class MSELoss(_Loss):
    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    def forward(self, input, target):
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input, target):
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class BCELoss(_WeightedLoss):
    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target, self.weight, pos_weight=self.pos_weight,
                                                  reduction=self.reduction)


class KLDivLoss(_Loss):
    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class PoissonNLLLoss(_Loss):
    def __init__(self, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input, target):
        return F.poisson_nll_loss(log_input, target, log_input=self.log_input, full=self.full, eps=self.eps,
                                  reduction=self.reduction)


class GaussianNLLLoss(_Loss):
    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction=reduction)
        self.full = full
        self.eps = eps

    def forward(self, input, target, var):
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    def forward(self, input, target):
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input, target):
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class MarginRankingLoss(_Loss):
    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1, input2, target):
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(_Loss):
    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1, input2, target):
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    def __init__(self, margin=1.0, p=2.0, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor, positive, negative):
        return F.triplet_margin_loss(anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps,
                                     swap=self.swap, reduction=self.reduction)


class CosineSimilarity(Module):
    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


def _numbers(value, count):
    if isinstance(value, int):
        return (value,) * count
    return tuple(value)


class _ConvNd(Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding,
                 groups, bias, padding_mode, device, dtype):
        super().__init__()
        if isinstance(padding, str) and padding not in ("same", "valid"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
        modes = ("zeros", "reflect", "replicate", "circular")
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode={padding_mode!r}")
        if transposed and padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        if transposed:
            shape = (in_channels, out_channels // groups) + kernel_size
        else:
            shape = (out_channels, in_channels // groups) + kernel_size
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        # Kaiming uniform with a = sqrt(5): both bounds are 1 / sqrt(fan in).
        fan_in = self.weight.shape[1]
        for size in self.kernel_size:
            fan_in = fan_in * size
        bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
        with torch.no_grad():
            self.weight.uniform_(-bound, bound)
            if self.bias is not None:
                self.bias.uniform_(-bound, bound)

    def _padded(self, input):
        """The input padded as padding_mode says, and the padding left to the convolution."""
        if self.padding_mode == "zeros" or self.padding == "valid":
            return input, self.padding
        sides = []
        for i in reversed(range(len(self.kernel_size))):
            both = self.dilation[i] * (self.kernel_size[i] - 1)  # what keeps the size
            sides += [both // 2, both - both // 2] if self.padding == "same" else [self.padding[i]] * 2
        return F.pad(input, sides, mode=self.padding_mode), 0

    def _output_padding(self, input, output_size):
        """What a transposed convolution adds at one side, so that its output has this size."""
        if output_size is None:
            return self.output_padding
        count = len(self.kernel_size)
        outer = 2 if input.dim() == count + 2 else 1
        if len(output_size) == outer + count:
            output_size = output_size[outer:]
        if len(output_size) != count:
            raise ValueError(f"ConvTranspose{count}D: for {input.dim()}D input, output_size must have {count} or "
                             f"{outer + count} elements (got {len(output_size)})")
        least = [(input.size(outer + d) - 1) * self.stride[d] - 2 * self.padding[d]
                 + self.dilation[d] * (self.kernel_size[d] - 1) + 1 for d in range(count)]
        most = [size + step - 1 for size, step in zip(least, self.stride)]
        if any(size < low or size > high for size, low, high in zip(output_size, least, most)):
            raise ValueError(f"requested an output size of {output_size}, but valid sizes range from {least} to {most} "
                             f"(for an input of {input.size()[2:]})")
        return [size - low for size, low in zip(output_size, least)]

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        zeros = (0,) * len(self.kernel_size)
        if self.padding != zeros:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.kernel_size):
            text += f", dilation={self.dilation}"
        if self.output_padding != zeros:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


def _windows(count, kernel_size, stride, padding, dilation):
    padding = padding if isinstance(padding, str) else _numbers(padding, count)
    return _numbers(kernel_size, count), _numbers(stride, count), padding, _numbers(dilation, count)


class Conv1d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(1, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, False, (0,), groups, bias,
                         padding_mode, device, dtype)

    def _conv_forward(self, input, weight, bias):
        input, padding = self._padded(input)
        return F.conv1d(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv2d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(2, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, False, (0, 0), groups, bias,
                         padding_mode, device, dtype)

    def _conv_forward(self, input, weight, bias):
        input, padding = self._padded(input)
        return F.conv2d(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv3d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(3, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, False, (0, 0, 0), groups,
                         bias, padding_mode, device, dtype)

    def _conv_forward(self, input, weight, bias):
        input, padding = self._padded(input)
        return F.conv3d(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class ConvTranspose1d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(1, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, True,
                         _numbers(output_padding, 1), groups, bias, padding_mode, device, dtype)

    def forward(self, input, output_size=None):
        return F.conv_transpose1d(input, self.weight, self.bias, self.stride, self.padding,
                                  self._output_padding(input, output_size), self.groups, self.dilation)


class ConvTranspose2d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(2, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, True,
                         _numbers(output_padding, 2), groups, bias, padding_mode, device, dtype)

    def forward(self, input, output_size=None):
        return F.conv_transpose2d(input, self.weight, self.bias, self.stride, self.padding,
                                  self._output_padding(input, output_size), self.groups, self.dilation)


class ConvTranspose3d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(3, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, True,
                         _numbers(output_padding, 3), groups, bias, padding_mode, device, dtype)

    def forward(self, input, output_size=None):
        return F.conv_transpose3d(input, self.weight, self.bias, self.stride, self.padding,
                                  self._output_padding(input, output_size), self.groups, self.dilation)


class _BatchNorm(Module):
    _version = 2

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None,
                 dtype=None, *, bias=True):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = Parameter(torch.ones(num_features, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
        if affine and bias:
            self.bias = Parameter(torch.zeros(num_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        if track_running_stats:
            self.register_buffer("running_mean", torch.zeros(num_features, device=device, dtype=dtype))
            self.register_buffer("running_var", torch.ones(num_features, device=device, dtype=dtype))
            self.register_buffer("num_batches_tracked", torch.zeros((), device=device, dtype=torch.int64))
        else:
            self.register_buffer("running_mean", None)
            self.register_buffer("running_var", None)
            self.register_buffer("num_batches_tracked", None)

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            with torch.no_grad():
                self.weight.fill_(1)
                if self.bias is not None:
                    self.bias.zero_()

    def forward(self, input):
        self._check_input_dim(input)
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                momentum = 1.0 / float(self.num_batches_tracked)
        by_batch = self.training or self.running_mean is None
        return F.batch_norm(input, self.running_mean, self.running_var, self.weight, self.bias, by_batch, momentum,
                            self.eps)

    def extra_repr(self):
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}")


class BatchNorm1d(_BatchNorm):
    def _check_input_dim(self, input):
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")


class BatchNorm2d(_BatchNorm):
    def _check_input_dim(self, input):
        if input.dim() != 4:
            raise ValueError(f"expected 4D input (got {input.dim()}D input)")


class BatchNorm3d(_BatchNorm):
    def _check_input_dim(self, input):
        if input.dim() != 5:
            raise ValueError(f"expected 5D input (got {input.dim()}D input)")


class _InstanceNorm(_BatchNorm):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None,
                 dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _check_input_dim(self, input):
        one = self._get_no_batch_dim()
        if input.dim() != one and input.dim() != one + 1:
            raise ValueError(f"expected {one}D or {one + 1}D input (got {input.dim()}D input)")

    def _apply_instance_norm(self, input):
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias,
                               self.training or not self.track_running_stats,
                               0.0 if self.momentum is None else self.momentum, self.eps)

    def _handle_no_batch_input(self, input):
        return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)

    def forward(self, input):
        self._check_input_dim(input)
        dim = input.dim() - self._get_no_batch_dim()
        if input.size(dim) != self.num_features:
            if self.affine:
                raise ValueError(f"expected input's size at dim={dim} to match num_features ({self.num_features}), "
                                 f"but got: {input.size(dim)}.")
            warnings.warn(f"input's size at dim={dim} does not match num_features. You can silence this warning by not "
                          "passing in num_features, which is not used because affine=False", stacklevel=2)
        return self._apply_instance_norm(input) if dim else self._handle_no_batch_input(input)


class InstanceNorm1d(_InstanceNorm):
    def _get_no_batch_dim(self):
        return 2


class InstanceNorm2d(_InstanceNorm):
    def _get_no_batch_dim(self):
        return 3


class InstanceNorm3d(_InstanceNorm):
    def _get_no_batch_dim(self):
        return 4


class SyncBatchNorm(_BatchNorm):
    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")


class MaxPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input):
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
                            self.return_indices)

    def extra_repr(self):
        return (f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
                f"dilation={self.dilation}, ceil_mode={self.ceil_mode}")


class AvgPool2d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=None):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input):
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
                            self.count_include_pad, self.divisor_override)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool2d(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return F.adaptive_avg_pool2d(input, self.output_size)

    def extra_repr(self):
        return f"output_size={self.output_size}"


class Embedding(Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
                 scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None):
        super().__init__()
        if padding_idx is not None and (padding_idx < -num_embeddings or padding_idx >= num_embeddings):
            raise AssertionError(f"padding_idx must be within the {num_embeddings} rows, found {padding_idx}")
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx if padding_idx is None else padding_idx % num_embeddings
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        if _weight is None:
            self.weight = Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype), not _freeze)
            self.reset_parameters()
        else:
            if _weight.shape != (num_embeddings, embedding_dim):
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(_weight, not _freeze)

    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
                           self.scale_grad_by_freq, self.sparse)

    def extra_repr(self):
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        return text if self.padding_idx is None else text + f", padding_idx={self.padding_idx}"

    def reset_parameters(self):
        with torch.no_grad():
            self.weight.normal_()
            if self.padding_idx is not None:
                self.weight[self.padding_idx].fill_(0)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0,
                        scale_grad_by_freq=False, sparse=False):
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        return cls(embeddings.shape[0], embeddings.shape[1], padding_idx, max_norm, norm_type, scale_grad_by_freq,
                   sparse, embeddings, freeze)


class AdaptiveAvgPool1d(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return F.adaptive_avg_pool1d(input, self.output_size)

    def extra_repr(self):
        return f"output_size={self.output_size}"


class AdaptiveMaxPool2d(AdaptiveAvgPool1d):
    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input):
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class MaxPool1d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input):
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
                            self.return_indices)

    def extra_repr(self):
        return (f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
                f"dilation={self.dilation}, ceil_mode={self.ceil_mode}")


class AvgPool1d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.kernel_size = (kernel_size,) if isinstance(kernel_size, int) else tuple(kernel_size)
        stride = kernel_size if stride is None else stride
        self.stride = (stride,) if isinstance(stride, int) else tuple(stride)
        self.padding = (padding,) if isinstance(padding, int) else tuple(padding)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input):
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
                            self.count_include_pad)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _Pad(Module):
    mode = "constant"

    def __init__(self, padding, value=0.0):
        super().__init__()
        self.padding = (padding,) * self.count if isinstance(padding, int) else tuple(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, self.mode, self.value)

    def extra_repr(self):
        return f"{self.padding}"


class ConstantPad1d(_Pad):
    count = 2

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class ConstantPad2d(ConstantPad1d):
    count = 4


class ConstantPad3d(ConstantPad1d):
    count = 6


class ZeroPad1d(_Pad):
    count = 2


class ZeroPad2d(_Pad):
    count = 4


class ReflectionPad1d(_Pad):
    count = 2
    mode = "reflect"


class ReflectionPad2d(_Pad):
    count = 4
    mode = "reflect"


class ReplicationPad1d(_Pad):
    count = 2
    mode = "replicate"


class ReplicationPad2d(_Pad):
    count = 4
    mode = "replicate"


class Upsample(Module):
    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None,
                 recompute_scale_factor=None):
        super().__init__()
        self.size = size
        self.scale_factor = float(scale_factor) if isinstance(scale_factor, (int, float)) else scale_factor
        self.mode = mode
        self.align_corners = align_corners

    def forward(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self):
        if self.scale_factor is not None:
            return f"scale_factor={self.scale_factor!r}, mode={self.mode!r}"
        return f"size={self.size!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "nearest")


class PixelShuffle(Module):
    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input):
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input):
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self):
        return f"downscale_factor={self.downscale_factor}"


class EmbeddingBag(Module):
    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 mode="mean", sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None,
                 dtype=None):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset
        if padding_idx is not None:
            if padding_idx < -num_embeddings or padding_idx >= num_embeddings:
                raise AssertionError("padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        if _weight is None:
            self.weight = Parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
            self.reset_parameters()
        else:
            if _weight.shape != (num_embeddings, embedding_dim):
                raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
            self.weight = Parameter(_weight)

    def reset_parameters(self):
        with torch.no_grad():
            self.weight.normal_()
            if self.padding_idx is not None:
                self.weight[self.padding_idx].fill_(0)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                        mode="mean", sparse=False, include_last_offset=False, padding_idx=None):
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        bag = cls(embeddings.shape[0], embeddings.shape[1], max_norm, norm_type, scale_grad_by_freq, mode, sparse,
                  embeddings, include_last_offset, padding_idx)
        bag.weight.requires_grad = not freeze
        return bag

    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq,
                               self.mode, self.sparse, per_sample_weights, self.include_last_offset, self.padding_idx)

    def extra_repr(self):
        text = f"{self.num_embeddings}, {self.embedding_dim}, mode={self.mode!r}"
        return text if self.padding_idx is None else text + f", padding_idx={self.padding_idx}"


class UninitializedParameter:
    pass


class DataParallel(Module):
    """One device: the module itself."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


class _Buffers(type):
    def __instancecheck__(cls, value):
        return isinstance(value, torch.Tensor) and getattr(value, "_is_buffer", False)

    def __call__(cls, data=None, *, persistent=True):
        """The tensor, which becomes a buffer of the module that it is assigned to."""
        data = torch.empty(0) if data is None else data
        buffer = data.detach().requires_grad_(data.requires_grad)
        buffer.persistent, buffer._is_buffer = persistent, True
        return buffer


class Buffer(metaclass=_Buffers):
    """A tensor that a module registers as a buffer where it is assigned."""


# Read when one of them is first used.
_ELSEWHERE = {
    "_recurrent": ("RNNBase", "RNN", "LSTM", "GRU", "RNNCellBase", "RNNCell", "LSTMCell", "GRUCell"),
    "_transformer": ("MultiheadAttention", "TransformerEncoderLayer", "TransformerEncoder",
                     "TransformerDecoderLayer", "TransformerDecoder", "Transformer"),
    "_spatial": ("MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d",
                 "AdaptiveLogSoftmaxWithLoss", "MaxPool3d", "AvgPool3d", "AdaptiveAvgPool3d",
                 "AdaptiveMaxPool1d", "AdaptiveMaxPool3d", "LPPool1d",
                 "LPPool2d", "LPPool3d", "CircularPad1d", "CircularPad2d", "CircularPad3d", "ReflectionPad3d",
                 "ReplicationPad3d", "ZeroPad3d", "Unfold", "Fold", "ChannelShuffle", "CrossMapLRN2d",
                 "LocalResponseNorm", "UpsamplingBilinear2d", "FeatureAlphaDropout", "RReLU", "MultiMarginLoss",
                 "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "TripletMarginWithDistanceLoss",
                 "FractionalMaxPool2d", "FractionalMaxPool3d"),
    "_lazy": ("LazyLinear", "LazyConv1d", "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d",
              "LazyConvTranspose3d", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyInstanceNorm1d",
              "LazyInstanceNorm2d", "LazyInstanceNorm3d"),
}


def __getattr__(name):
    for module, names in _ELSEWHERE.items():
        if name in names:
            if module == "_recurrent":
                from torch.nn import _recurrent as found
            elif module == "_spatial":
                from torch.nn import _spatial as found
            elif module == "_lazy":
                from torch.nn import _lazy as found
            else:
                from torch.nn import _transformer as found
            return getattr(found, name)
    raise AttributeError(f"module 'torch.nn' has no attribute '{name}'")


from torch._homes import settle as _settle

_settle("torch.nn", globals(), modules=False)
