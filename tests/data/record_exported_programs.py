# SPDX-License-Identifier: Apache-2.0
# Writes exported/*.pt2 with torch.export.save, and beside each what PyTorch computes of it: NAME.txt. Run under PyTorch.
import os
import re
import zipfile
import torch
import torch.nn.functional as F
from torch import nn

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "exported")


class Buffers(nn.Module):
    """Nested modules, buffers, a constant, weights in another order, one in bfloat16."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.Sequential(nn.Linear(8, 4, bias=False)))
        self.body[0].weight = nn.Parameter(torch.randn(6, 8).t())
        self.register_buffer("scale", torch.rand(4))
        self.register_buffer("hidden", torch.arange(4.0), persistent=False)
        self.small = nn.Parameter(torch.randn(4).to(torch.bfloat16))

    def forward(self, x):
        return self.body(x) * self.scale + self.hidden * torch.tensor(0.5) - self.small.float()


class Attention(nn.Module):
    """Indices by tensors, lists of tensors, several results, keywords, dtypes and devices as arguments."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 8)
        self.qkv = nn.Linear(8, 24)

    def forward(self, tokens, mask):
        h = self.embed(tokens) + torch.arange(tokens.shape[1], dtype=torch.float32, device=tokens.device)[:, None]
        q, k, v = self.qkv(h).chunk(3, dim=-1)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        values, places = a.sort(dim=-1, descending=True)
        picked = h[torch.tensor([1, 0]), :, torch.tensor([2, 3])]
        return torch.cat([values, h], dim=-1).to(torch.float64), places, {"picked": picked}


class Statistics(nn.Module):
    """Batch normalisation that trains: its running statistics are written."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm2d(3)

    def forward(self, x):
        return F.max_pool2d(F.relu(self.norm(self.conv(x))), 2).flatten(1)


class Sizes(nn.Module):
    """Sizes that are symbols, and arithmetic of them."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        n = x.shape[0]
        y = self.fc(x).reshape(n, 2, 2).sum(1)
        return torch.cat([y, x.new_zeros(n + 1, 2) + n * 2]) / n


class Constants(nn.Module):
    """No tensor of its own; an input that is a number, one that is None, and a result that is None."""

    def forward(self, x, k, absent=None):
        return x * k, None


class Stored(nn.Module):
    """Buffers of the element types that are kept, not computed with."""

    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(4))
        numbers = torch.tensor([1.5, -0.25, 3.0, 0.0])
        for dtype in (torch.float8_e4m3fn, torch.float8_e5m2, torch.float16, torch.bfloat16):
            self.register_buffer("of_" + str(dtype)[6:], numbers.to(dtype))
        for dtype in (torch.uint16, torch.uint32, torch.uint64, torch.int8):
            self.register_buffer("of_" + str(dtype)[6:], torch.tensor([3, 0, 100, 7]).to(dtype))

    def forward(self, x):
        y = x * self.gain + self.of_float8_e4m3fn.float() + self.of_float8_e5m2.to(torch.float32)
        y = y + self.of_uint16.to(torch.float32) + self.of_uint32.float() * self.of_uint64.to(torch.float32)
        return y * self.of_int8, self.of_float16.double(), (self.of_bfloat16 + 1).to(torch.float8_e5m2)


def rounded(t):
    return [f"{v:.4f}" for v in t.detach().double().flatten().tolist()]


def without_folders(path):
    """The archive without the folders of the machine in its stack traces."""
    with zipfile.ZipFile(path) as archive:
        files = [(file, archive.read(file)) for file in archive.namelist()]
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in files:
            content = re.sub(rb'(File \\")/[^"]*?/(?=(torch|record_exported_programs)\b)', rb"\1", content)
            assert file.endswith("model.pt") or b"/" + os.path.basename(folder).encode() not in content
            archive.writestr(zipfile.ZipInfo(file), content)


def show(name, model, inputs, **options):
    torch.manual_seed(0)
    model = model()
    program = torch.export.export(model, inputs, **options)
    if name == "statistics_functional":
        program = program.run_decompositions()
    torch.export.save(program, os.path.join(folder, name + ".pt2"))
    without_folders(os.path.join(folder, name + ".pt2"))
    module = program.module()
    results = module(*inputs)
    flat = [t for t in torch.utils._pytree.tree_leaves(results) if t is not None]
    with open(os.path.join(folder, name + ".txt"), "w") as out:
        for t in flat:
            print(t.dtype, list(t.shape), *rounded(t), file=out)
        if name not in ("statistics_functional", "constants"):  # PyTorch copies into the buffers before
            sum(t.sum() for t in flat if t.requires_grad).backward()
        for own, p in sorted(module.named_parameters()):
            print(own, *rounded(p if p.grad is None else p.grad), file=out)
        for own, b in sorted(module.named_buffers()):
            print(own, *rounded(b), file=out)


torch.manual_seed(0)
os.makedirs(folder, exist_ok=True)
show("buffers", Buffers, (torch.randn(3, 6),))
show("attention", Attention, (torch.randint(0, 10, (2, 5)), torch.ones(5, 5, dtype=torch.bool).tril()))
show("statistics", Statistics, (torch.randn(4, 2, 8, 8),))
show("statistics_functional", Statistics, (torch.randn(4, 2, 8, 8),))
show("sizes", Sizes, (torch.randn(6, 4),), dynamic_shapes=({0: torch.export.Dim("rows", min=2)},))
show("constants", Constants, (torch.randn(1, 3), 3))
show("stored", Stored, (torch.randn(2, 4),))
