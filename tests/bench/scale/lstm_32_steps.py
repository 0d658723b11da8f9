"""An LSTM cell unrolled over 32 steps, forward and backward."""
import torch

steps, batch, width, hidden = 32, 16, 64, 64


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.x = torch.nn.Linear(width, 4 * hidden)
        self.h = torch.nn.Linear(hidden, 4 * hidden)

    def forward(self, xs):
        h = torch.zeros(batch, hidden)
        c = torch.zeros(batch, hidden)
        for t in range(steps):
            gates = self.x(xs[t]) + self.h(h)
            i, f, u, o = gates.chunk(4, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(u)
            h = torch.sigmoid(o) * torch.tanh(c)
        return (h * h).sum()


model = torch.compile(Model())
model(torch.randn(steps, batch, width)).backward()
