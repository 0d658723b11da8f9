# SPDX-License-Identifier: Apache-2.0
# Parts of complex tensors that are written while gradients are recorded. What PyTorch printed: written_complex.txt.
import torch

compiled = False


def item(x):
    z = x * 2
    z[1] = 5 + 1j
    return z


def item_of_another(x):
    z = x * 2
    z[1] = x[0] * 3
    return z


def item_of_zeros(x):
    z = torch.zeros(3, dtype=torch.complex64)
    z[1] = x[0] * 3
    return z


def slices(x):
    z = x * 2
    z[0:2] = x[1:]
    return z


def real_number(x):
    z = x * 2
    z[0] = 2.5
    return z


def places(x):
    z = x * 2
    z[torch.tensor([0, 2])] = x[:2]
    return z


def real_part(x):
    z = x * 2
    z.real[1] = 4.0
    return z


def multiplied(x):
    z = x * 2
    z[1] *= 2j
    z[0].mul_(2)
    return z


def of_a_real(x):
    z = x * 2
    z[1] = x[0].real
    return z


def everything(x):
    z = x * 2
    z[...] = x[0]
    return z


def of_a_matrix(x):
    z = (x * 2).view(3, 1).expand(3, 2).clone()
    z[1, 0] = x[2]
    return z.sum(1)


def imaginary_parts(x):
    z = x * 2
    z.imag = x.real
    return z


def views_follow(x):
    z = x * 2
    pairs, first = torch.view_as_real(z), z[0]
    z[0] = x[1] * x[2]
    pairs[1, 1] = 7.0
    return torch.stack([first * 3, z[1], pairs.sum() + 0j])


def twice(x):
    z = x * 2
    z[1] = x[0] * x[2]
    z[2] = x[1] * x[1]
    return z


for function in (item, item_of_another, item_of_zeros, slices, real_number, places, real_part, multiplied, of_a_real,
                 everything, of_a_matrix, imaginary_parts, views_follow, twice):
    x = torch.tensor([1 + 2j, 3 - 1j, 2j], requires_grad=True)
    z = torch.compile(function)(x) if compiled else function(x)
    (z * z.conj()).real.sum().backward()
    print(function.__name__, torch.view_as_real(z.detach()).tolist(), torch.view_as_real(x.grad).tolist())

z = torch.tensor([1 + 2j, 3 - 1j])
y = z.float()
y.add_(1)
print(z, y, y.stride())


def at_a_place(b, t):
    v = b[t]
    v.mul_(2)
    w = b[:, t]
    w += 1
    return v, w


b = torch.arange(6.).reshape(2, 3).to(torch.complex64)
at = torch.compile(at_a_place) if compiled else at_a_place
print(at(b, torch.tensor(1)), b, torch.atan2((b - 0).imag, torch.tensor(-1.0)))


def parts_given(z):
    z.imag = 2
    z[0].real = 3.5
    return z * 1


z = torch.zeros(2, 2, dtype=torch.complex64)
z[0, 0].real = 4
z.imag = -1.5
print(z, (torch.compile(parts_given) if compiled else parts_given)(z), z)
