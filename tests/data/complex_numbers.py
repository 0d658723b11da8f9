# SPDX-License-Identifier: Apache-2.0
# Complex numbers and Fourier transforms: values, and gradients by PyTorch's convention. complex_numbers.txt is what
# PyTorch prints.
import math
import torch

compiled = False  # the test sets it


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


def case(name, f, *inputs, gradient=True):
    run = torch.compile(f, fullgraph=True) if compiled else f
    inputs = [x.clone() for x in inputs]
    if gradient:
        for x in inputs:
            if x.is_floating_point() or x.is_complex():
                x.requires_grad_()
    found = run(*inputs)
    show(name, found)
    if not gradient:
        return
    loss = 0
    for value in found if isinstance(found, (list, tuple)) else [found]:
        if not value.requires_grad:
            continue
        pairs = torch.view_as_real(value.resolve_conj()) if value.is_complex() else value
        weights = torch.tensor([0.25 + 0.5 * (i * 7 % 5) for i in range(pairs.numel())], dtype=pairs.dtype)
        loss = loss + (pairs.reshape(-1) * weights).sum()
    loss.backward()
    show(name + " grad", [x.grad for x in inputs if x.requires_grad])


z, w, x = numbers(2, 3), numbers(2, 3, seed=5), numbers(2, 3, dtype=torch.float64)
narrow = numbers(3, dtype=torch.complex64)

for name in ("exp log sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh abs angle sgn neg conj square "
             "reciprocal rsqrt sigmoid log2 log10 log1p expm1 sum mean prod isfinite").split():
    case(name, lambda a, name=name: getattr(torch, name)(a), z, gradient=name != "isfinite")

case("add", lambda a, b: a + b, z, w)
case("sub alpha", lambda a, b: torch.sub(a, b, alpha=2), z, w)
case("mul", lambda a, b: a * b, z, w)
case("div", lambda a, b: a / b, z, w)
case("pow", lambda a, b: a ** b, z, w)
case("pow number", lambda a: (a ** 2, a ** 3, a ** 0.5, a ** -1, 2 ** a, a ** (1 + 2j)), z)
case("real and complex", lambda a, b: (a * b, b - a, a / b, b / a), z, x)
case("literals", lambda a: (a * 2j, 1j + a, a - (1 - 1j), 1j / a), z)
case("of real ones", lambda b: (b * 1j, b + 2j), x)
case("polar", lambda a, b: torch.polar(a.abs(), b), x, x)
case("complex", lambda a, b: torch.complex(a, b), x, x + 1)
case("pairs", lambda a: torch.view_as_real(a) * 3, z)
case("of pairs", lambda a: torch.view_as_complex(a), numbers(3, 2, dtype=torch.float64))
case("parts", lambda a: (a.real * 2, a.imag + 1), z)
case("compared", lambda a, b: (a == b, a != b, a == 1j, torch.isclose(a, a + 1e-12), a == a.real), z, w, gradient=False)
case("views", lambda a: (a.t(), a.mT, a[:, 1:], a[0], a.reshape(3, 2), a.unsqueeze(-1), a.permute(1, 0), a.H), z)
case("copies", lambda a: (torch.flip(a, [1]), torch.roll(a, 1, 0), a.repeat(1, 2), torch.tril(a)), z)
case("joined", lambda a, b: (torch.cat([a, b], -1), torch.stack([a, b], -1), torch.where(a.real > 0, a, b)), z, w)
case("masked", lambda a: a.masked_fill(a.real > 0, 1 + 2j), z)
case("gathered", lambda a: (torch.gather(a, 1, torch.tensor([[0, 2], [1, 1]])), a[torch.tensor([1, 0, 1])]), z)
case("matmul", lambda a, b: a @ b, z, w.reshape(3, 2))
case("matmul real", lambda a, b: a @ b.to(a.dtype), z, x.reshape(3, 2))
case("einsum", lambda a, b: torch.einsum("ij,kj->ik", a, b.conj()), z, w)
case("vdot", lambda a, b: torch.vdot(a.reshape(-1), b.reshape(-1)), z, w)
case("sums", lambda a: (a.sum(0), a.mean(1, keepdim=True), a.cumsum(1), a.prod(0), a.cumprod(1)), z)
case("spread", lambda a: (a.var(), a.std(1), torch.linalg.vector_norm(a)), z)
case("real loss", lambda a: (a * a.conj()).real.sum(), z)
case("twice", lambda a: (a * a).abs().sum() + a.imag.sum(), z)
case("to", lambda a: (a.to(torch.complex64), a.to(torch.complex64) * 2.0), z)
case("casts", lambda a: (a.to(torch.complex64), a.to(torch.complex128)), x)
case("solve", lambda a, b: torch.linalg.solve(a, b), numbers(2, 2) + 2 * torch.eye(2), w[:, :2])
case("inv", lambda a: torch.linalg.inv(a), numbers(2, 2) + 2 * torch.eye(2))
case("det", lambda a: torch.linalg.det(a), numbers(3, 3) + 2 * torch.eye(3))
case("matrix_exp", lambda a: torch.linalg.matrix_exp(a), numbers(2, 2))
case("made", lambda a: (torch.zeros_like(a) + 1, torch.ones(2, dtype=torch.complex64), torch.full((2,), 1j),
                        torch.eye(2, dtype=torch.complex128)), z, gradient=False)

for name in "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn hfftn ihfftn".split():
    given = x if name in ("rfft", "ihfft", "rfft2", "rfftn", "ihfftn") else z
    for norm in (None, "ortho"):
        case(f"{name} {norm}", lambda a, name=name, norm=norm: getattr(torch.fft, name)(a, norm=norm), given)
case("fft n", lambda a: (torch.fft.fft(a, 5), torch.fft.ifft(a, 2, 0), torch.fft.irfft(a, 6, norm="forward")), z)
case("fft primes", lambda a: torch.fft.fft(a, dim=0), numbers(17))
case("shifts", lambda a: (torch.fft.fftshift(a), torch.fft.ifftshift(a, 1), torch.fft.fftfreq(5), torch.fft.rfftfreq(6)), z)
case("convolved", lambda a, b: torch.fft.irfft(torch.fft.rfft(a, 8) * torch.fft.rfft(b, 8), 8), numbers(
    6, dtype=torch.float64), numbers(3, dtype=torch.float64, seed=3))
case("stft", lambda a: torch.stft(a, 8, 3, window=torch.ones(8, dtype=torch.float64), return_complex=True),
     numbers(20, dtype=torch.float64))
case("istft", lambda a: torch.istft(a, 4, window=torch.ones(4, dtype=torch.float64)), numbers(3, 5))

weight = torch.nn.Parameter(numbers(3, 3, seed=2))


def layer(a):
    return (torch.fft.ifft(torch.fft.fft(a) * weight[0]) @ weight).abs().sum()


run = torch.compile(layer, fullgraph=True) if compiled else layer
optimizer = torch.optim.SGD([weight], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = run(z)
    loss.backward()
    optimizer.step()
    show("trained", loss, weight)

# Digits where a formula has few: near |z| = 1, near -1 and 1, near tan's poles.
close = torch.tensor([1.00003 + 0.00002j, 0.600012 + 0.8j, -0.99999 - 0.00003j, 1j * 0.999981], dtype=torch.complex64)
case("near 1", lambda z: (torch.log(z) * 1e4, torch.log10(z) * 1e4, torch.log1p(z - 1) * 1e4), close)
case("near -1", lambda z: torch.log1p(z) * 10, torch.tensor([-0.998 + 1.001j, -1.5 - 0.8660j, -0.3 + 0.72j], dtype=torch.complex64))
case("near poles", torch.atanh, torch.tensor([0.999 + 1e-3j, -0.999 + 1e-3j, -0.98 - 0.2j, 40 + 0.01j], dtype=torch.complex64))
steep = torch.tensor([4 + 1.5j, -6 - 1.56j, 3 + 1.57j], dtype=torch.complex64)
case("steep", torch.tanh, steep)

# Of what is filled nothing is left, but its gradient: zero.
case("zeroed", lambda x: torch.complex(x, x * 2).zero_(), numbers(3, dtype=torch.float64))
case("filled", lambda x: torch.complex(x, x * 2).fill_(2 - 1j) * x, numbers(3, dtype=torch.float64))
case("filled", lambda z: (z * 2).fill_(3), z[:2])

# Of real numbers, which the dtype makes of complex ones.
case("of real numbers", lambda z: (torch.softmax(z, 1, dtype=torch.float64), torch.nn.functional.log_softmax(z, 0, dtype=torch.float64)), z)
