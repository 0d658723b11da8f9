# SPDX-License-Identifier: Apache-2.0
# Numbers that a dtype does not hold are refused, not wrapped; how whole floats print; rrelu's random numbers.
# Printed under PyTorch: held_numbers.txt.
import torch
import torch.nn.functional as F
compiled = False


def show(name, function):
    if compiled:
        torch._dynamo.reset()
        function = torch.compile(function)
    try:
        print(name, function())
    except (RuntimeError, OverflowError, ValueError) as error:
        print(name, "refused")


def item(dtype, value):
    x = torch.ones(2, dtype=dtype)
    x[0] = value
    return x


first = torch.tensor([True, False])
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool):
    for value in (1e300, -70000.0, 70000, 300, -300, -1, 2.0**31, 2**31 - 1, 2**40, 2**70, float("inf"), 1.5, -1.5):
        name = f"{dtype} {value}"
        show("item " + name, lambda: item(dtype, value))
        show("full " + name, lambda: torch.full((2,), value, dtype=dtype))
        show("fill_ " + name, lambda: torch.ones(2, dtype=dtype).fill_(value))
        show("masked_fill " + name, lambda: torch.ones(2, dtype=dtype).masked_fill(first, value))
        show("index_fill " + name, lambda: torch.ones(2, dtype=dtype).index_fill(0, torch.tensor([0]), value))
        if isinstance(value, int) and dtype in (torch.uint8, torch.int8, torch.int16):
            x = torch.tensor([0, 1, 100], dtype=dtype)
            show("alpha " + name, lambda: (torch.add(x, x, alpha=value), torch.sub(x, x, alpha=value)))
            show("where " + name, lambda: (torch.where(x > 50, x, value), torch.where(x > 50, value, x)))
            show("threshold " + name, lambda: F.threshold(x, value, 1))
            show("power " + name, lambda: x ** abs(value))
            show("wraps " + name, lambda: (x + value, x * value, x < value, x // value, x & value) if value < 2**63 else 0)
        show("clamp " + name, lambda: (torch.ones(2, dtype=dtype).clamp(min=value), torch.ones(2, dtype=dtype).clamp(max=value)))
print(torch.tensor([70000., 1.]), torch.tensor([1001., 1.]), torch.tensor([1000., 1.]), torch.tensor([2000., 1.], dtype=torch.half), torch.tensor([1e5, 0.]))
if not compiled:
    torch.manual_seed(0)
    for slopes in (F.rrelu(torch.randn(3, 4), training=True), F.rrelu(torch.randn(4, 3).t(), 0.2, 0.9, training=True), torch.rand(1)):
        print("eager", *[f"{v:.6f}" for v in slopes.flatten().tolist()])
