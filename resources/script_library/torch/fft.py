# SPDX-License-Identifier: Apache-2.0
# torch.fft: transforms along one dimension after the other, each a call of the library, of pairs of real numbers.
import math

import torch
from torch._complex import C, P, conj, converted, is_complex, make, parts


def _dims(input, dim):
    return list(range(input.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)


def fftshift(input, dim=None):
    dims = _dims(input, dim)
    return torch.roll(input, [input.shape[d] // 2 for d in dims], dims)


def ifftshift(input, dim=None):
    dims = _dims(input, dim)
    return torch.roll(input, [(input.shape[d] + 1) // 2 for d in dims], dims)


def _want_fraction(dtype, name):
    if dtype is not None and not dtype.is_floating_point and not dtype.is_complex:
        raise RuntimeError(f"{name} requires a floating point or complex dtype")


def fftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False, out=None):
    _want_fraction(dtype, "fftfreq")
    places = torch.arange(n, dtype=torch.get_default_dtype() if dtype is None else dtype, device=device)
    found = torch.where(places < (n + 1) // 2, places, places - n) * (1.0 / (n * d))
    return _given(found.requires_grad_() if requires_grad else found, out)


def rfftfreq(n, d=1.0, *, dtype=None, device=None, requires_grad=False, out=None):
    _want_fraction(dtype, "rfftfreq")
    places = torch.arange(n // 2 + 1, dtype=torch.get_default_dtype() if dtype is None else dtype, device=device)
    found = places * (1.0 / (n * d))
    return _given(found.requires_grad_() if requires_grad else found, out)


def _given(found, out):
    return found if out is None else out.copy_(found)


def _floating(x):
    if x.dtype in (torch.float16, torch.bfloat16):
        raise NotImplementedError(f"Unsupported dtype {'Half' if x.dtype == torch.float16 else 'BFloat16'}")
    return x if is_complex(x) or x.is_floating_point() else x.to(torch.get_default_dtype())


def _real(x, name):
    if is_complex(x):
        raise TypeError(f"{name} expects a real-valued input tensor, but got {_scalar_name(x)}")
    return _floating(x)


def _scalar_name(x):
    return {"complex64": "ComplexFloat", "complex128": "ComplexDouble"}[str(x.dtype)[6:]]


def _factor(sizes, norm, inverse):
    """sizes: the points of all transformed dimensions."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    if norm == "ortho":
        return 1 / math.sqrt(math.prod(sizes))
    return 1 / math.prod(sizes) if (norm == "forward") != inverse else 1


def _resized(x, dims, sizes):
    """Cut off, or filled up with zeros."""
    fill = [0, 0] * x.dim()
    for d, n in zip(dims, sizes):
        if x.shape[d] > n:
            x = x.narrow(d, 0, n)
        fill[2 * (x.dim() - 1 - d) + 1] = n - x.shape[d]
    return torch.nn.functional.pad(x, fill) if any(fill) else x


def _wanted(x, s, dim, last=None):
    """The transformed dimensions and their points; the last one's is last(size) where s says nothing."""
    rank = x.dim()
    if s is not None:
        s = [s] if isinstance(s, int) else list(s)
    if dim is None:
        dims = list(range(rank)) if s is None else list(range(rank - len(s), rank))
        if s is not None and len(s) > rank:
            raise RuntimeError(f"Got shape with {len(s)} values but input tensor only has {rank} dimensions.")
    else:
        dims = []
        for d in [dim] if isinstance(dim, int) else dim:
            if not -rank <= d < rank:
                raise IndexError(f"Dimension out of range (expected to be in range of [{-max(rank, 1)}, "
                                 f"{max(rank, 1) - 1}], but got {d})")
            dims.append(d % rank)
    if len(set(dims)) != len(dims):
        raise RuntimeError("FFT dims must be unique")
    if s is not None and len(s) != len(dims):
        raise RuntimeError("When given, dim and shape arguments must have the same length")
    sizes = [x.shape[d] for d in dims]
    if last is not None:
        if not sizes:
            raise RuntimeError("must transform at least one axis")
        sizes[-1] = last(sizes[-1])
    sizes = sizes if s is None else [size if n == -1 else n for n, size in zip(s, sizes)]
    for n in sizes:
        if n < 1:
            raise RuntimeError(f"Invalid number of data points ({n}) specified")
    return dims, sizes


def _along(z, dim, inverse):
    """One dimension, not scaled."""
    pairs = P(z).movedim(dim, -2)
    found = _C._matrix_task(pairs, None, "fourier, inverse" if inverse else "fourier")
    return C(found.reshape(pairs.shape).movedim(-2, dim))


def _order(x, dims, last=()):
    """As PyTorch's kernels leave dimensions: in the order of x's strides, transformed ones within the others, the last
    one innermost."""
    strides = x.stride()
    outer = lambda d: -strides[d]
    if 0 in x.shape:
        return list(range(x.dim()))
    others = [d for d in range(x.dim()) if d not in dims and d not in last]
    return sorted(others, key=outer) + sorted(dims, key=outer) + list(last)


def _lying(found, order, factor):
    found = (found if factor == 1 else found * factor).permute(order)
    found = found.clone(memory_format=torch.contiguous_format)
    return found.permute([order.index(d) for d in range(len(order))])


def _to_pairs(x):
    return x if is_complex(x) else x.to(torch.complex128 if x.dtype == torch.float64 else torch.complex64)


def _pairs_to_pairs(z, dims, inverse, factor=1):
    order = _order(z, dims)
    for d in reversed(dims):
        z = _along(z, d, inverse)
    return _lying(z, order, factor)


def _reals_to_half(x, dims, factor):
    """k >= 0 of the last dimension."""
    order = _order(x, dims[:-1], dims[-1:])
    z = _along(make(x, None), dims[-1], False).narrow(dims[-1], 0, x.shape[dims[-1]] // 2 + 1)
    for d in reversed(dims[:-1]):
        z = _along(z, d, False)
    return _lying(z, order, factor)


def _half_to_reals(z, dim, n, factor):
    """The other half is the conjugate of this one."""
    order = _order(z, [dim])
    if (n - 1) // 2 > 0:
        z = torch.cat([z, conj(torch.flip(z.narrow(dim, 1, (n - 1) // 2), [dim]))], dim)
    return _lying(parts(_along(z, dim, True))[0], order, factor)


def _full_size(size):
    return 2 * (size - 1)


def _half_of(sizes):
    return sizes[:-1] + [sizes[-1] // 2 + 1]


def _fftn(input, s, dim, norm, out, inverse):
    x = _floating(input)
    dims, sizes = _wanted(x, s, dim)
    factor = _factor(sizes, norm, inverse)
    return _given(_pairs_to_pairs(_to_pairs(_resized(x, dims, sizes)), dims, inverse, factor), out)


def fftn(input, s=None, dim=None, norm=None, *, out=None):
    return _fftn(input, s, dim, norm, out, False)


def ifftn(input, s=None, dim=None, norm=None, *, out=None):
    return _fftn(input, s, dim, norm, out, True)


def rfftn(input, s=None, dim=None, norm=None, *, out=None):
    x = _real(input, "rfftn")
    dims, sizes = _wanted(x, s, dim, lambda size: size)
    return _given(_reals_to_half(_resized(x, dims, sizes), dims, _factor(sizes, norm, False)), out)


def irfftn(input, s=None, dim=None, norm=None, *, out=None):
    x = _floating(input)
    dims, sizes = _wanted(x, s, dim, _full_size)
    factor = _factor(sizes, norm, True)
    z = _resized(_to_pairs(x), dims, _half_of(sizes))
    z = _pairs_to_pairs(z, dims[:-1], True) if dims[:-1] else z
    return _given(_half_to_reals(z, dims[-1], sizes[-1], factor), out)


def hfftn(input, s=None, dim=None, norm=None, *, out=None):
    x = _floating(input)
    dims, sizes = _wanted(x, s, dim, _full_size)
    factor = _factor(sizes, norm, False)
    z = _resized(_to_pairs(x), dims, _half_of(sizes))
    z = _pairs_to_pairs(z, dims[:-1], False) if dims[:-1] else z
    # With positive exponents of the conjugate half, in the last dimension; it is the same.
    return _given(_half_to_reals(conj(z), dims[-1], sizes[-1], factor), out)


def ihfftn(input, s=None, dim=None, norm=None, *, out=None):
    x = _real(input, "ihfftn")
    dims, sizes = _wanted(x, s, dim, lambda size: size)
    factor = _factor(sizes, norm, True)
    z = conj(_reals_to_half(_resized(x, dims, sizes), dims[-1:], factor))
    return _given(_pairs_to_pairs(z, dims[:-1], True) if dims[:-1] else z, out)


def _one(n):
    if n == -1:  # all of a dimension, of s alone
        raise RuntimeError("Invalid number of data points (-1) specified")
    return None if n is None else (n,)


def fft(input, n=None, dim=-1, norm=None, *, out=None):
    return fftn(input, _one(n), (dim,), norm, out=out)


def ifft(input, n=None, dim=-1, norm=None, *, out=None):
    return ifftn(input, _one(n), (dim,), norm, out=out)


def rfft(input, n=None, dim=-1, norm=None, *, out=None):
    return rfftn(input, _one(n), (dim,), norm, out=out)


def irfft(input, n=None, dim=-1, norm=None, *, out=None):
    return irfftn(input, _one(n), (dim,), norm, out=out)


def hfft(input, n=None, dim=-1, norm=None, *, out=None):
    return hfftn(input, _one(n), (dim,), norm, out=out)


def ihfft(input, n=None, dim=-1, norm=None, *, out=None):
    return ihfftn(input, _one(n), (dim,), norm, out=out)


def fft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return fftn(input, s, dim, norm, out=out)


def ifft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return ifftn(input, s, dim, norm, out=out)


def rfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return rfftn(input, s, dim, norm, out=out)


def irfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return irfftn(input, s, dim, norm, out=out)


def hfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return hfftn(input, s, dim, norm, out=out)


def ihfft2(input, s=None, dim=(-2, -1), norm=None, *, out=None):
    return ihfftn(input, s, dim, norm, out=out)


# --- of frames that move along a signal ---

def _window(window, win_length, n_fft, like):
    dtype = P(like).dtype if is_complex(like) else like.dtype
    window = torch.ones(win_length, dtype=dtype, device=like.device) if window is None else window
    if window.dim() != 1 or window.shape[0] != win_length:
        raise RuntimeError(f"expected a 1D window tensor of size equal to win_length={win_length}, but got window with "
                           f"size {list(window.shape)}")
    left = (n_fft - win_length) // 2
    return torch.nn.functional.pad(window, [left, n_fft - win_length - left]) if win_length < n_fft else window


def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False,
         onesided=None, return_complex=None, align_to_window=None):
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    complex_input = is_complex(input) or (window is not None and is_complex(window))
    if return_complex is None:
        if not complex_input:
            raise RuntimeError("stft requires the return_complex parameter be given for real inputs, and will further "
                               "require that return_complex=True in a future PyTorch release.")
        return_complex = True
    if not 1 <= input.dim() <= 2:
        raise RuntimeError(f"stft: expected a 1D or 2D tensor, found {input.dim()} dimensions")
    if hop_length <= 0:
        raise RuntimeError(f"stft: expected hop_length > 0, but got hop_length={hop_length}")
    if not 0 < win_length <= n_fft:
        raise RuntimeError(f"stft: expected 0 < win_length <= n_fft, but got win_length={win_length}")
    onesided = not complex_input if onesided is None else onesided
    if onesided and complex_input:
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    x = input if input.dim() == 2 else input.unsqueeze(0)
    if center:
        side = n_fft // 2
        fill = lambda part: torch.nn.functional.pad(part.unsqueeze(1), [side, side], mode=pad_mode).squeeze(1)
        x = make(*(fill(part) for part in parts(x))) if is_complex(x) else fill(x)
    if not 0 < n_fft <= x.shape[-1]:
        raise RuntimeError(f"stft: expected 0 < n_fft < {x.shape[-1]}, but got n_fft={n_fft}")
    frames = x.unfold(-1, n_fft, hop_length)
    if window is not None or win_length < n_fft:
        frames = frames * _window(window, win_length, n_fft, x)
    found = (rfft if onesided else fft)(frames, norm="ortho" if normalized else None).transpose(-2, -1)
    found = found if input.dim() == 2 else found.squeeze(0)
    return found if return_complex else P(found)


def istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None,
          length=None, return_complex=False):
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    if not is_complex(input):
        raise RuntimeError("istft requires a complex-valued input tensor matching the output from stft with "
                           "return_complex=True.")
    onesided = input.shape[-2] != n_fft if onesided is None else onesided
    rows = n_fft // 2 + 1 if onesided else n_fft
    if input.shape[-2] != rows:
        raise RuntimeError(f"istft: expected the frequency dimension to be of size {rows}, found {input.shape[-2]}")
    z = (input if input.dim() == 3 else input.unsqueeze(0)).transpose(-2, -1)
    weights = _window(window, win_length, n_fft, input)
    norm = "ortho" if normalized else None
    if return_complex:
        frames = ifft(z, norm=norm)
    else:
        frames = irfft(z if onesided else z.narrow(-1, 0, n_fft // 2 + 1), n=n_fft, norm=norm)
    frames = frames * weights
    count = frames.shape[1]
    total = n_fft + hop_length * (count - 1)
    places = (torch.arange(count, device=input.device).unsqueeze(1) * hop_length +
              torch.arange(n_fft, device=input.device)).reshape(-1)

    def laid(part):
        flat = part.reshape(part.shape[0], -1)
        return torch.zeros(part.shape[0], total, dtype=part.dtype, device=part.device).index_add(1, places, flat)

    sum = make(*(laid(part) for part in parts(frames))) if is_complex(frames) else laid(frames)
    squares = weights * weights
    below = laid(squares.expand(1, count, n_fft).contiguous())
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - n_fft // 2 if center else total
    kept = min(end, total) - start
    sum, below = sum.narrow(-1, start, kept), below.narrow(-1, start, kept)
    if not torch.compiler.is_compiling() and not bool(below.abs().min() > 1e-11):
        raise RuntimeError("window overlap add min: 1")
    found = sum / below
    if end > total:
        fill = lambda part: torch.nn.functional.pad(part, [0, end - total])
        found = make(*(fill(part) for part in parts(found))) if is_complex(found) else fill(found)
    return found if input.dim() == 3 else found.squeeze(0)
