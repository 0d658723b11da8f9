# SPDX-License-Identifier: Apache-2.0
"""Two GPUs: tensors, the current device, generators, compiled functions, training steps, library calls, copies, streams
and events, devices that are mixed. two_gpus.txt is what PyTorch prints on a machine with two GPUs (worked out line by line;
numbers by PyTorch on a CPU), with "eager" for a backend."""
import torch
import torch.nn as nn
import torch.nn.functional as F

backend = "inductor"
first, second = torch.device("cuda:0"), torch.device("cuda:1")


def show(name, *found):
    print(name, *[(t.device, t.tolist()) if isinstance(t, torch.Tensor) else t for t in found])


def close(name, found, wanted, limit=1e-5):
    """Whether the largest relative error against the CPU in float64 is below that."""
    wanted = wanted.double()
    error = ((found.detach().cpu().double() - wanted).norm() / wanted.norm()).item()
    print(name, found.device, tuple(found.shape), error < limit or error)


# --- the current device ---
print(torch.cuda.is_available(), torch.cuda.device_count() >= 2, torch.cuda.current_device())
show("without a number", torch.ones(1, device="cuda"), torch.ones(1).cuda(), torch.ones(1).to("cuda"))
with torch.cuda.device(1):
    print(torch.cuda.current_device())
    show("in device(1)", torch.ones(1, device="cuda"), torch.ones(1).cuda(), torch.ones(1, device=first))
    with torch.cuda.device(0):
        print(torch.cuda.current_device())
    with torch.cuda.device(-1):
        print(torch.cuda.current_device())
print(torch.cuda.current_device())
torch.cuda.set_device(1)
show("after set_device", torch.ones(1, device="cuda"), torch.ones(1).cuda(0), torch.ones(1).cuda("cuda:0"))
torch.cuda.set_device(first)
with torch.cuda.device_of(torch.ones(1, device=second)):
    print(torch.cuda.current_device())
with torch.device("cuda:1"):
    show("in torch.device", torch.ones(1), torch.arange(2))
torch.set_default_device("cuda:1")
show("default", torch.ones(1), torch.zeros(1, device="cuda"))
torch.set_default_device("cpu")
print(torch.cuda.get_device_name(1) == torch.cuda.get_device_properties(second).name, torch.cuda.get_device_capability(1)
      == torch.cuda.get_device_capability(second))

# --- tensors, copies ---
x = torch.arange(6.0, device=first).view(2, 3)
y = x.to(second)
show("to", y, y.to(first) + x, y.cpu(), y.t().to(first), y[:, 1:].to("cuda:0"), x.to(y))
print(y.get_device(), y.device == second, x.device == y.device, y.is_cuda, y)
z = torch.zeros(2, 3, device=second)
z.copy_(x)
z[0] += 1
show("copy_", z, x, x.new_ones(1), torch.zeros_like(z), torch.full((1,), 3, device=second))
show("half", x.to(second, torch.float16), x.to(device=second, dtype=torch.int64))
show("numbers of the host", y * torch.tensor(2.0), y + 1)
before = torch.cuda.memory_allocated(1)
kept = torch.empty(1 << 20, device=second)
print(torch.cuda.memory_allocated(1) - before >> 12, torch.cuda.memory_allocated(0) < 1 << 20,
      torch.cuda.max_memory_allocated(1) >= 1 << 22)
del kept

# --- random numbers: every GPU has its own ---
torch.manual_seed(3)
a = torch.rand(3, device=first)
b = torch.rand(3, device=second)
print(a.tolist() == b.tolist(), torch.rand(3, device=first).tolist() == a.tolist())
state = torch.cuda.get_rng_state(1)
c = torch.rand(3, device=second)
torch.cuda.set_rng_state(state, 1)
print(torch.rand(3, device=second).tolist() == c.tolist(), tuple(state.shape), state.dtype)
torch.manual_seed(5)
host = torch.rand(2)
torch.manual_seed(5)
torch.cuda.manual_seed(11)
print(torch.rand(2).tolist() == host.tolist(), torch.cuda.initial_seed())
with torch.cuda.device(1):
    print(torch.cuda.initial_seed())
    torch.cuda.manual_seed(11)
print(torch.rand(3, device=first).tolist() == torch.rand(3, device=second).tolist())
torch.cuda.manual_seed_all(12)
print(torch.rand(3, device=first).tolist() == torch.rand(3, device=second).tolist())
own = torch.Generator(device="cuda:1")
own.manual_seed(3)
print(own.device, torch.rand(3, device=second, generator=own).tolist() == b.tolist())


# --- compiled functions ---
def pointwise(x):
    return (x.sin() * 2 + x).sum(1)


def made(x):
    return x + torch.arange(3.0, device=x.device)


def here(x):
    return x.cpu().to("cuda") * 2


def there(x):
    a = x * 2
    b = a.to("cuda:1" if x.device.index == 0 else "cuda:0") + 1
    return b.square()


def both(x, y):
    return (x * 2).sum(), (y * 3).sum()


for function in (pointwise, made, here, there):
    run = torch.compile(function, backend=backend)
    for _ in range(2):
        for t in (x, y):
            show(function.__name__, run(t))
    with torch.cuda.device(1):
        show(function.__name__, run(y))
show("both", *torch.compile(both, backend=backend)(x, y))

# --- library calls ---
torch.manual_seed(0)
p, q = torch.randn(48, 64), torch.randn(64, 32)
image, weight = torch.randn(2, 8, 12, 12), torch.randn(16, 8, 3, 3)
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False


def product(p, q):
    return torch.relu(p @ q)


def convolved(image, weight):
    return F.conv2d(image, weight, padding=1) + 1


def attended(p):
    h = p.view(1, 4, 12, 64)
    return F.scaled_dot_product_attention(h, h, h)


for device in (second, first, second):
    for compiled in (False, True):
        wrap = (lambda f: torch.compile(f, backend=backend)) if compiled else lambda f: f
        close("mm", wrap(product)(p.to(device), q.to(device)), product(p.double(), q.double()))
        close("conv", wrap(convolved)(image.to(device), weight.to(device)), convolved(image.double(), weight.double()))
        close("attention", wrap(attended)(p.to(device)), attended(p.double()))
        values, places = wrap(lambda t: t.sort(1))(p.to(device))
        print("sort", values.device, torch.equal(values.cpu(), p.sort(1).values), torch.equal(places.cpu(), p.sort(1).indices))
        close("cumsum", wrap(lambda t: t.cumsum(1))(p.to(device)), p.double().cumsum(1))
        close("index_add", wrap(lambda t: torch.zeros(4, 64, device=t.device).index_add(
            0, torch.arange(48, device=t.device) % 4, t))(p.to(device)),
            torch.zeros(4, 64, dtype=torch.float64).index_add(0, torch.arange(48) % 4, p.double()))
        close("solve", wrap(torch.linalg.solve)((p[:, :48] + 9 * torch.eye(48)).to(device), p.to(device)),
              torch.linalg.solve((p[:, :48] + 9 * torch.eye(48)).double(), p.double()), 1e-4)


# --- training ---
def trained(device, compiled):
    torch.manual_seed(7)
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                          nn.Linear(128, 5))
    data, labels = torch.randn(6, 3, 8, 8), torch.arange(6) % 5
    model = model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    step = torch.compile(model, backend=backend) if compiled else model
    losses = []
    for _ in range(4):
        optimizer.zero_grad()
        loss = F.cross_entropy(step(data.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, {str(t.device) for t in optimizer.state[next(model.parameters())].values()
                    if torch.is_tensor(t) and t.ndim}


wanted, _ = trained("cpu", False)
for device in ("cuda:1", "cuda:0"):
    for compiled in (False, True):
        losses, places = trained(device, compiled)
        print("trained", places, all(abs(a - b) < 1e-3 for a, b in zip(losses, wanted)))


class Halves(nn.Module):
    """A model whose halves lie on two GPUs."""

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 6).to(first)
        self.b = nn.Linear(6, 2).to(second)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x.to(first))).to(second))


torch.manual_seed(1)
halves = Halves()
inputs = torch.randn(5, 4)
gradients = []
for run in (halves, torch.compile(halves, backend=backend)):
    halves.zero_grad()
    found = run(inputs)
    found.square().sum().backward()
    gradients.append([p.grad.cpu() for p in halves.parameters()])
    print(found.device, [str(p.grad.device) for p in halves.parameters()])
print(all(torch.allclose(a, b, atol=1e-6) for a, b in zip(*gradients)))

# --- streams and events ---
stream = torch.cuda.Stream(device=1)
print(stream.device, torch.cuda.current_stream().device, torch.cuda.current_stream(1).device)
with torch.cuda.stream(stream):
    print(torch.cuda.current_device(), torch.cuda.current_stream().device)
    u = torch.ones(3, device="cuda") * 2
    event = stream.record_event()
torch.cuda.current_stream().wait_event(event)
event.synchronize()
show("stream", u, torch.cuda.current_device(), event.query(), stream.query())
with torch.cuda.device(1):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    (torch.ones(256, 256, device="cuda") @ torch.ones(256, 256, device="cuda")).sum()
    end.record()
torch.cuda.synchronize(1)
torch.cuda.synchronize()
print(begin.elapsed_time(end) > 0)

# --- mixed ---
for name, mixed in (("add", lambda: x + y), ("mm", lambda: x @ y.t()), ("cat", lambda: torch.cat([x, y])),
                    ("index", lambda: x[torch.tensor([0], device=second)]), ("linear", lambda: F.linear(x, y)),
                    ("compiled", lambda: torch.compile(lambda a, b: a + b, backend=backend)(x, y))):
    try:
        print(name, mixed().shape)
    except RuntimeError as e:
        print(name, "refused", "cuda:0" in str(e) and "cuda:1" in str(e) or name == "index")
for wrong in (lambda: torch.ones(1, device="cuda:99"), lambda: torch.cuda.set_device(99), lambda: x.to("cuda:99")):
    try:
        print(wrong())
    except RuntimeError as e:
        print("RuntimeError")
try:
    torch.cuda.synchronize("cpu")
except ValueError as e:
    print(e)
