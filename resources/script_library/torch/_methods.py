# SPDX-License-Identifier: Apache-2.0
# Methods of tensors, and functions of torch, that are made of others.
import operator

import torch

_range, _int = range, type(0)  # torch has names of its own for these
_names = {"float32": "FloatTensor", "float64": "DoubleTensor", "float16": "HalfTensor", "bfloat16": "BFloat16Tensor",
          "uint8": "ByteTensor", "int8": "CharTensor", "int16": "ShortTensor", "int32": "IntTensor", "int64": "LongTensor",
          "bool": "BoolTensor", "complex64": "ComplexFloatTensor", "complex128": "ComplexDoubleTensor"}


def _scalar_type(dtype):
    """PyTorch's word for it in messages."""
    return _names.get(str(dtype)[6:], str(dtype)[6:] + "Tensor")[:-len("Tensor")]


def _unique_rows(input, dim, sort, return_inverse, return_counts):
    """unique(dim=...): what lies along dim, in the order of its numbers or, consecutive ones, as it stands."""
    if 0 in input.shape:
        if input.shape[dim]:
            raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
        if list(input.shape).count(0) > 1:
            raise RuntimeError("Number of zero sized dimensions is more than one, so unique cannot be applied ")
    rows = input.movedim(dim, 0)
    flat = rows.flatten(1)
    order = torch.arange(flat.shape[0], device=input.device)
    if sort:
        for column in reversed(_range(flat.shape[1])):
            order = order[flat[order, column].argsort(stable=True)]
    there = flat[order]
    fresh = torch.ones(flat.shape[0], dtype=torch.bool, device=input.device)
    fresh[1:] = (there[1:] != there[:-1]).any(1)
    group = fresh.cumsum(0) - 1
    found = [flat[order][fresh].reshape(-1, *rows.shape[1:]).movedim(0, dim)]
    if return_inverse:
        found.append(torch.empty_like(order).scatter_(0, order, group))
    if return_counts:
        found.append(torch.bincount(group))
    return tuple(found) if len(found) > 1 else found[0]


def _equation(operands):
    """einsum(a, [0, 1], b, [1, 2], [0, 2]) as an equation and its operands."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def word(places):
        for place in places:
            if place is not ... and not 0 <= place < len(letters):
                raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
        return "".join("..." if place is ... else letters[place] for place in places)

    count = len(operands) // 2
    equation = ",".join(word(operands[2 * i + 1]) for i in _range(count))
    if len(operands) % 2:
        equation += "->" + word(operands[-1])
    return equation, [operands[2 * i] for i in _range(count)]


def einsum(*args):
    """einsum("ij,jk->ik", a, b), or with the places of dimensions as numbers: einsum(a, [0, 1], b, [1, 2], [0, 2])."""
    from torch import _ops
    if len(args) < 2:
        raise ValueError("einsum(): must specify the equation string and at least one operand, or at least one operand "
                         "and its subscripts list")
    if isinstance(args[0], str):
        return _ops.einsum(*args)
    equation, operands = _equation(args)
    return _ops.einsum(equation, *operands)


def dist(input, other, p=2):
    return torch.linalg.vector_norm(input - other, p)


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    for position, value in enumerate((input, other)):
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"allclose(): argument '{('input', 'other')[position]}' (position {position + 1}) must be "
                            f"Tensor, not {type(value).__name__}")
    if input.dtype != other.dtype:
        raise RuntimeError(f"allclose: expected tensors of one dtype, found {input.dtype} and {other.dtype}")
    return bool(torch.isclose(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan).all().item())


def equal(input, other):
    for position, value in enumerate((input, other)):
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"equal(): argument '{('input', 'other')[position]}' (position {position + 1}) must be "
                            f"Tensor, not {type(value).__name__}")
    if input.shape != other.shape:
        return False
    return bool((input == other).all().item())


def lu(A, pivot=True, get_infos=False, out=None):
    found, pivots, infos = torch.linalg.lu_factor_ex(A, pivot=pivot)
    return (found, pivots, infos) if get_infos else (found, pivots)


def resize_as_(input, the_template, *, memory_format=None):
    return input.resize_(the_template.shape)


def empty_strided(size, stride, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    if len(size) != len(stride):
        raise RuntimeError(f"mismatch in length of strides and shape: {len(stride)} strides for {len(size)} sizes")
    count = 0 if 0 in size else 1 + sum((n - 1) * step for n, step in zip(size, stride))
    made = torch.empty(count, dtype=dtype, device=device).as_strided(size, stride)
    return made.requires_grad_() if requires_grad else made


def empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False,
                   pin_memory=False):
    strides, step = [0] * len(size), 1
    for d in reversed(physical_layout):
        strides[d] = step
        step *= max(size[d], 1)
    return empty_strided(size, strides, dtype=dtype, device=device, requires_grad=requires_grad)


def nonzero_static(input, *, size, fill_value=-1):
    """The first places of what is not 0, as many rows as size says, filled up with fill_value."""
    flat = input.reshape(-1) != 0
    if flat.numel() == 0 or input.dim() == 0:
        return torch.full((size, input.dim()), fill_value, dtype=torch.int64, device=input.device)
    counts = flat.cumsum(0)
    wanted = torch.arange(size, device=input.device)
    places = torch.searchsorted(counts, wanted + 1)
    columns, step = [], 1
    for n in reversed(input.shape):
        columns.append(torch.where(wanted < counts[-1], places // step % n, fill_value))
        step *= n
    return torch.stack(columns[::-1], -1)


def _chunk_cat(tensors, dim, num_chunks, *, out=None):
    """Each tensor in num_chunks pieces along dim, the last filled up with zeros; the pieces of one number in a row."""
    dim = dim % tensors[0].dim()
    rows = []
    for t in tensors:
        missing = -t.shape[dim] % num_chunks
        filled = torch.nn.functional.pad(t, [0, 0] * (t.dim() - dim - 1) + [0, missing])
        rows.append(filled.reshape(list(t.shape[:dim]) + [num_chunks, -1]))
    return torch.cat(rows, -1, out=out) if out is not None else torch.cat(rows, -1)


def segment_reduce(data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    """Reduces the elements of each segment along axis; in an empty one stays what the reduction starts from."""
    if reduce not in ("sum", "mean", "max", "min", "prod"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    if lengths is None and offsets is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    if axis < -max(data.dim(), 1) or axis >= max(data.dim(), 1):
        limit = max(data.dim(), 1)
        raise IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {axis})")
    axis = axis % max(data.dim(), 1)
    if not data.is_floating_point():
        raise NotImplementedError(f"\"_segment_reduce_cpu\" not implemented for '{_scalar_type(data.dtype)}'")
    ends = offsets if lengths is None else lengths
    if axis != ends.dim() - 1:
        name = "lengths" if lengths is not None else "offsets"
        raise RuntimeError(f"segment_reduce(): Expected axis to be the last dimension of {name} but got {axis}.")
    if ends.dtype not in (torch.int32, torch.int64):
        name = "offsets" if lengths is None else "lengths"
        raise NotImplementedError(f"\"_segment_reduce_{name}_cpu_kernel1\" not implemented for '{_scalar_type(ends.dtype)}'")
    if lengths is not None and not unsafe:
        if lengths.numel() == 0:
            raise RuntimeError("min(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                               "reduction dim with the 'dim' argument.")
        if bool((lengths < 0).any().item()):
            raise RuntimeError("lengths contains negative value!")
        if not bool((lengths.sum(-1) == data.shape[axis]).all().item()):
            raise RuntimeError("segment_reduce(): Expected all rows of lengths along axis to sum to "
                               "data.size(lengths.dim()-1) when !unsafe.")
    elif bool((lengths < 0 if lengths is not None else offsets.diff() < 0).any().item()):
        raise RuntimeError("Expected segment_length >= 0 to be true, but got false.  (Could this error message be "
                           "improved?  If so, please report an enhancement request to PyTorch.)")
    if lengths is not None:
        ends = lengths.cumsum(-1)
        starts = ends - lengths
    else:
        starts, ends = offsets[..., :-1], offsets[..., 1:]
    place = torch.arange(data.shape[axis], device=data.device)
    inside = (place >= starts.unsqueeze(-1)) & (place < ends.unsqueeze(-1))
    inside = inside.reshape(list(inside.shape) + [1] * (data.dim() - axis - 1))
    spread = data.unsqueeze(axis)
    if reduce in ("max", "min"):
        worst = -float("inf") if reduce == "max" else float("inf")
        chosen = torch.where(inside, spread, worst)
        found = chosen.amax(axis + 1) if reduce == "max" else chosen.amin(axis + 1)
        if initial is None:
            return found
        edge = torch.full_like(found, initial)
        return torch.maximum(found, edge) if reduce == "max" else torch.minimum(found, edge)
    if reduce == "prod":
        return torch.where(inside, spread, 1).prod(axis + 1) * (1 if initial is None else initial)
    total = torch.where(inside, spread, 0).sum(axis + 1) + (0 if initial is None else initial)
    if reduce == "sum":
        return total
    counts = (ends - starts).reshape(list(starts.shape) + [1] * (data.dim() - axis - 1))
    edge = float("nan") if initial is None else initial
    return torch.where(counts > 0, total / counts.clamp(min=1), edge)


def histogramdd(input, bins, *, range=None, weight=None, density=False):
    rows = input.reshape(-1, input.shape[-1])
    width = rows.shape[1]
    if isinstance(bins, _int):
        bins = [bins] * width
    weights = torch.ones(rows.shape[0], dtype=input.dtype, device=input.device) if weight is None else weight.reshape(-1)
    edges, place, inside = [], 0, None
    for d in _range(width):
        column = rows[:, d].contiguous()
        if torch.is_tensor(bins[d]):
            marks = bins[d]
        else:
            low, high = (range[2 * d], range[2 * d + 1]) if range is not None else (0, 0)
            if low == high and rows.shape[0] > 0 and range is None:
                low, high = column.min().item(), column.max().item()
            if low == high:
                low, high = low - 0.5, high + 0.5
            marks = torch.linspace(low, high, bins[d] + 1, dtype=input.dtype, device=input.device)
        count = marks.numel() - 1
        here = (column >= marks[0]) & (column <= marks[-1])
        bin = (torch.searchsorted(marks.contiguous(), column, right=True) - 1).clamp(0, count - 1)
        place = place * count + bin
        inside = here if inside is None else inside & here
        edges.append(marks)
    sizes = [e.numel() - 1 for e in edges]
    cells = 1
    for size in sizes:
        cells *= size
    hist = torch.zeros(cells, dtype=input.dtype, device=input.device)
    hist = hist.scatter_add(0, place, torch.where(inside, weights, 0)).reshape(sizes)
    if density:
        hist = hist / hist.sum()
        for d, marks in enumerate(edges):
            hist = hist / (marks[1:] - marks[:-1]).reshape([-1] + [1] * (width - d - 1))
    return torch.return_types.histogramdd((hist, tuple(edges)))


def _native_batch_norm_legit(input, weight, bias, *rest):
    """With running statistics, which are written to, or without."""
    from torch import _ops
    if len(rest) == 3:
        return _ops.native_batch_norm(input, weight, bias, None, None, *rest)
    mean, var, training, momentum, eps = rest
    if not training:
        return _ops.native_batch_norm(input, weight, bias, mean, var, False, momentum, eps)
    output, mine, rstd, new_mean, new_var = _ops._native_batch_norm_legit_functional(input, weight, bias, mean, var,
                                                                                    True, momentum, eps)
    mean.copy_(new_mean.detach())
    var.copy_(new_var.detach())
    return output, mine, rstd


def hash_tensor(input, dim=(), *, keepdim=False, mode=0):
    """The bits of the elements, as doubles or as integers of 64 bits, combined by exclusive or."""
    if mode != 0:
        raise RuntimeError(f"hash_tensor: Unknown hash mode: {mode}")
    bits = input.to(torch.float64).view(torch.int64) if input.is_floating_point() else input.to(torch.int64)
    given = [dim] if isinstance(dim, _int) else list(dim)
    if input.numel() == 0 and not given:
        raise RuntimeError("hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify the "
                           "reduction dim with the 'dim' argument.")
    dims = [d % max(input.dim(), 1) for d in given] or list(_range(input.dim()))
    for d in dims:
        if input.dim() > 0 and input.shape[d] == 0:
            raise IndexError(f"hash_tensor: Expected reduction dim {d} to have non-zero size.")
    kept = [d for d in _range(input.dim()) if d not in dims]
    count = 1
    for d in dims:
        count *= input.shape[d] if input.dim() > 0 else 1
    rows = bits.permute(kept + dims) if input.dim() > 0 else bits
    rows = rows.reshape([input.shape[d] for d in kept] + [count])
    while rows.shape[-1] > 1:
        half = rows.shape[-1] // 2
        rows = torch.cat([rows[..., :half] ^ rows[..., half:2 * half], rows[..., 2 * half:]], -1)
    found = rows.squeeze(-1)
    if keepdim:
        found = found.reshape([1 if d in dims else n for d, n in enumerate(input.shape)])
    return found.contiguous().view(torch.uint64)


class _Methods:
    def float_power_(self, exponent):
        wide = torch.complex128 if self.dtype.is_complex else torch.float64
        if self.dtype != wide:
            raise RuntimeError(f"the base given to float_power_ has dtype {_scalar_type(self.dtype)} but the operation's "
                               f"result requires dtype {_scalar_type(wide)}")
        return self.pow_(exponent)

    def hash_tensor(self, dim=(), *, keepdim=False, mode=0):
        return hash_tensor(self, dim, keepdim=keepdim, mode=mode)

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

    def __int__(self):
        return int(self)

    def __float__(self):
        return float(self)

    def __index__(self):
        return operator.index(self)

    def __neg__(self):
        return -self

    def __abs__(self):
        return abs(self)

    def __invert__(self):
        return ~self

    def __lt__(self, other):
        return self < other

    def __le__(self, other):
        return self <= other

    def __gt__(self, other):
        return self > other

    def __ge__(self, other):
        return self >= other

    def repeat_interleave(self, repeats, dim=None, *, output_size=None):
        return torch.repeat_interleave(self, repeats, dim, output_size=output_size)

    def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
        return torch.allclose(self, other, rtol=rtol, atol=atol, equal_nan=equal_nan)

    def equal(self, other):
        return torch.equal(self, other)

    def dist(self, other, p=2):
        return dist(self, other, p)

    def multinomial(self, num_samples, replacement=False, *, generator=None):
        return torch.multinomial(self, num_samples, replacement, generator=generator)

    def bernoulli(self, p=None, *, generator=None):
        return torch.bernoulli(self, p, generator=generator)

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

    def stft(self, *args, **kwargs):
        return torch.stft(self, *args, **kwargs)

    def istft(self, *args, **kwargs):
        return torch.istft(self, *args, **kwargs)

    def is_signed(self):
        return torch.is_signed(self)

    def is_nonzero(self):
        return torch.is_nonzero(self)

    def is_same_size(self, other):
        return self.shape == other.shape

    def is_set_to(self, other):
        return self.data_ptr() == other.data_ptr() and self.shape == other.shape and self.stride() == other.stride()

    def polygamma(self, n):
        return torch.polygamma(n, self)

    def is_conj(self):
        return _C.is_conj(self)

    def is_neg(self):
        return False

    is_distributed = is_pinned = is_neg

    def is_inference(self):
        return _C.is_inference(self)

    def set_(self, source=None, storage_offset=None, size=None, stride=None):
        import math
        if torch.is_grad_enabled() and self.requires_grad and self.is_leaf:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        if torch.is_grad_enabled() and (self.requires_grad or torch.is_tensor(source) and source.requires_grad):
            raise RuntimeError("derivative for set_ is not implemented: assign x.data, or use torch.no_grad()")
        if source is None:
            found = torch.empty(0, dtype=self.dtype, device=self.device)
        elif not torch.is_tensor(source):
            raise TypeError(f"set_(): argument 'source' (position 1) must be Tensor, not {type(source).__name__}")
        elif source.dtype != self.dtype:
            names = {torch.float32: "float", torch.float64: "double", torch.int64: "long int", torch.int32: "int",
                     torch.int16: "short int", torch.int8: "signed char", torch.uint8: "unsigned char",
                     torch.bool: "bool", torch.float16: "c10::Half", torch.bfloat16: "c10::BFloat16"}
            raise RuntimeError(f"Could not set tensor of type {names[source.dtype]} to a tensor of type "
                               f"{names[self.dtype]}")
        elif source.device != self.device:
            raise RuntimeError(f'Attempted to set the storage of a tensor on device "{self.device}" to a storage on '
                               f'different device "{source.device}".  This is no longer allowed; the devices must match.')
        elif size is None:
            found = source.detach()
        else:
            sizes = list(size) if isinstance(size, (tuple, list)) else [size]
            if stride is None:
                stride = [math.prod(sizes[k + 1:]) for k in _range(len(sizes))]
            found = torch.as_strided(source.detach(), sizes, stride, storage_offset)
        self.data = found
        return self

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

    def lu(self, pivot=True, get_infos=False):
        return lu(self, pivot, get_infos)

    def resize_(self, *sizes, memory_format=None):
        if self.requires_grad:
            raise RuntimeError("cannot resize variables that require grad")
        sizes = sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], _int) else sizes
        count = 1
        for size in sizes:
            if size < 0:
                raise RuntimeError(f"resize_(): expected sizes of at least 0, found {list(sizes)}")
            count *= size
        if tuple(sizes) == tuple(self.shape):
            return self
        strides, step = [], 1
        for size in reversed(list(sizes)):
            strides.insert(0, step)
            step *= size
        try:
            self.data = self.detach().as_strided(list(sizes), strides)
        except RuntimeError:  # its storage is too small
            flat = self.detach().reshape(-1)
            flat = torch.cat([flat, flat.new_empty(max(count - flat.numel(), 0))])
            self.data = flat[:count].reshape(sizes)
        return self

    def resize_as_(self, the_template, *, memory_format=None):
        return self.resize_(the_template.shape)

    def new_empty_strided(self, size, stride, *, dtype=None, device=None, requires_grad=False, **options):
        return empty_strided(size, stride, dtype=self.dtype if dtype is None else dtype,
                             device=self.device if device is None else device, requires_grad=requires_grad)

    def nonzero_static(self, *, size, fill_value=-1):
        return nonzero_static(self, size=size, fill_value=fill_value)

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
        if len(args) == 1 and isinstance(args[0], (list, tuple)) and not isinstance(args[0], torch.Size):
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

    def __repr__(self, *, tensor_contents=None):
        return repr(self)

    def __format__(self, format_spec):
        return format(self, format_spec)

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

    # What the evaluator knows of a tensor, as the class has it: Tensor.shape.__get__(x).
    shape = property(lambda self: self.shape)
    dtype = property(lambda self: self.dtype)
    device = property(lambda self: self.device)
    ndim = property(lambda self: self.ndim)
    grad = property(lambda self: self.grad)
    data = property(lambda self: self.data)
    requires_grad = property(lambda self: self.requires_grad)

    @property
    def layout(self):
        return torch.strided

    def _is_view(self):
        return self._base is not None

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
    shape, strides = (shape,) if isinstance(shape, int) else tuple(shape), [1]
    for size in shape[:0:-1]:
        strides.insert(0, strides[0] * size)
    sizes = torch.tensor(shape, dtype=torch.int64, device=indices.device)
    strides = torch.tensor(strides, dtype=torch.int64, device=indices.device)
    return (indices.unsqueeze(-1).floor_divide(strides) % sizes).unbind(-1)


def range(start=0, end=None, step=1, **options):
    if end is None:
        start, end = 0, start
    count = int((end - start) / step) + 1
    options.setdefault("dtype", torch.get_default_dtype())
    return torch.arange(count, dtype=options.pop("dtype")) * step + start


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    from torch.func import vmap as mapped
    return mapped(func, in_dims, out_dims, randomness)


def bilinear(input1, input2, weight, bias=None):
    return torch.nn.functional.bilinear(input1, input2, weight, bias)


def embedding_bag(weight, input, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None,
                  include_last_offset=False, padding_idx=None):
    from torch._aten import _embedding_bag
    rows = weight.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise RuntimeError(f"padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, "
                           f"but got {padding_idx}")
    return _embedding_bag(weight, input, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                          include_last_offset, -1 if padding_idx is None else padding_idx % rows)


def _window(length, periodic, dtype, terms):
    import math
    if dtype is None:
        dtype = torch.get_default_dtype()
    if length < 2:
        return torch.ones(length, dtype=dtype)
    angle = torch.arange(length, dtype=dtype) * (2 * math.pi / (length if periodic else length - 1))
    found = torch.zeros(length, dtype=dtype)
    for i, factor in enumerate(terms):
        found = found + factor * torch.cos(angle * i)
    return found


def hann_window(window_length, periodic=True, *, dtype=None, **options):
    return _window(window_length, periodic, dtype, (0.5, -0.5))


def hamming_window(window_length, periodic=None, alpha=None, beta=None, *, dtype=None, **options):
    if (periodic is None and alpha is not None) or (alpha is None and beta is not None):
        raise TypeError("hamming_window() received an invalid combination of arguments: alpha comes after periodic and "
                        "beta after alpha")
    return _window(window_length, periodic is None or periodic, dtype,
                   (0.54 if alpha is None else alpha, -(0.46 if beta is None else beta)))


def blackman_window(window_length, periodic=True, *, dtype=None, **options):
    return _window(window_length, periodic, dtype, (0.42, -0.5, 0.08))


def bartlett_window(window_length, periodic=True, *, dtype=None, **options):
    if dtype is None:
        dtype = torch.get_default_dtype()
    if window_length < 2:
        return torch.ones(window_length, dtype=dtype)
    size = window_length if periodic else window_length - 1
    place = torch.arange(window_length, dtype=dtype) * (2.0 / size)
    return torch.where(place <= 1, place, 2 - place)


def kaiser_window(window_length, periodic=None, beta=None, *, dtype=None, **options):
    if beta is not None and periodic is None:
        raise TypeError("kaiser_window() received an invalid combination of arguments: beta comes after periodic")
    periodic, beta = periodic is None or periodic, 12.0 if beta is None else beta
    if dtype is None:
        dtype = torch.get_default_dtype()
    if window_length < 2:
        return torch.ones(window_length, dtype=dtype)
    size = window_length if periodic else window_length - 1
    place = torch.arange(window_length, dtype=dtype) * (2.0 / size) - 1
    return torch.i0(torch.sqrt(1 - place * place) * beta) / torch.i0(torch.tensor(beta, dtype=dtype))


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
