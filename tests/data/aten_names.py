# SPDX-License-Identifier: Apache-2.0
# Core ATen's names that are no single operation here, overloads that write, and windows on a tensor's storage. What
# PyTorch printed: aten_names.txt.
import torch
import torch.nn.functional as F

aten = torch.ops.aten


def say(what, *found):
    for t in found:
        if isinstance(t, torch.Tensor):
            print(what, t.dtype, list(t.shape), *[f"{v:.4g}" for v in t.detach().double().reshape(-1).tolist()][:24])
        else:
            print(what, t)


x = torch.arange(96.0).reshape(2, 3, 4, 4).sin()
v = torch.arange(192.0).reshape(2, 3, 2, 4, 4).cos()
w = torch.arange(20.0).reshape(5, 4)
ramp = lambda *sizes: torch.linspace(-1, 1, torch.Size(sizes).numel()).reshape(sizes)
say("pool", aten._adaptive_avg_pool2d(x, [2, 2]), aten._adaptive_avg_pool3d(v, [1, 2, 2]))
say("pool backward", aten._adaptive_avg_pool2d_backward(ramp(2, 3, 2, 2), x),
    aten.avg_pool3d_backward(ramp(2, 3, 1, 2, 2), v, [2, 2, 2], [2, 2, 2], [0, 0, 0], False, True, None),
    aten.avg_pool2d_backward(ramp(2, 3, 2, 2), x, [2, 2], [2, 2], [0, 0], False, True, None))
say("distances", aten._cdist_forward(w, w + 1, 2.0, None), aten._pdist_forward(w, 2.0))
for norm in range(3):
    spectrum = aten._fft_r2c(w, [1], norm, True)
    say("fft", torch.view_as_real(spectrum), aten._fft_c2r(spectrum, [1], norm, 4),
        torch.view_as_real(aten._fft_c2c(spectrum, [0, 1], norm, True)),
        torch.view_as_real(aten._fft_c2c(spectrum, [1], norm, False)))
for t in (x[0], x[0].permute(2, 0, 1)):
    for dim in range(3):
        print("fft lies", *[getattr(torch.fft, f)(t, dim=dim).stride() for f in ("fft", "ifft", "rfft", "ihfft",
                                                                                 "irfft")])
    print("fft lies", *[getattr(torch.fft, f)(t).stride() for f in ("fft2", "rfft2", "ifftn", "rfftn", "irfft2")])
wide = torch.arange(210.0).reshape(5, 6, 7)
for t in (wide.permute(2, 0, 1), wide.transpose(0, 2), wide[:, :1].expand(5, 6, 7), wide[..., ::2], wide[:0]):
    last = t.shape[-1]
    print("fft lies", *[getattr(torch.fft, f)(t, n=10, dim=1).stride() for f in ("fft", "ifft", "rfft", "ihfft", "irfft",
                                                                                 "hfft")])
    for f in ("fft2", "ifft2", "rfft2", "ihfft2", "irfft2", "hfft2"):
        print("fft lies", f, getattr(torch.fft, f)(t, s=(3, 10)).stride(), getattr(torch.fft, f)(t, dim=(1, -1)).stride(),
              getattr(torch.fft, f)(t, s=(3, last), dim=(1, 2), norm="ortho").stride())
    print("complex numbers lie", t.to(torch.complex64).stride(), (t * 2j).stride(), torch.complex(t, t).stride(),
          torch.complex(t[:1], t).stride(), torch.polar(t, t).stride())
    back = t.detach().requires_grad_()
    given = back.to(torch.complex64)
    print("gradients lie", *[torch.autograd.grad(f(back), back, torch.ones(f(back).shape))[0].stride() for f in (
        lambda x: F.pad(x, (1, 1)), lambda x: F.pad(x, (0, 1, 2, 0)), lambda x: torch.normal(x, 1.0))],
          torch.autograd.grad(given, back, torch.ones_like(given))[0].stride())
    print("copies lie", F.pad(t, (-1, 0)).stride(), F.pad(t, (-1, 1)).stride(), torch.normal(back, 1.0).stride(),
          aten._unsafe_masked_index(t, t > 0, [None, None, torch.arange(last)], 0.0).stride())
print("empty ones lie", torch.empty_permuted((1, 0, 5, 1), (2, 0, 3, 1)).stride(), torch.diag(torch.ones(3, 5), 4).stride(),
      torch.unique_consecutive(torch.zeros(5, 1, 5).transpose(0, 1), dim=1).stride(),
      *[t.stride() for t in torch.unravel_index(torch.tensor([1, 2, 3]), (2, 4))])
mean, var = torch.zeros(3), torch.ones(3)
say("batch norm", *aten._native_batch_norm_legit(x, None, None, mean, var, True, 0.1, 1e-5), mean, var)
say("batch norm without", *aten._native_batch_norm_legit.no_stats(x, ramp(3) + 2, None, True, 0.1, 1e-5))
say("batch norm fixed", *aten._native_batch_norm_legit_no_training(x, ramp(3) + 2, ramp(3), mean, var, 0.1, 1e-5))
say("batch norm updating", *aten._batch_norm_with_update(x, ramp(3) + 2, ramp(3), mean, var, 0.1, 1e-5)[:3], mean, var)
g = torch.arange(96.0).reshape(2, 6, 2, 4).sin()
norms = aten.native_group_norm(g, ramp(6), None, 2, 6, 8, 3, 1e-5)
say("group norm backward", *aten.native_group_norm_backward(ramp(2, 6, 2, 4), g, norms[1], norms[2], ramp(6), 2, 6, 8, 3,
                                                            [True, True, True]))
for dtype in (torch.float16, torch.bfloat16):
    for weight in (None, torch.ones(6, dtype=dtype), ramp(6)):
        say("group norm of 16 bits", *torch.native_group_norm(g.to(dtype), weight, weight, 2, 6, 8, 3, 1e-5))
torch.manual_seed(3)
say("dropout", *aten.native_dropout(w, 0.5, False))
say("dropout", *aten.native_dropout(w, 0.5, True), *torch.native_dropout(w, 0.25, True))
bags = torch.tensor([0, 1, 2, 4, 4]), torch.tensor([0, 2, 2])
for mode in range(3):
    say("bags", *aten._embedding_bag(w, *bags, False, mode))
    say("bags, padded", *aten._embedding_bag(w, *bags, False, mode, False, None, False, 4))
say("number", aten._local_scalar_dense(torch.tensor(3.5)), aten.sym_size.int(w, 1), aten.sym_numel(w),
    aten.sym_stride.int(w, 0), aten.sym_storage_offset(w[1:]), w[1:].storage_offset(), aten.sym_size.default(w))
say("copies", aten.copy(w, torch.ones(4)), aten.masked_scatter(w, w > 15, -w), aten.nonzero(w > 16),
    aten.nonzero.default(w > 17),
    aten.copy.default(w.int(), ramp(5, 4) * 9))
torch.manual_seed(4)
say("order", aten.randperm(6), aten.randperm.default(3))
say("sizes", aten.empty.memory_format([2, 3]).shape, aten.empty_strided([2, 3], [1, 2]).stride(),
    aten.resize_(torch.zeros(6), [2]).shape)
say("resized", aten.upsample_bilinear2d.vec(x[:1, :1], [6, 6], False, None), aten.upsample_nearest2d.vec(
    x[:1, :1], None, [2.0, 1.5]))
out = torch.zeros(5, 4)
say("into", aten.atan2.out(w, w + 1, out=out), out, aten.div.Scalar_mode(w, 3, rounding_mode="floor"))

leaf = torch.ones(3, requires_grad=True)
for function in (torch.atan2, aten.add.out):
    try:
        function(leaf, leaf, out=torch.empty(3))
    except RuntimeError as e:
        print(e)
for function in (lambda t: aten.masked_scatter(t, t > 3, -t),
                 lambda t: aten._adaptive_avg_pool2d(t.reshape(1, 5, 4), [2, 3]),
                 lambda t: aten.upsample_nearest2d.vec(t.reshape(1, 1, 5, 4), None, [0.5, 2.0]),
                 lambda t: aten.div.Scalar_mode(t, 3, rounding_mode="trunc") * t):
    leaf = w.clone().requires_grad_()
    found = torch.compile(function, fullgraph=True)(leaf)
    (found * found).sum().backward()
    say("compiled", found, leaf.grad)

# The storage, wherever the tensor begins and however it lies.
say("strided", w[1:].as_strided((2, 2), (2, 1), 0), w[1:].as_strided((2, 2), (2, 1)), w.t().as_strided((2, 3), (2, 1)),
    w[1:].t().as_strided((2, 3), (2, 1)), w[1:].t().as_strided((2, 3), (2, 1), 1), w[:, ::2].as_strided((3,), (1,)),
    w[:2].expand(3, 2, 4).as_strided((20,), (1,)))
seen = torch.compile(lambda t: (t[1:].as_strided((2, 2), (2, 1), 0), (t * 2).as_strided((2,), (3,), 2)))
say("strided, compiled", *seen(w), *seen(w[2:]),
    torch.compile(lambda t: t.t().as_strided((2, 3), (1, 2)) + 1)(w))
base = torch.arange(12.0).reshape(3, 4)
base.t()[1:].as_strided((2, 2), (4, 1), 0).fill_(-1)
say("written", base)
for how in (lambda t: t, lambda t: t.t(), lambda t: t[1:].t(), lambda t: t.t()[1:]):
    leaf = torch.arange(12.0).reshape(3, 4).requires_grad_()
    moved = how(leaf)
    try:
        (moved.clone().t().clone(memory_format=torch.preserve_format).as_strided((2, 3), (3, 2)) ** 2).sum().backward()
        say("through", leaf.grad)
    except RuntimeError as e:
        print("RuntimeError")
for bad in (lambda: w.as_strided((5, 5), (5, 1)), lambda: w[1:].as_strided((20,), (1,)), lambda: aten.copy.nothing,
            lambda: aten.nothing):
    try:
        bad()
    except (RuntimeError, AttributeError) as e:
        print(type(e).__name__)

for t in (w * 1.7, torch.tensor(3.5), torch.arange(5), torch.tensor([True, False, True]), w.half(), torch.zeros(3, 0)):
    for how in ({}, {"dim": 0}, {"dim": -1, "keepdim": True}):
        try:
            found = torch.hash_tensor(t, **how)
            print("hash", found.dtype, list(found.shape), found.tolist())
        except (RuntimeError, IndexError) as e:
            print(type(e).__name__)

# Pools at places that samples say.
samples = torch.full((2, 3, 2), 0.4)
for pool in (torch.nn.FractionalMaxPool2d(2, output_size=3, _random_samples=samples),
             torch.nn.FractionalMaxPool2d((2, 1), output_ratio=(0.5, 0.75), return_indices=True,
                                          _random_samples=samples)):
    found = pool(x)
    say("fractional", *(found if isinstance(found, tuple) else (found,)))
say("fractional", torch.nn.FractionalMaxPool3d((1, 2, 2), output_size=(1, 2, 2), _random_samples=torch.full((2, 3, 3), 0.4))(v))

# Names that training graphs of common models have besides.
say("moved back", aten.upsample_nearest2d_backward(ramp(1, 1, 4, 6), [4, 6], [1, 1, 2, 3]),
    aten.upsample_bilinear2d_backward(ramp(1, 1, 4, 4), [4, 4], [1, 1, 2, 3], False),
    aten.reflection_pad2d_backward(ramp(1, 1, 4, 4), x[:1, :1, :2, :2], [1, 1, 1, 1]),
    aten.replication_pad2d_backward(ramp(1, 1, 4, 4), x[:1, :1, :2, :2], [1, 1, 1, 1]),
    aten.select_backward(ramp(3), [2, 3], 0, 1))
for backward in (lambda g, t: aten.elu_backward(g, 0.5, 1, 2, False, t), lambda g, t: aten.elu_backward(g, 0.5, 1, 1, True, t),
                 lambda g, t: aten.hardtanh_backward(g, t, -0.5, 0.5), lambda g, t: aten.leaky_relu_backward(g, t, 0.1, False),
                 aten.hardsigmoid_backward, aten.hardswish_backward, aten.mish_backward,
                 lambda g, t: aten.softplus_backward(g, t, 2, 1), lambda g, t: aten.softshrink_backward(g, t, 0.3),
                 lambda g, t: aten.hardshrink_backward(g, t, 0.3), lambda g, t: aten.logit_backward(g, t, 0.1),
                 lambda g, t: aten.smooth_l1_loss_backward(g, t, t * 2, 1, 0.5), lambda g, t: aten.huber_loss_backward(g, t, t * 2, 0, 0.3)):
    say("slopes", backward(ramp(8).cos(), ramp(8) * 4), torch.compile(backward)(ramp(8).cos(), ramp(8) * 4))
torch.manual_seed(6)
say("channels", aten.feature_dropout(torch.ones(2, 3, 2), 0.5, True), aten.feature_dropout(torch.ones(2, 3, 2), 0.5, False))
say("fresh", aten.lift_fresh_copy(ramp(3)), aten.new_empty_strided(ramp(3), [2, 3], [1, 2]).stride(),
    aten._assert_tensor_metadata(ramp(3), [3], [1], torch.float32))
print("scattered", torch.as_strided_scatter(torch.tensor([-8.0]).expand(16), ramp(2, 1, 1, 2), (2, 1, 1, 2), (1, 2, 4, 8)).tolist())
