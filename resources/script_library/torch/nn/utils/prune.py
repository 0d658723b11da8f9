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
        made = _methods(module)
        if name in made:
            old, handle = made[name]
            handle.remove()
            orig, before = getattr(module, name + "_orig"), getattr(module, name + "_mask")
        else:
            orig = getattr(module, name)
            before = torch.ones_like(orig)
            del module._parameters[name]
            module.register_parameter(name + "_orig", torch.nn.Parameter(orig.detach()))
            orig = getattr(module, name + "_orig")
            module.register_buffer(name + "_mask", before)
        scores = orig if importance_scores is None else importance_scores
        mask = method.compute_mask(scores.detach(), before).to(orig.dtype)
        module.register_buffer(name + "_mask", mask) if name + "_mask" not in module._buffers else module._buffers.update(
            {name + "_mask": mask})
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


def _count(amount, size):
    if isinstance(amount, float):
        if not 0.0 <= amount <= 1.0:
            raise ValueError(f"amount={amount} should be a float in [0, 1] or a non-negative integer")
        return round(amount * size)
    if amount > size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return amount


class Identity(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask


class RandomUnstructured(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        self.amount = amount

    def compute_mask(self, t, default_mask):
        count = _count(self.amount, int(default_mask.sum()))
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            left = default_mask.reshape(-1).nonzero().flatten()
            chosen = torch.topk(torch.rand(len(left)), k=count).indices
            mask.view(-1)[left[chosen]] = 0
        return mask


class L1Unstructured(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        self.amount = amount

    def compute_mask(self, t, default_mask):
        left = default_mask.reshape(-1).nonzero().flatten()
        count = _count(self.amount, len(left))
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            chosen = torch.topk(t.abs().reshape(-1)[left], k=count, largest=False).indices
            mask.view(-1)[left[chosen]] = 0
        return mask


class LnStructured(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount, n, dim=-1):
        self.amount, self.n, self.dim = amount, n, dim

    def compute_mask(self, t, default_mask):
        size = t.shape[self.dim]
        count = _count(self.amount, size)
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            others = [d for d in range(t.dim()) if d != self.dim % t.dim()]
            norms = torch.norm(t, p=self.n, dim=others)
            kept = torch.topk(norms, k=size - count).indices
            channels = torch.zeros(size, dtype=mask.dtype).index_fill(0, kept, 1)
            mask = mask * channels.view([size if d == self.dim % t.dim() else 1 for d in range(t.dim())])
        return mask


class RandomStructured(LnStructured):
    def __init__(self, amount, dim=-1):
        super().__init__(amount, 2, dim)

    def compute_mask(self, t, default_mask):
        size = t.shape[self.dim]
        order = torch.rand(size).view([size if d == self.dim % t.dim() else 1 for d in range(t.dim())])
        return super().compute_mask(order.expand_as(t), default_mask)


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
    scores = [getattr(module, name) for module, name in parameters]
    masks = [getattr(module, name + "_mask", torch.ones_like(score))
             for (module, name), score in zip(parameters, scores)]
    flat = pruning_method(**kwargs).compute_mask(torch.cat([s.detach().reshape(-1) for s in scores]),
                                                 torch.cat([m.reshape(-1) for m in masks]))
    start = 0
    for (module, name), score in zip(parameters, scores):
        custom_from_mask(module, name, flat[start:start + score.numel()].view_as(score))
        start += score.numel()


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
