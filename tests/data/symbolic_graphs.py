# SPDX-License-Identifier: Apache-2.0
# torch.fx.symbolic_trace: targets, names and code of graphs, passes over them. Recorded: symbolic_graphs.txt.
import torch, operator
import torch.nn as nn, torch.nn.functional as F
from torch.fx import symbolic_trace, GraphModule, Tracer, Interpreter, replace_pattern
class M(nn.Module):
    def __init__(s):
        super().__init__()
        s.lin = nn.Linear(4,4); s.w = nn.Parameter(torch.ones(4)); s.register_buffer('b', torch.zeros(4))
        s.seq = nn.Sequential(nn.Linear(4,4), nn.ReLU())
    def forward(s, x, y=None):
        h = torch.relu(s.lin(x) + s.w)
        h = F.gelu(h) * 2 - s.b
        h = F.relu(h)
        a, b = torch.split(h, 2, dim=-1)
        h = torch.cat([a, b], 1).view(-1, 4)
        h = s.seq(h)
        h = F.softmax(h, dim=-1) @ h.t()
        h = h.sum(dim=0, keepdim=True) / h.shape[0]
        return {'o': -h.clamp(min=0), 'n': h.size(0)}
g = symbolic_trace(M())
print(g.code)
print(g.graph)
for n in g.graph.nodes:
    print(n.op, n.name, n.target if n.op!='call_function' else getattr(n.target,'__name__',n.target), n.args, n.kwargs)
ts=[n.target for n in g.graph.nodes if n.op=='call_function']
print([any(t is f for t in ts) for f in (torch.relu,F.gelu,F.relu,torch.split,torch.cat,F.softmax,operator.add,operator.mul,operator.matmul,operator.getitem,operator.sub,operator.truediv,operator.neg,getattr)])
torch.manual_seed(0); m=M(); g=symbolic_trace(m); x=torch.randn(3,4)
o1=m(x); o2=g(x); print(torch.allclose(o1['o'],o2['o']), o2['n'])
def f(x, y):
    return torch.sin(x) + torch.cos(y).relu() + x.add(y) + 1 + (2 - x) + torch.ones(3) * x + x[0:2].sum() + (x > 0).float() + abs(x)
g = symbolic_trace(f); print(g.code); print(g.graph)
for n in g.graph.nodes:
    if n.op=='call_function' and n.target is torch.sin: n.target = torch.cos
    if n.op=='call_method' and n.target=='relu': n.target='sigmoid'
g.recompile(); print(g.code)
def pattern(x, y): return torch.cos(x) + torch.cos(y)
def f2(a, b): return (torch.cos(a) + torch.cos(b)).relu()
def repl(x, y): return torch.mul(x, y)
g2 = symbolic_trace(f2); m = replace_pattern(g2, pattern, repl); print(len(m)); print(g2.code)
class P(torch.fx.Interpreter):
    def call_function(self, target, args, kwargs):
        print('call', target.__name__); return super().call_function(target,args,kwargs)
P(g2).run(torch.ones(2), torch.ones(2))
class T(torch.fx.Transformer):
    def call_function(self, target, args, kwargs):
        if target is torch.mul: return super().call_function(torch.add, args, kwargs)
        return super().call_function(target,args,kwargs)
print(T(g2).transform().code)
