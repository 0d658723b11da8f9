# SPDX-License-Identifier: Apache-2.0
# Values that a backward computes again beside the largest that the forward found, sizes that are
# quotients, windows of many elements.
import torch
import torch.nn.functional as F

compiled = False


def made(function, **options):
    return torch.compile(function, **options) if compiled else function


def shown(x):
    print([round(v, 2) + 0.0 for v in x.detach().flatten().tolist()])


base = torch.tensor([(i * 37 + 212) % 1009 / 256 - 2 for i in range(72)]).reshape(8, 9)
for name in ["tanh", "exp", "sin", "cos", "sigmoid", "erf", "expm1", "log1p", "tan", "log"]:
    def largest(a):
        return getattr(torch, name)(a).expand((3, 8, 9)).amax(dim=0, keepdim=True)

    a = (base.abs() + 0.25 if name.startswith("log") else base).clone().requires_grad_()
    made(largest)(a).sum().backward()
    print(name)
    shown(a.grad[::3])


def half_normed(a, w, b):
    x, y = torch.chunk(a, 2, dim=1)
    return F.layer_norm(x, (3,), w, b) + y


normed = made(half_normed, dynamic=True)
w, b = torch.tensor([1.0, 2.0, 3.0]).requires_grad_(), torch.zeros(3).requires_grad_()
for rows in (4, 5):
    a = base.flatten()[:rows * 6].reshape(rows, 6).clone().requires_grad_()
    normed(a, w, b).pow(2).sum().backward()
    shown(a.grad), shown(w.grad)


def turned(a):
    x, y = torch.chunk(a, 2, dim=2)
    whole = torch.cat([y, x], dim=2)
    return whole + F.batch_norm(whole, None, None, training=True)


turning = made(turned, dynamic=True)
for columns in (6, 4, 10):
    a = torch.arange(12.0 * columns).mul(0.7).sin().reshape(2, 6, columns).requires_grad_()
    turning(a).pow(2).sum().backward()
    shown(a.grad[0, 0])

image = torch.arange(2 * 13 * 14).mul(0.37).sin().reshape(1, 2, 13, 14)


def pools(x):
    y = F.max_pool2d(x, 13, 1, 6)
    z, at = F.max_pool2d(x, (5, 7), (2, 3), (1, 2), (2, 1), ceil_mode=True, return_indices=True)
    return (y.sum() + (z * z).sum() + F.avg_pool2d(x, 7, 3, 3).pow(2).sum() +
            F.avg_pool2d(x, (6, 5), 2, 1, True, False).pow(3).sum() +
            F.avg_pool2d(x, 5, 4, divisor_override=3).pow(2).sum(), at)


x = image.clone().requires_grad_()
loss, at = made(pools)(x)
loss.backward()
print(round(loss.item(), 3), at.flatten().tolist()[::5])
shown(x.grad[0, 1, ::4])


# A view of half a convolution's result, which lies channels last when compiled.
def half_product(x, w, b, columns):
    first, second = torch.chunk(F.conv2d(x, w, b, 2, 1), 2, dim=2)
    return second @ columns


x, w = base.flatten()[:27].reshape(3, 3, 3).double(), base.flatten()[:36].reshape(2, 3, 3, 2).double()
shown(made(half_product)(x, w, torch.ones(2).double(), torch.tensor([[1.0, 2.0]]).double()))
