# SPDX-License-Identifier: Apache-2.0
# Training in bfloat16 under autocast: products in bfloat16, parameters and their updates in float32,
# the loss in float32; with a gradient scaler, as float16 on a GPU needs it.
import torch
import torch.nn as nn
import torch.nn.functional as F

compiled = False


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(32, 64)
        self.norm = nn.LayerNorm(64)
        self.second = nn.Linear(64, 64)
        self.last = nn.Linear(64, 4)

    def forward(self, x):
        x = F.gelu(self.norm(self.first(x)))
        x = x + F.silu(self.second(x))
        return self.last(x)


torch.manual_seed(0)
model = Classifier()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
run = torch.compile(model) if compiled else model
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

centres = torch.randn(4, 32)
for step in range(30):
    target = torch.randint(0, 4, (64,))
    x = centres[target] + 0.8 * torch.randn(64, 32)
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = run(x)
        loss = F.cross_entropy(logits, target)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    if step % 5 == 4:
        print(f"step {step + 1}: loss {loss.item():.2f}, {logits.dtype}, {loss.dtype}")
print(model.first.weight.grad.dtype, x.to(torch.bfloat16).dtype)
