"""Functions of a script on the tape whose backward() capture cannot look into (it prints, asks for a value, branches on
data, changes what lies outside, draws, raises), in compiled functions against the same run eagerly: prints what
differs, then a count."""
import torch
import torch.nn as nn

counts = {"agree": 0}
seen = []
total = 0


def function(backward, forward=lambda ctx, x: x.clamp(min=0)):
    def saving(ctx, x):
        ctx.save_for_backward(x)
        ctx.notes = [0]
        return forward(ctx, x)

    return type("Made", (torch.autograd.Function,), {"forward": staticmethod(saving), "backward": staticmethod(backward)})


def appends(ctx, g):
    seen.append(round(g.sum().item(), 4))
    return g * 2


def asks(ctx, g):
    x, = ctx.saved_tensors
    return g * 0.5 if x.sum() > 0 else g


def item(ctx, g):
    return g * g.abs().max().item()


def masked(ctx, g):
    x, = ctx.saved_tensors
    g = g.clone()
    g[x < 0] *= 0.25
    return g


def counts_up(ctx, g):
    global total
    total += 1
    return g + total


def draws(ctx, g):
    return g * torch.rand(())


def notes_first(ctx, g):
    ctx.notes.append(len(ctx.notes))
    g = g * len(ctx.notes)
    g.tolist()
    return g


def outer(ctx, g):
    x, = ctx.saved_tensors
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = Masked.apply(x).sum()
        inner, = torch.autograd.grad(y, x)
    return g * inner


Masked = function(masked)
KINDS = {"appends": appends, "asks": asks, "item": item, "masked": masked, "counts_up": counts_up, "draws": draws,
         "notes_first": notes_first, "outer": outer}


def same(name, ours, theirs):
    close = [(a - b).abs().max().item() <= 1e-5 for a, b in zip(ours[0], theirs[0])]
    if len(ours[0]) == len(theirs[0]) and all(close) and ours[1:] == theirs[1:]:
        counts["agree"] += 1
    else:
        print(f"{name} differs: {ours} and {theirs}")


def run(f, compiled):
    global total
    total = 0
    seen.clear()
    torch.manual_seed(3)
    step = torch.compile(f) if compiled else f
    grads = []
    for i in range(3):
        x = torch.tensor([-1.0, 2.0, 0.5 + i], requires_grad=True)
        step(x).sum().backward()
        grads.append(x.grad)
    return grads, list(seen), total


def both(name, f):
    same(name, run(f, True), run(f, False))


for kind, backward in KINDS.items():
    made = function(backward)
    both(kind, lambda x: made.apply(x * 3).sin() * 2)
    both(kind + " of a comprehension", lambda x: sum([made.apply(x * k).cos() for k in (1, 2)]))
    both(kind + " behind a break", lambda x: made.apply(x * float(x.detach().sum().item())).exp())
    both(kind + " twice", lambda x: made.apply(made.apply(x + 1) * x))


def within(x):
    return Masked.apply(x * 2) + x


both("in a called function", lambda x: within(within(x).sin()))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 3)
        self.line.register_full_backward_hook(lambda m, i, o: seen.append(round(o[0].sum().item(), 3)))
        self.line.register_full_backward_pre_hook(lambda m, o: (o[0] * 2,))

    def forward(self, x):
        return self.line(x.sin()).tanh()


def with_module(compiled):
    torch.manual_seed(1)
    net = Net()
    grads, noted, number = run(net, compiled)
    return grads + [p.grad for p in net.parameters()], noted, number


same("hooks of a module", with_module(True), with_module(False))

# What is changed before the stop is taken back: the list has one entry for each backward().
log = []


def made_here(x):
    inside = []

    def backward(ctx, g):
        inside.append(1)
        log.append(len(inside))
        return g

    return function(backward).apply(x * 2)


both("closure", made_here)
if log == [1] * 6:
    counts["agree"] += 1
else:
    print("log differs:", log)
print(f"{counts['agree']} agree")
