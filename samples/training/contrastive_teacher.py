# SPDX-License-Identifier: Apache-2.0
# SimCLR on small synthetic pictures, with a teacher that follows the student at the side.
import copy
import math
from dataclasses import dataclass, field
from typing import Iterator

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor

compiled = False


@dataclass(frozen=True)
class Config:
    classes: int = 4
    size: int = 8
    width: int = 16
    batch: int = 24
    steps: int = 12
    temperature: float = 0.2
    momentum: float = 0.95
    lr: float = 3e-3
    milestones: tuple = field(default_factory=lambda: (6, 9))


def pictures(cfg: Config, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    labels = torch.randint(cfg.classes, (cfg.batch,), generator=generator)
    grid = torch.linspace(0, 2 * math.pi, cfg.size)
    phase = labels[:, None, None].float() * math.pi / cfg.classes
    image = torch.sin(grid[None, :, None] * (1 + labels[:, None, None]) + phase) * torch.cos(grid[None, None, :] - phase)
    return image.unsqueeze(1), labels


def augment(x: Tensor, generator: torch.Generator) -> Tensor:
    noise = torch.randn(x.shape, generator=generator) * 0.1
    shift = torch.randint(0, x.shape[-1], (1,), generator=generator).item()
    flip = torch.rand(x.shape[0], 1, 1, 1, generator=generator) < 0.5
    x = torch.roll(x, shift, dims=-1)
    return torch.where(flip, x.flip(-1), x) + noise


class Encoder(nn.Module):
    def __init__(self, width: int, out: int = 16):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 3, padding=1, bias=False)
        self.norm = nn.GroupNorm(4, width)
        self.block = nn.Sequential(nn.Conv2d(width, width, 3, stride=2, padding=1), nn.SiLU(), nn.Conv2d(width, width, 1))
        self.head = nn.Sequential(nn.Linear(width, width), nn.ReLU(inplace=True), nn.Linear(width, out))

    def forward(self, x: Tensor) -> Tensor:
        x = F.silu(self.norm(self.stem(x)))
        x = x[..., ::2, ::2] + self.block(x)
        return F.normalize(self.head(x.mean(dim=(2, 3))), dim=-1)


def nt_xent(a: Tensor, b: Tensor, temperature: float) -> Tensor:
    z = torch.cat([a, b])
    n = z.shape[0]
    scores = (z @ z.T / temperature).masked_fill(torch.eye(n, dtype=torch.bool), float("-inf"))
    target = torch.arange(n).roll(n // 2)
    return F.cross_entropy(scores, target)


@torch.no_grad()
def follow(teacher: nn.Module, student: nn.Module, momentum: float) -> None:
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.lerp_(s, 1 - momentum)


def knn(features: Tensor, labels: Tensor, k: int = 3) -> float:
    similarity = features @ features.T
    similarity.fill_diagonal_(-2)
    votes = labels[similarity.topk(k).indices]
    return (votes.mode(dim=1).values == labels).float().mean().item()


def train(cfg: Config) -> Iterator[tuple[int, float, float]]:
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(7)
    student = Encoder(cfg.width)
    teacher = copy.deepcopy(student).requires_grad_(False)
    optimizer = torch.optim.AdamW(student.parameters(), lr=cfg.lr, weight_decay=0.05)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, list(cfg.milestones), gamma=0.3)

    def step(a: Tensor, b: Tensor) -> Tensor:
        za, zb = student(a), student(b)
        with torch.no_grad():
            anchor = teacher(a)
        return nt_xent(za, zb, cfg.temperature) + 0.5 * (1 - (zb * anchor).sum(-1)).mean()

    run = torch.compile(step) if compiled else step
    for i in range(cfg.steps):
        x, labels = pictures(cfg, generator)
        loss = run(augment(x, generator), augment(x, generator))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        follow(teacher, student, cfg.momentum)
        yield i, loss.item(), float(norm)
    x, labels = pictures(cfg, generator)
    student.eval()
    print(f"neighbours {knn(student(x).detach(), labels):.3f} lr {scheduler.get_last_lr()[0]:.2e}")


for i, loss, norm in train(Config()):
    print(f"{i:2d} loss {loss:.4f} gradients {norm:.3f}")
