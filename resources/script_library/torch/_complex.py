# SPDX-License-Identifier: Apache-2.0
# Operations on complex tensors, as operations on pairs of real numbers: what eager calls and captures of them run. A
# gradient is that of the pairs, d/d(Re) + i d/d(Im), which is PyTorch's convention. Formulas with cuts: Kahan, "Branch
# cuts for complex elementary functions" (1987).
import math

import torch
from torch import _ops

P, C = torch.view_as_real, torch.view_as_complex
_real_of = {torch.complex64: torch.float32, torch.complex128: torch.float64}
_complex_of = {torch.float32: torch.complex64, torch.float64: torch.complex128, torch.float16: torch.complex64,
               torch.bfloat16: torch.complex64}


def make(re, im):
    """Of two real tensors, or one and a number; broadcast to each other."""
    if im is None:
        im = torch.zeros_like(re)
    elif not torch.is_tensor(im):
        im = torch.full_like(re, im)
    elif not torch.is_tensor(re):
        re = torch.full_like(im, re)
    if re.shape != im.shape:
        re, im = torch.broadcast_tensors(re, im)
    if re.dtype != im.dtype:
        wide = torch.promote_types(re.dtype, im.dtype)
        re, im = re.to(wide), im.to(wide)
    if re.dtype not in (torch.float32, torch.float64):
        re, im = re.to(torch.float32), im.to(torch.float32)
    if re.is_contiguous() and im.is_contiguous():
        return C(torch.stack([re, im], -1))
    lies = torch.empty_like(re if 0 not in re.stride() else im).stride()  # as elementwise results do
    order = sorted(range(re.dim()), key=lambda d: -lies[d])
    pairs = torch.stack([re.permute(order), im.permute(order)], -1)
    return C(pairs.permute([order.index(d) for d in range(re.dim())] + [re.dim()]))


def is_complex(x):
    return x.dtype in _real_of if torch.is_tensor(x) else isinstance(x, complex)


def parts(x):
    """Real and imaginary part; None for the latter of what is real."""
    if torch.is_tensor(x):
        if x.dtype in _real_of:
            pairs = P(x)
            return pairs.select(-1, 0), pairs.select(-1, 1)
        return x, None
    return (x.real, x.imag) if isinstance(x, complex) else (x, None)


def both(x):
    re, im = parts(x)
    return re, torch.zeros_like(re) if im is None and torch.is_tensor(re) else 0.0 if im is None else im


def number(value, dtype, device):
    value = complex(value)
    return C(torch.tensor([value.real, value.imag], dtype=_real_of[dtype], device=device))


def of_data(values, sizes, dtype, device):
    values = [complex(v) for v in values]
    flat = [part for v in values for part in (v.real, v.imag)]
    if dtype is not None and dtype not in _real_of:
        raise TypeError(f"can't convert complex to {dtype}")
    return C(torch.tensor(flat, dtype=_real_of[dtype or _complex_of[torch.get_default_dtype()]], device=device).reshape(list(sizes) + [2]))


def complex_tensor(real, imag, *, out=None):
    if not torch.is_tensor(real) or not torch.is_tensor(imag):
        raise TypeError("complex(): argument 'real' (position 1) must be Tensor")
    if real.dtype not in (torch.float16, torch.float32, torch.float64) or imag.dtype not in (
            torch.float16, torch.float32, torch.float64):
        raise NotImplementedError("Expected both inputs to be Half, Float or Double tensors but got "
                                  f"{real.dtype} and {imag.dtype}")
    if torch.float16 in (real.dtype, imag.dtype):
        raise NotImplementedError("complex numbers of 16-bit halves (torch.complex32) are not part of Cutaway: "
                                  "convert both parts to float32")
    if real.dtype != imag.dtype:
        raise RuntimeError(f"Expected object of scalar type {str(real.dtype)[6:]} but got scalar type "
                           f"{str(imag.dtype)[6:]} for second argument")
    found = make(real, imag)
    return found if out is None else out.copy_(found)


def polar(abs, angle, *, out=None):
    complex_tensor(abs, angle)  # what dtypes it takes
    found = complex_tensor(abs * torch.cos(angle), abs * torch.sin(angle))
    return found if out is None else out.copy_(found)


def wrapped(dim, rank):
    limit = max(rank, 1)
    if not -limit <= dim < limit:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {dim})")
    return dim + limit if dim < 0 else dim


def all_wrapped(dims, rank):
    return wrapped(dims, rank) if isinstance(dims, int) else [wrapped(d, rank) for d in dims]


def _list(sizes):
    return list(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)) else list(sizes)


class views:
    """Views of pairs: what they do, they do to the dimensions before the last one."""
    def transpose(z, dim0, dim1):
        places = wrapped(dim0, z.dim()), wrapped(dim1, z.dim())
        return C(P(z).transpose(*places)) if z.dim() else z

    swapaxes = swapdims = transpose

    def t(z):
        return views.transpose(z, 0, 1) if z.dim() == 2 else z

    def numpy_T(z):
        return views.permute(z, list(range(z.dim()))[::-1])

    def mT(z):
        return views.transpose(z, -2, -1)

    def conj(z):
        return C(_C._conj_pairs(P(z)))

    def adjoint(z):
        return views.conj(views.transpose(z, -2, -1))

    mH = adjoint

    def permute(z, *dims):
        dims = [wrapped(d, z.dim()) for d in _list(dims)]
        return C(P(z).permute(dims + [z.dim()]))

    def movedim(z, source, destination):
        return C(P(z).movedim(all_wrapped(source, z.dim()), all_wrapped(destination, z.dim())))

    moveaxis = movedim

    def unsqueeze(z, dim):
        return C(P(z).unsqueeze(wrapped(dim, z.dim() + 1)))

    def squeeze(z, *dims, dim=None):
        if dims:
            dim = dims[0] if len(dims) == 1 else dims
        places = None if dim is None else all_wrapped(dim, z.dim())
        if z.dim() == 0:
            return z
        return C(P(z).squeeze() if dim is None else P(z).squeeze(places))

    def select(z, dim, index):
        return C(P(z).select(wrapped(dim, z.dim()), index))

    def index(z, indices):
        if all(i is None or i.dim() == 0 for i in indices):  # places: a view of the pairs
            return C(_ops.index(P(z), indices))
        return by_parts("index", (z, indices), {})

    def slice(z, dim=0, start=None, end=None, step=1):
        return C(_ops.slice(P(z), wrapped(dim, z.dim()), start, end, step))

    def narrow(z, dim, start, length):
        return C(P(z).narrow(wrapped(dim, z.dim()), start, length))

    def reshape(z, *shape):
        return C(P(z).reshape(_list(shape) + [2]))

    def view(z, *shape):
        if len(shape) == 1 and isinstance(shape[0], torch.dtype):
            if shape[0] == z.dtype:
                return z
            pairs = P(z)
            return pairs.flatten(-2) if pairs.dim() > 1 and shape[0] == pairs.dtype else pairs.view(shape[0])
        return C(P(z).view(_list(shape) + [2]))

    def view_as(z, other):
        return z.view(other.shape)

    def reshape_as(z, other):
        return z.reshape(other.shape)

    def expand(z, *sizes, implicit=False):
        return C(P(z).expand(_list(sizes) + [2]))

    def expand_as(z, other):
        return z.expand(other.shape)

    def broadcast_to(z, size):
        return views.expand(z, size)

    def flatten(z, start_dim=0, end_dim=-1):
        places = wrapped(start_dim, z.dim()), wrapped(end_dim, z.dim())
        return C(P(z).flatten(*places)) if z.dim() else views.reshape(z, 1)

    def ravel(z):
        return views.reshape(z, -1)

    def unflatten(z, dim, sizes):
        return C(P(z).unflatten(wrapped(dim, z.dim()), sizes))

    def unbind(z, dim=0):
        return tuple(C(p) for p in P(z).unbind(wrapped(dim, z.dim())))

    def split(z, split_size, dim=0):
        return tuple(C(p) for p in P(z).split(split_size, wrapped(dim, z.dim())))

    def split_with_sizes(z, split_sizes, dim=0):
        return views.split(z, split_sizes, dim)

    def chunk(z, chunks, dim=0):
        return tuple(C(p) for p in P(z).chunk(chunks, wrapped(dim, z.dim())))

    unsafe_chunk, unsafe_split = chunk, split

    def tensor_split(z, indices_or_sections, dim=0):
        return tuple(C(p) for p in P(z).tensor_split(indices_or_sections, wrapped(dim, z.dim())))

    def hsplit(z, *sections):
        return views._split_as(torch.hsplit, z, sections, 0 if z.dim() == 1 else 1)

    def vsplit(z, *sections):
        return views._split_as(torch.vsplit, z, sections, 0)

    def dsplit(z, *sections):
        return views._split_as(torch.dsplit, z, sections, 2)

    def _split_as(f, z, sections, dim):
        sections = sections[0] if len(sections) == 1 else list(sections)
        f(parts(z)[0].detach(), sections)  # what it refuses
        return views.tensor_split(z, sections, dim)

    def diagonal(z, offset=0, dim1=0, dim2=1):
        pairs = P(z).diagonal(offset, wrapped(dim1, z.dim()), wrapped(dim2, z.dim()))
        return C(pairs.movedim(-2, -1))

    def unfold(z, dimension, size, step):
        if z.dim() == 0:
            return C(torch.stack([x.unfold(0, size, step) for x in parts(z)], -1))
        return C(P(z).unfold(wrapped(dimension, z.dim()), size, step).movedim(-2, -1))

    def as_strided_copy(z, size, stride, storage_offset=None):
        return views.clone(views.as_strided(z, size, stride, storage_offset))

    def as_strided(z, size, stride, storage_offset=None):
        if not torch.compiler.is_compiling() and z.is_conj():
            return views.conj(views.as_strided(views.conj(z), size, stride, storage_offset))
        offset = None if storage_offset is None else 2 * storage_offset
        return C(P(z).as_strided(list(size) + [2], [2 * s for s in stride] + [1], offset))

    def contiguous(z, *, memory_format=torch.contiguous_format):
        if memory_format == torch.contiguous_format:
            return C(P(z).contiguous())
        return views.alias(z) if z.is_contiguous(memory_format=memory_format) else views.clone(z, memory_format=memory_format)

    def clone(z, *, memory_format=None):
        if memory_format is None or memory_format == torch.preserve_format:
            return C(P(z).clone())
        if memory_format == torch.contiguous_format:
            return C(P(z).clone(memory_format=memory_format))
        # The channels of each pair innermost.
        return C(P(z).movedim(1, -2).clone(memory_format=torch.contiguous_format).movedim(-2, 1))

    def alias(z):
        return C(P(z))

    positive = resolve_neg = alias

    def resolve_conj(z):
        return views.clone(z) if z.is_conj() else z

    def atleast_1d(*tensors):
        return _each(lambda z: views.reshape(z, 1) if z.dim() == 0 else z, tensors)

    def atleast_2d(*tensors):
        return _each(lambda z: z if z.dim() > 1 else views.unsqueeze(views.atleast_1d(z), 0), tensors)

    def atleast_3d(*tensors):
        return _each(lambda z: z if z.dim() > 2 else views.unsqueeze(views.atleast_2d(z), -1), tensors)


def _each(f, tensors):
    if len(tensors) == 1 and torch.is_tensor(tensors[0]):
        return f(tensors[0])
    return tuple(f(z) for z in (tensors[0] if len(tensors) == 1 else tensors))


# --- elementwise ---

def mul_parts(a, b):
    """Products of pairs, of which the imaginary ones may be None."""
    (ar, ai), (br, bi) = a, b
    if ai is None:
        return ar * br, None if bi is None else ar * bi
    if bi is None:
        return ar * br, ai * br
    return ar * br - ai * bi, ar * bi + ai * br


def length(re, im):
    """|z|, with the gradient 0 at 0."""
    if im is None:
        return torch.abs(re)
    none = (re == 0) & (im == 0)
    return torch.where(none, 0, torch.hypot(torch.where(none, 1, re), im))


def quotient(a, b):
    (ar, ai), (br, bi) = a, b
    if bi is None:
        return ar / br, None if ai is None else ai / br
    # Scaled, so that no square overflows.
    br, bi = torch.as_tensor(br), torch.as_tensor(bi)
    size = torch.maximum(torch.abs(br), torch.abs(bi)).detach()
    none = size == 0
    over = torch.where(none, torch.hypot(br, bi), 1)  # by 0: each part for itself
    size = torch.where(none | torch.isinf(size), 1, size)
    br, bi = br / size, bi / size
    below = torch.where(none, 1, br * br + bi * bi)
    re, im = mul_parts((ar, ai), (br, -bi))
    im = 0 - ar * bi if ai is None else im  # 0, not -0, of real numbers
    return (torch.where(none, ar / over, re / below / size),
            torch.where(none, (0 if ai is None else ai) / over, im / below / size))


def exp_parts(re, im):
    size = torch.exp(re)
    endless = (im == 0) & torch.isinf(size)  # times 0 is NaN
    return size * torch.cos(im), torch.where(endless, im, size * torch.sin(im))


def still(x, where):
    """0 that changes as x does, there; 1 elsewhere."""
    return torch.where(where, x - x.detach(), 1)


def steep(x, where):
    """0 that changes with x without end, there: its gradient is infinite, or NaN of 0; 1 elsewhere."""
    return torch.sqrt(still(x, where))


def wide(x):
    """Where the squares of float32 are exact."""
    return x.double() if x.dtype == torch.float32 else x


def log_size(re, im):
    """log |z|, z not 0: near 1 by |z|^2 - 1, of which |z| has few digits."""
    first = torch.abs(re) >= torch.abs(im)
    big, small = wide(torch.where(first, re, im)), wide(torch.where(first, im, re))
    rest = ((big - 1) * (big + 1) + small * small).to(re.dtype)
    near = (rest > -0.75) & (rest < 3)
    return torch.where(near, torch.log1p(torch.where(near, rest, 0)) * 0.5, torch.log(torch.hypot(re, im)))


def log_parts(re, im):
    none = (re == 0) & (im == 0)
    safe, angle = torch.where(none, 1, re), torch.atan2(im, re).detach()
    return (torch.where(none, torch.log(still(re, none)), log_size(safe, im)),
            torch.where(none, angle - steep(-im, none), torch.atan2(im, safe)))


def sqrt_parts(re, im):
    """The gradient at 0 is a quotient by 0, part by part."""
    none = (re == 0) & (im == 0)
    safe = torch.where(none, 1, re)
    right = safe >= 0  # no abs: its gradient at 0 is 0
    root = torch.sqrt((torch.hypot(safe, im) + torch.where(right, safe, -safe)) * 0.5)
    other, side = im / (2 * root), torch.copysign(torch.ones_like(im), im)
    found = torch.where(right, root, other * side), torch.where(right, other, root * side)
    return torch.where(none, steep(re, none), found[0]), torch.where(none, im.detach() - steep(-im, none), found[1])


def tanh_parts(re, im):
    """Without tan(im), whose poles would take the digits of its gradient."""
    t, sin, cos = torch.tanh(re), torch.sin(im), torch.cos(im)
    rest = (1 - t) * (1 + t)
    below = torch.where(t * t < 0.5, cos * cos + t * t * (sin * sin), 1 - rest * (sin * sin))
    return t / below, rest * (sin * cos) / below


def sinh_parts(re, im):
    return torch.sinh(re) * torch.cos(im), torch.cosh(re) * torch.sin(im)


def asin_parts(re, im):
    left, right = sqrt_parts(1 - re, -im), sqrt_parts(1 + re, im)
    return (torch.atan2(re, left[0] * right[0] - left[1] * right[1]),
            torch.asinh(left[0] * right[1] - left[1] * right[0]))


def acos_parts(re, im):
    left, right = sqrt_parts(1 - re, -im), sqrt_parts(1 + re, im)
    return 2 * torch.atan2(left[0], right[0]), torch.asinh(right[0] * left[1] - right[1] * left[0])


def acosh_parts(re, im):
    left, right = sqrt_parts(re - 1, im), sqrt_parts(re + 1, im)
    return torch.asinh(left[0] * right[0] + left[1] * right[1]), 2 * torch.atan2(left[1], right[0])


def atanh_parts(re, im):
    """Odd in re: of -1, too, nothing is left of 1 + x that does not begin so."""
    square, right = im * im, re >= 0
    endless, size = torch.isinf(im) | torch.isinf(re), torch.where(right, re, -re)
    real = torch.log1p(4 * torch.where(endless, 0, size) / ((1 - size) * (1 - size) + square)) * 0.25
    return (torch.where(right, real, -real),
            torch.atan2(torch.where(endless, torch.sign(im), 2 * im), (1 - re) * (1 + re) - square) * 0.5)


def turned(f, re, im):
    """-i f(i z)"""
    x, y = f(-im, re)
    return y, -x


class elementwise:
    """Of the parts of one tensor."""
    def neg(re, im):
        return -re, -im

    negative = neg

    def conj_physical(re, im):
        return re, -im

    _conj_physical = conj_physical
    exp, log, sqrt, tanh, sinh = exp_parts, log_parts, sqrt_parts, tanh_parts, sinh_parts
    asin, acos, acosh, atanh = asin_parts, acos_parts, acosh_parts, atanh_parts
    arcsin, arccos, arccosh, arctanh = asin, acos, acosh, atanh

    def cosh(re, im):
        return torch.cosh(re) * torch.cos(im), torch.sinh(re) * torch.sin(im)

    def cos(re, im):
        return torch.cos(re) * torch.cosh(im), -torch.sin(re) * torch.sinh(im)

    def sin(re, im):
        return torch.sin(re) * torch.cosh(im), torch.cos(re) * torch.sinh(im)

    def tan(re, im):
        return turned(tanh_parts, re, im)

    def atan(re, im):
        return turned(atanh_parts, re, im)

    def asinh(re, im):
        return turned(asin_parts, re, im)

    arctan, arcsinh = atan, asinh

    def log2(re, im):
        a, b = log_parts(re, im)
        return a / math.log(2), b / math.log(2)

    def log10(re, im):
        a, b = log_parts(re, im)
        return a / math.log(10), b / math.log(10)

    def log1p(re, im):
        none = (re == -1) & (im == 0)
        angle, safe = torch.atan2(im, 1 + re).detach(), torch.where(none, 0, re)
        near = (torch.abs(re) < 0.5) & (torch.abs(im) < 0.5)
        a, b = wide(torch.where(near, re, 0)), wide(torch.where(near, im, 0))
        small = torch.log1p((a * (2 + a) + b * b).to(re.dtype)) * 0.5
        return (torch.where(none, torch.log(still(re, none)), torch.where(near, small, log_size(1 + safe, im))),
                torch.where(none, angle - steep(-im, none), torch.atan2(im, 1 + safe)))

    special_log1p = log1p

    def exp2(re, im):
        return exp_parts(re * math.log(2), im * math.log(2))

    special_exp2 = exp2

    def expm1(re, im):
        half = torch.sin(im * 0.5)
        return torch.expm1(re) * torch.cos(im) - 2 * half * half, torch.exp(re) * torch.sin(im)

    special_expm1 = expm1

    def square(re, im):
        return (re - im) * (re + im), 2 * re * im

    def reciprocal(re, im):
        return quotient((torch.ones_like(re), None), (re, im))

    def rsqrt(re, im):
        return elementwise.reciprocal(*sqrt_parts(re, im))

    def sigmoid(re, im):
        a, b = exp_parts(-re, -im)
        return elementwise.reciprocal(1 + a, b)

    special_expit = sigmoid

    def silu(re, im):
        return mul_parts((re, im), elementwise.sigmoid(re, im))

    def sgn(re, im):
        size = length(re, im)
        safe = torch.where(size == 0, 1, size)
        return torch.where(size == 0, 0, re / safe), torch.where(size == 0, 0, im / safe)

    def sinc(re, im):
        none = (re == 0) & (im == 0)
        x, y = torch.where(none, 1, re) * math.pi, im * math.pi
        a, b = quotient(elementwise.sin(x, y), (x, y))
        return torch.where(none, 1, a), torch.where(none, 0, b)

    special_sinc = sinc

    def nan_to_num(re, im, nan=None, posinf=None, neginf=None):
        return torch.nan_to_num(re, nan, posinf, neginf), torch.nan_to_num(im, nan, posinf, neginf)

    def logit(re, im, eps=None):
        a, b = log_parts(re, im)
        c, d = log_parts(1 - re, -im)
        return a - c, b - d


class told:
    """Real answers of complex tensors."""
    def abs(z):
        return length(*parts(z))

    absolute = abs

    def angle(z):
        re, im = parts(z)
        none = (re == 0) & (im == 0)
        return torch.where(none, torch.atan2(im, re).detach(), torch.atan2(im, torch.where(none, 1, re)))

    def real(z):
        return parts(z)[0]

    def imag(z):
        return parts(z)[1]

    def isnan(z):
        return torch.isnan(P(z)).any(-1)

    def isinf(z):
        return torch.isinf(P(z)).any(-1)

    def isfinite(z):
        return torch.isfinite(P(z)).all(-1)

    def isreal(z):
        return parts(z)[1] == 0

    def logical_not(z):
        return z == 0

    def is_nonzero(z):
        return bool((z != 0).item())

    def count_nonzero(z, dim=None):
        return (z != 0).sum() if dim is None else (z != 0).sum(dim)

    def any(z, dim=None, keepdim=False):
        return torch.any(z != 0) if dim is None else torch.any(z != 0, dim, keepdim)

    def all(z, dim=None, keepdim=False):
        return torch.all(z != 0) if dim is None else torch.all(z != 0, dim, keepdim)

    def var(z, *args, **kwargs):
        re, im = parts(z)
        return torch.var(re, *args, **kwargs) + torch.var(im, *args, **kwargs)

    def std(z, *args, **kwargs):
        return torch.sqrt(told.var(z, *args, **kwargs))

    def var_mean(z, *args, **kwargs):
        return told.var(z, *args, **kwargs), make(*(torch.var_mean(x, *args, **kwargs)[1] for x in parts(z)))

    def std_mean(z, *args, **kwargs):
        var, mean = told.var_mean(z, *args, **kwargs)
        return torch.sqrt(var), mean

    def linalg_vector_norm(z, ord=2, dim=None, keepdim=False, *, dtype=None):
        if isinstance(ord, complex):
            raise RuntimeError("linalg.vector_norm: Expected a non-complex scalar as the order of norm.")
        if not is_complex(z):
            raise RuntimeError("linalg.vector_norm: dtype should be real for real inputs, but got "
                               f"{torch._methods._scalar_type(dtype)}")
        if dtype is not None and dtype not in _real_of:
            raise RuntimeError("linalg.vector_norm: dtype should be complex for complex inputs, but got "
                               f"{torch._methods._scalar_type(dtype)}")
        size = told.abs(z)
        return torch.linalg.vector_norm(size, ord, dim, keepdim, dtype=_real_of.get(dtype))

    def norm(z, p="fro", dim=None, keepdim=False, dtype=None):
        if p == "nuc":
            return torch.linalg.matrix_norm(z, "nuc", (-2, -1) if dim is None else dim, keepdim)
        return told.linalg_vector_norm(z, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)

    def linalg_norm(z, ord=None, dim=None, keepdim=False, *, dtype=None):
        matrix = ord is not None and (isinstance(dim, (list, tuple)) and len(dim) == 2 or dim is None and z.dim() == 2)
        if not matrix:
            return told.linalg_vector_norm(z, 2 if ord is None else ord, dim, keepdim, dtype=dtype)
        return told.linalg_matrix_norm(z, ord, dim or (-2, -1), keepdim, dtype=dtype)

    def linalg_matrix_norm(z, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
        if ord == "fro":
            return told.linalg_vector_norm(z, 2, dim, keepdim, dtype=dtype)
        if ord not in ("nuc", 2, -2):
            return torch.linalg.matrix_norm(told.abs(z), ord, dim, keepdim)
        values = torch.linalg.svdvals(z.movedim(dim, (-2, -1)))
        found = values.sum(-1) if ord == "nuc" else values.amax(-1) if ord == 2 else values.amin(-1)
        for d in sorted(all_wrapped(dim, z.dim())) if keepdim else []:
            found = found.unsqueeze(d)
        return found


def conj(x):
    re, im = parts(x)
    return x if im is None else make(re, -im)


def scaled(x, factor):
    if not torch.is_tensor(x) and not torch.is_tensor(factor):
        return x * factor
    return x if factor == 1 else binary.mul(x, factor)


def scaled_beside(x, factor, other):
    """x times factor, in the dtype that both are added in."""
    if torch.is_tensor(x) and not x.is_floating_point() and not is_complex(x) and factor != 1:
        x = x.to(P(other).dtype if torch.is_tensor(other) else torch.float32)
    return scaled(x, factor)


def want_no_bools(*tensors):
    if any(torch.is_tensor(x) and x.dtype == torch.bool for x in tensors):
        raise NotImplementedError("Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
                                  "trying to invert a mask, use the `~` or `logical_not()` operator instead.")


class binary:
    def add(a, b, *, alpha=1):
        (ar, ai), (br, bi) = parts(a), parts(scaled_beside(b, alpha, a))
        im = (0.0 if ai is None else ai) + (0.0 if bi is None else bi)  # -0 + 0 is 0, as in PyTorch
        return make(ar + br, im)

    def sub(a, b, *, alpha=1):
        want_no_bools(a, b)
        (ar, ai), (br, bi) = parts(a), parts(scaled_beside(b, alpha, a))
        im = 0 - bi if ai is None else ai + 0.0 if bi is None else ai - bi
        return make(ar - br, im)

    def rsub(a, b, *, alpha=1):
        want_no_bools(a, b)
        return binary.sub(b, scaled_beside(a, alpha, b))

    def mul(a, b):
        return make(*mul_parts(parts(a), parts(b)))

    def div(a, b, *, rounding_mode=None):
        if rounding_mode is not None:
            raise NotImplementedError("div_floor: not implemented for complex numbers" if rounding_mode == "floor" else
                                      "div_trunc: not implemented for complex numbers")
        if not torch.is_tensor(a):
            return make(*mul_parts(elementwise.reciprocal(*parts(b)), both(a)))  # PyTorch's order
        if not torch.is_tensor(b) and isinstance(b, complex) and b != 0:
            return binary.mul(a, 1 / b)
        return make(*quotient(parts(a), parts(b)))

    subtract, multiply, divide, true_divide = sub, mul, div, div

    def pow(a, b):
        if not torch.is_tensor(b) and not isinstance(b, complex) and b in (0, 1, 2, 3, 0.5, -0.5, -1):
            if b == 0:
                return make(parts(a)[0] ** 0, None)
            if b in (1, 3):
                return views.clone(a) if b == 1 else binary.mul(a, binary.mul(a, a))
            re, im = parts(a)
            x, y = getattr(elementwise, {2: "square", 0.5: "sqrt", -0.5: "rsqrt", -1: "reciprocal"}[b])(re, im)
            if b == 0.5:  # its gradient at 0 is NaN, unlike that of sqrt
                none = (re == 0) & (im == 0)
                zero = torch.hypot(torch.where(none, re, 1), torch.where(none, im, 0))
                x, y = torch.where(none, zero, x), torch.where(none, im.detach() - zero, y)
            return make(x, y)
        if not torch.is_tensor(a):
            found = torch.tensor(complex(a), dtype=torch.complex128)
            a = make(*(x.to(_real_of[result_dtype((a, b))]) for x in parts(found)))
        re, im = both(a)
        if torch.is_tensor(re) and not re.is_floating_point():
            re, im = (x.to(P(b).dtype if torch.is_tensor(b) else torch.float32) for x in (re, im))
        none = (re == 0) & (im == 0)
        logarithm = log_parts(torch.where(none, 1, re), im)
        x, y = mul_parts(logarithm, parts(b))
        x, y = exp_parts(x, y)
        zero = (parts(b)[0] == 0) & (True if parts(b)[1] is None else parts(b)[1] == 0)
        # Of 0, to powers below 1 (or 1 + yi), the gradient is NaN.
        zero = torch.as_tensor(zero)
        x_of, y_of = both(b)
        below = none & torch.as_tensor((x_of < 1) | ((x_of == 1) & (y_of != 0))) & ~zero
        rough = torch.hypot(torch.where(below, re, 1), torch.where(below, im, 0))
        # exp(b log 0), as the C library has it: 0, NaN or infinite by the sign of b's real part.
        x_of = torch.as_tensor(x_of)
        beyond = torch.where(x_of > 0, 0.0, torch.where(x_of < 0, math.inf, math.nan))
        at = torch.where(below, rough, 0.0) + beyond
        return make(torch.where(none, at, x), torch.where(none, torch.where(x_of > 0, 0.0, math.nan), y))

    def float_power(a, b):
        wide = lambda x: x.to(torch.complex128) if torch.is_tensor(x) else x
        return binary.pow(wide(a), wide(b))

    def eq(a, b):
        (ar, ai), (br, bi) = both(a), both(b)
        return (ar == br) & (ai == bi)

    def ne(a, b):
        (ar, ai), (br, bi) = both(a), both(b)
        return (ar != br) | (ai != bi)

    not_equal = ne

    def logical_and(a, b):
        return torch.logical_and(a != 0, b != 0)

    def logical_or(a, b):
        return torch.logical_or(a != 0, b != 0)

    def logical_xor(a, b):
        return torch.logical_xor(a != 0, b != 0)

    def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
        if torch.is_tensor(b) and a.dtype != b.dtype:
            raise RuntimeError(f"{a.dtype} did not match {b.dtype}")
        close = (told.abs(binary.sub(a, b)) <= atol + rtol * told.abs(b)) & told.isfinite(b) | binary.eq(a, b)
        return close | (told.isnan(a) & told.isnan(b)) if equal_nan else close

    def addcmul(a, b, c, *, value=1):
        return a + scaled(binary.mul(*_common(a, b, c)), value)

    def addcdiv(a, b, c, *, value=1):
        if not any(is_complex(x) or x.is_floating_point() for x in (b, c)):
            raise RuntimeError("addcdiv: expected a floating-point tensor1 or tensor2, found integers")
        return a + scaled(binary.div(*_common(a, b, c)), value)

    def lerp(a, b, weight):
        for name, x in (("end", b), ("weight", weight)):
            if torch.is_tensor(x) and x.dtype != a.dtype and (name == "end" or x.dim() > 0):
                raise RuntimeError(f"expected dtype {str(a.dtype)[6:]} for `{name}` but got dtype {str(x.dtype)[6:]}")
        if not is_complex(a):
            a, b = _common(weight, a, b)
        return a + binary.mul(weight, binary.sub(b, a))

    def mse_loss(a, b, weight=None, reduction="mean"):
        raise NotImplementedError("mse_loss of complex tensors: PyTorch has none; use ((a - b).abs() ** 2).mean()")


def _widest(dtypes):
    if any(d in _real_of for d in dtypes):
        return torch.complex128 if torch.complex128 in dtypes or torch.float64 in dtypes else torch.complex64
    floats = [d for d in dtypes if d.is_floating_point] or dtypes
    found = None
    for dtype in floats:
        found = dtype if found is None or found == dtype else torch.promote_types(found, dtype)
    return found


def _over(most, least):
    """most, which counts first, unless least is of a higher kind."""
    if most is None or least is None:
        return least if most is None else most
    if least not in _real_of or most in _real_of:
        return least if least.is_floating_point and not most.is_floating_point and most not in _real_of else most
    if most in (torch.float16, torch.bfloat16):
        raise NotImplementedError("complex numbers of 16-bit halves (torch.complex32) are not part of Cutaway: "
                                  "convert the real tensor to float32")
    return _complex_of[most] if most.is_floating_point else least


def result_dtype(operands):
    """torch.result_type of several: of tensors of no dimensions, and of numbers, the kind counts only."""
    tensors = [x for x in operands if torch.is_tensor(x)]
    numbers = [_complex_of[torch.get_default_dtype()]] if any(isinstance(x, complex) for x in operands) else []
    return _over(_widest([x.dtype for x in tensors if x.dim()]),
                 _over(_widest([x.dtype for x in tensors if not x.dim()]), _widest(numbers)))


def promoted(operands):
    """Tensors in the precision of the result, real ones as real numbers."""
    dtype = result_dtype(operands)
    if dtype not in _real_of:
        return operands
    wanted = lambda x: dtype if is_complex(x) else _real_of[dtype] if x.is_floating_point() else x.dtype
    return [converted(x, wanted(x)) if torch.is_tensor(x) else x for x in operands]


def _common(a, *others):
    """Real ones in the precision of the result."""
    dtype = result_dtype((a,) + others)
    return [converted(x, dtype if dtype in _real_of else torch.complex64) for x in others]


# --- of several elements ---

def multilinear(f, tensors):
    """f of tensors of which it is linear in each: all products of real and imaginary parts."""
    terms = [((), 0)]
    for x in tensors:
        re, im = parts(x)
        grown = [(chosen + (re,), power) for chosen, power in terms]
        if im is not None:
            grown += [(chosen + (im,), power + 1) for chosen, power in terms]
        terms = grown
    sums = [None, None]
    for chosen, power in terms:
        found = f(*chosen)
        found = -found if power % 4 in (2, 3) else found
        at = power % 2
        sums[at] = found if sums[at] is None else sums[at] + found
    return sums[0], sums[1]


def product(f, mixed=False):
    """Of two tensors, of one dtype unless mixed."""
    def run(a, b, **kwargs):
        if not mixed:
            want_one_dtype(a, b)
        return make(*multilinear(lambda x, y: f(*same(x, y), **kwargs), (a, b)))

    return run


def want_one_dtype(*tensors):
    if len(set(x.dtype for x in tensors)) > 1:
        raise RuntimeError("expected operands of one dtype, found " + " and ".join(str(x.dtype)[6:] for x in tensors))


def same(x, y):
    if x.dtype == y.dtype:
        return x, y
    wide = torch.promote_types(x.dtype, y.dtype)
    return x.to(wide), y.to(wide)


class products:
    mm, bmm, matmul, mv, dot, inner = (product(f) for f in (torch.mm, torch.bmm, torch.matmul, torch.mv, torch.dot,
                                                            torch.inner))
    outer, ger, kron = (product(f, mixed=True) for f in (torch.outer, torch.outer, torch.kron))
    linalg_matmul = matmul

    def vdot(a, b):
        want_one_dtype(a, b)
        return products.dot(conj(a), b)

    def linalg_vecdot(a, b, *, dim=-1):
        return reductions.sum(binary.mul(conj(a), b), dim)

    def cross(a, b, dim=None):
        want_one_dtype(a, b)
        return make(*multilinear(lambda x, y: torch.cross(*same(x, y), dim=dim), (a, b)))

    def linalg_cross(a, b, *, dim=-1):
        want_one_dtype(a, b)
        return make(*multilinear(lambda x, y: torch.linalg.cross(*same(x, y), dim=dim), (a, b)))

    def tensordot(a, b, dims=2, dims_other=None):
        want_one_dtype(a, b)
        dims = [dims, dims_other] if dims_other is not None else dims
        if isinstance(dims, (list, tuple)):
            dims = [all_wrapped(dims[0], a.dim()), all_wrapped(dims[1], b.dim())]
        return make(*multilinear(lambda x, y: torch.tensordot(*same(x, y), dims=dims), (a, b)))

    def einsum(equation, *operands, path=None):
        if not isinstance(equation, str):
            equation, operands = operands[0], equation
        operands = operands[0] if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else operands
        want_one_dtype(*operands)
        return make(*multilinear(lambda *chosen: torch.einsum(equation, *chosen), list(operands)))

    def linear(input, weight, bias=None):
        found = products.matmul(input, weight.mT if weight.dim() > 1 else weight)
        if bias is not None:
            want_one_dtype(input, bias)
        return found if bias is None else found + bias

    def addmm(a, b, c, *, beta=1, alpha=1):
        want_one_dtype(a, b, c)
        return _sum(a, products.mm(b, c), beta, alpha)

    def addmv(a, b, c, *, beta=1, alpha=1):
        want_one_dtype(a, b, c)
        return _sum(a, products.mv(b, c), beta, alpha)

    def baddbmm(a, b, c, *, beta=1, alpha=1):
        want_one_dtype(a, b, c)
        return _sum(a, products.bmm(b, c), beta, alpha)

    def addbmm(a, b, c, *, beta=1, alpha=1):
        want_one_dtype(a, b, c)
        return _sum(a, reductions.sum(products.bmm(b, c), 0), beta, alpha)

    def addr(a, b, c, *, beta=1, alpha=1):
        b, c = _common(a, b, c)
        return _sum(converted(a, b.dtype), products.outer(b, c), beta, alpha)

    def linalg_multi_dot(tensors):
        found = tensors[0]
        for other in tensors[1:]:
            found = products.matmul(found, other)
        return found

    def chain_matmul(*tensors):
        return products.linalg_multi_dot(tensors)

    def matrix_power(a, n):
        if n < 0:
            return products.matrix_power(torch.linalg.inv(a), -n)
        if n == 0:
            return others.fill(a, 0) + torch.eye(a.shape[-1], dtype=P(a).dtype, device=a.device)
        found = None
        while n:
            if n % 2:
                found = a if found is None else products.matmul(found, a)
            a, n = products.matmul(a, a) if n > 1 else a, n // 2
        return views.clone(found)

    linalg_matrix_power = matrix_power


def _sum(a, found, beta, alpha):
    found = scaled(found, alpha)
    return found if beta == 0 else scaled(a, beta) + found


def convolution(f):
    def run(input, weight, bias=None, *args, **kwargs):
        want_one_dtype(*([input, weight] if bias is None else [input, weight, bias]))
        found = make(*multilinear(lambda x, w: f(x, w, None, *args, **kwargs), (input, weight)))
        return found if bias is None else found + bias.reshape([-1] + [1] * (weight.dim() - 2))

    return run


def _real_dtype(kwargs):
    if kwargs.get("dtype") in _real_of:
        kwargs["dtype"] = _real_of[kwargs["dtype"]]
    return kwargs


def _log_sum(a, b):
    """log(e^a + e^b)"""
    first = parts(a)[0] >= parts(b)[0]
    most, least = torch.where(first, a, b), torch.where(first, b, a)
    apart = least - most
    endless = (a == b) & torch.isinf(parts(a)[0])  # whose difference is NaN
    apart = torch.where(endless, torch.zeros_like(apart), apart)
    return torch.where(endless, a, most + torch.log1p(torch.exp(apart)))


class reductions:
    def sum(z, dim=None, keepdim=False, *, dtype=None):
        return _reduced(torch.sum, z, dim, keepdim, dtype)

    def mean(z, dim=None, keepdim=False, *, dtype=None):
        return _reduced(torch.mean, z, dim, keepdim, dtype)

    def cumsum(z, dim, *, dtype=None):
        z = converted(z, dtype)
        if not is_complex(z):
            return torch.cumsum(z, dim, dtype=dtype)
        return make(*(torch.cumsum(x, dim) for x in both(z)))

    def prod(z, dim=None, keepdim=False, *, dtype=None):
        z = converted(z, dtype)
        if not is_complex(z):
            return torch.prod(z, dtype=dtype) if dim is None else torch.prod(z, dim, keepdim, dtype=dtype)
        if dim is None:
            z, dim, keepdim = views.reshape(z, -1), 0, False
        if z.dim() == 0:
            return views.clone(z)
        dim = wrapped(dim, z.dim())
        if z.shape[dim] == 0:
            sizes = list(z.shape)
            sizes[dim] = 1
            z = torch.ones(sizes, dtype=z.dtype, device=z.device) + z.sum(dim, True)
        while z.shape[dim] > 1:
            half = z.shape[dim] // 2
            low, high = z.narrow(dim, 0, half), z.narrow(dim, half, half)
            rest = z.narrow(dim, 2 * half, z.shape[dim] - 2 * half)
            z = torch.cat([binary.mul(low, high), rest], dim) if rest.shape[dim] else binary.mul(low, high)
        return z if keepdim else z.squeeze(dim)

    def cumprod(z, dim, *, dtype=None):
        z = converted(z, dtype)
        if not is_complex(z):
            return torch.cumprod(z, dim, dtype=dtype)
        if z.dim() == 0:
            return views.clone(z)
        dim, step = wrapped(dim, z.dim()), 1
        while step < z.shape[dim]:
            rest = z.shape[dim] - step
            z = torch.cat([z.narrow(dim, 0, step), binary.mul(z.narrow(dim, step, rest), z.narrow(dim, 0, rest))], dim)
            step *= 2
        return z

    def trapezoid(y, x=None, *, dx=None, dim=-1):
        found, dim = _trapezoids(y, x, dim, 1 if dx is None else dx)
        return found.sum(dim)

    trapz = trapezoid

    def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
        found, dim = _trapezoids(y, x, dim, 1 if dx is None else dx)
        return found.cumsum(dim)

    def logsumexp(z, dim, keepdim=False):
        largest = parts(z)[0].amax(dim, True).detach()
        largest = torch.where(torch.isinf(largest), 0, largest)
        found = torch.log(torch.exp(z - largest).sum(dim, True)) + largest
        return found if keepdim else found.squeeze(dim)

    def logcumsumexp(z, dim):
        if z.dim() == 0:
            return views.clone(z)
        dim, step = wrapped(dim, z.dim()), 1
        while step < z.shape[dim]:
            rest = z.shape[dim] - step
            z = torch.cat([z.narrow(dim, 0, step), _log_sum(z.narrow(dim, step, rest), z.narrow(dim, 0, rest))], dim)
            step *= 2
        return z

    def trace(z):
        return make(*(torch.trace(x) for x in parts(z)))


def _reduced(f, z, dim, keepdim, dtype):
    z = converted(z, dtype)
    if not is_complex(z):
        return f(z, dtype=dtype) if dim is None else f(z, dim, keepdim, dtype=dtype)
    if dim is None:
        return make(*(f(x) for x in both(z)))
    return make(*(f(x, dim, keepdim) for x in both(z)))


def converted(x, dtype):
    if dtype is None or dtype == x.dtype:
        return x
    if dtype in _real_of:
        re, im = parts(x)
        if im is None:
            return make(re.to(_real_of[dtype]), None)
        return C(P(x).to(_real_of[dtype]))
    if dtype == torch.bool:
        return x != 0
    re, im = parts(x)
    return re * 1 if im is not None and re.dtype == dtype else re.to(dtype)  # no view of the complex numbers


def _trapezoids(y, x, dim, dx):
    dim = wrapped(dim, y.dim())
    n = y.shape[dim]
    sums = (y.narrow(dim, 1, n - 1) + y.narrow(dim, 0, n - 1)) * 0.5
    if x is None:
        return sums * dx, dim
    if x.dim() == 1:
        x = x.reshape([-1] + [1] * (y.dim() - 1 - dim))
    last = x.dim() - (y.dim() - dim)
    return sums * (x.narrow(last, 1, n - 1) - x.narrow(last, 0, n - 1)), dim


# --- copies of elements: each part by itself ---

_by_parts = set("""roll flip fliplr flipud rot90 repeat tile repeat_interleave tril triu diag diag_embed diagflat gather
index_select take take_along_dim masked_select diff scatter scatter_add index_add index_copy index_put
masked_scatter slice_scatter select_scatter diagonal_scatter put argwhere_ new_tensor_ constant_pad_nd pad block_diag
hstack vstack dstack column_stack row_stack meshgrid broadcast_tensors cartesian_prod combinations
expand_copy permute_copy select_copy slice_copy t_copy transpose_copy
unsqueeze_copy squeeze_copy view_copy diagonal_copy alias_copy unfold_copy unbind_copy split_copy
split_with_sizes_copy narrow_copy index_reduce_ channel_shuffle pixel_shuffle pixel_unshuffle
upsample_ movedim_ unsafe_split_ embedding reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d circular_
replication_pad3d reflection_pad3d _unsafe_masked_index _unsafe_masked_index_put_accumulate resize_as_""".split())


def _part(x, which, dtype):
    """Of an argument: its part, where it is a value; positions and masks stay."""
    if torch.is_tensor(x):
        if is_complex(x):
            return parts(x)[which].to(dtype)
        if not x.is_floating_point():
            return x
        return x.to(dtype) if which == 0 else torch.zeros_like(x, dtype=dtype)
    if isinstance(x, complex):
        return (x.real, x.imag)[which]
    if isinstance(x, (list, tuple)) and any(torch.is_tensor(y) for y in x):
        whole = any(is_complex(y) for y in x if torch.is_tensor(y))
        return [(_value if whole else _part)(y, which, dtype) for y in x]
    return x


def _value(x, which, dtype):
    return x if not torch.is_tensor(x) else both(x)[which].to(dtype)


def _dtypes(x):
    if torch.is_tensor(x):
        return [P(x).dtype if is_complex(x) else x.dtype] if is_complex(x) or x.is_floating_point() else []
    return [d for y in x for d in _dtypes(y)] if isinstance(x, (list, tuple)) else []


_views_written = {"select_scatter", "slice_scatter", "diagonal_scatter"}
_written = {"scatter", "scatter_add", "index_add", "index_copy", "index_put", "masked_scatter", "put", "index_reduce"}
# Whose tensors are values all, given one by one.
_all_values = {"block_diag", "meshgrid", "broadcast_tensors", "cartesian_prod"}
# Whose source has the dtype of what it goes into; that of the others is converted.
_like_source = {"scatter": 3, "scatter_add": 3, "index_add": 3, "index_copy": 3, "put": 2, "masked_scatter": 2}


def by_parts(base, args, kwargs):
    if base in _views_written | _written and not is_complex(args[0]):
        if base in _views_written:  # discards the imaginary part
            return getattr(_ops, base)(args[0], parts(args[1])[0], *args[2:], **kwargs)
        raise RuntimeError(f"{base}(): self and source expected to have the same dtype, but got (self) "
                           f"{str(args[0].dtype)[6:]} and a complex source")
    if base in _all_values:
        tensors = list(args[0]) if len(args) == 1 and not torch.is_tensor(args[0]) else list(args)
        if base in ("meshgrid", "cartesian_prod") and len(set(x.dtype for x in tensors)) > 1:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
        wide = torch.complex128 if any(x.dtype in (torch.float64, torch.complex128) for x in tensors) else torch.complex64
        args = [converted(x, wide) for x in tensors]
    source = args[_like_source[base]] if len(args) > _like_source.get(base, len(args)) else kwargs.get("source", kwargs.get("src"))
    if base in _like_source and torch.is_tensor(source) and source.dtype != args[0].dtype:
        raise RuntimeError(f"{base}(): Expected self.dtype to be equal to src.dtype, found {args[0].dtype} and {source.dtype}")
    if base in _views_written:
        args = (args[0], converted(args[1], args[0].dtype)) + tuple(args[2:])
    found = [d for x in list(args) + list(kwargs.values()) for d in _dtypes(x)]
    dtype = torch.float64 if torch.float64 in found else torch.float32
    f = getattr(_ops, base)
    re, im = (f(*(_part(x, which, dtype) for x in args), **{k: _part(x, which, dtype) for k, x in kwargs.items()})
              for which in (0, 1))
    return make(re, im) if torch.is_tensor(re) else type(re)(make(a, b) for a, b in zip(re, im))


def _of_real(name, z, dim, dtype):
    """What is computed of real numbers only: of those that dtype makes of z."""
    if dtype is None or dtype.is_complex:
        raise NotImplementedError(f'"{name}" not implemented for complex tensors here; compute it of torch.view_as_real(x), '
                                  "or of x.real and x.imag")
    return getattr(torch, name)(converted(z, dtype), dim)


def _want_no_derivative(name, *tensors):
    if torch.is_grad_enabled() and any(x.requires_grad for x in tensors):
        raise NotImplementedError(f"{name} does not support automatic differentiation for outputs with complex dtype.")


def _products(z, dim, index, src):
    """Row after row: no place is written twice by one."""
    if index.dim() == 0:
        return _products(z.reshape(1), 0, index.reshape(1), src.reshape(1)).reshape(())
    for i in range(index.shape[dim]):
        at = index.narrow(dim, i, 1)
        by = src[tuple(slice(n) for n in index.shape)].narrow(dim, i, 1)
        z = torch.scatter(z, dim, at, torch.gather(z, dim, at) * by)
    return z


def _reduced_into(z, dim, index, src, reduce, include_self):
    src = converted(src, z.dtype)
    if not include_self:
        z = others.scatter(z, dim, index, 1 if reduce == "prod" else 0)
    if reduce == "prod":
        return _products(z, dim, index, src)
    sums = torch.scatter_add(z, dim, index, src)
    if reduce == "sum":
        return sums
    each = torch.ones_like(parts(z)[0])
    if not include_self:
        each = each.scatter(dim, index, 0)
    each = each.scatter_add(dim, index, torch.ones_like(index, dtype=each.dtype)).clamp(min=1)
    return sums / converted(each, z.dtype)


class others:
    def cat(tensors, dim=0):
        kinds = torch.complex128 if any(x.dtype in (torch.complex128, torch.float64) for x in tensors) else torch.complex64
        pairs = [P(converted(x, kinds)) for x in tensors]
        rank = max(x.dim() for x in tensors)
        pairs = [p for p in pairs if p.dim() == rank + 1] or pairs
        return C(torch.cat(pairs, wrapped(dim, rank)))

    concat = concatenate = cat

    def stack(tensors, dim=0):
        dim = wrapped(dim, tensors[0].dim() + 1)
        return others.cat([x.unsqueeze(dim) for x in tensors], dim)

    def where(condition, a, b):
        if torch.is_tensor(a) and a.dtype == torch.bool and not (torch.is_tensor(condition) and condition.dtype == torch.bool):
            condition, a = a, condition  # a.where(condition, b)
        if is_complex(condition):
            raise RuntimeError("where expected condition to be a boolean tensor, but got a tensor with dtype "
                               f"{condition.dtype}")
        (ar, ai), (br, bi) = map(both, promoted((a, b)))
        return make(torch.where(condition, ar, br), torch.where(condition, ai, bi))

    def scatter(z, dim, index, src=None, *, value=None, reduce=None):
        src = value if src is None else src
        if not torch.is_tensor(src):
            src = torch.full(index.shape, complex(src), dtype=z.dtype, device=z.device)
        if reduce == "multiply":
            return _products(z, dim, index, src)
        return by_parts("scatter", (z, dim, index, src), {} if reduce is None else {"reduce": reduce})

    def scatter_reduce(z, dim, index, src, reduce, *, include_self=True):
        if reduce in ("amax", "amin"):
            raise NotImplementedError(f'"scatter_gather_tensor_cpu_reduce_{reduce}" not implemented for '
                                      f"'{torch._methods._scalar_type(z.dtype)}'")
        if reduce not in ("sum", "prod", "mean"):
            raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
        _want_no_derivative("scatter_reduce", z, src)
        return _reduced_into(z, dim, index, src, reduce, include_self)

    def index_reduce(z, dim, index, source, reduce, *, include_self=True):
        if reduce not in ("prod", "mean", "amax", "amin"):
            raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
        _want_no_derivative("index_reduce", z, source)
        missing = {"amax": "maximum_cpu", "amin": "minimum_cpu"}.get(reduce)
        if not include_self:
            missing = "index_reduce_func_exclude_input_init"
        if missing:
            raise NotImplementedError(f"\"{missing}\" not implemented for '{torch._methods._scalar_type(z.dtype)}'")
        where = [1] * source.dim()
        where[dim] = -1
        return _reduced_into(z, dim, index.reshape(where).expand(source.shape), source, reduce, True)

    def masked_fill(z, mask, value):
        (re, im), (x, y) = parts(z), parts(value)
        if im is None:
            raise RuntimeError("value cannot be converted to type float without overflow")
        return make(torch.where(mask, x, re).to(re.dtype), torch.where(mask, 0 if y is None else y, im).to(re.dtype))

    def index_fill(z, dim, index, value):
        if not is_complex(z):
            raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
        (re, im), (x, y) = parts(z), both(value)
        return make(torch.index_fill(re, dim, index, x), torch.index_fill(im, dim, index, y))

    def constant_pad_nd(z, pad, value=0):
        (re, im), (x, y) = both(z), both(value)
        return make(torch.constant_pad_nd(re, pad, x), torch.constant_pad_nd(im, pad, y))

    def pad(z, pad, mode="constant", value=None):
        if mode == "constant":
            return others.constant_pad_nd(z, pad, 0 if value is None else value)
        return make(*(torch.nn.functional.pad(x, pad, mode) for x in parts(z)))

    def fill(z, value):
        (re, im), (x, y) = parts(z), both(value)
        return make(torch.fill(re, x), torch.fill(im, y))

    def copy(z, source, non_blocking=False):
        return converted(source, z.dtype).expand(z.shape).clone()

    def scalar_tensor(value, *, dtype=None, device=None, **options):
        return number(value, dtype or torch.complex64, device)

    def lift_fresh(z):
        return z

    def type_as(z, other):
        return converted(z, other.dtype)

    def softmax(z, dim, dtype=None):
        return _of_real("softmax", z, dim, dtype)

    def log_softmax(z, dim, dtype=None):
        return _of_real("log_softmax", z, dim, dtype)

    def dropout(z, p=0.5, training=True, inplace=False):
        return binary.mul(z, torch.nn.functional.dropout(torch.ones_like(parts(z)[0]), p, training))

    def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
        return bool(binary.isclose(a, b, rtol, atol, equal_nan).all().item())

    def equal(a, b):
        return a.shape == b.shape and bool((a == b).all().item())

    def nonzero(z, *, as_tuple=False):
        return torch.nonzero(z != 0, as_tuple=as_tuple)

    def argwhere(z):
        return torch.nonzero(z != 0)

    def l1_loss(a, b, *how, reduction=None):
        found = told.abs(binary.sub(a, b))
        reduction = reduction or (how[-1] if how else "mean")
        return found.mean() if reduction in ("mean", 1) else found.sum() if reduction in ("sum", 2) else found

    def ldexp(a, b):
        return binary.mul(a, 2.0 ** (b if is_complex(b) or b.is_floating_point() else b.to(torch.get_default_dtype())))

    def softsign(z):
        return z / (told.abs(z) + 1)

    def tanhshrink(z):
        return z - torch.tanh(z)

    def normalize(z, p=2.0, dim=1, eps=1e-12):
        return z / told.linalg_vector_norm(z, p, dim, True).clamp_min(eps)

    def cov(z, *, correction=1, fweights=None, aweights=None):
        z = z.reshape(1, -1) if z.dim() < 2 else z
        if fweights is None and aweights is None:
            apart, weighted, count = z - z.mean(1, keepdim=True), None, z.shape[1] - correction
            weighted = apart
        else:
            weights = fweights if aweights is None else aweights if fweights is None else fweights * aweights
            total = weights.sum()
            apart = z - (z * weights).sum(1, keepdim=True) / total
            weighted = apart * weights
            count = total - correction
            if aweights is not None and correction != 0:
                count = total - correction * (weights * aweights).sum() / total
            count = torch.clamp(count, min=0)
        count = max(count, 0) if not torch.is_tensor(count) else count
        return (products.matmul(apart, conj(weighted).mT) / count).squeeze()

    def pairwise_distance(a, b, p=2.0, eps=1e-6, keepdim=False):
        return told.linalg_vector_norm(binary.sub(a, b) + eps, p, -1, keepdim)

    def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction=1):
        near, far = (others.pairwise_distance(anchor, x, p, eps) for x in (positive, negative))
        if swap:
            far = torch.minimum(far, others.pairwise_distance(positive, negative, p, eps))
        found = torch.clamp_min(near - far + margin, 0)
        return found.mean() if reduction in ("mean", 1) else found.sum() if reduction in ("sum", 2) else found

    def rms_norm(z, normalized_shape, weight=None, eps=None):
        eps = torch.finfo(P(z).dtype).eps if eps is None else eps
        dims = list(range(-len(normalized_shape), 0))
        found = z * torch.rsqrt((z * z).mean(dims, keepdim=True) + eps)
        return found if weight is None else converted(found * weight, z.dtype)

    def renorm(z, p, dim, maxnorm):
        dim = wrapped(dim, z.dim())
        sizes = told.linalg_vector_norm(z, p, [d for d in range(z.dim()) if d != dim], True)
        return z * torch.where(sizes > maxnorm, maxnorm / (sizes + 1e-7), 1.0)

    def as_strided_scatter(z, src, size, stride, storage_offset=None):
        if not is_complex(z):
            return torch.as_strided_scatter(z, parts(src)[0], size, stride, storage_offset)
        offset = None if storage_offset is None else 2 * storage_offset
        return C(torch.as_strided_scatter(P(z), P(converted(src, z.dtype)), list(size) + [2], [2 * s for s in stride] + [1], offset))

    def im2col(z, *how):
        return make(*(torch.ops.aten.im2col(x, *how) for x in parts(z)))

    def logaddexp(a, b):
        return _log_sum(a, b)

    def corrcoef(z):
        found = others.cov(z)
        if found.dim() == 0:
            return found / found
        sizes = torch.sqrt(parts(found.diagonal())[0])
        return found / sizes.unsqueeze(1) / sizes.unsqueeze(0)

    def linalg_vander(x, *, N=None):
        x = x.reshape(1) if x.dim() == 0 else x
        n = x.shape[-1] if N is None else N
        powers = x.unsqueeze(-1).expand(list(x.shape) + [n - 1]).cumprod(-1)
        return torch.cat([torch.ones_like(x).unsqueeze(-1), powers], -1)

    def vander(x, N=None, increasing=False):
        found = others.linalg_vander(x, N=N)
        return found if increasing else found.flip(-1)

    def sum_to_size(z, *size):
        return make(*(x.sum_to_size(*size) for x in parts(z)))

    def dist(a, b, p=2):
        return told.linalg_vector_norm(binary.sub(a, b), p)


# C++'s names of dtypes, in messages.
_words = {torch.float32: "float", torch.float64: "double", torch.float16: "c10::Half", torch.bfloat16: "c10::BFloat16",
          torch.int32: "int"}


def real_number(x, dtype):
    """A complex number that an element of a real dtype is to have."""
    if x.imag != 0 and dtype != torch.bool:
        raise RuntimeError(f"value cannot be converted to type {_words.get(dtype, str(dtype)[6:] + '_t')} without overflow")
    return x != 0 if dtype == torch.bool else x.real


# What takes numbers in the dtype of its real tensors, and those that are never complex.
_held = set("scatter scatter_reduce fill full_like new_full masked_fill lerp addcmul addcdiv leaky_relu hardtanh softplus threshold".split())
_doubles = set("clamp clamp_min clamp_max".split())


def of_real_numbers(base, args, kwargs):
    """The arguments of a call whose tensors are real and whose numbers have to be, or nothing."""
    tensors = [x for x in list(args) + list(kwargs.values()) if torch.is_tensor(x)]
    numbers = [x for x in list(args) + list(kwargs.values()) if isinstance(x, complex)]
    if not tensors or not numbers or any(is_complex(x) for x in tensors) or kwargs.get("dtype") in _real_of:
        return None
    if base in ("add", "sub", "rsub") and isinstance(kwargs.get("alpha"), complex):
        raise RuntimeError("For non-complex input tensors, argument alpha must not be a complex number.")
    if base == "pad":
        raise TypeError("pad(): argument 'value' (position 4) must be float, not complex")
    if base not in _held and base not in _doubles:
        return None
    whole = base in _doubles and not tensors[0].is_floating_point()
    if whole:
        raise NotImplementedError("clamp is not supported for complex types")
    dtype = torch.float64 if base in _doubles else kwargs.get("dtype") or tensors[0].dtype
    plain = lambda x: real_number(x, dtype) if isinstance(x, complex) else x
    return [plain(x) for x in args], {k: plain(x) for k, x in kwargs.items()}


def factory(base, args, kwargs):
    kwargs = dict(kwargs)
    dtype = kwargs.pop("dtype", None)
    like = bool(args) and torch.is_tensor(args[0])
    if dtype is None:
        dtype = args[0].dtype if like and is_complex(args[0]) else torch.complex64
    real = _real_of.get(dtype, dtype)
    if dtype not in _real_of:
        args = [real_number(x, dtype) if isinstance(x, complex) else x for x in args]
        kwargs = {k: real_number(x, dtype) if isinstance(x, complex) else x for k, x in kwargs.items()}
    if like and is_complex(args[0]):
        args = (parts(args[0])[0],) + tuple(args[1:])
    f = getattr(_ops, base)
    if dtype not in _real_of:
        return f(*args, dtype=dtype, **kwargs)
    split = lambda x, which: (complex(x).real, complex(x).imag)[which] if isinstance(x, complex) else x
    if base in ("linspace", "logspace"):
        if base == "logspace" or not any(isinstance(x, complex) for x in args):
            return make(f(*args, dtype=real, **kwargs), None)
        return make(*(f(*([split(x, w) if isinstance(x, complex) else x * (1 - w) for x in args[:2]] + list(args[2:])),
                        dtype=real, **kwargs) for w in (0, 1)))
    re = f(*(split(x, 0) for x in args), **{k: split(x, 0) for k, x in kwargs.items()}, dtype=real)
    imaginary = [x for x in list(args) + list(kwargs.values()) if isinstance(x, complex)]
    return make(re, torch.full_like(re, imaginary[0].imag) if imaginary else None)


_factories = set("""zeros ones full empty eye arange linspace logspace zeros_like ones_like full_like empty_like new_zeros
new_ones new_full new_empty tri""".split())
_convolutions = {name: convolution(getattr(torch.nn.functional, name)) for name in (
    "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")}
_conversions = ("prims.convert_element_type", "_to_copy", "to")


def operation(base, args, kwargs):
    if complex in args:
        args = tuple([torch.complex128 if a is complex else a for a in args])
    if kwargs.get("dtype") is complex:
        kwargs["dtype"] = torch.complex128
    out = kwargs.pop("out", None) if "out" in kwargs else None
    found = computed(base, args, kwargs)
    if out is None:
        return found
    if torch.is_tensor(found) and torch.is_tensor(out):
        if not torch.can_cast(found.dtype, out.dtype):
            raise RuntimeError(f"result type {str(found.dtype)[6:]} can't be cast to the desired output type "
                               f"{str(out.dtype)[6:]}")
        if out.shape != found.shape:
            out.resize_(found.shape)
    return out.copy_(found)


# What is asked for an operation, in order; torch._complex_linalg adds its own.
tables = [binary, views, told, reductions, products, others]


# Binary ones whose operands may differ in dtype.
_promoting = set("add sub subtract rsub mul multiply div divide true_divide pow".split())
_unordered = set("minimum maximum fmax fmin sort argsort msort topk argmax argmin aminmax isneginf isposinf".split())


def computed(base, args, kwargs):
    plain = of_real_numbers(base, args, kwargs)
    if plain is not None:
        return getattr(_ops, base)(*plain[0], **plain[1])
    if base in _unordered or base in ("max", "min") and (len(args) > 1 or kwargs):
        raise TypeError(f"{base} does not support complex input")
    if base == "sign":
        raise NotImplementedError("torch.sign does not take complex numbers; use torch.sgn instead")
    if base in _conversions:
        return converted(args[0], args[1] if len(args) > 1 else kwargs.get("dtype"))
    if base == "prims.device_put":
        return C(torch.view_as_real(args[0]).to(args[1]))
    if base in _factories:
        return factory(base, args, kwargs)
    if base in ("rand", "randn"):
        return getattr(torch, base)(*args, **kwargs)
    f = getattr(elementwise, base, None)
    if f is not None:
        return make(*f(*parts(args[0]), *args[1:], **kwargs))
    if base in _promoting:
        args = promoted(args)
    for table in tables:
        f = getattr(table, base, None)
        if f is not None:
            return f(*args, **kwargs)
    if base in _convolutions:
        return _convolutions[base](*args, **kwargs)
    if base in _by_parts:
        return by_parts(base, args, kwargs)
    raise NotImplementedError(f'"{base}" not implemented for complex tensors here; compute it of torch.view_as_real(x), '
                              "or of x.real and x.imag")


class Methods:
    """What tensors that are complex have instead of what all have."""
    @property
    def real(self):
        return told.real(self)

    @property
    def imag(self):
        return told.imag(self)

    @property
    def H(self):
        return views.adjoint(self)

    @property
    def mH(self):
        return views.adjoint(self)

    def is_complex(self):
        return True

    def abs_(self):
        raise RuntimeError("In-place abs is not supported for complex tensors.")

    absolute_ = abs_

    def dist(self, other, p=2):
        return others.dist(self, other, p)

    def sum_to_size(self, *size):
        return others.sum_to_size(self, *size)

    def nonzero(self, *, as_tuple=False):
        return others.nonzero(self, as_tuple=as_tuple)

    def masked_select(self, mask):
        return make(*(x.masked_select(mask) for x in parts(self)))

    def repeat_interleave(self, *args, **kwargs):
        return make(*(x.repeat_interleave(*args, **kwargs) for x in parts(self)))
