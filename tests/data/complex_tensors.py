# SPDX-License-Identifier: Apache-2.0
# Complex tensors as memory and as text: writes through views, promotion, second derivatives, random numbers.
# complex_tensors.txt is what PyTorch prints.
import math
import torch



def rounded(t):
    values = torch.view_as_real(t.resolve_conj()) if t.is_complex() else t
    return [round(float(v), 6) for v in values.detach().reshape(-1).tolist()]


def show(name, *values):
    for value in values:
        if isinstance(value, (list, tuple)):
            show(name, *value)
        elif isinstance(value, torch.Tensor):
            print(name, value.dtype, list(value.shape), rounded(value))
        else:
            print(name, value)


def numbers(*sizes, dtype=torch.complex128, seed=0):
    count = math.prod(sizes)
    if not dtype.is_complex:
        return torch.tensor([((i + seed) * 7 % 11 - 4.5) / 4 for i in range(count)], dtype=dtype).reshape(sizes)
    flat = [complex(((i + seed) * 7 % 11 - 4.5) / 4, ((i + seed) * 5 % 13 - 6.25) / 5) for i in range(count)]
    return torch.tensor(flat, dtype=dtype).reshape(sizes)


z, w, x = numbers(2, 3), numbers(2, 3, seed=5), numbers(2, 3, dtype=torch.float64)
narrow = numbers(3, dtype=torch.complex64)

a = z.clone()
a[0, 1] = 5
a[1] = a[0] * 1j
a.real[:, 0] = 7
a.imag.mul_(2)
torch.view_as_real(a)[0, 2, 0] = -1
a += 1
show("written", a, a.add_(1j), a.conj_physical_())
for dtype in (torch.int64, torch.float32, torch.float64, torch.complex64, torch.complex128):
    one = torch.ones(2, dtype=dtype)
    show(f"promoted {dtype}", (one * 1j).dtype, (one * narrow[:2]).dtype, (one + torch.tensor(1j)).dtype,
         torch.promote_types(dtype, torch.complex64), torch.result_type(one, 1j))
print(narrow, z[0], torch.tensor([1 + 2j, -3j]), torch.tensor(1.5j), (z * 1e6)[0], torch.zeros(0, dtype=torch.complex64))
print(z.requires_grad, narrow.is_complex(), torch.is_complex(x), narrow.dtype.is_complex, narrow.element_size(),
      narrow.stride(), torch.view_as_real(z).stride(), z.numel(), z.real.stride(), narrow.tolist(), narrow[0].item())
a = z.clone().requires_grad_()
first, = torch.autograd.grad((a ** 3).abs().sum(), a, create_graph=True)
second, = torch.autograd.grad(first.abs().sum(), a)
show("second", second)
torch.manual_seed(0)
show("drawn", torch.randn(3, dtype=torch.complex64), torch.rand(2, dtype=torch.complex128))
for wrong in (lambda: z > w, lambda: torch.fft.rfft(z), lambda: x.imag, lambda: torch.zeros(2).add_(1j)):
    try:
        wrong()
        print("no error")
    except (RuntimeError, NotImplementedError, TypeError) as error:
        print("refused")

# Masks choose among complex numbers without becoming any themselves.
z = torch.tensor([1 + 2j, 3j, -1 + 0j])
print(torch.masked_scatter(z, torch.tensor([True, False, True]), torch.tensor([5j, 7 - 1j])))

# Reductions into picked places: products are those of complex numbers.
z = torch.complex(torch.arange(6.0).reshape(2, 3), torch.ones(2, 3))
index = torch.tensor([[0, 1, 0]])
for reduce in ("sum", "prod", "mean", "amax", "none"):
    for include in (True, False):
        try:
            print(torch.scatter_reduce(z, 0, index, z * 2, reduce, include_self=include).tolist())
        except Exception as e:
            print(type(e).__name__, e)
        try:
            print(torch.index_reduce(z, 0, torch.tensor([0, 1]), z * 2, reduce, include_self=include).tolist())
        except Exception as e:
            print(type(e).__name__, e)
for reduce in ("add", "multiply"):
    print(z.scatter(0, index, z, reduce=reduce).tolist(), z.clone().scatter_(0, index, 3 + 1j, reduce=reduce).tolist())
try:
    z.clone().requires_grad_().scatter_reduce(0, index, z, "sum")
except NotImplementedError as e:
    print(e)

# What dropout draws is real.
for drop in (torch.nn.functional.dropout, torch.nn.functional.feature_alpha_dropout, torch.nn.functional.alpha_dropout):
    torch.manual_seed(3)
    print(drop(z, 0.5, True).tolist())
