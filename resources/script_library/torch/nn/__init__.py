# SPDX-License-Identifier: Apache-2.0
# torch.nn in the script language: what a user steps into.
import math
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
        if hasattr(Module, "_registered") and (value is not None or kind != "_parameters"):
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
            got = f", got: {name}" if kind == "module" else ""
            raise KeyError(f"{kind} name can't contain \".\"{got}")
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

    def forward(self, *args, **kwargs):
        return self(*args, **kwargs)

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

    def __dir__(self):
        return dir(self._orig_mod) + ["_orig_mod", "dynamo_ctx"]

    def dynamo_ctx(self, fn):
        """fn, compiled as the module is."""
        return _C.compiled_like(self, fn)

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


from torch.nn._activations import *
from torch.nn._activations import _DropoutNd
from torch.nn._convolutions import *
from torch.nn._convolutions import _ConvNd
from torch.nn._losses import *
from torch.nn._losses import _Loss, _WeightedLoss
from torch.nn._norms import *
from torch.nn._norms import _BatchNorm, _InstanceNorm
from torch.nn._pools import *
from torch.nn._pools import _Pad

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

__all__ = [name for name in globals() if name[0] != "_"] + [name for names in _ELSEWHERE.values() for name in names]
