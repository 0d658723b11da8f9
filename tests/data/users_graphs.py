# SPDX-License-Identifier: Apache-2.0
# Surgery on graphs of modules. Recorded: users_graphs.txt.
import torch, torch.nn as nn, torch.fx as fx, operator
torch.manual_seed(0)
class M(nn.Module):
    def __init__(self): super().__init__(); self.conv = nn.Conv2d(3, 4, 3); self.bn = nn.BatchNorm2d(4); self.fc = nn.Linear(4, 2)
    def forward(self, x, scale: float = 1.0):
        x = torch.relu(self.bn(self.conv(x))); x = x.mean((2, 3)); y = self.fc(x)
        return y * scale + torch.add(x[:, :2], y)
m = M().eval(); gm = fx.symbolic_trace(m); print(gm.code); gm.graph.print_tabular() if False else None
print([(n.op, str(n.target) if isinstance(n.target, str) else n.target.__name__) for n in gm.graph.nodes])
x = torch.randn(1, 3, 6, 6); print(torch.allclose(gm(x), m(x)))
for n in list(gm.graph.nodes):
    if n.op == "call_function" and n.target is torch.relu:
        with gm.graph.inserting_after(n):
            new = gm.graph.call_function(torch.nn.functional.gelu, (n.args[0],)); n.replace_all_uses_with(new)
        gm.graph.erase_node(n)
gm.graph.lint(); gm.recompile(); print("gelu" in gm.code, gm(x).shape)
class Rec(fx.Interpreter):
    def __init__(self, g): super().__init__(g); self.log = []
    def call_module(self, t, a, k): self.log.append(t); return super().call_module(t, a, k)
    def run_node(self, n): r = super().run_node(n); n.meta["shape"] = getattr(r, "shape", None); return r
r = Rec(gm); r.run(x); print(r.log, [tuple(n.meta["shape"]) for n in gm.graph.nodes if n.meta.get("shape") is not None][-2:])
class T(fx.Transformer):
    def call_function(self, t, a, k):
        if t is operator.mul: return super().call_function(operator.add, a, k)
        return super().call_function(t, a, k)
print(T(gm).transform().code.count("+"))
def pat(a, b): return torch.add(a, b)
def rep(a, b): return torch.sub(a, b)
print(len(fx.replace_pattern(gm, pat, rep)), "sub" in gm.code)
fused = fx.symbolic_trace(nn.Sequential(nn.Conv2d(1, 1, 1), nn.BatchNorm2d(1)).eval())
from torch.nn.utils.fusion import fuse_conv_bn_eval
mods = dict(fused.named_modules())
for n in list(fused.graph.nodes):
    if n.op == "call_module" and isinstance(mods[n.target], nn.BatchNorm2d):
        setattr(fused, n.args[0].target, fuse_conv_bn_eval(mods[n.args[0].target], mods[n.target])); n.replace_all_uses_with(n.args[0]); fused.graph.erase_node(n)
fused.recompile(); print([n.target for n in fused.graph.nodes])
def be(g, ins):
    for n in g.graph.nodes:
        if n.op == "call_function" and n.target in (operator.mul, torch.mul): n.target = operator.add
    g.recompile(); return g
print(torch.compile(lambda a, b: a * b + 1, backend=be)(torch.ones(2), torch.full((2,), 5.)))
g2 = fx.Graph(); a = g2.placeholder("a"); b = g2.call_function(torch.sin, (a,)); c = g2.call_method("view", (b, -1)); g2.output((c, b)); print(fx.GraphModule({}, g2)(torch.zeros(2, 2))); print(g2)
class Leaf(fx.Tracer):
    def is_leaf_module(self, m, q): return isinstance(m, nn.Sequential) or super().is_leaf_module(m, q)
print([n.target for n in Leaf().trace(nn.ModuleList([nn.Sequential(nn.ReLU())])[0]).nodes][:2])
@fx.wrap
def helper(x, n): return x * n
print("ok", [str(n) for n in fx.symbolic_trace(lambda x: x.sum().view(1) + len(x.shape) if False else x.sum()).graph.nodes])
