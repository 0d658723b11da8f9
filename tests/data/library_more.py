# SPDX-License-Identifier: Apache-2.0
# Parts of torch that scripts use more seldom. Printed under PyTorch: library_more.txt.
import torch, torch.nn as nn
import torch.nn.functional as F
from torch.nn.attention import sdpa_kernel, SDPBackend
from torch.nn.attention.flex_attention import flex_attention, create_block_mask, create_mask, and_masks, or_masks
from torch.nn.utils.parametrizations import orthogonal, weight_norm, spectral_norm
from torch.nn.utils import fuse_conv_bn_eval, fuse_linear_bn_eval
from torch.utils.data import DistributedSampler, DataLoader
import warnings; warnings.simplefilter("ignore")
def tried(function):
    try: print(function())
    except Exception as e: print(type(e).__name__, str(e).split("\n")[0][:60])
torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 2, 4, 8).unbind(0)
with sdpa_kernel(SDPBackend.MATH): print(F.scaled_dot_product_attention(q, k, v, is_causal=True).sum())
with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]): print(torch.compile(F.scaled_dot_product_attention)(q, k, v).sum())
tried(lambda: sdpa_kernel("math").__enter__())
print(SDPBackend.MATH, SDPBackend.FLASH_ATTENTION.name, int(SDPBackend.MATH.value))
def causal(b, h, i, j): return i >= j
def near(b, h, i, j): return (i - j).abs() <= 1
slopes = torch.tensor([0.5, 0.25])
def alibi(score, b, h, i, j): return score + slopes[h] * (j - i)
mask = create_block_mask(causal, None, None, 4, 4, device="cpu", BLOCK_SIZE=2)
print(flex_attention(q, k, v), torch.allclose(flex_attention(q, k, v, block_mask=mask), F.scaled_dot_product_attention(q, k, v, is_causal=True), atol=1e-6))
print(flex_attention(q, k, v, score_mod=alibi, block_mask=mask)[0, 0, 3], mask.sparsity(), mask.shape, mask.to_dense())
print(create_mask(and_masks(causal, near), None, None, 3, 3, device="cpu"), create_mask(or_masks(causal, near), 1, 1, 3, 3, device="cpu").sum())
print(flex_attention(q, k[:, :1], v[:, :1], enable_gqa=True).shape, flex_attention(q, k, v, scale=1.0)[0, 0, 0])
tried(lambda: flex_attention(q, k[:, :1], v[:, :1]))
# parametrizations
for sizes in ((3, 3), (4, 2), (2, 4)):
    for kind in ("matrix_exp", "cayley", "householder"):
        torch.manual_seed(1); m = orthogonal(nn.Linear(*sizes), orthogonal_map=kind)
        w = m.weight; small = w @ w.T if w.shape[0] <= w.shape[1] else w.T @ w
        print(sizes, kind, torch.allclose(small, torch.eye(min(sizes)), atol=1e-5), m.weight.detach())
torch.manual_seed(2); m = orthogonal(nn.Linear(3, 2), use_trivialization=False); print(m.weight.detach()); opt = torch.optim.SGD(m.parameters(), 0.1)
for _ in range(3): opt.zero_grad(); loss = m(torch.ones(2, 3)).square().sum(); loss.backward(); opt.step(); print(f"{loss.item():.4f}")
torch.manual_seed(3); m = orthogonal(nn.Linear(3, 3)); opt = torch.optim.SGD(m.parameters(), 0.1)
for _ in range(3): opt.zero_grad(); loss = m(torch.arange(6.).view(2, 3)).square().mean(); loss.backward(); opt.step(); print(f"{loss.item():.4f}")
print(m, sorted(m.state_dict()))
tried(lambda: orthogonal(nn.Linear(2, 2), "bias")); tried(lambda: orthogonal(nn.Linear(2, 2), "nothing")); tried(lambda: orthogonal(nn.Linear(2, 2), orthogonal_map="x"))
torch.manual_seed(4); print(weight_norm(nn.Linear(2, 3)).parametrizations.weight.original0, spectral_norm(nn.Linear(2, 3)).weight)
# batch norms folded
torch.manual_seed(5); conv, bn = nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3); bn(conv(torch.randn(4, 2, 5, 5))); conv.eval(); bn.eval()
with torch.no_grad(): bn.weight.uniform_(); bn.bias.uniform_()
x = torch.randn(1, 2, 5, 5); f = fuse_conv_bn_eval(conv, bn); print(torch.allclose(f(x), bn(conv(x)), atol=1e-5), f.bias, f.bias is conv.bias)
lin, b1 = nn.Linear(2, 3, bias=False).eval(), nn.BatchNorm1d(3).eval(); g = fuse_linear_bn_eval(lin, b1); print(torch.allclose(g(x[0, 0, :2, :2]), b1(lin(x[0, 0, :2, :2])), atol=1e-6), g.bias)
tried(lambda: fuse_conv_bn_eval(nn.Conv2d(2, 3, 3), bn))
# samplers
for r in range(2):
    s = DistributedSampler(range(7), num_replicas=2, rank=r); s.set_epoch(1); print(list(s), len(s), list(DistributedSampler(range(7), 2, r, shuffle=False, drop_last=True)))
print([b.tolist() for b in DataLoader(torch.arange(6), batch_size=2, sampler=DistributedSampler(torch.arange(6), 2, 1, shuffle=False))])
tried(lambda: DistributedSampler(range(3), 2, 5))
# operations of a script
lib = torch.library.Library("front", "DEF"); lib.define("twice(Tensor x, int k=2) -> Tensor")
lib.impl("twice", lambda x, k=2: x * k, "CompositeImplicitAutograd")
x = torch.arange(3., requires_grad=True); y = torch.ops.front.twice(x); y.sum().backward(); print(y, x.grad, torch.ops.front.twice.default(x, 3))
torch.library.define("front::plus", "(Tensor a, Tensor b) -> Tensor")
@torch.library.impl("front::plus", "cpu")
def plus(a, b): return a + b
@torch.library.register_fake("front::plus")
def plus_fake(a, b): return torch.empty_like(a)
print(torch.ops.front.plus(torch.ones(2), torch.ones(2)), torch.compile(lambda t: torch.ops.front.plus(t, t) + 1, fullgraph=True)(torch.ones(2)))
lib.define("empty(Tensor x) -> Tensor"); tried(lambda: torch.ops.front.empty(torch.ones(1)))
tried(lambda: torch.library.Library("a", "NO"))
