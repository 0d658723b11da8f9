# SPDX-License-Identifier: Apache-2.0
# torch.optim in the script language.
import torch


class Optimizer:
    def __init__(self, params, defaults):
        if isinstance(params, torch.Tensor):
            raise TypeError("the optimizer takes a list of tensors or of dicts, found one tensor")
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
            merged["params"] = self._checked(merged["params"])
            self.param_groups.append(merged)

    def _checked(self, params):
        params = [params] if isinstance(params, torch.Tensor) else list(params)
        known = [q for group in self.param_groups for q in group["params"]]
        for p in params:
            if not isinstance(p, torch.Tensor):
                raise TypeError(f"the optimizer changes tensors, found a {type(p).__name__}")
            if not p.is_leaf:
                raise ValueError("the optimizer changes leaf tensors only, found the result of an operation")
            if any(p is q for q in known):
                raise ValueError("a parameter appears in more than one parameter group")
        return params

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = None


def _at_least_zero(**values):
    for name, value in values.items():
        if value < 0.0:
            raise ValueError(f"{name} must be at least 0, found {value}")


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False):
        _at_least_zero(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("nesterov needs a momentum and no dampening")
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
        _at_least_zero(lr=lr, eps=eps, weight_decay=weight_decay)
        for beta in betas:
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"betas must be at least 0 and below 1, found {beta}")
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
