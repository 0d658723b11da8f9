# SPDX-License-Identifier: Apache-2.0
# Convolutions and attention of a GPU, compiled, against the same on the CPU in float64: whether the
# largest relative error is below that of TF32 (convolutions round to it) or of float32. Recorded with
# python gpu_library_calls.py > gpu_library_calls.txt
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def largest(found, wanted):
    return max(((f.detach().cpu().double() - w).norm() / w.norm()).item() for f, w in zip(found, wanted))


def results(function, parameters, inputs):
    for p in parameters:
        p.grad = None
    y = function(*inputs)
    y.square().mean().backward()
    return [y] + [t.grad for t in list(parameters) + list(inputs)]


def convolutions(name, model, *sizes):
    torch.manual_seed(1)
    x = torch.randn(*sizes)
    reference = copy.deepcopy(model).double()
    gpu = model.cuda()
    compiled = torch.compile(gpu)
    found = results(compiled, list(gpu.parameters()), [x.cuda().detach().requires_grad_()])
    with torch.no_grad():
        quiet = compiled(x.cuda())
    wanted = results(reference, list(reference.parameters()), [x.double().detach().requires_grad_()])
    print(name, largest(found, wanted) < 1e-2, largest([quiet], wanted[:1]) < 2e-3)


convolutions("few channels", nn.Sequential(nn.Conv2d(3, 24, 3), nn.ReLU()), 4, 3, 31, 30)
convolutions("wide taps", nn.Sequential(nn.Conv2d(3, 64, 7, stride=2, padding=3), nn.ReLU()), 2, 3, 64, 64)
convolutions("odd features", nn.Sequential(nn.Conv2d(16, 37, 3, padding=1), nn.ReLU()), 4, 16, 28, 28)
convolutions("two of many", nn.Sequential(nn.Conv2d(64, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 64, 3)), 32, 64, 56, 56)
convolutions("stems", nn.Sequential(nn.Conv2d(3, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3, stride=2), nn.ReLU(),
                                   nn.Conv2d(64, 64, 1)), 16, 3, 96, 96)
convolutions("groups", nn.Sequential(nn.Conv2d(64, 96, 3, padding=1, groups=4), nn.ReLU(), nn.Conv2d(96, 64, 3)), 32, 64, 28, 28)
convolutions("transposed", nn.Sequential(nn.ConvTranspose2d(64, 32, 3, stride=2), nn.ReLU()), 8, 64, 28, 28)
convolutions("one dimension", nn.Sequential(nn.Conv1d(32, 64, 3), nn.ReLU()), 8, 32, 100)
convolutions("three dimensions", nn.Sequential(nn.Conv3d(16, 32, 3, padding=1), nn.ReLU()), 2, 16, 9, 10, 11)


def attention(name, b, h, l, s, e, v, causal=False, mask=None):
    torch.manual_seed(2)
    q, k, w = torch.randn(b, h, l, e), torch.randn(b, h, s, e), torch.randn(b, h, s, v)

    def model(q, k, w, mask):
        return F.scaled_dot_product_attention(q, k, w, attn_mask=mask, is_causal=causal)

    def run(function, move, mask):
        return results(lambda q, k, w: function(q, k, w, mask), [], [move(t).detach().requires_grad_() for t in (q, k, w)])

    wanted = run(model, lambda t: t.double(), mask if mask is None or mask.dtype == torch.bool else mask.double())
    found = run(torch.compile(model), lambda t: t.cuda(), mask if mask is None else mask.cuda())
    print("attention,", name, largest(found, wanted) < 2e-5)


attention("causal", 2, 3, 130, 130, 64, 64, causal=True)
attention("other keys", 2, 2, 70, 100, 80, 80)
attention("added mask", 2, 2, 65, 65, 16, 16, mask=torch.randn(65, 65))
attention("mask", 1, 4, 128, 96, 32, 32, mask=(torch.arange(128).unsqueeze(1) + torch.arange(96)) % 3 != 1)
attention("odd heads", 2, 2, 40, 50, 7, 9)
attention("wide heads", 1, 2, 200, 200, 128, 128, causal=True)
attention("one query", 2, 4, 1, 300, 64, 64)
