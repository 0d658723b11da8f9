# SPDX-License-Identifier: Apache-2.0
# Convolutions and transposed ones.
import math

import torch
import torch.nn.functional as F
from torch.nn import Module, Parameter


def _numbers(value, count):
    if isinstance(value, int):
        return (value,) * count
    return tuple(value)


class _ConvNd(Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding,
                 groups, bias, padding_mode, device, dtype):
        super().__init__()
        if isinstance(padding, str) and padding not in ("same", "valid"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
        modes = ("zeros", "reflect", "replicate", "circular")
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode={padding_mode!r}")
        if transposed and padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        if transposed:
            shape = (in_channels, out_channels // groups) + kernel_size
        else:
            shape = (out_channels, in_channels // groups) + kernel_size
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        # Kaiming uniform with a = sqrt(5): both bounds are 1 / sqrt(fan in).
        fan_in = self.weight.shape[1]
        for size in self.kernel_size:
            fan_in = fan_in * size
        bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
        with torch.no_grad():
            self.weight.uniform_(-bound, bound)
            if self.bias is not None:
                self.bias.uniform_(-bound, bound)

    def _padded(self, input):
        """The input padded as padding_mode says, and the padding left to the convolution."""
        if self.padding_mode == "zeros" or self.padding == "valid":
            return input, self.padding
        sides = []
        for i in reversed(range(len(self.kernel_size))):
            both = self.dilation[i] * (self.kernel_size[i] - 1)  # what keeps the size
            sides += [both // 2, both - both // 2] if self.padding == "same" else [self.padding[i]] * 2
        return F.pad(input, sides, mode=self.padding_mode), 0

    def _output_padding(self, input, output_size):
        """What a transposed convolution adds at one side, so that its output has this size."""
        if output_size is None:
            return self.output_padding
        count = len(self.kernel_size)
        outer = 2 if input.dim() == count + 2 else 1
        if len(output_size) == outer + count:
            output_size = output_size[outer:]
        if len(output_size) != count:
            raise ValueError(f"ConvTranspose{count}D: for {input.dim()}D input, output_size must have {count} or "
                             f"{outer + count} elements (got {len(output_size)})")
        least = [(input.size(outer + d) - 1) * self.stride[d] - 2 * self.padding[d]
                 + self.dilation[d] * (self.kernel_size[d] - 1) + 1 for d in range(count)]
        most = [size + step - 1 for size, step in zip(least, self.stride)]
        if any(size < low or size > high for size, low, high in zip(output_size, least, most)):
            raise ValueError(f"requested an output size of {output_size}, but valid sizes range from {least} to {most} "
                             f"(for an input of {input.size()[2:]})")
        return [size - low for size, low in zip(output_size, least)]

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        zeros = (0,) * len(self.kernel_size)
        if self.padding != zeros:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.kernel_size):
            text += f", dilation={self.dilation}"
        if self.output_padding != zeros:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


def _windows(count, kernel_size, stride, padding, dilation):
    padding = padding if isinstance(padding, str) else _numbers(padding, count)
    return _numbers(kernel_size, count), _numbers(stride, count), padding, _numbers(dilation, count)


class Conv1d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(1, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, False, (0,), groups, bias,
                         padding_mode, device, dtype)

    def _conv_forward(self, input, weight, bias):
        input, padding = self._padded(input)
        return F.conv1d(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv2d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(2, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, False, (0, 0), groups, bias,
                         padding_mode, device, dtype)

    def _conv_forward(self, input, weight, bias):
        input, padding = self._padded(input)
        return F.conv2d(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv3d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(3, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, False, (0, 0, 0), groups,
                         bias, padding_mode, device, dtype)

    def _conv_forward(self, input, weight, bias):
        input, padding = self._padded(input)
        return F.conv3d(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class ConvTranspose1d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(1, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, True,
                         _numbers(output_padding, 1), groups, bias, padding_mode, device, dtype)

    def forward(self, input, output_size=None):
        return F.conv_transpose1d(input, self.weight, self.bias, self.stride, self.padding,
                                  self._output_padding(input, output_size), self.groups, self.dilation)


class ConvTranspose2d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(2, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, True,
                         _numbers(output_padding, 2), groups, bias, padding_mode, device, dtype)

    def forward(self, input, output_size=None):
        return F.conv_transpose2d(input, self.weight, self.bias, self.stride, self.padding,
                                  self._output_padding(input, output_size), self.groups, self.dilation)


class ConvTranspose3d(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                 bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        kernel_size, stride, padding, dilation = _windows(3, kernel_size, stride, padding, dilation)
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, True,
                         _numbers(output_padding, 3), groups, bias, padding_mode, device, dtype)

    def forward(self, input, output_size=None):
        return F.conv_transpose3d(input, self.weight, self.bias, self.stride, self.padding,
                                  self._output_padding(input, output_size), self.groups, self.dilation)
