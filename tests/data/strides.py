# SPDX-License-Identifier: Apache-2.0
# How results lie in memory, and random numbers, which come in that order. Printed under PyTorch: strides.txt.
import torch
import torch.nn as nn
import torch.nn.functional as F
compiled = False


def total(values):
    """The sum of nested lists, which asks for no kernel."""
    return sum(map(total, values)) if isinstance(values, list) else values


def show(name, function, *inputs):
    if compiled:
        torch._dynamo.reset()
        function = torch.compile(function)
    torch.manual_seed(3)
    found = function(*inputs)
    for value in found if isinstance(found, (tuple, list)) else [found]:
        # The stride of a dimension without a second element says nothing.
        strides = [s for s, n in zip(value.stride(), value.shape) if n != 1] if value.numel() else []
        exact = value.numel() and value.dtype in (torch.float32, torch.float64)
        print(name, tuple(value.shape), strides, f"{total(value.tolist()) + 0.0001:.3f}" if exact else "")


def numbers(name, function, *inputs):
    if compiled:
        torch._dynamo.reset()
        function = torch.compile(function)
    torch.manual_seed(5)
    value = function(*inputs)
    print(name, value.stride(), *[f"{v:.5f}" for v in value.double().flatten()[:9].tolist()], f"{torch.rand(1).item():.6f}")


base = torch.arange(120.).reshape(2, 3, 4, 5) / 50
permuted, image = base.permute(0, 2, 3, 1), base.to(memory_format=torch.channels_last)
rows = torch.arange(12.).reshape(4, 3) / 10 + 0.1
turned = rows.t()
wide = torch.ones(3, 1).expand(3, 4)
gaps = torch.arange(24.).reshape(4, 6)[:, ::2] / 7
zero, index = torch.tensor(2.0), torch.tensor([1, 0])
layouts = {"permuted": permuted, "image": image, "turned": turned, "wide": wide, "gaps": gaps,
           "swapped": base.transpose(1, 2), "one": image[:1], "flat": image[:, :1], "thin": permuted[:, :, :1],
           "sliced": permuted[:, 1:3], "none": permuted[:0], "zero": zero, "half": image.half(), "double": turned.double()}
unary = "exp neg relu logical_not isnan lgamma nan_to_num frac clone detach".split()
binary = "add maximum lt atan2 xlogy".split()
for name, x in layouts.items():
    show(f"unary {name}", lambda a: [getattr(torch, op)(a) for op in unary], x)
    for kind, other in (("itself", x), ("number", zero), ("rows", x.contiguous())):
        show(f"binary {name} {kind}", lambda a, b: [getattr(torch, op)(a, b) for op in binary], x, other)
        show(f"binary {kind} {name}", lambda a, b: [getattr(torch, op)(a, b) for op in binary], other, x)
    show(f"scalars {name}", lambda a: (a + 1, 2 - a, a * 2.5, 1 / (a + 1), a ** 2, 2 ** a, a > 1, -a, a.clamp(0, 1)), x)
    show(f"where {name}", lambda a: (torch.where(a > 1, a, -a), torch.where(a > 1, a, 0.5), a.masked_fill(a > 1, 0)), x)
    show(f"lerp {name}", lambda a: (torch.lerp(a, -a, 0.3), torch.lerp(a, -a, a), torch.addcmul(a, a, a), torch.addcdiv(a, a, a + 1)), x)
    show(f"like {name}", lambda a: (torch.zeros_like(a), torch.ones_like(a), torch.full_like(a, 2), a.new_zeros(a.shape),
                                    torch.empty_like(a).zero_(), torch.zeros_like(a, memory_format=torch.contiguous_format)), x)
    show(f"convert {name}", lambda a: (a.to(torch.float64), a.int(), a.bool(), a.to(torch.bfloat16), a.contiguous(), a.type_as(a.half())), x)
    show(f"activations {name}", lambda a: (F.gelu(a), F.silu(a), F.softplus(a), F.logsigmoid(a), F.elu(a), F.leaky_relu(a), F.hardswish(a), F.mish(a)), x)
    show(f"chain {name}", lambda a: ((a + 1).exp() * a, (a * 2).sum(), a.cumsum(-1), a.flip(0), torch.roll(a, 1)) if a.dim() else (a + 1,), x)
    if x.dim():
        show(f"rows {name}", lambda a: (a.softmax(-1), a.log_softmax(0), a.sum(0), a.mean(-1, keepdim=True), a.amax(0), a.argmax(-1),
                                        a.cumprod(0), a.var(-1), a.norm(dim=0)), x.float() if x.numel() else base)
    if x.dim() and x.numel() and name != "wide":  # PyTorch 2.15 loses medians of an expanded tensor
        show(f"order {name}", lambda a: (*a.sort(-1), *a.sort(0), a.topk(1, -1).values, a.argsort(0), a.kthvalue(1, 0).values, a.median(-1).values), x)
    if x.dim() > 1 and x.shape[0] > 1:
        show(f"pick {name}", lambda a: (a[index], a[:, index[1:]], a[index, index[1:]], a[a.new_zeros(a.shape[0], dtype=torch.long)],
                                        a.index_select(0, index), a.gather(0, torch.zeros_like(a, dtype=torch.long)), a.take(index)), x)
        show(f"write {name}", lambda a: (a.index_fill(0, index, 2.), a.index_add(0, index, a[:2]), a.index_copy(0, index, a[:2]),
                                         a.scatter(0, torch.zeros_like(a, dtype=torch.long), 1.), a.index_put((index,), zero.to(a.dtype))), x)
        show(f"join {name}", lambda a: (torch.cat([a, a]), torch.stack([a, a]), a.repeat(*[2] * a.dim()), a.repeat_interleave(2, 0), torch.cat([a, a], -1)), x)

for mask in (permuted > 1, image > 1, turned > 0.5, gaps > 1):
    if not compiled:
        show("eager nonzero", lambda m: (m.nonzero(), torch.argwhere(m), *m.nonzero(as_tuple=True)), mask)
for truth in (True, False):
    show("truth", lambda a: (a[truth], a[None, truth], a[..., truth], a[:, truth], a[truth, 0], a[truth, truth]), turned)
if not compiled:
    show("eager truth of a tensor", lambda a: (a[torch.tensor(True)], a[torch.tensor(False)]), turned)

matrix = turned @ rows + torch.eye(3)
show("linalg", lambda a: (torch.linalg.inv(a), torch.linalg.solve(a, a[:, :2]), torch.linalg.cholesky(a @ a.t()), *torch.linalg.qr(a),
                          torch.linalg.det(a), a.inverse(), torch.linalg.matrix_power(a, 2), torch.linalg.solve_triangular(a, a, upper=True)), matrix)
show("products", lambda a, b: (a @ b, a.t() @ b.t(), torch.outer(a[0], b[0]), torch.einsum("ij,jk->ik", a, b), torch.addmm(b.t() @ a.t(), b.t(), a.t())), turned, rows)

heads = (torch.arange(48.).reshape(2, 3, 2, 4) - 20) / 30
q, mask = heads.transpose(1, 2), torch.arange(9.).reshape(3, 3) > 3
attend = F.scaled_dot_product_attention
show("attention", lambda a, b: (attend(a, a, a), attend(a, b, b), attend(b, a, a), attend(a, a, a, mask), attend(a, a, a, is_causal=True),
                                attend(a, a, a).transpose(1, 2).contiguous().view(2, 3, 8)), q, q.contiguous())
show("attention otherwise", lambda a, b: (attend(a[0], a[1], a[0]), attend(a[:, 0], a[:, 1], a[:, 0]), attend(a, a, b[..., :2]), attend(a, a[:1], b[:1]),
                                          attend(a[0, 0], a[0, 1], a[0, 0])), q, q.contiguous())


def layer(make, memory_format=torch.contiguous_format):
    torch.manual_seed(1)
    return make().to(memory_format=memory_format)


for name, x in (("rows", base), ("image", image), ("swapped", base.transpose(2, 3))):
    for kind, memory in (("rows", torch.contiguous_format), ("channels last", torch.channels_last)):
        layers = [layer(lambda: nn.Conv2d(3, 6, 3), memory), layer(lambda: nn.ConvTranspose2d(3, 4, 2), memory),
                  layer(lambda: nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU()), memory)]
        show(f"layers {name} {kind}", lambda a: [each(a) for each in layers], x)
    show(f"images {name}", lambda a: (F.max_pool2d(a, 2), F.avg_pool2d(a, 2), F.adaptive_avg_pool2d(a, 2), F.interpolate(a, scale_factor=2), F.pad(a, (1, 1)),
                                      F.interpolate(a, scale_factor=2, mode="bilinear"), F.group_norm(a, 3), F.layer_norm(a, (5,)) if a.shape[3] == 5 else a,
                                      F.batch_norm(a, torch.zeros(3), torch.ones(3)), F.pixel_shuffle(torch.cat([a, a[:, :1]], 1), 2), F.pad(a, (1, 1, 1, 1), mode="reflect")), x)


def gradient(function, *inputs):
    leaves = [i.detach().clone().requires_grad_() for i in inputs]
    (torch.compile(function) if compiled else function)(*leaves).sum().backward()
    return [leaf.grad for leaf in leaves]


for name in ("permuted", "image", "turned", "swapped"):
    for value in gradient(lambda a: (a * a).exp() + a.sigmoid(), layouts[name]):
        print("gradient", name, value.stride())

for name, x in (("rows", base), ("image", image)):
    for kind, memory in (("rows", torch.contiguous_format), ("channels last", torch.channels_last)):
        for f, w in ((F.conv2d, torch.ones(6, 3, 3, 3)), (F.conv_transpose2d, torch.ones(3, 4, 2, 2))):
            leaves = [a.detach().to(memory_format=torch.preserve_format).requires_grad_() for a in (x, w.to(memory_format=memory))]
            y = (torch.compile(f) if compiled else f)(*leaves)
            print("convolution", name, kind, y.stride(), [g.stride() for g in torch.autograd.grad(y.sum(), leaves)], [leaf.stride() for leaf in leaves])
    y = (torch.compile(F.channel_shuffle) if compiled else F.channel_shuffle)(torch.cat([x, x[:, :1]], 1), 2)
    print("channel_shuffle", name, y.stride())

for name in ("permuted", "image", "turned", "wide", "gaps", "swapped", "zero", "half", "double"):
    x = layouts[name]
    numbers(f"rand_like {name}", lambda a: torch.rand_like(a), x)
    numbers(f"randn_like {name}", lambda a: torch.randn_like(a), x)
    numbers(f"randn_like rows {name}", lambda a: torch.randn_like(a, memory_format=torch.contiguous_format), x)
    numbers(f"randint_like {name}", lambda a: torch.randint_like(a, 2, 9), x)
    numbers(f"dropout {name}", lambda a: F.dropout(a + 1, 0.3), x)
    numbers(f"alpha_dropout {name}", lambda a: F.alpha_dropout(a + 1, 0.3, True), x)
    numbers(f"bernoulli {name}", lambda a: torch.bernoulli(torch.sigmoid(a)), x)
    numbers(f"gumbel {name}", lambda a: F.gumbel_softmax(a.reshape(-1)), x)
    for method in ("uniform_", "normal_", "exponential_", "bernoulli_", "log_normal_"):
        numbers(f"{method} {name}", lambda a: getattr(a.clone(), method)(), x)
    if not compiled:
        numbers(f"eager bernoulli_ of {name}", lambda a: a.clone().bernoulli_(torch.full(a.shape, 0.3)), x)
    if x.dim() == 4:
        numbers(f"dropout2d {name}", lambda a: F.dropout2d(a + 1, 0.3), x)
        numbers(f"dropout1d {name}", lambda a: F.dropout1d(a[0, 0] + 1, 0.3), x)
if not compiled:
    into = torch.zeros(4, 40)
    torch.manual_seed(2)
    into[:, ::2].normal_()
    into.t()[3:20].uniform_()
    print("eager into a view", *[f"{v:.5f}" for v in into.flatten()[:44].tolist()])

# Gradients lie as PyTorch's formulas leave them: by what they are computed of first, or in rows.
if not compiled:
    plain, across = torch.rand(3, 4) + 0.5, (torch.rand(4, 3) + 0.5).t()
    single = {"elu": F.elu, "celu": F.celu, "selu": F.selu, "softplus": F.softplus, "mish": F.mish, "hardswish": F.hardswish,
              "hardsigmoid": F.hardsigmoid, "hardtanh": F.hardtanh, "relu6": F.relu6, "leaky_relu": F.leaky_relu,
              "softshrink": F.softshrink, "hardshrink": F.hardshrink, "nan_to_num": torch.nan_to_num, "logit": torch.logit,
              "sgn": torch.sgn, "angle": torch.angle, "lerp": lambda a: torch.lerp(a, plain, 0.7)}
    double = {"atan2": torch.atan2, "maximum": torch.maximum, "minimum": torch.minimum, "fmax": torch.fmax, "fmin": torch.fmin,
              "smooth_l1": lambda a, b: F.smooth_l1_loss(a, b, reduction="none"), "huber": lambda a, b: F.huber_loss(a, b, reduction="none"),
              "mse": lambda a, b: F.mse_loss(a, b, reduction="none")}
    for count, functions in ((1, single), (2, double)):
        for name, function in functions.items():
            for first in (plain, across):
                for seed in (torch.ones(3, 4), torch.ones(4, 3).t()):
                    leaves = [first.clone().requires_grad_(), across.clone().requires_grad_()][:count]
                    result = function(*leaves)
                    print("eager slope", name, result.stride(), *[g.stride() for g in torch.autograd.grad(result, leaves, seed)])


# Views without elements begin where PyTorch's do, behind the end of what they are of, too.
square = torch.ones(3, 3)
for f in (lambda x: x.chunk(2, 0)[-1][1:], lambda x: x.relu()[3:], lambda x: x[2:][1:], lambda x: x.relu()[2:][1:],
          lambda x: x[2:3][:0], lambda x: x[2:3][:, 3:], lambda x: x[3:][:, 1:], lambda x: x[:, 1:2][:, 1:],
          lambda x: x[:, 1:2][:, 1:].t(), lambda x: x[1:2].t()[1:], lambda x: x.relu()[1:2, 1:2][1:, 1:],
          lambda x: x[3:].unsqueeze(0)[:, :, 2], lambda x: x.unbind(1)[2][3:], lambda x: x.relu()[3:] + 1,
          lambda x: x[:, :0].t().contiguous(), lambda x: torch.zeros(1, 3)[1:]):
    for call in (f, torch.compile(f, backend="aot_eager")):
        empty = call(square)
        print(tuple(empty.shape), empty.stride(), empty.storage_offset())

# A memory format is read off strides: those of single elements say which format to() gives, and what a convolution gives.
if not compiled:
    for sizes in ((2, 1, 4, 4), (6, 4, 1, 1), (4, 1, 3, 3), (1, 4, 4, 4), (3, 1, 1, 1)):
        x = torch.ones(sizes)
        last = x.to(memory_format=torch.channels_last)
        print("eager formats", sizes, last.stride(), last is x, x.to(memory_format=torch.contiguous_format) is x, last.contiguous().stride(),
              x.contiguous(memory_format=torch.channels_last).stride(), x.to(torch.half, memory_format=torch.channels_last).stride(),
              (last + 1).stride(), (2 * last).stride(), (last > 0).stride(), torch.cat([last, last], 1).stride(), F.pad(last, (1, 1)).stride(),
              F.conv2d(last, torch.ones(2, sizes[1], 1, 1)).stride(), F.adaptive_avg_pool2d(last, 1).stride(), F.interpolate(x, scale_factor=2).stride())
    for weight in (torch.ones(6, 3, 1, 1), torch.ones(6, 1, 2, 2)):
        x, w = base.clone().requires_grad_(), weight.to(memory_format=torch.channels_last).requires_grad_()
        y = F.conv2d(x, w, groups=3 // w.shape[1])
        print("eager weights last", y.stride(), *[g.stride() for g in torch.autograd.grad(y.sum(), (x, w))])
    print("eager dense", turned.to(memory_format=torch.contiguous_format) is turned, gaps.to(memory_format=torch.contiguous_format) is gaps)
    signal, volume, single = base[0].transpose(1, 2), torch.ones(2, 3, 2, 2, 2).to(memory_format=torch.channels_last_3d), base[:, :1].to(memory_format=torch.channels_last)
    print("eager pools", F.max_pool1d(signal, 2).stride(), F.adaptive_avg_pool3d(volume, 1).stride(),
          F.adaptive_avg_pool3d(volume, 2).stride(), F.instance_norm(image[:1]).stride(), F.batch_norm(single, torch.zeros(1), torch.ones(1)).stride())
    free = torch.zeros(1, 1, 3, 3, requires_grad=True)
    for name, (a, b, c, m) in {"keys across": (q, q.transpose(2, 3).contiguous().transpose(2, 3), q, None), "mask with slopes": (q, q, q, free)}.items():
        print("eager attention by products", name, attend(a, b, c, m).stride())

# Gradients, as PyTorch's kernels and formulas leave them.
if not compiled:
    def slopes(name, function, *inputs):
        given = [x.detach().requires_grad_() if x.is_floating_point() else x for x in inputs]
        wanted = [x for x in given if x.requires_grad]
        out = function(*given)
        found = torch.autograd.grad(out, wanted, torch.ones_like(out), allow_unused=True)
        print("eager gradients", name, *[(g.stride(), f"{g.abs().sum().item():.4f}") if g is not None else None for g in found])

    a, b = (torch.arange(12.).reshape(3, 4) * k % 5 / 5 for k in (3, 7))
    across, target = a.t().contiguous().t(), b.t().contiguous().t()
    mask, classes = across > 0.3, torch.tensor([1, 0, 3])
    slopes("max", torch.max, across)
    slopes("min", torch.min, across)
    slopes("nextafter", torch.nextafter, across.unsqueeze(0).expand(2, 3, 4), across)
    slopes("mv", torch.mv, across, torch.ones(4))
    slopes("addmv", lambda x, m, v: torch.addmv(x, m, v, beta=2, alpha=0.5), torch.ones(3), across, b[0])
    slopes("take", lambda x: torch.take(x, torch.tensor([3, 3, -1])), across)
    slopes("select_scatter", lambda x, y: torch.select_scatter(x, y, 1, 2), a, b[:, 0])
    slopes("slice_scatter", lambda x, y: torch.slice_scatter(x, y, 1, 1, 3), a, b[:, :2])
    slopes("diagonal_scatter", torch.diagonal_scatter, a, b[:, 0])
    slopes("masked put", lambda x, y: torch.ops.aten._unsafe_masked_index_put_accumulate(x, mask, [torch.arange(3).unsqueeze(1), torch.arange(4)], y), a, across)
    slopes("log_sigmoid", F.logsigmoid, across)
    slopes("smooth_l1_loss of l1", lambda x, y: F.smooth_l1_loss(x, y, beta=0), across, target.double())
    slopes("soft_margin_loss", lambda x: F.soft_margin_loss(x, target), a[:, :1].expand(3, 4))
    slopes("soft_margin_loss of bytes", lambda x: F.soft_margin_loss(x, (b * 10).byte()), -a)
    slopes("multilabel_soft_margin_loss", F.multilabel_soft_margin_loss, across, target)
    slopes("binary_cross_entropy_with_logits", lambda x, y: F.binary_cross_entropy_with_logits(x, y, weight=target, pos_weight=b[0], reduction="sum"), across, target)
    slopes("binary_cross_entropy_with_logits", F.binary_cross_entropy_with_logits, across, target)
    for p in (1, 2):
        for reduction in ("none", "mean", "sum"):
            slopes("multi_margin_loss", lambda x: F.multi_margin_loss(x, classes, p, 0.7, b[0], reduction=reduction), across)
            slopes("multi_margin_loss of one", lambda x: F.multi_margin_loss(x, classes[0], p, 0.7, b[0], reduction=reduction), across[1])
    slopes("poisson_nll_loss", lambda x, y: F.poisson_nll_loss(x, y, full=True), across, (target * 3 + 0.2).transpose(0, 1).contiguous().transpose(0, 1).double())
    slopes("poisson_nll_loss of none", lambda x, y: F.poisson_nll_loss(x, y, full=True), across, target)
    slopes("pool backward", lambda x: torch.ops.aten.max_pool2d_with_indices_backward(torch.ones(1, 2, 2), x, [1, 2], [1, 2], [0, 0], [1, 1], False,
                                                                                     F.max_pool2d(x, (1, 2), return_indices=True)[1]), a[:2].unsqueeze(0))
    print("eager places", *[x.stride() for x in torch.unravel_index(torch.arange(6).reshape(3, 2).t(), (2, 3))])
    for each in (lambda x: x.index_select(1, torch.tensor([], dtype=torch.int64)), lambda x: x.repeat_interleave(torch.tensor([0, 0, 0]), 1)):
        print("eager places of none", each(torch.arange(24.0).as_strided((2, 3, 4), (1, 2, 6))).stride())
    print("eager solutions of none", torch.linalg.solve(torch.ones(0, 0), torch.ones(0, 5)).stride(), [x.stride() for x in torch.linalg.svd(torch.ones(3, 5, 0))],
          [x.stride() for x in torch.linalg.qr(torch.ones(0, 2))])
    slopes("solve", torch.linalg.solve, torch.eye(3) * 2, across[:, :2])
    for write in (torch.Tensor.zero_, lambda x: x.fill_(2.0), lambda x: x.copy_(b)):
        slopes("written over", lambda x: write(x.clone()), across)
    slopes("written", lambda x, y: x.clone().copy_(y), across, target)
    slopes("index_reduce", lambda x, y: x.index_reduce(0, torch.tensor([2, 0]), y, "amax", include_self=False), across, b[:2])
