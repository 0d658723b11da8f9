# SPDX-License-Identifier: Apache-2.0
# Models and their training as people write them: a language model with attention of its own, caches of
# keys, a tokeniser's vocabulary, beams, a graph of points, losses between pairs. Recorded: peoples_models.txt.
print("== hf_bert")
import math
from typing import Optional, Tuple, Union, Dict, Any, List
from dataclasses import dataclass, fields
from collections import OrderedDict
import torch
from torch import nn

class ModelOutput(OrderedDict):

    def __post_init__(self):
        for f in fields(self):
            v = getattr(self, f.name)
            if v is not None:
                super().__setitem__(f.name, v)

    def __getitem__(self, k):
        if isinstance(k, str):
            return dict(self.items())[k]
        return self.to_tuple()[k]

    def to_tuple(self):
        return tuple((self[k] for k in self.keys()))

@dataclass
class BaseOutput(ModelOutput):
    last_hidden_state: torch.Tensor = None
    hidden_states: Optional[Tuple[torch.Tensor]] = None
    attentions: Optional[Tuple[torch.Tensor]] = None

class Config:
    model_type = 'bert'

    def __init__(self, vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, hidden_act='gelu', **kwargs):
        self.vocab_size = vocab_size
        self.hidden_size = hidden_size
        self.num_hidden_layers = num_hidden_layers
        self.num_attention_heads = num_attention_heads
        self.hidden_act = hidden_act
        self.output_attentions = kwargs.pop('output_attentions', False)
        self.layer_norm_eps = kwargs.pop('layer_norm_eps', 1e-12)
        for key, value in kwargs.items():
            try:
                setattr(self, key, value)
            except AttributeError as err:
                print(err)
                raise err

    def to_dict(self):
        return {k: v for k, v in self.__dict__.items() if not k.startswith('_')}

    def __repr__(self):
        return f'{self.__class__.__name__} {self.to_dict()}'
ACT2FN = {'gelu': nn.functional.gelu, 'relu': nn.functional.relu}

class BertEmbeddings(nn.Module):

    def __init__(self, config):
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=0)
        self.position_embeddings = nn.Embedding(32, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(2, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer('position_ids', torch.arange(32).expand((1, -1)), persistent=False)
        self.register_buffer('token_type_ids', torch.zeros(self.position_ids.size(), dtype=torch.long), persistent=False)

    def forward(self, input_ids=None, token_type_ids=None, position_ids=None, inputs_embeds=None, past_key_values_length=0):
        if input_ids is not None:
            input_shape = input_ids.size()
        else:
            input_shape = inputs_embeds.size()[:-1]
        seq_length = input_shape[1]
        if position_ids is None:
            position_ids = self.position_ids[:, past_key_values_length:seq_length + past_key_values_length]
        if token_type_ids is None:
            if hasattr(self, 'token_type_ids'):
                buffered = self.token_type_ids[:, :seq_length]
                token_type_ids = buffered.expand(input_shape[0], seq_length)
            else:
                token_type_ids = torch.zeros(input_shape, dtype=torch.long, device=self.position_ids.device)
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        e = inputs_embeds + self.token_type_embeddings(token_type_ids)
        e += self.position_embeddings(position_ids)
        return self.dropout(self.LayerNorm(e))

class SelfAttention(nn.Module):

    def __init__(self, config):
        super().__init__()
        self.h = config.num_attention_heads
        self.d = config.hidden_size // self.h
        self.query, self.key, self.value = (nn.Linear(config.hidden_size, config.hidden_size) for _ in range(3))
        self.dropout = nn.Dropout(0.1)

    def transpose_for_scores(self, x):
        return x.view(x.size()[:-1] + (self.h, self.d)).permute(0, 2, 1, 3)

    def forward(self, hidden_states, attention_mask=None, head_mask=None, output_attentions: Optional[bool]=False):
        q, k, v = map(self.transpose_for_scores, (self.query(hidden_states), self.key(hidden_states), self.value(hidden_states)))
        s = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.d)
        if attention_mask is not None:
            s = s + attention_mask
        p = self.dropout(nn.functional.softmax(s, dim=-1))
        if head_mask is not None:
            p = p * head_mask
        c = torch.matmul(p, v).permute(0, 2, 1, 3).contiguous()
        c = c.view(c.size()[:-2] + (self.h * self.d,))
        return (c, p) if output_attentions else (c,)

class Layer(nn.Module):

    def __init__(self, config):
        super().__init__()
        self.attention = SelfAttention(config)
        self.out = nn.Linear(config.hidden_size, config.hidden_size)
        self.ln = nn.LayerNorm(config.hidden_size)
        self.inter = nn.Linear(config.hidden_size, 32)
        self.output = nn.Linear(32, config.hidden_size)
        self.ln2 = nn.LayerNorm(config.hidden_size)
        self.act = ACT2FN[config.hidden_act] if isinstance(config.hidden_act, str) else config.hidden_act

    def forward(self, x, mask=None, output_attentions=False):
        a = self.attention(x, mask, output_attentions=output_attentions)
        x = self.ln(self.out(a[0]) + x)
        return (self.ln2(self.output(self.act(self.inter(x))) + x),) + a[1:]

class Bert(nn.Module):
    config_class = Config

    def __init__(self, config, add_pooling_layer=True):
        super().__init__()
        self.config = config
        self.embeddings = BertEmbeddings(config)
        self.layer = nn.ModuleList([Layer(config) for _ in range(config.num_hidden_layers)])
        self.gradient_checkpointing = False
        self.apply(self._init_weights)

    @property
    def dtype(self):
        return next(self.parameters()).dtype

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            module.weight.data.normal_(mean=0.0, std=0.02)
        elif isinstance(module, nn.LayerNorm):
            module.bias.data.zero_()
            module.weight.data.fill_(1.0)
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias.data.zero_()

    def get_extended_attention_mask(self, m):
        m = m[:, None, None, :].to(dtype=self.dtype)
        return (1.0 - m) * torch.finfo(self.dtype).min

    def forward(self, input_ids=None, attention_mask=None, output_attentions=None, output_hidden_states=None, return_dict=True) -> Union[Tuple, BaseOutput]:
        output_attentions = output_attentions if output_attentions is not None else self.config.output_attentions
        if attention_mask is None:
            attention_mask = torch.ones(input_ids.shape)
        ext = self.get_extended_attention_mask(attention_mask)
        h = self.embeddings(input_ids=input_ids)
        hs = () if output_hidden_states else None
        at = () if output_attentions else None
        for i, layer in enumerate(self.layer):
            if output_hidden_states:
                hs = hs + (h,)
            o = layer(h, ext, output_attentions)
            h = o[0]
            if output_attentions:
                at = at + (o[1],)
        if not return_dict:
            return tuple((v for v in [h, hs, at] if v is not None))
        return BaseOutput(last_hidden_state=h, hidden_states=hs, attentions=at)
torch.manual_seed(0)
cfg = Config(foo=3)
print(cfg)
m = Bert(cfg).eval()
print(m.dtype, m.layer[0])
ids = torch.tensor([[1, 5, 7, 0], [2, 3, 0, 0]])
am = (ids != 0).long()
o = m(ids, am, output_attentions=True, output_hidden_states=True)
print(list(o.keys()), o[0].shape, o['last_hidden_state'].sum(), o.attentions[0][1, 0])
print(len(o.to_tuple()))
c = torch.compile(m, backend='aot_eager')
o2 = c(ids, am, output_attentions=True)
print(torch.allclose(o2.last_hidden_state, o.last_hidden_state, atol=1e-05), type(o2).__name__, list(o2))
t = c(ids, am, return_dict=False)
print(len(t), torch.allclose(t[0], o[0], atol=1e-05))
m.train()
opt = torch.optim.AdamW([{'params': [p for n, p in m.named_parameters() if not any((nd in n for nd in ['bias', 'ln']))], 'weight_decay': 0.01}, {'params': [p for n, p in m.named_parameters() if any((nd in n for nd in ['bias', 'ln']))], 'weight_decay': 0.0}], lr=0.005)
sch = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 2))
head = nn.Linear(16, 2)
torch.manual_seed(1)
for i in range(3):
    loss = nn.functional.cross_entropy(head(c(ids, am).last_hidden_state[:, 0]), torch.tensor([0, 1]))
    loss.backward()
    nn.utils.clip_grad_norm_(m.parameters(), max_norm=1.0)
    opt.step()
    sch.step()
    opt.zero_grad()
    print(f'{loss.item():.3f} {sch.get_last_lr()}')


print("== transformer_tut")
import math, copy
import torch
from torch import nn, Tensor
import torch.nn.functional as F
from torch.nn import TransformerEncoder, TransformerEncoderLayer

class PositionalEncoding(nn.Module):

    def __init__(self, d_model: int, dropout: float=0.1, max_len: int=50):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer('pe', pe)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.pe[:x.size(0)]
        return self.dropout(x)

class TransformerModel(nn.Module):

    def __init__(self, ntoken, d_model, nhead, d_hid, nlayers, dropout=0.5):
        super().__init__()
        self.model_type = 'Transformer'
        self.pos_encoder = PositionalEncoding(d_model, dropout)
        self.transformer_encoder = TransformerEncoder(TransformerEncoderLayer(d_model, nhead, d_hid, dropout), nlayers)
        self.embedding = nn.Embedding(ntoken, d_model)
        self.d_model = d_model
        self.linear = nn.Linear(d_model, ntoken)
        self.init_weights()

    def init_weights(self) -> None:
        initrange = 0.1
        self.embedding.weight.data.uniform_(-initrange, initrange)
        self.linear.bias.data.zero_()
        self.linear.weight.data.uniform_(-initrange, initrange)

    def forward(self, src, src_mask=None):
        src = self.embedding(src) * math.sqrt(self.d_model)
        src = self.pos_encoder(src)
        if src_mask is None:
            src_mask = nn.Transformer.generate_square_subsequent_mask(len(src))
        return self.linear(self.transformer_encoder(src, src_mask))
torch.manual_seed(0)
m = TransformerModel(20, 16, 2, 32, 2, 0.2)
print(m)
data = torch.randint(0, 20, (9, 4))
opt = torch.optim.SGD(m.parameters(), lr=0.5)
sch = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.95)
cm = torch.compile(m, backend='aot_eager')
crit = nn.CrossEntropyLoss()
for e in range(3):
    out = cm(data[:-1])
    loss = crit(out.view(-1, 20), data[1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(m.parameters(), 0.5)
    opt.step()
    sch.step()
    print(f'{loss.item():.3f} {math.exp(loss.item()):.2f} {sch.get_last_lr()}')
best = copy.deepcopy(m.state_dict())
m2 = TransformerModel(20, 16, 2, 32, 2, 0.2)
print(m2.load_state_dict(best))
m.eval()
m2.eval()
print(torch.equal(m(data), m2(data)))

class Seq2Seq(nn.Module):

    def __init__(self):
        super().__init__()
        self.t = nn.Transformer(d_model=16, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=32, dropout=0.0, batch_first=True)
        self.e = nn.Embedding(20, 16)
        self.o = nn.Linear(16, 20)

    def forward(self, s, t, sp=None):
        return self.o(self.t(self.e(s), self.e(t), tgt_mask=nn.Transformer.generate_square_subsequent_mask(t.size(1)), src_key_padding_mask=sp, tgt_is_causal=True))
s2s = Seq2Seq().eval()
src = torch.tensor([[1, 2, 3, 0], [4, 5, 0, 0]])
pad = src == 0

def greedy(src, n, bos=1, eos=2):
    ys = torch.full((src.size(0), 1), bos, dtype=torch.long)
    done = torch.zeros(src.size(0), dtype=torch.bool)
    for _ in range(n):
        nxt = s2s(src, ys, pad)[:, -1].argmax(-1)
        nxt = nxt.masked_fill(done, 0)
        done |= nxt.eq(eos)
        ys = torch.cat([ys, nxt[:, None]], 1)
        if done.all():
            break
    return ys

def beam_search(src, k=3, n=4):
    beams = [([1], 0.0)]
    finished = []
    for _ in range(n):
        cand = []
        for seq, score in beams:
            lp = F.log_softmax(s2s(src[:1], torch.tensor([seq]))[0, -1], -1)
            v, i = lp.topk(k)
            for a, b in zip(v.tolist(), i.tolist()):
                cand.append((seq + [b], score + a))
        cand.sort(key=lambda c: c[1] / len(c[0]), reverse=True)
        beams = [c for c in cand[:k] if c[0][-1] != 2]
        finished += [c for c in cand[:k] if c[0][-1] == 2]
    return max(beams + finished, key=lambda c: c[1])
with torch.no_grad():
    print(greedy(src, 5))
    b, s = beam_search(src)
    print(b, f'{s:.3f}')
mha = nn.MultiheadAttention(16, 4, batch_first=True, kdim=8, vdim=8).eval()
q = torch.randn(2, 3, 16)
kv = torch.randn(2, 5, 8)
o, w = mha(q, kv, kv, average_attn_weights=False)
print(o.shape, w.shape, o.mean())


print("== gnn_scatter")
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)

class GCN(nn.Module):

    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o, bias=False)
        self.bias = nn.Parameter(torch.zeros(o))

    def forward(self, x, edge_index):
        n = x.size(0)
        loop = torch.arange(n)
        ei = torch.cat([edge_index, torch.stack([loop, loop])], 1)
        row, col = ei
        deg = torch.zeros(n).scatter_add_(0, col, torch.ones(col.numel()))
        dis = deg.pow(-0.5)
        dis[dis == float('inf')] = 0
        norm = dis[row] * dis[col]
        x = self.lin(x)
        out = torch.zeros_like(x)
        out.index_add_(0, col, x[row] * norm[:, None])
        return out + self.bias

class GAT(nn.Module):

    def __init__(self, i, o, h=2):
        super().__init__()
        self.W = nn.Parameter(torch.empty(h, i, o))
        self.a = nn.Parameter(torch.empty(h, 2 * o))
        nn.init.xavier_uniform_(self.W, gain=1.414)
        nn.init.xavier_uniform_(self.a, gain=nn.init.calculate_gain('leaky_relu', 0.2))

    def forward(self, x, adj):
        h = torch.einsum('ni,hio->hno', x, self.W)
        n = x.size(0)
        e = F.leaky_relu(h @ self.a[:, :h.size(-1), None] + (h @ self.a[:, h.size(-1):, None]).transpose(1, 2), 0.2)
        e = torch.where(adj > 0, e, -9000000000000000.0 * torch.ones_like(e))
        return F.elu(torch.cat(list(F.softmax(e, -1) @ h), -1))
ei = torch.tensor([[0, 1, 1, 2, 3], [1, 0, 2, 1, 0]])
adj = torch.zeros(4, 4)
adj[ei[0], ei[1]] = 1
adj.fill_diagonal_(1)
x = torch.randn(4, 5)

class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.g = GCN(5, 6)
        self.t = GAT(6, 3)
        self.o = nn.Linear(6, 2)

    def forward(self, x, ei, adj):
        return F.log_softmax(self.o(self.t(F.dropout(F.relu(self.g(x, ei)), 0.2, self.training), adj)), 1)
m = Net()
c = torch.compile(m, backend='aot_eager')
y = torch.tensor([0, 1, 0, 1])
mask = torch.tensor([True, True, True, False])
opt = torch.optim.Adam(m.parameters(), lr=0.05, weight_decay=0.0005)
for i in range(4):
    opt.zero_grad()
    out = c(x, ei, adj)
    l = F.nll_loss(out[mask], y[mask])
    l.backward()
    opt.step()
    print(f'{l.item():.4f}')
m.eval()
print((c(x, ei, adj).argmax(1) == y).float().mean(), adj.to_sparse().indices().shape if False else '')

def segment_sum(d, ids, n):
    return torch.zeros(n, *d.shape[1:]).index_add(0, ids, d)
print(segment_sum(torch.arange(6.0).view(3, 2), torch.tensor([0, 1, 0]), 2), torch.zeros(3).scatter_reduce(0, torch.tensor([0, 0, 2]), torch.tensor([1.0, 5.0, 2.0]), 'mean', include_self=False), torch.segment_reduce(torch.arange(4.0), 'max', lengths=torch.tensor([1, 3])))

class Siamese(nn.Module):

    def __init__(self):
        super().__init__()
        self.e = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 3))

    def forward(self, a, p, n):
        return tuple((F.normalize(self.e(t), dim=-1) for t in (a, p, n)))
s = Siamese()
a, p, n = torch.compile(s, backend='aot_eager')(x, x + 0.1, torch.randn(4, 5))
print(nn.TripletMarginLoss(margin=0.5)(a, p, n), F.cosine_embedding_loss(a, p, torch.ones(4)), nn.CosineSimilarity()(a, n), F.triplet_margin_loss(a, p, n, swap=True))

def info_nce(z1, z2, t=0.1):
    z = torch.cat([z1, z2])
    sim = z @ z.T / t
    sim.fill_diagonal_(float('-inf'))
    n = len(z1)
    return F.cross_entropy(sim, torch.cat([torch.arange(n, 2 * n), torch.arange(n)]))
print(info_nce(a.detach(), p.detach()))
logits = a @ p.T * torch.exp(torch.tensor(2.0))
print((F.cross_entropy(logits, torch.arange(4)) + F.cross_entropy(logits.T, torch.arange(4))) / 2)

class VQ(nn.Module):

    def __init__(self, k, d):
        super().__init__()
        self.emb = nn.Embedding(k, d)
        self.emb.weight.data.uniform_(-1 / k, 1 / k)

    def forward(self, z):
        d = z.pow(2).sum(1, keepdim=True) + self.emb.weight.pow(2).sum(1) - 2 * z @ self.emb.weight.t()
        i = d.argmin(1)
        q = self.emb(i)
        loss = F.mse_loss(q.detach(), z) * 0.25 + F.mse_loss(q, z.detach())
        q = z + (q - z).detach()
        oh = F.one_hot(i, 6).float()
        avg = oh.mean(0)
        return (loss, q, torch.exp(-(avg * (avg + 1e-10).log()).sum()), i)
v = VQ(6, 3)
z = torch.randn(5, 3, requires_grad=True)
l, q, perp, i = torch.compile(v, backend='aot_eager')(z)
(l + q.sum()).backward()
print(l, perp, i, z.grad[0], v.emb.weight.grad.abs().sum())

def gumbel(logits, tau=1.0, hard=True):
    return F.gumbel_softmax(logits, tau=tau, hard=hard)
torch.manual_seed(2)
print(gumbel(torch.ones(2, 3)), F.gumbel_softmax(torch.zeros(2, 2), tau=0.5).sum(-1))


print("== makemore")
import torch, math, random
import torch.nn.functional as F
words = 'emma olivia ava isabella sophia charlotte mia amelia harper evelyn'.split()
chars = sorted(list(set(''.join(words))))
stoi = {s: i + 1 for i, s in enumerate(chars)}
stoi['.'] = 0
itos = {i: s for s, i in stoi.items()}
V = len(itos)
N = torch.zeros((V, V), dtype=torch.int32)
for w in words:
    chs = ['.'] + list(w) + ['.']
    for ch1, ch2 in zip(chs, chs[1:]):
        N[stoi[ch1], stoi[ch2]] += 1
P = (N + 1).float()
P /= P.sum(1, keepdims=True)
print(P[0], N.sum())
g = torch.Generator().manual_seed(2147483647)
for i in range(3):
    out = []
    ix = 0
    while True:
        ix = torch.multinomial(P[ix], num_samples=1, replacement=True, generator=g).item()
        out.append(itos[ix])
        if ix == 0:
            break
    print(''.join(out))
ll = 0.0
n = 0
for w in words[:3]:
    for a, b in zip('.' + w, w + '.'):
        lp = torch.log(P[stoi[a], stoi[b]])
        ll += lp
        n += 1
print(f'll={ll!r}', f'{-ll / n}')
block = 3

def build(words):
    X, Y = ([], [])
    for w in words:
        ctx = [0] * block
        for ch in w + '.':
            ix = stoi[ch]
            X.append(ctx)
            Y.append(ix)
            ctx = ctx[1:] + [ix]
    return (torch.tensor(X), torch.tensor(Y))
random.seed(42)
random.shuffle(words)
X, Y = build(words[:8])
print(X.shape, Y.dtype, words[:2])

class Linear:

    def __init__(self, fi, fo, bias=True):
        self.weight = torch.randn((fi, fo), generator=g) / fi ** 0.5
        self.bias = torch.zeros(fo) if bias else None

    def __call__(self, x):
        self.out = x @ self.weight
        if self.bias is not None:
            self.out += self.bias
        return self.out

    def parameters(self):
        return [self.weight] + ([] if self.bias is None else [self.bias])

class BatchNorm1d:

    def __init__(self, dim, eps=1e-05, momentum=0.1):
        self.eps = eps
        self.momentum = momentum
        self.training = True
        self.gamma = torch.ones(dim)
        self.beta = torch.zeros(dim)
        self.running_mean = torch.zeros(dim)
        self.running_var = torch.ones(dim)

    def __call__(self, x):
        if self.training:
            dim = 0 if x.ndim == 2 else (0, 1)
            xm = x.mean(dim, keepdim=True)
            xv = x.var(dim, keepdim=True)
        else:
            xm = self.running_mean
            xv = self.running_var
        self.out = self.gamma * (x - xm) / torch.sqrt(xv + self.eps) + self.beta
        if self.training:
            with torch.no_grad():
                self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * xm
                self.running_var = (1 - self.momentum) * self.running_var + self.momentum * xv
        return self.out

    def parameters(self):
        return [self.gamma, self.beta]

class Tanh:

    def __call__(self, x):
        self.out = torch.tanh(x)
        return self.out

    def parameters(self):
        return []
C = torch.randn((V, 4), generator=g)
layers = [Linear(12, 20, False), BatchNorm1d(20), Tanh(), Linear(20, V)]
with torch.no_grad():
    layers[-1].weight *= 0.1
params = [C] + [p for l in layers for p in l.parameters()]
print(sum((p.nelement() for p in params)))
for p in params:
    p.requires_grad = True
ud = []
for i in range(20):
    ix = torch.randint(0, X.shape[0], (8,), generator=g)
    emb = C[X[ix]]
    x = emb.view(emb.shape[0], -1)
    for l in layers:
        x = l(x)
    loss = F.cross_entropy(x, Y[ix])
    for l in layers:
        l.out.retain_grad()
    for p in params:
        p.grad = None
    loss.backward()
    lr = 0.1 if i < 15 else 0.01
    for p in params:
        p.data += -lr * p.grad
    with torch.no_grad():
        ud.append([((lr * p.grad).std() / p.data.std()).log10().item() for p in params])
    if i % 5 == 0:
        print(f'{i:7d}/{20:7d}: {loss.item():.4f}')
for i, l in enumerate(layers[:-1]):
    if isinstance(l, Tanh):
        t = l.out
        print('layer %d (%10s): mean %+.2f, std %.2f, saturated: %.2f%% grad %+.1e' % (i, l.__class__.__name__, t.mean(), t.std(), (t.abs() > 0.97).float().mean() * 100, t.grad.std()))

def cmp(s, dt, t):
    ex = torch.all(dt == t.grad).item()
    app = torch.allclose(dt, t.grad)
    print(f'{s:15s} | exact: {str(ex):5s} | approximate: {str(app):5s}')
logits = torch.randn(4, 5, generator=g, requires_grad=True)
y = torch.tensor([0, 1, 2, 3])
l = F.cross_entropy(logits, y)
l.backward()
d = F.softmax(logits, 1).detach()
d[range(4), y] -= 1
d /= 4
cmp('logits', d, logits)

class Value:

    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')

        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __pow__(self, k):
        out = Value(self.data ** k, (self,), f'**{k}')

        def _backward():
            self.grad += k * self.data ** (k - 1) * out.grad
        out._backward = _backward
        return out

    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), 'ReLU')

        def _backward():
            self.grad += (out.data > 0) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, visited = ([], set())

        def build(v):
            if v not in visited:
                visited.add(v)
                for c in v._prev:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1
        for v in reversed(topo):
            v._backward()
    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -o

    def __rsub__(self, o):
        return o + -self

    def __truediv__(self, o):
        return self * o ** (-1)

    def __repr__(self):
        return f'Value(data={self.data}, grad={self.grad})'
a, b = (Value(-4.0), Value(2.0))
c = a + b
d = a * b + b ** 3
c += c + 1
c += 1 + c + -a
d += d * 2 + (b + a).relu()
e = c - d
f = e ** 2
gg = f / Value(2.0)
gg = gg + 10.0 * f ** (-1)
gg.backward()
print(f'{gg.data:.4f} {a.grad:.4f} {b.grad:.4f}', a)


print("== rl")
import random
from collections import namedtuple, deque
from itertools import count
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical, Normal
Transition = namedtuple('Transition', ('state', 'action', 'next_state', 'reward'))

class ReplayMemory(object):

    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)

class Corridor:

    def __init__(self, n=6):
        self.n = n
        self.reset()

    def reset(self):
        self.pos = 0
        self.t = 0
        return [self.pos / self.n, 1.0]

    def step(self, a):
        self.t += 1
        self.pos = max(0, self.pos + (1 if a == 1 else -1))
        done = self.pos >= self.n or self.t >= 20
        return ([self.pos / self.n, 1.0], 1.0 if self.pos >= self.n else -0.1, done)

class DQN(nn.Module):

    def __init__(self, n_observations, n_actions):
        super(DQN, self).__init__()
        self.layer1 = nn.Linear(n_observations, 16)
        self.layer2 = nn.Linear(16, n_actions)

    def forward(self, x):
        return self.layer2(F.relu(self.layer1(x)))
random.seed(0)
torch.manual_seed(0)
env = Corridor()
policy_net = DQN(2, 2)
target_net = DQN(2, 2)
target_net.load_state_dict(policy_net.state_dict())
optimizer = optim.AdamW(policy_net.parameters(), lr=0.01, amsgrad=True)
memory = ReplayMemory(100)
steps_done = 0

def select_action(state):
    global steps_done
    eps = 0.05 + 0.85 * math.exp(-1.0 * steps_done / 50)
    steps_done += 1
    if random.random() > eps:
        with torch.no_grad():
            return policy_net(state).max(1).indices.view(1, 1)
    return torch.tensor([[random.choice([0, 1])]], dtype=torch.long)

def optimize():
    if len(memory) < 8:
        return
    batch = Transition(*zip(*memory.sample(8)))
    non_final_mask = torch.tensor(tuple(map(lambda s: s is not None, batch.next_state)), dtype=torch.bool)
    nf = [s for s in batch.next_state if s is not None]
    state_batch = torch.cat(batch.state)
    action_batch = torch.cat(batch.action)
    reward_batch = torch.cat(batch.reward)
    q = policy_net(state_batch).gather(1, action_batch)
    nv = torch.zeros(8)
    with torch.no_grad():
        nv[non_final_mask] = target_net(torch.cat(nf)).max(1).values
    loss = nn.SmoothL1Loss()(q, (nv * 0.99 + reward_batch).unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()
    return loss.item()
durations = []
for ep in range(4):
    state = torch.tensor(env.reset()).unsqueeze(0)
    l = None
    for t in count():
        action = select_action(state)
        obs, reward, done = env.step(action.item())
        nxt = None if done else torch.tensor(obs).unsqueeze(0)
        memory.push(state, action, nxt, torch.tensor([reward]))
        state = nxt
        l = optimize()
        sd = target_net.state_dict()
        ps = policy_net.state_dict()
        for key in ps:
            sd[key] = ps[key] * 0.05 + sd[key] * 0.95
        target_net.load_state_dict(sd)
        if done:
            durations.append(t + 1)
            break
    print(ep, durations[-1], l if l is None else round(l, 3))
print(memory.memory[0])
SavedAction = namedtuple('SavedAction', ['log_prob', 'value'])

class Policy(nn.Module):

    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(2, 16)
        self.action_head = nn.Linear(16, 2)
        self.value_head = nn.Linear(16, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return (F.softmax(self.action_head(x), dim=-1), self.value_head(x))
model = Policy()
opt = optim.Adam(model.parameters(), lr=0.03)
eps = torch.finfo(torch.float32).eps.__float__()
fwd = torch.compile(model.forward)
running = 0
for ep in range(4):
    s = env.reset()
    total = 0
    for t in range(1, 30):
        probs, v = fwd(torch.tensor(s))
        m = Categorical(probs)
        a = m.sample()
        model.saved_actions.append(SavedAction(m.log_prob(a), v))
        s, r, done = env.step(a.item())
        model.rewards.append(r)
        total += r
        if done:
            break
    R = 0
    pl = []
    vl = []
    returns = []
    for r in model.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    for (lp, value), R in zip(model.saved_actions, returns):
        adv = R - value.item()
        pl.append(-lp * adv)
        vl.append(F.smooth_l1_loss(value, torch.tensor([R])))
    opt.zero_grad()
    loss = torch.stack(pl).sum() + torch.stack(vl).sum()
    loss.backward()
    opt.step()
    del model.rewards[:]
    del model.saved_actions[:]
    running = 0.05 * total + 0.95 * running
    print(f'Episode {ep}\tLast reward: {total:.2f}\tAverage reward: {running:.2f} {loss.item():.3f}')
d = Normal(torch.zeros(2), torch.ones(2))
act = d.rsample()
print(d.log_prob(act).sum(-1), d.entropy(), d, m.probs)
