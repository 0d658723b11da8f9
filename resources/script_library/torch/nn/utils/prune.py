# SPDX-License-Identifier: Apache-2.0
# torch.nn.utils.prune: parameters of which some elements are held at 0 by a mask.
import torch


class BasePruningMethod:
    """Gives NAME_mask, and NAME as NAME_orig times the mask before each call of the module."""

    def compute_mask(self, t, default_mask):
        raise NotImplementedError

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    def apply_mask(self, module):
        mask = getattr(module, self._tensor_name + "_mask")
        orig = getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=orig.dtype) * orig

    def prune(self, t, default_mask=None, importance_scores=None):
        return t * self.compute_mask(t if importance_scores is None else importance_scores,
                                     torch.ones_like(t) if default_mask is None else default_mask)

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        method = cls(*args, **kwargs)
        method._tensor_name = name
        made, weight = _methods(module), getattr(module, name)
        if name in made:
            made[name][1].remove()
            before = getattr(module, name + "_mask")
        else:
            before = torch.ones_like(weight)
            del module._parameters[name]
            module.register_parameter(name + "_orig", weight)
        scores = weight if importance_scores is None else importance_scores
        mask = method.compute_mask(scores.detach(), before).to(weight.dtype)
        module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        made[name] = (method, module.register_forward_pre_hook(method))
        return method

    def remove(self, module):
        name = self._tensor_name
        weight = self.apply_mask(module).detach()
        module.__dict__.pop(name, None)
        orig = module._parameters.pop(name + "_orig")
        del module._buffers[name + "_mask"]
        orig.data = weight
        setattr(module, name, orig)


def _methods(module):
    if "_pruned" not in module.__dict__:
        module._pruned = {}
    return module._pruned


class Identity(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask


class _Amount(BasePruningMethod):
    """Prunes `amount` of what there is: a number of it, or a share."""

    def __init__(self, amount):
        if not isinstance(amount, (int, float)):
            raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
        if amount < 0 or isinstance(amount, float) and amount > 1:
            raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")
        self.amount = amount

    def _count(self, size):
        if isinstance(self.amount, float):
            return round(self.amount * size)
        if self.amount > size:
            raise ValueError(f"amount={self.amount} should be smaller than the number of parameters to prune={size}")
        return self.amount


class _Elements(_Amount):
    """Of the elements that are left, those that _chosen() gives by number."""
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        left = default_mask.reshape(-1).nonzero().flatten()
        count = self._count(len(left))
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            mask.view(-1)[left[self._chosen(t.reshape(-1)[left], count)]] = 0
        return mask


class RandomUnstructured(_Elements):
    def _chosen(self, elements, count):
        return torch.topk(torch.rand_like(elements), k=count).indices


class L1Unstructured(_Elements):
    def _chosen(self, elements, count):
        return torch.topk(elements.abs(), k=count, largest=False).indices


class _Channels(_Amount):
    """Of the channels along `dim` that are left, those with the least _scores()."""
    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t, default_mask):
        if t.dim() <= 1:
            raise ValueError("Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                             f"{t.shape} with {t.dim()} dims")
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        others = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        left = default_mask.sum(others).nonzero().flatten()
        kept = len(left) - self._count(len(left))
        channels = torch.zeros(t.shape[self.dim], dtype=default_mask.dtype)
        channels[left[torch.topk(self._scores(t.index_select(self.dim, left), others), k=kept).indices]] = 1
        return default_mask * channels.view([1 if d in others else -1 for d in range(t.dim())])


class LnStructured(_Channels):
    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def _scores(self, t, others):
        return torch.norm(t, p=self.n, dim=others)


class RandomStructured(_Channels):
    def _scores(self, t, others):
        return torch.rand(t.shape[self.dim])


class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module, name):
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    parameters = list(parameters)
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} '
                        f"of type {method.PRUNING_TYPE}")
    weights = [getattr(module, name) for module, name in parameters]
    scores = [(importance_scores or {}).get(key, weight) for key, weight in zip(parameters, weights)]
    masks = [getattr(module, name + "_mask", torch.ones_like(weight)) for (module, name), weight in zip(parameters, weights)]
    flat = method.compute_mask(torch.cat([s.detach().reshape(-1) for s in scores]), torch.cat([m.reshape(-1) for m in masks]))
    sizes = [weight.numel() for weight in weights]
    for (module, name), weight, mask in zip(parameters, weights, flat.split(sizes)):
        custom_from_mask(module, name, mask.view_as(weight))


def remove(module, name):
    made = _methods(module)
    if name not in made:
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    method, handle = made.pop(name)
    handle.remove()
    method.remove(module)
    return module


def is_pruned(module):
    return any(child.__dict__.get("_pruned") for child in module.modules())
