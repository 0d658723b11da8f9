# SPDX-License-Identifier: Apache-2.0
# DCGAN: a generator of transposed convolutions against a convolutional discriminator.
import torch
import torch.nn as nn

compiled = False
torch.manual_seed(999)

nz, ngf, ndf, nc = 8, 8, 8, 1


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(ngf * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ngf),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf, nc, 4, 2, 1, bias=False),
            nn.Tanh(),
        )

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(
            nn.Conv2d(nc, ndf, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ndf * 2),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False),
            nn.Sigmoid(),
        )

    def forward(self, input):
        return self.main(input)


def circles(count, size=16):
    grid = torch.linspace(-1, 1, size)
    y, x = torch.meshgrid(grid, grid, indexing="ij")
    radius = 0.3 + 0.4 * torch.rand(count, 1, 1)
    ring = torch.exp(-((x * x + y * y).sqrt() - radius) ** 2 / 0.02)
    return (2 * ring - 1).unsqueeze(1)


netG = Generator()
netG.apply(weights_init)
netD = Discriminator()
netD.apply(weights_init)
print(netG)
criterion = nn.BCELoss()
fixed_noise = torch.randn(4, nz, 1, 1)
real_label, fake_label = 1.0, 0.0
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
generate = torch.compile(netG) if compiled else netG
judge = torch.compile(netD) if compiled else netD

for step in range(8):
    # Discriminator: log(D(x)) + log(1 - D(G(z)))
    netD.zero_grad()
    real = circles(16)
    label = torch.full((16,), real_label, dtype=torch.float)
    output = judge(real).view(-1)
    errD_real = criterion(output, label)
    errD_real.backward()
    D_x = output.mean().item()
    noise = torch.randn(16, nz, 1, 1)
    fake = generate(noise)
    label.fill_(fake_label)
    output = judge(fake.detach()).view(-1)
    errD_fake = criterion(output, label)
    errD_fake.backward()
    D_G_z1 = output.mean().item()
    errD = errD_real + errD_fake
    optimizerD.step()

    # Generator: log(D(G(z)))
    netG.zero_grad()
    label.fill_(real_label)
    output = judge(fake).view(-1)
    errG = criterion(output, label)
    errG.backward()
    D_G_z2 = output.mean().item()
    optimizerG.step()
    print("[%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f"
          % (step, errD.item(), errG.item(), D_x, D_G_z1, D_G_z2))

netG.eval()
with torch.no_grad():
    sample = netG(fixed_noise)
print(f"sample mean {sample.mean().item():.5f} deviation {sample.std().item():.5f}")
