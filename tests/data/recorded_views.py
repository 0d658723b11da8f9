# SPDX-License-Identifier: Apache-2.0
# Writes through views while gradients are recorded. Printed under PyTorch: recorded_views.txt.
import re
import torch
w = torch.tensor([0.5, -1.5, 2.0])
def show(name, *leaves, outs=()):
    print(name, *[o.detach().tolist() for o in outs], *[None if l.grad is None else l.grad.tolist() for l in leaves])
    for l in leaves: l.grad = None
x = torch.tensor([1., 2., 3.], requires_grad=True)
p = w.clone().requires_grad_()
y = x * 2; y[0] *= 3; y.view(-1)[1] = 5
(y * w).sum().backward(); show("issue", x, outs=[y])
y = x * 2; v = y[1:]; v.mul_(p[1:]); (y * w).sum().backward(); show("view mul", x, p, outs=[y, v])
y = x * 2; v = y.view(3, 1); y.add_(p); (v[:, 0] * w).sum().backward(); show("base add", x, p, outs=[y, v])
y = x * 2; v = y.view(3, 1); u = y[1:]; v.exp_(); (u * w[1:]).sum().backward(); show("other view", x, outs=[y, v, u])
y = x * 2; v = y.t() if False else y[:2]; y.zero_(); (v + y[:2]).sum().backward(); show("zeroed", x, outs=[y, v])
y = torch.zeros(3); v = y[:2]; v.copy_(p[:2] * 2); y.sum().backward(); show("no grad base", p, outs=[y])
y = torch.zeros(2, 3); y[0] = x; y[1] = p * x; y[:, 1].mul_(4); y.pow(2).sum().backward(); show("rows", x, p, outs=[y])
y = x * 2; z = y[0]; y[0] = 7.; (z * y[1]).backward(); show("scalar view", x, outs=[y, z])
y = x * 2; v = y.detach(); v[0] = 9.; y.sum().backward(); show("detached", x, outs=[y])
y = x * 2; v = y.view(3, 1).expand(3, 2); y.mul_(2); s = y.sum(); s.backward(); show("expanded beside", x, outs=[y, v])
y = x * 1; y.transpose(0, 0).mul_(y.clone()); (y * w).sum().backward(); show("self", x, outs=[y])
y = x * 1; y.clamp_(max=2.0); y.view(3)[2:].neg_(); y.sum().backward(); show("clamp", x, outs=[y])
m = torch.arange(6.).view(2, 3).requires_grad_()
y = m * 1; y.t()[1].mul_(10); y[y > 3] = 0.; y.sum().backward(); show("masked", m, outs=[y])
y = m * 2; r = y.unbind(0) if False else (y[0], y[1]); r[1].add_(r[0]); (y ** 2).sum().backward(); show("rows add", m, outs=[y, r[1]])
y = m.clone(); y[0, 0] = 2.0; y.diagonal().fill_(1.5); y.sum().backward(); show("diagonal", m, outs=[y])
print(y.requires_grad, y.is_leaf, y[0].requires_grad)
# .grad_fn afterwards
y = x * 2; v = y[:1]; print(v.requires_grad); n = torch.zeros(2); nv = n[:1]; print(nv.requires_grad); n.add_(p[:2]); print(nv.requires_grad, n.requires_grad)
# versions
def message(e):
    # the name of the saving function is the tape's own
    text = str(e).split(" Hint")[0].split(". Given")[0].split(": mul_()")[0]
    return re.sub(", which is output 0 of [A-Za-z0-9:]*,", "", text)
def attempt(name, f):
    try:
        f(); print(name, "fine")
    except RuntimeError as e: print(name, message(e))
def saved():
    y = x * 2; z = y ** 2; y[0] = 1.; z.sum().backward()
def saved_view():
    y = x * 2; z = y * p; y.view(3)[1:].mul_(2); z.sum().backward()
def saved_leaf():
    z = x * p
    with torch.no_grad(): x.add_(0)
    z.sum().backward()
def saved_result():
    y = (x * 2).exp(); y.add_(1); y.sum().backward()
def leaf(): x.add_(1)
def leaf_item(): x[0] = 1.
def leaf_view(): x.view(3).add_(1)
def quiet():
    y = x * 2
    with torch.no_grad(): v = y[0:1]
    v.mul_(2); y.sum().backward()
for f in (saved, saved_view, saved_leaf, saved_result, leaf, leaf_item, leaf_view, quiet): attempt(f.__name__, f)
