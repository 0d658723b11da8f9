# SPDX-License-Identifier: Apache-2.0
# What people's scripts do around a model: hooks, states, containers, parametrisations, graphs of torch.fx,
# operations of their own, data loaders, mixed precision. Recorded: peoples_tools.txt.
print("== amp")
import torch
import torch.nn as nn
from contextlib import nullcontext
torch.manual_seed(3)
device = 'cuda' if torch.cuda.is_available() and False else 'cpu'
dtype = 'bfloat16'
ptdtype = {'float32': torch.float32, 'bfloat16': torch.bfloat16, 'float16': torch.float16}[dtype]
ctx = nullcontext() if device == 'nope' else torch.amp.autocast(device_type=device, dtype=ptdtype)
scaler = torch.amp.GradScaler(device, enabled=dtype == 'float16')
model = nn.Sequential(nn.Linear(16, 32), nn.LayerNorm(32), nn.ReLU(), nn.Linear(32, 4))
model = torch.compile(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001, fused=False)
x = torch.randn(8, 16)
y = torch.randint(4, (8,))
for i in range(3):
    with ctx:
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y)
    print(logits.dtype, loss.dtype, logits.shape)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    print(f'{loss.item():.2f}')
print(scaler.get_scale(), scaler.is_enabled(), scaler.state_dict())
with torch.autocast('cpu', dtype=torch.bfloat16):
    a = torch.randn(2, 2)
    b = a @ a
    c = torch.softmax(b, -1)
    d = b + a
    print(a.dtype, b.dtype, c.dtype, d.dtype, torch.is_autocast_enabled('cpu'), torch.get_autocast_dtype('cpu'))
    with torch.autocast('cpu', enabled=False):
        print((a @ a).dtype)
print(list(model.state_dict())[:2])
print(type(model).__name__, model._orig_mod[0])


print("== hooks")
import torch
import torch.nn as nn
from collections import defaultdict, OrderedDict
torch.manual_seed(0)
acts = {}

def get_activation(name):

    def hook(model, input, output):
        acts[name] = output.detach()
    return hook

class MyModel(nn.Module):

    def __init__(self):
        super().__init__()
        self.cov1 = nn.Conv2d(1, 4, 3)
        self.pool = nn.AdaptiveAvgPool2d((2, 2))
        self.fc1 = nn.Linear(16, 5)

    def forward(self, x):
        x = self.pool(torch.relu(self.cov1(x)))
        return self.fc1(torch.flatten(x, 1))
model = MyModel()
h = [m.register_forward_hook(get_activation(n)) for n, m in model.named_children()]
out = model(torch.randn(2, 1, 6, 6))
for k, v in acts.items():
    print(f'{k:>6}: {list(v.shape)} {v.abs().mean():.4f}')
[x.remove() for x in h]
print(len(model.fc1._forward_hooks))
grads = []

def bw(module, grad_input, grad_output):
    grads.append((type(module).__name__, [None if g is None else tuple(g.shape) for g in grad_input], [tuple(g.shape) for g in grad_output]))
for m in model.children():
    m.register_full_backward_hook(bw)
model(torch.randn(2, 1, 6, 6)).sum().backward()
for g in grads:
    print(g)

def pre(module, args):
    print('pre', module.__class__.__name__, len(args), args[0].shape)
    return (args[0] * 2,)

def pre_kw(module, args, kwargs):
    kwargs['scale'] = kwargs.get('scale', 1) + 1
    return (args, kwargs)

class Scale(nn.Module):

    def forward(self, x, scale=1):
        return x * scale
s = Scale()
s.register_forward_pre_hook(pre_kw, with_kwargs=True)
print(s(torch.ones(2), scale=3), s(torch.ones(2)))
hd = s.register_forward_pre_hook(pre, prepend=True)
print(s(torch.ones(2)))
hd.remove()

def always(module, args, output):
    return output + 100
s.register_forward_hook(always)
cs = torch.compile(s)
print(cs(torch.ones(2)))
w = nn.Parameter(torch.ones(3))
w.register_hook(lambda g: g * 10)
w.register_post_accumulate_grad_hook(lambda p: print('acc', p.grad))
(w * 2).sum().backward()

def state_hook(module, state_dict, prefix, local_metadata):
    state_dict[prefix + 'extra'] = torch.tensor(7)
    return state_dict
model._register_state_dict_hook(state_hook)
print(list(model.state_dict().keys()))


print("== fx")
import torch
import torch.nn as nn
import torch.fx as fx
from torch.fx import symbolic_trace, Tracer, GraphModule, Node, Interpreter, Transformer
import operator

class M(nn.Module):

    def __init__(self):
        super().__init__()
        self.param = nn.Parameter(torch.rand(3, 4))
        self.linear = nn.Linear(4, 5)

    def forward(self, x):
        return self.linear(x + self.param).clamp(min=0.0, max=1.0)
torch.manual_seed(0)
m = M()
tr = symbolic_trace(m)
print(tr.graph)
print(tr.code)
for node in tr.graph.nodes:
    print(node.op, node.name, node.target if isinstance(node.target, str) else node.target.__name__, node.args, node.kwargs)

def transform(m: nn.Module, tracer_class: type=fx.Tracer) -> nn.Module:
    graph: fx.Graph = tracer_class().trace(m)
    for node in graph.nodes:
        if node.op == 'call_function' and node.target == operator.add:
            node.target = torch.mul
    graph.lint()
    return fx.GraphModule(m, graph)
t = transform(m)
x = torch.rand(3, 4)
print(torch.allclose(t(x), m.linear(x * m.param).clamp(0.0, 1.0)))
g = symbolic_trace(lambda x: torch.relu(x) + 1)
for n in g.graph.nodes:
    if n.target == torch.relu:
        with g.graph.inserting_after(n):
            new = g.graph.call_function(torch.tanh, args=(n.args[0],))
            n.replace_all_uses_with(new)
        g.graph.erase_node(n)
g.recompile()
print(g.code.strip())

class ShapeProp:

    def __init__(self, mod):
        self.mod = mod
        self.graph = mod.graph
        self.modules = dict(self.mod.named_modules())

    def propagate(self, *args):
        args_iter = iter(args)
        env = {}

        def load_arg(a):
            return torch.fx.graph.map_arg(a, lambda n: env[n.name])

        def fetch_attr(target):
            attr_itr = self.mod
            for atom in target.split('.'):
                attr_itr = getattr(attr_itr, atom)
            return attr_itr
        for node in self.graph.nodes:
            if node.op == 'placeholder':
                result = next(args_iter)
            elif node.op == 'get_attr':
                result = fetch_attr(node.target)
            elif node.op == 'call_function':
                result = node.target(*load_arg(node.args), **load_arg(node.kwargs))
            elif node.op == 'call_method':
                self_obj, *args = load_arg(node.args)
                result = getattr(self_obj, node.target)(*args, **load_arg(node.kwargs))
            elif node.op == 'call_module':
                result = self.modules[node.target](*load_arg(node.args), **load_arg(node.kwargs))
            elif node.op == 'output':
                result = load_arg(node.args[0])
            if isinstance(result, torch.Tensor):
                node.shape = result.shape
                node.dtype = result.dtype
            env[node.name] = result
        return result
ShapeProp(tr).propagate(x)
for n in tr.graph.nodes:
    print(n.name, n.shape, n.dtype)

class NegSig(Transformer):

    def call_function(self, target, args, kwargs):
        if target == torch.sigmoid:
            return torch.neg(*args, **kwargs)
        return super().call_function(target, args, kwargs)

    def call_method(self, target, args, kwargs):
        if target == 'neg':
            call_self, *args_tail = args
            return call_self.sigmoid(*args_tail, **kwargs)
        return super().call_method(target, args, kwargs)

def fn(x):
    return torch.sigmoid(x).neg()
gm = NegSig(symbolic_trace(fn)).transform()
print(gm.graph)
tr.graph.print_tabular() if False else None

class Prof(Interpreter):

    def run_node(self, n):
        r = super().run_node(n)
        print('ran', n.op, n)
        return r
Prof(tr).run(x)
from torch.fx.passes.shape_prop import ShapeProp as SP
SP(tr).propagate(x)
print([n.meta['tensor_meta'].shape for n in tr.graph.nodes])


print("== custom_op")
import torch
import numpy as np
from torch import Tensor
from typing import Tuple, List, Optional

@torch.library.custom_op('mylib::numpy_sin', mutates_args=())
def numpy_sin(pic: Tensor) -> Tensor:
    return torch.from_numpy(np.sin(pic.numpy(force=True)))

@numpy_sin.register_fake
def _(x):
    return torch.empty_like(x)

def setup_context(ctx, inputs, output):
    x, = inputs
    ctx.save_for_backward(x)

def backward(ctx, grad):
    x, = ctx.saved_tensors
    return grad * x.cos()
torch.library.register_autograd('mylib::numpy_sin', backward, setup_context=setup_context)
x = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
print(numpy_sin(x))

@torch.compile(fullgraph=True)
def f(x):
    return numpy_sin(x * 2).sum()
y = f(x)
y.backward()
print(y, x.grad)
print(torch.ops.mylib.numpy_sin(torch.zeros(2)))

@torch.library.custom_op('mylib::add_inplace', mutates_args={'y'})
def add_inplace(x: Tensor, y: Tensor, alpha: float=1.0) -> None:
    y.add_(x, alpha=alpha)
b = torch.zeros(2)
add_inplace(torch.ones(2), b, 3.0)
print(b)

@torch.compile(fullgraph=True)
def g(x):
    o = torch.zeros_like(x)
    torch.ops.mylib.add_inplace(x, o, alpha=2.0)
    return o + 1
print(g(torch.arange(3.0)))

@torch.library.custom_op('mylib::split', mutates_args=())
def split(x: Tensor, sizes: List[int]) -> List[Tensor]:
    return [t.clone() for t in x.split(sizes)]

@split.register_fake
def _(x, sizes):
    return [x.new_empty(s) for s in sizes]
print([t.tolist() for t in split(torch.arange(4.0), [1, 3])])
print(numpy_sin._opoverload, split._opoverload._schema)
torch.library.define('mylib2::crop', '(Tensor pic, int a, *, bool flip=False) -> Tensor')

@torch.library.impl('mylib2::crop', 'CompositeExplicitAutograd')
def crop(pic, a, *, flip=False):
    r = pic[a:]
    return r.flip(0) if flip else r.clone()
print(torch.ops.mylib2.crop(torch.arange(4), 1, flip=True))
print(torch.library.opcheck(numpy_sin, (torch.randn(3),)))


print("== param")
import torch
import torch.nn as nn
import torch.nn.utils.parametrize as parametrize
from torch.nn.utils import parametrizations, spectral_norm, weight_norm, parameters_to_vector, vector_to_parameters
torch.manual_seed(0)

class Symmetric(nn.Module):

    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)

    def right_inverse(self, A):
        return A.triu()

class MatrixExponential(nn.Module):

    def forward(self, X):
        return torch.matrix_exp(X)

class Skew(nn.Module):

    def forward(self, X):
        A = X.triu(1)
        return A - A.transpose(-1, -2)
layer = nn.Linear(3, 3)
parametrize.register_parametrization(layer, 'weight', Symmetric())
A = layer.weight
print(torch.allclose(A, A.T))
print(layer)
print(layer.parametrizations.weight[0], list(layer.state_dict()))
with parametrize.cached():
    print(layer.weight is layer.weight)
l2 = nn.Linear(3, 3)
parametrize.register_parametrization(l2, 'weight', Skew())
parametrize.register_parametrization(l2, 'weight', MatrixExponential())
X = l2.weight
print(torch.dist(X.T @ X, torch.eye(3)) < 1e-05, parametrize.is_parametrized(l2), parametrize.is_parametrized(l2, 'bias'))
parametrize.remove_parametrizations(l2, 'weight', leave_parametrized=True)
print(l2, type(l2.weight).__name__)
wn = parametrizations.weight_norm(nn.Linear(4, 2), dim=0)
print({k: tuple(v.shape) for k, v in wn.named_parameters()})
orth = parametrizations.orthogonal(nn.Linear(4, 4))
print(torch.allclose(orth.weight @ orth.weight.T, torch.eye(4), atol=1e-05))
sn = parametrizations.spectral_norm(nn.Linear(4, 4), n_power_iterations=3)
print(f'{torch.linalg.matrix_norm(sn.weight, 2).item():.1f}')
out = wn(torch.ones(1, 4))
out.sum().backward()
print(wn.parametrizations.weight.original0.grad.shape)
v = parameters_to_vector(layer.parameters())
print(v.shape)
vector_to_parameters(torch.zeros_like(v), layer.parameters())
print(layer.weight.abs().sum())
cm = torch.compile(wn)
print(torch.allclose(cm(torch.ones(1, 4)), out))


print("== containers")
import torch
from torch import nn
from collections import OrderedDict
torch.manual_seed(0)

class Multi(nn.Module):

    def __init__(self):
        super().__init__()
        self.choices = nn.ModuleDict({'conv': nn.Conv2d(10, 10, 3), 'pool': nn.MaxPool2d(3)})
        self.activations = nn.ModuleDict([['lrelu', nn.LeakyReLU()], ['prelu', nn.PReLU()]])
        self.ps = nn.ParameterList([nn.Parameter(torch.randn(2, 2)) for i in range(3)])
        self.pd = nn.ParameterDict({'left': nn.Parameter(torch.randn(5, 2)), 'right': torch.randn(2)})
        self.register_buffer('running', torch.zeros(3))
        self.register_buffer('tmp', torch.ones(2), persistent=False)
        self.register_parameter('none', None)
        self.seq = nn.Sequential(OrderedDict([('a', nn.Linear(2, 3)), ('r', nn.ReLU())]))

    def forward(self, x, choice, act):
        x = self.choices[choice](x)
        x = self.activations[act](x)
        for i, p in enumerate(self.ps):
            x = x + self.ps[i // 2].sum() + p.mean()
        self.running += 1
        return x * self.pd['left'].mean()
m = Multi()
print(m)
for n, p in m.named_parameters():
    print(n, list(p.size()))
for n, b in m.named_buffers():
    print('buffer', n, b)
print(list(m.state_dict().keys()))
x = torch.randn(1, 10, 6, 6)
c = torch.compile(m)
print(c(x, 'conv', 'prelu').shape, c(x, 'pool', 'lrelu').mean(), m.running)
print([n for n, _ in m.named_modules()])
print('conv' in m.choices, list(m.choices.keys()), len(m.ps), m.ps[-1].shape, list(m.pd.keys()))
m.ps.append(nn.Parameter(torch.zeros(1)))
m.ps.extend([nn.Parameter(torch.zeros(1))])
m.seq.append(nn.Linear(3, 1))
del m.seq[1]
q = nn.Sequential(nn.Linear(1, 1))
q.insert(0, nn.Identity())
print(q)
print(m.seq, m.seq[0], m.seq[-1].in_features if hasattr(m.seq[-1], 'in_features') else None)
ml = nn.ModuleList([nn.Linear(1, 1)]) + nn.ModuleList([nn.ReLU()])
print(ml, ml[0:1], len(ml))
m.choices.update({'id': nn.Identity()})
m.choices.pop('pool')
print(m.choices)
try:
    m.nope
except AttributeError as e:
    print(e)
try:
    m.load_state_dict({'running': torch.zeros(3), 'bad': torch.zeros(1)})
except RuntimeError as e:
    print(str(e)[:200])
print(m.load_state_dict({'running': torch.zeros(3), 'bad': torch.zeros(1)}, strict=False).unexpected_keys)
try:
    nn.Linear(2, 2).load_state_dict({'weight': torch.zeros(3, 2), 'bias': torch.zeros(2)})
except RuntimeError as e:
    print(e)
try:
    m.seq[9]
except IndexError as e:
    print(e)
try:
    m.running = 3
except TypeError as e:
    print(e)
try:
    m.seq = torch.zeros(2)
except TypeError as e:
    print(e)
print(m.get_submodule('seq.0'), m.get_parameter('ps.0').shape, m.get_buffer('running').shape)
print(m.train(False).training, m.half().ps[0].dtype, m.double().running.dtype, m.float().requires_grad_(False).ps[0].requires_grad)


print("== state")
import copy, io, os, tempfile, pickle
import torch
import torch.nn as nn
import torch.optim as optim
from collections import OrderedDict
torch.manual_seed(0)

class Net(nn.Module):

    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(3, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(self.bn(self.conv1(x)).relu().mean((2, 3)))
net = Net()
optimizer = optim.SGD(net.parameters(), lr=0.001, momentum=0.9)
print("Model's state_dict:")
for param_tensor in net.state_dict():
    print(param_tensor, '\t', net.state_dict()[param_tensor].size())
print("Optimizer's state_dict:")
for var_name in optimizer.state_dict():
    print(var_name, '\t', optimizer.state_dict()[var_name])
buf = io.BytesIO()
torch.save({'epoch': 5, 'model_state_dict': net.state_dict(), 'optimizer_state_dict': optimizer.state_dict(), 'loss': 0.4}, buf)
buf.seek(0)
ck = torch.load(buf, weights_only=True)
print(ck['epoch'], ck['loss'], list(ck['model_state_dict'])[:2], type(ck['model_state_dict']).__name__)
n2 = Net()
print(n2.load_state_dict(ck['model_state_dict']))
optimizer.load_state_dict(ck['optimizer_state_dict'])
print(all((torch.equal(a, b) for a, b in zip(net.parameters(), n2.parameters()))))
c = torch.compile(net)
x = torch.randn(2, 3, 5, 5)
c(x).sum().backward()
optimizer.step()
print(list(c.state_dict())[:2], list(c._orig_mod.state_dict())[:1], optimizer.state_dict()['state'][0]['momentum_buffer'].shape)
sd = c.state_dict()
pre = '_orig_mod.'
for k, v in list(sd.items()):
    if k.startswith(pre):
        sd[k[len(pre):]] = sd.pop(k)
print(n2.load_state_dict(sd), sd._metadata[''] if hasattr(sd, '_metadata') else None)
d = copy.deepcopy(net)
d.fc.weight.data.zero_()
print(net.fc.weight.abs().sum() > 0, d.fc.weight.grad is None, d.bn.num_batches_tracked)
d2 = copy.copy(net)
print(d2.fc is net.fc)
new = OrderedDict(((k.replace('fc', 'head'), v) for k, v in net.state_dict().items()))
r = net.load_state_dict(new, strict=False)
print(r)
print(r.missing_keys, r.unexpected_keys)
try:
    net.load_state_dict(new)
except RuntimeError as e:
    print(e)
opt2 = optim.Adam([{'params': net.conv1.parameters()}, {'params': net.fc.parameters(), 'lr': 0.01}], lr=0.001)
print(opt2)
opt2.add_param_group({'params': net.bn.parameters(), 'lr': 0.1})
print(len(opt2.param_groups), [g['lr'] for g in opt2.param_groups])

class C(nn.Module):

    def __init__(self):
        super().__init__()
        self.register_buffer('b', torch.ones(1))
        self.extra = 3

    def get_extra_state(self):
        return {'e': self.extra}

    def set_extra_state(self, s):
        self.extra = s['e']

    def _load_from_state_dict(self, state_dict, prefix, *args, **kw):
        print('loading', prefix, sorted((k for k in state_dict if k.startswith(prefix))))
        super()._load_from_state_dict(state_dict, prefix, *args, **kw)
cc = nn.Sequential(C())
s = cc.state_dict()
print(s)
cc[0].extra = 9
cc.load_state_dict(s)
print(cc[0].extra)
for p in net.parameters():
    p.requires_grad = False
print(sum((p.requires_grad for p in net.parameters())))
net.fc = nn.Linear(4, 5)
print([n for n, p in net.named_parameters() if p.requires_grad])
print(net)
t = pickle.loads(pickle.dumps(torch.arange(3)))
print(t)
pth = os.path.join(tempfile.gettempdir(), 'x.pt')
net.load_state_dict(Net().state_dict() | net.state_dict())
print(net.fc.out_features)
with torch.no_grad():
    for a, b in zip(n2.parameters(), Net().parameters()):
        a.copy_(b)
        a.mul_(0.5).add_(b, alpha=0.5)
print(torch.nn.utils.parameters_to_vector(n2.parameters()).shape, n2.conv1.weight._version > 0, n2.to(torch.float64).fc.weight.dtype)


print("== dataloading")
import torch, random, numpy as np
from torch.utils.data import Dataset, DataLoader, IterableDataset, Sampler, RandomSampler, SequentialSampler, BatchSampler, WeightedRandomSampler, Subset, ConcatDataset, TensorDataset, random_split, default_collate
from torch.nn.utils.rnn import pad_sequence

def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed) if torch.cuda.is_available() else None
set_seed(42)

class Text(Dataset):

    def __init__(self, n):
        self.data = [torch.arange(random.randint(1, 5)) for _ in range(n)]
        self.labels = [i % 2 for i in range(n)]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return {'ids': self.data[i], 'label': self.labels[i]}

def collate(batch):
    ids = pad_sequence([b['ids'] for b in batch], batch_first=True, padding_value=-1)
    return {'ids': ids, 'mask': ids != -1, 'label': torch.tensor([b['label'] for b in batch])}
ds = Text(7)
for b in DataLoader(ds, batch_size=3, shuffle=True, collate_fn=collate, generator=torch.Generator().manual_seed(3)):
    print({k: v.tolist() for k, v in b.items()})

class Stream(IterableDataset):

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        assert info is None
        for i in range(self.n):
            yield (i, float(i) ** 2)
for x, y in DataLoader(Stream(5), batch_size=2):
    print(x, y)
td = TensorDataset(torch.arange(10), torch.arange(10) * 2)
a, b = random_split(td, [0.7, 0.3], generator=torch.Generator().manual_seed(1))
print(len(a), len(b), [int(i) for i in b.indices], a[0])
ws = WeightedRandomSampler([0.1, 0.9, 0.5], 6, replacement=True, generator=torch.Generator().manual_seed(0))
print(list(ws))
print(list(BatchSampler(SequentialSampler(range(5)), 2, drop_last=False)), len(DataLoader(td, batch_size=4)), len(DataLoader(td, batch_size=4, drop_last=True)))

class EvenFirst(Sampler):

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(list(range(0, self.n, 2)) + list(range(1, self.n, 2)))

    def __len__(self):
        return self.n
print([x.tolist() for x, _ in DataLoader(td, sampler=EvenFirst(10), batch_size=5)], len(ConcatDataset([td, td])), Subset(td, [1, 3])[1])
print(default_collate([{'a': 1, 'b': (1.0, 'x')}, {'a': 2, 'b': (2.0, 'y')}]), next(iter(DataLoader([np.ones(2), np.zeros(2)], batch_size=2))))
it = iter(DataLoader(td, batch_size=5, shuffle=True))
print(next(it)[0].tolist(), next(it)[0].tolist())
try:
    next(it)
except StopIteration:
    print('stop')
print(random.random(), np.random.rand(), torch.rand(1), random.sample(range(10), 3), random.choices('abc', k=3), random.shuffle((l := [1, 2, 3])) or l, random.gauss(0, 1), random.uniform(1, 2))

def infinite(loader):
    while True:
        yield from loader
g = infinite(DataLoader(td, batch_size=5))
print([next(g)[0][0].item() for _ in range(4)])
try:
    DataLoader(td, batch_size=2, shuffle=True, sampler=EvenFirst(10))
except ValueError as e:
    print(e)


print("== swa_optim")
import torch, math
from torch import nn, optim
from torch.optim.lr_scheduler import *
torch.manual_seed(0)

def mk():
    torch.manual_seed(3)
    return nn.Linear(4, 2)
X, Y = (torch.randn(8, 4), torch.randn(8, 2))
for name, kw in [('SGD', dict(lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.001)), ('Adam', dict(lr=0.01, amsgrad=True)), ('AdamW', dict(lr=0.01, maximize=False)), ('RMSprop', dict(lr=0.01, centered=True, momentum=0.5)), ('Adagrad', dict(lr=0.1, lr_decay=0.01)), ('Adadelta', {}), ('Adamax', dict(lr=0.01)), ('NAdam', dict(lr=0.01)), ('RAdam', dict(lr=0.01)), ('ASGD', dict(lr=0.01)), ('Rprop', dict(lr=0.01)), ('Adafactor', dict(lr=0.01))]:
    m = mk()
    o = getattr(optim, name)(m.parameters(), **kw)
    for _ in range(4):
        o.zero_grad()
        l = ((m(X) - Y) ** 2).mean()
        l.backward()
        o.step()
    print(name, f'{l.item():.5f}', f'{m.weight.sum().item():.5f}', sorted(o.state[m.weight].keys()) if o.state else None)
    if name in ('SGD', 'Adam'):
        print(o)
for name, kw in [('StepLR', dict(step_size=2, gamma=0.5)), ('ExponentialLR', dict(gamma=0.9)), ('CosineAnnealingLR', dict(T_max=5, eta_min=0.01)), ('CosineAnnealingWarmRestarts', dict(T_0=2, T_mult=2)), ('LinearLR', dict(total_iters=3)), ('ConstantLR', dict(factor=0.3, total_iters=2)), ('PolynomialLR', dict(total_iters=4, power=2)), ('OneCycleLR', dict(max_lr=1.0, total_steps=8)), ('CyclicLR', dict(base_lr=0.01, max_lr=0.1, step_size_up=2)), ('LambdaLR', dict(lr_lambda=lambda e: 0.95 ** e)), ('MultiplicativeLR', dict(lr_lambda=lambda e: 0.9)), ('MultiStepLR', dict(milestones=[1, 3]))]:
    m = mk()
    o = optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
    s = globals()[name](o, **kw)
    r = []
    for _ in range(6):
        o.step()
        s.step()
        r.append(round(s.get_last_lr()[0], 5))
    print(name, r, s.last_epoch, 'base_lrs' in s.state_dict())
m = mk()
o = optim.SGD(m.parameters(), lr=0.1)
s = ReduceLROnPlateau(o, 'min', factor=0.5, patience=1, threshold=0.001)
for v in (1, 1, 1, 0.5, 0.5, 0.5, 0.5):
    s.step(v)
print(o.param_groups[0]['lr'], s.num_bad_epochs, s.best, s.get_last_lr())
s = ChainedScheduler([ConstantLR(o, 0.1, 2), ExponentialLR(o, 0.9)])
o.step()
s.step()
print(o.param_groups[0]['lr'])

class WarmupCosine(LRScheduler):

    def __init__(self, optimizer, warmup, total, last_epoch=-1):
        self.warmup, self.total = (warmup, total)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch < self.warmup:
            return [b * (self.last_epoch + 1) / self.warmup for b in self.base_lrs]
        t = (self.last_epoch - self.warmup) / (self.total - self.warmup)
        return [b * 0.5 * (1 + math.cos(math.pi * t)) for b in self.base_lrs]
o = optim.SGD(mk().parameters(), lr=1.0)
w = WarmupCosine(o, 2, 6)
r = []
for _ in range(5):
    o.step()
    w.step()
    r.append(round(w.get_last_lr()[0], 4))
print(r)

class Lion(optim.Optimizer):

    def __init__(self, params, lr=0.01, betas=(0.9, 0.99), weight_decay=0.0):
        if not 0.0 <= lr:
            raise ValueError(f'Invalid learning rate: {lr}')
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group['params']:
                if p.grad is None:
                    continue
                p.mul_(1 - group['lr'] * group['weight_decay'])
                grad = p.grad
                state = self.state[p]
                if len(state) == 0:
                    state['exp_avg'] = torch.zeros_like(p, memory_format=torch.preserve_format)
                ea = state['exp_avg']
                b1, b2 = group['betas']
                p.add_((ea * b1 + grad * (1 - b1)).sign_(), alpha=-group['lr'])
                ea.mul_(b2).add_(grad, alpha=1 - b2)
        return loss
m = mk()
o = Lion(m.parameters(), weight_decay=0.1)
cs = torch.compile(o.step)
for i in range(3):
    o.zero_grad()
    l = ((m(X) - Y) ** 2).mean()
    l.backward()
    (o.step if i == 0 else cs)()
    print(f'{l.item():.4f}')
print(o)
from torch.optim.swa_utils import AveragedModel, SWALR, update_bn
net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
swa = AveragedModel(net)
o = optim.SGD(net.parameters(), lr=0.1)
ss = SWALR(o, swa_lr=0.05, anneal_epochs=2)
for e in range(4):
    o.zero_grad()
    nn.functional.mse_loss(net(X), Y).backward()
    o.step()
    swa.update_parameters(net)
    ss.step()
update_bn([X, X], swa)
print(swa.n_averaged, o.param_groups[0]['lr'], f'{swa(X).sum().item():.4f}', swa.module[1].running_mean)
h = o.register_step_post_hook(lambda opt, a, k: print('stepped'))
o.step()
h.remove()


print("== processes")
import torch, ast
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP, DataParallel
from torch.utils.data.distributed import DistributedSampler
from torch.utils.data import TensorDataset, DataLoader
ds = TensorDataset(torch.arange(10))
s = DistributedSampler(ds, num_replicas=3, rank=1, shuffle=True, seed=4)
print(list(s), len(s))
s.set_epoch(1)
print(list(s))
print([b[0].tolist() for b in DataLoader(ds, batch_size=2, sampler=DistributedSampler(ds, 2, 0, shuffle=False, drop_last=True))])
print(dist.is_initialized(), dist.is_available())
rank = dist.get_rank() if dist.is_initialized() else 0
print(rank)
for f in (dist.get_rank, dist.get_world_size, lambda: DDP(torch.nn.Linear(1, 1))):
    try:
        f()
    except ValueError as e:
        print(e)
d = torch.nn.DataParallel(torch.nn.Linear(2, 1))
print(d, list(d.state_dict()), d(torch.ones(1, 2)).shape)
for t in ("[1, 2.5, 'a']", "{'k': (1, None)}", '-3', 'True', 'abc'):
    try:
        print(ast.literal_eval(t))
    except ValueError as e:
        print('ValueError')


print("== told of what modules get")
import warnings
from torch.nn.modules import module as of_modules
told = [of_modules.register_module_parameter_registration_hook(lambda m, n, p: print('parameter', type(m).__name__, n, tuple(p.shape))),
        of_modules.register_module_buffer_registration_hook(lambda m, n, b: print('buffer', type(m).__name__, n)),
        of_modules.register_module_module_registration_hook(lambda m, n, c: print('module', type(m).__name__, n, type(c).__name__))]
m = nn.Sequential(nn.Linear(2, 3, bias=False), nn.BatchNorm1d(3))
m.more = nn.ReLU()
m.w = nn.Parameter(torch.ones(1))
m.register_module('none', None)
[h.remove() for h in told]
h = of_modules.register_module_parameter_registration_hook(lambda m, n, p: nn.Parameter(p * 0 + 2))
m.v = nn.Parameter(torch.ones(1))
print(m.v)
h.remove()
print(nn.PReLU().weight, len(m._forward_hooks), len(m.register_forward_hook(print) and m._forward_hooks))
opt = torch.optim.SGD(m.parameters(), 0.1)
for order in (('sched', 'opt'), ('opt', 'sched')):
    sched = torch.optim.lr_scheduler.StepLR(opt, 1)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        for each in order:
            {'sched': sched, 'opt': opt}[each].step()
        sched.step(3)
    print([str(w.message)[:60] for w in said])


print("== wrapped, and of no device")
import torch.fx
def doubled(x, n): return x * n
torch.fx.wrap('doubled')
@torch.fx.wrap
def longer(x): return x + len(x.shape)
class Wraps(nn.Module):
    def forward(self, x): return longer(doubled(x, 2))
g = torch.fx.symbolic_trace(Wraps())
print(g.graph, g.code, g(torch.ones(2)))
none, some = torch.ones(2, device='meta'), torch.ones(2)
print(torch.zeros_like(none, device='cpu'), torch.ones_like(some, device='meta').device, torch.full_like(none, 3., device='cpu', dtype=torch.int64))
print(torch.compile(lambda x: x + 1, backend='cudagraphs')(some), torch.compile(lambda x: x + 1, backend='eager_noexcept')(some))


print("== second derivatives, checked")
from torch.autograd import Function, gradcheck, gradgradcheck
from torch.autograd.function import once_differentiable
class Affine(Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x.mm(w.t()) + b
    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g.mm(w), g.t().mm(x), g.sum(0)
class Wrong(Affine):
    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g.mm(w), g.t().mm(x) * 2, g.sum(0)
class Once(Function):
    @staticmethod
    def forward(ctx, x): return x.view_as(x)
    @staticmethod
    @once_differentiable
    def backward(ctx, g): return -g
x, w, b = [torch.randn(*s, dtype=torch.double, requires_grad=True) for s in ((3, 4), (2, 4), (2,))]
print(gradcheck(Affine.apply, (x, w, b)), gradgradcheck(Affine.apply, (x, w, b)))
try:
    gradcheck(Wrong.apply, (x, w, b))
except RuntimeError as e:
    print(type(e).__name__, str(e).split(',')[0])
print(torch.autograd.grad(Once.apply(x).sum(), x, create_graph=True)[0].requires_grad)


print("== operations and graphs of one's own")
from typing import List, Optional
from collections import deque
import torch.fx.proxy
@torch.library.custom_op('people::axpy', mutates_args=())
def axpy(x: torch.Tensor, y: torch.Tensor, alpha: float = 1.0, dims: Optional[List[int]] = None) -> torch.Tensor:
    return x * alpha + y if dims is None else (x * alpha + y).sum(dims)
print(torch.ops.people.axpy.default._schema)
for f in (lambda: torch.ops.people.nothing, lambda: axpy(torch.ones(1), 2)):
    try:
        f()
    except (AttributeError, RuntimeError) as e:
        print(type(e).__name__, str(e)[:60])
@axpy.register_vmap
def _(info, in_dims, x, y, alpha=1.0, dims=None): return axpy(x, y, alpha, dims), 0
print(torch.vmap(axpy)(torch.ones(2, 3), torch.ones(2, 3)))
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.unused = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Linear(2, 2)
    def forward(self, x, scale: float = 2.0, flag: bool = False): return torch.add(self.bn(self.conv(x)), scale).relu()
g = torch.fx.symbolic_trace(Scaled())
print(g.code, g.graph)
g.delete_all_unused_submodules()
print([n for n, _ in g.named_children()])
torch.fx.replace_pattern(g, lambda a, b: torch.add(a, b).relu(), lambda a, b: torch.maximum(a + b, torch.zeros_like(a)))
print([n.name for n in g.graph.nodes])
try:
    torch.fx.symbolic_trace(lambda x: x if x.sum() > 0 else -x)
except torch.fx.proxy.TraceError as e:
    print(type(e).__name__)
from torch.fx.experimental.proxy_tensor import make_fx
print(make_fx(lambda x: torch.sin(x).sum() * 2)(torch.ones(3)).graph)
print(torch.tensor(deque([1.0, 2.0])), torch.tensor([deque([1, 2])]))


print("== storages, steps within backward, exported programs")
a = torch.arange(6.)
row = a.view(2, 3)[1]
print(a.untyped_storage().nbytes(), row.untyped_storage().data_ptr() == a.untyped_storage().data_ptr(), a.storage().size(),
      row.storage().tolist(), len(row.untyped_storage()), a.storage()[2], type(a.untyped_storage()).__name__)
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
steps = {p: torch.optim.SGD([p], 0.1) for p in net.parameters()}
def step(p):
    steps[p].step()
    steps[p].zero_grad()
for p in net.parameters(): p.register_post_accumulate_grad_hook(step)
was = net[0].weight.detach().clone()
net(torch.ones(1, 2)).sum().backward()
print(torch.equal(was, net[0].weight), [p.grad for p in net.parameters()])
print(torch.optim.Adam([{'params': net[0].parameters(), 'name': 'first', 'lr': 0.5}]).state_dict()['param_groups'])
from torch._higher_order_ops.while_loop import while_loop
from torch._higher_order_ops.scan import scan
print(while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (torch.tensor(0), torch.ones(2))), nn.RNNCell(3, 4, nonlinearity='relu'))
class Counted(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin, self.bn = nn.Linear(4, 3), nn.BatchNorm1d(3)
        self.register_buffer('seen', torch.zeros(1), persistent=False)
    def forward(self, x, y=None):
        self.seen.add_(1)
        z = self.bn(self.lin(x)).relu() + self.seen
        return {'out': z if y is None else z + y, 'sum': z.sum(-1)}
torch.manual_seed(0)
m = Counted()
ep = torch.export.export(m, (torch.randn(2, 4),))
print([str(s) for s in ep.graph_signature.input_specs], m.seen, m.bn.num_batches_tracked)
d = ep.run_decompositions()
print([s.kind.name for s in d.graph_signature.output_specs], sorted(d.graph_signature.buffers_to_mutate.values()))
print([n.name for n in d.graph.nodes if n.op == 'call_function'][:3], d.graph_signature.parameters, d.graph_signature.non_persistent_buffers)
x = torch.randn(2, 4)
runs = d.module()
want = m(x)
for i in range(2): out = runs(x)
print(torch.allclose(out['sum'] + 0, out['out'].sum(-1)), m.seen, m.bn.num_batches_tracked, ep.example_inputs[0][0].shape, ep.constants)
for f in (lambda: ep(x), lambda: runs(torch.ones(3, 4)), lambda: runs(x, x)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, str(e).split(chr(10))[0])
class Twice(nn.Module):
    def forward(self, x): y = x * 2; return y, y, x
print(torch.export.export(Twice(), (torch.ones(2),)).module()(torch.ones(2)))
missing, unexpected = nn.Linear(2, 2).load_state_dict({'weight': torch.ones(2, 2), 'x': torch.ones(1)}, strict=False)
print(missing, unexpected, nn.Linear(1, 1).load_state_dict({}, strict=False), nn.Module().forward)


print("== overloads and other doors")
import functorch.compile
print(torch.ops.aten.mm.default, [torch.ops.aten.mm.default], torch.ops.aten.mm.default._schema, torch.ops.aten.mul.Tensor._schema)
print({'Tensor', 'Scalar'} <= set(torch.ops.aten.add.overloads()), torch.accelerator.is_available() in (True, False))
print(functorch.compile.memory_efficient_fusion(lambda x: x.sin().cos())(torch.zeros(2)), isinstance(torch._decomp.core_aten_decompositions(), dict))
print(torch.jit.optimize_for_inference(torch.jit.script(nn.Linear(2, 2).eval()))(torch.ones(1, 2)).shape)


print("== attributes of modules, functions in the place of others")
import collections, math
from unittest.mock import patch
from torch._dynamo.testing import CompileCounter
class Alias(nn.Module):
    def __init__(self): super().__init__(); self.linear = nn.Linear(2, 2); self.scale = nn.Parameter(torch.tensor(2.))
    def __getattr__(self, name):
        if name == "alias": return super().__getattr__("linear")
        return super().__getattr__(name)
    def forward(self, x): return self.alias(x) * self.scale
torch.manual_seed(0); m = Alias(); print(m(torch.ones(1, 2)).shape, m.alias is m.linear, hasattr(m, "nothing"), nn.Module.__getattr__(m, "scale"))
for wrong in (lambda: m.nothing, lambda: nn.Module.__getattr__(m, "other")):
    try: wrong()
    except AttributeError as e: print(e)
class Rest(nn.Module):
    def __init__(self): super().__init__(); self.parts = nn.ModuleList([nn.Linear(2, 2), nn.ReLU(), nn.Tanh()])
    def forward(self, x):
        for part in self.parts[1:]: x = part(x)
        return x
for made in (m, Rest()):
    counted = CompileCounter(); f = torch.compile(made, backend=counted)
    print(torch.equal(f(torch.ones(1, 2)), made(torch.ones(1, 2))), counted.frame_count)
def floored(x): return x + math.floor(2.5)
compiled = torch.compile(floored, backend="eager"); print(compiled(torch.ones(1)))
with patch("math.floor", lambda v: 7): print(compiled(torch.ones(1)), floored(torch.ones(1)))
print(compiled(torch.ones(1)), math.floor(2.5))
with patch("torch.randn", return_value=torch.zeros(2)) as fake: print(torch.randn(3), fake.call_args)
with patch.object(nn.Linear, "forward", lambda self, x: "patched"): print(m.linear(torch.ones(2)))
print(torch.randn(2, generator=torch.Generator().manual_seed(0)), type(m.linear(torch.ones(2))).__name__, collections.deque([1, 2, 3])[torch.tensor(1)])
class Tagged(torch.Tensor):
    @staticmethod
    def __new__(cls, x, tag): made = torch.Tensor._make_subclass(cls, torch.as_tensor(x)); made.tag = tag; return made
t = Tagged([1., 2.], "a"); print(type(t).__name__, t.tag, t.requires_grad, (t + 1).sum().item(), torch.backends.cudnn.enabled, __import__("torch.nn").__name__, __import__("torch.nn", fromlist=["nn"]).__name__)


print("== what is said of indices and sizes")
a = torch.ones(2, 3)
class Stream(torch.utils.data.IterableDataset):
    def __iter__(self): return iter(range(3))
for wrong in (lambda: a[5], lambda: a[0, 7], lambda: a[0, 0, 0], lambda: a[torch.ones(3, dtype=torch.bool)], lambda: a[:, torch.ones(2, dtype=torch.bool)], lambda: a[1.0], lambda: a + torch.ones(4, 5), lambda: torch.ones(2, 3, 4)[1, 1, -9], lambda: torch.ones(2, 3, 4)[1, :, 4], lambda: torch.ones(5, 3, 2) * torch.ones(4, 1, 3), lambda: torch.linalg.inv(torch.zeros(2, 2)), lambda: len(torch.utils.data.DataLoader(Stream()))):
    try: wrong()
    except Exception as e: print(f"{type(e).__module__}.{type(e).__name__}: {e}")
