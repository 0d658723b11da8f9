"""Optimizers' steps in compiled functions against eager: the step with its zero_grad as one graph, and a whole
training step, which breaks at backward() only. Prints each that differs, then a count."""
import torch
import torch.nn as nn

optim = torch.optim
KINDS = {
    "sgd": lambda p: optim.SGD(p, lr=0.1),
    "momentum": lambda p: optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
    "adam": lambda p: optim.Adam(p, lr=0.01),
    "adamw": lambda p: optim.AdamW(p, lr=0.01, amsgrad=True),
    "rmsprop": lambda p: optim.RMSprop(p, lr=0.01, momentum=0.5, centered=True),
    "adagrad": lambda p: optim.Adagrad(p, lr=0.05),
    "adadelta": lambda p: optim.Adadelta(p),
    "adamax": lambda p: optim.Adamax(p, lr=0.01),
    "nadam": lambda p: optim.NAdam(p, lr=0.01),
    "radam": lambda p: optim.RAdam(p, lr=0.01),
}
x, y = torch.randn(16, 4), torch.randn(16, 1)


def losses(kind, how):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = KINDS[kind](model.parameters())

    def step():
        optimizer.step()
        optimizer.zero_grad()

    def train():
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss

    if how == "step":
        step = torch.compile(step, fullgraph=True)
    elif how == "whole":
        train = torch.compile(train)
    found = []
    for i in range(7):
        found.append(train().item())
    for i in range(4):
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        step()
        found.append(loss.item())
    if [p for p in model.parameters() if p.grad is not None]:
        print(kind, how, "keeps gradients")
    return found


agree = 0
for kind in KINDS:
    eager = losses(kind, "eager")
    for how in ["step", "whole"]:
        far = max([abs(a - b) for a, b in zip(losses(kind, how), eager)])
        if far < 1e-4:
            agree += 1
        else:
            print(f"{kind} {how} differs by {far}")


# Gradients that a compiled function reads and assigns.
def assigned(p, q):
    before = p.grad
    p.grad = before * 2 + q
    p.grad.add_(1)
    q.grad = None
    return before.sum()


for function in [assigned, torch.compile(assigned, fullgraph=True)]:
    p, q = torch.ones(3, requires_grad=True), torch.ones(3)
    (p * p).sum().backward()
    q.grad = torch.ones(3)
    results = [function(p, q).item(), p.grad.tolist(), q.grad, function(p, q).item(), p.grad.tolist()]
    if results == [6.0, [6.0, 6.0, 6.0], None, 18.0, [14.0, 14.0, 14.0]]:
        agree += 1
    else:
        print("assigned gradients differ:", results)
print(agree, "agree")
