# SPDX-License-Identifier: Apache-2.0
# Methods of tensors, and functions of torch, that are made of others.
import torch

_range = range  # torch has one of its own below
_names = {"float32": "FloatTensor", "float64": "DoubleTensor", "float16": "HalfTensor", "bfloat16": "BFloat16Tensor",
          "uint8": "ByteTensor", "int8": "CharTensor", "int16": "ShortTensor", "int32": "IntTensor", "int64": "LongTensor",
          "bool": "BoolTensor"}


def dist(input, other, p=2):
    return torch.linalg.vector_norm(input - other, p)


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(torch.isclose(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan).all().item())


def equal(input, other):
    for position, value in enumerate((input, other)):
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"equal(): argument '{('input', 'other')[position]}' (position {position + 1}) must be "
                            f"Tensor, not {type(value).__name__}")
    if input.shape != other.shape:
        return False
    return bool((input == other).all().item())


class _Methods:
    def numpy(self, *, force=False):
        import numpy
        if force:
            return numpy.ndarray(tensor=self.detach().cpu())
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.is_cuda:
            raise TypeError(f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the "
                            "tensor to host memory first.")
        if self.dtype == torch.bfloat16:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return numpy.ndarray(tensor=self.detach())

    def __array__(self, dtype=None):
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
        return torch.allclose(self, other, rtol=rtol, atol=atol, equal_nan=equal_nan)

    def equal(self, other):
        return torch.equal(self, other)

    def dist(self, other, p=2):
        return dist(self, other, p)

    def multinomial(self, num_samples, replacement=False, *, generator=None):
        return torch.multinomial(self, num_samples, replacement, generator=generator)

    def bernoulli(self, p=None, *, generator=None):
        if p is not None:
            return self.clone().bernoulli_(p)
        return torch.bernoulli(self, generator=generator)

    def type(self, dtype=None, non_blocking=False):
        if dtype is None:
            place = "torch.cuda." if self.is_cuda else "torch."
            return place + _names[str(self.dtype)[6:]]
        if isinstance(dtype, str):
            name = dtype.rpartition(".")[2]
            known = [d for d, n in _names.items() if n == name]
            if not known:
                raise ValueError(f"invalid type: '{dtype}'")
            dtype = getattr(torch, known[0])
        return self.to(dtype)

    def get_device(self):
        return self.device.index if self.is_cuda else -1

    def is_complex(self):
        return torch.is_complex(self)

    def is_signed(self):
        return torch.is_signed(self)

    def is_nonzero(self):
        return torch.is_nonzero(self)

    def is_same_size(self, other):
        return self.shape == other.shape

    def is_set_to(self, other):
        return self.data_ptr() == other.data_ptr() and self.shape == other.shape and self.stride() == other.stride()

    def is_conj(self):
        return False

    is_neg = is_inference = is_distributed = is_pinned = is_conj

    def is_shared(self):
        return self.is_cuda

    def share_memory_(self):
        return self

    def pin_memory(self, device=None):
        return self

    def record_stream(self, stream):
        return None

    def to_dense(self, dtype=None, *, masked_grad=True):
        return self if dtype is None else self.to(dtype)

    def fill_diagonal_(self, fill_value, wrap=False):
        if self.dim() < 2:
            raise RuntimeError("dimensions must larger than 1")
        if self.dim() > 2 and len(set(self.shape)) > 1:
            raise RuntimeError("all dimensions of input must be of equal length")
        width = self.shape[-1]
        step = sum(self.stride())
        count = min(self.shape)
        if wrap and self.dim() == 2 and self.shape[0] > width:
            count = (self.shape[0] * width + width) // (width + 1)
        self.as_strided([count], [step]).fill_(fill_value)
        return self

    def masked_scatter_(self, mask, source):
        return self.copy_(torch.masked_scatter(self, mask, source))

    def apply_(self, callable):
        return self.copy_(torch.tensor([callable(v) for v in self.reshape(-1).tolist()], dtype=self.dtype).reshape(self.shape))

    def map_(self, tensor, callable):
        a, b = self.reshape(-1).tolist(), tensor.expand(self.shape).reshape(-1).tolist()
        return self.copy_(torch.tensor([callable(x, y) for x, y in zip(a, b)], dtype=self.dtype).reshape(self.shape))

    def new(self, *args):
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            return torch.tensor(args[0], dtype=self.dtype)
        return torch.empty(*args, dtype=self.dtype)

    def __setitem__(self, index, value):
        self[index] = value

    def __len__(self):
        return len(self)

    def __iter__(self):
        return iter(self)

    def __bool__(self):
        return bool(self)

    def __contains__(self, element):
        return bool((self == element).any().item())

    @property
    def nbytes(self):
        return self.numel() * self.element_size()

    @property
    def itemsize(self):
        return self.element_size()

    @property
    def is_cpu(self):
        return not self.is_cuda

    @property
    def is_meta(self):
        return False

    is_sparse = is_quantized = is_mkldnn = is_xla = is_nested = is_sparse_csr = is_vulkan = is_mps = is_xpu = is_ipu = is_meta

    @property
    def layout(self):
        return torch.strided

    @property
    def output_nr(self):
        return 0

    @property
    def name(self):
        return None

    @property
    def H(self):
        if self.dim() != 2 and self.dim() != 0:
            raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.dim()}-D tensor.")
        return self.t()


def _in_place(name):
    def changed(input, *args, **kwargs):
        return getattr(input, name)(*args, **kwargs)

    changed.__name__ = changed.__qualname__ = name
    return changed


class layout:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return "torch." + self._name


strided = layout("strided")


def unravel_index(indices, shape):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    found, indices = [], indices.to(torch.int64)
    for size in reversed(shape):
        found.append(indices % size)
        indices = indices // size
    return tuple(reversed(found))


def range(start=0, end=None, step=1, **options):
    if end is None:
        start, end = 0, start
    count = int((end - start) / step) + 1
    options.setdefault("dtype", torch.float32)
    return torch.arange(count, dtype=options.pop("dtype")) * step + start


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    from torch.func import vmap as mapped
    return mapped(func, in_dims, out_dims, randomness)


def bilinear(input1, input2, weight, bias=None):
    return torch.nn.functional.bilinear(input1, input2, weight, bias)


def embedding_bag(*args, **kwargs):
    return torch.nn.functional.embedding_bag(*args, **kwargs)


def _window(length, periodic, dtype, terms):
    import math
    if length < 2:
        return torch.ones(length, dtype=dtype)
    angle = torch.arange(length, dtype=dtype) * (2 * math.pi / (length if periodic else length - 1))
    found = torch.zeros(length, dtype=dtype)
    for i, factor in enumerate(terms):
        found = found + factor * torch.cos(angle * i)
    return found


def hann_window(window_length, periodic=True, *, dtype=torch.float32, **options):
    return _window(window_length, periodic, dtype, (0.5, -0.5))


def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=torch.float32, **options):
    return _window(window_length, periodic, dtype, (alpha, -beta))


def blackman_window(window_length, periodic=True, *, dtype=torch.float32, **options):
    return _window(window_length, periodic, dtype, (0.42, -0.5, 0.08))


def bartlett_window(window_length, periodic=True, *, dtype=torch.float32, **options):
    if window_length < 2:
        return torch.ones(window_length, dtype=dtype)
    size = window_length if periodic else window_length - 1
    place = torch.arange(window_length, dtype=dtype) * (2.0 / size)
    return torch.where(place <= 1, place, 2 - place)


def gradient(input, *, spacing=None, dim=None, edge_order=1):
    if dim is None and isinstance(spacing, (list, tuple)) and len(spacing) != input.dim():
        dims = [0] if len(spacing) == 1 else list(_range(len(spacing)))
    else:
        dims = list(_range(input.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    spacing = 1 if spacing is None else spacing
    spaces = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(dims)
    if len(spaces) != len(dims):
        raise RuntimeError(f"torch.gradient expected spacing to be unspecified, a scalar or a list of length {len(dims)}, "
                           f"but got a list of length {len(spaces)}")
    found = []
    for d, h in zip(dims, spaces):
        size = input.shape[d]
        if size < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
        found.append(_slope_at(input, d, size, h, edge_order) if torch.is_tensor(h) and h.dim() else
                     _slope(input, d, size, h, edge_order))
    return tuple(found)


def _slope(input, d, size, h, edge_order):
    inner = (input.narrow(d, 2, size - 2) - input.narrow(d, 0, size - 2)) / (2 * h) if size > 2 else None
    at = lambda i: input.narrow(d, i % size, 1)
    if edge_order == 1:
        first, last = (at(1) - at(0)) / h, (at(-1) - at(-2)) / h
    else:
        first = (-3 * at(0) + 4 * at(1) - at(2)) / (2 * h)
        last = (3 * at(-1) - 4 * at(-2) + at(-3)) / (2 * h)
    return torch.cat([p for p in (first, inner, last) if p is not None], dim=d)


def _slope_at(input, d, size, points, edge_order):
    """The same where the elements stand at points that need not be equally far apart."""
    if points.shape != (size,):
        raise RuntimeError(f"torch.gradient expected the coordinates of dimension {d} to be of size {size}")
    along = [1] * input.dim()
    along[d] = size - 1
    apart = (points[1:] - points[:-1]).reshape(along)
    at = lambda i: input.narrow(d, i % size, 1)
    step = lambda i: apart.narrow(d, i % (size - 1), 1)
    inner = None
    if size > 2:
        l, r = apart.narrow(d, 0, size - 2), apart.narrow(d, 1, size - 2)
        inner = (-r / (l * (l + r)) * input.narrow(d, 0, size - 2) + (r - l) / (l * r) * input.narrow(d, 1, size - 2) +
                 l / (r * (l + r)) * input.narrow(d, 2, size - 2))
    if edge_order == 1:
        first, last = (at(1) - at(0)) / step(0), (at(-1) - at(-2)) / step(-1)
    else:
        l, r = step(0), step(1)
        first = -(2 * l + r) / (l * (l + r)) * at(0) + (l + r) / (l * r) * at(1) - l / (r * (l + r)) * at(2)
        l, r = step(-2), step(-1)
        last = r / (l * (l + r)) * at(-3) - (l + r) / (l * r) * at(-2) + (2 * r + l) / (r * (l + r)) * at(-1)
    return torch.cat([p for p in (first, inner, last) if p is not None], dim=d)
