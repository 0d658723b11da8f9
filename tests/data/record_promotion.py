# SPDX-License-Identifier: Apache-2.0
"""Writes promotion.txt: the dtypes that PyTorch gives, one row a dtype, "-" where it refuses.

    python3 record_promotion.py > promotion.txt
"""
import torch

NAMES = ("bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float8_e4m3fn float8_e5m2 float16 bfloat16 "
         "float32 float64").split()
DTYPES = [getattr(torch, name) for name in NAMES]


def named(compute):
    try:
        found = compute()
    except (RuntimeError, TypeError):
        return "-"
    found = found if isinstance(found, torch.dtype) else found.dtype
    return str(found)[6:] if str(found)[6:] in NAMES else "-"


def row(title, dtype, results):
    print(title, dtype, *results)


dim = {name: torch.ones(2, dtype=dtype) for name, dtype in zip(NAMES, DTYPES)}
zero = {name: torch.ones((), dtype=dtype) for name, dtype in zip(NAMES, DTYPES)}
print("# two tensors | a tensor and one of no dimensions; columns:", *NAMES)
for a in NAMES:
    row("tensors", a, [named(lambda: torch.result_type(dim[a], dim[b])) for b in NAMES])
for a in NAMES:
    row("with_zero_dim", a, [named(lambda: torch.result_type(dim[a], zero[b])) for b in NAMES])
print("# a tensor and a number; columns: True 3 2.5")
for a in NAMES:
    row("with_number", a, [named(lambda: torch.result_type(dim[a], number)) for number in (True, 3, 2.5)])
for a in NAMES:
    row("zero_dim_with_number", a, [named(lambda: torch.result_type(zero[a], number)) for number in (True, 3, 2.5)])
# Operations whose dtype is not the operands'; of dtypes that PyTorch computes with.
OPERATIONS = {
    "div": lambda x: x / x, "floor_divide": lambda x: torch.floor_divide(x, x), "pow": lambda x: x ** 2,
    "pow_float": lambda x: x ** 0.5, "mean": torch.mean, "sum": torch.sum, "prod": torch.prod,
    "cumsum": lambda x: torch.cumsum(x, 0), "sqrt": torch.sqrt, "argmax": torch.argmax, "amax": torch.amax,
    "eq": lambda x: x == x, "atan2": lambda x: torch.atan2(x, x), "true_divide_number": lambda x: x / 2,
}
COMPUTED = [n for n in NAMES if n not in ("uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2")]
print("# an operation; columns:", *COMPUTED)
for name, operation in OPERATIONS.items():
    row("operation", name, [named(lambda: operation(dim[a])) for a in COMPUTED])
