# SPDX-License-Identifier: Apache-2.0
# A mixture of experts with a softmax gate and a load-balancing loss, on a piecewise function.
import torch
import torch.nn as nn
import torch.nn.functional as F

compiled = False
torch.manual_seed(77)


class Expert(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x)


class Mixture(nn.Module):
    def __init__(self, width, hidden, count):
        super().__init__()
        self.experts = nn.ModuleList([Expert(width, hidden) for _ in range(count)])
        self.gate = nn.Linear(width, count)
        self.count = count

    def forward(self, x):
        weights = F.softmax(self.gate(x), dim=-1)
        outputs = torch.cat([expert(x) for expert in self.experts], dim=-1)
        chosen = F.one_hot(weights.argmax(dim=-1), self.count).to(x.dtype)
        balance = self.count * (weights.mean(0) * chosen.mean(0)).sum()
        return (weights * outputs).sum(-1, keepdim=True), balance


x = torch.rand(128, 2) * 2 - 1
y = torch.where(x[:, :1] > 0, torch.sin(3 * x[:, 1:]), x[:, :1] * x[:, 1:])
model = Mixture(2, 16, 4)
print(f"experts {len(model.experts)} parameters {sum(p.numel() for p in model.parameters())}")
run = torch.compile(model) if compiled else model
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.5, total_iters=4)
for step in range(16):
    optimizer.zero_grad()
    output, balance = run(x)
    loss = F.mse_loss(output, y) + 0.01 * balance
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(f"step {step} loss {loss.item():.6f} balance {balance.item():.5f}")
