# SPDX-License-Identifier: Apache-2.0
"""torch.masked and torch.signal.windows. masked.txt is what this prints under PyTorch (python3 masked.py >
masked.txt)."""
import torch

compiled = False  # the test sets it


def how(f):
    return torch.compile(f) if compiled else f


def show(name, t):
    print(name, t.dtype, list(t.shape), t.detach().reshape(-1).tolist())


M = torch.masked
x = torch.tensor([[0.5, -1.25, 2.0, 0.75], [1.5, 0.25, -0.5, 1.0], [3.0, -2.0, 0.125, -1.5]])
mask = torch.tensor([[True, False, True, True], [False, False, True, True], [True, True, False, True]])
row = torch.tensor([True, False, True, True])
for name in ("sum", "prod", "amax", "amin", "argmax", "argmin", "mean", "logsumexp", "norm", "var", "std"):
    f = getattr(M, name)
    show(name, how(lambda t, m: f(t, mask=m))(x, mask))
    leaf = x.clone().requires_grad_()
    result = how(lambda t, m: f(t, dim=1, keepdim=True, mask=m) if name != "norm" else f(t, 3.0, 1, keepdim=True, mask=m))(leaf, row)
    show(name, result)
    if result.requires_grad:
        result.sum().backward()
        show(name, leaf.grad)
for name in ("cumsum", "cumprod", "softmax", "log_softmax", "softmin"):
    f = getattr(M, name)
    show(name, how(lambda t, m: f(t, 0, mask=m))(x, mask))
show("normalize", how(lambda t, m: M.normalize(t, 2.0, 1, mask=m))(x, mask))
show("median", M.median(x, 1, mask=mask))
show("logaddexp", how(lambda t, m: M.logaddexp(t, t * 2, input_mask=m, other_mask=~m))(x, mask))
for dtype in (torch.int64, torch.uint8):
    whole = (x * 4).abs().to(dtype)
    for name in ("sum", "prod", "amax", "amin", "argmax", "cumsum", "std"):
        f = getattr(M, name)
        show(name, f(whole, 1, mask=mask))
show("any", M.sum(mask, 0, mask=row))
for f in (lambda: M.sum(x, 5, mask=mask), lambda: M.sum(x, 1, mask=torch.ones(2, 3, 4, dtype=torch.bool)),
          lambda: M.mean(x.long(), mask=mask)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)

W = torch.signal.windows
for length in (0, 1, 6, 7):
    for sym in (True, False):
        for name in ("bartlett", "blackman", "cosine", "exponential", "gaussian", "hamming", "hann", "kaiser", "nuttall"):
            show(name, getattr(W, name)(length, sym=sym))
        show("general", W.general_cosine(length, a=[0.4, 0.3, 0.2, 0.1], sym=sym, dtype=torch.float64))
show("wide", W.gaussian(5, std=2.5))
show("late", W.exponential(5, center=1, tau=2.0, sym=False))

values = torch.tensor([[1.0, 4.0, 9.0, 16.0], [2.0, 3.0, 5.0, 8.0], [0.5, 0.25, 1.0, -1.0]])
for k, found in enumerate((torch.gradient(values), torch.gradient(values, spacing=2.0, edge_order=2), torch.gradient(values, spacing=[2.0, 0.5]),
                           torch.gradient(values, spacing=(torch.tensor([0.0, 1.0, 3.0]), torch.tensor([0.0, 0.5, 2.0, 2.5])), edge_order=2),
                           torch.gradient(values, spacing=(torch.tensor([0.0, 0.5, 2.0, 2.5]),), dim=1), torch.gradient(values.long(), dim=1))):
    for t in found:
        show(f"gradient {k}", t)
print(torch.fft.fftshift(values[0]).tolist(), torch.fft.ifftshift(values, dim=(0, 1)).tolist(), torch.fft.fftfreq(5, 0.5).tolist(),
      torch.fft.rfftfreq(4).tolist())
