# SPDX-License-Identifier: Apache-2.0
# Tensors seen as elements of another dtype in compiled functions, without a break. Recorded with backend="aot_eager"
# (Inductor compiles no bits of bools): compiled_bits.txt.
import math
import torch


def numbers(t):
    return [x if math.isfinite(x) else str(x) for x in t.tolist()] if t.dim() < 2 else [numbers(row) for row in t]


def show(name, f, *inputs, **options):
    torch._dynamo.reset()
    found = torch.compile(f, fullgraph=True, **options)(*inputs)
    for t in found if isinstance(found, tuple) else (found,):
        print(name, t.dtype, list(t.shape), t.stride(), t.requires_grad, numbers(t.float() if t.dtype.itemsize == 1 else t))
    return found


x = torch.tensor([[1.0, -2.5, 3.25, 0.0], [float("inf"), -0.0, 1e-40, 65504.0]])
wide = {torch.float16: 2, torch.bfloat16: 2, torch.int16: 2, torch.uint8: 1, torch.int8: 1, torch.int32: 4, torch.float32: 4,
        torch.int64: 8, torch.float64: 8, torch.float8_e5m2: 1, torch.float8_e4m3fn: 1}
for dtype in wide:
    show("seen", lambda x: x.view(dtype), x)
    show("computed", lambda x: (x * 2).view(dtype=dtype).to(torch.float64), x)
for dtype in (torch.float16, torch.bfloat16, torch.int16, torch.float64, torch.int64, torch.uint8, torch.int8):
    y = (torch.arange(16) * 3 - 20).to(dtype).reshape(2, 8)
    for to in (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8):
        show(f"{dtype} as", lambda y: y.view(to) + 1, y)
    back = lambda y: y.view(torch.uint8).view(dtype)
    show("and back", lambda y: back(y) + 1, y)
bytes_ = torch.arange(0, 256, dtype=torch.int64).to(torch.uint8)
for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
    show("every byte", lambda b: b.view(dtype).to(torch.float32), bytes_)
for dtype in (torch.float16, torch.bfloat16):
    all_ = (torch.arange(0, 65536, 7) - 32768).to(torch.int16)
    seen = torch.compile(lambda b: b.view(dtype).float(), fullgraph=True)(all_)
    print("every half", dtype, seen.nansum().isfinite().item(), round(seen.nan_to_num(0, 0, 0).abs().log1p().sum().item(), 0))
    again = torch.compile(lambda b: (b.view(dtype).float() * 1).to(dtype).view(torch.int16), fullgraph=True)(all_)
    print("and its bits", ((again == all_) | seen.isnan()).all().item())
show("bools", lambda b: b.view(torch.bool).to(torch.int32), torch.tensor([0, 1, 0, 1], dtype=torch.uint8))
show("of bools", lambda b: (b > 0).view(torch.uint8) + 1, x)


def inverse_root(x):
    i = 0x5F3759DF - (x.view(torch.int32) >> 1)
    y = i.view(torch.float32)
    return torch.round(y * (1.5 - 0.5 * x * y * y), decimals=4)


show("inverse root", inverse_root, torch.tensor([0.25, 1.0, 4.0, 100.0]))
show("exponents", lambda x: ((x.view(torch.int32) >> 23) & 255) - 127, torch.tensor([0.25, 1.0, 4.0, 100.0]))
show("sign off", lambda x: (x.view(torch.int32) & 0x7FFFFFFF).view(torch.float32), x)
show("packed", lambda a: a.view(torch.int32), torch.arange(8, dtype=torch.int8).reshape(2, 4))
show("a slice", lambda x: x[:, 2:].view(torch.int16), x)
show("turned", lambda x: x.t().view(torch.int32), x)
show("dynamic", lambda x: x.view(torch.int16) + 1, torch.arange(6.0), dynamic=True)
show("dynamic", lambda x: x.view(torch.float64) + 1, torch.arange(6.0), dynamic=True)


def written(x):
    y = x.clone()
    y.view(torch.int32)[0, 1] = 1 << 30
    y.view(torch.int16)[1, 0] = 7
    return y


show("written", written, x)


def written_input(x):
    x.view(torch.int32).add_(1)
    return x * 2


z = torch.tensor([1.0, 2.0])
show("written input", written_input, z)
print("after", z.tolist())

# The memory is the input's, or another result's.
z = torch.tensor([1.0, 2.0])
seen = show("alias", lambda z: z.view(torch.int32), z)
seen[0] = 0
print("written behind", z.tolist())
whole, seen = show("two of one", lambda z: (lambda y: (y, y.view(torch.int32)[1:]))(z + 1), z)
seen[0] = 1 << 30
print("written behind", whole.tolist())

leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def through(x):
    low = (x.view(torch.int32) & 1).to(torch.float32)
    return x * 2 + low


show("no gradient", lambda x: x.view(torch.int32), leaf)
show("no gradient", lambda x: (x * 2).view(torch.int32).view(torch.float32), leaf)
show("gradient beside", through, leaf).sum().backward()
print("gradient", leaf.grad.tolist())
for name, f in (("odd", lambda x: x[:, :3].view(torch.float64)), ("turned", lambda x: x.t().view(torch.int16))):
    try:
        torch.compile(f)(x)
    except Exception as e:
        print(name, "refused")

# Results that only show another one's bits ask for none of its gradient.
def shown_bits(x, w, whole=False, behind=False):
    turned = x.t().contiguous() if x.dim() == 2 else x * 2
    bits = turned.detach().view(torch.int32)
    results = (turned,) if whole else (turned[1:],) if behind else ()
    return bits, w * 3, turned.view(torch.int16)[1:], *results


for options in ({}, {"whole": True}, {"behind": True}):
    for start in (torch.ones(3), torch.ones(2, 2)):
        x, w = start.clone().requires_grad_(), torch.ones(2, requires_grad=True)
        torch._dynamo.reset()
        found = torch.compile(lambda x, w: shown_bits(x, w, **options), backend="aot_eager")(x, w)
        found[1].sum().backward()
        print("bits alone", options, x.grad is None, w.grad.tolist(), [t.requires_grad for t in found])
