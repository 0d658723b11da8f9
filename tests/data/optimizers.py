# SPDX-License-Identifier: Apache-2.0
# Optimizers that factor or orthogonalize, as PyTorch prints their parameters: optimizers.txt.
import torch
compiled = False


def numbers(*sizes):
    count = 1
    for size in sizes:
        count *= size
    return ((torch.arange(count, dtype=torch.float32) * 0.7 + 0.3).sin() * 2).reshape(sizes)


def run(name, make, *shapes):
    parameters = [torch.nn.Parameter(numbers(*sizes) * 0.5) for sizes in shapes]
    optimizer = make(parameters)

    def step():
        optimizer.step()

    if compiled:
        step = torch.compile(step)
    for k in range(4):
        optimizer.zero_grad()
        sum(((p * (k + 1) + 0.1).sin() * numbers(*p.shape)).sum() for p in parameters).backward()
        step()
    for p in parameters:
        print(name, " ".join(f"{v:.4f}" for v in p.flatten().tolist()))
    for values in optimizer.state_dict()["state"].values():
        print(name, "state", [(key, tuple(t.shape), t.dtype) for key, t in values.items()])


every = ((3, 5), (4,), (2, 3, 4), ())
run("adafactor", torch.optim.Adafactor, *every)
run("adafactor of options", lambda p: torch.optim.Adafactor(p, lr=0.3, beta2_decay=-0.5, eps=(1e-3, 0.1), d=1.5,
                                                            weight_decay=0.1, maximize=True), *every)
matrices = ((3, 5), (6, 2), (4, 4))
run("muon", torch.optim.Muon, *matrices)
run("muon of options", lambda p: torch.optim.Muon(p, lr=0.1, weight_decay=0.3, momentum=0.5, nesterov=False, ns_steps=3,
                                                  adjust_lr_fn="match_rms_adamw"), *matrices)
run("muon unclamped", lambda p: torch.optim.Muon(p, lr=0.01, adjust_lr_fn="spectral_unclamped"), *matrices)
if not compiled:
    one = [torch.nn.Parameter(torch.zeros(2, 2))]
    print("eager", " ".join(repr(torch.optim.Adafactor(one)).split()))
    print("eager", " ".join(repr(torch.optim.Muon(one)).split()))
    for wrong in (lambda: torch.optim.Adafactor(one, beta2_decay=0.1), lambda: torch.optim.Adafactor(one, lr=-1.),
                  lambda: torch.optim.Adafactor(one, d=0.5), lambda: torch.optim.Adafactor(one, eps=(None, -1.)),
                  lambda: torch.optim.Muon(one, adjust_lr_fn="none"), lambda: torch.optim.Muon(one, momentum=-1.),
                  lambda: torch.optim.Muon([torch.nn.Parameter(torch.zeros(3))])):
        try:
            wrong()
            print("eager no error")
        except ValueError as error:
            print("eager", error)
