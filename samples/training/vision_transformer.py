# SPDX-License-Identifier: Apache-2.0
# A vision transformer written with einops, on images of bars and blobs.
import torch
import torch.nn as nn
import torch.nn.functional as F

from einops import rearrange, repeat
from einops.layers.torch import Rearrange

compiled = False
torch.manual_seed(31)


class FeedForward(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))

    def forward(self, x):
        return self.net(x)


class Attention(nn.Module):
    def __init__(self, dim, heads=4, dim_head=8):
        super().__init__()
        inner = dim_head * heads
        self.heads = heads
        self.scale = dim_head ** -0.5
        self.norm = nn.LayerNorm(dim)
        self.attend = nn.Softmax(dim=-1)
        self.to_qkv = nn.Linear(dim, inner * 3, bias=False)
        self.to_out = nn.Linear(inner, dim, bias=False)

    def forward(self, x):
        x = self.norm(x)
        qkv = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), qkv)
        dots = torch.matmul(q, k.transpose(-1, -2)) * self.scale
        out = torch.matmul(self.attend(dots), v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))


class Transformer(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([Attention(dim), FeedForward(dim, 2 * dim)]))

    def forward(self, x):
        for attention, feed in self.layers:
            x = attention(x) + x
            x = feed(x) + x
        return self.norm(x)


class ViT(nn.Module):
    def __init__(self, *, image_size, patch_size, num_classes, dim, depth, channels=1):
        super().__init__()
        patches = (image_size // patch_size) ** 2
        patch_dim = channels * patch_size ** 2
        self.to_patch_embedding = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=patch_size, p2=patch_size),
            nn.LayerNorm(patch_dim),
            nn.Linear(patch_dim, dim),
            nn.LayerNorm(dim),
        )
        self.pos_embedding = nn.Parameter(torch.randn(1, patches + 1, dim))
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.transformer = Transformer(dim, depth)
        self.mlp_head = nn.Linear(dim, num_classes)

    def forward(self, img):
        x = self.to_patch_embedding(img)
        b, n, _ = x.shape
        cls_tokens = repeat(self.cls_token, "1 1 d -> b 1 d", b=b)
        x = torch.cat((cls_tokens, x), dim=1)
        x = x + self.pos_embedding[:, :(n + 1)]
        return self.mlp_head(self.transformer(x)[:, 0])


def images(count, size):
    """Horizontal bars, vertical bars, and blobs, with noise."""
    labels = torch.randint(0, 3, (count,))
    grid = torch.linspace(-1, 1, size)
    rows, columns = grid.view(1, size, 1), grid.view(1, 1, size)
    at = (torch.rand(count, 1, 1) - 0.5)
    horizontal = torch.exp(-((rows - at) ** 2) / 0.05) + 0 * columns
    vertical = torch.exp(-((columns - at) ** 2) / 0.05) + 0 * rows
    blob = torch.exp(-((rows - at) ** 2 + (columns + at) ** 2) / 0.2)
    kinds = torch.stack([horizontal.expand(count, size, size), vertical.expand(count, size, size), blob], dim=1)
    chosen = kinds[torch.arange(count), labels]
    return (chosen + 0.1 * torch.randn(count, size, size)).unsqueeze(1), labels


x, y = images(32, 16)
model = ViT(image_size=16, patch_size=4, num_classes=3, dim=24, depth=2)
print(f"parameters {sum(p.numel() for p in model.parameters())}")
run = torch.compile(model) if compiled else model
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.05)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=12)
for step in range(12):
    logits = run(x)
    loss = F.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    accuracy = (logits.argmax(dim=-1) == y).float().mean().item()
    print(f"step {step} loss {loss.item():.5f} accuracy {accuracy:.3f} lr {scheduler.get_last_lr()[0]:.6f}")
