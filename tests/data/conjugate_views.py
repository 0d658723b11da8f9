# SPDX-License-Identifier: Apache-2.0
# conj() is a view: what is written through it or through what it is of, the other has too. What PyTorch printed:
# conjugate_views.txt.
import torch

compiled = False


def of_a_number(z):
    c = z.conj()
    z[0] = 5j
    return c * 1, z * 1


def through_the_view(z):
    c = z.conj()
    c[0] = 7 + 1j
    return c * 1, z * 1


def multiplied(z):
    c = z.conj()
    c.mul_(2j)
    return c + 0, z + 0


def copied_into(z):
    c = torch.conj(z)
    c.copy_(torch.tensor([1j, 2 + 2j, 3, -4j]))
    return c + 0, z + 0


def filled(z):
    c = z.conj()
    z.fill_(1 + 4j)
    z[1:3].zero_()
    return c + 0, z + 0


def slice_of_conj(z):
    c = z.conj()[1:3]
    z[2] = 9 - 9j
    c[0] = 2j
    return c + 0, z + 0


def conj_of_slice(z):
    c = z[::2].conj()
    z += 1 - 1j
    c[1] += 10j
    return c + 0, z + 0


def two_of_them(z):
    a, b = z.conj(), z[1:].conj()
    a[2] = 3j
    b[0] = 4j
    z[3] = 1j
    return a + 0, b + 0, z + 0


def twice(z):
    d = z.conj().conj()
    d[0] = 8j
    z[1] = -8j
    return d + 0, z + 0


def parts(z):
    c = z.conj()
    c.real[0] = 40.0
    z.imag[1] = 50.0
    z.real[2] = -6.0
    return c + 0, c.real + 0, c.imag + 0, z + 0


def imaginary_of_conj(z):
    c = z.conj()
    c.imag[0] = 40.0
    return c + 0, z + 0


def reshaped(z):
    c = z.view(2, 2).conj().t()
    z[1] = 70j
    c[0, 1] = 80j
    return c + 0, z + 0


def adjoint_of_a_matrix(z):
    m = z.view(2, 2)
    h = m.mH
    m[0, 1] = 3 + 3j
    h[0, 0] = 6j
    return h + 0, m.H + 0, torch.adjoint(m) @ m, z + 0


def of_what_is_computed(z):
    y = z * 2
    c = y.conj()
    y[0] = 1j
    c[1] = 2j
    return c + 0, y + 0, z + 0


def out_of_place(z):
    c, p, r, k = z.conj() * 1, z.conj_physical(), z.conj().resolve_conj(), z.conj().clone()
    z[0] = 100j
    return c, p, r, k


def of_resolved(z):
    y = z * 1
    r = y.resolve_conj()
    y[0] = 9j
    return r + 0


def by_itself(z):
    z.mul_(z.conj())
    z[0] += z.conj()[1]
    return z * 1


def copied_from_itself(z):
    z.copy_(z.conj())
    return z * 1


def by_places(z):
    c = z.conj()
    z[torch.tensor([0, 3])] = torch.tensor([1j, 2j], dtype=z.dtype)
    c[torch.tensor([False, True, True, False])] = 3j
    return c + 0, z + 0


def detached(z):
    c = z.detach().conj()
    z[0] = 21j
    return c + 0


def kept(z):
    return z.conj()


def both(z, c):
    z[0] = c[1] * 2
    c[2] = 5j
    return c + 0, z + 0


def read(z, c):
    return z * c + c


def told(name, found):
    found = found if isinstance(found, tuple) else (found,)
    print(name, [torch.view_as_real(t.resolve_conj()).tolist() if t.is_complex() else t.tolist() for t in found])


def made():
    return torch.tensor([1 + 2j, 3 - 1j, 2j, -1 + 0.5j])


for function in (of_a_number, through_the_view, multiplied, copied_into, filled, slice_of_conj, conj_of_slice, two_of_them,
                 twice, parts, imaginary_of_conj, reshaped, adjoint_of_a_matrix, of_what_is_computed, out_of_place,
                 of_resolved, by_itself, copied_from_itself, by_places, detached):
    run, z = torch.compile(function) if compiled else function, made()
    told(function.__name__, run(z))
    told(function.__name__ + " leaves", z)
    told(function.__name__ + " of a slice", run(torch.cat([made(), made()])[2:6]))
    told(function.__name__ + " of float64", run(made().to(torch.complex128)))

run = torch.compile(kept) if compiled else kept
z = made()
c = run(z)
z[0] = 5j
c[1] = 6j
told("kept", (c, z))
print(c.is_conj(), z.is_conj(), c[1:].is_conj(), (c * 1).is_conj(), c.conj().is_conj(), c.resolve_conj().is_conj(),
      c.detach().is_conj(), c.view(2, 2).mH.is_conj(), c.real.is_conj(), torch.is_conj(z.view(2, 2).mH))
told("as_strided", c.as_strided((2,), (2,), 1))

run = torch.compile(both) if compiled else both
z = made()
c = z.conj()
told("both", run(z, c))
told("both leave", (z, c))
run = torch.compile(read) if compiled else read
z = made()
c = z[:].conj()
told("read", run(z, c))
z[0] = 30j
told("read again", run(z, c))
c.mul_(2)
told("read thrice", run(z, c))

# Versions are those of one memory.
z = made()
c = z.conj()
z[0] = 1
c[0] = 2
print(c._version == z._version, z._version)
d = c[:2]
del c
z[1] = 11j
told("without its own", d)
del z
d[0] = 12j
told("without the other", d.conj())


# Gradients pass through it.
def loss(w):
    y = w * 2
    c = y.conj()
    return (c * c * y).real.sum()


def loss_of_matrix(w):
    m = w.view(2, 2)
    return (m.mH @ m * (1 + 2j)).imag.sum()


for function in (loss, loss_of_matrix):
    w = made().requires_grad_()
    (torch.compile(function) if compiled else function)(w).backward()
    told(function.__name__, w.grad)
    print(w.grad.is_conj())

# A leaf's is a view of a leaf; without recording it is written, as the leaf is. A number is added in place.
w = made().requires_grad_()
c = w.conj()
with torch.no_grad():
    w[0] = 3j
    c[1] = 4j
told("leaf", (w.detach(), c.detach()))
try:
    c[0] = 1
except RuntimeError:
    print("refused")
z = x = made()
c = z.conj()
z += 1 - 2j
c *= 2j
told("in place", (x, c))
w = made().requires_grad_()
c = w.conj()
saved = (c * w).real.sum()
with torch.no_grad():
    w.add_(1)
try:
    saved.backward()
except RuntimeError as e:
    print("modified by an inplace operation" in str(e))
