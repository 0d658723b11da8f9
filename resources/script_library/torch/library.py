# SPDX-License-Identifier: Apache-2.0
# torch.library: operations that scripts define. A graph has what they consist of, so a fake is kept but not needed.
import collections.abc
import inspect
import typing

import torch


_SCHEMA_TYPES = {torch.Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", str: "str",
                 torch.dtype: "ScalarType", torch.device: "Device", type(None): "()"}


def _schema_type(annotation, written=""):
    if annotation in _SCHEMA_TYPES:
        return _SCHEMA_TYPES[annotation] + (written if annotation is torch.Tensor else "")
    of = typing.get_args(annotation)
    if typing.get_origin(annotation) in (list, tuple, collections.abc.Sequence) and of:
        return _schema_type(of[0], written) + "[]"
    if len(of) == 2 and type(None) in of:
        return _schema_type(next(t for t in of if t is not type(None)), written) + "?"
    raise ValueError(f"infer_schema(func): unsupported type {annotation}: the types of an operation are Tensor, int, "
                     "float, bool, str, their lists and Optional")


def infer_schema(prototype_function, /, *, mutates_args, op_name=None):
    """The schema that annotations of a function say."""
    parts, written, star = [], 0, False
    signature = inspect.signature(prototype_function)
    for name, parameter in signature.parameters.items():
        if parameter.annotation is inspect.Parameter.empty:
            raise ValueError(f"infer_schema(func): Parameter {name} must have a type annotation.")
        if parameter.kind == inspect.Parameter.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        mark = ""
        if mutates_args != "unknown" and name in mutates_args:
            mark = f"(a{written}!)"
        written += 1
        default = parameter.default
        shown = "" if default is inspect.Parameter.empty else f'="{default}"' if isinstance(default, str) else (
            f"={default:g}." if isinstance(default, float) and default == int(default) else f"={default}")
        parts.append(f"{_schema_type(parameter.annotation, mark)} {name}{shown}")
    gives = signature.return_annotation
    if typing.get_origin(gives) is tuple:
        result = "(" + ", ".join(_schema_type(t) for t in typing.get_args(gives)) + ")"
    else:
        result = "()" if gives is None else _schema_type(gives)
    return f"{op_name or ''}({', '.join(parts)}) -> {result}"


class CustomOpDef:
    def __init__(self, name, fn, mutates_args):
        self._qualname = name
        self._namespace, self._name = name.split("::")
        self._fn = fn
        self._mutates = mutates_args
        self._fake = None
        self._function = None
        self._vmap = None
        self.tags = []
        self.__name__ = fn.__name__

    @property
    def _schema(self):
        return infer_schema(self._fn, mutates_args=self._mutates, op_name=self._qualname)

    def __str__(self):
        return f"{self._namespace}.{self._name}.default"

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

    def register_vmap(self, func=None):
        """What vmap of the operation itself goes by; within other functions vmap runs row after row, which needs no
        rule."""
        if func is None:
            return self.register_vmap
        self._vmap = func
        return func

    def _wants_tensors(self, args):
        for (name, parameter), value in zip(inspect.signature(self._fn).parameters.items(), args):
            if parameter.annotation is torch.Tensor and not isinstance(value, torch.Tensor):
                raise RuntimeError(f"{self._qualname}() Expected a value of type 'Tensor' for argument '{name}' but instead "
                                   f"found type '{type(value).__name__}'.")

    def __call__(self, *args, **kwargs):
        if not all(isinstance(a, torch.Tensor) for a in args):
            self._wants_tensors(args)
        if self._function is None:
            return _C.call_opaque(self._fn, *args, **kwargs)
        signature = inspect.signature(self._fn)
        if kwargs or len(args) < len(signature.parameters):  # setup_context sees all of them
            args = signature.bind(*args, **kwargs)
            args.apply_defaults()
            args = args.args
        return _C.call_opaque(self._function.apply, *args)

    @property
    def _opoverload(self):
        return getattr(getattr(torch.ops, self._namespace), self._name).default

    @property
    def default(self):
        return self

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"


class _Namespace:
    """torch.ops.NAME of a script's own operations."""

    def __init__(self, name):
        self.__dict__["name"] = name

    def __getattr__(self, name):
        raise AttributeError(f"'_OpNamespace' '{self.__dict__['name']}' object has no attribute '{name}'")


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
        torch.ops.__dict__[namespace] = _Namespace(namespace)
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


def register_vmap(op, func=None, /, *, lib=None):
    return _found(op).register_vmap(func)


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
    compiled = torch.compile(lambda *a, **k: op(*a, **k), dynamic=True)(*args, **(kwargs or {}))
    if isinstance(result, torch.Tensor) and not torch.allclose(compiled, result, equal_nan=True):
        raise RuntimeError(f"{op._qualname}: compiled, it gives another result")
    tests = "test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic"
    return dict.fromkeys(tests, "SUCCESS")


class _Defined(CustomOpDef):
    """An operation of a schema, whose kernels are named by the keys under which torch would find them."""

    def __init__(self, qualname, schema):
        super().__init__(qualname, self._run, ())
        self._declared = schema
        self._kernels = {}
        self.__name__ = self._name

    @property
    def _schema(self):
        return self._qualname + self._declared

    def _run(self, *args, **kwargs):
        device = next((a.device.type for a in args if isinstance(a, torch.Tensor)), "cpu")
        for key in ("Autograd", "Autograd" + device.upper(), "CompositeImplicitAutograd", device.upper(),
                    "CompositeExplicitAutograd", ""):
            if key in self._kernels:
                return self._kernels[key](*args, **kwargs)
        raise NotImplementedError(f"Could not run '{self._qualname}' with arguments from the '{device.upper()}' "
                                  "backend.")

    def _add(self, key, function):
        names = {"cpu": "CPU", "cuda": "CUDA", "default": "CompositeExplicitAutograd"}
        key = names.get(key, key)
        if key in ("Meta", "Fake"):
            self._fake = function
        else:
            self._kernels[key] = function


def _placed(op):
    """Where torch.ops finds it."""
    if op._namespace in ("aten", "prims"):
        raise NotImplementedError(f"'{op._qualname}': operations are not added to those of torch; choose a namespace "
                                  "of your own")
    if op._namespace not in torch.ops.__dict__:
        torch.ops.__dict__[op._namespace] = _Namespace(op._namespace)
    setattr(torch.ops.__dict__[op._namespace], op._name, op)


def define(qualname, schema, *, lib=None, tags=()):
    """Adds torch.ops.NAMESPACE.NAME; impl gives it what it runs."""
    _wanted(qualname)
    if "->" not in schema:
        raise RuntimeError(f"{qualname}{schema}: a schema is '(Tensor x, ...) -> Tensor'")
    op = _Defined(qualname, schema)
    op.tags = [tags] if isinstance(tags, torch.Tag) else list(tags)
    _placed(op)


def impl(qualname, types, func=None, *, lib=None):
    if isinstance(qualname, Library):  # the older form: a library, a name and a key

        def register(function):
            qualname.impl(types, function, func or "")
            return function

        return register
    if func is None:
        return lambda function: impl(qualname, types, function) or function
    op = _found(qualname)
    for key in (types,) if isinstance(types, str) else types:
        op._add(key, func)


class Library:
    """Operations of one namespace: 'DEF' or 'FRAGMENT' adds them, 'IMPL' what they run."""

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("DEF", "IMPL", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema, alias_analysis="", *, tags=()):
        name = schema[:schema.index("(")].strip()
        define(f"{self.ns}::{name}", schema[schema.index("("):], tags=tags)
        return name

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=False):
        name = getattr(op_name, "_qualname", op_name)
        name = name if "::" in name else f"{self.ns}::{name}"
        if name.startswith("aten::"):
            raise NotImplementedError(f"'{name}': what torch's own operations run is not replaced")
        impl(name, dispatch_key or self.dispatch_key or "CompositeImplicitAutograd", fn)


def triton_op(name, fn=None, /, *, mutates_args, schema=None):
    raise NotImplementedError(f"'{name}': kernels in Triton's language are not run; write the operation with torch's "
                              "functions, of which torch.compile makes a kernel")


def wrap_triton(triton_kernel, /):
    raise NotImplementedError("kernels in Triton's language are not run")
