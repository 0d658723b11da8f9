# SPDX-License-Identifier: Apache-2.0
# What functions of the tape lead on to: names, order, leaves. Recorded: grad_edges.txt.
import torch
import torch.nn.functional as F
def walk(fn, depth=0, seen=None):
    if depth > 6: return
    for f, i in fn.next_functions:
        if f is None:
            print("  " * depth + "None", i); continue
        extra = ""
        if f.name().endswith("AccumulateGrad"): extra = tuple(f.variable.shape)
        print("  " * depth + type(f).__name__, f.name(), i, extra)
        walk(f, depth + 1)
torch.manual_seed(0)
def L(*s): return torch.ones(*s, requires_grad=True)
a, b, w, v = L(2, 3), L(2, 3), L(3, 4), L(4)
c = torch.ones(2, 3)
cases = {
    "add": lambda: a + b,
    "add const": lambda: a + c,
    "scalar": lambda: 2 * a + 1,
    "mul": lambda: a * b * c,
    "matmul": lambda: a @ w,
    "relu sum": lambda: F.relu(a).sum(),
    "mean": lambda: a.mean(0),
    "index": lambda: a[0],
    "index2": lambda: a[:, 1:],
    "index3": lambda: a[torch.tensor([0, 1])],
    "cat": lambda: torch.cat([a, b, c]),
    "split": lambda: a.split(1)[1],
    "chunk": lambda: a.chunk(3, 1)[2] * 2,
    "view": lambda: a.view(-1),
    "transpose": lambda: a.transpose(0, 1).contiguous(),
    "permute": lambda: a.permute(1, 0),
    "softmax": lambda: a.softmax(1),
    "log_softmax": lambda: F.log_softmax(a, 1),
    "mse": lambda: F.mse_loss(a, b),
    "bce": lambda: F.binary_cross_entropy(torch.sigmoid(a), c),
    "ln": lambda: F.layer_norm(a, (3,), L(3), L(3)),
    "bn": lambda: F.batch_norm(a, None, None, L(3), L(3), True),
    "conv": lambda: F.conv2d(L(1, 1, 4, 4), L(2, 1, 3, 3), L(2)),
    "pool": lambda: F.max_pool2d(L(1, 1, 4, 4), 2),
    "avg": lambda: F.avg_pool2d(L(1, 1, 4, 4), 2),
    "emb": lambda: F.embedding(torch.tensor([1, 0]), a),
    "dropout": lambda: F.dropout(a, 0.5),
    "where": lambda: torch.where(c > 0, a, b),
    "max": lambda: a.max(1)[0],
    "max all": lambda: a.max(),
    "maximum": lambda: torch.maximum(a, b),
    "pow": lambda: a ** 2,
    "pow t": lambda: a ** b,
    "exp log": lambda: a.exp().log(),
    "div": lambda: a / b,
    "sub": lambda: 1 - a,
    "neg": lambda: -a,
    "abs": lambda: a.abs(),
    "clamp": lambda: a.clamp(0, 1),
    "sqrt": lambda: a.sqrt(),
    "std": lambda: a.std(),
    "var": lambda: a.var(1),
    "cumsum": lambda: a.cumsum(0),
    "expand": lambda: v.expand(2, 4),
    "squeeze": lambda: a.unsqueeze(0).squeeze(0),
    "gather": lambda: a.gather(1, torch.zeros(2, 1, dtype=torch.long)),
    "bmm": lambda: torch.bmm(L(1, 2, 3), L(1, 3, 2)),
    "addmm": lambda: torch.addmm(L(4), a, w),
    "masked": lambda: a.masked_fill(c > 0, 0),
    "clone": lambda: a.clone().add_(1).mul_(b),
    "to": lambda: a.double(),
    "flatten": lambda: L(2, 1, 3).flatten(1),
    "gelu": lambda: F.gelu(a),
    "silu": lambda: F.silu(a),
    "tanh": lambda: a.tanh(),
    "leaky": lambda: F.leaky_relu(a),
    "elu": lambda: F.elu(a),
    "lerp": lambda: torch.lerp(a, b, 0.5),
    "pad": lambda: F.pad(a, (1, 1)),
    "unbind": lambda: a.unbind(0)[1],
    "sum dim": lambda: a.sum(1, keepdim=True),
    "prod": lambda: a.prod(),
    "logsumexp": lambda: a.logsumexp(1),
    "flip": lambda: a.flip(0),
    "tril": lambda: a.tril(),
    "smooth": lambda: F.smooth_l1_loss(a, b),
    "l1": lambda: F.l1_loss(a, b),
    "kl": lambda: F.kl_div(a, b),
}
for name, f in cases.items():
    r = f()
    print("##", name, type(r.grad_fn).__name__)
    walk(r.grad_fn)
y = a.detach().requires_grad_(); print(y.grad_fn, y.is_leaf, (y * 2).grad_fn.next_functions[0][0].variable is y)
print((a + a).grad_fn.next_functions[0][0] is (a * 2).grad_fn.next_functions[0][0])
# Composed of others here, one function there.
def R(*s): return torch.rand(*s).add_(0.1).requires_grad_()
u, sq, img, vol, seq = R(3), R(3, 3), R(1, 4, 8, 8), R(1, 2, 4, 4, 4), R(1, 4, 8)
a, b, w, v = R(2, 3), R(2, 3), R(3, 4), R(4)
pd = (sq @ sq.T + torch.eye(3)).detach().requires_grad_()
idx, g2, t, c, L = torch.tensor([1, 0]), torch.tensor([[0, 1, 0], [1, 0, 1]]), torch.tensor([0, 2]), torch.rand(2, 3), R
for text in """a.roll(1, 0)
sq.trace()
a.repeat(2, 1)
a.tile(2)
torch.stack([a, b])
torch.block_diag(a, b)
torch.dot(u, u)
torch.vdot(u, u)
torch.mv(sq, u)
sq @ u
torch.linalg.cross(sq, sq)
torch.cross(a, b)
torch.addmv(u, sq, u)
torch.addr(sq, u, u)
torch.baddbmm(L(1,2,4), L(1,2,3), L(1,3,4))
torch.addbmm(L(2,4), L(1,2,3), L(1,3,4))
a.index_select(0, idx)
a.index_add(0, idx, b)
a.index_fill(0, idx, 1.0)
a.index_fill(0, idx, torch.tensor(1.0))
a.index_copy(0, idx, b)
a.index_reduce(0, idx, b, 'mean')
a.take(idx)
a.put(idx, L(2))
a.scatter(1, g2, b)
a.scatter(1, g2, 1.0)
a.scatter_add(1, g2, b)
a.scatter_reduce(1, g2, b, 'sum')
a.masked_scatter(c > 0.5, b)
a.cummax(1)[0]
a.topk(2)[0]
a.mode(1)[0]
F.threshold(a, 0.5, 0.1)
F.glu(L(2, 4))
F.soft_margin_loss(a, c)
F.multi_margin_loss(a, t)
F.multilabel_margin_loss(a, g2)
F.multilabel_soft_margin_loss(a, c)
F.poisson_nll_loss(a, c)
F.cross_entropy(a, t)
F.nll_loss(a, t)
F.group_norm(img, 2)
F.group_norm(img, 2, v, v)
F.adaptive_avg_pool2d(img, 2)
F.adaptive_avg_pool3d(vol, 2)
F.adaptive_max_pool2d(img, 2)
F.adaptive_max_pool3d(vol, 2)
F.max_pool3d(vol, 2)
F.avg_pool3d(vol, 2)
F.max_unpool2d(*F.max_pool2d(img, 2, return_indices=True), 2)
F.pad(seq, (1,1), 'reflect')
F.pad(img, (1,1,1,1), 'reflect')
F.pad(img, (1,1,1,1), 'replicate')
F.pad(vol, (1,1,1,1,1,1), 'replicate')
F.interpolate(img, 16)
F.grid_sample(img, L(1,2,2,2), align_corners=False)
F.affine_grid(L(1,2,3), (1,1,2,2), align_corners=False)
F.pixel_shuffle(img, 2)
a.norm()
a.norm(dim=1)
a.norm(1)
torch.linalg.cholesky(pd)
torch.linalg.inv(pd)
torch.linalg.solve(pd, a.T)
torch.linalg.lu_factor(pd)[0]
torch.linalg.eigh(pd)[0]
torch.linalg.svd(pd)[1]
torch.linalg.svdvals(pd)
torch.linalg.det(pd)
torch.linalg.slogdet(pd)[1]
torch.matmul(L(2,2,3), w)
F.linear(a, w.t(), v)
F.linear(a, w.t())
F.linear(L(2,2,3), w.t(), v)
F.relu6(a)
F.selu(a)
F.logsigmoid(a)
F.leaky_relu(a, 0.1)
a.T.reshape(6)
torch.hstack([a, b])
torch.vstack([a, b])
torch.dstack([a, b])
torch.column_stack([u, u])
a ** -1
torch.special.i0(a)
a.clamp(min=0.2)
a.index_put((idx,), b)""".splitlines():
    r = eval(text)
    print("##", text, type(r.grad_fn).__name__)
    walk(r.grad_fn)
# A long chain of them is taken apart without recursion.
x = a.detach().requires_grad_()
for i in range(100000): x = x.roll(1, 0)
del x; print("taken apart")
