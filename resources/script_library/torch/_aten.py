# SPDX-License-Identifier: Apache-2.0
# What torch.ops.aten has and no record is of: calls that answer with numbers or need numbers of a tensor, that write to
# their arguments, or whose results may be none. overloads: by the overload's full name; of the others, the name is the only overload.
import torch
from torch import _ops
from torch._methods import _native_batch_norm_legit, empty_strided


def _backward(function, x, grad):
    """The gradient of function(x), as a call of its own."""
    with torch.enable_grad():
        leaf = x if x.requires_grad else x.detach().requires_grad_()
        return torch.autograd.grad(function(leaf), leaf, grad, create_graph=grad.requires_grad)[0]


def _adaptive_avg_pool3d_backward(grad_output, self):
    sizes = list(grad_output.shape[-3:])
    return _backward(lambda x: torch.nn.functional.adaptive_avg_pool3d(x, sizes), self, grad_output)


def avg_pool3d_backward(grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                        divisor_override=None):
    how = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return _backward(lambda x: torch.nn.functional.avg_pool3d(x, *how), self, grad_output)


def upsample_nearest2d_backward(grad_output, output_size, input_size, scales_h=None, scales_w=None):
    return _backward(lambda x: torch.ops.aten.upsample_nearest2d(x, output_size, scales_h, scales_w),
                     grad_output.new_zeros(input_size), grad_output)


def upsample_bilinear2d_backward(grad_output, output_size, input_size, align_corners, scales_h=None, scales_w=None):
    return _backward(lambda x: torch.ops.aten.upsample_bilinear2d(x, output_size, align_corners, scales_h, scales_w),
                     grad_output.new_zeros(input_size), grad_output)


def reflection_pad2d_backward(grad_output, self, padding):
    return _backward(lambda x: torch.ops.aten.reflection_pad2d(x, padding), self, grad_output)


def replication_pad2d_backward(grad_output, self, padding):
    return _backward(lambda x: torch.ops.aten.replication_pad2d(x, padding), self, grad_output)


def select_backward(grad_output, input_sizes, dim, index):
    return torch.select_scatter(grad_output.new_zeros(input_sizes), grad_output, dim, index)


def feature_dropout(input, p, train):
    """Whole channels of a tensor [batch, channels, ..] set to 0."""
    if not train or p == 0 or input.numel() == 0:
        return input
    kept = torch.nn.functional._noise(input, list(input.shape[:2]) + [1] * (input.dim() - 2)).bernoulli_(1 - p)
    return input * (kept / (1 - p) if p < 1 else kept * 0)


def lift_fresh_copy(self):
    return self.clone()


def _bernoulli(self, *, generator=None):
    return torch.bernoulli(self, generator=generator)


def _bernoulli_p(self, p=0.5, *, generator=None):
    return torch.bernoulli(self, p, generator=generator)


def _bernoulli_by(self, p, *, generator=None):
    return torch.empty_like(self).bernoulli_(p, generator=generator)


def _bernoulli_out(self, *, generator=None, out):
    return torch.bernoulli(self, generator=generator, out=out)


def _native_multi_head_attention(query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, proj_weight,
                                 proj_bias, mask=None, need_weights=True, average_attn_weights=True, mask_type=None):
    """Attention of the encoder's fast path. mask_type: 0 of queries and keys, 1 of keys, 2 of every head's scores."""
    if mask is not None and mask_type is None:
        raise RuntimeError("mask_type must be set when mask is used")
    heads = [torch.nn.functional.linear(x, w, b).unflatten(-1, (num_head, -1)).transpose(1, 2)
             for x, w, b in zip((query, key, value), qkv_weight.chunk(3), qkv_bias.chunk(3))]
    q, k, v = heads
    scores = (q * (embed_dim // num_head) ** -0.5) @ k.transpose(-2, -1)
    if mask is not None:
        shown = mask[:, None, None, :] if mask_type == 1 else mask
        scores = scores.masked_fill(shown.bool(), -torch.inf)
    weights = scores.softmax(-1)
    joined = (weights @ v).transpose(1, 2).flatten(2)
    result = torch.nn.functional.linear(joined, proj_weight, proj_bias)
    if not need_weights:
        return result, None
    return result, weights.sum(1) / num_head if average_attn_weights else weights


def _absent(name):
    """Which PyTorch has for other devices only."""
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"Could not run 'aten::{name}' with arguments from the 'CPU' backend.")
    return refuse


def _assert_tensor_metadata(a, size=None, stride=None, dtype=None, *, device=None, layout=None):
    for what, wanted, found in (("sizes", size, list(a.shape)), ("strides", stride, list(a.stride())),
                                ("dtype", dtype, a.dtype)):
        if wanted is not None and (list(wanted) if what != "dtype" else wanted) != found:
            raise RuntimeError(f"Tensor {what} mismatch! Expected: {wanted}, Got: {found}")


def new_empty_strided(self, size, stride, dtype=None, layout=None, device=None, pin_memory=None):
    return torch.empty_strided(size, stride, dtype=self.dtype if dtype is None else dtype,
                               device=self.device if device is None else device)


def _assert_async(self):
    return torch._assert_async(self)


def _assert_async_msg(self, assert_msg):
    return torch._assert_async(self, assert_msg)


def _assert_scalar(self, assert_msg):
    """Of a number, which may be one that a captured graph computes."""
    if not _C.asserted_later(self, assert_msg) and not self:
        raise RuntimeError(assert_msg)


_forward_norms, _inverse_norms = ("backward", "ortho", "forward"), ("forward", "ortho", "backward")


def _fft_r2c(self, dim, normalization, onesided):
    norm = _forward_norms[normalization]
    return torch.fft.rfftn(self, dim=dim, norm=norm) if onesided else torch.fft.fftn(self, dim=dim, norm=norm)


def _fft_c2r(self, dim, normalization, last_dim_size):
    sizes = [self.shape[d] for d in dim[:-1]] + [last_dim_size]
    return torch.fft.irfftn(self, s=sizes, dim=dim, norm=_inverse_norms[normalization])


def _fft_c2c(self, dim, normalization, forward):
    if forward:
        return torch.fft.fftn(self, dim=dim, norm=_forward_norms[normalization])
    return torch.fft.ifftn(self, dim=dim, norm=_inverse_norms[normalization])


def _batch_norm_with_update(input, weight, bias, running_mean, running_var, momentum, eps):
    found = _native_batch_norm_legit(input, weight, bias, running_mean, running_var, True, momentum, eps)
    return tuple(found) + (input.new_empty(0, dtype=torch.uint8),)


def native_group_norm_backward(grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask):
    rows = [N, group, -1]
    scale = rstd.reshape(N, group, 1)
    normal = (input.reshape(rows) - mean.reshape(N, group, 1)) * scale
    by_channel = grad_out.reshape(N, C, HxW)
    grad = (by_channel if weight is None else by_channel * weight.reshape(1, C, 1)).reshape(rows)
    moved = scale * (grad - grad.mean(-1, True) - normal * (grad * normal).mean(-1, True))
    return (moved.reshape(input.shape) if output_mask[0] else None,
            (by_channel * normal.reshape(N, C, HxW)).sum((0, 2)) if output_mask[1] else None,
            by_channel.sum((0, 2)) if output_mask[2] else None)


def native_dropout(input, p, train):
    if train is False:
        return input.clone(), torch.ones_like(input, dtype=torch.bool)
    mask = torch.empty_like(input, dtype=torch.bool).bernoulli_(1 - p)
    return input * mask * (0.0 if p == 1 else 1 / (1 - p)), mask


def _embedding_bag(weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None,
                   include_last_offset=False, padding_idx=-1):
    """The bags, the bag of each index, how many indices each bag has, and where its largest elements came from."""
    names = ("sum", "mean", "max")
    found = torch.nn.functional.embedding_bag(indices, weight, offsets, None, 2.0, scale_grad_by_freq, names[mode],
                                              sparse, per_sample_weights, include_last_offset,
                                              padding_idx if padding_idx >= 0 else None)
    ends = offsets[1:] if include_last_offset else torch.cat([offsets[1:], offsets.new_full((1,), indices.numel())])
    starts = offsets[:-1] if include_last_offset else offsets
    place = torch.arange(indices.numel(), dtype=offsets.dtype, device=offsets.device)
    inside = (place >= starts.unsqueeze(-1)) & (place < ends.unsqueeze(-1))
    bag = torch.searchsorted(starts.contiguous(), place, right=True).to(offsets.dtype) - 1
    counted = inside if padding_idx < 0 else inside & (indices != padding_idx)
    counts = counted.sum(-1).to(offsets.dtype)
    if mode == 0:  # PyTorch's sums need neither, and without padding no bags
        zeros = torch.zeros_like(counts)
        return found, offsets.new_empty(0) if padding_idx < 0 else bag, zeros, zeros.clone()
    if mode == 1:
        return found, bag, counts, counts.clone()
    if indices.numel() == 0:
        return found, bag, counts, offsets.new_zeros(found.shape)
    rows = torch.where(counted.unsqueeze(-1), weight.detach().index_select(0, indices), -torch.inf)
    picked = indices.to(offsets.dtype)[rows.argmax(1)]
    return found, bag, counts, torch.where((counts > 0).unsqueeze(-1), picked, 0)


def _local_scalar_dense(self):
    return self.item()


def copy(self, src, non_blocking=False):
    return torch.empty_like(self).copy_(src)


def nonzero(self):
    return self.nonzero()


def randperm(n, *, dtype=torch.int64, layout=None, device=None, pin_memory=None):
    return torch.randperm(n, dtype=dtype, device=device)


def resize_(self, size, *, memory_format=None):
    return self.resize_(size)


def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    return torch.nn.functional.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


overloads = {
    "bernoulli": _bernoulli,
    "_assert_async": _assert_async,
    "_assert_async.msg": _assert_async_msg,
    "_assert_scalar": _assert_scalar,
    "bernoulli.p": _bernoulli_p,
    "bernoulli.Tensor": _bernoulli_by,
    "bernoulli.out": _bernoulli_out,
    "linear_backward": _absent("linear_backward"),
    "max_pool2d_backward": _absent("max_pool2d_backward"),
    "_native_batch_norm_legit.no_stats": _native_batch_norm_legit,
    "empty.memory_format": lambda size, **options: torch.empty(size, **options),
    "sym_is_contiguous": lambda self, memory_format=torch.contiguous_format: self.is_contiguous(
        memory_format=memory_format),
    "sym_numel": lambda self: self.numel(),
    "sym_size.int": lambda self, dim: self.size(dim),
    "sym_size": lambda self: list(self.size()),
    "sym_storage_offset": lambda self: self.storage_offset(),
    "sym_stride.int": lambda self, dim: self.stride(dim),
    "sym_stride": lambda self: list(self.stride()),
}
for _function in (_adaptive_avg_pool3d_backward, avg_pool3d_backward, _fft_r2c, _fft_c2r, _fft_c2c,
                  _native_batch_norm_legit, _batch_norm_with_update, native_group_norm_backward, native_dropout,
                  _embedding_bag, _local_scalar_dense, copy, nonzero, randperm, resize_, empty_strided,
                  upsample_nearest2d_backward, upsample_bilinear2d_backward, reflection_pad2d_backward,
                  replication_pad2d_backward, select_backward, feature_dropout, lift_fresh_copy,
                  _assert_tensor_metadata, new_empty_strided, _native_multi_head_attention):
    overloads[_function.__name__] = _function


def _of_torch(name):
    return lambda *args, **kwargs: getattr(torch, name)(*args, **kwargs)


for _name in ("complex", "polar", "hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window"):
    overloads[_name] = _of_torch(_name)
for _name, _function in overloads.items():
    _function._overload = _name


class Schema(str):
    """How an operation is called: "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"."""

    @property
    def name(self):
        return self.partition("(")[0].partition(".")[0]

    @property
    def overload_name(self):
        return self.partition("(")[0].partition(".")[2]


class _Kind(type):
    """Which of torch's operations an object is."""

    def __instancecheck__(cls, value):
        return cls._has(value, _C.builtin_name(value) or "")


class OpOverload(metaclass=_Kind):
    @staticmethod
    def _has(value, name):
        return name.startswith(("aten.", "prims.")) or hasattr(value, "_overload") or hasattr(value, "_qualname")


class OpOverloadPacket(metaclass=_Kind):
    @staticmethod
    def _has(value, name):
        return name.startswith("torch.ops.") or type(value) is Packet


class Packet:
    """torch.ops.aten.NAME, where no overload of NAME has a record."""

    def __init__(self, name):
        self.__name__ = name
        self._own = {full.partition(".")[2] or "default": function for full, function in overloads.items()
                     if full.partition(".")[0] == name}

    def __call__(self, *args, **kwargs):
        *others, last = self._own.values()
        for function in others:
            try:
                return function(*args, **kwargs)
            except TypeError:  # the arguments of another overload
                pass
        return last(*args, **kwargs)

    def __getattr__(self, name):
        if name in self._own:
            return self._own[name]
        raise AttributeError(f"The underlying op of 'aten.{self.__name__}' has no overload name '{name}'")

    def overloads(self):
        return list(self._own)

    def __repr__(self):
        return "aten." + self.__name__


packets = {}
for _name in overloads:
    _name = _name.partition(".")[0]
    if _name not in packets:
        packets[_name] = Packet(_name)
