# SPDX-License-Identifier: Apache-2.0
"""Draws on a GPU. cuda_random.txt is what this prints under PyTorch 2.11 (python3 cuda_random.py > cuda_random.txt) on a
GPU of 132 multiprocessors; only the line of a million numbers depends on how many there are."""
import torch

torch.set_default_device("cuda")


def show(name, t):
    print(name, t.dtype, t.flatten().tolist())


for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
    torch.manual_seed(7)
    show("rand", torch.rand(7, dtype=dtype))
    show("randn", torch.randn(9, dtype=dtype))
    show("uniform", torch.empty(5, dtype=dtype).uniform_(-2, 3))
    show("normal", torch.empty(5, dtype=dtype).normal_(1, 0.5))
    show("exponential", torch.empty(5, dtype=dtype).exponential_(1.5))
    show("geometric", torch.empty(5, dtype=dtype).geometric_(0.3))
    show("cauchy", torch.empty(5, dtype=dtype).cauchy_(0.5, 2))
    show("log_normal", torch.empty(5, dtype=dtype).log_normal_(0, 0.5))
    show("bernoulli", torch.empty(9, dtype=dtype).bernoulli_(0.4))
    show("random", torch.empty(5, dtype=dtype).random_())
for dtype in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool):
    torch.manual_seed(8)
    show("random", torch.empty(6, dtype=dtype).random_())
    if dtype is not torch.bool:
        show("randint", torch.randint(3, 100, (6,), dtype=dtype))
    show("bernoulli", torch.empty(9, dtype=dtype).bernoulli_(0.4))
torch.manual_seed(9)
show("wide", torch.randint(-2**40, 2**40, (5,)))
show("after", torch.rand(3))
many = torch.rand(1000000)
print("many", many[::99991].tolist())
show("after", torch.randn(2, 3).t())
show("dropout", torch.nn.functional.dropout(torch.ones(12), 0.4))
