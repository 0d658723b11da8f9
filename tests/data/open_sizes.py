# SPDX-License-Identifier: Apache-2.0
# torch.export with dynamic_shapes. Recorded: open_sizes.txt, where symbols have no numbers.
import re
import torch
from torch.export import export, Dim
def show(ep):
    lines = [line.rstrip() for line in str(ep).split("\n") if "# File" not in line and "# No stack" not in line and line.strip()]
    print(re.sub(r"\bs\d+", "s", "\n".join(lines)))
class M(torch.nn.Module):
    def __init__(s):
        super().__init__(); s.l=torch.nn.Linear(3,4)
    def forward(s,x,y):
        return s.l(x).relu().sum(1)+ y.mean()
x=torch.randn(5,3); y=torch.randn(7)
b=Dim('batch',min=2,max=64)
ep=export(M(),(x,y),dynamic_shapes={'x':{0:b},'y':{0:Dim('n')}})
show(ep)
show(ep.range_constraints)
print(ep.module()(torch.randn(8,3),torch.randn(3)).shape)
try: ep.module()(torch.randn(80,3),torch.randn(3))
except Exception as e: print(type(e).__name__, e)
try: ep.module()(torch.randn(8,4),torch.randn(3))
except Exception as e: print(type(e).__name__, e)
ep=export(M(),(x,y),dynamic_shapes=({0:Dim.DYNAMIC},{0:Dim.AUTO})); show(ep.range_constraints)
ep=export(M(),(x,y),dynamic_shapes={'x':(b,None),'y':None}); show(ep)
class S(torch.nn.Module):
    def forward(s,x,y): return x+y
bb=Dim('b')
show(export(S(),(torch.randn(4,3),torch.randn(4,3)),dynamic_shapes={'x':{0:bb},'y':{0:bb}}))
try: export(S(),(torch.randn(4,3),torch.randn(4,3)),dynamic_shapes={'x':{0:Dim('q')},'y':None})
except Exception as e: print(type(e).__name__, str(e)[:19])
try: export(S(),(torch.randn(4,3),torch.randn(4,3)),dynamic_shapes={'z':None})
except Exception as e: print(type(e).__name__, str(e)[:19])
class V(torch.nn.Module):
    def forward(s,x): return x.reshape(-1, 2).sum(1) * x.shape[0]
v = export(V(),(torch.randn(4,6),),dynamic_shapes={'x':{0:bb}})
for n in (4, 9):
    x = torch.arange(n * 6.).reshape(n, 6)
    print(torch.equal(v.module()(x), V()(x)))
class U(torch.nn.Module):
    def forward(s, x, y): return torch.cat([x, y]).flatten(1).softmax(0)[1:], x.new_zeros(x.shape[0])
u = export(U(), (torch.randn(4, 2, 3), torch.randn(5, 2, 3)), dynamic_shapes={'x': {0: Dim('p')}, 'y': {0: Dim('q')}})
print([tuple(t.shape) for t in u.module()(torch.randn(6, 2, 3), torch.randn(3, 2, 3))])
print(bb, Dim('w',min=3,max=9))

linear = torch.export.export(torch.nn.Linear(3, 2), (torch.ones(4, 3),), dynamic_shapes=({0: torch.export.Dim("b")},))
print(linear.graph_signature.user_inputs, [tuple(linear.module()(torch.ones(n, 3)).shape) for n in (0, 1, 4)])


# Which sizes and ints are one symbol, and what another number of dimensions opens.
def told_inputs(gm, ex):
    print([str(e) if not isinstance(e, torch.Tensor) else [str(s) for s in e.shape] for e in ex])
    return gm.forward
def go(name, f, calls, **kw):
    torch._dynamo.reset()
    print("##", name)
    c = torch.compile(f, backend=told_inputs, **kw)
    for a in calls: c(*a)
o = torch.ones
go("two", lambda x, y: x.sum() + y.sum(), [(o(3), o(3)), (o(4), o(4)), (o(5), o(6))])
go("int", lambda x, k: x.sum() * k, [(o(3), 3), (o(4), 4), (o(5), 6)])
go("int2", lambda k, x: x.sum() * k, [(3, o(3)), (4, o(4)), (6, o(5))])
go("ints", lambda x, k, j: x * k * j, [(o(3), 3, 3), (o(3), 4, 4), (o(3), 5, 6)])
go("dyn", lambda x, k: x.sum() * k, [(o(3), 3), (o(5), 6)], dynamic=True)
go("dyn2", lambda x, y: x.sum() + y.sum(), [(o(3), o(3)), (o(5), o(6))], dynamic=True)
go("rank", lambda x: x.sum(), [(o(3, 2),), (o(4),), (o(5),), (o(2, 3),), (o(3, 4),)])
go("rank2", lambda x, y: x.sum() + y.sum(), [(o(3, 2), o(4)), (o(4), o(4)), (o(5), o(4)), (o(5), o(5))])

# Floats that follow from sizes: one graph for all of them.
import math
import torch._dynamo.utils as dynamo_utils
for name, f in {
        "div": lambda x: x * (1.0 / x.shape[0]), "sqrt": lambda x: x / math.sqrt(x.shape[0]), "pow": lambda x: x * x.shape[0] ** -0.5,
        "truediv": lambda x: x * (x.shape[0] / 2) - 1.5 / x.shape[0], "float": lambda x: x * float(x.shape[0]),
        "sum": lambda x: (x + (0.5 * x.shape[0] + 0.1)).half(), "ints": lambda x: x.long() * (x.shape[0] / 4), "compared": lambda x: x > x.shape[0] / 2}.items():
    torch._dynamo.reset(); dynamo_utils.counters.clear()
    c = torch.compile(f, backend="aot_eager")
    same = all(torch.allclose(c(torch.arange(n) * 1.0), f(torch.arange(n) * 1.0), atol=1e-5) for n in (4, 5, 6, 7, 8))
    print(name, same, dynamo_utils.counters["stats"]["unique_graphs"])
