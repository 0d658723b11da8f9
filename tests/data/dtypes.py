# SPDX-License-Identifier: Apache-2.0
"""Numbers of every dtype, bit by bit: what each operation gives eagerly, random draws, casts, texts. dtypes.txt
is what this prints under PyTorch (python3 dtypes.py > dtypes.txt)."""
import torch
import torch.nn.functional as F

compiled = False  # the test sets it


def how(f):
    return torch.compile(f) if compiled else f


UNARY = {
    "neg": lambda x: -x, "abs": torch.abs, "sqrt": lambda x: x.abs().sqrt(), "relu": torch.relu, "square": lambda x: x * x,
    "plus": lambda x: x + 0.1, "times": lambda x: x * 1.7, "over": lambda x: x / 3, "rsub": lambda x: 1 - x,
    "clamp": lambda x: x.clamp(-0.5, 0.7), "round": torch.round, "floor": torch.floor, "sign": torch.sign,
    "exp": torch.exp, "tanh": torch.tanh, "sigmoid": torch.sigmoid, "gelu": F.gelu, "silu": F.silu, "sin": torch.sin,
    "log": lambda x: x.abs().log(), "reciprocal": torch.reciprocal, "sum": lambda x: x.sum(-1), "mean": lambda x: x.mean(-1),
    "total": lambda x: x.sum(), "amax": lambda x: x.amax(-1), "softmax": lambda x: F.softmax(x, -1),
    "var": lambda x: x.var(-1), "where": lambda x: torch.where(x > 0, x, x * 0.5), "cumsum": lambda x: x.cumsum(-1),
    "transpose": lambda x: x.t().contiguous()[0], "leaky": lambda x: F.leaky_relu(x, 0.01), "pow": lambda x: x ** 2,
}
for dtype in (torch.bfloat16, torch.float16):
    torch.manual_seed(3)
    x, y = torch.randn(4, 8, dtype=dtype), torch.randn(4, 8, dtype=dtype)
    for name, f in UNARY.items():
        print(dtype, name, how(f)(x).reshape(-1)[:12].tolist())
    for name, f in {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "maximum": torch.maximum,
                    "matmul": lambda a, b: a @ b.t(), "atan2": torch.atan2, "lerp": lambda a, b: torch.lerp(a, b, 0.3),
                    "addcmul": lambda a, b: torch.addcmul(a, a, b, value=0.5), "mse": F.mse_loss,
                    "cat": lambda a, b: torch.cat([a, b], 1), "mixed": lambda a, b: a + b.float(),
                    "compare": lambda a, b: (a < b).int()}.items():
        result = how(f)(x, y)
        print(dtype, name, result.dtype, result.reshape(-1)[:12].tolist())
    w = torch.randn(3, 8, dtype=dtype)
    print(dtype, "linear", F.linear(x, w).tolist())
    z = x.clone().requires_grad_()
    (z * y).sum().backward()
    print(dtype, "gradient", z.grad.dtype, z.grad[0].tolist())
    torch.manual_seed(5)
    print(dtype, "draws", torch.rand(5, dtype=dtype).tolist(), torch.randn(3, dtype=dtype).tolist(),
          torch.randn(20, dtype=dtype).tolist(), torch.empty(4, dtype=dtype).uniform_(-2, 3).tolist(),
          torch.empty(3, dtype=dtype).random_().tolist())
    print(x[:2, :4], x.dtype, x.element_size(), x.type())

for dtype in (torch.bfloat16, torch.float16):  # attention is computed in float32 and rounded once
    torch.manual_seed(4)
    q, k, v = [(3 * torch.randn(2, 3, n, 8)).to(dtype).requires_grad_() for n in (5, 7, 7)]
    for causal in (False, True):
        attend = how(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal))
        y, z = attend(q, k, v), attend(q.float(), k.float(), v.float())
        slopes = torch.autograd.grad(y.sum(), v)[0], torch.autograd.grad(z.sum(), v)[0]
        print(dtype, causal, y.dtype, [float((a.float() - b.float()).abs().max() / b.abs().max()) < torch.finfo(dtype).eps
                                       for a, b in ((y, z), slopes)])
print([how(lambda x: F.local_response_norm(x, 3, k=2.0))(torch.arange(-6, 6).reshape(1, 4, 3)).dtype])

small = torch.tensor([-100, -3, 0, 5, 7, 120])
for dtype in (torch.int8, torch.int16, torch.uint8, torch.int32):
    a, b = small.to(dtype), torch.tensor([100, 2, 3, -5, 1, 50]).to(dtype)
    print(dtype, (a + b).tolist(), (a * b).tolist(), (a - b).tolist(), (a // b).tolist(), (a % b).tolist(), (-a).tolist(),
          (a / b).dtype, a.sum().dtype, a.max().item(), (a > b).tolist(), (a & b).tolist(), (a ^ b).tolist(), a.float().tolist())
    torch.manual_seed(2)
    print(dtype, torch.randint(0, 100, (5,), dtype=dtype).tolist(), torch.arange(4, dtype=dtype), torch.iinfo(dtype).max)
bytes_, most = torch.arange(0, 256, 51).to(torch.uint8), torch.full((6,), 255, dtype=torch.uint8)
print(how(lambda a, b: a // b)(bytes_, most).tolist(), how(lambda a, b: a % b)(bytes_, most).tolist(),
      how(lambda a: a // 255)(bytes_).tolist(), how(lambda a: a % 255)(bytes_).tolist())
image = (torch.arange(90) * 37 % 256).to(torch.uint8).reshape(1, 2, 9, 5)
for mode in ("bilinear", "bicubic"):
    for size, corners, antialias in (((4, 8), False, False), ((4, 8), True, False), ((4, 8), False, True), ((11, 2), True, True)):
        print(mode, how(lambda x: F.interpolate(x, size=size, mode=mode, align_corners=corners, antialias=antialias))(image).tolist())
    print(mode, how(lambda x: F.interpolate(x, scale_factor=1.7, mode=mode, recompute_scale_factor=False))(image)[0, 1].tolist())
print(how(lambda x: F.unfold(x, 2, padding=1))(image[:, :, :2, :2] % 2 == 1).tolist())
probabilities = torch.tensor([-1, 0.1, 0.25, 0.5, 0.75, 3, float("nan")])
for dtype in (torch.float16, torch.bfloat16, torch.float32):  # the lower end is asked first, both are of the dtype
    for eps in (0.1, 0.75, 1.0):
        p = probabilities.to(dtype).requires_grad_()
        y = how(lambda x: torch.logit(x, eps))(p)
        print(dtype, eps, y.sign().tolist(), torch.autograd.grad(y.sum(), p)[0].sign().tolist())
counts, rows = torch.tensor([1, 2, 1, 3]), torch.tensor([[4, 1, 0, 2], [2, 2, 8, 1]])
for dtype in (torch.int64, torch.float16, torch.bfloat16, torch.float32):
    for shares in (torch.float16, torch.float32, torch.float64):
        print(dtype, shares, [how(lambda x, **o: torch.cov(x, **o))(rows.to(dtype), **o).dtype for o in (
            {}, {"fweights": counts}, {"aweights": (counts / 2).to(shares)}, {"fweights": counts, "aweights": (counts / 2).to(shares)})])
for none in (torch.empty(2, 0, dtype=torch.long), torch.empty(0, 7, dtype=torch.uint8), torch.empty(0)):  # of no positions
    matrix = torch.arange(6.).reshape(2, 3).requires_grad_()
    y = how(lambda x, i: x.gather(1, i))(matrix, none)
    print(y.shape, y.dtype, torch.autograd.grad(y.sum(), matrix)[0].tolist(), how(lambda x, i: x.scatter(1, i, 9.0))(matrix, none).tolist())
for dtype in (torch.float16, torch.bfloat16):  # a kernel's number is the extreme that was stored of it
    for name, f in {"amax": lambda x: x.amax(-1), "amin": lambda x: x.amin(0), "max": torch.max, "median": torch.median,
                    "reduced": lambda x: torch.zeros(3, dtype=x.dtype).scatter_reduce(0, torch.tensor([0, 1, 2, 2, 1, 0]), x.reshape(-1), "amax")}.items():
        x = torch.tensor([[0.3, 1.7, -0.9], [1.1, -0.4, 0.7]], dtype=dtype).requires_grad_()
        print(dtype, name, torch.autograd.grad(how(lambda x: f((x * 1.1).exp()))(x).sum(), x)[0].tolist())
one, several = torch.tensor(3.0), torch.tensor([1.0, 2.0])
for x, index in ((one, torch.zeros(3, dtype=torch.long)), (several, torch.tensor(1)), (one, torch.tensor(0)), (several, torch.tensor([1, 1]))):
    x = x.clone().requires_grad_()
    y = how(lambda x, i: x.gather(0, i))(x, index)
    print(y.detach(), torch.autograd.grad(y.sum(), x), how(lambda x, i: x.scatter(0, i, 9.0))(x.detach(), index))
for dtype in (torch.uint16, torch.uint32):
    print(dtype, small.to(dtype).tolist(), small.to(dtype).float().tolist(), torch.iinfo(dtype).max)
for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
    values = torch.tensor([0.0, 0.1, -0.3, 1.06, 17.0, 300.0, 449.0, 465.0, 1e6, 2e-3, -1e-5])
    print(dtype, values.to(dtype).float().tolist(), values.to(dtype).element_size())
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    info = torch.finfo(dtype)
    print(dtype, info.bits, info.eps, info.max, info.min, info.tiny, info.resolution)
print(torch.tensor([1.5, 2.25], dtype=torch.half), torch.ones(2).bfloat16(), torch.ones(2).half().dtype, torch.short, torch.half)
print(torch.promote_types(torch.float16, torch.bfloat16), torch.result_type(torch.ones(2, dtype=torch.int8), 2.5))
with torch.autocast("cpu", dtype=torch.bfloat16):
    a, b = torch.ones(2, 3), torch.ones(3, 2)
    print((a @ b).dtype, (a + 1).dtype, F.softmax(a @ b, -1).dtype, F.mse_loss(a @ b, a @ b).dtype, torch.is_autocast_enabled("cpu"))
    with torch.autocast("cpu", enabled=False):
        print((a @ b).dtype)
    print(torch.cat([a, a @ b], 1).dtype)
print((a @ b).dtype, torch.is_autocast_enabled("cpu"))

# Numbers beside tensors of 16 bits, and steps between them.
for dtype in (torch.float16, torch.bfloat16):
    x = torch.tensor([0.37, 1.0, 2.7, 10.3, 88.0, 3.14159, 0.05]).to(dtype)
    for number in (0.7, 2.7, 0.1):
        held = (torch.fmod(x, number), x % number, number % x, x ** number, number ** x, number - x, F.hardshrink(x, number), x * number, x + number, x / number, number / x, x < number, x == number, x >= number)
        print(dtype, number, *[h.tolist() for h in held])
    steps = torch.tensor([0.0, -0.0, 1.0, 65504.0, -65504.0, 6e-8, -6e-8, float("inf"), 1.0, 2.0, -1.0]).to(dtype)
    towards = torch.tensor([1.0, -1, 2, 1e5, -1e5, 0, 0, 0, 1, 0, 0]).to(dtype)
    print(torch.nextafter(steps, towards).view(torch.int16).tolist())
    print(F.softplus(torch.tensor([-3.0, 12.0, 20.0, 21.0, 90.0]).to(dtype)).tolist())
print(torch.round(torch.tensor([88.0, 120.0]).half(), decimals=3).tolist(), F.hardswish(torch.tensor([65504.0, -4, 2]).half()).tolist())
print(torch.ldexp(torch.tensor([0.0, 1e-30, 1.0, 3.0, -2.0, 1e38, 1e-45]), torch.tensor([200, 200, -150, 10, 128, -300, 149])).tolist())
print(torch.ldexp(torch.tensor([1e-300, 3.0, 1.0]).double(), torch.tensor([1500, -1000, -1074])).tolist(),
      torch.ldexp(torch.tensor([1.0, 3.0]).half(), torch.tensor([15, 14])), torch.ldexp(torch.tensor([1, 3]), torch.tensor([2, -1])))
few = torch.tensor([[6, 8, 2], [2, 8, 2]], dtype=torch.uint8)
print([(r.dtype, r.tolist()) for r in (torch.einsum("ik,j->ij", few, few[0]), torch.einsum("ij,j->i", few, few[0]), torch.einsum("ij,k->", few > 2, few[0] > 3))])
