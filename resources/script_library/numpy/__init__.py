# SPDX-License-Identifier: Apache-2.0
# numpy as far as scripts use it beside tensors: an array is a tensor (`_tensor`), its arithmetic is torch's with
# numpy's dtypes, and what shares memory in numpy shares it here.
import math as _math

import torch as _torch
from numpy._dtypes import *
from numpy._dtypes import _dtype_of, _of_tensor, _result, _scalar_kind

_any, _all, _sum, _max, _round, _bool = any, all, sum, max, round, bool  # the module has its own

pi = _math.pi
e = _math.e
inf = _math.inf
nan = _math.nan
newaxis = None
__version__ = "2.4.6"


def _raw(value, like=None):
    """The tensor of an array, a number or nested lists of them."""
    if isinstance(value, _Values):
        return value._tensor
    if isinstance(value, _torch.Tensor):
        return value.detach()
    if isinstance(value, (_bool, int, float, complex)):
        kind = _torch.complex128 if isinstance(value, complex) else _torch.float64 if isinstance(value, float) else None
        return _torch.tensor(value, dtype=kind)
    if isinstance(value, range):
        value = list(value)
    if isinstance(value, (list, tuple)):
        return _of_list(value)
    raise TypeError(f"numpy: cannot make an array of {type(value).__name__}")


def _of_list(values):
    if _any(isinstance(v, (list, tuple, range, _Values, _torch.Tensor)) for v in values):
        parts = [_raw(v) for v in values]
        if _any(p.shape != parts[0].shape for p in parts):
            raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape "
                             f"after 1 dimensions. The detected shape was ({len(values)},) + inhomogeneous part.")
        kind = parts[0].dtype
        for p in parts[1:]:
            kind = _result(kind, p.dtype)
        return _torch.stack([p.to(kind) for p in parts])
    if _any(isinstance(v, complex) for v in values):
        return _torch.tensor([complex(v) for v in values], dtype=_torch.complex128)
    if _any(isinstance(v, float) for v in values) or not values:
        return _torch.tensor([float(v) for v in values], dtype=_torch.float64)
    for v in values:
        if not isinstance(v, (_bool, int)):
            raise TypeError(f"numpy: arrays of {type(v).__name__} are not available; use lists")
    return _torch.tensor(list(values))


def _wrap(tensor):
    return ndarray(tensor=tensor)


def _result_of(tensor):
    """An array, or the scalar where nothing is left to index."""
    if tensor.dim():
        return _wrap(tensor)
    found = object.__new__(_of_tensor(tensor.dtype).type)
    found._tensor = tensor
    return found


def _pair(a, b):
    """Two operands as tensors of numpy's common dtype; a Python number follows the array."""
    if isinstance(b, (_bool, int, float, complex)) and not isinstance(b, generic):
        x = _raw(a)
        kind = _scalar_kind(x.dtype, b)
        return x.to(kind), _torch.tensor(b, dtype=kind)
    if isinstance(a, (_bool, int, float, complex)) and not isinstance(a, generic):
        y, x = _pair(b, a)
        return x, y
    x, y = _raw(a), _raw(b)
    kind = _result(x.dtype, y.dtype)
    return x.to(kind), y.to(kind)


def _floats(x):
    return x if x.dtype.is_floating_point or x.is_complex() else x.to(_torch.float64)


def _stored(found, out, where):
    """A result, in the memory of `out` and where a mask says so if they are given."""
    if out is None and where is True:
        return found
    out = out[0] if isinstance(out, tuple) else out
    if out is None:
        out = zeros(found.shape, found.dtype)
    if found.dtype.kind in "fc" and out.dtype.kind in "biu":
        raise TypeError(f"Cannot cast ufunc output from dtype('{found.dtype.name}') to dtype('{out.dtype.name}') with "
                        "casting rule 'same_kind'")
    made = found._tensor.to(out._tensor.dtype)
    out._tensor.copy_(made if where is True else _torch.where(_raw(where), made, out._tensor))
    return out


def _two(function, floats=False):
    def apply(a, b, out=None, where=True, dtype=None, casting=None):
        if not _known(a) or not _known(b):
            return NotImplemented
        if isinstance(a, _torch.Tensor) or isinstance(b, _torch.Tensor):
            return function(_beside(a), _beside(b))
        x, y = _pair(a, b)
        if dtype is not None:
            x, y = [t.to(_dtype_of(dtype)._torch) for t in (x, y)]
        if floats:
            x, y = _floats(x), _floats(y)
        try:
            found = _result_of(function(x, y))
        except RuntimeError as error:
            if "broadcast" not in str(error) and "size" not in str(error):
                raise
            shapes = [str(tuple(t.shape)).replace(" ", "") for t in (x, y)]
            raise ValueError(f"operands could not be broadcast together with shapes {shapes[0]} {shapes[1]} ") from None
        return _stored(found, out, where)

    def outer(a, b):
        a, b = asarray(a), asarray(b)
        return apply(a.reshape(a.shape + (1,) * b.ndim), b)

    def at(a, indices, b):
        """a[indices] = f(a[indices], b), once for each index, one that comes twice too."""
        places = arange(a.size).reshape(a.shape)[indices]
        values = broadcast_to(asarray(b), places.shape).ravel().tolist()
        flat = a._tensor.reshape(-1).clone()
        for place, value in zip(places.ravel().tolist(), values):
            flat[place] = _raw(apply(_result_of(flat[place]), value)).to(flat.dtype)
        a._tensor.copy_(flat.reshape(a._tensor.shape))

    def reduce(array, axis=0, dtype=None, out=None, keepdims=False):
        """f of all elements along a dimension, from the first to the last."""
        a = asarray(array)
        parts = list(moveaxis(a, axis, 0)) if axis is not None else list(a.ravel())
        found = parts[0]
        for part in parts[1:]:
            found = apply(found, part)
        return expand_dims(found, axis) if keepdims else found

    def accumulate(array, axis=0, dtype=None, out=None):
        """What reduce has found behind each element."""
        parts = list(moveaxis(asarray(array), axis, 0))
        for i in range(1, len(parts)):
            parts[i] = apply(parts[i - 1], parts[i])
        return stack(parts, axis)

    apply.outer, apply.at, apply.reduce, apply.accumulate, apply.nin, apply.nout = outer, at, reduce, accumulate, 2, 1
    return apply


def _beside(value):
    """An operand beside a tensor, whose dtype a scalar follows."""
    if isinstance(value, generic):
        return value.item()
    return value._tensor if isinstance(value, _Values) else value


def _known(value):
    return isinstance(value, (_Values, _bool, int, float, complex, list, tuple, range, _torch.Tensor))


def _axes(axis):
    return list(axis) if isinstance(axis, tuple) else axis


def _reduce(function, wide=False, floats=False):
    """A sum and the like over all elements, one axis or several."""
    def apply(a, axis=None, dtype=None, out=None, keepdims=False):
        x = _raw(a)
        if dtype is not None:
            x = x.to(_dtype_of(dtype)._torch)
        if floats:
            x = _floats(x)
        elif wide and x.dtype in (_torch.bool, _torch.uint8, _torch.int8, _torch.int16, _torch.int32):
            x = x.to(_torch.uint64 if x.dtype == _torch.uint8 else _torch.int64)
        if axis is None:
            axis = tuple(range(x.dim()))
        if isinstance(axis, tuple):
            for d in sorted([k % x.dim() for k in axis], reverse=True):
                x = function(x, d, True)
            if not keepdims:
                x = x.reshape([s for d, s in enumerate(x.shape) if d not in [k % x.dim() for k in axis]])
        else:
            x = function(x, axis, keepdims)
        return _stored(_result_of(x), out, True)
    return apply


def _mean(x, axis, keepdims):
    return x.mean(axis, keepdim=keepdims)


def _spread(a, axis, ddof, keepdims, root):
    x = _floats(_raw(a))
    if axis is None and not keepdims:
        x, axis = x.reshape(-1), 0
    dims = tuple(range(x.dim())) if axis is None else axis
    found = _torch.var(x, dim=dims, correction=ddof, keepdim=keepdims)
    return _result_of(found.sqrt() if root else found)


def _extreme(name):
    def apply(a, axis=None, out=None, keepdims=False):
        x = _raw(a)
        if x.numel() == 0:
            raise ValueError(f"zero-size array to reduction operation {'maximum' if name == 'amax' else 'minimum'} "
                             "which has no identity")
        if axis is None:
            axis = tuple(range(x.dim()))
        if x.dim() == 0:
            return _result_of(x)
        return _stored(_result_of(getattr(_torch, name)(x, _axes(axis), keepdim=keepdims)), out, True)
    return apply


def _position(name):
    def apply(a, axis=None, out=None, keepdims=False):
        x = _raw(a)
        if x.numel() == 0:
            raise ValueError(f"attempt to get {name} of an empty sequence")
        function = getattr(_torch, name)
        if axis is not None:
            return _stored(_result_of(function(x, axis, keepdim=keepdims)), out, True)
        found = function(x)
        return _stored(_result_of(found.reshape((1,) * x.dim()) if keepdims else found), out, True)
    return apply


def _index(key):
    if isinstance(key, generic):
        return key._tensor if key._tensor.dtype == _torch.bool else int(key)
    if isinstance(key, _Values):
        return key._tensor
    if isinstance(key, list):
        return _of_list(key) if key else _torch.zeros(0, dtype=_torch.int64)
    if isinstance(key, tuple):
        return tuple(_index(k) for k in key)
    return key


def _flip_steps(x, key):
    """Slices with negative steps: the dimension turned round, the slice seen from there."""
    keys = list(key) if isinstance(key, tuple) else [key]
    dim = 0
    for i, k in enumerate(keys):
        if k is Ellipsis:
            dim = x.dim() - _sum(1 for r in keys[i + 1:] if r is not None)
            continue
        if isinstance(k, slice) and k.step is not None and int(k.step) < 0:
            places = list(range(*k.indices(x.shape[dim])))
            x = x.index_select(dim, _torch.tensor(places, dtype=_torch.int64))
            keys[i] = slice(None)
        dim += 0 if k is None else 1
    return x, tuple(keys)


class _Values:
    """What arrays and their numbers have in common."""
    __array_priority__ = 1000

    # what it is
    @property
    def shape(self):
        return tuple(self._tensor.shape)

    @shape.setter
    def shape(self, sizes):
        self._tensor = self._tensor.view(sizes)

    @property
    def dtype(self):
        return _of_tensor(self._tensor.dtype)

    @property
    def ndim(self):
        return self._tensor.dim()

    @property
    def size(self):
        return self._tensor.numel()

    @property
    def itemsize(self):
        return self._tensor.element_size()

    @property
    def nbytes(self):
        return self.size * self.itemsize

    @property
    def T(self):
        return _wrap(self._tensor.permute(*range(self.ndim - 1, -1, -1))) if self.ndim > 1 else self

    @property
    def real(self):
        return _result_of(self._tensor.real) if self._tensor.is_complex() else self

    @property
    def imag(self):
        return _result_of(self._tensor.imag if self._tensor.is_complex() else _torch.zeros_like(self._tensor))

    @property
    def flat(self):
        return iter(self.ravel())

    @property
    def strides(self):
        return tuple(s * self.itemsize for s in self._tensor.stride())

    # items
    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self._tensor.shape[0]

    def __iter__(self):
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, key):
        x, key = _flip_steps(self._tensor, _index(key))
        try:
            found = x[key]
        except IndexError as error:
            if isinstance(key[0], int):
                raise IndexError(f"index {key[0]} is out of bounds for axis 0 with size {x.shape[0]}") from None
            raise error
        return _result_of(found)

    def __setitem__(self, key, value):
        self._tensor[_index(key)] = _raw(value).to(self._tensor.dtype)

    def __contains__(self, value):
        return _bool((self == value).any())

    def __bool__(self):
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. "
                             "Use a.any() or a.all()")
        return _bool(self._tensor.item())

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __index__(self):
        if self.ndim or self._tensor.dtype.is_floating_point:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self._tensor.item())

    def __array__(self, dtype=None, copy=None):
        return self if dtype is None else self.astype(dtype)

    def __hash__(self):
        raise TypeError("unhashable type: 'numpy.ndarray'")

    def item(self, *place):
        if place:
            return self._tensor.reshape(-1)[place[0]].item() if len(place) == 1 else self._tensor[place].item()
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._tensor.item()

    def tolist(self):
        return self._tensor.tolist()

    def tobytes(self, order="C"):
        tensor = self._tensor if order == "C" else self._tensor.permute(*range(self.ndim - 1, -1, -1))
        return bytes(tensor.contiguous().reshape(-1).view(_torch.uint8).tolist())

    # other arrays of it
    def astype(self, dtype, copy=True):
        kind = _dtype_of(dtype)._torch
        found = self._tensor.to(kind)
        found = found.clone() if copy and kind == self._tensor.dtype else found
        return _result_of(found) if isinstance(self, generic) else _wrap(found)

    def copy(self, order="C"):
        return _wrap(self._tensor.clone())

    def view(self, dtype=None):
        return _wrap(self._tensor if dtype is None else self._tensor.view(_dtype_of(dtype)._torch))

    def reshape(self, *sizes, order="C"):
        sizes = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
        sizes = [int(s) for s in sizes]
        try:
            return _wrap(self._tensor.reshape(sizes))
        except RuntimeError:
            text = str(tuple(sizes)).replace(" ", "")
            raise ValueError(f"cannot reshape array of size {self.size} into shape {text}") from None

    def ravel(self, order="C"):
        return _wrap(self._tensor.reshape(-1))

    def flatten(self, order="C"):
        return _wrap(self._tensor.reshape(-1).clone())

    def transpose(self, *axes):
        axes = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes
        return _wrap(self._tensor.permute(*axes)) if axes else self.T

    def swapaxes(self, a, b):
        return _wrap(self._tensor.transpose(a, b))

    def squeeze(self, axis=None):
        return _wrap(self._tensor.squeeze() if axis is None else self._tensor.squeeze(axis))

    def repeat(self, repeats, axis=None):
        return repeat(self, repeats, axis)

    def clip(self, min=None, max=None, out=None):
        return clip(self, min, max, out)

    def round(self, decimals=0):
        return round(self, decimals)

    def fill(self, value):
        self._tensor.fill_(value)

    def sort(self, axis=-1):
        self._tensor.copy_(_torch.sort(self._tensor, dim=axis, stable=True)[0])

    def argsort(self, axis=-1):
        return argsort(self, axis)

    def nonzero(self):
        return nonzero(self)

    def take(self, indices, axis=None):
        return take(self, indices, axis)

    def dot(self, other):
        return dot(self, other)

    def cumsum(self, axis=None, dtype=None):
        return cumsum(self, axis, dtype)

    def cumprod(self, axis=None, dtype=None):
        return cumprod(self, axis, dtype)

    def diagonal(self, offset=0, axis1=0, axis2=1):
        return diagonal(self, offset, axis1, axis2)

    def trace(self, offset=0, axis1=0, axis2=1):
        return trace(self, offset, axis1, axis2)

    def searchsorted(self, v, side="left", sorter=None):
        return searchsorted(self, v, side, sorter)

    def compress(self, condition, axis=None):
        return compress(condition, self, axis)

    def choose(self, choices, mode="raise"):
        return choose(self, choices, mode=mode)

    def conj(self):
        return conj(self)

    conjugate = conj

    def put(self, indices, values, mode="raise"):
        put(self, indices, values, mode)

    def partition(self, kth, axis=-1):
        self.sort(axis)

    def argpartition(self, kth, axis=-1):
        return argsort(self, axis)

    @property
    def mT(self):
        return _wrap(self._tensor.mT)

    @property
    def base(self):
        return None if self._tensor._base is None else _wrap(self._tensor._base)

    @property
    def flags(self):
        return _Flags(self)

    @property
    def device(self):
        return "cpu"

    # reductions
    def sum(self, axis=None, dtype=None, out=None, keepdims=False):
        return sum(self, axis, dtype, out, keepdims)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False):
        return prod(self, axis, dtype, out, keepdims)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False):
        return mean(self, axis, dtype, out, keepdims)

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
        return var(self, axis, ddof=ddof, keepdims=keepdims)

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
        return std(self, axis, ddof=ddof, keepdims=keepdims)

    def max(self, axis=None, out=None, keepdims=False):
        return max(self, axis, out, keepdims)

    def min(self, axis=None, out=None, keepdims=False):
        return min(self, axis, out, keepdims)

    def argmax(self, axis=None, out=None, keepdims=False):
        return argmax(self, axis, out, keepdims)

    def argmin(self, axis=None, out=None, keepdims=False):
        return argmin(self, axis, out, keepdims)

    def any(self, axis=None, out=None, keepdims=False):
        return any(self, axis, out, keepdims)

    def all(self, axis=None, out=None, keepdims=False):
        return all(self, axis, out, keepdims)

    # operators
    def __neg__(self):
        return _result_of(-self._tensor)

    def __pos__(self):
        return _result_of(self._tensor)

    def __abs__(self):
        return _result_of(self._tensor.abs())

    def __invert__(self):
        return _result_of(~self._tensor)

    def __matmul__(self, other):
        return matmul(self, other)

    def __rmatmul__(self, other):
        return matmul(other, self)

    def __round__(self, digits=None):
        return _round(self.item(), digits) if digits is not None else _round(self.item())

    def __repr__(self):
        from numpy._text import array_repr
        return array_repr(self)

    def __str__(self):
        from numpy._text import array_str
        return array_str(self)

    def __format__(self, spec):
        if self.ndim == 0:
            return format(self._tensor.item(), spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return str(self)


class _Flags:
    """How an array lies in memory."""

    def __init__(self, array):
        turned = array._tensor.permute(*range(array.ndim - 1, -1, -1))
        self.c_contiguous, self.f_contiguous = array._tensor.is_contiguous(), turned.is_contiguous()
        self.contiguous, self.owndata = self.c_contiguous, array.base is None
        self.writeable = self.aligned = True

    def __getitem__(self, name):
        return getattr(self, {"C": "c_contiguous", "F": "f_contiguous"}.get(name[:1] if "CONTIG" in name else name,
                                                                           name.lower()))


class ndarray(_Values):
    def __init__(self, shape=None, dtype=None, tensor=None):
        self._tensor = tensor if tensor is not None else _torch.zeros(shape, dtype=_dtype_of(dtype or float64)._torch)


class generic(_Values):
    """One number, as an array gives it."""

    def __hash__(self):
        return hash(self._tensor.item())

    def __repr__(self):
        from numpy._text import scalar_repr
        return scalar_repr(self)

    def __str__(self):
        from numpy._text import scalar_str
        return scalar_str(self)

    def is_integer(self):
        return float(self).is_integer()


from numpy._scalars import *


add = _two(_torch.add)
subtract = _two(_torch.sub)
multiply = _two(_torch.mul)
divide = true_divide = _two(_torch.div, True)
floor_divide = _two(_torch.floor_divide)
mod = remainder = _two(_torch.remainder)
power = _two(_torch.pow)
maximum = _two(_torch.maximum)
minimum = _two(_torch.minimum)
fmax = _two(_torch.fmax)
fmin = _two(_torch.fmin)
arctan2 = _two(_torch.atan2, True)
hypot = _two(_torch.hypot, True)
equal = _two(_torch.eq)
not_equal = _two(_torch.ne)
less = _two(_torch.lt)
less_equal = _two(_torch.le)
greater = _two(_torch.gt)
greater_equal = _two(_torch.ge)
logical_and = _two(_torch.logical_and)
logical_or = _two(_torch.logical_or)
logical_xor = _two(_torch.logical_xor)
bitwise_and = _two(_torch.bitwise_and)
bitwise_or = _two(_torch.bitwise_or)
bitwise_xor = _two(_torch.bitwise_xor)
left_shift = _two(_torch.bitwise_left_shift)
right_shift = _two(_torch.bitwise_right_shift)


def _operators():
    for name, function in [("add", add), ("sub", subtract), ("mul", multiply), ("truediv", divide),
                           ("floordiv", floor_divide), ("mod", mod), ("pow", power), ("and", bitwise_and),
                           ("or", bitwise_or), ("xor", bitwise_xor), ("lshift", left_shift), ("rshift", right_shift)]:
        def plain(self, other, f=function):
            return f(self, other)

        def reflected(self, other, f=function):
            return f(other, self)

        def in_place(self, other, f=function):
            if isinstance(self, generic):
                return f(self, other)
            found = f(self, other)._tensor
            if found.dtype.is_floating_point and not self._tensor.dtype.is_floating_point:
                raise TypeError(f"Cannot cast ufunc output from dtype('{_of_tensor(found.dtype).name}') to "
                                f"dtype('{self.dtype.name}') with casting rule 'same_kind'")
            self._tensor.copy_(found)
            return self

        setattr(_Values, f"__{name}__", plain)
        setattr(_Values, f"__r{name}__", reflected)
        setattr(_Values, f"__i{name}__", in_place)
    for name, function in [("eq", equal), ("ne", not_equal), ("lt", less), ("le", less_equal), ("gt", greater),
                           ("ge", greater_equal)]:
        def compare(self, other, f=function):
            return f(self, other)

        setattr(_Values, f"__{name}__", compare)


_operators()

sum = _reduce(lambda x, d, k: x.sum(d, keepdim=k), wide=True)
prod = _reduce(lambda x, d, k: x.prod(d, keepdim=k), wide=True)
mean = _reduce(_mean, floats=True)
amax = max = _extreme("amax")
amin = min = _extreme("amin")
argmax = _position("argmax")
argmin = _position("argmin")


def any(a, axis=None, out=None, keepdims=False):
    x = _raw(a) != 0
    axis = tuple(range(x.dim())) if axis is None else axis
    return _stored(_result_of(x.any(axis, keepdim=keepdims) if x.dim() else x), out, True)


def all(a, axis=None, out=None, keepdims=False):
    x = _raw(a) != 0
    axis = tuple(range(x.dim())) if axis is None else axis
    return _stored(_result_of(x.all(axis, keepdim=keepdims) if x.dim() else x), out, True)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return _spread(a, axis, ddof, keepdims, False)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return _spread(a, axis, ddof, keepdims, True)


def ptp(a, axis=None):
    return max(a, axis) - min(a, axis)


def cumsum(a, axis=None, dtype=None, out=None):
    x = _raw(a) if dtype is None else _raw(a).to(_dtype_of(dtype)._torch)
    x = x.to(_torch.int64) if x.dtype == _torch.bool else x
    return _wrap(x.reshape(-1).cumsum(0) if axis is None else x.cumsum(axis))


def cumprod(a, axis=None, dtype=None, out=None):
    x = _raw(a) if dtype is None else _raw(a).to(_dtype_of(dtype)._torch)
    return _wrap(x.reshape(-1).cumprod(0) if axis is None else x.cumprod(axis))


def _one(function, floats=True):
    def apply(x, out=None, where=True, dtype=None):
        x = _raw(x)
        if dtype is not None:
            x = x.to(_dtype_of(dtype)._torch)
        return _stored(_result_of(function(_floats(x) if floats else x)), out, where)

    apply.nin, apply.nout = 1, 1
    return apply


exp, exp2, expm1 = _one(_torch.exp), _one(_torch.exp2), _one(_torch.expm1)
log, log2, log10, log1p = _one(_torch.log), _one(_torch.log2), _one(_torch.log10), _one(_torch.log1p)
sqrt, cbrt = _one(_torch.sqrt), _one(lambda x: x.sign() * x.abs() ** (1 / 3))
sin, cos, tan = _one(_torch.sin), _one(_torch.cos), _one(_torch.tan)
arcsin, arccos, arctan = _one(_torch.asin), _one(_torch.acos), _one(_torch.atan)
sinh, cosh, tanh = _one(_torch.sinh), _one(_torch.cosh), _one(_torch.tanh)
floor, ceil, trunc, rint = _one(_torch.floor), _one(_torch.ceil), _one(_torch.trunc), _one(_torch.round)
deg2rad = radians = _one(_torch.deg2rad)
rad2deg = degrees = _one(_torch.rad2deg)
isnan, isinf, isfinite = _one(_torch.isnan), _one(_torch.isinf), _one(_torch.isfinite)
abs = absolute = _one(_torch.abs, False)
square = _one(_torch.square, False)
sign = _one(_torch.sign, False)
negative = _one(_torch.neg, False)
logical_not = _one(_torch.logical_not, False)
invert = bitwise_not = _one(_torch.bitwise_not, False)
reciprocal = _one(_torch.reciprocal)


def round(a, decimals=0):
    x = _raw(a)
    return _result_of(x.round(decimals=decimals) if x.dtype.is_floating_point else x)


around = round


def clip(a, a_min=None, a_max=None, out=None, min=None, max=None):
    low, high = a_min if min is None else min, a_max if max is None else max
    found = asarray(a) if low is None else maximum(a, low)
    return _stored(found if high is None else minimum(found, high), out, True)


# making arrays
def array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0):
    x = _raw(object)
    x = x.clone() if isinstance(object, (_Values, _torch.Tensor)) else x
    if dtype is not None:
        x = x.to(_dtype_of(dtype)._torch)
    while x.dim() < ndmin:
        x = x.unsqueeze(0)
    return _wrap(x)


def asarray(a, dtype=None, order=None, copy=None):
    if isinstance(a, _Values) and (dtype is None or a.dtype == dtype):
        return a
    x = _raw(a)
    return _wrap(x if dtype is None else x.to(_dtype_of(dtype)._torch))


ascontiguousarray = asarray


def _made(function, shape, dtype):
    return _wrap(function((shape,) if isinstance(shape, (int, generic)) else tuple(shape),
                          dtype=_dtype_of(dtype)._torch))


def zeros(shape, dtype=float64, order="C"):
    return _made(_torch.zeros, shape, dtype)


def ones(shape, dtype=float64, order="C"):
    return _made(_torch.ones, shape, dtype)


empty = zeros


def full(shape, fill_value, dtype=None, order="C"):
    kind = _raw(fill_value).dtype if dtype is None else _dtype_of(dtype)._torch
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return _wrap(_raw(fill_value).to(kind).expand(shape).clone())


def zeros_like(a, dtype=None, order="K", subok=True, shape=None):
    if shape is not None:
        return zeros(shape, asarray(a).dtype if dtype is None else dtype)
    return _wrap(_torch.zeros_like(_raw(a), dtype=None if dtype is None else _dtype_of(dtype)._torch))


def ones_like(a, dtype=None, order="K", subok=True, shape=None):
    if shape is not None:
        return ones(shape, asarray(a).dtype if dtype is None else dtype)
    return _wrap(_torch.ones_like(_raw(a), dtype=None if dtype is None else _dtype_of(dtype)._torch))


def full_like(a, fill_value, dtype=None):
    return full(asarray(a).shape, fill_value, asarray(a).dtype if dtype is None else dtype)


empty_like = zeros_like


def arange(start, stop=None, step=1, dtype=None):
    if stop is None:
        start, stop = 0, start
    whole = _all(isinstance(v, int) for v in (start, stop, step))
    kind = _dtype_of(dtype)._torch if dtype is not None else _torch.int64 if whole else _torch.float64
    if whole:
        return _wrap(_torch.arange(start, stop, step).to(kind))
    count = _max(0, _math.ceil((stop - start) / step))
    return _wrap((start + _torch.arange(count, dtype=_torch.float64) * step).to(kind))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None):
    step = (stop - start) / _max(1, num - 1 if endpoint else num)
    x = _torch.arange(num, dtype=_torch.float64) * step + start
    if endpoint and num > 1:
        x[-1] = stop
    found = _wrap(x if dtype is None else x.to(_dtype_of(dtype)._torch))
    return (found, step) if retstep else found


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None):
    found = power(float(base), linspace(start, stop, num, endpoint))
    return found if dtype is None else found.astype(dtype)


def eye(N, M=None, k=0, dtype=float64):
    ones_ = _torch.ones(N, N if M is None else M, dtype=_dtype_of(dtype)._torch)
    return _wrap(ones_.triu(k).tril(k))


def identity(n, dtype=float64):
    return eye(n, dtype=dtype)


def diag(v, k=0):
    """The diagonal of a matrix, in its memory; the matrix of a diagonal."""
    x = _raw(v)
    return _wrap(_torch.diagonal(x, k) if x.dim() == 2 else _torch.diag(x, k))


def tri(N, M=None, k=0, dtype=float64):
    return _wrap(_torch.ones(N, N if M is None else M, dtype=_dtype_of(dtype)._torch).tril(k))


def tril(a, k=0):
    return _wrap(_raw(a).tril(k))


def triu(a, k=0):
    return _wrap(_raw(a).triu(k))


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    found = _torch.meshgrid(*[_raw(x).reshape(-1) for x in xi], indexing=indexing)
    if sparse:
        shapes = [[1] * len(xi) for _ in xi]
        for i, shape in enumerate(shapes):
            shape[1 - i if indexing == "xy" and i < 2 and len(xi) > 1 else i] = -1
        found = [_raw(x).reshape(shape) for x, shape in zip(xi, shapes)]
    return tuple(_wrap(t.clone() if copy else t) for t in found)


# shapes, joining
def shape(a):
    return asarray(a).shape


def ndim(a):
    return asarray(a).ndim


def size(a, axis=None):
    return asarray(a).size if axis is None else asarray(a).shape[axis]


def reshape(a, shape):
    return asarray(a).reshape(shape)


def ravel(a):
    return asarray(a).ravel()


def transpose(a, axes=None):
    return asarray(a).transpose(*([] if axes is None else axes))


def swapaxes(a, x, y):
    return asarray(a).swapaxes(x, y)


def moveaxis(a, source, destination):
    return _wrap(_torch.movedim(_raw(a), source, destination))


def squeeze(a, axis=None):
    return asarray(a).squeeze(axis)


def expand_dims(a, axis):
    x = _raw(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    for d in sorted([d % (x.dim() + len(axes)) for d in axes]):
        x = x.unsqueeze(d)
    return _wrap(x)


def broadcast_to(a, shape):
    return _wrap(_raw(a).broadcast_to(shape))


def atleast_1d(*arrays):
    found = [a.reshape(1) if a.ndim == 0 else a for a in [asarray(a) for a in arrays]]
    return found[0] if len(found) == 1 else tuple(found)


def atleast_2d(*arrays):
    found = [a.reshape(1, -1) if a.ndim < 2 else a for a in [asarray(a) for a in arrays]]
    return found[0] if len(found) == 1 else tuple(found)


def _common(arrays):
    parts = [_raw(a) for a in arrays]
    if not parts:
        return parts
    kind = parts[0].dtype
    for p in parts[1:]:
        kind = _result(kind, p.dtype)
    return [p.to(kind) for p in parts]


def concatenate(arrays, axis=0, out=None, dtype=None):
    parts = _common(arrays)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = [p.reshape(-1) for p in parts], 0
    if _any(p.dim() == 0 for p in parts):
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    for i, p in enumerate(parts):
        if p.dim() != parts[0].dim():
            raise ValueError("all the input arrays must have same number of dimensions, but the array at index 0 has "
                             f"{parts[0].dim()} dimension(s) and the array at index {i} has {p.dim()} dimension(s)")
        for d in range(p.dim()):
            if d != axis % p.dim() and p.shape[d] != parts[0].shape[d]:
                raise ValueError("all the input array dimensions except for the concatenation axis must match exactly, "
                                 f"but along dimension {d}, the array at index 0 has size {parts[0].shape[d]} and the "
                                 f"array at index {i} has size {p.shape[d]}")
    found = _torch.cat(parts, axis)
    return _stored(_wrap(found if dtype is None else found.to(_dtype_of(dtype)._torch)), out, True)


def stack(arrays, axis=0, out=None, dtype=None):
    parts = _common(arrays)
    if _any(p.shape != parts[0].shape for p in parts):
        raise ValueError("all input arrays must have the same shape")
    found = _torch.stack(parts, axis)
    return _stored(_wrap(found if dtype is None else found.to(_dtype_of(dtype)._torch)), out, True)


def vstack(arrays):
    return concatenate([atleast_2d(a) for a in arrays], 0)


def hstack(arrays):
    arrays = [atleast_1d(a) for a in arrays]
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)


def column_stack(arrays):
    return concatenate([asarray(a).reshape(-1, 1) if asarray(a).ndim == 1 else a for a in arrays], 1)


def append(a, values, axis=None):
    return concatenate([a, values], axis)


def split(a, parts, axis=0):
    x = _raw(a)
    if isinstance(parts, int):
        if x.shape[axis] % parts:
            raise ValueError("array split does not result in an equal division")
        return [_wrap(t) for t in _torch.chunk(x, parts, axis)]
    return [_wrap(t) for t in _torch.tensor_split(x, [int(p) for p in parts], axis)]


def array_split(a, parts, axis=0):
    return [_wrap(t) for t in _torch.tensor_split(_raw(a), parts, axis)]


def tile(a, reps):
    return _wrap(_torch.tile(_raw(a), (reps,) if isinstance(reps, int) else tuple(reps)))


def repeat(a, repeats, axis=None):
    repeats = repeats if isinstance(repeats, int) else _raw(repeats)
    return _wrap(_torch.repeat_interleave(_raw(a), repeats, axis))


def flip(a, axis=None):
    x = _raw(a)
    return _wrap(x.flip(list(range(x.dim())) if axis is None else axis))


def roll(a, shift, axis=None):
    shift = tuple(shift) if isinstance(shift, list) else shift
    if isinstance(axis, tuple) and isinstance(shift, int):
        shift = (shift,) * len(axis)
    return _wrap(_torch.roll(_raw(a), shift) if axis is None else _torch.roll(_raw(a), shift, axis))


# choosing, sorting
def where(condition, x=None, y=None):
    c = _raw(condition) != 0
    if x is None:
        return nonzero(condition)
    a, b = _pair(x, y)
    return _result_of(_torch.where(c, a, b))


def nonzero(a):
    return tuple(_wrap(t) for t in _raw(a).nonzero(as_tuple=True))


def argwhere(a):
    return _wrap(_raw(a).nonzero())


def count_nonzero(a, axis=None, keepdims=False):
    return sum(asarray(a) != 0, axis, keepdims=keepdims)


def sort(a, axis=-1, kind=None, order=None, stable=None):
    x, axis = (_raw(a).reshape(-1), 0) if axis is None else (_raw(a), axis)
    return _wrap(_torch.sort(x, dim=axis, stable=True)[0])


def argsort(a, axis=-1, kind=None, order=None, stable=None):
    x, axis = (_raw(a).reshape(-1), 0) if axis is None else (_raw(a), axis)
    return _wrap(_torch.sort(x, dim=axis, stable=True)[1])


def searchsorted(a, v, side="left", sorter=None):
    x, y = _common([a, v])
    return _result_of(_torch.searchsorted(x.contiguous(), y.contiguous(), side=side,
                                          sorter=None if sorter is None else _raw(sorter)))


def bincount(x, weights=None, minlength=0):
    return _wrap(_torch.bincount(_raw(x), None if weights is None else _raw(weights), minlength))


def take(a, indices, axis=None):
    x, at = _raw(a), _raw(indices)
    if axis is None:
        return _result_of(x.reshape(-1)[at])
    return _result_of(x[(slice(None),) * (axis % x.dim()) + (at,)])


# products
def matmul(a, b):
    x, y = _pair(a, b)
    return _result_of(_torch.matmul(x, y))


def dot(a, b):
    x, y = _pair(a, b)
    if x.dim() == 0 or y.dim() == 0:
        return _result_of(x * y)
    return _result_of(_torch.matmul(x, y) if y.dim() < 3 else _torch.tensordot(x, y, ([-1], [-2])))


def outer(a, b):
    x, y = _pair(a, b)
    return _wrap(_torch.outer(x.reshape(-1), y.reshape(-1)))


def inner(a, b):
    x, y = _pair(a, b)
    return _result_of(_torch.inner(x, y))


def einsum(equation, *operands):
    return _result_of(_torch.einsum(equation, *_common(operands)))


def trace(a, offset=0, axis1=0, axis2=1):
    return _result_of(_torch.diagonal(_raw(a), offset, axis1, axis2).sum(-1))


# comparing
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return _bool(isclose(a, b, rtol, atol, equal_nan).all())


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    x, y = _pair(a, b)
    return _result_of(_torch.isclose(_floats(x), _floats(y), rtol=rtol, atol=atol, equal_nan=equal_nan))


def array_equal(a1, a2, equal_nan=False):
    a, b = asarray(a1), asarray(a2)
    if a.shape != b.shape:
        return False
    same = a == b
    return _bool((same | (isnan(a) & isnan(b)) if equal_nan else same).all())


def isscalar(value):
    return isinstance(value, (generic, _bool, int, float, complex, str))


def set_printoptions(**options):
    from numpy import _text
    _text.set_options(options)


euler_gamma = 0.5772156649015329
little_endian = True

from numpy._elements import *
from numpy._shaping import *
from numpy._statistics import *
from numpy._sets import *
from numpy._nan import *
from numpy._info import *
from numpy._absent import *
from numpy._words import *
from numpy import fft, linalg, random, testing

bool = bool_
