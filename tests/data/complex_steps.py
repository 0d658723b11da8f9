# SPDX-License-Identifier: Apache-2.0
# Optimizers on complex parameters: their state, their steps and what state_dict holds, eager and as compiled steps.
# complex_steps.txt is what PyTorch prints.
import torch

optim = torch.optim
KINDS = {
    "sgd": lambda p: optim.SGD(p, lr=0.01),
    "momentum": lambda p: optim.SGD(p, lr=0.005, momentum=0.9, nesterov=True, weight_decay=0.01),
    "adam": lambda p: optim.Adam(p, lr=0.1),
    "decayed": lambda p: optim.Adam(p, lr=0.1, weight_decay=0.1, maximize=True),
    "adamw": lambda p: optim.AdamW(p, lr=0.1, amsgrad=True),
    "rmsprop": lambda p: optim.RMSprop(p, lr=0.01, momentum=0.5, centered=True),
    "adagrad": lambda p: optim.Adagrad(p, lr=0.05, initial_accumulator_value=0.5),
    "adadelta": lambda p: optim.Adadelta(p),
    "adamax": lambda p: optim.Adamax(p, lr=0.01),
    "nadam": lambda p: optim.NAdam(p, lr=0.01),
    "radam": lambda p: optim.RAdam(p, lr=0.01),
    "asgd": lambda p: optim.ASGD(p, lr=0.01),
    "rprop": lambda p: optim.Rprop(p, lr=0.01),
    "lbfgs": lambda p: optim.LBFGS(p, lr=0.1, max_iter=4),
}


def rounded(t):
    if not isinstance(t, torch.Tensor):
        return t
    values = torch.view_as_real(t.detach()) if t.is_complex() else t.detach()
    return [round(float(v), 6) for v in values.double().reshape(-1).tolist()]


def trained(kind, compiled):
    p = torch.tensor([1 + 2j, -0.5 + 0.25j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
    q = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    optimizer = KINDS[kind]([p, q])

    def closure():
        optimizer.zero_grad()
        loss = (p * p.conj() * (1 + 0.5j)).real.sum() * q.sum().square() + p.imag.sum()
        loss.backward()
        return loss

    step = torch.compile(optimizer.step) if compiled else optimizer.step
    for i in range(7):
        if kind == "lbfgs":
            optimizer.step(closure)
        else:
            closure()
            step()
    return p, q, optimizer


for kind in KINDS:
    p, q, optimizer = trained(kind, False)
    print(kind, rounded(p), rounded(q))
    kept = optimizer.state_dict()["state"].get(0, {})
    if kind != "lbfgs":
        for name in sorted(kept):
            print(kind, name, getattr(kept[name], "dtype", ""), rounded(kept[name]))
        p2, q2, _ = trained(kind, True)
        print(kind, "compiled", torch.allclose(p, p2, atol=1e-5), torch.allclose(q, q2, atol=1e-5))
