# SPDX-License-Identifier: Apache-2.0
# What torch tells of dtypes and of the tensors that have them.
import torch

def _name(dtype):
    return str(dtype)[6:]


class finfo:
    def __init__(self, type=None):
        dtype = torch.get_default_dtype() if type is None else type
        if not dtype.is_floating_point:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                            "'torch.finfo'")
        self.bits, _, self.eps, self.max, self.min, self.tiny = _C.dtype_limits(dtype)
        self.smallest_normal = self.tiny
        digits = 0
        while 10.0 ** -(digits + 1) >= self.eps:
            digits += 1
        self.resolution = 10.0 ** -digits
        self.dtype = _name(dtype)

    def __repr__(self):
        show = lambda v: f"{v:.6g}" if abs(v) < 1e16 or True else str(v)
        return (f"finfo(resolution={show(self.resolution)}, min={show(self.min)}, max={show(self.max)}, "
                f"eps={show(self.eps)}, smallest_normal={show(self.tiny)}, tiny={show(self.tiny)}, dtype={self.dtype})")


class iinfo:
    def __init__(self, type):
        if type.is_floating_point:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        if type == torch.bool:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        self.bits, _, _, _, self.min, _ = _C.dtype_limits(type)
        self.max = 2 ** self.bits - 1 if self.min == 0 else -(self.min + 1)
        self.dtype = _name(type)

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def promote_types(type1, type2):
    return result_type(torch.zeros(1, dtype=type1), torch.zeros(1, dtype=type2))


def result_type(tensor1, tensor2):
    from torch import _ops
    if not torch.is_tensor(tensor1) and not torch.is_tensor(tensor2):
        tensor1 = torch.tensor(tensor1)
    # bool is no number for sub(), and comparisons tell nothing: addition has the wanted type.
    return _ops.add(tensor1, tensor2).dtype if torch.is_tensor(tensor1) else _ops.add(tensor2, tensor1).dtype


def _kind(dtype):
    name = _name(dtype)
    return 0 if name == "bool" else 2 if name.startswith(("float", "bfloat")) else 3 if name.startswith("complex") else 1


def can_cast(from_, to):
    if _kind(from_) == 1 and _name(from_)[0] == "i" and _name(to)[0] == "u":
        return False
    return _kind(from_) <= _kind(to)


def is_floating_point(input):
    return input.dtype.is_floating_point


def is_complex(input):
    return str(input.dtype).startswith("torch.complex")


def is_signed(input):
    name = _name(input.dtype)
    return not name.startswith("u") and name != "bool"


def is_nonzero(input):
    if input.numel() != 1:
        raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous" if input.numel() else
                           "Boolean value of Tensor with no values is ambiguous")
    return bool(input.item())


def numel(input):
    return input.numel()


def is_same_size(input, other):
    return input.shape == other.shape


def is_conj(input):
    return _C.is_conj(input)


def is_neg(input):
    return False


is_distributed = is_neg


def is_inference(input):
    return _C.is_inference(input)


def get_default_dtype():
    return _C.default_dtype()


def set_default_dtype(d):
    if not isinstance(d, torch.dtype):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _C.set_default_dtype(d)


def set_default_tensor_type(t):
    names = {"HalfTensor": torch.float16, "BFloat16Tensor": torch.bfloat16, "FloatTensor": torch.float32,
             "DoubleTensor": torch.float64}
    name = (t if isinstance(t, str) else t.__name__).split(".")[-1]
    if name not in names:
        raise TypeError("only floating-point types are supported as the default type")
    _C.set_default_dtype(names[name])


def get_default_device():
    return _C.default_device()


def as_tensor(data, dtype=None, device=None):
    if torch.is_tensor(data):
        if (dtype is None or data.dtype == dtype) and (device is None or data.device == torch.device(device)):
            return data
        return data.to(device=data.device if device is None else device, dtype=data.dtype if dtype is None else dtype)
    shared = getattr(data, "_tensor", None)  # an array of numpy
    if torch.is_tensor(shared):
        return as_tensor(shared, dtype, device)
    return torch.tensor(data, dtype=dtype, device=device)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    found = as_tensor(obj, dtype, device)
    if copy and found is obj:
        found = found.clone()
    return found.detach().requires_grad_() if requires_grad else found


def from_numpy(ndarray):
    if not torch.is_tensor(getattr(ndarray, "_tensor", None)):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    return ndarray._tensor


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    import struct
    letter = {"uint8": "B", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "float32": "f", "float64": "d"}[_name(dtype)]
    size, length = struct.calcsize("<" + letter), len(buffer)
    if length == 0 or count == 0:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
                         f"({length} bytes) minus 1")
    if count > 0 and offset + count * size > length:
        raise ValueError(f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be "
                         f"greater than actual buffer length ({length} bytes)")
    if count < 0 and (length - offset) % size:
        raise ValueError(f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a multiple of "
                         f"element size ({size})")
    if count < 0:
        count = (length - offset) // size
    if isinstance(buffer, bytearray) and offset % size == 0:  # its memory
        shared = _native.tensor_of_bytes(buffer)[offset:offset + count * size].view(dtype)
        return shared.requires_grad_() if requires_grad else shared
    return torch.tensor(list(struct.unpack(f"<{count}{letter}", bytes(buffer[offset:offset + count * size]))), dtype=dtype,
                        requires_grad=requires_grad)


def typename(obj):
    if torch.is_tensor(obj):
        return obj.type()
    kind = obj if isinstance(obj, type) else type(obj)
    return f"{kind.__module__}.{kind.__qualname__}" if kind.__module__ != "builtins" else kind.__qualname__
