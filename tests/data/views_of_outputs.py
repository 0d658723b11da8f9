# Memory seen by several: a compiled function that breaks between a view and its change in place (both are outputs of one graph, and the
# tape follows the part in the whole, whichever was made first), and inputs that were expanded. PyTorch eagerly: views_of_outputs.txt.
import torch

compiled = False
if compiled:
    torch._dynamo.config.recompile_limit = 100
forms = {
    "vsplit 1": lambda c: torch.vsplit(c, 2)[1].mul_(3),
    "vsplit 0": lambda c: torch.vsplit(c, 2)[0].mul_(3),
    "hsplit 0": lambda c: torch.hsplit(c, 2)[0].mul_(3),
    "hsplit 1": lambda c: torch.hsplit(c, 2)[1].mul_(3),
    "tensor_split": lambda c: torch.tensor_split(c, 2)[1].mul_(3),
    "as_strided block": lambda c: torch.as_strided(c, (2, 2), (2, 1), 4).mul_(3),
    "as_strided apart": lambda c: torch.as_strided(c, (2, 2), (3, 1), 1).mul_(3),
    "turned slice": lambda c: c[2:].t().mul_(3),
}


def leaf(rows):
    return (torch.arange(2.0 * rows) % 8).reshape(rows, 2).requires_grad_()


for rows in (4, 2000):
    for name, change in forms.items():
        def squared(b):
            c = b * 1
            change(c)
            return c * c

        b = leaf(rows)
        (torch.compile(squared) if compiled else squared)(b).sum().backward()
        print(name, rows, b.grad[:2].tolist(), b.grad[-2:].tolist(), b.grad.sum().item())


def halves(b):
    c = b * 1
    first, second = c[:2], c[2:]
    print("between")
    second.mul_(3)
    return first * first, second * second


b = leaf(4)
r, s = (torch.compile(halves) if compiled else halves)(b)
(r.sum() + s.sum()).backward()
print("halves", b.grad.tolist())

# Inputs whose elements share memory are changed as eagerly.
changes = {
    "slice": lambda b: b[:1].add_(1),
    "row": lambda b: b[0].add_(1),
    "steps": lambda b: b.__setitem__((slice(None, None, 2), 0), 9),
    "copied": lambda b: b[:1].copy_(torch.full((1, 4), 7.0)),
    "zeroed": lambda b: b[1:].zero_(),
}
inputs = {
    "expanded": lambda: torch.arange(4.0).unsqueeze(0).expand(2, 4),
    "unfolded": lambda: torch.arange(8.0).unfold(0, 4, 2)[:2],
    "strided": lambda: torch.as_strided(torch.arange(8.0), (2, 4), (1, 1)),
}
for made, make in inputs.items():
    for name, change in changes.items():
        def changed(b):
            change(b)
            return b + 1

        b = make()
        r = (torch.compile(changed) if compiled else changed)(b)
        print(made, name, b.tolist(), r.tolist())
