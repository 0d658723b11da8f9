# SPDX-License-Identifier: Apache-2.0
# A variational autoencoder on synthetic pictures of one bright square each.
import torch
from torch import nn, optim
from torch.nn import functional as F

compiled = False
torch.manual_seed(1)


def pictures(count):
    rows = torch.randint(0, 5, (count,)).tolist()
    columns = torch.randint(0, 5, (count,)).tolist()
    x = torch.zeros(count, 8, 8)
    for i in range(count):
        x[i, rows[i]:rows[i] + 4, columns[i]:columns[i] + 4] = 1.0
    return x.view(count, 64)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 40)
        self.fc21 = nn.Linear(40, 4)
        self.fc22 = nn.Linear(40, 4)
        self.fc3 = nn.Linear(4, 40)
        self.fc4 = nn.Linear(40, 64)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 64))
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 64), reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


model = VAE()
optimizer = optim.Adam(model.parameters(), lr=3e-3)
encode = torch.compile(model.encode) if compiled else model.encode
data = pictures(96)
for epoch in range(6):
    model.train()
    train_loss = 0.0
    order = torch.randperm(96)
    for start in range(0, 96, 32):
        batch = data[order[start:start + 32]]
        optimizer.zero_grad()
        mu, logvar = encode(batch)
        recon = model.decode(model.reparameterize(mu, logvar))
        loss = loss_function(recon, batch, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
    print(f"epoch {epoch} loss {train_loss / 96:.5f}")
with torch.no_grad():
    sample = model.decode(torch.randn(2, 4))
    print(f"sample mean {sample.mean().item():.5f}")
