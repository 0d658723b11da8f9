# SPDX-License-Identifier: Apache-2.0
# Products, convolutions and attention of 16-bit numbers on a GPU, compiled, forwards and backwards, against the
# same numbers on the CPU in float64: whether the largest relative error is below that of the dtype.
# Recorded with python gpu_halves.py > gpu_halves.txt
import math

import torch
import torch.nn.functional as F


def largest(found, wanted):
    return max(((f.detach().cpu().double() - w).norm() / w.norm()).item() for f, w in zip(found, wanted))


def compare(name, function, dtype, *sizes, limit=None):
    torch.manual_seed(1)
    inputs = [torch.randn(*size).to(dtype) for size in sizes]
    wide = [x.double().requires_grad_() for x in inputs]
    narrow = [x.cuda().requires_grad_() for x in inputs]
    wanted, found = function(*wide), torch.compile(function)(*narrow)
    weight = torch.randn(wanted.shape).to(dtype)
    (wanted * weight.double()).sum().backward()
    (found * weight.cuda()).sum().backward()
    with torch.no_grad():
        quiet = torch.compile(function)(*[x.detach() for x in narrow])
    limit = limit or (2e-2 if dtype == torch.bfloat16 else 3e-3)
    print(name, dtype, found.dtype,
          largest([found, quiet], [wanted.detach()] * 2) < limit,
          largest([x.grad for x in narrow], [x.grad for x in wide]) < limit)


def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


def causal(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def by_hand(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    hidden = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).triu(1)
    return scores.masked_fill(hidden, float("-inf")).softmax(-1) @ v


def inner(q, k, v):
    return causal(*(x.transpose(1, 2) for x in (q, k, v))).transpose(1, 2)


def masked(q, k, v):
    mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).tril(3)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def last(x):
    return x.contiguous(memory_format=torch.channels_last)


def end(x, w, b, y):
    return (F.conv2d(x, w, b, padding=1) + y).relu()


def two(x, v, w):
    return F.conv2d(F.conv2d(last(x), v, padding=1).relu(), w, stride=2)


for dtype in (torch.bfloat16, torch.float16):
    compare("conv2d", lambda x, w, b: F.conv2d(x, w, b, padding=1), dtype, (4, 16, 20, 18), (24, 16, 3, 3), (24,))
    compare("stem", lambda x, w: F.conv2d(x, w, stride=2, padding=3).relu(), dtype, (4, 3, 64, 64), (64, 3, 7, 7))
    compare("last", lambda x, w, b: F.conv2d(last(x), w, b, padding=1).relu(), dtype, (8, 64, 14, 14), (96, 64, 3, 3), (96,))
    compare("end", end, dtype, (4, 32, 16, 16), (32, 32, 3, 3), (32,), (4, 32, 16, 16))
    compare("two", two, dtype, (4, 32, 15, 17), (48, 32, 3, 3), (40, 48, 3, 3))
    compare("points", lambda x, w: F.conv2d(last(x), w), dtype, (8, 64, 14, 14), (256, 64, 1, 1))
    compare("odd", lambda x, w: F.conv2d(x, w, stride=3, padding=(2, 1)), dtype, (3, 5, 23, 19), (7, 5, 4, 3))
    compare("dilated", lambda x, w: F.conv2d(x, w, dilation=2, padding=2), dtype, (2, 24, 17, 17), (16, 24, 3, 3))
    compare("groups", lambda x, w: F.conv2d(x, w, padding=1, groups=4), dtype, (4, 64, 14, 14), (96, 16, 3, 3))
    compare("depthwise", lambda x, w: F.conv2d(x, w, padding=1, groups=32), dtype, (4, 32, 14, 14), (32, 1, 3, 3))
    compare("transposed", lambda x, w: F.conv_transpose2d(x, w, stride=2), dtype, (2, 32, 9, 9), (32, 24, 3, 3))
    compare("conv1d", lambda x, w: F.conv1d(x, w, padding=2), dtype, (4, 40, 50), (32, 40, 5))
    compare("conv3d", lambda x, w: F.conv3d(x, w, padding=1), dtype, (2, 8, 9, 10, 8), (16, 8, 3, 3, 3))
    compare("many", lambda x, w: F.conv2d(last(x), w, padding=1), dtype, (32, 64, 56, 56), (64, 64, 3, 3))
    compare("mm", lambda a, b: a @ b, dtype, (100, 72), (72, 60))
    compare("odd", lambda a, b: a @ b, dtype, (33, 17), (17, 7))
    compare("linear, relu", lambda x, w, b: F.linear(x, w, b).relu(), dtype, (4, 50, 64), (96, 64), (96,))
    compare("sum inside", lambda x, w, y: x @ w + y, dtype, (64, 64), (64, 64), (64, 64))
    compare("number inside", lambda x, w: x @ w * 0.3 + 0.1, dtype, (64, 64), (64, 64))
    compare("addmm", lambda x, a, b: torch.addmm(x, a, b, beta=0.5, alpha=2), dtype, (40,), (24, 32), (32, 40))
    compare("batches", lambda a, b: a.bmm(b.transpose(1, 2)), dtype, (6, 30, 24), (6, 20, 24))
    compare("broadcast", lambda a, b: a @ b, dtype, (2, 3, 30, 24), (3, 24, 8))
    for width in (64, 128, 40, 24, 5):
        sizes = [(2, 3, 300, width)] * 3
        compare(f"attention {width}", attention, dtype, *sizes)
        compare(f"causal {width}", causal, dtype, *sizes)
    compare("other sizes", attention, dtype, (1, 2, 33, 16), (1, 2, 500, 16), (1, 2, 500, 48))
    compare("by hand", by_hand, dtype, *[(2, 4, 512, 64)] * 3)
    compare("heads inside", inner, dtype, *[(2, 512, 4, 64)] * 3)
    compare("masked", masked, dtype, *[(2, 4, 512, 32)] * 3)
    compare("long", causal, dtype, *[(4, 8, 2048, 64)] * 3)
