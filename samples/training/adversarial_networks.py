# SPDX-License-Identifier: Apache-2.0
# A generator and a discriminator, each with its optimizer, on points of a circle.
import math

import torch
import torch.nn as nn

compiled = False
torch.manual_seed(9)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(4, 24), nn.BatchNorm1d(24), nn.ReLU(True), nn.Linear(24, 2), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2, inplace=True), nn.Linear(24, 1), nn.Sigmoid())

    def forward(self, x):
        return self.main(x).view(-1)


def weights_init(m):
    name = m.__class__.__name__
    if name.find("Linear") != -1:
        nn.init.normal_(m.weight, 0.0, 0.2)
        nn.init.zeros_(m.bias)
    elif name.find("BatchNorm") != -1:
        nn.init.normal_(m.weight, 1.0, 0.02)
        nn.init.zeros_(m.bias)


netG = Generator()
netD = Discriminator()
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCELoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=5e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=5e-3, betas=(0.5, 0.999))
runG = torch.compile(netG) if compiled else netG
runD = torch.compile(netD) if compiled else netD
batch = 32
for i in range(12):
    angle = 2 * math.pi * torch.rand(batch)
    real = torch.stack([torch.cos(angle), torch.sin(angle)], 1) * 0.8
    netD.zero_grad()
    label = torch.full((batch,), 1.0)
    errD_real = criterion(runD(real), label)
    errD_real.backward()
    noise = torch.randn(batch, 4)
    fake = runG(noise)
    label.fill_(0.0)
    errD_fake = criterion(runD(fake.detach()), label)
    errD_fake.backward()
    errD = errD_real + errD_fake
    optimizerD.step()
    netG.zero_grad()
    label.fill_(1.0)
    output = runD(fake)
    errG = criterion(output, label)
    errG.backward()
    D_G_z = output.mean().item()
    optimizerG.step()
    print(f"step {i} loss_D {errD.item():.6f} loss_G {errG.item():.6f} D(G(z)) {D_G_z:.5f}")
