# SPDX-License-Identifier: Apache-2.0
# Writes onnx/*.onnx with torch.onnx.export, by both of its ways, and beside each what PyTorch computes of it: NAME.txt,
# the end of a script. Run under PyTorch with onnx and onnxscript.
import os
import torch
import torch.nn.functional as F
from torch import nn

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "onnx")


class Images(nn.Module):
    """Convolutions and their kin, pools, other sizes."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.grouped = nn.Conv2d(8, 8, 3, padding=1, groups=4)
        self.up = nn.ConvTranspose2d(8, 8, 2, stride=2)
        self.last = nn.Linear(8 * 2 * 2, 5)

    def forward(self, x):
        h = F.max_pool2d(F.relu6(self.norm(self.first(x))), 2)
        h = F.avg_pool2d(F.silu(self.up(self.grouped(h) + h)), 2)
        h = F.interpolate(h, scale_factor=2, mode="bilinear")
        return self.last(F.adaptive_avg_pool2d(h, 2).flatten(1)).softmax(-1)


class Block(nn.Module):
    """A transformer's block over tokens: shapes that are computed of open sizes."""

    def __init__(self):
        super().__init__()
        self.embed, self.qkv, self.out = nn.Embedding(20, 16), nn.Linear(16, 48), nn.Linear(16, 16)
        self.norm = nn.LayerNorm(16)
        self.mlp = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))

    def forward(self, tokens):
        b, length = tokens.shape
        h = self.embed(tokens)
        q, k, v = self.qkv(self.norm(h)).view(b, length, 3, 4, 4).permute(2, 0, 3, 1, 4)
        later = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)
        a = (q @ k.transpose(-1, -2) / 2.0).masked_fill(later, float("-inf")).softmax(-1)
        h = h + self.out((a @ v).transpose(1, 2).reshape(b, length, 16))
        return h + self.mlp(self.norm(h))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(12, 5, batch_first=True)

    def forward(self, x):
        z, h = self.gru(self.lstm(x)[0])
        return z, h


def text(t):
    kind = "float" if t.is_floating_point() else "int"
    numbers = " ".join(f"{v:.6g}" for v in t.flatten().tolist())
    return f"torch.tensor([{kind}(n) for n in '{numbers}'.split()]).reshape({list(t.shape)})"


def record(name, model, example, other, sizes, dynamo):
    path = os.path.join(folder, name)
    if dynamo:
        dims = {d: torch.export.Dim(size) for d, size in sizes.items()}
        torch.onnx.export(model, (example,), path + ".onnx", dynamo=True, dynamic_shapes=(dims,), external_data=False)
    else:
        torch.onnx.export(model, (example,), path + ".onnx", dynamo=False, input_names=["x"], dynamic_axes={"x": sizes})
    results = model(other)
    results = results if isinstance(results, tuple) else (results,)
    with open(path + ".txt", "w") as file:
        file.write(f"# What PyTorch {torch.__version__} computes.\ninputs = {text(other)}\n")
        file.write("expected = [\n" + "".join(f"    {text(r)},\n" for r in results) + "]\n")
        file.write("got = run(inputs)\ngot = got if isinstance(got, tuple) else (got,)\n"
                   "for a, b in zip(got, expected):\n"
                   "    assert a.shape == b.shape and torch.allclose(a, b, rtol=1e-3, atol=1e-5), f'{a}, not {b}'\n"
                   "print('equal')\n")


torch.manual_seed(0)
os.makedirs(os.path.join(folder, "beside"), exist_ok=True)
with torch.no_grad():
    for name, model, example, other, sizes in [
            ("images", Images(), torch.randn(2, 3, 16, 16), torch.randn(3, 3, 16, 16), {0: "batch"}),
            ("block", Block(), torch.randint(0, 20, (2, 7)), torch.randint(0, 20, (3, 5)), {0: "batch", 1: "length"}),
            ("recurrent", Recurrent(), torch.randn(2, 5, 4), torch.randn(4, 5, 4), {0: "batch"})]:
        model.eval()
        for dynamo in (False, True):
            record(name + ("_by_dynamo" if dynamo else ""), model, example, other, sizes, dynamo)

# Weights in a file beside the model.
torch.onnx.export(nn.Linear(64, 64), (torch.randn(2, 64),), os.path.join(folder, "beside", "beside.onnx"), dynamo=True,
                  external_data=True)
