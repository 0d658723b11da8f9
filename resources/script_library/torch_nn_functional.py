# SPDX-License-Identifier: Apache-2.0
# torch.nn.functional: the functions whose Python form differs from the operation's. Other names
# (sigmoid, tanh, one operation each) come from the catalogue.
import torch
from torch import _ops


def _reduction(name, size_average=None, reduce=None):
    if size_average is not None or reduce is not None:
        if reduce is False:
            return 0
        return 2 if size_average is False else 1
    if name == "none":
        return 0
    if name == "mean":
        return 1
    if name == "sum":
        return 2
    raise ValueError(f"reduction must be 'none', 'mean' or 'sum', found {name!r}")


def linear(input, weight, bias=None):
    return _ops.linear(input, weight, bias)


def relu(input, inplace=False):
    if inplace:
        return input.relu_()
    return _ops.relu(input)


def silu(input, inplace=False):
    if inplace:
        return input.silu_()
    return _ops.silu(input)


def gelu(input, *, approximate="none"):
    return _ops.gelu(input, approximate=approximate)


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = 0 if input.dim() in (0, 1, 3) else 1
    return _ops.softmax(input, dim, dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = 0 if input.dim() in (0, 1, 3) else 1
    return _ops.log_softmax(input, dim, dtype)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    return _ops.layer_norm(input, normalized_shape, weight, bias, eps)


def dropout(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _ops.dropout(input, p, training)


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                  label_smoothing=0.0):
    return _ops.cross_entropy_loss(input, target, weight, _reduction(reduction, size_average, reduce), ignore_index,
                                   label_smoothing)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    return _ops.nll_loss(input, target, weight, _reduction(reduction, size_average, reduce), ignore_index)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    if weight is not None:
        return _reduced(weight * (input - target) ** 2, reduction)
    return _ops.mse_loss(input, target, _reduction(reduction, size_average, reduce))


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise ValueError("embedding() takes no max_norm, scale_grad_by_freq or sparse: leave them out")
    if padding_idx is None:
        return _ops.embedding(weight, input)
    rows = weight.shape[0]
    if padding_idx < -rows or padding_idx >= rows:
        raise ValueError(f"embedding() needs a padding_idx within the {rows} rows, found {padding_idx}")
    return _ops.embedding(weight, input, padding_idx % rows)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    if not training or running_mean is None:
        return _ops.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    output, _, _, mean, var = _ops._native_batch_norm_legit_functional(input, weight, bias, running_mean, running_var,
                                                                      True, momentum, eps)
    running_mean.copy_(mean.detach())
    running_var.copy_(var.detach())
    return output


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    stride = [] if stride is None else stride
    if return_indices:
        return _ops.max_pool2d_with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
    return _ops.max_pool2d(input, kernel_size, stride, padding, dilation, ceil_mode)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    stride = [] if stride is None else stride
    return _ops.avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def adaptive_avg_pool2d(input, output_size):
    sizes = (output_size, output_size) if isinstance(output_size, int) else output_size
    wanted = [input.shape[i - 2] if sizes[i] is None else sizes[i] for i in range(2)]
    return _ops.adaptive_avg_pool2d(input, wanted)


# --- activations ---


def _in_place(input, result, inplace):
    return input.copy_(result) if inplace else result


def elu(input, alpha=1.0, inplace=False):
    return _in_place(input, _ops.elu(input, alpha), inplace)


def celu(input, alpha=1.0, inplace=False):
    return _in_place(input, _ops.celu(input, alpha), inplace)


def selu(input, inplace=False):
    return _in_place(input, _ops.selu(input), inplace)


def mish(input, inplace=False):
    return _in_place(input, _ops.mish(input), inplace)


def hardswish(input, inplace=False):
    return _in_place(input, _ops.hardswish(input), inplace)


def hardsigmoid(input, inplace=False):
    return _in_place(input, _ops.hardsigmoid(input), inplace)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return _in_place(input, _ops.hardtanh(input, min_val, max_val), inplace)


def relu6(input, inplace=False):
    return _in_place(input, _ops.relu6(input), inplace)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return _in_place(input, _ops.leaky_relu(input, negative_slope), inplace)


def threshold(input, threshold, value, inplace=False):
    return _in_place(input, _ops.threshold(input, threshold, value), inplace)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if training:
        slopes = torch.rand_like(input) * (upper - lower) + lower
        return _in_place(input, torch.where(input <= 0, input * slopes, input), inplace)
    return _in_place(input, _ops.leaky_relu(input, (lower + upper) / 2), inplace)


def logsigmoid(input):
    return _ops.log_sigmoid(input)


def softsign(input):
    return input / (input.abs() + 1)


def tanhshrink(input):
    return input - input.tanh()


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return softmax(-input, dim, dtype=dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    gumbels = -(-torch.log(torch.rand_like(logits))).log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    top = soft.argmax(dim, keepdim=True)
    return torch.zeros_like(logits).scatter(dim, top, 1.0) - soft.detach() + soft


# --- losses ---


def _reduced(loss, reduction):
    kind = _reduction(reduction)
    return loss if kind == 0 else loss.mean() if kind == 1 else loss.sum()


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    if weight is not None:
        return _reduced(weight * (input - target).abs(), reduction)
    return _ops.l1_loss(input, target, _reduction(reduction, size_average, reduce))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    return _ops.smooth_l1_loss(input, target, _reduction(reduction, size_average, reduce), beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    if weight is not None:
        return _reduced(weight * _ops.huber_loss(input, target, 0, delta), reduction)
    return _ops.huber_loss(input, target, _reduction(reduction), delta)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    return _ops.binary_cross_entropy(input, target, weight, _reduction(reduction, size_average, reduce))


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean",
                                     pos_weight=None):
    return _ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight,
                                                 _reduction(reduction, size_average, reduce))


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if reduction == "batchmean":
        total = _ops.kl_div(input, target, 2, log_target=log_target)
        return total / input.size(0) if input.dim() > 0 else total
    return _ops.kl_div(input, target, _reduction(reduction, size_average, reduce), log_target=log_target)


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None,
                     reduction="mean"):
    return _ops.poisson_nll_loss(input, target, log_input, full, eps, _reduction(reduction, size_average, reduce))


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * torch.ones_like(input)
    if list(var.shape) != list(input.shape):
        if list(input.shape)[:-1] == list(var.shape):
            var = var.unsqueeze(-1)
        elif input.dim() != var.dim() or any(v not in (1, i) for v, i in zip(list(var.shape), list(input.shape))):
            raise ValueError("var is of incorrect size")
    # The bound is no part of the slope.
    var = var + (var.detach().clamp(min=eps) - var.detach())
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * 1.8378770664093453
    return _reduced(loss, reduction)


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    return _ops.hinge_embedding_loss(input, target, margin, _reduction(reduction, size_average, reduce))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return _ops.soft_margin_loss(input, target, _reduction(reduction, size_average, reduce))


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    return _ops.margin_ranking_loss(input1, input2, target, margin, _reduction(reduction, size_average, reduce))


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    return _ops.multi_margin_loss(input, target, p, margin, weight, _reduction(reduction, size_average, reduce))


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return _ops.multilabel_margin_loss(input, target, _reduction(reduction, size_average, reduce))


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss.sum(dim=-1) / input.size(-1), reduction)


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    return _ops.cosine_embedding_loss(input1, input2, target, margin, _reduction(reduction, size_average, reduce))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None,
                        reduce=None, reduction="mean"):
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return _ops.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap,
                                    _reduction(reduction, size_average, reduce))


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False,
                                      reduction="mean"):
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    distance = pairwise_distance if distance_function is None else distance_function
    near = distance(anchor, positive)
    far = distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    return _reduced(torch.clamp_min(margin + near - far, 0), reduction)


# --- distances and norms ---


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return _ops.pairwise_distance(x1, x2, p, eps, keepdim)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return _ops.cosine_similarity(x1, x2, dim, eps)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    found = input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return found if out is None else out.copy_(found)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    if input.dim() < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {input.dim()} dimensions)")
    if input.numel() == 0:
        return input
    rows = (input * input).flatten(2).transpose(1, 2)
    rows = pad(rows, (size // 2, (size - 1) // 2)).unfold(2, size, 1).mean(-1)
    means = rows.transpose(1, 2).reshape(input.shape)
    return input / (means * alpha + k) ** beta


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    return _ops.group_norm(input, num_groups, weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    return _ops.rms_norm(input, normalized_shape, weight, eps)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True,
                  momentum=0.1, eps=1e-5):
    rows = input.reshape([1, input.shape[0] * input.shape[1]] + list(input.shape)[2:])
    times = input.shape[0]

    def wide(vector):
        return None if vector is None else vector.repeat(times)

    mean, var = wide(running_mean), wide(running_var)
    found = batch_norm(rows, mean, var, wide(weight), wide(bias), use_input_stats, momentum, eps)
    if use_input_stats and running_mean is not None:
        running_mean.copy_(mean.view(times, -1).mean(0))
        running_var.copy_(var.view(times, -1).mean(0))
    return found.reshape(input.shape)


# --- dropout ---


def _kept(input, p, sizes):
    return (torch.rand(sizes, dtype=input.dtype, device=input.device) >= p).to(input.dtype)


def _checked(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _feature_sizes(input, first):
    return [input.shape[i] if i < first else 1 for i in range(input.dim())]


def _feature_dropout(input, p, training, spatial):
    _checked(p)
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0
    batched = input.dim() == spatial + 2
    kept = _kept(input, p, _feature_sizes(input, 2 if batched or input.dim() == 2 else 1))
    return input * (kept / (1 - p))


def dropout1d(input, p=0.5, training=True, inplace=False):
    return _in_place(input, _feature_dropout(input, p, training, 1), inplace)


def dropout2d(input, p=0.5, training=True, inplace=False):
    return _in_place(input, _feature_dropout(input, p, training, 3 if input.dim() == 3 else 2), inplace)


def dropout3d(input, p=0.5, training=True, inplace=False):
    return _in_place(input, _feature_dropout(input, p, training, 3), inplace)


def _alpha_dropout(input, p, training, sizes):
    _checked(p)
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0
    alpha = 1.7580993408473766
    a = 1 / ((alpha * alpha * p + 1) * (1 - p)) ** 0.5
    kept = _kept(input, p, sizes)
    return input * (kept * a) + (kept - 1) * (alpha * a) + alpha * a * p


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    return _in_place(input, _alpha_dropout(input, p, training, list(input.shape)), inplace)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    return _in_place(input, _alpha_dropout(input, p, training, _feature_sizes(input, 2)), inplace)


# --- padding, resampling, windows ---


def pad(input, pad, mode="constant", value=None):
    return _ops.pad(input, pad, mode, value)


def one_hot(tensor, num_classes=-1):
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    return (tensor.unsqueeze(-1) == torch.arange(num_classes, device=tensor.device)).to(torch.int64)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    return _ops.im2col(input, kernel_size, dilation, padding, stride)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    return _ops.col2im(input, output_size, kernel_size, dilation, padding, stride)


def _scales(scale_factor, spatial):
    if scale_factor is None:
        return None
    if isinstance(scale_factor, (list, tuple)):
        if len(scale_factor) != spatial:
            raise ValueError(f"expected a scale factor for each of {spatial} dimensions, found {len(scale_factor)}")
        return [float(f) for f in scale_factor]
    return [float(scale_factor)] * spatial


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None,
                recompute_scale_factor=None, antialias=False):
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | "
                             "bicubic | trilinear")
    elif align_corners is None:
        align_corners = False
    spatial = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    scales = _scales(scale_factor, spatial)
    if size is not None:
        sizes = list(size) if isinstance(size, (list, tuple)) else [size] * spatial
        if len(sizes) != spatial:
            raise ValueError(f"expected a size for each of {spatial} dimensions, found {len(sizes)}")
    else:
        sizes = [int(input.shape[i + 2] * scales[i]) for i in range(spatial)]
        if recompute_scale_factor:
            scales = None
    if mode == "area":
        return [adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d][spatial - 1](input, sizes)
    ranks = {"linear": 1, "bilinear": 2, "trilinear": 3, "bicubic": 2}
    if mode not in ("nearest", "nearest-exact") and ranks.get(mode) != spatial:
        raise NotImplementedError(f"no mode {mode!r} for {input.dim()} dimensions")
    if antialias and mode not in ("bilinear", "bicubic"):
        raise ValueError("Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as "
                         "input")
    factors = [None] * spatial if scales is None else scales
    if mode == "nearest":
        return [_ops.upsample_nearest1d, _ops.upsample_nearest2d, _ops.upsample_nearest3d][spatial - 1](
            input, sizes, *factors)
    if mode == "nearest-exact":
        return [_ops._upsample_nearest_exact1d, _ops._upsample_nearest_exact2d,
                _ops._upsample_nearest_exact3d][spatial - 1](input, sizes, *factors)
    if mode == "bicubic":
        resample = _ops._upsample_bicubic2d_aa if antialias else _ops.upsample_bicubic2d
    elif antialias:
        resample = _ops._upsample_bilinear2d_aa
    else:
        resample = [_ops.upsample_linear1d, _ops.upsample_bilinear2d, _ops.upsample_trilinear3d][spatial - 1]
    return resample(input, sizes, align_corners, *factors)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    modes, paddings = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
    if mode not in modes:
        raise ValueError(f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but "
                         f"got: '{mode}'")
    if padding_mode not in paddings:
        raise ValueError(f"nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
                         f"'reflection', but got: '{padding_mode}'")
    return _ops.grid_sampler(input, grid, modes.index(mode), paddings.index(padding_mode), bool(align_corners))


def affine_grid(theta, size, align_corners=None):
    return _ops.affine_grid_generator(theta, list(size), bool(align_corners))
