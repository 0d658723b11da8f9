"""Tensors that exist outside a compiled function and that it changes in place, against eager: prints each
case whose numbers differ, then a count."""
import torch
import torch.nn as nn

counts = {"agree": 0}


def same(name, ours, theirs):
    close = [(a - b).abs() <= 1e-5 * (1 + b.abs()) for a, b in zip(ours, theirs)]
    if len(ours) == len(theirs) and all([c.all().item() for c in close]):
        counts["agree"] += 1
    else:
        print(f"{name} differs: {ours} and {theirs}")


def compare(name, function, *args, calls=2, whole=True):
    mine = [a.clone() for a in args]
    theirs = [a.clone() for a in args]
    compiled = torch.compile(function, fullgraph=whole)
    for k in range(calls):
        same(f"{name}, call {k}", [compiled(*mine)] + mine, [function(*theirs)] + theirs)


def accumulate(x, total):
    total.add_(x)
    return total * 2


def read_before_and_after(x, total):
    before = total + 0
    total.mul_(0.5).add_(x)
    total.sub_(1)
    return before - total


def copied(x, total):
    total.copy_(x[0])
    return total.sum()


def filled(x, total):
    total.fill_(3)
    x.zero_()
    return x + total


def returned(x, total):
    return total.add_(x)


def broken(x, total):
    total.add_(1)
    kept = total.tolist()
    total.mul_(2)
    return total + kept[0] + x.sum()


def seen_through_a_view(x, total):
    view = total[1:]
    total.add_(x)
    return view * 2


def view_of_the_new_value(x, total):
    total.add_(x)
    return total[1:] + 1


x = torch.arange(12.0).reshape(3, 4).sin()
row = torch.arange(4.0)
compare("accumulate", accumulate, row, torch.ones(4))
compare("read before and after", read_before_and_after, row, torch.ones(4))
compare("copied", copied, x, torch.ones(4))
compare("copied from a row to all rows", copied, x, torch.ones(3, 4))
compare("filled", filled, x, torch.ones(4))
compare("returned", returned, row, torch.ones(4))
compare("broken", broken, row, torch.ones(4), whole=False)
compare("seen through a view", seen_through_a_view, row, torch.ones(4), whole=False)
compare("view of the new value", view_of_the_new_value, row, torch.ones(4), whole=False)
compare("transposed", returned, x.t(), torch.ones(3, 4).t())
compare("of integers", returned, torch.arange(4), torch.arange(4))


# Memory that two of the tensors share: apart at first, then together.
def added(a, b):
    a.add_(1)
    return a * b


compiled = torch.compile(added)
memories = [torch.arange(6.0), torch.arange(6.0)]
results = []
for memory, function in [(memories[0], compiled), (memories[1], added)]:
    results.append([function(memory[0:2], memory[3:5]), function(memory[0:3], memory[1:4]),
                    function(memory[0:3], memory[0:3]), function(memory[0:2], memory[4:6])])
same("shared memory", results[0] + [memories[0]], results[1] + [memories[1]])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Linear(5, 3),
                                    nn.BatchNorm1d(3, momentum=0.3))

    def forward(self, x):
        return self.layers(x)


# Running statistics of batch norms, in one graph with its backward.
nets = [Net(), Net()]
with torch.no_grad():
    for p, q in zip(nets[0].parameters(), nets[1].parameters()):
        q.copy_(p)
compiled = torch.compile(nets[0], fullgraph=True)
for k in range(3):
    batch = (torch.arange(24.0).reshape(6, 4) * (k + 1)).sin()
    for net, function in [(nets[0], compiled), (nets[1], nets[1])]:
        function(batch).pow(2).sum().backward()
    same(f"statistics {k}", [b.double() for b in nets[0].buffers()], [b.double() for b in nets[1].buffers()])
    same(f"gradients {k}", [p.grad for p in nets[0].parameters()], [p.grad for p in nets[1].parameters()])


# Gradients through writes to views, against numbers of PyTorch; what is overwritten has the gradient 0.
def rows_scaled(x):
    y = x * 2
    v = y[0]
    v.mul_(3)
    y[:, 1] *= 2
    return y, v


def overwritten(x):
    y = x * 2
    y.t().zero_()
    y[1].fill_(4)
    return y, y.unsqueeze(0)


for function, gradient in [(rows_scaled, [[12.0, 24.0], [2.0, 4.0]]), (overwritten, [[0.0, 0.0], [0.0, 0.0]])]:
    x = torch.ones(2, 2, requires_grad=True)
    y, v = torch.compile(function, fullgraph=True)(x)
    (y.sum() + v.sum()).backward()
    same(function.__name__, [x.grad], [torch.tensor(gradient)])


compare("a written tensor shown with a dimension more", lambda x: x.add_(0.5).expand(3, 2, 2), torch.ones(2, 2))
compare("a written tensor turned and shown so", lambda x: x.add_(0.5).t().expand((3, 2, 2)), torch.arange(4.0).reshape(2, 2))


class Doubled:
    @torch.compile
    def twice(self, x):
        return x * 2


same("a method that is compiled already", [torch.compile(Doubled().twice)(torch.ones(2))], [torch.full((2,), 2.0)])

# What is changed in place holds other values when the backward runs: it is saved by nobody, and nothing that was
# computed of it is computed again.
import torch._functorch.config as functorch


def changed_afterwards(x, w):
    h = torch.exp(x)
    y = torch.sigmoid(h.reshape(4, 50) * w)
    z = torch.tanh(y.t() * torch.cos(x).reshape(50, 4)[:, :1])
    x.mul_(2)
    return (z.t() * w).sum()


def needed_itself(x, w):
    y = x.view(-1) * w.view(-1)
    x.mul_(2)
    return y.sum()


for budget in (1, 0.6, 0.3, 0):
    functorch.activation_memory_budget = budget
    torch._dynamo.reset()
    found = []
    for function in (torch.compile(changed_afterwards, fullgraph=True), changed_afterwards):
        x, w = torch.linspace(-1, 1, 200), torch.linspace(1, 2, 200).reshape(4, 50).requires_grad_()
        loss = function(x, w)
        loss.backward()
        found.append([loss.detach(), x, w.grad])
    same(f"changed afterwards, budget {budget}", *found)
    x, w = torch.linspace(-1, 1, 200), torch.linspace(1, 2, 200).requires_grad_()
    try:
        torch.compile(needed_itself, fullgraph=True)(x, w).backward()
        print("needed itself differs: no error")
    except RuntimeError as e:
        counts["agree"] += "modified by an inplace operation" in str(e)
functorch.activation_memory_budget = 1.0

# What is copied first is not lost: the copy, which the graph does without, is what the gradients read.
copies = {
    "clone": lambda x: x.clone(), "to": lambda x: x.to(x.dtype, copy=True), "sum": lambda x: x + 0, "negated": lambda x: -(-x),
    "twice turned": lambda x: x.t().clone().t(), "repeated": lambda x: x.repeat(1, 1), "of a view": lambda x: x[1:].clone(),
    "joined": lambda x: torch.cat([x]), "flipped": lambda x: x.flip(0).flip(0), "viewed": lambda x: x.clone().view(-1),
}
writes = {"zero_": lambda x: x.zero_(), "mul_": lambda x: x.mul_(3), "item": lambda x: x.__setitem__(0, 5.0), "view": lambda x: x.t().fill_(4)}
for copied, copy in copies.items():
    for written, write in writes.items():
        def kept(x, w):
            y = copy(x)
            write(x)
            return y * w[: y.shape[0]].reshape(-1, *[1] * (y.dim() - 1)), y

        found = []
        for function in (torch.compile(kept), kept):
            x, w = torch.tensor([[1.0, -2.0], [3.0, 4.0]]), torch.tensor([3.0, 5.0, 7.0, 9.0], requires_grad=True)
            product, y = function(x, w)
            (product * product).sum().backward()
            found.append([product.detach(), y, x, w.grad])
        same(f"{copied}, then {written}", *found)
print(counts["agree"], "agree")
