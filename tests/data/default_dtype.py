# SPDX-License-Identifier: Apache-2.0
# torch.set_default_dtype, as PyTorch prints what is made and computed under it: default_dtype.txt.
import torch
import torch.nn as nn
import torch.nn.functional as F
compiled = False


def show(name, function, *args):
    if compiled:
        torch._dynamo.reset()
        function = torch.compile(function)
    try:
        found = function(*args)
        print(name, found.dtype, [round(v, 6) if isinstance(v, float) else v for v in found.detach().flatten().tolist()])
    except Exception as error:
        print(name, type(error).__name__)


whole, truth, small = torch.tensor([1, 2, 7]), torch.tensor([True, False, True]), torch.tensor([1, 2, 3], dtype=torch.uint8)
single = torch.tensor([1., 2., 3.])
made = dict(
    zeros=lambda: torch.zeros(2),
    ones=lambda: torch.ones(1, 2),
    full=lambda: torch.full((2,), 0.1),
    full_int=lambda: torch.full((2,), 3),
    eye=lambda: torch.eye(2),
    arange=lambda: torch.arange(0, 1, 0.25),
    arange_int=lambda: torch.arange(3),
    linspace=lambda: torch.linspace(0, 1, 4),
    logspace=lambda: torch.logspace(0, 1, 3),
    tensor=lambda: torch.tensor([0.1, 0.2]),
    tensor_int=lambda: torch.tensor([1, 2]),
    tensor_none=lambda: torch.tensor([]),
    as_tensor=lambda: torch.as_tensor([0.1]),
    Tensor=lambda: torch.Tensor([1, 2]),
    scalar_tensor=lambda: torch.scalar_tensor(0.1),
    empty=lambda: torch.empty(2).fill_(0.5),
    rand=lambda: torch.rand(2) * 0,
    randn=lambda: torch.randn(2).abs() * 0,
    normal=lambda: torch.normal(0., 1., (2,)).abs() * 0,
    hann=lambda: torch.hann_window(4),
    new=lambda: whole.new_full((2,), 0.5),
    like=lambda: torch.zeros_like(whole),
)
computed = dict(
    divided=lambda: whole / 3,
    by_int=lambda: whole / whole.flip(0),
    plus_float=lambda: whole + 0.1,
    times_float=lambda: 0.1 * whole,
    minus_float=lambda: 0.1 - whole,
    truth_float=lambda: truth * 0.1,
    small_float=lambda: small * 0.1,
    power=lambda: whole ** 0.5,
    power_of=lambda: 0.5 ** whole,
    sin=lambda: whole.sin(),
    sqrt=lambda: torch.sqrt(small),
    exp=lambda: torch.exp(truth),
    sigmoid=lambda: whole.sigmoid(),
    log=lambda: torch.log(whole),
    atan2=lambda: torch.atan2(whole, whole),
    reciprocal=lambda: whole.reciprocal(),
    where=lambda: torch.where(truth, 0.1, 0.2),
    where_mixed=lambda: torch.where(truth, 0.1, whole),
    sums=lambda: whole.sum(),
    clamp=lambda: whole.clamp(min=1.5),
    lerp=lambda: torch.add(whole, whole, alpha=2),
    floor=lambda: whole // 2,
    single=lambda: single * 0.1,
    single_sin=lambda: single.sin(),
    single_plus=lambda: single + whole,
    single_tensor=lambda: single * torch.tensor(0.1),
    one_hot=lambda: F.one_hot(whole, 8)[0],
    interpolate=lambda: F.interpolate(torch.ones(1, 1, 2), scale_factor=2),
    softmax=lambda: torch.ones(3).softmax(0),
    mean=lambda: (whole / 1).mean(),
    numbers=lambda: torch.tensor(3) * 0.1,
    outer=lambda: torch.outer(torch.arange(2.), torch.ones(2)),
    logical=lambda: torch.ones(2) > 0.5,
    cumsum=lambda: torch.arange(3.).cumsum(0),
    bernoulli=lambda: torch.ones(2).bernoulli(),
)


def module(x):
    return x.sum() + 0 * sum(p.sum() for p in layers.parameters())


for default in (torch.float64, torch.float32):
    torch.set_default_dtype(default)
    print("default", torch.get_default_dtype())
    for name, function in made.items():
        show(name, function)
    for name, function in computed.items():
        show(name, function)
    layers = nn.ModuleList([nn.Linear(2, 2), nn.LSTM(2, 2), nn.BatchNorm1d(2), nn.Embedding(2, 2), nn.Conv2d(1, 1, 2), nn.LayerNorm(2),
                            nn.MultiheadAttention(2, 1), nn.Transformer(2, 1, 1, 1, 2)])
    print("modules", sorted({str(p.dtype) for p in layers.parameters()}), sorted({str(b.dtype) for b in layers.buffers()}))
    show("module", module, torch.ones(2))
    parameter = nn.Parameter(torch.ones(2))
    optimizer = torch.optim.Adam([parameter], lr=0.1)
    (parameter * 0.3).sum().backward()
    optimizer.step()
    print("optimizer", optimizer.state[parameter]["step"].dtype, parameter.dtype, parameter.tolist())
    print(torch.ones(2), torch.ones(2, dtype=torch.float32), torch.ones(2, dtype=torch.float64), torch.finfo().dtype)
if not compiled:
    for default in (torch.float16, torch.bfloat16):
        torch.set_default_dtype(default)
        print("eager half", torch.zeros(2).dtype, torch.tensor(0.5).dtype, (whole / 2).dtype, (whole + 0.5).dtype, whole.sin().dtype)
    torch.set_default_dtype(torch.float64)
    print("eager complex", torch.tensor(1j).dtype, torch.complex(torch.ones(1), torch.ones(1)).dtype, (torch.ones(1) * 1j).dtype)
    torch.set_default_tensor_type(torch.FloatTensor)
    print("eager type", torch.get_default_dtype())
    torch.set_default_tensor_type("torch.DoubleTensor")
    print("eager type", torch.get_default_dtype(), torch.FloatTensor([1]).dtype)
    for wrong in (torch.int64, torch.bool, 5):
        try:
            torch.set_default_dtype(wrong)
        except TypeError as error:
            print("eager", error)
torch.set_default_dtype(torch.float32)


def third(x):
    return x * torch.full((), 1 / 3) + torch.tensor(1) / 3


# One function, compiled under two defaults: the code of one is not the other's.
switching = torch.compile(third) if compiled else third
for default in (torch.float32, torch.float64, torch.float32, torch.float64):
    torch.set_default_dtype(default)
    found = switching(whole)
    print("switching", found.dtype, [f"{v:.12f}" for v in found.tolist()])
