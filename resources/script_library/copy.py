# SPDX-License-Identifier: Apache-2.0

class Error(Exception):
    pass


error = Error
_ATOMS = (type(None), int, float, bool, complex, str, bytes, type, range, type(len), type(Ellipsis),
          type(NotImplemented), type(lambda: 0), property, slice)


def _anew(x, memo=None):
    """An object of the class of x as pickle would make it. memo: what its arguments are copied with, or None."""
    cls = type(x)
    if hasattr(cls, "__getnewargs_ex__"):
        args, kwargs = x.__getnewargs_ex__()
    else:
        args, kwargs = x.__getnewargs__() if hasattr(cls, "__getnewargs__") else (), {}
    if memo is not None:
        args, kwargs = deepcopy(args, memo), deepcopy(kwargs, memo)
    return cls.__new__(cls, *args, **kwargs)


def _instance(x, state):
    y = _anew(x) if not isinstance(x, (tuple, str, int, frozenset)) else x
    _native.attributes(y).update(state)  # also what stands in __slots__
    return y


def copy(x):
    cls = type(x)
    hook = getattr(cls, "__copy__", None)
    if hook is not None:
        return hook(x)
    if cls in (list, dict, set, bytearray):
        return x.copy() if cls is not bytearray else bytearray(x)
    if isinstance(x, _ATOMS) or cls in (tuple, frozenset):
        return x
    if hasattr(x, "clone") and hasattr(x, "requires_grad"):
        return x.detach() if not x.requires_grad else x.clone()
    if isinstance(x, dict):
        y = cls.__new__(cls)
        for k, v in x.items():
            dict.__setitem__(y, k, v)
        y.__dict__.update(x.__dict__)
        return y
    if isinstance(x, list):
        y = cls.__new__(cls)
        list.extend(y, x)
        y.__dict__.update(x.__dict__)
        return y
    state = _native.attributes(x)
    if state is None:
        return x
    if isinstance(x, BaseException):
        y = cls(*x.args)
        y.__dict__.update(state)
        return y
    return _instance(x, state)


def deepcopy(x, memo=None):
    if memo is None:
        memo = {}
    key = id(x)
    if key in memo:
        return memo[key]
    cls = type(x)
    if isinstance(x, _ATOMS) and cls.__module__ == "builtins":
        return x
    hook = getattr(cls, "__deepcopy__", None)
    if hook is not None:
        y = hook(x, memo)
    elif cls is list:
        y = memo[key] = []
        for v in x:
            y.append(deepcopy(v, memo))
    elif cls is tuple:
        parts = [deepcopy(v, memo) for v in x]
        y = x if all(a is b for a, b in zip(parts, x)) else tuple(parts)
    elif cls is dict:
        y = memo[key] = {}
        for k, v in x.items():
            y[deepcopy(k, memo)] = deepcopy(v, memo)
    elif cls is set or cls is frozenset:
        y = cls([deepcopy(v, memo) for v in x])
    elif cls is bytearray:
        y = bytearray(x)
    elif hasattr(x, "requires_grad") and hasattr(x, "detach"):
        y = _tensor(x)
    elif isinstance(x, type):
        y = x
    elif cls.__name__ == "Size" and isinstance(x, tuple):
        y = x
    elif isinstance(x, tuple):
        parts = [deepcopy(v, memo) for v in x]
        y = cls._make(parts) if hasattr(cls, "_make") else cls(*parts)
    else:
        y = _deep_instance(x, memo)
    memo[key] = y
    memo.setdefault("@kept", []).append(x)
    return y


def _tensor(x):
    if not x.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
                           "protocol at the moment.")
    y = x.detach().clone()
    if type(x).__name__ == "Parameter":
        import torch
        return torch.nn.Parameter(y, requires_grad=x.requires_grad)
    if x.requires_grad:
        y.requires_grad_(True)
    if x.grad is not None:
        y.grad = x.grad.clone()
    return y


def _deep_instance(x, memo):
    state = _native.attributes(x)
    cls = type(x)
    if state is None:
        self = getattr(x, "__self__", None)
        if self is not None and hasattr(x, "__func__"):
            return getattr(deepcopy(self, memo), x.__name__)
        return x
    if isinstance(x, BaseException):
        y = cls(*x.args)
    elif isinstance(x, (str, int, frozenset)):
        return x
    else:
        y = _anew(x, memo)
    memo[id(x)] = y
    if isinstance(x, dict):
        for k, v in x.items():
            dict.__setitem__(y, deepcopy(k, memo), deepcopy(v, memo))
    elif isinstance(x, list):
        for v in x:
            list.append(y, deepcopy(v, memo))
    elif isinstance(x, set):
        for v in x:
            set.add(y, deepcopy(v, memo))
    target = _native.attributes(y)
    for k, v in list(state.items()):
        target[k] = deepcopy(v, memo)
    return y


def replace(obj, /, **changes):
    return obj.__replace__(**changes)
