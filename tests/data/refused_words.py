# SPDX-License-Identifier: Apache-2.0
# What is refused in PyTorch's words, and what stands next to it and is taken. Recorded: refused_words.txt.
import torch
import torch.nn.functional as F


def t(name, f):
    try:
        found = f()
        if isinstance(found, torch.Tensor):
            numbers = found.detach().reshape(-1)
            parts = torch.view_as_real(numbers).reshape(-1) if numbers.is_complex() else numbers
            found = (str(found.dtype), list(found.shape), [round(v, 4) + 0.0 if isinstance(v, float) else v for v in parts.tolist()])
        print(name, found)
    except Exception as error:
        print(name, type(error).__name__, str(error).splitlines()[0])


kinds = (torch.uint8, torch.int32, torch.int64, torch.bool, torch.float32)

# Targets of losses.
x, flat = torch.arange(12.0).reshape(3, 4) / 6, torch.tensor([0.5, -0.25, 0.75])
for kind in kinds:
    y = torch.tensor([1, 0, 1]).to(kind)
    t(f"nll_loss {kind}", lambda: F.nll_loss(x, y))
    t(f"cross_entropy {kind}", lambda: F.cross_entropy(x, y, label_smoothing=0.0 if kind.is_floating_point else 0.1))
    t(f"cross_entropy, images {kind}", lambda: F.cross_entropy(torch.zeros(2, 3, 2, 2), torch.zeros(2, 2, 2).to(kind)))
    t(f"multi_margin_loss {kind}", lambda: F.multi_margin_loss(x, y))
    t(f"binary_cross_entropy {kind}", lambda: F.binary_cross_entropy(torch.full((3,), 0.5), y))
    t(f"with logits {kind}", lambda: F.binary_cross_entropy_with_logits(flat, y))
rows = torch.zeros(3, 4, requires_grad=True)
t("its slope", lambda: torch.autograd.grad(F.cross_entropy(rows, torch.tensor([1, 0, 1], dtype=torch.uint8)), rows)[0])
t("ignored", lambda: F.cross_entropy(x, torch.tensor([1, 255, 3], dtype=torch.uint8), ignore_index=255))
t("with logits", lambda: F.binary_cross_entropy_with_logits(flat, torch.tensor([1, 0, 1], dtype=torch.float16)).dtype)

# Norms.
z, one = torch.tensor([[3.0, 1.0], [2.0, 2.0]]), torch.tensor(3.0)
for own, wanted in ((torch.float64, torch.float32), (torch.float32, torch.float16), (torch.float16, torch.bfloat16),
                    (torch.float32, torch.float64), (torch.float32, torch.complex64), (torch.float32, torch.int64),
                    (torch.complex64, torch.float32), (torch.complex128, torch.complex128)):
    v = z.to(own)
    t(f"vector_norm {own} {wanted}", lambda: torch.linalg.vector_norm(v, dtype=wanted))
    t(f"norm {own} {wanted}", lambda: torch.norm(v, p=2, dim=1, dtype=wanted))
    t(f"linalg.norm {own} {wanted}", lambda: torch.linalg.norm(v, dtype=wanted))
t("matrix_norm", lambda: torch.linalg.matrix_norm(z.double(), 1, dtype=torch.float32))
for dim in (0, -1, 1, -2, (0, 0), (1,)):
    t(f"norm of one {dim}", lambda: torch.norm(one, dim=dim))
    t(f"vector_norm of one {dim}", lambda: torch.linalg.vector_norm(one, dim=dim))
    if isinstance(dim, int):
        t(f"quantile of one {dim}", lambda: torch.quantile(one, 0.5, dim=dim))
for name in ("sum", "amax", "mean", "var", "logsumexp", "all", "nansum"):
    t(name, lambda: getattr(z, name)((0, 0)))

# Lengths.
logs = torch.zeros(5, 2, 3).log_softmax(2)
T = torch.tensor
for of, steps, lengths in (([[1, 2], [2, 1]], [5, 4], [2, 1]), ([[1, 2], [2, 1]], [6, 4], [2, 1]),
                           ([[1, 2], [2, 1]], [5, 4], [3, 1]), ([[1, 2], [2, 1]], [-1, 5], [2, 1]),
                           ([[1, 2], [2, 1]], [5, 5], [-2, 1]), ([[1, 2], [2, 1]], [5.0, 5.0], [2, 1]),
                           ([[1, 2], [2, 1]], [5], [2, 1]), ([1, 2, 2], [5, 4], [2, 1]), ([1, 2], [5, 4], [2, 1]),
                           ([1, 2, 2, 2], [5, 4], [2, 1]), ([[1, 2]], [5, 4], [2, 1])):
    t(f"ctc_loss {of} {steps} {lengths}", lambda: F.ctc_loss(logs, T(of), T(steps), T(lengths), reduction="none"))
t("ctc_loss of no steps", lambda: F.ctc_loss(logs[:0], T([[1], [1]]), T([0, 0]), T([1, 1])))
data = torch.arange(6.0)
for lengths in ([2, 4], [2, 3], [2, 5], [-1, 7], [0, 6], [2.0, 4.0]):
    for how in ("sum", "max"):
        t(f"segment_reduce {how} {lengths}", lambda: torch.segment_reduce(data, how, lengths=T(lengths)))
    t(f"segment_reduce unsafe {lengths}", lambda: torch.segment_reduce(data, "sum", lengths=T(lengths), unsafe=True))
for offsets in ([0, 2, 6], [0, 4, 2, 6], [0.0, 6.0]):
    t(f"segment_reduce {offsets}", lambda: torch.segment_reduce(data, "sum", offsets=T(offsets)))
t("segment_reduce both", lambda: torch.segment_reduce(data, "sum", lengths=T([2, 4]), offsets=T([0, 2, 6])))
t("segment_reduce word", lambda: torch.segment_reduce(data, "nonsense", lengths=T([2, 4])))
for axis in (-1, 1):
    t(f"segment_reduce {axis}", lambda: torch.segment_reduce(data, "sum", lengths=T([2, 4]), axis=axis))
t("segment_reduce of integers", lambda: torch.segment_reduce(data.long(), "sum", lengths=T([2, 4])))

# Sizes of pools, numbers of convolutions.
for n in (1, 2, 3):
    image = torch.arange(2.0 * 3 * 4**n).reshape([2, 3] + [4] * n)
    average, largest = getattr(F, f"adaptive_avg_pool{n}d"), getattr(F, f"adaptive_max_pool{n}d")
    for pool in (average, largest):
        for size in (0, [0] + [2] * (n - 1), 2):
            t(f"{pool.__name__} {size}", lambda: pool(image, size).shape)
            t(f"{pool.__name__} {size}", lambda: pool(image, size).stride())
    if n > 1:
        t("pool of nothing", lambda: largest(torch.ones([2, 3] + [0] * n), 2))
        t("pool of no channels", lambda: largest(torch.ones([2, 0] + [4] * n), 2))
t("pool of nothing", lambda: F.adaptive_avg_pool3d(torch.ones(2, 3, 0, 4, 4), 2))
t("negative", lambda: F.adaptive_avg_pool2d(torch.ones(2, 3, 4, 4), -1))
for n in (1, 2, 3):
    image = torch.ones([1, 1] + [4] * n)
    biggest, mean = getattr(F, f"max_pool{n}d"), getattr(F, f"avg_pool{n}d")
    if n > 1:
        t("pool of ranks", lambda: biggest(torch.ones([4] * n), 2))
        t("pool of ranks", lambda: getattr(F, f"adaptive_max_pool{n}d")(torch.ones([4] * n), 2))
        t("pool that fits nowhere", lambda: biggest(image, 5))
        for how in ((2, 1, 2), (2, 1, -1), (0,), (2, 0), (2, -1), (2, 1, 0, 0)):
            t(f"pool {how}", lambda: biggest(image, *how))
        t("mean over 0", lambda: mean(image, 2, divisor_override=0))
    t("pool of ranks", lambda: getattr(F, f"adaptive_avg_pool{n}d")(torch.ones([4] * n), 2))
    for sizes in ([2, 0] + [4] * n, [0] + [4] * n, [2, 3] + [0] * n):
        if n > 1 or len(sizes) > 2:
            t(f"pool of {sizes}", lambda: mean(torch.ones(sizes), 2))
            t(f"pool of {sizes}", lambda: biggest(torch.ones(sizes), 2, return_indices=True))
    t("adaptive", lambda: getattr(F, f"adaptive_max_pool{n}d")(image, -1))
t("one mean of nothing", lambda: F.adaptive_avg_pool1d(torch.ones(1, 2, 0), 1))
t("one mean of nothing", lambda: F.adaptive_avg_pool3d(torch.ones(1, 2, 0, 0, 0), 1))
t("means of no channels", lambda: F.adaptive_avg_pool1d(torch.ones(2, 0, 4), 2).shape)
t("sizes of nothing", lambda: torch.ones(0, 2).view(-1, 0))
t("no dimensions", lambda: torch.ones(2, 2).permute())
t("lists of lists", lambda: torch.tensor([[], [1]]))
t("lists of lists", lambda: torch.tensor([1, [1]]))
t("lists of lists", lambda: torch.tensor([[1], 1]))
none = torch.ones(0, 5)
for name in ("amax", "amin", "max", "min", "argmax", "argmin"):
    t(f"{name} of nothing", lambda: getattr(torch, name)(none))
for name in ("amax", "min", "argmax", "median", "nanmedian", "mode"):
    t(f"{name} of nothing", lambda: getattr(torch, name)(none, 0))
t("aminmax of nothing", lambda: torch.aminmax(none))
t("aminmax of nothing", lambda: torch.aminmax(none, dim=0))
t("kthvalue of nothing", lambda: torch.kthvalue(none, 1, 0))
for order in (float("inf"), -1):
    t("norm of nothing", lambda: torch.linalg.vector_norm(none, order, 0))
t("norm of nothing", lambda: torch.linalg.vector_norm(none, float("inf")))
t("diagonals", lambda: torch.diag_embed(torch.tensor(1.0)))
t("diagonals", lambda: torch.diag_embed(torch.ones(2), dim1=0, dim2=0))
row, classes, image = torch.ones(4), torch.ones(3, 4), torch.ones(2, 3, 4, 5)
for logs, names, weights in (
        (classes, torch.tensor([0, 1, 2]), torch.ones(3)), (torch.tensor(1.0), torch.tensor(0), None),
        (image, torch.ones(2, 4, 4).long(), None), (image, torch.ones(2, 4).long(), None),
        (image, torch.ones(2, 4, 5).long(), torch.ones(2)), (image[0], torch.ones(3, 5).long(), torch.ones(3)),
        (row, torch.tensor([1]), None), (row, torch.tensor([1, 2]), None),
        (classes, torch.tensor([0, 1, 2]), torch.ones(4).double()), (classes, torch.ones(3, 4).long(), None)):
    t(f"names of classes {list(logs.shape)}", lambda: F.nll_loss(logs, names, weights))
t("aten", lambda: torch.ops.aten.complex(row, row))
t("aten", lambda: torch.ops.aten.polar(row, row))
t("aten", lambda: torch.ops.aten.hann_window(4))
square, some = torch.ones(3, 4), torch.ones(3, 4, dtype=torch.bool)
t("mask", lambda: torch.masked_scatter(square, some, torch.ones(3)))
t("mask", lambda: torch.masked_scatter(square, square.long(), torch.ones(12)))
t("mask", lambda: torch.masked_scatter(square, some, torch.ones(12, dtype=torch.float64)))
image, kernel = torch.ones(2, 3, 5, 5), torch.ones(4, 3, 3, 3)
for how in (dict(stride=0), dict(stride=-1), dict(padding=-1), dict(dilation=0), dict(groups=0), dict(stride=(1, 1, 1)),
            dict(stride=()), dict(padding=(1, 1, 1)), dict(padding="same", stride=2), dict(padding="nope")):
    t(f"conv2d {how}", lambda: F.conv2d(image, kernel, **how).shape)
t("combinations", lambda: torch.combinations(torch.arange(4), -1))

# In place, and whole numbers beyond 64 bits.
for kind in (torch.float32, torch.int64, torch.complex64):
    t(f"float_power_ {kind}", lambda: torch.ones(2).to(kind).float_power_(2))
t("float_power_", lambda: torch.tensor([1.0, 3.0], dtype=torch.float64).float_power_(2))
for name in ("abs_", "absolute_"):
    t(name, lambda: getattr(torch.tensor([3 + 4j]), name)())
t("add_", lambda: torch.ones(2, dtype=torch.int64).add_(torch.ones(2)))
t("add_", lambda: torch.ones(2).add_(torch.ones(3, 2)))
whole = torch.tensor([1, 2, 3])
for number in (-2**63 - 1, 2**64, 2**100):
    t(f"times {number}", lambda: whole * number)
    t(f"full {number}", lambda: torch.full((2,), number))
    t(f"fill {number}", lambda: whole.clone().fill_(number))
for f in (lambda n: torch.full((2,), n), lambda n: whole.clone().fill_(n), lambda n: whole**n,
          lambda n: torch.where(whole > 1, whole, n), lambda n: torch.add(whole, whole, alpha=n)):
    t("2**63", lambda: f(2**63))
for name in ("new_zeros", "new_ones"):
    t(name, lambda: getattr(x, name)())
    t(name, lambda: getattr(x, name)(dtype=torch.int64))
    t(name, lambda: getattr(x, name)(size=(2,)))
    t(name, lambda: getattr(x, name)(()))

# Real tensors beside complex ones: numbers and tensors of no dimensions count by their kind.
for kind in (torch.float32, torch.float64, torch.int64, torch.bool):
    a = torch.tensor([1.7, 2.3, 0.1]).to(kind)
    for wide in (torch.complex64, torch.complex128):
        for b in (torch.tensor(0.77 + 0.3j, dtype=wide), torch.tensor([0.77 + 0.3j] * 3, dtype=wide), 0.5 - 1j):
            for name, f in (("add", lambda: a + b), ("mul", lambda: a * b), ("div", lambda: a / b), ("pow", lambda: b**a),
                            ("where", lambda: torch.where(whole > 1, a, b))):
                t(f"{name} {kind} {wide}", f)
halves = torch.tensor([1.7, 2.3, 0.1], dtype=torch.bfloat16)
t("16 bits", lambda: halves * torch.tensor([1j, 2j, 1 + 1j]))
t("16 bits", lambda: halves ** torch.tensor([1j, 2j, 1 + 1j]))
x = torch.arange(6.).reshape(3, 2)
t("view", lambda: x.t().view(6))
t("permute", lambda: x.permute(0, 0))
t("permute", lambda: x.permute(0, 2))
t("permute", lambda: x.permute(0, 1, 5))
t("unflatten", lambda: torch.ones(2, 6).unflatten(1, (4, 2)))
t("unflatten", lambda: torch.ones(6).unflatten(0, (-1, 4)))
t("cross_entropy", lambda: F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 1, 2])))
t("nll_loss", lambda: F.nll_loss(torch.ones(2, 3), torch.tensor([0, 1, 2])))
t("nll_loss", lambda: F.nll_loss(torch.ones(2, 3, 4), torch.zeros(2, 5, dtype=torch.long)))
t("nll_loss", lambda: F.nll_loss(torch.ones(2, 3, 4, 4), torch.zeros(3, 4, 4, dtype=torch.long)))
for name, sizes, weight in (("conv1d", (3, 3, 3, 3), (4, 3, 3)), ("conv1d", (3,), (4, 3, 3)), ("conv2d", (3, 3), (4, 3, 3, 3)),
                            ("conv3d", (3, 3), (4, 3, 3, 3, 3)), ("conv_transpose1d", (3,), (3, 4, 3)),
                            ("conv_transpose2d", (3, 3), (3, 4, 3, 3))):
    t(name, lambda: getattr(F, name)(torch.ones(sizes), torch.ones(weight)))
for data in ([[1, 2], [3]], [[1, 2], 3], [[[1], [2]], [[3], [4, 5]]], "a", ["a"], [1, "a"], None, [None], {}, object):
    t(f"tensor {data if data is not object else 0}", lambda: torch.tensor(data() if data is object else data))
for given in (5, [1], [(1, 2, 3)], [(1,)]):
    t(f"update {given}", lambda: {}.update(given))
e = {"a": 1, "b": [2]}
t("items", lambda: (e.items() >= {("a", 1)}, e.items() > {("a", 1)}, {("a", 1)} <= e.items(), e.items() == {("a", 1)},
                    e.items() <= {("a", 1)}, e.items() & {("a", 1)}, {("a", 1), 3} & {"a": 1, "c": 2}.items(), e.items() == e.items()))
t("keys", lambda: (e.keys() & {"a"}, e.keys() >= {"a"}, e.keys() == {"a", "b"}, {"a", "b"} == e.keys(), e.keys() < {"a", "b", "c"}, e.values() == e.values()))
t("items", lambda: e.items() | {1})
t("names", lambda: [f.__name__ for f in (torch.ops.aten.mul.Tensor, torch.ops.aten.sum.default, torch.ops.aten.mul, torch.ops.aten.add_.Tensor)])
