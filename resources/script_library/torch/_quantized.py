# SPDX-License-Identifier: Apache-2.0
# Values rounded to what a quantised tensor could hold, whose gradients pass where they fit.
import torch


class FakeQuantizePerTensorAffineCachemask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, scale, zero_point, quant_min, quant_max):
        places = zero_point + torch.round(input * (1 / scale))
        ctx.save_for_backward((places >= quant_min) & (places <= quant_max))
        return (torch.clamp(places, quant_min, quant_max) - zero_point) * scale

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0], None, None, None, None


class FakeQuantizePerChannelAffineCachemask(FakeQuantizePerTensorAffineCachemask):
    pass


def _check(input, quant_min, quant_max):
    if not input.is_floating_point():
        raise RuntimeError(f"expected scalar type Float but found {str(input.dtype)[6:].capitalize()}")
    if quant_min > quant_max:
        raise RuntimeError("`quant_min` should be less than or \n        equal to `quant_max`.")


def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    _check(input, quant_min, quant_max)
    if not isinstance(scale, torch.Tensor):
        if not quant_min <= zero_point <= quant_max:
            raise RuntimeError("`zero_point` must be between `quant_min` and `quant_max`.")
        scale = torch.tensor(scale, dtype=torch.float32, device=input.device)
    return FakeQuantizePerTensorAffineCachemask.apply(input, scale, zero_point, quant_min, quant_max)


def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    _check(input, quant_min, quant_max)
    if scale.dim() != 1 or zero_point.dim() != 1 or scale.numel() != input.size(axis):
        raise RuntimeError("dimensions of scale and zero-point are not consistent with input tensor")
    shape = [-1 if d == axis % input.dim() else 1 for d in range(input.dim())]
    return FakeQuantizePerChannelAffineCachemask.apply(input, scale.view(shape), zero_point.view(shape), quant_min,
                                                       quant_max)
