"""Views, indices and windows whose positions are expressions of open sizes: compiled with dynamic=True as eagerly,
forward and gradient, at several sizes; prints each that differs, then a count."""
import torch
import torch.nn.functional as F

torch.manual_seed(0)
counts = {"agree": 0}


def result(function, x):
    try:
        out = function(x)
    except (RuntimeError, IndexError, ValueError) as error:
        return type(error).__name__, None
    out.sum().backward()
    return out.detach(), x.grad


def same(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str)
    return a.shape == b.shape and torch.allclose(a, b, 1e-4, 1e-5, equal_nan=True)


def compare(name, function, *shapes):
    compiled = torch.compile(function, dynamic=True)
    for shape in shapes:
        x = torch.randn(*shape, requires_grad=True)
        out, slope = result(function, x)
        mine, my_slope = result(compiled, x.detach().clone().requires_grad_())
        if same(out, mine) and (slope is None or same(slope, my_slope)):
            counts["agree"] += 1
        else:
            print(name, shape, "differs:", out, mine)


SIZES = ((4, 6), (3, 5), (2, 8), (7, 4))
compare("roll", lambda x: torch.roll(x, 3) * x, *SIZES)
compare("roll -", lambda x: torch.roll(x, -3) * 2, *SIZES)
compare("roll 100", lambda x: torch.roll(x, (100, -7), (0, 1)) * x, *SIZES)
compare("flip", lambda x: x.flip(0, 1) * x, *SIZES)
compare("flat tail", lambda x: x.reshape(-1)[-3:] * 2, *SIZES)
compare("flat head", lambda x: x.reshape(-1)[:-3].cos(), *SIZES)
compare("step", lambda x: x[::2, 1::2] * 3, *SIZES)
compare("step flat", lambda x: x.reshape(-1)[1::3].sin(), *SIZES)
compare("rot90", lambda x: torch.rot90(x).sin(), *SIZES)
compare("circular", lambda x: F.pad(x[None], (2, 1), mode="circular") * 2, *SIZES)
compare("reflect", lambda x: F.pad(x[None], (1, 2), mode="reflect").cos(), *SIZES)
compare("replicate", lambda x: F.pad(x[None], (1, 2), mode="replicate").cos(), *SIZES)
compare("pad neg", lambda x: F.pad(x, (-1, 2, -1, 1)).cos(), *SIZES)
compare("unfold", lambda x: x.unfold(1, 3, 2).sin(), *SIZES)
compare("repeat", lambda x: x.repeat(2, 3).cos(), *SIZES)
compare("tile", lambda x: x.tile(3).cos(), *SIZES)
compare("rinter", lambda x: x.repeat_interleave(3, 1).cos(), *SIZES)
compare("rinter0", lambda x: x.repeat_interleave(2).cos(), *SIZES)
compare("kron", lambda x: torch.kron(x, x).sin(), *SIZES)
compare("diag", lambda x: torch.diagonal(x, 1).sin(), *SIZES)
compare("tril", lambda x: torch.tril(x, x.shape[0] - 2), *SIZES)
compare("triu", lambda x: torch.triu(x, -1), *SIZES)
compare("chunk", lambda x: torch.cat(x.chunk(2, 1)[::-1], 1).sin(), (4, 6), (3, 8), (2, 4))
compare("tsplit", lambda x: torch.tensor_split(x, 3, 1)[1].sin(), *SIZES)
compare("stack", lambda x: torch.stack([x, x.flip(0)], 1).reshape(-1, x.shape[1]).cos(), *SIZES)
compare("T view", lambda x: x.t().reshape(x.shape[0], -1).sin(), *SIZES)
compare("view 2", lambda x: x.reshape(-1, 2).sum(1), (4, 6), (3, 4), (2, 8))
compare("view half", lambda x: x.reshape(x.shape[0], 2, -1).mean(1), (4, 6), (3, 4), (2, 8))
compare("cumsum", lambda x: x.reshape(-1).cumsum(0)[2:], *SIZES)
compare("diff", lambda x: x.diff(dim=1).sin(), *SIZES)
compare("gather", lambda x: x.gather(1, (torch.arange(x.shape[1]).expand(x.shape) * 3) % x.shape[1]), *SIZES)
compare("mod index", lambda x: x[:, (torch.arange(x.shape[1]) - 2) % x.shape[1]].cos(), *SIZES)
compare("pool", lambda x: F.max_pool1d(x[None], 3, 2, 1).sin(), *SIZES)
compare("apool", lambda x: F.adaptive_avg_pool1d(x[None], 3).sin(), *SIZES)
compare("interp", lambda x: F.interpolate(x[None], scale_factor=2).sin(), *SIZES)
compare("interp l", lambda x: F.interpolate(x[None], scale_factor=1.5, mode="linear").sin(), *SIZES)
compare("chan", lambda x: F.channel_shuffle(x.reshape(1, -1, 2, 1), 2).sin(), (4, 6), (2, 8), (6, 4))
compare("pshuf", lambda x: F.pixel_shuffle(x.reshape(1, 4, -1, 2), 2).sin(), (4, 6), (2, 8), (4, 4))
compare("punshuf", lambda x: F.pixel_unshuffle(x.reshape(1, 1, 2, -1), 2).sin(), (4, 6), (2, 8), (4, 4))
compare("fold", lambda x: F.unfold(x[None, None], 2).sin(), *SIZES)
compare("asym", lambda x: x[1:, :-1] * x[:-1, 1:], *SIZES)
compare("unflatten", lambda x: torch.unflatten((x * 2).reshape(x.shape[0], -1).t(), 1, [2, -1]), *SIZES)
compare("last", lambda x: x[-1] * x[0] + x[:, -1].sum(), *SIZES)
compare("movedim", lambda x: x[None].movedim(0, -1).flatten(0, 1).sin(), *SIZES)
compare("im", lambda x: torch.block_diag(x, x.t()).sin(), *SIZES)
compare("var", lambda x: x.var(correction=2) + x.reshape(-1).std(correction=0.5), *SIZES)
compare("conv", lambda x: F.conv1d(x[None, None, :, 1], torch.ones(1, 1, 2), padding=1), *SIZES)
print(counts)


def turned_weight(x, w, b):
    return F.conv1d(x, w, b, 1, 1), F.conv1d(x.transpose(1, 2), w, b)


x, w, b = torch.randn(7, 7, 7), torch.randn(2, 2, 7).transpose(-1, -2), torch.randn(2)
for dynamic in (False, True):
    print([out.stride() for out in torch.compile(turned_weight, dynamic=dynamic)(x, w, b)])
for dynamic in (False, True):
    for n in (2, 3, 5):
        x = torch.randn(n, 3, 8, 6).to(memory_format=torch.channels_last)
        w = torch.randn(4, 3, 3, 3)
        print(torch.compile(lambda x: F.max_pool2d(F.conv2d(x, w), 2), dynamic=dynamic)(x).stride())
