# Compiled modules as parts of modules: names, states, modes, copies, gradients.
import copy

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.compile(nn.Linear(2, 2))
        self.b = nn.Linear(2, 1)
        self.norm = nn.BatchNorm1d(1)

    def forward(self, x):
        return self.norm(self.b(self.net(x)))


torch.manual_seed(0)
x = torch.randn(4, 2)
m = Model()
print(m)
print([n for n, _ in m.named_parameters()], len(list(m.parameters())), list(m.state_dict()))
print([n for n, _ in m.named_modules()], [n for n, _ in m.named_children()])
m.b = torch.compile(m.b)
print(list(m.state_dict()), m(x).detach())
before = {k: v.clone() for k, v in m.state_dict().items()}
print(m.load_state_dict({k: v * 0.5 if v.is_floating_point() else v for k, v in before.items()}))
print(m(x).detach(), isinstance(m.b, nn.Module), isinstance(m.b, torch._dynamo.OptimizedModule))
m.load_state_dict(before)
m.eval()
print(m.b.training, m.net._orig_mod.training, m(x).detach())
m.train()
m.double()
print(m.b.weight.dtype, m.net._orig_mod.weight.dtype)
m.float()
s = nn.Sequential(torch.compile(nn.Linear(2, 3)), nn.ReLU())
s.append(torch.compile(nn.Linear(3, 1)))
print(list(s.state_dict()), s(x).shape, len(list(s.parameters())))
l = nn.ModuleList([torch.compile(nn.Linear(2, 2)) for _ in range(2)])
print([n for n, _ in l.named_parameters()])
c = torch.compile(nn.Linear(2, 2))
print(c)
print(list(c.state_dict()), [n for n, _ in c.named_parameters()], [n for n, _ in c.named_modules()], type(c).__name__)
print(c.to(torch.float64) is c, c.weight.dtype, c.eval() is c, c._orig_mod.training, c.requires_grad_(False).bias.requires_grad)
whole = torch.compile(m)
print(len(list(whole.parameters())), list(whole.state_dict()))
names = []
m.apply(lambda part: names.append(type(part).__name__))
print(names)
optimizer = torch.optim.SGD(m.parameters(), lr=0.1)
for step in range(3):
    loss = (whole(x) - 1).square().mean() + m.net(x).square().sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.5f}", [f"{p.grad.abs().sum():.4f}" for p in m.net.parameters()])
m.eval()
other = copy.deepcopy(m)
with torch.no_grad():
    for p in m.parameters():
        p.zero_()
print(other(x).detach(), m(x).detach(), type(other.net).__name__, other.net._orig_mod is not m.net._orig_mod)
try:
    m.b = 3
except TypeError:
    print("TypeError")
m.b = None
print([n for n, _ in m.named_children()], m.b)
