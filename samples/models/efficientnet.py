# SPDX-License-Identifier: Apache-2.0
# EfficientNet: MBConv blocks with SiLU and squeeze-excitation, "same" padding, scaled width and depth.
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

compiled = True
device = "cuda" if torch.cuda.is_available() else "cpu"


@dataclass
class BlockArgs:
    num_repeat: int
    kernel_size: int
    stride: int
    expand_ratio: int
    input_filters: int
    output_filters: int
    se_ratio: float = 0.25
    id_skip: bool = True


@dataclass
class GlobalParams:
    width_coefficient: float = 1.0
    depth_coefficient: float = 1.1
    batch_norm_momentum: float = 0.99
    batch_norm_epsilon: float = 1e-3
    drop_connect_rate: float = 0.0
    depth_divisor: int = 8
    num_classes: int = 10


class Swish(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


class Conv2dSamePadding(nn.Conv2d):
    """Pads as TensorFlow does: the output's size is the input's divided by the stride, rounded up."""

    def forward(self, x):
        ih, iw = x.size()[-2:]
        kh, kw = self.weight.size()[-2:]
        sh, sw = self.stride
        oh, ow = math.ceil(ih / sh), math.ceil(iw / sw)
        pad_h = max((oh - 1) * sh + (kh - 1) * self.dilation[0] + 1 - ih, 0)
        pad_w = max((ow - 1) * sw + (kw - 1) * self.dilation[1] + 1 - iw, 0)
        if pad_h > 0 or pad_w > 0:
            x = F.pad(x, [pad_w // 2, pad_w - pad_w // 2, pad_h // 2, pad_h - pad_h // 2])
        return F.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


def round_filters(filters, params):
    divisor = params.depth_divisor
    filters *= params.width_coefficient
    new_filters = max(divisor, int(filters + divisor / 2) // divisor * divisor)
    if new_filters < 0.9 * filters:
        new_filters += divisor
    return int(new_filters)


def round_repeats(repeats, params):
    return int(math.ceil(params.depth_coefficient * repeats))


def drop_connect(inputs, p, training):
    if not training or p == 0:
        return inputs
    keep_prob = 1 - p
    random_tensor = keep_prob + torch.rand([inputs.shape[0], 1, 1, 1], dtype=inputs.dtype, device=inputs.device)
    return inputs / keep_prob * torch.floor(random_tensor)


class MBConvBlock(nn.Module):
    def __init__(self, args: BlockArgs, inp, stride, params: GlobalParams):
        super().__init__()
        bn = dict(momentum=1 - params.batch_norm_momentum, eps=params.batch_norm_epsilon)
        self.stride, self.id_skip = stride, args.id_skip
        self.has_se = args.se_ratio is not None and 0 < args.se_ratio <= 1
        oup = inp * args.expand_ratio
        self.expand = args.expand_ratio != 1
        self.final = round_filters(args.output_filters, params)
        if self.expand:
            self._expand_conv = Conv2dSamePadding(inp, oup, kernel_size=1, bias=False)
            self._bn0 = nn.BatchNorm2d(oup, **bn)
        self._depthwise_conv = Conv2dSamePadding(oup, oup, args.kernel_size, stride, groups=oup, bias=False)
        self._bn1 = nn.BatchNorm2d(oup, **bn)
        if self.has_se:
            squeezed = max(1, int(inp * args.se_ratio))
            self._se_reduce = Conv2dSamePadding(oup, squeezed, kernel_size=1)
            self._se_expand = Conv2dSamePadding(squeezed, oup, kernel_size=1)
        self._project_conv = Conv2dSamePadding(oup, self.final, kernel_size=1, bias=False)
        self._bn2 = nn.BatchNorm2d(self.final, **bn)
        self._swish = Swish()

    def forward(self, inputs, drop_connect_rate=None):
        x = inputs
        if self.expand:
            x = self._swish(self._bn0(self._expand_conv(inputs)))
        x = self._swish(self._bn1(self._depthwise_conv(x)))
        if self.has_se:
            x_squeezed = F.adaptive_avg_pool2d(x, 1)
            x_squeezed = self._se_expand(self._swish(self._se_reduce(x_squeezed)))
            x = torch.sigmoid(x_squeezed) * x
        x = self._bn2(self._project_conv(x))
        if self.id_skip and self.stride == 1 and inputs.shape[1] == self.final:
            if drop_connect_rate:
                x = drop_connect(x, p=drop_connect_rate, training=self.training)
            x = x + inputs
        return x


class EfficientNet(nn.Module):
    def __init__(self, blocks_args, params):
        super().__init__()
        self.params = params
        stem = round_filters(16, params)
        self._conv_stem = Conv2dSamePadding(3, stem, kernel_size=3, stride=2, bias=False)
        self._bn0 = nn.BatchNorm2d(stem, eps=params.batch_norm_epsilon)
        self._blocks = nn.ModuleList([])
        inp = stem
        for args in blocks_args:
            for i in range(round_repeats(args.num_repeat, params)):
                block = MBConvBlock(args, inp, args.stride if i == 0 else 1, params)
                self._blocks.append(block)
                inp = block.final
        head = round_filters(96, params)
        self._conv_head = Conv2dSamePadding(inp, head, kernel_size=1, bias=False)
        self._bn1 = nn.BatchNorm2d(head, eps=params.batch_norm_epsilon)
        self._avg_pooling = nn.AdaptiveAvgPool2d(1)
        self._fc = nn.Linear(head, params.num_classes)
        self._swish = Swish()

    def extract_features(self, inputs):
        x = self._swish(self._bn0(self._conv_stem(inputs)))
        for idx, block in enumerate(self._blocks):
            rate = self.params.drop_connect_rate
            if rate:
                rate *= float(idx) / len(self._blocks)
            x = block(x, drop_connect_rate=rate)
        return self._swish(self._bn1(self._conv_head(x)))

    def forward(self, inputs):
        x = self._avg_pooling(self.extract_features(inputs))
        return self._fc(x.flatten(start_dim=1))


blocks_args = [BlockArgs(1, 3, 1, 1, 16, 8), BlockArgs(1, 3, 2, 4, 8, 16), BlockArgs(1, 5, 2, 4, 16, 24)]
for dtype in (torch.float32, torch.bfloat16):
    torch.manual_seed(0)
    model = EfficientNet(blocks_args, GlobalParams()).to(device, dtype)
    run = torch.compile(model) if compiled else model
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3, alpha=0.9, momentum=0.9, eps=1e-3)
    images = torch.randn(8, 3, 31, 32).to(device, dtype)
    labels = torch.randint(0, 10, (8,)).to(device)
    logits = run(images)
    loss = F.nll_loss(F.log_softmax(logits.float(), dim=1), labels)
    loss.backward()
    print(dtype, tuple(logits.shape), f"sum {logits.float().sum().item():.4f} of sizes {logits.float().abs().sum().item():.4f}")
    for name in ("_conv_stem.weight", "_blocks.1._depthwise_conv.weight", "_blocks.2._se_reduce.bias", "_fc.weight"):
        print(f"  gradient of {name}: {model.get_parameter(name).grad.float().norm().item():.4f}")
    optimizer.step()
    after = F.nll_loss(F.log_softmax(run(images).float(), dim=1), labels)
    print(f"  loss {loss.item():.4f}, after one step {after.item():.4f}")
