# SPDX-License-Identifier: Apache-2.0
# torch._foreach_NAME(lists): an operation on every tensor of a list.
import torch

_UNARY = ("abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round "
          "rsqrt sigmoid sign sin sinh sqrt tan tanh trunc").split()
_BINARY = "add sub mul div clamp_max clamp_min maximum minimum pow".split()


def _each(value, count):
    return list(value) if isinstance(value, (list, tuple)) else [value] * count


def _pair(name):
    """other: a list of tensors or of numbers, or one of them for all."""
    def function(self, other, *, alpha=None):
        options = {} if alpha is None else {"alpha": alpha}
        return tuple([_one(name, a, b, options) for a, b in zip(self, _each(other, len(self)))])

    def change(self, other, *, alpha=None):
        for a, b in zip(self, function(self, other, alpha=alpha)):
            a.copy_(b)

    return function, change


def _one(name, a, b, options):
    if name in ("maximum", "minimum") and not isinstance(b, torch.Tensor):
        return a.clamp(min=b) if name == "maximum" else a.clamp(max=b)
    return getattr(torch, name)(a, b, **options)


def _single(name):
    def function(self):
        return tuple([getattr(torch, name)(t) for t in self])

    def change(self):
        for t in self:
            t.copy_(getattr(torch, name)(t))

    return function, change


def _three(name):
    def function(self, tensor1, tensor2, value=1):
        return tuple([getattr(torch, name)(t, a, b, value=v)
                      for t, a, b, v in zip(self, tensor1, tensor2, _each(value, len(self)))])

    def change(self, tensor1, tensor2, value=1):
        for t, found in zip(self, function(self, tensor1, tensor2, value)):
            t.copy_(found)

    return function, change


def _lerp(self, tensors1, weight):
    return tuple([torch.lerp(a, b, w) for a, b, w in zip(self, tensors1, _each(weight, len(self)))])


def _lerp_(self, tensors1, weight):
    for a, found in zip(self, _lerp(self, tensors1, weight)):
        a.copy_(found)


def _norm(self, ord=2, dtype=None):
    return tuple([torch.linalg.vector_norm(t, ord, dtype=dtype) for t in self])


def _zero_(self):
    for t in self:
        t.zero_()


def _copy_(self, src, non_blocking=False):
    for t, s in zip(self, src):
        t.copy_(s)


functions = {"_foreach_lerp": _lerp, "_foreach_lerp_": _lerp_, "_foreach_norm": _norm, "_foreach_zero_": _zero_,
             "_foreach_copy_": _copy_}
for _make, _names in ((_single, _UNARY), (_pair, _BINARY), (_three, ("addcmul", "addcdiv"))):
    for _name in _names:
        functions["_foreach_" + _name], functions[f"_foreach_{_name}_"] = _make(_name)
