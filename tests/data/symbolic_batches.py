"""Networks of windows, static and with an open batch, against eager: results, gradients and running statistics; how many
graphs serve the sizes. Prints each that differs, then a count."""
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch._dynamo.utils import counters

agree = 0


def check(what, got, want):
    global agree
    if got == want:
        agree += 1
    else:
        print(what, "differs:", got, "and", want)


def near(got, want):
    return got.shape == want.shape and bool((got - want).abs().max() <= 2e-5 * (want.abs().max() + 1e-3))


class Residual(nn.Module):
    """As resnet18 begins and ends."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 7, stride=2, padding=3, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.one = nn.Conv2d(8, 16, 3, stride=2, padding=1, bias=False)
        self.two = nn.Conv2d(16, 16, 3, padding=1, bias=False)
        self.norm_one, self.norm_two = nn.BatchNorm2d(16), nn.BatchNorm2d(16)
        self.down = nn.Sequential(nn.Conv2d(8, 16, 1, stride=2, bias=False), nn.BatchNorm2d(16))
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.stem(x))), 3, stride=2, padding=1)
        y = self.norm_two(self.two(F.relu(self.norm_one(self.one(x)))))
        x = F.relu(y + self.down(x))
        return self.head(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Boards(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(16, 8)
        self.conv = nn.Conv2d(8, 12, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(12)
        self.pool = nn.MaxPool2d(3, stride=2, padding=1)
        self.head = nn.Linear(12, 5)

    def forward(self, boards, labels):
        x = self.embedding(boards).permute(0, 3, 1, 2)
        x = self.pool(F.relu(self.norm(self.conv(x))))
        return F.cross_entropy(self.head(x.mean((2, 3))), labels)


def images(batch):
    return (torch.randn(batch, 3, 20, 20),)


def boards(batch):
    return torch.randint(0, 16, (batch, 9, 9)), torch.randint(0, 5, (batch,))


torch.manual_seed(0)
conv_bn_relu = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU())
padded = nn.Sequential(nn.ConstantPad2d((1, 2, 0, 1), 0.5), nn.Conv2d(3, 4, 3), nn.ReLU(), nn.AvgPool2d(2, padding=1))
for name, model, inputs in (("conv_bn_relu", conv_bn_relu, images), ("padded", padded, images),
                            ("residual", Residual(), images), ("boards", Boards(), boards)):
    for training in (False, True):
        for dynamic in (False, True):
            case = f"{name}, training {training}, dynamic {dynamic}"
            eager = copy.deepcopy(model).train(training)
            own = copy.deepcopy(eager)
            compiled = torch.compile(own, dynamic=dynamic)
            counters.clear()
            same = True
            for batch in (4, 2, 7) if dynamic else (4, 2):
                given = inputs(batch)
                got, want = compiled(*given), eager(*given)
                same &= near(got, want)
                if training:
                    got.sum().backward()
                    want.sum().backward()
                    same &= all(near(p.grad, q.grad) for p, q in zip(own.parameters(), eager.parameters()))
                same &= all(near(p.float(), q.float()) for p, q in zip(own.buffers(), eager.buffers()))
            check(case, same, True)
            check(case + ": graphs", counters["stats"]["unique_graphs"], 1 if dynamic else 2)


def branch(inputs):
    x, y = inputs["x"], inputs["y"]
    x = x.cos().cos()
    if x.mean() > 0.5:
        x = x / 1.1
    return x * y


counters.clear()
compiled, same = torch.compile(branch), True
for length in (10, 1200, 37, 5000, 4096):
    given = {"x": torch.randn(length), "y": torch.randn(length)}
    same &= near(compiled(given), branch(given))
check("a branch on data, five lengths", same, True)
check("two compilations, each of what is before the branch and behind it", counters["stats"]["unique_graphs"], 4)

block = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True, norm_first=True)
eager = copy.deepcopy(block)
compiled, same = torch.compile(block, dynamic=True), True
counters.clear()
for batch, sequence in ((4, 9), (2, 16), (3, 5), (7, 8), (5, 12), (2, 31)):
    x = torch.randn(batch, sequence, 16)
    got, want = compiled(x), eager(x)
    got.sum().backward()
    want.sum().backward()
    same &= near(got, want)
same &= all(near(p.grad, q.grad) for p, q in zip(block.parameters(), eager.parameters()))
check("a transformer's block, six sizes", same, True)
check("one graph for six sizes", counters["stats"]["unique_graphs"], 1)
print(agree, "agree")
