# SPDX-License-Identifier: Apache-2.0
# einsum by places, unpooling, adaptive softmax, saved_tensors_hooks and more. Recorded: library_additions.txt.
import torch, torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
a,b=torch.randn(2,3),torch.randn(3,4)
print(torch.einsum(a,[0,1],b,[1,2],[0,2]).shape, torch.allclose(torch.einsum(a,[0,1],b,[1,2]), a@b), torch.einsum('ij,jk->ik',a,b).shape, torch.einsum('ij,jk',[a,b]).shape)
p=nn.MaxPool2d(2,return_indices=True); u=nn.MaxUnpool2d(2); x=torch.randn(1,1,4,4); o,i=p(x); print(u(o,i), u)
m=nn.AdaptiveLogSoftmaxWithLoss(8,20,[5,12],div_value=2.); x=torch.randn(6,8); t=torch.tensor([0,4,7,11,15,19]); r=m(x,t); print(r.output, r.loss, m.predict(x), m.log_prob(x).exp().sum(1))
r.loss.backward(); print(m.tail[1][1].weight.grad.abs().sum())
q=nn.Parameter(torch.ones(2)); s=nn.Parameter(torch.ones(1)); o=torch.optim.Adagrad([q],.1); o.add_param_group({"params":[s]}); (q.sum()+s.sum()).backward(); o.step(); print(q,s)
try:
    sp=torch.optim.SparseAdam([q]); sp.step()
except RuntimeError as e: print(e)
print(F.conv_tbc(torch.ones(5,2,3),torch.ones(2,3,4),torch.zeros(4),1).shape)
with torch.autograd.graph.saved_tensors_hooks(lambda t: (print('pack',tuple(t.shape)),t*2)[1], lambda t: (print('unpack'), t/2)[1]):
    w=torch.ones(3,requires_grad=True); v=torch.ones(3,requires_grad=True); y=(w.exp()*v).sum()
y.backward(); print(w.grad, v.grad)
with torch.autograd.graph.save_on_cpu(): y=(w*w*v).sum()
w.grad=None; y.backward(); print(w.grad)
try:
    with torch.autograd.graph.disable_saved_tensors_hooks('no'):
        with torch.autograd.graph.save_on_cpu(): pass
except RuntimeError as e: print(e)
class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx,x): ctx.save_for_backward(x); return x*x
    @staticmethod
    def backward(ctx,g): (x,)=ctx.saved_tensors; return 2*x*g
with torch.autograd.graph.saved_tensors_hooks(lambda t: (print('pack'),t)[1], lambda t: (print('unpack'), t)[1]):
    y=Fn.apply(w).sum()
w.grad=None; y.backward(); print(w.grad)
f=torch.func.functionalize(lambda x: x.add_(1)); print(f(torch.zeros(2)))
print(list(torch.utils.data.StackDataset([1,2],[3,4]))[0] if False else torch.utils.data.StackDataset([1,2],[3,4])[1], len(torch.utils.data.StackDataset(a=[1,2])))
print(str(torch.ops.aten.relu.default), torch.ops.aten.relu.default, torch.cos(torch.zeros(2)))
lin=nn.Linear(2,2)
def g(x):
    import copy
    d={'a':[1,2,x]}; e=copy.deepcopy(d); return e['a'][2]*2+len(e['a'])
print(torch.compile(g,backend='eager')(torch.ones(2)))
def h(x,i):
    return x[x[:,0]>0, i]
print(torch.compile(h,backend='eager')(torch.tensor([[1.,2.],[-1.,3.],[4.,5.]]),1))
class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y): ctx.save_for_backward(x, y); return x * y * y
    @staticmethod
    def backward(ctx, g): x, y = ctx.saved_tensors; return g * y * y, 2 * g * x * y
d = lambda: torch.tensor([0.5, -1.5], dtype=torch.double, requires_grad=True)
print(torch.autograd.gradcheck(Both.apply, (d(), d())))
import numpy as np
t = torch.arange(12.).view(4, 3)
print(t[np.array([2, 0])], t[:, np.array([True, False, True])], t[np.array([1, 2]), np.array([0, 1])], t[np.int64(1)])
t[np.array([0, 3])] = 0
print(t, torch.compile(lambda x: x[np.array([1, 2])] * 2, backend="eager")(t))
# a package's own name before its module of the same name
from torch.autograd import gradcheck
print(callable(gradcheck), gradcheck(torch.sin, (torch.ones(2, dtype=torch.double, requires_grad=True),)))
