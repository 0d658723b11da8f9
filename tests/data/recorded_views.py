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
# Activations in place: what saves its result refuses that it is changed again.
import torch.nn.functional as F
def cause(f):
    try: return f()
    except RuntimeError as e: return re.split(r": \[|Such functions|\. Please|\. Given|\. This view|Output \d of \w+ ", str(e))[0 if "Output" not in str(e) else 1][:90]
activations = {
    "relu_": F.relu_, "elu_": F.elu_, "celu_": F.celu_, "selu_": F.selu_, "leaky_relu_": F.leaky_relu_, "hardtanh_": F.hardtanh_,
    "relu": lambda y: F.relu(y, inplace=True), "relu6": lambda y: F.relu6(y, inplace=True), "elu": lambda y: F.elu(y, inplace=True),
    "leaky_relu": lambda y: F.leaky_relu(y, 0.1, inplace=True), "silu": lambda y: F.silu(y, inplace=True), "threshold_": lambda y: F.threshold_(y, 0.5, 1.),
    "hardsigmoid": lambda y: F.hardsigmoid(y, inplace=True), "sigmoid_": lambda y: y.sigmoid_(), "tanh_": lambda y: y.tanh_(), "sqrt_": lambda y: y.abs().sqrt_(),
    "abs_": lambda y: y.abs_(), "neg_": lambda y: y.neg_(), "pow_": lambda y: y.pow_(2), "nn.ReLU": lambda y: torch.nn.ReLU(inplace=True)(y), "nn.SELU": lambda y: torch.nn.SELU(inplace=True)(y)}
def after(act, change):
    leaf = w.clone().requires_grad_()
    z = act(leaf * 2)
    change(z)
    z.sum().backward()
    return [round(v, 4) for v in leaf.grad.tolist()]
for name, act in activations.items():
    print(name, cause(lambda: after(act, lambda z: None)), cause(lambda: after(act, lambda z: z.mul_(2))), cause(lambda: after(act, lambda z: z.add_(1))))
def expanded(change, seen=(3, 2)):
    leaf = w.clone().requires_grad_(); y = leaf * 2; v = y.unsqueeze(1).expand(*seen)
    change(y, v); (v * v).sum().backward(); return leaf.grad.tolist(), v.detach().tolist()
print("expand, base written", cause(lambda: expanded(lambda y, v: y.add_(1))))
print("expand, one column", cause(lambda: expanded(lambda y, v: v.mul_(3), (3, 1))))
print("expand, column written", cause(lambda: expanded(lambda y, v: v[:, 0].mul_(3))))
print("expand, written", cause(lambda: expanded(lambda y, v: v.mul_(3))))
several = {"unbind": lambda y: y.unbind(0), "split": lambda y: y.split(1), "chunk": lambda y: y.chunk(2), "sizes": lambda y: y.split([1, 1]),
           "columns": lambda y: y.unbind(1), "iteration": lambda y: list(y), "tensor_split": lambda y: y.tensor_split(2), "select": lambda y: [y[0]]}
def write(make, change):
    leaf = torch.arange(6.).view(2, 3).requires_grad_(); y = leaf * 2; parts = make(y)
    change(y, parts); (parts[0].sum() + y.sum()).backward(); return leaf.grad.tolist()
for name, make in several.items():
    print(name, cause(lambda: write(make, lambda y, p: None)), cause(lambda: write(make, lambda y, p: p[0].mul_(3))), cause(lambda: write(make, lambda y, p: y.mul_(3))))
# Views that the tape knows nothing of: they require a gradient as their base does, and get none until they are written.
def told(name, f): print(name, cause(f))
def unseen(how):
    if how == "before": x = torch.ones(3); v = x[0:2]; x.requires_grad_(); return x, x, v
    p = torch.ones(3, requires_grad=True); x = p if how == "leaf" else p * 1
    with torch.no_grad(): v = x[0:2]
    return p, x, v
def used(how, change):
    p, x, v = unseen(how)
    with torch.no_grad(): change(x, v)
    state = [v.requires_grad, v.is_leaf]
    y = v * 2; y.sum().backward()
    return state, y.requires_grad, v.is_leaf and v.grad, p.grad
def leaf_of_its_own():
    p, x, v = unseen("leaf"); v.requires_grad_(); (v * 2).sum().backward(); return v.grad, p.grad
def switched_off():
    p, x, v = unseen("before"); v.requires_grad_(False); kept = v.requires_grad; x.requires_grad_(False); return kept, v.requires_grad
for how in ("before", "leaf", "computed"):
    for name, change in (("read", lambda x, v: None), ("base", lambda x, v: x.mul_(2)), ("view", lambda x, v: v.mul_(2))):
        told(f"unseen {how} {name}", lambda: used(how, change))
told("unseen, own", leaf_of_its_own)
told("unseen, off", switched_off)
# .data counts its writes for itself; detach() counts with what it is of.
def through(alias, change=lambda d: d.mul_(5)):
    x = torch.ones(3, requires_grad=True); y = x * 1; z = y * y
    change(alias(y)); z.sum().backward(); return x.grad, y._version
told("data", lambda: through(lambda y: y.data))
told("data, part", lambda: through(lambda y: y.data[0:2], lambda d: d.zero_()))
told("data of view", lambda: through(lambda y: y[1:].data))
told("detached", lambda: through(lambda y: y.detach()))
told("data, detached", lambda: through(lambda y: y.data.detach()))
def own_count():
    y = torch.ones(3); d = y.data; e = d[1:]; d.mul_(2); y.add_(1); y.add_(1); return d._version, e._version, y._version, y.data._version
def data_saved():
    d = (torch.ones(3, requires_grad=True) * 1).data.requires_grad_(); z = d * d
    d.data.mul_(3); z.sum().backward(); return d.grad
def data_saved_written():
    y = torch.ones(3, requires_grad=True) * 1; d = y.data; e = d[:]; e.requires_grad_(); z = e * e; d.mul_(3); z.sum().backward()
def compiled():
    x = torch.ones(3, requires_grad=True); z = torch.compile(lambda x: x * x)(x); x.data.mul_(5); z.sum().backward(); return x.grad
for f in (own_count, data_saved, data_saved_written, compiled): told(f.__name__, f)
# as_strided() of a view, written beyond it: the base has the gradient.
def beyond(part, size, stride, offset):
    x = torch.arange(6., requires_grad=True); y = x * 1; w = y[part].as_strided(size, stride, offset)
    w.mul_(2); (y * torch.arange(6.)).sum().backward(); return y.tolist(), x.grad.tolist()
print("beyond", beyond(slice(0, 3), (3,), (2,), 0), beyond(slice(2, 4), (2,), (1,), 0))
def beyond_twice():
    x = torch.arange(6., requires_grad=True); y = x * 1; w = y[0:3].as_strided((3,), (2,), 0)[1:]
    w.mul_(2); (y * torch.arange(6.)).sum().backward(); return y.tolist(), x.grad.tolist()
print("beyond, a part", beyond_twice())

# What changes nothing gives the tensor itself.
y = torch.randn(2, 3)
print(y.flatten() is y, torch.positive(y) is y, +y is y, y.real is y, y.contiguous() is y)
# set_() has no derivative, and is refused of leaves.
for made in (torch.zeros(2, requires_grad=True), torch.zeros(2, requires_grad=True) * 1, torch.zeros(2)):
    try:
        made.set_(torch.ones(1, 3, requires_grad=True))
        made.sum().backward()
        print("set_", made.shape)
    except RuntimeError as e:
        print("set_", str(e)[:35])
plain = torch.zeros(2)
plain.set_(torch.ones(1, 3))
with torch.no_grad():
    leaf = torch.zeros(2, requires_grad=True)
    leaf.set_(torch.ones(1, 3))
print(plain, leaf)


def read_in_two_branches(v6, v5):
    mean = v5 + v6.mean() * 0.1
    rows = v6.clone()
    rows[0] -= 1.25
    rows[..., 0:1].add_(0.5)
    rows[-1] *= 2
    return mean, rows


def branch_of_no_place(a, b):
    last = a.clone()
    last[-1] *= 2
    last[-1] += 2.5
    return last.std(dim=-1) + b + last.mean()


for f, inputs in [(read_in_two_branches, (torch.arange(68.0).reshape(17, 4) / 8, torch.arange(3.0))),
                  (branch_of_no_place, (torch.ones(1).expand(9), torch.ones(4)))]:
    for called in (f, torch.compile(f)):
        result = called(*inputs)
        print(f.__name__, [(t * 1000).round().tolist() for t in (result if isinstance(result, tuple) else (result,))])
