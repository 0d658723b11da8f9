# SPDX-License-Identifier: Apache-2.0
"""Tensors of the host beside those of a GPU, eagerly and compiled. devices.txt is what this prints under PyTorch 2.11
(python3 devices.py > devices.txt) on a machine with a GPU, with "eager" for a backend."""
import torch

backend = "inductor"

gpu = torch.device("cuda")
x = torch.arange(6.0, device=gpu).view(2, 3)
table = torch.arange(12.0).view(4, 3).cos()
scale = torch.tensor(2.5)


def beside(x):
    return x * scale + torch.tensor(1.0)


def moved(x):
    return x + table[1:3].to(x.device)


def made(x):
    places = torch.arange(x.shape[1]).to(x.device)
    return x[:, places.flip(0)] * places


def indexed(x):
    return x[torch.tensor([1, 0, 1])], x[:, torch.tensor([2, 0])]


def masked(x):
    return x[torch.tensor([[True, False, True], [False, False, True]])]


def written(x):
    y = x.clone()
    y[torch.tensor([1])] = torch.tensor(7.0)
    y[:, 0] += scale
    return y


def down(x):
    small = (x.sum(0) / scale).cpu()
    return small + 1, small.device.type


def back_and_forth(x):
    host = x.cpu() * 2
    return host.to(gpu) + x


counter = torch.tensor(0.0)


def counted(x):
    counter.add_(1)
    return x * counter.to(gpu)


def show(name, found):
    for t in found if isinstance(found, tuple) else (found,):
        print(name, (t.device.type, t.tolist()) if isinstance(t, torch.Tensor) else t)


for function in (beside, moved, made, indexed, masked, written, down, back_and_forth, counted):
    for compiled in (False, True):
        counter.zero_()
        run = torch.compile(function, backend=backend) if compiled else function
        for _ in range(3):
            found = run(x)
        show(function.__name__, found)
        if function is counted:
            print(counter.device.type, counter.item())

w = torch.ones(2, 3, device=gpu, requires_grad=True)
number = torch.tensor(3.0, requires_grad=True)
(w * number).sum().backward()
print(w.grad.tolist(), number.grad, number.grad.device.type)
for f in (lambda: x + table[:2], lambda: table[torch.tensor([1], device=gpu)], lambda: x @ table.t(),
          lambda: torch.cat([x, table])):
    try:
        print(f().shape)
    except RuntimeError as e:
        print("refused")

for kind in (torch.optim.Adam,):
    torch.manual_seed(0)
    p = torch.nn.Parameter(torch.linspace(-1, 1, 4, device=gpu))
    optimizer = kind([p], lr=0.1)

    def loss():
        optimizer.zero_grad()
        found = (p ** 2).sum()
        found.backward()
        return found

    losses = []
    for i in range(8):
        losses.append(round(loss().item(), 5))
        if i < 2:
            optimizer.step()
        elif i == 2:
            step = torch.compile(optimizer.step, backend=backend)
            step()
        else:
            step()
    print(kind.__name__, losses)
