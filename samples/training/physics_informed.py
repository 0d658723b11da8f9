# SPDX-License-Identifier: Apache-2.0
# A physics-informed network: the damped oscillator u'' + 2 d u' + w^2 u = 0 from its start values,
# with derivatives of the network by double backward.
import torch
import torch.nn as nn

compiled = False
torch.manual_seed(123)


class FCN(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fcs = nn.Sequential(nn.Linear(1, width), nn.Tanh())
        self.fch = nn.Sequential(*[nn.Sequential(nn.Linear(width, width), nn.Tanh()) for _ in range(2)])
        self.fce = nn.Linear(width, 1)

    def forward(self, x):
        return self.fce(self.fch(self.fcs(x)))


d, w0 = 2.0, 8.0
mu, k = 2 * d, w0 ** 2
pinn = FCN(24)
t_boundary = torch.tensor(0.0).view(-1, 1).requires_grad_(True)
t_physics = (torch.arange(24, dtype=torch.float32) / 23).view(-1, 1).requires_grad_(True)


def residual(du, ddu, u):
    return torch.mean((ddu + mu * du + k * u) ** 2)


physics = torch.compile(residual) if compiled else residual
optimizer = torch.optim.Adam(pinn.parameters(), lr=1e-3)
for i in range(15):
    optimizer.zero_grad()
    u = pinn(t_boundary)
    loss1 = (torch.squeeze(u) - 1) ** 2
    dudt = torch.autograd.grad(u, t_boundary, torch.ones_like(u), create_graph=True)[0]
    loss2 = (torch.squeeze(dudt) - 0) ** 2
    u = pinn(t_physics)
    dudt = torch.autograd.grad(u, t_physics, torch.ones_like(u), create_graph=True)[0]
    d2udt2 = torch.autograd.grad(dudt, t_physics, torch.ones_like(dudt), create_graph=True)[0]
    loss3 = physics(dudt, d2udt2, u)
    loss = loss1 + 1e-1 * loss2 + 1e-4 * loss3
    loss.backward()
    optimizer.step()
    print(f"step {i} loss {loss.item():.6f} start {loss1.item():.6f} slope {loss2.item():.6f} physics {loss3.item():.4f}")
