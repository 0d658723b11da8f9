# SPDX-License-Identifier: Apache-2.0
# Inputs at the edge of what functions take: sizes, layouts and dtypes that few write. Recorded: odd_inputs.txt.
import torch
import torch.nn.functional as F


def show(name, f):
    """Prints what a call gives, or the class of what it raises."""
    try:
        found = f()
        words = (found.tolist(), found.dtype, found.stride()) if isinstance(found, torch.Tensor) else (found,)
        print(name, *words)
    except Exception as error:
        print(name, type(error).__name__)


# One computation of halves after another, with another number each.
half = torch.tensor([[0.5, -1.25], [2.0, 0.75]], dtype=torch.float16)
for order in (0.0, 1.0, 2.0, 3.0, float("inf")):
    show("norm of halves", lambda: torch.linalg.vector_norm(half, order))

# Complex numbers that do not lie row by row.
wide = torch.complex(*(torch.arange(6.0, dtype=torch.float64).reshape(2, 3) + k for k in (0, 1)))
for name, view in (("turned", wide.t()), ("column", wide[:, 1]), ("same rows", wide[:1].expand(2, 3)),
                   ("steps", wide[:, ::2])):
    show(name, lambda: view.tolist())
    show(name, lambda: view.contiguous())
show("transform", lambda: torch.fft.fft(torch.eye(2, dtype=torch.float64), dim=0).tolist())

# Diagonals of matrices, and of the first two dimensions.
blocks = torch.arange(12.0).reshape(2, 2, 3).requires_grad_()
show("diagonals", lambda: torch.linalg.diagonal(blocks).detach())
show("diagonals", lambda: torch.linalg.diagonal(blocks, offset=1, dim1=0).detach())
show("diagonals", lambda: torch.diagonal(blocks).detach())
show("diagonals", lambda: torch.autograd.grad(torch.linalg.diagonal(blocks).sum(), blocks)[0])
show("diagonals", lambda: torch.linalg.diagonal(torch.complex(blocks, -blocks).detach()))

# Shapes that functions do not take.
values, line = torch.tensor([1.0, 2.0]), torch.tensor([1, 2])
for edges in (torch.tensor(2.0), torch.ones(1, 2), torch.ones(2, dtype=torch.float64), torch.tensor([0.0, 1.5, 3.0])):
    show("edges", lambda: values.histogram(edges)[0])
square = torch.eye(3)
for sizes in ((), (3, 3), (2,), (1, 3)):
    show("reflections", lambda: torch.linalg.householder_product(square, torch.ones(sizes)).shape)
    show("reflections", lambda: torch.orgqr(square, torch.ones(sizes)).shape)
for weights in (0, 1.5, "a", torch.ones(1), torch.ones(1, 2), torch.tensor([0.5, 1.5]), None):
    show("counts", lambda: line.bincount(weights))
show("powers", lambda: torch.linalg.vander(torch.ones(1)))
show("rolled", lambda: torch.tensor(1.0).roll(1, 0))
show("rolled", lambda: torch.tensor(1.0).roll(1))
show("rolled", lambda: values.roll((), ()))
for n in (-1, 0, 3):
    show("points", lambda: torch.fft.rfft(values, n).shape)
show("frequencies", lambda: torch.fft.fftfreq(4, dtype=torch.int64))

# Pooled by the largest length.
for order in (float("inf"), -float("inf"), 2.0):
    show("pooled", lambda: F.lp_pool1d(torch.tensor([[1.0, -3.0, 2.0, 0.5]]), order, 2))
    show("pooled", lambda: F.lp_pool2d(torch.arange(-8.0, 8).reshape(1, 4, 4), order, 2))

# Bounds that narrow integers do not hold.
bytes_ = torch.tensor([1, 255, 0], dtype=torch.uint8)
for bound in (-1, -300, 300, 7):
    for name in ("clamp", "clamp_min", "clamp_max"):
        show(name, lambda: getattr(bytes_, name)(bound))

# Truth values.
truths = torch.tensor([True, False])
for name in ("bitwise_left_shift", "bitwise_right_shift", "fmod", "remainder", "floor_divide", "clamp", "clamp_min",
             "clamp_max", "bitwise_and", "eq", "add"):
    for other in (True, 1):
        show(name, lambda: getattr(truths, name)(other))

# Random numbers of dtypes that do not have them.
for dtype in (torch.bool, torch.uint8, torch.int64, torch.complex64):
    for name, given in (("exponential_", ()), ("cauchy_", ()), ("log_normal_", ()), ("geometric_", (0.5,)),
                        ("random_", (-1, 5)), ("random_", (0, 300)), ("random_", (3, 3))):
        try:
            print(name, getattr(torch.ones(2).to(dtype), name)(*given).dtype)
        except Exception as error:
            print(name, dtype, isinstance(error, RuntimeError))
    show("chances", lambda: torch.bernoulli(torch.ones(2).to(dtype)))
    show("drawn", lambda: torch.multinomial(torch.ones(2).to(dtype), 1).shape)

# Written numbers.
for number in (3, 2.75, True):
    show("written", lambda: torch.zeros(2).copy_(number))
    show("written", lambda: torch.zeros(2, dtype=torch.int32).copy_(number))

# Arguments of complex operations.
pairs = torch.tensor([[1 + 2j, 2], [3j, 4 - 1j]])
single = torch.tensor(1 + 2j)
for name, f in (("softmax", lambda: pairs.softmax(0)), ("log_softmax", lambda: pairs.log_softmax(0)),
                ("nansum", lambda: pairs.nansum()), ("eq", lambda: pairs.eq(None)), ("eq", lambda: pairs.eq("a")),
                ("lerp", lambda: pairs.lerp(0, 1)), ("all", lambda: values.all(1j)), ("sum", lambda: values.sum(1j)),
                ("any", lambda: values.any(1j)), ("norm", lambda: torch.linalg.vector_norm(half, 1j)),
                ("transpose", lambda: single.transpose(0, 1)), ("flatten", lambda: single.flatten(0, 1)),
                ("flatten", lambda: single.flatten()), ("squeeze", lambda: single.squeeze(1)),
                ("squeeze", lambda: pairs[None, :, None].squeeze(0, 2)), ("vsplit", lambda: pairs.vsplit(9)),
                ("hsplit", lambda: pairs.hsplit(2)[0]), ("vsplit", lambda: pairs.vsplit(0, 1)[1]),
                ("dsplit", lambda: pairs.dsplit(1)), ("inverse", lambda: torch.cholesky_inverse(pairs, "a"))):
    show(name, f)
places = torch.tensor([1 + 1j, 0, 2 - 0.5j, -1j, -1, 0.5])
for base in (0, 0.0, 0j):
    show("powers of 0", lambda: [abs(z) for z in (base ** places).tolist()])
    show("powers of 0", lambda: [abs(z) for z in torch.pow(torch.full((6,), base), places).tolist()])
for power in (1j, 0j, -1, 1.5):
    show("0 to the power", lambda: [abs(z) for z in torch.pow(torch.zeros(1, dtype=torch.complex64), torch.tensor(power)).tolist()])
show("0 to the power", lambda: [abs(z) for z in torch.float_power(torch.tensor([0.0, 1.0]), 1j).tolist()])

# Strides of what is empty, or of size 1.
for tensor in (torch.zeros(0), torch.zeros(2, 3), torch.ones(2, 3), torch.tensor(0.0), torch.tensor(1.0)):
    show("places", lambda: (tensor.nonzero().shape, tensor.nonzero().stride()))
for sizes in ((1, 1), (1,), (3, 1), (1, 3), (2, 3)):
    one = torch.ones(sizes, requires_grad=True)
    one.sum().backward()
    show("slope of a sum", lambda: one.grad.stride())
for sizes in ((-5,), (3, -2), (-(2**63),)):
    show("expanded", lambda: torch.ones(1).expand(sizes).shape)
show("power", lambda: torch.matrix_power(torch.eye(2), 2**40))

# No derivative by the divisor of a number.
divisor = torch.tensor([2.0, 3.0], requires_grad=True)
for f in (lambda: 7 % divisor, lambda: 7.5 % divisor, lambda: torch.remainder(7, divisor),
          lambda: torch.remainder(torch.tensor(7.0), divisor)):
    show("remainder", lambda: f().detach())
    show("remainder", lambda: torch.autograd.grad(f().sum(), divisor)[0])

# Nothing, repeated; lists, ranks and numbers that calls of libraries do not take.
for times in ((4, 0, 7, 0), (2, 3), (0, 1)):
    for dtype in (torch.float32, torch.complex64):
        show("repeated", lambda: torch.zeros(0, 3, dtype=dtype).repeat(times).shape)
rows = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
for points in (torch.tensor(1.0), torch.ones(2), torch.tensor([0.0, 1.0, 3.0]), torch.ones(3, 3)):
    show("area", lambda: torch.trapezoid(rows, points))
    show("area", lambda: torch.cumulative_trapezoid(rows, points))
for ends in ((), (1.0,), (0.0, 2.0)):
    show("bins", lambda: torch.histogram(values, 2, range=ends)[0])
for pool in (F.avg_pool1d, F.max_pool1d):
    show("window", lambda: pool(torch.ones(1, 4), ()))
    show("window", lambda: pool(torch.ones(1, 4), 2, 2, 0))
show("window", lambda: F.max_pool1d(torch.ones(1, 4), (), return_indices=True))
for dims in ((7,), (-9,), (0,)):
    show("solved", lambda: torch.linalg.tensorsolve(torch.tensor(2.0), torch.tensor(1.0), dims))
show("solved", lambda: torch.linalg.tensorsolve(torch.ones(1), torch.ones(1, 1)))
show("solved", lambda: torch.triangular_solve(torch.ones(2), torch.eye(2)))
show("factors", lambda: torch.lu_unpack(torch.eye(2), torch.tensor(1, dtype=torch.int32)))
show("sampled", lambda: torch.grid_sampler_2d(torch.ones(1, 1, 2, 2), torch.zeros(1, 1, 1, 2), 0, 0, True))
for scales in ([], [2.0], [1e30, 1e30]):
    show("scaled", lambda: torch.ops.aten.upsample_nearest2d.vec(torch.ones(1, 1, 2, 2), None, scales))
show("threshold", lambda: F.threshold(rows, 2, True))
show("chosen", lambda: torch.where(rows > 2, True, 0.5))
show("slope of a slice", lambda: torch.ops.aten.slice_backward(torch.ones(2), [3, 3], 0, 0, 2, 1))
for dtype in (torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.float64):
    given = torch.ones(2).to(dtype)
    show("counted", lambda: torch.histogram(given, 2)[0])
    show("gamma", lambda: torch.igamma(given, given).dtype)
    show("gamma", lambda: torch.igammac(given, torch.ones(2)).dtype)
show("slope of means", lambda: torch.ops.aten.avg_pool2d_backward(
    torch.ones(1, 2, 2), torch.ones(1, 4, 4), [2, 2], [], [0, 0], False, True, None)[0, 0])
show("slope of means", lambda: torch.ops.aten.avg_pool2d_backward(
    torch.ones(1, 1, 1), torch.ones(1, 4, 4), [2, 2], [], [0, 0], False, True, None))
for tensor in (torch.tensor(1.0), torch.ones(1), torch.ones(3), torch.ones(2, 1), torch.ones(3, 2).t(), torch.zeros(0)):
    for front in ((1,), (1, 1), (2, 1), (1, 2)):
        show("expanded", lambda: tensor.expand(front + tuple(tensor.shape)).stride())

# How results lie that LAPACK leaves by columns, and what is copied into a memory format.
matrix = torch.tensor([[3.0, 1.0, 2.0], [1.0, 4.0, 0.5], [2.0, 0.5, 5.0]])
for matrices in (matrix, torch.stack([matrix, matrix + 1])):
    for name in ("eig", "eigh", "svd", "qr", "lu_factor"):
        show(name, lambda: [part.stride() for part in getattr(torch.linalg, name)(matrices)])
    show("svd", lambda: [part.stride() for part in torch.svd(matrices)])
picture = torch.ones(2, 3, 4, 5)
for name in ("long", "double", "half", "bool", "cfloat", "cpu"):
    for form in (torch.channels_last, torch.contiguous_format, torch.preserve_format):
        show(name, lambda: getattr(picture, name)(memory_format=form).stride())
        if name != "cfloat":
            show(name, lambda: getattr(picture.mT, name)(memory_format=form).stride())
pairs = torch.complex(picture, picture + 1).mT
for form in (torch.channels_last, torch.contiguous_format, torch.preserve_format):
    show("pairs", lambda: pairs.clone(memory_format=form).stride())
    if form != torch.preserve_format:
        show("pairs", lambda: pairs.contiguous(memory_format=form).stride())

# Rows of no numbers.
for sizes in ((0, 3), (3, 0), (0, 2, 2), (2, 0, 2), (0, 0)):
    for dim in range(len(sizes)):
        for find in (torch.unique, torch.unique_consecutive):
            show("rows", lambda: [tuple(part.shape) for part in find(torch.zeros(sizes), return_inverse=True, return_counts=True, dim=dim)])

# Volumes read by cubic polynomials.
volume = torch.arange(27.0).reshape(1, 1, 3, 3, 3).sin().requires_grad_()
places = torch.tensor([[0.1, 0.2, 0.3], [-0.5, 0.9, 0.0], [1.2, 0.5, -1.3]]).reshape(1, 1, 1, 3, 3).requires_grad_()
for padding in ("zeros", "border", "reflection"):
    for corners in (True, False):
        def sample():
            return F.grid_sample(volume, places, "bicubic", padding, corners)
        show("volume", lambda: sample().detach().flatten())
        show("volume", lambda: [round(number, 4) for slope in torch.autograd.grad(sample().sum(), (volume, places))
                                for number in slope.flatten().tolist()])

# What 16 bits round up is not cut down, where every element has a divisor of its own.
for dtype, a, b in ((torch.bfloat16, [143.0, -143.0, 5.0], 7.96875), (torch.float16, [2047.0, -2047.0, 5.0], 113.75)):
    for mode in ("trunc", "floor", None):
        for divisor in (torch.tensor(b, dtype=dtype), torch.full((3,), b, dtype=dtype)):
            show("cut", lambda: torch.div(torch.tensor(a, dtype=dtype), divisor, rounding_mode=mode))
# Of a source of no elements the gradient has none, too, and zeros keep their sign.
for scatter in (lambda a, b: torch.slice_scatter(a, b, 0, 2, 2, 1), torch.compile(lambda a, b: torch.slice_scatter(a, b, 0, 2, 2, 1))):
    a, b = torch.tensor([1.0, -0.0, 0.0, 2.0], requires_grad=True), torch.ones(0, requires_grad=True)
    made = scatter(a, b)
    made.sum().backward()
    print(torch.signbit(made).tolist(), a.grad.tolist(), b.grad.tolist())

# The last NaN of a window is its largest element; other windows' infinities are nobody's.
nan, inf = float("nan"), float("inf")
line = torch.tensor([1.0, nan, 2.0, nan, inf, inf, -inf, 0.5]).reshape(1, 1, 8)
for n, pool in ((1, F.max_pool1d), (2, F.max_pool2d), (3, F.max_pool3d)):
    wide = line.reshape([1] * (n + 1) + [8]).requires_grad_()
    for taps in (2, 4):
        sizes = [1] * (n - 1) + [taps]
        show("several NaNs", lambda: pool(wide, sizes, return_indices=True)[1].flatten())
        show("several NaNs", lambda: torch.autograd.grad(pool(wide, sizes).sum(), wide)[0].flatten())
plane = torch.tensor([[1.0, nan, 2.0], [nan, inf, inf], [0.0, 3.0, nan]]).reshape(1, 1, 3, 3)
show("several NaNs", lambda: F.adaptive_max_pool2d(plane, 2, return_indices=True)[1])
show("several NaNs", lambda: F.adaptive_max_pool3d(plane[None], (1, 2, 2), return_indices=True)[1])
show("several NaNs", lambda: F.fractional_max_pool2d(
    plane, 2, output_size=2, _random_samples=torch.tensor([[[0.3, 0.6]]]), return_indices=True)[1])
beside = torch.tensor([inf, 1.0, 2.0, 3.0, nan, 5.0, 6.0]).reshape(1, 1, 1, 7)
show("means", lambda: F.adaptive_avg_pool1d(beside[0], 3))
show("means", lambda: F.adaptive_avg_pool2d(beside, (1, 3)))
show("slopes of means", lambda: torch.ops.aten._adaptive_avg_pool2d_backward(beside[..., :3], torch.ones(1, 1, 1, 5)))
show("means of integers", lambda: F.avg_pool1d(torch.tensor([[-7, 2, 8, 1]]), 2))
show("means of integers", lambda: F.avg_pool2d(torch.tensor([[[-7, 2], [8, 0]]]), 2))
show("wide windows", lambda: F.max_pool2d(beside, (1, 3), padding=(0, 1), dilation=2))
clamped = [torch.tensor(v).requires_grad_() for v in (1.0, nan, 0.0)]
show("slopes of bounds", lambda: [v.item() for v in torch.autograd.grad(torch.clamp(*clamped), clamped)])
turned = torch.ones(2, 3, 4).permute(2, 0, 1)
for three in ((turned, torch.ones(4, 2, 3), torch.ones(4, 2, 3)), (torch.ones(4, 2, 3), turned, turned)):
    show("between", lambda: torch.lerp(*three).stride())

# Losses that cannot be, and bags of torch.
logs = torch.log_softmax(torch.arange(12.0).reshape(4, 1, 3) % 5, -1).requires_grad_()
for forgives in (True, False):
    loss = F.ctc_loss(logs, torch.tensor([[1, 1, 1]]), (4,), (3,), reduction="none", zero_infinity=forgives)
    show("impossible", lambda: loss.detach())
    show("impossible", lambda: torch.autograd.grad(loss, logs)[0])
table = torch.arange(8.0).reshape(4, 2)
for way in (0, 1, 2):
    for part in range(4):
        show("bags", lambda: torch.embedding_bag(
            table, torch.tensor([0, 3, 1]), torch.tensor([0, 2]), False, way, False, None, False, -3)[part])
with torch.autocast("cpu", dtype=torch.bfloat16):
    show("lower", lambda: F.prelu(torch.tensor([-1.0, 2.0]), torch.tensor([0.2])))
for pool, image in ((F.max_pool1d_with_indices, (1, 4)), (F.max_pool2d_with_indices, (1, 4, 4)),
                    (F.max_pool3d_with_indices, (1, 4, 4, 4))):
    show("with indices", lambda: pool(torch.ones(image), 2, None, 0, 1, False, False)[1].flatten())
for pool, image in ((F.adaptive_max_pool1d_with_indices, (1, 4)), (F.adaptive_max_pool3d_with_indices, (1, 4, 4, 4))):
    show("with indices", lambda: pool(torch.ones(image), 2, return_indices=True)[1].flatten())
show("classes", lambda: F.linear_cross_entropy(table, table[:3], torch.tensor([0, 2, 1, 1]), options=None))
tall = torch.eye(4, 3, requires_grad=True)
for found in (torch.linalg.lstsq(tall, torch.ones(4, 2)), torch.linalg.qr(tall, "r")):
    show("follows", lambda: [part.requires_grad for part in found])
show("lu", lambda: torch.functional.lu(table[:2])[0])

# Nothing is written: the result is a copy all the same, of its own memory.
numbers, none, empty = torch.ones(2, 3), torch.zeros(0, 3, dtype=torch.int64), torch.tensor([], dtype=torch.int64)
writes = (lambda x: x.index_put((empty,), torch.ones(0, 3), accumulate=True), lambda x: x.index_add(0, empty, torch.ones(0, 3)),
          lambda x: x.scatter_add(0, none, torch.ones(0, 3)), lambda x: x.index_copy(0, empty, torch.ones(0, 3)),
          lambda x: x.put(empty, torch.ones(0), True))
for write in writes:
    for called in (write, torch.compile(write)):
        for source in (numbers, torch.ones(1, 3).expand(2, 3)):
            written = called(source)
            written[0, 0] = 41.0
            show("written beside", lambda: (source.tolist(), written.tolist(), written.stride()))
# Strides of what is elementwise in PyTorch.
turned = torch.arange(50).as_strided((10, 1, 5), (1, 10, 10))
for shift in (torch.bitwise_left_shift, torch.bitwise_right_shift):
    show("shifted", lambda: shift(turned, torch.arange(50).reshape(1, 10, 5)).stride())
for beta in (0, 1):
    show("with an outer product", lambda: torch.addr(torch.ones(4, 2).t(), torch.ones(2), torch.ones(4), beta=beta).stride())
