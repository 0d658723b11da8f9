# SPDX-License-Identifier: Apache-2.0
# U-Net: pooling down, bilinear or transposed-convolution upsampling, padded joins, dice + cross-entropy loss.
import torch
import torch.nn as nn
import torch.nn.functional as F

compiled = True
device = "cuda" if torch.cuda.is_available() else "cpu"


class DoubleConv(nn.Module):
    """(convolution => [BN] => ReLU) * 2"""

    def __init__(self, in_channels, out_channels, mid_channels=None):
        super().__init__()
        if not mid_channels:
            mid_channels = out_channels
        self.double_conv = nn.Sequential(
            nn.Conv2d(in_channels, mid_channels, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm2d(mid_channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(mid_channels, out_channels, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(inplace=True)
        )

    def forward(self, x):
        return self.double_conv(x)


class Down(nn.Module):
    """Downscaling with maxpool then double conv"""

    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.maxpool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(in_channels, out_channels))

    def forward(self, x):
        return self.maxpool_conv(x)


class Up(nn.Module):
    """Upscaling then double conv"""

    def __init__(self, in_channels, out_channels, bilinear=True):
        super().__init__()
        if bilinear:
            self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
            self.conv = DoubleConv(in_channels, out_channels, in_channels // 2)
        else:
            self.up = nn.ConvTranspose2d(in_channels, in_channels // 2, kernel_size=2, stride=2)
            self.conv = DoubleConv(in_channels, out_channels)

    def forward(self, x1, x2):
        x1 = self.up(x1)
        diffY = x2.size()[2] - x1.size()[2]
        diffX = x2.size()[3] - x1.size()[3]
        x1 = F.pad(x1, [diffX // 2, diffX - diffX // 2, diffY // 2, diffY - diffY // 2])
        x = torch.cat([x2, x1], dim=1)
        return self.conv(x)


class OutConv(nn.Module):
    def __init__(self, in_channels, out_channels):
        super(OutConv, self).__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size=1)

    def forward(self, x):
        return self.conv(x)


class UNet(nn.Module):
    def __init__(self, n_channels, n_classes, bilinear=False, width=8):
        super(UNet, self).__init__()
        factor = 2 if bilinear else 1
        self.inc = DoubleConv(n_channels, width)
        self.down1 = Down(width, width * 2)
        self.down2 = Down(width * 2, width * 4 // factor)
        self.up1 = Up(width * 4, width * 2 // factor, bilinear)
        self.up2 = Up(width * 2, width, bilinear)
        self.outc = OutConv(width, n_classes)

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down1(x1)
        x3 = self.down2(x2)
        x = self.up1(x3, x2)
        x = self.up2(x, x1)
        return self.outc(x)


def dice_coeff(input, target, epsilon: float = 1e-6):
    assert input.size() == target.size()
    inter = 2 * (input * target).sum(dim=(-1, -2))
    sets_sum = input.sum(dim=(-1, -2)) + target.sum(dim=(-1, -2))
    sets_sum = torch.where(sets_sum == 0, inter, sets_sum)
    return ((inter + epsilon) / (sets_sum + epsilon)).mean()


def segmentation_loss(masks_pred, true_masks, n_classes):
    loss = F.cross_entropy(masks_pred, true_masks)
    one_hot = F.one_hot(true_masks, n_classes).permute(0, 3, 1, 2).float()
    return loss + 1 - dice_coeff(F.softmax(masks_pred, dim=1).float(), one_hot)


for bilinear in (False, True):
    for dtype in (torch.float32, torch.bfloat16):
        torch.manual_seed(0)
        model = UNet(3, 3, bilinear).to(device, dtype).to(memory_format=torch.channels_last)
        run = torch.compile(model) if compiled else model
        optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3, weight_decay=1e-8, momentum=0.9, foreach=True)
        images = torch.randn(2, 3, 30, 26).to(device, dtype, memory_format=torch.channels_last)
        true_masks = torch.randint(0, 3, (2, 30, 26)).to(device)
        masks_pred = run(images)
        loss = segmentation_loss(masks_pred.float(), true_masks, 3)
        loss.backward()
        print("bilinear" if bilinear else "transposed", dtype, tuple(masks_pred.shape),
              f"sum {masks_pred.float().sum().item():.3f} of sizes {masks_pred.float().abs().sum().item():.3f}")
        for name in ("inc.double_conv.0.weight", "up1.conv.double_conv.0.weight", "outc.conv.weight"):
            print(f"  gradient of {name}: {model.get_parameter(name).grad.float().norm().item():.4f}")
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        after = segmentation_loss(run(images).float(), true_masks, 3)
        print(f"  loss {loss.item():.4f}, after one step {after.item():.4f}")
