# SPDX-License-Identifier: Apache-2.0
# MobileNetV3: depthwise convolutions, inverted residuals, squeeze-excitation, hard swish.
from functools import partial
from typing import List

import torch
from torch import nn

compiled = True
device = "cuda" if torch.cuda.is_available() else "cpu"


def _make_divisible(v: float, divisor: int, min_value=None) -> int:
    if min_value is None:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:  # do not go down by more than a tenth
        new_v += divisor
    return new_v


class ConvNormActivation(nn.Sequential):
    def __init__(self, cin, cout, kernel_size=3, stride=1, groups=1, norm_layer=nn.BatchNorm2d, activation_layer=nn.ReLU):
        layers = [nn.Conv2d(cin, cout, kernel_size, stride, (kernel_size - 1) // 2, groups=groups, bias=False),
                  norm_layer(cout)]
        if activation_layer is not None:
            layers.append(activation_layer(inplace=True))
        super().__init__(*layers)
        self.out_channels = cout


class SqueezeExcitation(nn.Module):
    def __init__(self, channels: int, squeeze: int, activation=nn.ReLU, scale_activation=nn.Hardsigmoid):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(channels, squeeze, 1)
        self.fc2 = nn.Conv2d(squeeze, channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def _scale(self, x):
        scale = self.activation(self.fc1(self.avgpool(x)))
        return self.scale_activation(self.fc2(scale))

    def forward(self, x):
        return self._scale(x) * x


class InvertedResidualConfig:
    def __init__(self, cin, kernel, expanded, cout, use_se, activation, stride, width_mult=1.0):
        self.input_channels = self.adjust_channels(cin, width_mult)
        self.kernel = kernel
        self.expanded_channels = self.adjust_channels(expanded, width_mult)
        self.out_channels = self.adjust_channels(cout, width_mult)
        self.use_se = use_se
        self.use_hs = activation == "HS"
        self.stride = stride

    @staticmethod
    def adjust_channels(channels: int, width_mult: float):
        return _make_divisible(channels * width_mult, 8)


class InvertedResidual(nn.Module):
    def __init__(self, cnf: InvertedResidualConfig, norm_layer):
        super().__init__()
        if not (1 <= cnf.stride <= 2):
            raise ValueError("illegal stride value")
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        layers: List[nn.Module] = []
        activation_layer = nn.Hardswish if cnf.use_hs else nn.ReLU
        if cnf.expanded_channels != cnf.input_channels:
            layers.append(ConvNormActivation(cnf.input_channels, cnf.expanded_channels, kernel_size=1,
                                             norm_layer=norm_layer, activation_layer=activation_layer))
        layers.append(ConvNormActivation(cnf.expanded_channels, cnf.expanded_channels, kernel_size=cnf.kernel,
                                         stride=cnf.stride, groups=cnf.expanded_channels,
                                         norm_layer=norm_layer, activation_layer=activation_layer))
        if cnf.use_se:
            layers.append(SqueezeExcitation(cnf.expanded_channels, _make_divisible(cnf.expanded_channels // 4, 8)))
        layers.append(ConvNormActivation(cnf.expanded_channels, cnf.out_channels, kernel_size=1,
                                         norm_layer=norm_layer, activation_layer=None))
        self.block = nn.Sequential(*layers)

    def forward(self, x):
        result = self.block(x)
        if self.use_res_connect:
            result += x
        return result


class MobileNetV3(nn.Module):
    def __init__(self, setting: List[InvertedResidualConfig], last_channel: int, num_classes: int = 10):
        super().__init__()
        norm_layer = partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
        first = setting[0].input_channels
        layers = [ConvNormActivation(3, first, stride=2, norm_layer=norm_layer, activation_layer=nn.Hardswish)]
        layers.extend(InvertedResidual(cnf, norm_layer) for cnf in setting)
        last_in = setting[-1].out_channels
        layers.append(ConvNormActivation(last_in, 6 * last_in, kernel_size=1, norm_layer=norm_layer,
                                         activation_layer=nn.Hardswish))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Linear(6 * last_in, last_channel), nn.Hardswish(inplace=True),
                                        nn.Dropout(p=0.0, inplace=True), nn.Linear(last_channel, num_classes))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
                if m.bias is not None:
                    nn.init.zeros_(m.bias)
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.ones_(m.weight)
                nn.init.zeros_(m.bias)
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.1)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        x = self.avgpool(self.features(x))
        return self.classifier(torch.flatten(x, 1))


conf = partial(InvertedResidualConfig, width_mult=0.5)
setting = [
    conf(16, 3, 16, 16, True, "RE", 2),
    conf(16, 3, 72, 24, False, "RE", 1),
    conf(24, 3, 88, 24, False, "RE", 1),
    conf(24, 5, 96, 40, True, "HS", 2),
    conf(40, 5, 240, 40, True, "HS", 1),
]
for dtype in (torch.float32, torch.bfloat16):
    torch.manual_seed(0)
    model = MobileNetV3(setting, last_channel=64).to(device, dtype)
    run = torch.compile(model) if compiled else model
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, nesterov=True)
    images = torch.randn(8, 3, 32, 32).to(device, dtype)
    labels = torch.randint(0, 10, (8,)).to(device)
    logits = run(images)
    loss = criterion(logits.float(), labels)
    loss.backward()
    print(dtype, tuple(logits.shape), f"sum {logits.float().sum().item():.4f} of sizes {logits.float().abs().sum().item():.4f}")
    for name in ("features.0.0.weight", "features.1.block.1.fc1.weight", "features.4.block.1.1.bias", "classifier.3.weight"):
        print(f"  gradient of {name}: {model.get_parameter(name).grad.float().norm().item():.4f}")
    optimizer.step()
    print(f"  loss {loss.item():.4f}, after one step {criterion(run(images).float(), labels).item():.4f}")
