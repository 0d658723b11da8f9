# SPDX-License-Identifier: Apache-2.0
# Averages of a model's weights over training.
import copy
import math

import torch
from torch.nn import Module
from torch.optim.lr_scheduler import LRScheduler


def get_ema_multi_avg_fn(decay=0.999):
    def ema_update(ema_param_list, current_param_list, _):
        with torch.no_grad():
            for average, current in zip(ema_param_list, current_param_list):
                average.lerp_(current, 1 - decay) if average.is_floating_point() else average.copy_(current)

    return ema_update


def get_swa_multi_avg_fn():
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        with torch.no_grad():
            for average, current in zip(averaged_param_list, current_param_list):
                if average.is_floating_point():
                    average.lerp_(current, 1 / (float(num_averaged) + 1))
                else:
                    average.copy_(average + (current - average) / (float(num_averaged) + 1))

    return swa_update


def get_ema_avg_fn(decay=0.999):
    def ema_update(ema_param, current_param, num_averaged):
        with torch.no_grad():
            return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    def swa_update(averaged_param, current_param, num_averaged):
        with torch.no_grad():
            return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def _averaged(self, model):
        return list(model.parameters()) + (list(model.buffers()) if self.use_buffers else [])

    def update_parameters(self, model):
        mine, theirs = self._averaged(self.module), [p.detach() for p in self._averaged(model)]
        with torch.no_grad():
            if self.n_averaged == 0:
                for average, current in zip(mine, theirs):
                    average.copy_(current)
            elif self.avg_fn is not None:
                for average, current in zip(mine, theirs):
                    average.copy_(self.avg_fn(average.detach(), current, self.n_averaged))
            else:
                update = self.multi_avg_fn or get_swa_multi_avg_fn()
                update([average.detach() for average in mine], theirs, self.n_averaged)
            if not self.use_buffers:
                for average, current in zip(self.module.buffers(), model.buffers()):
                    average.detach().copy_(current.detach())
            self.n_averaged += 1


def update_bn(loader, model, device=None):
    """The running statistics of batch norms, computed anew over the loader's batches."""
    momenta = {}
    for module in model.modules():
        if isinstance(module, torch.nn._BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    with torch.no_grad():
        for batch in loader:
            if isinstance(batch, (list, tuple)):
                batch = batch[0]
            model(batch if device is None else batch.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        rates = swa_lr if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(optimizer.param_groups)
        if len(rates) != len(optimizer.param_groups):
            raise ValueError(f"swa_lr must have the same length as optimizer.param_groups: swa_lr has {len(rates)}, "
                             f"optimizer.param_groups has {len(optimizer.param_groups)}")
        for group, rate in zip(optimizer.param_groups, rates):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _part(self, t):
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before = max(0, min(1, (step - 1) / max(1, self.anneal_epochs)))
        now = max(0, min(1, step / max(1, self.anneal_epochs)))
        found = []
        for group in self.optimizer.param_groups:
            rate, swa_lr = group["lr"], group["swa_lr"]
            part = self._part(before)
            start = swa_lr if part == 1 else (rate - part * swa_lr) / (1 - part)
            found.append(swa_lr * self._part(now) + start * (1 - self._part(now)))
        return found
