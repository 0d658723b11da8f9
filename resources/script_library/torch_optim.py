# SPDX-License-Identifier: Apache-2.0
# torch.optim in the script language.
import torch


class Optimizer:
    def __init__(self, params, defaults):
        params = list(params)
        if not params:
            raise ValueError("the optimizer got an empty list of parameters")
        if not isinstance(params[0], dict):
            params = [{"params": params}]
        self.defaults = defaults
        self.param_groups = []
        self.state = {}
        for group in params:
            merged = dict(defaults)
            merged.update(group)
            merged["params"] = list(merged["params"])
            self.param_groups.append(merged)

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = None


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False):
        super().__init__(params, {"lr": lr, "momentum": momentum, "dampening": dampening,
                                  "weight_decay": weight_decay, "nesterov": nesterov})

    def step(self):
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self._update(group, p, p.grad)

    def _update(self, group, p, d):
        if group["weight_decay"] != 0:
            d = d + p * group["weight_decay"]
        if group["momentum"] != 0:
            if p in self.state:
                b = self.state[p] * group["momentum"] + d * (1 - group["dampening"])
            else:
                b = d.clone()
            self.state[p] = b
            d = d + b * group["momentum"] if group["nesterov"] else b
        p.copy_(p - d * group["lr"])


class Adam(Optimizer):
    decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def step(self):
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self._update(group, p, p.grad)

    def _update(self, group, p, d):
        beta1, beta2 = group["betas"]
        value = p
        if group["weight_decay"] != 0:
            if self.decoupled:
                value = p * (1 - group["lr"] * group["weight_decay"])
            else:
                d = d + p * group["weight_decay"]
        step, m, v = self.state.get(p, (0, 0.0, 0.0))
        step += 1
        m = d * (1 - beta1) + m * beta1
        v = d * d * (1 - beta2) + v * beta2
        self.state[p] = (step, m, v)
        scale = group["lr"] / (1 - beta1 ** step)
        denominator = (v / (1 - beta2 ** step)).sqrt() + group["eps"]
        p.copy_(value - m / denominator * scale)


class AdamW(Adam):
    decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2):
        super().__init__(params, lr, betas, eps, weight_decay)
