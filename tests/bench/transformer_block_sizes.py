import time
import torch
import torch.nn as nn
import torch.nn.functional as F

width = 768
heads = 12


class CausalSelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).split(width, dim=2)
        q = q.view(b, t, heads, c // heads).transpose(1, 2)
        k = k.view(b, t, heads, c // heads).transpose(1, 2)
        v = v.view(b, t, heads, c // heads).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        y = y.transpose(1, 2).contiguous().view(b, t, c)
        return self.proj(y)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = CausalSelfAttention()
        self.ln_2 = nn.LayerNorm(width)
        self.fc = nn.Linear(width, 4 * width)
        self.out = nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.out(F.gelu(self.fc(self.ln_2(x)), approximate="tanh"))


model = Block()
static = torch.compile(model, dynamic=False)
symbolic = torch.compile(model, dynamic=True)


def step(f, x):
    begin = time.perf_counter()
    y = f(x)
    y.sum().backward()
    return time.perf_counter() - begin


sizes = [(4, 256), (2, 128), (1, 512), (3, 200), (2, 256), (1, 255)]
for b, t in sizes:
    x = torch.randn(b, t, width, requires_grad=True)
    s, d = 1e9, 1e9
    step(static, x)
    step(symbolic, x)
    for k in range(6):
        s = min(s, step(static, x))
        d = min(d, step(symbolic, x))
    print(b, t, "static %.2f ms symbolic %.2f ms ratio %.3f" % (s * 1e3, d * 1e3, d / s))
