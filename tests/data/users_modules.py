# SPDX-License-Identifier: Apache-2.0
# What people do with modules: state, copies, dtypes, containers, initialisation. Recorded: users_modules.txt.
import torch, torch.nn as nn, copy, io
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1)))
print(m); print([n for n, _ in m.named_modules()], [n for n, _ in m.named_buffers()])
print({k: tuple(v.shape) for k, v in m.state_dict().items()})
sd = {k: v.clone() for k, v in m.state_dict().items()}; sd["extra"] = torch.ones(1); del sd["0.bias"]
print(m.load_state_dict(sd, strict=False))
try: m.load_state_dict(sd)
except RuntimeError as e: print(str(e)[:160])
try: m.load_state_dict({**m.state_dict(), "0.weight": torch.ones(1, 1)})
except RuntimeError as e: print(str(e)[:200])
m2 = copy.deepcopy(m).double(); print(next(m2.parameters()).dtype, m2[1].num_batches_tracked.dtype, next(m.parameters()).dtype)
m.half(); print(m[0].weight.dtype); m.float(); m.to(torch.bfloat16); print(m[1].running_mean.dtype); m.float()
m.requires_grad_(False); print(any(p.requires_grad for p in m.parameters())); m[2].requires_grad_(True); print(sum(p.requires_grad for p in m.parameters()))
m.train(False); print(m.training, m[1].training); m.apply(lambda k: setattr(k, "tag", type(k).__name__)); print(m[2][1].tag)
class Par(nn.Module):
    def __init__(self):
        super().__init__(); self.w = nn.Parameter(torch.ones(2)); self.register_parameter("none", None); self.ps = nn.ParameterList([nn.Parameter(torch.zeros(1)) for _ in range(2)]); self.pd = nn.ParameterDict({"a": nn.Parameter(torch.ones(1))}); self.mods = nn.ModuleDict({"l": nn.Linear(1, 1)}); self.register_buffer("b", torch.ones(1), persistent=False)
    def forward(self, x): return x * self.w + self.ps[0] + self.pd["a"] + self.b
    def extra_repr(self): return "par"
p = Par(); print(p, sorted(p.state_dict())); print(torch.compile(p)(torch.ones(2)))
p.w = nn.Parameter(torch.full((2,), 3.)); print(torch.compile(p)(torch.ones(2)), len(list(p.parameters())))
del p.pd["a"]; p.pd["a"] = nn.Parameter(torch.zeros(1)); print(p(torch.ones(2)))
try: p.w = torch.ones(2)
except TypeError as e: print(str(e)[:120])
try: p.zzz
except AttributeError as e: print(e)
for init in (nn.init.xavier_uniform_, nn.init.kaiming_normal_, nn.init.orthogonal_): torch.manual_seed(1); w = torch.empty(3, 3); init(w); print(init.__name__, round(w.abs().sum().item(), 4))
print(nn.init.calculate_gain("leaky_relu", 0.2), [type(x).__name__ for x in m.children()])
s = nn.Sequential(); s.add_module("a", nn.Identity()); s.append(nn.Flatten()); s.insert(1, nn.Linear(2, 2)); print(s, len(s), s[1:]); s[0] = nn.ReLU(); print(s[0], s.get_submodule("1"))
l = nn.Linear(2, 2, bias=False, dtype=torch.float64); print(l, l.bias, l.weight.dtype, sum(x.numel() for x in l.parameters()))
cm = torch.compile(m); print(type(cm._orig_mod).__name__, list(cm.state_dict())[0], cm.training, isinstance(cm, nn.Module)); cm2 = copy.deepcopy(cm); print(torch.equal(cm2(torch.ones(2, 2)), cm(torch.ones(2, 2))))
m3 = nn.Linear(2, 2).to("meta"); print(m3.weight.device, m3.to_empty(device="cpu").weight.shape)
lz = nn.LazyLinear(3); lz(torch.ones(1, 4)); print(lz.weight.shape, lz)
class Keyed(torch.autograd.Function):
    @staticmethod
    def forward(x, w, b=None, s=2.0): return x @ w.t() * s if b is None else x @ w.t() * s + b
    @staticmethod
    def setup_context(ctx, inputs, output): ctx.save_for_backward(*inputs[:2]); ctx.s = inputs[3]; print(len(inputs))
    @staticmethod
    def backward(ctx, g): x, w = ctx.saved_tensors; return g @ w * ctx.s, g.t() @ x * ctx.s, None, None
x, w = torch.ones(2, 3, requires_grad=True), torch.ones(4, 3, requires_grad=True)
Keyed.apply(x, w).sum().backward(); print(x.grad); print(Keyed.apply(x, w, s=3.0)[0]); Keyed.apply(x, w=w, b=torch.ones(4)).sum().backward(); print(w.grad[0])
class Old(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, a, k=1): return x * a * k
    @staticmethod
    def backward(ctx, g): return (g,) + (None,) * Old.n
for Old.n in (0, 2):
    try: Old.apply(x, a=2, k=3).sum().backward(); print(x.grad)
    except RuntimeError as e: print(e)
import io
from torch.optim.lr_scheduler import *
class Warm:
    def __init__(self, n): self.n = n
    def __call__(self, step): return min(1.0, (step + 1) / self.n)
def sgd(): return torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
for make in (lambda o: LambdaLR(o, lambda s: 0.9 ** s), lambda o: LambdaLR(o, Warm(4)), lambda o: MultiplicativeLR(o, lambda s: 0.9), lambda o: MultiStepLR(o, [1, 3, 3]),
             lambda o: SequentialLR(o, [ConstantLR(o, 0.1, 2), ExponentialLR(o, 0.9)], [2]), lambda o: ChainedScheduler([ConstantLR(o, 0.1, 2), ExponentialLR(o, 0.9)]),
             lambda o: CyclicLR(o, 0.01, 0.1, 2, cycle_momentum=False, scale_fn=lambda c: 0.5)):
    o = sgd(); s = make(o); rates = []
    for _ in range(2): o.step(); s.step()
    kept = io.BytesIO(); torch.save(s.state_dict(), kept); kept.seek(0); o2 = sgd(); s2 = make(o2); o2.load_state_dict(o.state_dict())
    s2.load_state_dict(torch.load(kept, weights_only=False))
    for _ in range(3): o2.step(); s2.step(); rates.append(round(o2.param_groups[0]["lr"], 6))
    d = s.state_dict(); print(type(s).__name__, rates, d.get("lr_lambdas"), d.get("milestones"), d.get("_scale_fn_custom", 0))
