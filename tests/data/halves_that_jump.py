# SPDX-License-Identifier: Apache-2.0
# Where 16 bits jump: roundings, comparisons, conversions to integers, places and masks of what was computed before go by
# the numbers that memory would hold, compiled as in eager code. What PyTorch printed: halves_that_jump.txt.
import torch
import torch.nn.functional as F

compiled = False


def text(v):
    if isinstance(v, torch.Tensor):
        return f"{str(v.dtype)[6:]}{tuple(v.shape)} " + " ".join([str(x) for x in v.detach().flatten().tolist()])
    return "[" + ", ".join([text(x) for x in v]) + "]"


def say(what, f, *given):
    print(what, text((torch.compile(f, fullgraph=True) if compiled else f)(*given)))


for dtype in (torch.bfloat16, torch.float16):
    x = (torch.arange(1.0, 201.0) * 0.37 % 9.1 - 4.5).to(dtype)
    y = x.flip(0)
    rows = x.reshape(10, 20)
    say("rounded", lambda x: [(x * 1.1).floor(), (x * 3.3).ceil(), (x * 0.7).trunc(), (x * 1.3).round(), (x * 1.7).frac()], x)
    say("signs", lambda x, y: [(x - y).sign(), torch.sgn(x * 1e-8)], x, y)
    say("divided", lambda x, y: [(x * 1.1) // 0.3, (x * 1.1) % 0.75, torch.fmod(x * 1.1, y), torch.div(x * 1.3, y, rounding_mode="floor")], x, y)
    say("compared", lambda x, y: [x * 1.1 == x * 1.101, x * 1.1 > x * 1.103, x / 3 >= y / 3, (x + 0.01 == x) | (x * 0.999 < x)], x, y)
    say("whole", lambda x: [(x * 1.1).int(), (x * 7.7).to(torch.int64), (x * 0.001).bool()], x)
    say("chosen", lambda x, y: torch.where(x * 1.1 > y * 1.1, x, y), x, y)
    say("places", lambda r: [(r * 1.003).argmax(1), (r / 7).argmin(0), (r * 1.1).max(1)[1], (r * 1.1).sort(dim=1, stable=True)[1], (r * 0.9).cummax(1)[1]], rows)
    say("found", lambda r: [torch.bucketize(r * 1.1, torch.arange(-5, 5, 0.25).to(r.dtype)), F.max_pool2d((r * 1.01).view(1, 1, 10, 20), 2, return_indices=True)[1]], rows)
    say("infinite", lambda x: [torch.isinf(x * 3e38), torch.isfinite(x * 2e4), (x * 1e-8 == 0).any()], x)
    leaf = x.clone().requires_grad_()
    f = lambda x: (x * 1.1).clamp(-1.5, 2.2) * 3
    say("slopes", lambda x: torch.autograd.grad((torch.compile(f) if compiled else f)(x).sum(), x)[0], leaf) if not compiled else None
    if compiled:
        torch.compile(f)(leaf).sum().backward()
        print("slopes", text(leaf.grad))
