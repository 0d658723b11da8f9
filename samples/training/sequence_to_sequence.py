# SPDX-License-Identifier: Apache-2.0
# Sequences turned around: a packed bidirectional GRU, additive attention, a decoder with teacher forcing.
# Encoder and decoder are compiled modules of a module that is not.
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

compiled = False
torch.manual_seed(0)
random.seed(0)
V, H, PAD, BOS, EOS = 20, 32, 0, 1, 2


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, H, padding_idx=PAD)
        self.rnn = nn.GRU(H, H, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * H, H)

    def forward(self, src, lengths):
        e = self.emb(src)
        packed = nn.utils.rnn.pack_padded_sequence(e, lengths, batch_first=True, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True, total_length=src.size(1))
        return out, torch.tanh(self.fc(torch.cat([h[0], h[1]], dim=1)))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.W = nn.Linear(H, H)
        self.U = nn.Linear(2 * H, H)
        self.v = nn.Linear(H, 1, bias=False)

    def forward(self, h, enc, mask):
        s = self.v(torch.tanh(self.W(h).unsqueeze(1) + self.U(enc))).squeeze(-1)
        s = s.masked_fill(~mask, float("-inf"))
        a = F.softmax(s, dim=-1)
        return torch.bmm(a.unsqueeze(1), enc).squeeze(1), a


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, H)
        self.att = Attention()
        self.cell = nn.GRUCell(3 * H, H)
        self.out = nn.Linear(4 * H, V)

    def forward(self, tok, h, enc, mask):
        e = self.emb(tok)
        ctx, a = self.att(h, enc, mask)
        h = self.cell(torch.cat([e, ctx], 1), h)
        return self.out(torch.cat([h, ctx, e], 1)), h, a


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = Encoder(), Decoder()

    def forward(self, src, lengths, tgt, forcing=0.5):
        enc, h = self.enc(src, lengths)
        mask = src != PAD
        tok, outs = tgt[:, 0], []
        for t in range(1, tgt.size(1)):
            logit, h, a = self.dec(tok, h, enc, mask)
            outs.append(logit)
            tok = tgt[:, t] if random.random() < forcing else logit.argmax(1)
        return torch.stack(outs, 1)


def batch(n=16):
    seqs = [[random.randint(3, V - 1) for _ in range(random.randint(3, 7))] for _ in range(n)]
    L = 7
    src = torch.tensor([s + [PAD] * (L - len(s)) for s in seqs])
    tgt = torch.tensor([[BOS] + s[::-1] + [EOS] + [PAD] * (L - len(s)) for s in seqs])
    return src, torch.tensor([len(s) for s in seqs]), tgt


model = Seq2Seq()
if compiled:
    model.enc = torch.compile(model.enc)
    model.dec = torch.compile(model.dec)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=30)
crit = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.05)
for step in range(30):
    src, lengths, tgt = batch()
    out = model(src, lengths, tgt)
    loss = crit(out.reshape(-1, V), tgt[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 5 == 0:
        print(f"{step} {loss.item():.4f} {norm.item():.4f} {sched.get_last_lr()[0]:.6f}")
model.eval()
with torch.no_grad():
    src, lengths, tgt = batch(4)
    out = model(src, lengths, tgt, forcing=0.0)
    print(out.argmax(-1).tolist(), f"{F.cross_entropy(out.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD):.4f}")
