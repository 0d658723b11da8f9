# SPDX-License-Identifier: Apache-2.0
# A classifier of synthetic 8x8 "digits": data loaders, dropout, batch norm, schedulers, accuracy.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

compiled = False
torch.manual_seed(0)

classes = 10
prototypes = torch.rand(classes, 64)
labels = torch.randint(0, classes, (256,))
images = prototypes[labels] + 0.3 * torch.randn(256, 64)
dataset = TensorDataset(images, labels)
train_set, test_set = random_split(dataset, [192, 64])
train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
test_loader = DataLoader(test_set, batch_size=64)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 48)
        self.bn1 = nn.BatchNorm1d(48)
        self.dropout = nn.Dropout(0.2)
        self.fc2 = nn.Linear(48, classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.fc1(x)))
        x = self.dropout(x)
        return F.log_softmax(self.fc2(x), dim=1)


model = Net()
print(model)
run = torch.compile(model) if compiled else model
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
criterion = nn.NLLLoss()
for epoch in range(3):
    model.train()
    for step, (x, y) in enumerate(train_loader):
        optimizer.zero_grad()
        loss = criterion(run(x), y)
        loss.backward()
        optimizer.step()
        if step % 3 == 0:
            print(f"epoch {epoch} step {step} loss {loss.item():.6f}")
    scheduler.step()
    model.eval()
    correct = 0
    total_loss = 0.0
    with torch.no_grad():
        for x, y in test_loader:
            output = run(x)
            total_loss += F.nll_loss(output, y, reduction="sum").item()
            correct += (output.argmax(dim=1) == y).sum().item()
    print(f"test {epoch} loss {total_loss / len(test_set):.6f} correct {correct} of {len(test_set)} "
          f"lr {scheduler.get_last_lr()[0]:.5f}")
state = model.state_dict()
fresh = Net()
print(fresh.load_state_dict(state), sorted(state.keys())[:3])
