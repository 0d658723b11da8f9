"""A training step over boards of tokens: embedding, convolution, batch norm, max pool, classifier."""
import torch
import torch.nn as nn
import torch.nn.functional as F

train = True
sizes = {"tiny": (4, 12), "cpu": (64, 32), "gpu": (1024, 64)}
tokens, features, classes = 32, 16, 10


class Boards(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(tokens, features)
        self.conv = nn.Conv2d(features, 32, kernel_size=3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(32)
        self.pool = nn.MaxPool2d(3, stride=2, padding=1)
        self.head = nn.Linear(32, classes)

    def forward(self, boards, labels):
        x = self.embedding(boards).permute(0, 3, 1, 2)
        x = self.pool(F.relu(self.norm(self.conv(x))))
        return F.cross_entropy(self.head(x.mean((2, 3))), labels)


model = Boards()


def example_inputs(size):
    count, side = sizes[size]
    return torch.randint(0, tokens, (count, side, side)), torch.randint(0, classes, (count,))
