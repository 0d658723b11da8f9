# SPDX-License-Identifier: Apache-2.0
# LLaMA: rotary positions of neighbours or of halves, RMSNorm, SwiGLU, grouped key heads (GQA).
from dataclasses import dataclass
from typing import Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn

compiled = True
device = "cuda" if torch.cuda.is_available() else "cpu"


@dataclass
class ModelArgs:
    dim: int = 48
    n_layers: int = 2
    n_heads: int = 6
    n_kv_heads: Optional[int] = 2
    vocab_size: int = 80
    multiple_of: int = 16
    ffn_dim_multiplier: Optional[float] = 1.3
    norm_eps: float = 1e-5
    rope_theta: float = 10000.0
    max_seq_len: int = 32
    interleaved: bool = True


class RMSNorm(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        output = self._norm(x.float()).type_as(x)
        return output * self.weight


def precompute_freqs(dim: int, end: int, theta: float = 10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=freqs.device, dtype=torch.float32)
    freqs = torch.outer(t, freqs)
    return freqs.cos(), freqs.sin()


def rotate_neighbours(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor):
    """Pairs of neighbours in a head are turned: (a + bi)(cos + i sin)."""
    x_ = x.float().reshape(*x.shape[:-1], -1, 2)
    cos, sin = cos[None, :, None, :, None], sin[None, :, None, :, None]
    turned = torch.stack((-x_[..., 1], x_[..., 0]), dim=-1)
    return (x_ * cos + turned * sin).flatten(3).type_as(x)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def rotate_halves(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor):
    """The same rotation, of the two halves of a head instead of its neighbours (as Hugging Face has it)."""
    cos = torch.cat((cos, cos), dim=-1)[None, :, None, :].to(x.dtype)
    sin = torch.cat((sin, sin), dim=-1)[None, :, None, :].to(x.dtype)
    return x * cos + rotate_half(x) * sin


class Attention(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_kv_heads = args.n_heads if args.n_kv_heads is None else args.n_kv_heads
        self.n_heads = args.n_heads
        self.head_dim = args.dim // args.n_heads
        self.interleaved = args.interleaved
        self.wq = nn.Linear(args.dim, args.n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(args.n_heads * self.head_dim, args.dim, bias=False)

    def forward(self, x: torch.Tensor, freqs: Tuple[torch.Tensor, torch.Tensor]):
        bsz, seqlen, _ = x.shape
        xq, xk, xv = self.wq(x), self.wk(x), self.wv(x)
        xq = xq.view(bsz, seqlen, self.n_heads, self.head_dim)
        xk = xk.view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        xv = xv.view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        rotate = rotate_neighbours if self.interleaved else rotate_halves
        xq, xk = rotate(xq, *freqs), rotate(xk, *freqs)
        xq, xk, xv = (t.transpose(1, 2) for t in (xq, xk, xv))
        output = F.scaled_dot_product_attention(xq, xk, xv, is_causal=True, enable_gqa=True)
        return self.wo(output.transpose(1, 2).contiguous().view(bsz, seqlen, -1))


class FeedForward(nn.Module):
    def __init__(self, dim: int, hidden_dim: int, multiple_of: int, ffn_dim_multiplier: Optional[float]):
        super().__init__()
        hidden_dim = int(2 * hidden_dim / 3)
        if ffn_dim_multiplier is not None:
            hidden_dim = int(ffn_dim_multiplier * hidden_dim)
        hidden_dim = multiple_of * ((hidden_dim + multiple_of - 1) // multiple_of)
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class TransformerBlock(nn.Module):
    def __init__(self, layer_id: int, args: ModelArgs):
        super().__init__()
        self.attention = Attention(args)
        self.feed_forward = FeedForward(args.dim, 4 * args.dim, args.multiple_of, args.ffn_dim_multiplier)
        self.layer_id = layer_id
        self.attention_norm = RMSNorm(args.dim, eps=args.norm_eps)
        self.ffn_norm = RMSNorm(args.dim, eps=args.norm_eps)

    def forward(self, x, freqs):
        h = x + self.attention(self.attention_norm(x), freqs)
        return h + self.feed_forward(self.ffn_norm(h))


class Transformer(nn.Module):
    def __init__(self, params: ModelArgs):
        super().__init__()
        self.params = params
        self.tok_embeddings = nn.Embedding(params.vocab_size, params.dim)
        self.layers = nn.ModuleList(TransformerBlock(i, params) for i in range(params.n_layers))
        self.norm = RMSNorm(params.dim, eps=params.norm_eps)
        self.output = nn.Linear(params.dim, params.vocab_size, bias=False)
        self.freqs = precompute_freqs(params.dim // params.n_heads, params.max_seq_len * 2, params.rope_theta)

    def forward(self, tokens: torch.Tensor):
        _bsz, seqlen = tokens.shape
        h = self.tok_embeddings(tokens)
        freqs = tuple(f[:seqlen].to(h.device) for f in self.freqs)
        for layer in self.layers:
            h = layer(h, freqs)
        return self.output(self.norm(h)).float()


for interleaved in (True, False):
    for dtype in (torch.float32, torch.bfloat16):
        torch.manual_seed(0)
        model = Transformer(ModelArgs(interleaved=interleaved)).to(device, dtype)
        run = torch.compile(model) if compiled else model
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.1)
        tokens = torch.randint(0, 80, (4, 25)).to(device)
        logits = run(tokens[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        print("neighbours" if interleaved else "halves", dtype, tuple(logits.shape),
              f"sum {logits.sum().item():.3f} of sizes {logits.abs().sum().item():.3f}")
        for name in ("tok_embeddings.weight", "layers.0.attention.wk.weight", "layers.1.feed_forward.w2.weight",
                     "layers.1.ffn_norm.weight", "norm.weight"):
            print(f"  gradient of {name}: {model.get_parameter(name).grad.float().norm().item():.4f}")
        optimizer.step()
        after = F.cross_entropy(run(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        print(f"  loss {loss.item():.4f}, after one step {after.item():.4f}")
