# SPDX-License-Identifier: Apache-2.0
# Mamba: a selective scan, step by step and as cumulative sums of logarithms, with a causal convolution.
import math
from dataclasses import dataclass
from typing import Union

import torch
import torch.nn as nn
import torch.nn.functional as F

compiled = True
device = "cuda" if torch.cuda.is_available() else "cpu"


@dataclass
class ModelArgs:
    d_model: int = 24
    n_layer: int = 2
    vocab_size: int = 50
    d_state: int = 4
    expand: int = 2
    dt_rank: Union[int, str] = "auto"
    d_conv: int = 4
    pad_vocab_size_multiple: int = 8
    conv_bias: bool = True
    bias: bool = False
    sequential: bool = True

    def __post_init__(self):
        self.d_inner = int(self.expand * self.d_model)
        if self.dt_rank == "auto":
            self.dt_rank = math.ceil(self.d_model / 16)
        if self.vocab_size % self.pad_vocab_size_multiple != 0:
            self.vocab_size += self.pad_vocab_size_multiple - self.vocab_size % self.pad_vocab_size_multiple


class Mamba(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.args = args
        self.embedding = nn.Embedding(args.vocab_size, args.d_model)
        self.layers = nn.ModuleList([ResidualBlock(args) for _ in range(args.n_layer)])
        self.norm_f = RMSNorm(args.d_model)
        self.lm_head = nn.Linear(args.d_model, args.vocab_size, bias=False)
        self.lm_head.weight = self.embedding.weight

    def forward(self, input_ids):
        x = self.embedding(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.lm_head(self.norm_f(x))


class ResidualBlock(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.mixer = MambaBlock(args)
        self.norm = RMSNorm(args.d_model)

    def forward(self, x):
        return self.mixer(self.norm(x)) + x


class MambaBlock(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.args = args
        self.in_proj = nn.Linear(args.d_model, args.d_inner * 2, bias=args.bias)
        self.conv1d = nn.Conv1d(in_channels=args.d_inner, out_channels=args.d_inner, bias=args.conv_bias,
                                kernel_size=args.d_conv, groups=args.d_inner, padding=args.d_conv - 1)
        self.x_proj = nn.Linear(args.d_inner, args.dt_rank + args.d_state * 2, bias=False)
        self.dt_proj = nn.Linear(args.dt_rank, args.d_inner, bias=True)
        A = torch.arange(1, args.d_state + 1, dtype=torch.float32).repeat(args.d_inner, 1)
        self.A_log = nn.Parameter(torch.log(A))
        self.D = nn.Parameter(torch.ones(args.d_inner))
        self.out_proj = nn.Linear(args.d_inner, args.d_model, bias=args.bias)

    def forward(self, x):
        (b, l, d) = x.shape
        x_and_res = self.in_proj(x)
        (x, res) = x_and_res.split(split_size=[self.args.d_inner, self.args.d_inner], dim=-1)
        x = x.transpose(1, 2)
        x = self.conv1d(x)[:, :, :l]
        x = x.transpose(1, 2)
        x = F.silu(x)
        y = self.ssm(x)
        y = y * F.silu(res)
        return self.out_proj(y)

    def ssm(self, x):
        (d_in, n) = self.A_log.shape
        A = -torch.exp(self.A_log.float())
        D = self.D.float()
        x_dbl = self.x_proj(x)
        (delta, B, C) = x_dbl.split(split_size=[self.args.dt_rank, n, n], dim=-1)
        delta = F.softplus(self.dt_proj(delta)).float()
        scan = self.selective_scan if self.args.sequential else self.parallel_scan
        return scan(x.float(), delta, A, B.float(), C.float(), D).to(x.dtype)

    def selective_scan(self, u, delta, A, B, C, D):
        (b, l, d_in) = u.shape
        n = A.shape[1]
        deltaA = torch.exp(torch.einsum("bld,dn->bldn", delta, A))
        deltaB_u = torch.einsum("bld,bln,bld->bldn", delta, B, u)
        x = torch.zeros((b, d_in, n), device=deltaA.device)
        ys = []
        for i in range(l):
            x = deltaA[:, i] * x + deltaB_u[:, i]
            y = torch.einsum("bdn,bn->bd", x, C[:, i, :])
            ys.append(y)
        y = torch.stack(ys, dim=1)
        return y + u * D

    def parallel_scan(self, u, delta, A, B, C, D):
        """The same recurrence, every step at once: x_i = exp(P_i) sum_j exp(-P_j) (delta B u)_j, P = cumsum(delta A)."""
        deltaA = torch.einsum("bld,dn->bldn", delta, A).cumsum(dim=1)
        deltaB_u = delta.unsqueeze(-1) * B.unsqueeze(2) * u.unsqueeze(-1)
        x = torch.exp(deltaA) * torch.cumsum(deltaB_u * torch.exp(-deltaA), dim=1)
        return (x @ C.unsqueeze(-1)).squeeze(3) + u * D


class RMSNorm(nn.Module):
    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


for sequential in (True, False):
    for dtype in (torch.float32, torch.bfloat16):
        torch.manual_seed(0)
        model = Mamba(ModelArgs(sequential=sequential)).to(device, dtype)
        run = torch.compile(model) if compiled else model
        optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.95), weight_decay=0.1)
        tokens = torch.randint(0, 50, (3, 17)).to(device)
        logits = run(tokens[:, :-1]).float()
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), tokens[:, 1:].reshape(-1))
        loss.backward()
        print("sequential" if sequential else "parallel", dtype, tuple(logits.shape),
              f"sum {logits.sum().item():.3f} of sizes {logits.abs().sum().item():.3f}")
        for name in ("embedding.weight", "layers.0.mixer.A_log", "layers.0.mixer.dt_proj.bias",
                     "layers.1.mixer.conv1d.weight", "layers.1.mixer.D"):
            print(f"  gradient of {name}: {model.get_parameter(name).grad.float().norm().item():.4f}")
        optimizer.step()
        logits = run(tokens[:, :-1]).float()
        after = F.cross_entropy(logits.view(-1, logits.size(-1)), tokens[:, 1:].reshape(-1))
        print(f"  loss {loss.item():.4f}, after one step {after.item():.4f}")
