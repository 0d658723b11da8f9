# SPDX-License-Identifier: Apache-2.0
# A diagonal state-space model with a parallel scan, whose weights learn to live with four bits.
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

compiled = False


def combine(left, right):
    return left[0] * right[0], right[0] * left[1] + right[1]


def scan(a, b):
    """Hillis-Steele over dim 1."""
    step = 1
    while step < a.shape[1]:
        pa = F.pad(a[:, :-step], (0, 0, step, 0), value=1.0)
        pb = F.pad(b[:, :-step], (0, 0, step, 0))
        a, b = combine((pa, pb), (a, b))
        step *= 2
    return b


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, bits):
        top = 2 ** (bits - 1) - 1
        q = torch.clamp(torch.round(x / scale), -top - 1, top)
        ctx.save_for_backward((x / scale).abs() <= top)
        return q * scale

    @staticmethod
    def backward(ctx, grad):
        inside, = ctx.saved_tensors
        return grad * inside, None, None


class QLinear(nn.Linear):
    bits = None

    def forward(self, x):
        if self.bits is None:
            return super().forward(x)
        scale = self.weight.detach().abs().amax() / (2 ** (self.bits - 1) - 1)
        return F.linear(x, RoundSTE.apply(self.weight, scale, self.bits), self.bias)


class SSM(nn.Module):
    def __init__(self, dim, state):
        super().__init__()
        self.inp = QLinear(dim, 2 * state)
        self.out = QLinear(state, dim)
        self.decay = nn.Parameter(torch.linspace(math.log(0.05), math.log(1.0), state))
        self.skip = nn.Parameter(torch.ones(dim))
        self.norm = nn.RMSNorm(dim)

    def forward(self, x):
        u, gate = self.inp(self.norm(x)).chunk(2, -1)
        a = torch.exp(-F.softplus(gate) * self.decay.exp())
        h = scan(a, (1 - a) * u)
        return x * self.skip + self.out(F.gelu(h, approximate="tanh"))


class Model(nn.Module):
    def __init__(self, vocab=12, dim=16, depth=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList([SSM(dim, 24) for _ in range(depth)])
        self.head = QLinear(dim, vocab, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def data(n, length=16):
    first = torch.randint(2, 12, (n, 1))
    rest = torch.cumsum(torch.randint(0, 3, (n, length - 1)), 1)
    return torch.cat([first, (first + rest) % 12], 1)


def main():
    torch.manual_seed(8)
    net = Model()
    forward = torch.compile(net) if compiled else net
    optimizer = torch.optim.NAdam(net.parameters(), lr=6e-3)
    for step in range(12):
        if step == 8:
            for m in net.modules():
                if isinstance(m, QLinear):
                    m.bits = 4
        tokens = data(16)
        loss = F.cross_entropy(forward(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, f"{loss.item():.4f}")
    net.eval()
    tokens = data(2, 4)
    for _ in range(4):
        with torch.no_grad():
            tokens = torch.cat([tokens, net(tokens)[:, -1].argmax(-1, keepdim=True)], 1)
    print(tokens.tolist(), net.head.weight is net.embed.weight)


main()
