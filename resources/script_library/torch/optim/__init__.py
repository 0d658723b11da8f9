# SPDX-License-Identifier: Apache-2.0
# torch.optim in the script language: PyTorch's single-tensor algorithms, operation by operation.
import math
from collections import defaultdict

import torch
# _C: the evaluator's own functions; only scripts of the library know that name.


class Optimizer:
    def __init__(self, params, defaults):
        if isinstance(params, torch.Tensor):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or dicts, "
                            "but got torch.FloatTensor")
        params = list(params)
        if not params:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(params[0], dict):
            params = [{"params": params}]
        self.defaults = defaults
        self.param_groups = []
        self.state = defaultdict(dict)
        for group in params:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        given = param_group["params"]
        named = []
        given = [given] if isinstance(given, torch.Tensor) else list(given)
        if given and isinstance(given[0], tuple):
            named = [name for name, p in given]
            given = [p for name, p in given]
        known = [q for group in self.param_groups for q in group["params"]]
        for p in given:
            if not isinstance(p, torch.Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(p).__name__}")
            if not p.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
            if any(p is q for q in known):
                raise ValueError("some parameters appear in more than one parameter group")
        group = {name: given if name == "params" else value for name, value in param_group.items()}
        if named:
            group["param_names"] = named
        for name, value in self.defaults.items():
            group.setdefault(name, value)
        self.param_groups.append(group)

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    if set_to_none:
                        p.grad = None
                    else:
                        p.grad.detach_()
                        p.grad.zero_()

    def step(self, closure=None):
        if self.__dict__.get("_opt_called", True) is False:  # lr_scheduler asks
            self._opt_called = True
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        self._notify("_pre_hooks")
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    g = p.grad
                    if g is not None:
                        if group.get("maximize", False):
                            g = -g
                        if p.is_cuda and _C.is_compiling():
                            self._count_beside(p)
                        self._advance(group, p, g)
        self._notify("_post_hooks")
        return loss

    def _count_beside(self, p):
        """Moves the counters of p's state from the host to p's GPU, as PyTorch does for compiled steps."""
        state = self.state.get(p)
        for name in ("step", "mu_product", "eta", "mu"):
            if state is not None and name in state and not state[name].is_cuda:
                state[name] = state[name].to(p.device)

    def _advance(self, group, p, g):
        state = self.state.get(p)
        if state is None:
            state = self._start(group, p)
            if state:
                self.state[p] = state
        if not p.is_complex():
            return self._update(group, state, p, g)
        parts = {name: _parts(value) for name, value in state.items()}
        self._update(group, parts, _parts(p), _parts(g))
        for name, value in parts.items():
            if not isinstance(value, torch.Tensor):
                state[name] = value

    def _start(self, group, p):
        """What is kept for p from step to step, before its first."""
        return {}

    def _update(self, group, state, p, g):
        """One step of p, real: of a complex one its parts."""
        raise NotImplementedError

    def _notify(self, kind):
        for hook in list(self.__dict__.get(kind, {}).values()):
            hook(self, (), {})

    def _hook(self, kind, hook):
        if kind not in self.__dict__:
            setattr(self, kind, {})
        hooks = getattr(self, kind)
        key = len(hooks) + sum(hooks.keys()) + 1
        hooks[key] = hook
        return torch._RemovableHandle(lambda: hooks.pop(key, None))

    def register_step_pre_hook(self, hook):
        return self._hook("_pre_hooks", hook)

    def register_step_post_hook(self, hook):
        return self._hook("_post_hooks", hook)

    def state_dict(self):
        numbers = {}
        groups = []
        for group in self.param_groups:
            packed = {name: value for name, value in group.items() if name != "params"}
            for p in group["params"]:
                if p not in numbers:
                    numbers[p] = len(numbers)
            packed["params"] = [numbers[p] for p in group["params"]]
            groups.append(packed)
        state = {numbers[p]: dict(values) for p, values in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict):
        groups = state_dict["param_groups"]
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        parameters = {}
        for own, given in zip(self.param_groups, groups):
            if len(own["params"]) != len(given["params"]):
                raise ValueError("loaded state dict contains a parameter group that doesn't match the size of "
                                 "optimizer's group")
            for p, number in zip(own["params"], given["params"]):
                parameters[number] = p
            for name, value in given.items():
                if name != "params":
                    own[name] = value
        self.state = defaultdict(dict)
        for number, values in state_dict["state"].items():
            p = parameters[number]
            self.state[p] = {name: _as_state_of(p, name, value) for name, value in values.items()}

    def __repr__(self):
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for name in sorted(group.keys()):
                if name != "params":
                    text += f"    {name}: {group[name]}\n"
        return text + ")"


def _as_state_of(p, name, value):
    """A copy of what a state_dict holds, with the parameter's dtype and device; counts of steps stay as they are."""
    if not isinstance(value, torch.Tensor):
        return value
    if name == "step":
        return value.detach().clone()
    return value.detach().to(p.device, p.dtype if p.is_floating_point() else value.dtype, copy=True)


def _at_least_zero(lr=0.0, **values):
    if lr < 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")
    names = {"eps": "epsilon", "momentum": "momentum", "weight_decay": "weight_decay"}
    for name, value in values.items():
        if value < 0.0:
            raise ValueError(f"Invalid {names.get(name, name)} value: {value}")


def _check_betas(betas):
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")


def _rest(foreach, maximize, capturable, differentiable, **others):
    options = {"maximize": maximize, "foreach": foreach, "capturable": capturable, "differentiable": differentiable}
    options.update(others)
    return options


def _parts(value):
    """A complex tensor as pairs of its real and imaginary parts, in the same memory; all else as it is."""
    if isinstance(value, torch.Tensor) and value.is_complex():
        return torch.view_as_real(value)
    return value


def _filled(p, value):
    """full_like, in both parts of a complex tensor."""
    return torch.full_like(p, complex(value, value) if p.is_complex() else value)


def _value(t):
    """The number that t, a tensor of no dimensions, holds; in a graph the tensor itself, as PyTorch has it there."""
    return t if _C.is_compiling() else t.item()


def _lerp(start, end, weight):
    """torch.lerp of a number: two forms, as PyTorch's kernel has them."""
    if weight < 0.5:
        return start + (end - start) * weight
    return end - (end - start) * (1 - weight)


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False,
                 foreach=None, differentiable=False, fused=None):
        _at_least_zero(lr=lr, momentum=momentum, weight_decay=weight_decay)
        defaults = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                    "nesterov": nesterov, "maximize": maximize, "foreach": foreach,
                    "differentiable": differentiable, "fused": fused}
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)

    def _advance(self, group, p, g):
        momentum = group["momentum"]
        if group["weight_decay"] != 0:
            g = g + p * group["weight_decay"]
        if momentum != 0:
            state = self.state.get(p)
            if state is None:
                buffer = g.clone()
                self.state[p] = {"momentum_buffer": buffer}
            else:
                buffer = state["momentum_buffer"]
                buffer.mul_(momentum).add_(g * (1 - group["dampening"]))
            g = g + buffer * momentum if group["nesterov"] else buffer
        p.add_(g * -group["lr"])


class Adam(Optimizer):
    _decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        _at_least_zero(lr=lr, eps=eps)
        _check_betas(betas)
        _at_least_zero(weight_decay=weight_decay)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach,
                                  "capturable": capturable, "differentiable": differentiable, "fused": fused,
                                  "decoupled_weight_decay": decoupled_weight_decay or self._decoupled})

    def _start(self, group, p):
        state = {"step": torch.tensor(0.0), "exp_avg": torch.zeros_like(p), "exp_avg_sq": torch.zeros_like(p)}
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = torch.zeros_like(p)
        return state

    def _update(self, group, state, p, g):
        beta1, beta2 = group["betas"]
        state["step"] += 1
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                g = g + p * group["weight_decay"]
        m = state["exp_avg"]
        v = state["exp_avg_sq"]
        m.copy_(_lerp(m, g, 1 - beta1))
        v.mul_(beta2).add_(g * g * (1 - beta2))
        step = _value(state["step"])
        correction1 = 1 - beta1 ** step
        correction2 = 1 - beta2 ** step
        if group["amsgrad"]:
            most = state["max_exp_avg_sq"]
            most.copy_(torch.maximum(most, v))
            v = most
        denominator = (v.sqrt() / correction2 ** 0.5).add_(group["eps"])
        p.add_(m / denominator * -(group["lr"] / correction1))


class AdamW(Adam):
    _decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *,
                 maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize,
                         capturable=capturable, differentiable=differentiable, fused=fused)


class NAdam(Optimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3,
                 decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False,
                 differentiable=False):
        _at_least_zero(lr=lr, eps=eps)
        _check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "momentum_decay": momentum_decay,
                                  "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize,
                                  "foreach": foreach, "capturable": capturable, "differentiable": differentiable})

    def _start(self, group, p):
        return {"step": torch.tensor(0.0), "mu_product": torch.tensor(1.0), "exp_avg": torch.zeros_like(p),
                "exp_avg_sq": torch.zeros_like(p)}

    def _update(self, group, state, p, g):
        beta1, beta2 = group["betas"]
        state["step"] += 1
        step = _value(state["step"])
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                g = g + p * group["weight_decay"]
        mu = beta1 * (1.0 - 0.5 * (0.96 ** (step * group["momentum_decay"])))
        mu_next = beta1 * (1.0 - 0.5 * (0.96 ** ((step + 1) * group["momentum_decay"])))
        state["mu_product"] *= mu
        product = _value(state["mu_product"])
        m = state["exp_avg"]
        v = state["exp_avg_sq"]
        m.copy_(_lerp(m, g, 1 - beta1))
        v.mul_(beta2).add_(g * g * (1 - beta2))
        denominator = (v / (1 - beta2 ** step)).sqrt().add_(group["eps"])
        p.add_(g / denominator * (-group["lr"] * (1.0 - mu) / (1.0 - product)))
        p.add_(m / denominator * (-group["lr"] * mu_next / (1.0 - product * mu_next)))


class RAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *,
                 foreach=None, maximize=False, capturable=False, differentiable=False):
        _at_least_zero(lr=lr, eps=eps)
        _check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "maximize": maximize, "foreach": foreach, "capturable": capturable,
                                  "decoupled_weight_decay": decoupled_weight_decay,
                                  "differentiable": differentiable})

    def _start(self, group, p):
        return {"step": torch.tensor(0.0), "exp_avg": torch.zeros_like(p), "exp_avg_sq": torch.zeros_like(p)}

    def _update(self, group, state, p, g):
        beta1, beta2 = group["betas"]
        state["step"] += 1
        step = _value(state["step"])
        if group["weight_decay"] != 0:
            if group["decoupled_weight_decay"]:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                g = g + p * group["weight_decay"]
        m = state["exp_avg"]
        v = state["exp_avg_sq"]
        m.copy_(_lerp(m, g, 1 - beta1))
        v.mul_(beta2).add_(g * g * (1 - beta2))
        correction2 = 1 - beta2 ** step
        corrected = m / (1 - beta1 ** step)
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * (beta2 ** step) / correction2
        if isinstance(length, torch.Tensor):  # in a graph, which has both ways
            rect = ((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)) ** 0.5
            adaptive = (correction2 ** 0.5) / (v.sqrt().add_(group["eps"]))
            p.add_(corrected * group["lr"] * torch.where(length > 5.0, rect * adaptive, 1.0) * -1.0)
        elif length > 5.0:
            rect = ((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)) ** 0.5
            adaptive = (correction2 ** 0.5) / (v.sqrt().add_(group["eps"]))
            p.add_(corrected * group["lr"] * adaptive * rect * -1.0)
        else:
            p.add_(corrected * group["lr"] * -1.0)


class Adamax(Optimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False,
                 differentiable=False, capturable=False):
        _at_least_zero(lr=lr, eps=eps)
        _check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
                                  "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
                                  "capturable": capturable})

    def _start(self, group, p):
        return {"step": torch.tensor(0.0), "exp_avg": torch.zeros_like(p), "exp_inf": torch.zeros_like(p)}

    def _update(self, group, state, p, g):
        beta1, beta2 = group["betas"]
        state["step"] += 1
        if group["weight_decay"] != 0:
            g = g + p * group["weight_decay"]
        m = state["exp_avg"]
        most = state["exp_inf"]
        m.copy_(_lerp(m, g, 1 - beta1))
        most.copy_(torch.maximum(most * beta2, g.abs() + group["eps"]))
        p.add_(m / most * -(group["lr"] / (1 - beta1 ** _value(state["step"]))))


class RMSprop(Optimizer):
    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False,
                 capturable=False, foreach=None, maximize=False, differentiable=False):
        _at_least_zero(lr=lr, eps=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        super().__init__(params, {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
                                  "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach,
                                  "maximize": maximize, "differentiable": differentiable})

    def _start(self, group, p):
        state = {"step": torch.tensor(0.0), "square_avg": torch.zeros_like(p)}
        if group["momentum"] > 0:
            state["momentum_buffer"] = torch.zeros_like(p)
        if group["centered"]:
            state["grad_avg"] = torch.zeros_like(p)
        return state

    def _update(self, group, state, p, g):
        alpha = group["alpha"]
        state["step"] += 1
        if group["weight_decay"] != 0:
            g = g + p * group["weight_decay"]
        square = state["square_avg"]
        square.mul_(alpha).add_(g * g * (1 - alpha))
        if group["centered"]:
            mean = state["grad_avg"]
            mean.copy_(_lerp(mean, g, 1 - alpha))
            size = (square - mean * mean).sqrt()
        else:
            size = square.sqrt()
        size.add_(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"]
            buffer.mul_(group["momentum"]).add_(g / size)
            p.add_(buffer * -group["lr"])
        else:
            p.add_(g / size * -group["lr"])


def _most(number, t):
    """max() of a number and what _value gives."""
    return t.clamp(min=number) if isinstance(t, torch.Tensor) else max(number, t)


class Adafactor(Optimizer):
    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None,
                 maximize=False):
        if isinstance(lr, torch.Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 >= beta2_decay:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not 0.0 <= eps[0]:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not 0.0 <= eps[1]:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not 1.0 <= d:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        super().__init__(params, {"lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d,
                                  "weight_decay": weight_decay, "foreach": foreach, "maximize": maximize})

    def _start(self, group, p):
        if torch.is_complex(p):
            raise RuntimeError("Adafactor does not support complex parameters")
        state = {"step": torch.tensor(0.0)}
        if p.dim() > 1:
            sizes = list(p.shape)
            state["row_var"] = p.new_zeros(sizes[:-1] + [1])
            state["col_var"] = p.new_zeros(sizes[:-2] + [1] + sizes[-1:])
        else:
            state["variance"] = torch.zeros_like(p)
        return state

    def _update(self, group, state, p, g):
        lr, (eps1, eps2) = group["lr"], group["eps"]
        if eps1 is None:
            eps1 = torch.finfo(p.dtype).eps
        state["step"] += 1
        step = _value(state["step"])
        weight = step ** group["beta2_decay"]
        rate = 1 / step ** 0.5
        rate = rate.clamp(max=lr) if isinstance(rate, torch.Tensor) else min(lr, rate)
        rate = _most(eps2, _value(p.norm(2)) / p.numel() ** 0.5) * rate
        if group["weight_decay"] != 0:
            p.mul_(1 - lr * group["weight_decay"])
        if g.dim() > 1:
            rows, columns = state["row_var"], state["col_var"]
            rows.lerp_(torch.linalg.vector_norm(g, dim=-1, keepdim=True).square().div(g.size(-1)), weight)
            columns.lerp_(torch.linalg.vector_norm(g, dim=-2, keepdim=True).square().div(g.size(-2)), weight)
            variance = (rows @ columns).div_(rows.mean(dim=-2, keepdim=True).clamp(min=eps1))
        else:
            state["variance"].lerp_(g * g, weight)
            variance = state["variance"].clone()
        update = variance.clamp_(min=eps1 * eps1).rsqrt_().mul_(g)
        size = _most(1.0, _value(update.norm(2)) / (update.numel() ** 0.5 * group["d"]))
        p.add_(update * (-rate / size))


def _orthogonal(g, coefficients, steps, eps):
    """About the nearest orthogonal matrix, in bfloat16, by Newton and Schulz's iteration of fifth order."""
    if steps >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    if len(coefficients) != 3:
        raise ValueError("Coefficients must be a tuple of exactly 3 values")
    a, b, c = coefficients
    tall = g.size(0) > g.size(1)
    x = g.to(dtype=torch.bfloat16, copy=True)
    if tall:
        x = x.T
    x = x.div(x.norm().clamp(min=eps))
    for _ in range(steps):
        gram = x @ x.T
        x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.T if tall else x


class Muon(Optimizer):
    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True,
                 ns_coefficients=(3.4445, -4.7750, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None):
        if isinstance(lr, torch.Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 <= momentum:
            raise ValueError(f"momentum should be >= 0 but is: {momentum}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight decay should be >= 0 but is: {weight_decay}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw", "spectral_unclamped"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, {"lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
                                  "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps,
                                  "adjust_lr_fn": adjust_lr_fn})
        for group in self.param_groups:
            for p in group["params"]:
                if p.ndim != 2:
                    raise ValueError("Muon only supports 2D parameters whereas we found a parameter with size: "
                                     f"{p.size()}")

    def _start(self, group, p):
        if torch.is_complex(p):
            raise RuntimeError("Muon does not support complex parameters")
        return {"momentum_buffer": torch.zeros_like(p)}

    def _update(self, group, state, p, g):
        momentum, lr = group["momentum"], group["lr"]
        buffer = state["momentum_buffer"]
        buffer.lerp_(g, 1 - momentum)
        update = _orthogonal(g.lerp(buffer, momentum) if group["nesterov"] else buffer, group["ns_coefficients"],
                             group["ns_steps"], group["eps"])
        rows, columns = p.shape
        if group["adjust_lr_fn"] == "match_rms_adamw":
            ratio = 0.2 * math.sqrt(max(rows, columns))
        elif group["adjust_lr_fn"] == "spectral_unclamped":
            ratio = math.sqrt(rows / columns)
        else:
            ratio = math.sqrt(max(1, rows / columns))
        p.mul_(1 - lr * group["weight_decay"])
        p.add_(update, alpha=-lr * ratio)


class Adagrad(Optimizer):
    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10,
                 foreach=None, *, maximize=False, differentiable=False, fused=None):
        _at_least_zero(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps)
        super().__init__(params, {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
                                  "initial_accumulator_value": initial_accumulator_value, "foreach": foreach,
                                  "maximize": maximize, "differentiable": differentiable, "fused": fused})

    def add_param_group(self, param_group):
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        for p in group["params"]:
            with torch.no_grad():
                self.state[p] = {"step": torch.tensor(0.0), "sum": _filled(p, group["initial_accumulator_value"])}

    def _update(self, group, state, p, g):
        state["step"] += 1
        if group["weight_decay"] != 0:
            g = g + p * group["weight_decay"]
        rate = group["lr"] / (1 + (_value(state["step"]) - 1) * group["lr_decay"])
        state["sum"].add_(g * g)
        p.add_(g / (state["sum"].sqrt().add_(group["eps"])) * -rate)


class SparseAdam(Optimizer):
    """Adam for sparse gradients; those here are dense, which it refuses as PyTorch's does."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        _at_least_zero(lr=lr, eps=eps)
        if not 0.0 <= betas[0] < 1.0:
            raise ValueError(f"Invalid beta parameter at index 0: {betas[0]}")
        if not 0.0 <= betas[1] < 1.0:
            raise ValueError(f"Invalid beta parameter at index 1: {betas[1]}")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})

    def _start(self, group, p):
        raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")


class Adadelta(Optimizer):
    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False,
                 maximize=False, differentiable=False):
        _at_least_zero(lr=lr, eps=eps, weight_decay=weight_decay)
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay,
                                  "maximize": maximize, "capturable": capturable, "foreach": foreach,
                                  "differentiable": differentiable})

    def _start(self, group, p):
        return {"step": torch.tensor(0.0), "square_avg": torch.zeros_like(p), "acc_delta": torch.zeros_like(p)}

    def _update(self, group, state, p, g):
        rho, eps = group["rho"], group["eps"]
        state["step"] += 1
        if group["weight_decay"] != 0:
            g = g + p * group["weight_decay"]
        square = state["square_avg"]
        accumulated = state["acc_delta"]
        square.mul_(rho).add_(g * g * (1 - rho))
        delta = (accumulated + eps).sqrt() / (square + eps).sqrt() * g
        accumulated.mul_(rho).add_(delta * delta * (1 - rho))
        p.add_(delta * -group["lr"])


class ASGD(Optimizer):
    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False,
                 differentiable=False, capturable=False):
        _at_least_zero(lr=lr, weight_decay=weight_decay)
        super().__init__(params, {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay,
                                  "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
                                  "capturable": capturable})

    def _start(self, group, p):
        return {"step": torch.tensor(0.0), "eta": torch.tensor(float(group["lr"])), "mu": torch.tensor(1.0),
                "ax": torch.zeros_like(p)}

    def _update(self, group, state, p, g):
        lr = group["lr"]
        state["step"] += 1
        if group["weight_decay"] != 0:
            g = g + p * group["weight_decay"]
        eta = _value(state["eta"])
        p.mul_(1 - group["lambd"] * eta)
        p.add_(g * -eta)
        ax = state["ax"]
        mu = _value(state["mu"])
        step = _value(state["step"])
        if isinstance(mu, torch.Tensor):  # in a graph, which has both ways
            ax.copy_(torch.where(mu == 1, p, ax + (p - ax) * mu))
            next_mu = 1 / torch.clamp(step - group["t0"], min=1)
        else:
            ax.copy_(p if mu == 1 else ax + (p - ax) * mu)
            next_mu = torch.tensor(1 / max(1, step - group["t0"]))
        state["eta"].copy_(torch.as_tensor(lr / ((1 + group["lambd"] * lr * step) ** group["alpha"])))
        state["mu"].copy_(next_mu)


class Rprop(Optimizer):
    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None,
                 maximize=False, differentiable=False):
        _at_least_zero(lr=lr)
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach,
                                  "maximize": maximize, "differentiable": differentiable, "capturable": capturable})

    def _start(self, group, p):
        return {"step": torch.tensor(0.0), "prev": torch.zeros_like(p), "step_size": _filled(p, group["lr"])}

    def _update(self, group, state, p, g):
        down, up = group["etas"]
        least, most = group["step_sizes"]
        state["step"] += 1
        direction = g * state["prev"]
        factor = torch.where(direction > 0, up, torch.where(direction < 0, down, 1.0))
        state["step_size"].copy_(torch.clamp(state["step_size"] * factor, least, most))
        g = torch.where(direction < 0, torch.zeros_like(g), g)
        p.add_(g.sign() * state["step_size"] * -1.0)
        state["prev"].copy_(g)


class LBFGS(Optimizer):
    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9,
                 history_size=100, line_search_fn=None):
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, {"lr": lr, "max_iter": max_iter, "max_eval": max_eval,
                                  "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change,
                                  "history_size": history_size, "line_search_fn": line_search_fn})
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def _gradient(self):
        return torch.cat([_parts(torch.zeros_like(p) if p.grad is None else p.grad).reshape(-1) for p in self._params])

    def _add(self, t, direction):
        at = 0
        for p in map(_parts, self._params):
            p.add_(direction[at:at + p.numel()].view(p.shape) * t)
            at += p.numel()

    def _evaluate(self, closure, start, t, direction):
        self._add(t, direction)
        with torch.enable_grad():
            loss = float(closure())
        gradient = self._gradient()
        for p, value in zip(self._params, start):
            p.copy_(value)
        return loss, gradient

    def step(self, closure):
        with torch.no_grad():
            return self._step(closure)

    def _step(self, closure):
        group = self.param_groups[0]
        lr, max_iter, max_eval = group["lr"], group["max_iter"], group["max_eval"]
        if self._params[0] not in self.state:
            self.state[self._params[0]] = {"func_evals": 0, "n_iter": 0}
        state = self.state[self._params[0]]
        with torch.enable_grad():
            first = closure()
        loss = float(first)
        evaluations = 1
        state["func_evals"] += 1
        g = self._gradient()
        if g.abs().max().item() <= group["tolerance_grad"]:
            return first
        d, t = state.get("d"), state.get("t")
        dirs, stps, ro = state.get("old_dirs"), state.get("old_stps"), state.get("ro")
        diagonal, before, loss_before = state.get("H_diag"), state.get("prev_flat_grad"), state.get("prev_loss")
        n = 0
        while n < max_iter:
            n += 1
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                d, dirs, stps, ro, diagonal = -g, [], [], [], 1
            else:
                y = g - before
                s = d * t
                ys = y.dot(s)
                if ys.item() > 1e-10:
                    if len(dirs) == group["history_size"]:
                        dirs.pop(0)
                        stps.pop(0)
                        ro.pop(0)
                    dirs.append(y)
                    stps.append(s)
                    ro.append(1.0 / ys)
                    diagonal = ys / y.dot(y)
                q = -g
                al = state.setdefault("al", [None] * group["history_size"])
                for i in range(len(dirs) - 1, -1, -1):
                    al[i] = stps[i].dot(q) * ro[i]
                    q = q + dirs[i] * -al[i]
                d = q * diagonal
                for i in range(len(dirs)):
                    be = dirs[i].dot(d) * ro[i]
                    d = d + stps[i] * (al[i] - be)
            before = g.clone()
            loss_before = loss
            t = min(1.0, 1.0 / g.abs().sum().item()) * lr if state["n_iter"] == 1 else lr
            slope = (g * d).sum().item()
            if slope > -group["tolerance_change"]:
                break
            tried = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                start = [p.clone() for p in self._params]
                loss, g, t, tried = _strong_wolfe(
                    lambda step, direction: self._evaluate(closure, start, step, direction), t, d, loss, g, slope)
                self._add(t, d)
                optimal = g.abs().max().item() <= group["tolerance_grad"]
            else:
                self._add(t, d)
                optimal = False
                if n != max_iter:
                    with torch.enable_grad():
                        loss = float(closure())
                    g = self._gradient()
                    optimal = g.abs().max().item() <= group["tolerance_grad"]
                    tried = 1
            evaluations += tried
            state["func_evals"] += tried
            if n == max_iter or evaluations >= max_eval or optimal:
                break
            if (d * t).abs().max().item() <= group["tolerance_change"]:
                break
            if abs(loss - loss_before) < group["tolerance_change"]:
                break
        state["d"], state["t"], state["old_dirs"], state["old_stps"] = d, t, dirs, stps
        state["ro"], state["H_diag"], state["prev_flat_grad"], state["prev_loss"] = ro, diagonal, before, loss_before
        return first


def _cubic(x1, f1, g1, x2, f2, g2, bounds=None):
    least, most = bounds if bounds is not None else (min(x1, x2), max(x1, x2))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 ** 2 - g1 * g2
    if square < 0:
        return (least + most) / 2.0
    d2 = square ** 0.5
    if x1 <= x2:
        place = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        place = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(place, least), most)


def _strong_wolfe(evaluate, t, d, f, g, gtd, c1=1e-4, c2=0.9, tolerance_change=1e-9, max_ls=25):
    d_norm = d.abs().max().item()
    g = g.clone()
    f_new, g_new = evaluate(t, d)
    evals = 1
    gtd_new = (g_new * d).sum().item()
    t_prev, f_prev, g_prev, gtd_prev = 0, f, g, gtd
    done = False
    count = 0
    while count < max_ls:
        if f_new > (f + c1 * t * gtd) or (count > 1 and f_new >= f_prev):
            bracket, bracket_f = [t_prev, t], [f_prev, f_new]
            bracket_g, bracket_gtd = [g_prev, g_new.clone()], [gtd_prev, gtd_new]
            break
        if abs(gtd_new) <= -c2 * gtd:
            bracket, bracket_f, bracket_g = [t], [f_new], [g_new]
            done = True
            break
        if gtd_new >= 0:
            bracket, bracket_f = [t_prev, t], [f_prev, f_new]
            bracket_g, bracket_gtd = [g_prev, g_new.clone()], [gtd_prev, gtd_new]
            break
        least = t + 0.01 * (t - t_prev)
        most = t * 10
        kept = t
        t = _cubic(t_prev, f_prev, gtd_prev, t, f_new, gtd_new, (least, most))
        t_prev, f_prev, g_prev, gtd_prev = kept, f_new, g_new.clone(), gtd_new
        f_new, g_new = evaluate(t, d)
        evals += 1
        gtd_new = (g_new * d).sum().item()
        count += 1
    if count == max_ls:
        bracket, bracket_f, bracket_g = [0, t], [f, f_new], [g, g_new]
    stuck = False
    low, high = (0, 1) if bracket_f[0] <= bracket_f[-1] else (1, 0)
    while not done and count < max_ls:
        if abs(bracket[1] - bracket[0]) * d_norm < tolerance_change:
            break
        t = _cubic(bracket[0], bracket_f[0], bracket_gtd[0], bracket[1], bracket_f[1], bracket_gtd[1])
        eps = 0.1 * (max(bracket) - min(bracket))
        if min(max(bracket) - t, t - min(bracket)) < eps:
            if stuck or t >= max(bracket) or t <= min(bracket):
                t = max(bracket) - eps if abs(t - max(bracket)) < abs(t - min(bracket)) else min(bracket) + eps
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        f_new, g_new = evaluate(t, d)
        evals += 1
        gtd_new = (g_new * d).sum().item()
        count += 1
        if f_new > (f + c1 * t * gtd) or f_new >= bracket_f[low]:
            bracket[high], bracket_f[high], bracket_g[high], bracket_gtd[high] = t, f_new, g_new.clone(), gtd_new
            low, high = (0, 1) if bracket_f[0] <= bracket_f[1] else (1, 0)
        else:
            if abs(gtd_new) <= -c2 * gtd:
                done = True
            elif gtd_new * (bracket[high] - bracket[low]) >= 0:
                bracket[high], bracket_f[high] = bracket[low], bracket_f[low]
                bracket_g[high], bracket_gtd[high] = bracket_g[low], bracket_gtd[low]
            bracket[low], bracket_f[low], bracket_g[low], bracket_gtd[low] = t, f_new, g_new.clone(), gtd_new
    if len(bracket) == 1:
        low = 0
    return bracket_f[low], bracket_g[low], bracket[low], evals


from torch._homes import settle as _settle

_settle("torch.optim", globals())
