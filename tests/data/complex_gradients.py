"""Gradients of functions of a complex number: on the axes, where formulas over real and imaginary parts have corners, and
on the branch cuts. Left out is what is infinite, and asin and acos on their right cuts, where PyTorch's gradient is that of
the other side."""
import torch

points = [3j, -2j, 1j, -1j, 0.5j, -0.5j, 2 + 0j, -2 + 0j, 0.5 + 0j, -0.5 + 0j, complex(-2, -0.0), complex(-0.0, 3),
          complex(-0.0, -2), 1 + 2j, 1 + 1j, -1 - 1j, -1 + 1j, 0.25 + 0.25j, -3 + 4j, 0.3 - 0.7j]
functions = {name: getattr(torch, name) for name in
             ("sqrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh "
              "square reciprocal sigmoid sgn sinc abs angle").split()}
functions["pow"] = lambda z: z ** 0.5
functions["exponent"] = lambda z: 2 ** z


def beyond(name, p):
    cut = {"asin": p.imag == 0 and abs(p.real) > 1, "acos": p.imag == 0 and abs(p.real) > 1,
           "asinh": p.real == 0 and abs(p.imag) >= 1, "acosh": p.imag == 0 and p.real == -2,
           "atan": p.real == 0 and abs(p.imag) >= 1, "atanh": p.imag == 0 and abs(p.real) > 1}
    return cut.get(name, False)


def shown(value):
    value = complex(value)
    return f"{round(value.real, 4) + 0.0:.4f} {round(value.imag, 4) + 0.0:.4f}"


for name, function in functions.items():
    for p in points:
        if beyond(name, p):
            continue
        z = torch.tensor(p, dtype=torch.complex128, requires_grad=True)
        y = function(z)
        row = [shown(y.item())]
        for part in (y.real, y.imag) if y.is_complex() else (y,):
            row.append(shown(torch.autograd.grad(part, z, retain_graph=True)[0].item()))
        print(name, p.real, p.imag, *row)
