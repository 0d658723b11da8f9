# SPDX-License-Identifier: Apache-2.0
# copy in the script language.
import torch


class Error(Exception):
    pass


def copy(x):
    if hasattr(x, "__copy__"):
        return x.__copy__()
    if isinstance(x, list):
        return list(x)
    if isinstance(x, dict):
        return dict(x)
    if isinstance(x, set):
        return set(x)
    if isinstance(x, (type, str, int, float, tuple, torch.Tensor)) or x is None or not hasattr(x, "__dict__"):
        return x
    made = _C.new_instance(type(x))
    for name, value in x.__dict__.items():
        _C.set_attribute(made, name, value)
    return made


def deepcopy(x, memo=None):
    if x is None or isinstance(x, (bool, int, float, str, type)):
        return x
    memo = {} if memo is None else memo
    key = id(x)
    if key in memo:
        return memo[key][0]
    made = _deep(x, memo)
    memo[key] = (made, x)
    return made


def _deep(x, memo):
    if isinstance(x, list):
        made = []
        memo[id(x)] = (made, x)
        for item in x:
            made.append(deepcopy(item, memo))
        return made
    if isinstance(x, tuple):
        return tuple([deepcopy(item, memo) for item in x])
    if isinstance(x, dict):
        made = {}
        memo[id(x)] = (made, x)
        for name, value in x.items():
            made[deepcopy(name, memo)] = deepcopy(value, memo)
        return made
    if isinstance(x, set):
        return set([deepcopy(item, memo) for item in x])
    if isinstance(x, torch.Tensor):
        if not x.is_leaf:
            raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
                               "protocol at the moment.")
        made = x.detach().clone()
        if isinstance(x, torch.nn.Parameter):
            made = torch.nn.Parameter(made, x.requires_grad)
        elif x.requires_grad:
            made.requires_grad_()
        if x.grad is not None:
            made.grad = x.grad.detach().clone()
        return made
    if hasattr(x, "__deepcopy__"):
        return x.__deepcopy__(memo)
    if not _C.is_instance_object(x):
        return x
    made = _C.new_instance(type(x))
    memo[id(x)] = (made, x)
    for name, value in x.__dict__.items():
        _C.set_attribute(made, name, deepcopy(value, memo))
    return made
