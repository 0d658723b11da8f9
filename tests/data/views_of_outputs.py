# A compiled function that breaks between a view and its change in place: both are outputs of one graph, and the
# tape follows the part in the whole, whichever was made first. What PyTorch printed eagerly: views_of_outputs.txt.
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
