import torch
@torch.compile
def f(x, k=1, *a, **b):
    y = []
    for i in range(3):
        y.append(x * i + k)
    if x.sum() > 0:
        print(len(y), *a)
    with torch.no_grad():
        z = sum(y)
    d = {'y': y, 'z': z.view(-1)[0:1], **b}
    return d, (x @ x.T).relu_() if x.dim() > 1 else x[None, ..., 0]
print(f(torch.ones(2)), f(torch.zeros(2, 2), 2, 3, n=[1]))
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(2, 3)
        self.s = torch.nn.Sequential(torch.nn.ReLU(), self.l)
    def forward(self, x):
        try:
            return self.s(x) + self.l(x)
        finally:
            self.n = 1
m = torch.compile(M())
print(m(torch.ones(1, 2)).shape)
