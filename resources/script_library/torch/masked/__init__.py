# SPDX-License-Identifier: Apache-2.0
# torch.masked: reductions and normalizations that leave out what a mask says no to. Masks are
# broadcast; where nothing is left, mean and var are nan and the others their identity.
import torch

_SMALL = (torch.uint8, torch.bool, torch.int8, torch.int16, torch.int32)


def _dims(dim, ndim):
    if dim is None or dim == ():
        return tuple(range(ndim))
    ndim = max(ndim, 1)
    dims = []
    for d in (dim,) if isinstance(dim, int) else dim:
        if d >= ndim or d < -ndim:
            raise IndexError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {d})")
        if d % ndim in dims:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        dims.append(d % ndim)
    return tuple(sorted(dims))


def _mask_of(input, mask):
    if mask.shape != input.shape:
        if mask.ndim > input.ndim:
            raise IndexError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
        mask = torch.broadcast_to(mask, input.shape)
    return mask.to(dtype=torch.bool)


def _lowest(dtype):
    return -torch.inf if dtype.is_floating_point else torch.iinfo(dtype).min


def _highest(dtype):
    return torch.inf if dtype.is_floating_point else torch.iinfo(dtype).max


def _kept(input, mask, identity):
    if mask is None:
        return input
    return torch.where(_mask_of(input, mask), input, torch.tensor(identity, dtype=input.dtype, device=input.device))


def _summed(dtype):
    return torch.int64 if dtype in _SMALL else dtype


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    dtype = _summed(input.dtype) if dtype is None else dtype
    return torch.sum(_kept(input, mask, 0), _dims(dim, input.ndim), bool(keepdim), dtype=dtype)


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    dtype = _summed(input.dtype) if dtype is None else dtype
    result = _kept(input, mask, 1).to(dtype=dtype)
    for d in reversed(_dims(dim, input.ndim)):
        result = result.prod(dim=d, keepdim=bool(keepdim))
    return result


def cumsum(input, dim, *, dtype=None, mask=None):
    dtype = input.dtype if dtype is None else dtype
    return torch.cumsum(_kept(input, mask, 0), _dims(dim, input.ndim)[0], dtype=dtype).to(dtype=dtype)


def cumprod(input, dim, *, dtype=None, mask=None):
    dtype = input.dtype if dtype is None else dtype
    return torch.cumprod(_kept(input, mask, 1), _dims(dim, input.ndim)[0], dtype=dtype).to(dtype=dtype)


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    result = torch.amax(_kept(input, mask, _lowest(input.dtype)), _dims(dim, input.ndim), bool(keepdim))
    return result.to(dtype=input.dtype if dtype is None else dtype)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    result = torch.amin(_kept(input, mask, _highest(input.dtype)), _dims(dim, input.ndim), bool(keepdim))
    return result.to(dtype=input.dtype if dtype is None else dtype)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    result = torch.argmax(_kept(input, mask, _lowest(input.dtype)), dim, bool(keepdim))
    return result.to(dtype=input.dtype if dtype is None else dtype)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    result = torch.argmin(_kept(input, mask, _highest(input.dtype)), dim, bool(keepdim))
    return result.to(dtype=input.dtype if dtype is None else dtype)


def _count(input, dim, keepdim, mask):
    if mask is None:
        return sum(torch.ones(input.shape, dtype=torch.int64, device=input.device), dim, keepdim=keepdim)
    return sum(_mask_of(input, mask), dim, keepdim=keepdim)


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    source = "Input" if dtype is None else "Optional"
    dtype = input.dtype if dtype is None else dtype
    if not dtype.is_floating_point and not dtype.is_complex:
        raise ValueError(f"mean(): Could not infer output dtype. {source} dtype must be either "
                         f"a floating point or complex dtype. Got: {dtype}")
    return sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask) / _count(input, dim, keepdim, mask)


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    dtype = input.dtype if dtype is None else dtype
    floating = input.is_floating_point()
    kept = _kept(input if floating else input.to(dtype=torch.float), mask, torch.nan)
    output = torch.nanmedian(kept, _dims(dim, input.ndim)[0], keepdim).values
    if floating:
        return output
    if torch.isnan(output).any():
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return output.to(dtype=dtype)


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    result = torch.logsumexp(_kept(input, mask, _lowest(input.dtype)), _dims(dim, input.ndim), keepdim=keepdim)
    return result.to(dtype=input.dtype if dtype is None else dtype)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    result = torch.logaddexp(_kept(input, input_mask, _lowest(input.dtype)), _kept(other, other_mask, _lowest(other.dtype)))
    return result.to(dtype=input.dtype if dtype is None else dtype)


def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    kept = _kept(input, mask, torch.inf if ord == -torch.inf else 0)
    dtype = input.dtype if dtype is None else dtype
    return torch.linalg.vector_norm(kept, ord, _dims(dim, input.ndim), bool(keepdim), dtype=dtype)


def _variance(input, dim, unbiased, correction, keepdim, dtype, mask):
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    if correction is None:
        correction = 1.0 if unbiased is None or unbiased else 0.0
    if dtype is None:
        dtype = input.dtype if input.dtype.is_floating_point or input.dtype.is_complex else torch.float32
    compute = dtype if dtype.is_floating_point or dtype.is_complex else torch.float32
    count = _count(input, dim, True, mask)
    x = input - sum(input, dim, keepdim=True, dtype=dtype, mask=mask) / count
    total = sum(x * x.conj(), dim, keepdim=keepdim, dtype=compute, mask=mask)
    if not keepdim:
        count = count.reshape(total.shape)
    if correction != 0:
        real = torch.empty(0, dtype=compute).real.dtype if compute.is_complex else compute
        count = torch.clamp(count.to(real) - correction, min=0)
    return (total / count).to(dtype=dtype)


def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    return _variance(input, dim, unbiased, correction, keepdim, dtype, mask)


def std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    return torch.sqrt(_variance(input, dim, unbiased, correction, keepdim, dtype, mask))


def softmax(input, dim, *, dtype=None, mask=None):
    kept = _kept(input, mask, _lowest(input.dtype))
    return torch.nn.functional.softmax(kept, _dims(dim, input.ndim)[0], dtype=input.dtype if dtype is None else dtype)


def log_softmax(input, dim, *, dtype=None, mask=None):
    kept = _kept(input, mask, _lowest(input.dtype))
    return torch.nn.functional.log_softmax(kept, _dims(dim, input.ndim)[0], dtype=input.dtype if dtype is None else dtype)


def softmin(input, dim, *, dtype=None, mask=None):
    kept = _kept(input, mask, _highest(input.dtype))
    return torch.nn.functional.softmin(kept, _dims(dim, input.ndim)[0], dtype=input.dtype if dtype is None else dtype)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    size = norm(input, ord, dim, keepdim=True, dtype=input.dtype if dtype is None else dtype, mask=mask)
    return torch.divide(_kept(input, mask, 0), torch.maximum(size, size.new_full([], eps)))
