# SPDX-License-Identifier: Apache-2.0
# torch.nn.functional: the functions whose Python form differs from the operation's. Other names
# (sigmoid, tanh, one operation each) come from the catalogue.
import torch
from torch import _ops


class _Reduction:
    @staticmethod
    def get_enum(reduction):
        return _reduction(reduction)


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


def _noise(input, sizes=None):
    """Memory for what is drawn beside the input: of real numbers."""
    dtype = input.real.dtype if input.is_complex() else input.dtype
    return torch.empty_like(input, dtype=dtype) if sizes is None else input.new_empty(sizes, dtype=dtype)


def dropout(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0.0:
        return input if training else _ops.dropout(input, p, False)
    if p == 1.0:
        return input.zero_() if inplace else input * torch.zeros_like(input)
    noise = _noise(input)
    # PyTorch has a kernel of its own for whole elements on a GPU.
    fused = input.is_cuda and not inplace
    noise = (noise._dropout_(1 - p) if fused else noise.bernoulli_(1 - p)).div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                  label_smoothing=0.0):
    if weight is not None and not target.is_floating_point():
        _want_no_class_gradient(input, weight)
    return _ops.cross_entropy_loss(input, target, weight, _reduction(reduction, size_average, reduce), ignore_index,
                                   label_smoothing)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    if weight is not None:
        _want_no_class_gradient(input, weight)
    return _ops.nll_loss(input, target, weight, _reduction(reduction, size_average, reduce), ignore_index)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    if weight is not None:
        return _weighted((input - target) ** 2, input, weight, reduction, size_average, reduce)
    return _ops.mse_loss(input, target, _reduction(reduction, size_average, reduce))


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if sparse:
        raise ValueError("embedding() takes no sparse: leave it out")
    if max_norm is not None:
        _renorm_rows(weight, input, max_norm, norm_type)
    if padding_idx is None:
        return _ops.embedding(weight, input, -1, True) if scale_grad_by_freq else _ops.embedding(weight, input)
    rows = weight.shape[0]
    if padding_idx < -rows or padding_idx >= rows:
        raise ValueError(f"embedding() needs a padding_idx within the {rows} rows, found {padding_idx}")
    if scale_grad_by_freq:
        return _ops.embedding(weight, input, padding_idx % rows, True)
    return _ops.embedding(weight, input, padding_idx % rows)


def _renorm_rows(weight, places, max_norm, norm_type):
    """Shortens, in place, the rows of weight at these places that are longer than max_norm."""
    with torch.no_grad():
        seen = torch.zeros(weight.shape[0], dtype=torch.bool, device=weight.device)
        seen = seen.index_fill(0, places.reshape(-1), True)
        norms = torch.linalg.vector_norm(weight, norm_type, dim=1)
        factors = torch.where(seen & (norms > max_norm), max_norm / (norms + 1e-7), 1.0)
        weight.mul_(factors.unsqueeze(1))


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean",
                  sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    if weight.dtype == torch.int64 and input.is_floating_point():
        input, weight = weight, input  # the order of old
    if scale_grad_by_freq or sparse:
        raise ValueError("embedding_bag() takes no scale_grad_by_freq or sparse: leave them out")
    if max_norm is not None:
        _renorm_rows(weight, input, max_norm, norm_type)
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if per_sample_weights is not None:
        if mode != "sum":
            raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is only "
                                      f"supported for mode='sum' (got mode='{mode}'). Please open a feature request "
                                      "on GitHub.")
        if per_sample_weights.shape != input.shape:
            raise ValueError(f"embedding_bag: If per_sample_weights ({tuple(per_sample_weights.shape)}) is not None, "
                             f"then it must have the same shape as the input ({tuple(input.shape)})")
    if input.dim() == 2:  # a row is a bag
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed "
                             f"length sequences. However, found offsets of type {type(offsets)}")
        places, length = input.shape
        bags = places
        bag = torch.arange(places, device=input.device).repeat_interleave(length)
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets.dim() != 1:
            raise ValueError("offsets has to be a 1D Tensor")
        if include_last_offset and offsets.shape[0] < 1:
            raise RuntimeError("include_last_offset: number of offset should be at least 1")
        places, length = offsets.shape[0], input.shape[0]
        bags = places - (1 if include_last_offset else 0)  # what lies behind the last offset is in none
        bag = torch.searchsorted(offsets.to(torch.int64), torch.arange(length, device=input.device), right=True) - 1
        if places:  # outside the bags: an error
            bag = torch.where(offsets[-1] > length, places, bag)
    else:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    rows = _C._embedding_bag_rows(weight, input, -1 if padding_idx is None else padding_idx % weight.shape[0])
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    counted = None
    if padding_idx is not None:
        counted = input != padding_idx % weight.shape[0]
        rows = torch.where(counted.unsqueeze(-1), rows, -torch.inf if mode == "max" else 0.0)
    out = torch.zeros(places, weight.shape[1], dtype=rows.dtype, device=rows.device)
    if mode == "max":
        # Each bag's first largest row has the whole gradient.
        seen = rows.detach()
        if seen.shape[0] == 0:
            return out[:bags] + rows.sum(0)
        largest = out.index_reduce(0, bag, seen, "amax", include_self=False)
        named = torch.arange(seen.shape[0], device=rows.device).unsqueeze(-1)
        taken = (seen == largest[bag]) | seen.isnan()
        first = torch.full_like(out, seen.shape[0], dtype=torch.int64).scatter_reduce(
            0, bag.unsqueeze(-1).expand(seen.shape), torch.where(taken, named, seen.shape[0]), "amin")
        found = rows.gather(0, first.clamp(max=seen.shape[0] - 1))
        return torch.where((first == seen.shape[0]) | (found == -torch.inf), 0.0, found)[:bags]
    # Each bag's sum is kept in float32, as PyTorch keeps it.
    wide = rows.dtype in (torch.float16, torch.bfloat16)
    out = (out.float() if wide else out).index_add(0, bag, rows.float() if wide else rows)
    if mode == "mean":
        ones = torch.ones_like(bag) if counted is None else counted.to(torch.int64)
        out = out / torch.zeros(places, dtype=torch.int64, device=out.device).index_add(0, bag, ones).clamp(min=1)[:, None]
    return out.to(rows.dtype)[:bags]


def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean",
                         ignore_index=None, label_smoothing=0.0, options=None):
    """Cross entropy of linear(input); a weight [.., classes, features] gives as many logits a row. Options say how many
    rows PyTorch computes at once: the loss is the same."""
    ignore_index = -100 if ignore_index is None else ignore_index
    if linear_weight.dim() > 2:
        logits = input @ linear_weight.flatten(0, -2).T
        logits = logits.unflatten(-1, list(linear_weight.shape[:-1]))
        logits = logits if linear_bias is None else logits + linear_bias
    else:
        logits = linear(input, linear_weight, linear_bias)
    return cross_entropy(logits, target, weight=weight, reduction=reduction, ignore_index=ignore_index,
                         label_smoothing=label_smoothing)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    if input.dim() == 1 and input.numel() == 0:  # no channels, which alone PyTorch takes
        output = input.clone() if weight is None else input * weight[0]
        return output if bias is None else output + bias[0]
    _want_no_gradient("native_batch_norm", running_mean=running_mean, running_var=running_var)
    if not training or running_mean is None:
        return _ops.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    channels = input.shape[1] if input.dim() > 1 else None
    for name, t in (("running_mean", running_mean), ("running_var", running_var), ("weight", weight), ("bias", bias)):
        if channels and t is not None and t.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {t.numel()}")
    if channels and input.numel() == channels:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape}")
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


def _of_integers(pool, input, *args):
    """Averages of integers, without what comes behind the point."""
    return pool(input.double(), *args).to(input.dtype)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    stride = [] if stride is None else stride
    if not input.is_floating_point():
        return _of_integers(avg_pool2d, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return _ops.avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def adaptive_avg_pool2d(input, output_size):
    sizes = (output_size, output_size) if isinstance(output_size, int) else output_size
    wanted = [input.shape[i - 2] if sizes[i] is None else sizes[i] for i in range(2)]
    return _ops.adaptive_avg_pool2d(input, wanted)


# --- activations ---


def _in_place(input, result, inplace):
    return input.copy_(result) if inplace else result


def elu(input, alpha=1.0, inplace=False):
    return input.elu_(alpha) if inplace else _ops.elu(input, alpha)


def celu(input, alpha=1.0, inplace=False):
    return input.celu_(alpha) if inplace else _ops.celu(input, alpha)


def selu(input, inplace=False):
    return input.selu_() if inplace else _ops.selu(input)


def mish(input, inplace=False):
    return input.mish_() if inplace else _ops.mish(input)


def hardswish(input, inplace=False):
    return input.hardswish_() if inplace else _ops.hardswish(input)


def hardsigmoid(input, inplace=False):
    return input.hardsigmoid_() if inplace else _ops.hardsigmoid(input)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return input.hardtanh_(min_val, max_val) if inplace else _ops.hardtanh(input, min_val, max_val)


def relu6(input, inplace=False):
    return input.relu6_() if inplace else _ops.relu6(input)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return input.leaky_relu_(negative_slope) if inplace else _ops.leaky_relu(input, negative_slope)


def threshold(input, threshold, value, inplace=False):
    return input.threshold_(threshold, value) if inplace else _ops.threshold(input, threshold, value)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if training:
        if torch.compiler.is_compiling():
            slopes = torch.where(input <= 0, torch.rand_like(input) * (upper - lower) + lower, 1.0)
        else:  # PyTorch draws a double for each element that is not positive
            negative = input.detach() <= 0
            drawn = torch.empty(int(negative.sum()), dtype=torch.float64, device=input.device).uniform_(lower, upper)
            slopes = torch.ones_like(input).masked_scatter(negative, drawn.to(input.dtype))
        return input.mul_(slopes) if inplace else input * slopes
    return leaky_relu(input, (lower + upper) / 2, inplace)


def relu_(input):
    return relu(input, inplace=True)


def elu_(input, alpha=1.0):
    return elu(input, alpha, inplace=True)


def celu_(input, alpha=1.0):
    return celu(input, alpha, inplace=True)


def selu_(input):
    return selu(input, inplace=True)


def leaky_relu_(input, negative_slope=0.01):
    return leaky_relu(input, negative_slope, inplace=True)


def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False):
    return rrelu(input, lower, upper, training, inplace=True)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    return hardtanh(input, min_val, max_val, inplace=True)


def threshold_(input, threshold, value):
    return input.threshold_(threshold, value)


def logsigmoid(input):
    return _ops.log_sigmoid(input)


def softsign(input):
    return input / (input.abs() + 1)


def tanhshrink(input):
    return input - input.tanh()


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return softmax(-input, dim, dtype=dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    if not logits.dtype.is_floating_point:
        raise RuntimeError("Exponential distribution is a continuous probability distribution. dtype must be a floating "
                           f"point but you specified {logits.dtype}")
    gumbels = -logits.new_empty(logits.shape).exponential_().log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    top = soft.argmax(dim, keepdim=True)
    return torch.zeros_like(logits).scatter(dim, top, 1.0) - soft.detach() + soft


# --- losses ---


def _reduced(loss, reduction):
    kind = _reduction(reduction)
    return loss if kind == 0 else loss.mean() if kind == 1 else loss.sum()


def _weighted(errors, input, weight, reduction, size_average, reduce):
    """The errors by their weights, reduced; the mean is that of the weights."""
    if weight.shape != input.shape:
        raise ValueError("Weights and input must have the same size.")
    kind = _reduction(reduction, size_average, reduce)
    weighted = errors * weight
    return weighted if kind == 0 else weighted.sum() / weight.sum() if kind == 1 else weighted.sum()


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    if weight is not None:
        return _weighted((input - target).abs(), input, weight, reduction, size_average, reduce)
    return _ops.l1_loss(input, target, _reduction(reduction, size_average, reduce))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    return _ops.smooth_l1_loss(input, target, _reduction(reduction, size_average, reduce), beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    if weight is not None:
        if weight.shape != input.shape:
            raise ValueError("Weights and input must have the same size.")
        return _reduced(_ops.huber_loss(input, target, 0, delta) * weight, reduction)
    return _ops.huber_loss(input, target, _reduction(reduction), delta)


def _want_no_gradient(function, **inputs):
    for name, given in inputs.items():
        if given is not None and given.requires_grad and torch.is_grad_enabled():
            raise RuntimeError(f"The function '{function}' is not differentiable with respect to argument '{name}'. "
                               "This input cannot have requires_grad True.")


def _want_no_class_gradient(input, weight):
    _want_no_gradient("nll_loss2d_forward" if input.dim() > 2 else "nll_loss_forward", weight=weight)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    # PyTorch's CPU kernel looks at the values; compiled code does not.
    looks = not torch.compiler.is_compiling() and not input.is_cuda and input.is_floating_point()
    if looks and input.dtype == target.dtype and ((input < 0) | (input > 1)).any():
        raise RuntimeError("all elements of input should be between 0 and 1")
    _want_no_gradient("binary_cross_entropy", weight=weight)
    return _ops.binary_cross_entropy(input, target, weight, _reduction(reduction, size_average, reduce))


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean",
                                     pos_weight=None):
    _want_no_gradient("binary_cross_entropy_with_logits", weight=weight, pos_weight=pos_weight)
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


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    from torch.nn._ctc import ctc_loss
    return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


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
    if torch.any(var < 0):
        raise ValueError("var has negative entry/entries")
    # The bound is no part of the slope.
    var = var + (var.detach().clamp(min=eps) - var.detach())
    loss = 0.5 * (torch.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * 1.8378770664093453
    return _reduced(loss, reduction)


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    return _ops.hinge_embedding_loss(input, target, margin, _reduction(reduction, size_average, reduce))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    _want_no_gradient("soft_margin_loss", target=target)
    return _ops.soft_margin_loss(input, target, _reduction(reduction, size_average, reduce))


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    return _ops.margin_ranking_loss(input1, input2, target, margin, _reduction(reduction, size_average, reduce))


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    _want_no_gradient("multi_margin_loss", weight=weight)
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
    rows = pad(rows, (size // 2, (size - 1) // 2)).unfold(2, size, 1)
    rows = rows.mean(-1) if input.is_floating_point() else rows.sum(-1) // size
    means = rows.transpose(1, 2).reshape(input.shape)
    return input / (means * alpha + k) ** beta


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    return _ops.group_norm(input, num_groups, weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    return _ops.rms_norm(input, normalized_shape, weight, eps)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True,
                  momentum=0.1, eps=1e-5):
    rows = input.contiguous().reshape([1, input.shape[0] * input.shape[1]] + list(input.shape)[2:])
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


def _checked(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _feature_sizes(input, first):
    return [input.shape[i] if i < first else 1 for i in range(input.dim())]


def _feature_dropout(input, p, training, first):
    _checked(p)
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0
    kept = _noise(input, _feature_sizes(input, first)).bernoulli_(1 - p)
    return input * (kept / (1 - p))


def dropout1d(input, p=0.5, training=True, inplace=False):
    if input.dim() not in (2, 3):
        raise RuntimeError(f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that dropout1d "
                           "exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, "
                           "and an optional batch dimension (i.e. 2D or 3D inputs).")
    if input.dim() == 2 and not inplace:
        return dropout1d(input.unsqueeze(0), p, training).squeeze(0)
    return _in_place(input, _feature_dropout(input, p, training, 2 if input.dim() == 3 else 1), inplace)


def dropout2d(input, p=0.5, training=True, inplace=False):
    return _in_place(input, _feature_dropout(input, p, training, 2), inplace)


def dropout3d(input, p=0.5, training=True, inplace=False):
    if input.dim() == 4 and not inplace:
        return dropout3d(input.unsqueeze(0), p, training).squeeze(0)
    return _in_place(input, _feature_dropout(input, p, training, 2 if input.dim() == 5 else 1), inplace)


def _alpha_dropout(input, p, training, like):
    _checked(p)
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0
    alpha = 1.7580993408473766
    a = 1 / ((alpha * alpha * p + 1) * (1 - p)) ** 0.5
    kept = like.bernoulli_(1 - p)
    return input * (kept * a) + (kept - 1) * (alpha * a) + alpha * a * p


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    return _in_place(input, _alpha_dropout(input, p, training, _noise(input)), inplace)


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    return _in_place(input, _alpha_dropout(input, p, training, _noise(input, _feature_sizes(input, 2))), inplace)


# --- padding, resampling, windows ---


def pad(input, pad, mode="constant", value=None):
    if mode in ("reflect", "replicate") and input.dim() - len(pad) // 2 not in (1, 2):
        raise NotImplementedError("Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now")
    return _ops.pad(input, pad, mode, float(value) if isinstance(value, bool) else value)


def one_hot(tensor, num_classes=-1):
    if tensor.dtype != torch.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor.numel() == 0:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
    elif num_classes == -1:
        if tensor.min() < 0:
            raise RuntimeError("Class values must be non-negative.")
        num_classes = int(tensor.max()) + 1
    elif not torch.compiler.is_compiling() and ((tensor < 0) | (tensor >= num_classes)).any():
        raise RuntimeError("Class values must be non-negative." if tensor.min() < 0 else
                           "Class values must be smaller than num_classes.")
    # As a scatter: its kernel looks at every class, which a compiled function cannot do before.
    zeros = torch.zeros((*tensor.shape, num_classes), dtype=torch.int64, device=tensor.device)
    return zeros.scatter(-1, tensor.unsqueeze(-1), 1)


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
    if not 1 <= spatial <= 3:
        raise NotImplementedError(f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.dim()}D)")
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


# --- pools ---


def _stride(stride):
    return [] if stride is None else stride


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if return_indices:
        return _ops.max_pool1d_with_indices(input, kernel_size, _stride(stride), padding, dilation, ceil_mode)
    return _ops.max_pool1d(input, kernel_size, _stride(stride), padding, dilation, ceil_mode)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if return_indices:
        return _ops.max_pool3d_with_indices(input, kernel_size, _stride(stride), padding, dilation, ceil_mode)
    return _ops.max_pool3d(input, kernel_size, _stride(stride), padding, dilation, ceil_mode)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    if not input.is_floating_point():
        return _of_integers(avg_pool1d, input, kernel_size, stride, padding, ceil_mode, count_include_pad)
    return _ops.avg_pool1d(input, kernel_size, _stride(stride), padding, ceil_mode, count_include_pad)


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    if not input.is_floating_point():
        return _of_integers(avg_pool3d, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return _ops.avg_pool3d(input, kernel_size, _stride(stride), padding, ceil_mode, count_include_pad,
                           divisor_override)


def _output_sizes(input, output_size, spatial):
    sizes = [output_size] * spatial if output_size is None or isinstance(output_size, int) else list(output_size)
    return [input.shape[i - spatial] if sizes[i] is None else sizes[i] for i in range(spatial)]


def adaptive_avg_pool1d(input, output_size):
    return _ops.adaptive_avg_pool1d(input, _output_sizes(input, output_size, 1))


def adaptive_avg_pool3d(input, output_size):
    return _ops.adaptive_avg_pool3d(input, _output_sizes(input, output_size, 3))


def adaptive_max_pool1d(input, output_size, return_indices=False):
    pair = _ops.adaptive_max_pool1d(input, _output_sizes(input, output_size, 1))
    return pair if return_indices else pair[0]


def adaptive_max_pool2d(input, output_size, return_indices=False):
    pair = _ops.adaptive_max_pool2d(input, _output_sizes(input, output_size, 2))
    return pair if return_indices else pair[0]


def adaptive_max_pool3d(input, output_size, return_indices=False):
    pair = _ops.adaptive_max_pool3d(input, _output_sizes(input, output_size, 3))
    return pair if return_indices else pair[0]


def _each(value, spatial):
    return [value] * spatial if isinstance(value, int) else list(value)


def _unpooled_sizes(input, kernel_size, stride, padding, output_size, spatial):
    kernel, pad = _each(kernel_size, spatial), _each(padding, spatial)
    step = kernel if stride is None else _each(stride, spatial)
    natural = [(input.shape[i - spatial] - 1) * step[i] + kernel[i] - 2 * pad[i] for i in range(spatial)]
    if output_size is None:
        return natural, step, pad
    wanted = list(output_size)[-spatial:]
    for d in range(spatial):
        if not natural[d] - step[d] < wanted[d] < natural[d] + step[d]:
            raise ValueError(f'invalid output_size "{wanted}" (dim {d} must be between {natural[d] - step[d]} and '
                             f'{natural[d] + step[d]})')
    return wanted, step, pad


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    sizes, _, _ = _unpooled_sizes(input, kernel_size, stride, padding, output_size, 1)
    return _ops.max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), sizes + [1]).squeeze(-1)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    sizes, _, _ = _unpooled_sizes(input, kernel_size, stride, padding, output_size, 2)
    return _ops.max_unpool2d(input, indices, sizes)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    sizes, step, pad = _unpooled_sizes(input, kernel_size, stride, padding, output_size, 3)
    return _ops.max_unpool3d(input, indices, sizes, step, pad)


def _lp_pool(sums, count, p):
    return (sums.sign() * relu(sums.abs()) * count) ** (1.0 / p)


def _product(values):
    total = 1
    for value in values:
        total = total * value
    return total


def _extreme_pool(pool, input, norm_type, kernel_size, stride, ceil_mode):
    if norm_type > 0:
        return pool(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    return -pool(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    if abs(norm_type) == float("inf"):
        return _extreme_pool(max_pool1d, input, norm_type, kernel_size, stride, ceil_mode)
    return _lp_pool(avg_pool1d(input ** norm_type, kernel_size, stride, 0, ceil_mode), kernel_size, norm_type)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    if abs(norm_type) == float("inf"):
        return _extreme_pool(max_pool2d, input, norm_type, kernel_size, stride, ceil_mode)
    count = _product(_each(kernel_size, 2))
    return _lp_pool(avg_pool2d(input ** norm_type, kernel_size, stride, 0, ceil_mode), count, norm_type)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    if abs(norm_type) == float("inf"):
        return _extreme_pool(max_pool3d, input, norm_type, kernel_size, stride, ceil_mode)
    count = _product(_each(kernel_size, 3))
    return _lp_pool(avg_pool3d(input ** norm_type, kernel_size, stride, 0, ceil_mode), count, norm_type)


def _fractional_places(samples, size, count, kernel):
    """[n, channels, count, kernel]: windows that begin at distances of alpha, shifted by the sample."""
    begin = torch.arange(count, device=samples.device).to(samples.dtype)
    if count > 1:
        alpha = (size - kernel) / (count - 1)
        moved = samples.unsqueeze(-1)
        starts = ((begin + moved) * alpha).floor() - (moved * alpha).floor()
        starts = torch.where(begin == count - 1, float(size - kernel), starts)
    else:
        starts = torch.zeros(list(samples.shape) + [1], device=samples.device) + (size - kernel)
    return starts.to(torch.int64).unsqueeze(-1) + torch.arange(kernel, device=samples.device)


def _fractional_max_pool(input, kernel_size, output_size, output_ratio, return_indices, samples, spatial):
    if output_size is None and output_ratio is None:
        raise ValueError("fractional_max_pool requires specifying either an output_size or an output_ratio")
    single = input.dim() == spatial + 1
    image = input.unsqueeze(0) if single else input
    kernel = _each(kernel_size, spatial)
    sizes = list(image.shape)[2:]
    if output_size is None:
        ratios = [output_ratio] * spatial if isinstance(output_ratio, float) else list(output_ratio)
        counts = [int(sizes[i] * ratios[i]) for i in range(spatial)]
    else:
        counts = _each(output_size, spatial)
    if samples is None:
        samples = torch.rand(image.shape[0], image.shape[1], spatial, dtype=image.dtype, device=image.device)
    places = None
    for d in range(spatial):
        # Two dimensions: the first sample belongs to the width.
        which = spatial - 1 - d if spatial == 2 else d
        here = _fractional_places(samples[:, :, which], sizes[d], counts[d], kernel[d])
        shape = [here.shape[0], here.shape[1]] + [1] * (2 * spatial)
        shape[2 + d] = counts[d]
        shape[2 + spatial + d] = kernel[d]
        here = here.reshape(shape)
        places = here if places is None else places * sizes[d] + here
    flat = image.flatten(2)
    taps = _product(kernel)
    windows = flat.gather(2, places.flatten(2)).reshape([image.shape[0], image.shape[1]] + counts + [taps])
    seen = windows.detach()
    at = seen.argmax(-1, keepdim=True)
    if seen.is_floating_point():  # the last NaN is the largest
        at = torch.maximum(at, torch.where(seen.isnan(), torch.arange(taps, device=seen.device), -1).argmax(-1, True))
    found = windows.gather(-1, at).squeeze(-1)
    if single:
        found = found.squeeze(0)
    if not return_indices:
        return found
    where = places.reshape([image.shape[0], image.shape[1]] + counts + [taps]).gather(-1, at).squeeze(-1)
    return found, (where.squeeze(0) if single else where)


def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    return _fractional_max_pool(input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 2)


def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    return _fractional_max_pool(input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 3)


def _with_indices(pool, at):
    """The pool that gives positions, too; its argument number at + 1 asks for them."""
    def both(input, *args, **kwargs):
        if len(args) > at:
            return pool(input, *args[:at], True, *args[at + 1:], **kwargs)
        kwargs["return_indices"] = True
        return pool(input, *args, **kwargs)
    return both


max_pool1d_with_indices, max_pool2d_with_indices, max_pool3d_with_indices = [
    _with_indices(pool, 5) for pool in (max_pool1d, max_pool2d, max_pool3d)]
adaptive_max_pool1d_with_indices, adaptive_max_pool2d_with_indices, adaptive_max_pool3d_with_indices = [
    _with_indices(pool, 1) for pool in (adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d)]
fractional_max_pool2d_with_indices, fractional_max_pool3d_with_indices = [
    _with_indices(pool, 3) for pool in (fractional_max_pool2d, fractional_max_pool3d)]


# --- products, attention, embeddings ---


def bilinear(input1, input2, weight, bias=None):
    rows = list(input1.shape)[:-1]
    left = input1.reshape(-1, input1.shape[-1])
    right = input2.reshape(-1, input2.shape[-1])
    found = torch.einsum("ni,oij,nj->no", left, weight, right).reshape(rows + [weight.shape[0]])
    return found if bias is None else found + bias


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                                 enable_gqa=False):
    if enable_gqa:
        key = key.repeat_interleave(query.shape[-3] // key.shape[-3], -3)
        value = value.repeat_interleave(query.shape[-3] // value.shape[-3], -3)
    if dropout_p == 0.0:
        return _ops.scaled_dot_product_attention(query, key, value, attn_mask, 0.0, is_causal, scale=scale)
    dtype = query.dtype
    if dtype in (torch.float16, torch.bfloat16) and query.device.type == "cpu":  # as where nothing is dropped
        query, key, value = query.float(), key.float(), value.float()
    scores = query @ key.transpose(-2, -1) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("attn_mask and is_causal=True exclude each other")
        attn_mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool, device=query.device).tril()
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(attn_mask.logical_not(), float("-inf"))
    elif attn_mask is not None:
        scores = scores + attn_mask
    return (dropout(softmax(scores, -1), dropout_p) @ value).to(dtype)


def _additive(mask, dtype):
    if mask is None or mask.dtype != torch.bool:
        return mask
    return torch.zeros_like(mask, dtype=dtype).masked_fill(mask, float("-inf"))


def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias,
                                 bias_k, bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias,
                                 training=True, key_padding_mask=None, need_weights=True, attn_mask=None,
                                 use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None,
                                 v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True,
                                 is_causal=False):
    batched = query.dim() == 3
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    target, batch, width = query.shape[0], query.shape[1], query.shape[2]
    if width != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}")
    if width % num_heads != 0:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")
    head = width // num_heads
    key_padding_mask = _additive(key_padding_mask, query.dtype)
    if is_causal and need_weights is False and key_padding_mask is None:
        attn_mask = None
    else:
        attn_mask = _additive(attn_mask, query.dtype)
        is_causal = False
    biases = [None] * 3 if in_proj_bias is None else [in_proj_bias[i * width:(i + 1) * width] for i in range(3)]
    if use_separate_proj_weight:
        weights = [q_proj_weight, k_proj_weight, v_proj_weight]
    else:
        weights = [in_proj_weight[i * width:(i + 1) * width] for i in range(3)]
    q = linear(query, weights[0], biases[0])
    k = linear(key, weights[1], biases[1])
    v = linear(value, weights[2], biases[2])
    if attn_mask is not None and attn_mask.dim() == 2:
        attn_mask = attn_mask.unsqueeze(0)

    def wider(columns):
        nonlocal attn_mask, key_padding_mask
        if attn_mask is not None:
            attn_mask = pad(attn_mask, (0, columns))
        if key_padding_mask is not None:
            key_padding_mask = pad(key_padding_mask, (0, columns))

    if bias_k is not None and bias_v is not None:
        k = torch.cat([k, bias_k.repeat(1, batch, 1)])
        v = torch.cat([v, bias_v.repeat(1, batch, 1)])
        wider(1)
    q = q.reshape(target, batch * num_heads, head).transpose(0, 1)
    k = k.reshape(k.shape[0], batch * num_heads, head).transpose(0, 1) if static_k is None else static_k
    v = v.reshape(v.shape[0], batch * num_heads, head).transpose(0, 1) if static_v is None else static_v
    if add_zero_attn:
        zeros = torch.zeros(batch * num_heads, 1, head, dtype=k.dtype, device=k.device)
        k = torch.cat([k, zeros], dim=1)
        v = torch.cat([v, zeros], dim=1)
        wider(1)
    source = k.shape[1]
    if key_padding_mask is not None:
        rows = key_padding_mask.view(batch, 1, 1, source).expand(-1, num_heads, -1, -1)
        rows = rows.reshape(batch * num_heads, 1, source)
        attn_mask = rows if attn_mask is None else attn_mask + rows
    if not training:
        dropout_p = 0.0
    if need_weights:
        scores = torch.bmm(q * (1.0 / head) ** 0.5, k.transpose(-2, -1))
        if attn_mask is not None:
            scores = scores + attn_mask
        scores = softmax(scores, dim=-1)
        if dropout_p > 0.0:
            scores = dropout(scores, dropout_p)
        found = torch.bmm(scores, v)
        found = found.transpose(0, 1).reshape(target * batch, width)
        found = linear(found, out_proj_weight, out_proj_bias).view(target, batch, out_proj_weight.shape[0])
        scores = scores.view(batch, num_heads, target, source)
        if average_attn_weights:
            scores = scores.mean(dim=1)
        if not batched:
            return found.squeeze(1), scores.squeeze(0)
        return found, scores
    if attn_mask is not None:
        if attn_mask.shape[0] == 1 and attn_mask.dim() == 3:
            attn_mask = attn_mask.unsqueeze(0)
        else:
            attn_mask = attn_mask.view(batch, num_heads, -1, source)
    q = q.reshape(batch, num_heads, target, head)
    k = k.reshape(batch, num_heads, source, head)
    v = v.reshape(batch, num_heads, source, head)
    found = scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal)
    found = found.permute(2, 0, 1, 3).reshape(batch * target, width)
    found = linear(found, out_proj_weight, out_proj_bias).view(target, batch, out_proj_weight.shape[0])
    return (found if batched else found.squeeze(1)), None


def _old_reduction(size_average, reduce):
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    return ("mean" if size_average else "sum") if reduce else "none"
