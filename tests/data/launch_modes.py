"""Modes of torch.compile that time candidates and replay launches: a loop's values are the plain call's."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda"


def mixed(x, w, labels):
    h = F.gelu(x @ w)
    h = F.layer_norm(h, (h.shape[-1],))
    return F.cross_entropy(h, labels), h.softmax(-1).amax(0)


torch.manual_seed(0)
for mode in ("reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"):
    compiled = torch.compile(mixed, mode=mode)
    same = []
    w = torch.randn(32, 48, device=device)
    kept = []
    for call in range(12):
        x = torch.randn(16, 32, device=device)
        labels = torch.randint(0, 48, (16,), device=device)
        got, wanted = compiled(x, w, labels), mixed(x, w, labels)
        same += [torch.allclose(a, b, atol=1e-4) for a, b in zip(got, wanted)]
        kept.append((got[1].clone(), wanted[1]))
        if call == 6:
            w = w * 0.5
    same += [torch.allclose(a, b, atol=1e-4) for a, b in kept]
    print(mode, all(same), len(same))

torch.manual_seed(1)
plain = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 4)).to(device)
other = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 4)).to(device)
other.load_state_dict(plain.state_dict())
steps = torch.compile(other, mode="reduce-overhead")
first = torch.optim.SGD(plain.parameters(), lr=0.05, momentum=0.9)
second = torch.optim.SGD(other.parameters(), lr=0.05, momentum=0.9)
for step in range(20):
    x = torch.randn(16, 8, device=device)
    losses = []
    for model, optimizer in ((plain, first), (steps, second)):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    if step % 5 == 0:
        print("step", step, torch.allclose(losses[0], losses[1], atol=1e-5))
print(all(torch.allclose(a, b, atol=1e-4) for a, b in zip(plain.parameters(), other.parameters())))


@torch.compile(options={"triton.cudagraphs": True})
def grows(x):
    return torch.cumsum(x, 0) + x.sort(0).values


for rows in (8, 8, 8, 24, 24, 24, 8, 8):
    x = torch.randn(rows, 5, device=device)
    print(rows, torch.allclose(grows(x), torch.cumsum(x, 0) + x.sort(0).values, atol=1e-5))


@torch.compile(mode="reduce-overhead")
def picked(table, index):
    return table[index] * 2


table = torch.arange(6.0, device=device)
for index in ([0, 1], [2, 3], [4, 5], [5, 0]):
    print(picked(table, torch.tensor(index, device=device)).cpu())
