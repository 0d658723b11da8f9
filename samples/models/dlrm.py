# SPDX-License-Identifier: Apache-2.0
# DLRM: bags of sparse features, dense features through an MLP, interactions by dot products.
import math

import torch
import torch.nn as nn

compiled = True
device = "cuda" if torch.cuda.is_available() else "cpu"


class DLRM_Net(nn.Module):
    def create_mlp(self, ln, sigmoid_layer):
        layers = nn.ModuleList()
        for i in range(0, len(ln) - 1):
            n, m = ln[i], ln[i + 1]
            LL = nn.Linear(int(n), int(m), bias=True)
            nn.init.normal_(LL.weight, 0.0, math.sqrt(2 / (m + n)))
            nn.init.normal_(LL.bias, 0.0, math.sqrt(1 / m))
            layers.append(LL)
            layers.append(nn.Sigmoid() if i == sigmoid_layer else nn.ReLU())
        return torch.nn.Sequential(*layers)

    def create_emb(self, m, ln):
        emb_l = nn.ModuleList()
        for n in ln:
            EE = nn.EmbeddingBag(n, m, mode="sum")
            with torch.no_grad():
                EE.weight.uniform_(-math.sqrt(1 / n), math.sqrt(1 / n))
            emb_l.append(EE)
        return emb_l

    def __init__(self, m_spa, ln_emb, ln_bot, ln_top, arch_interaction_op="dot", arch_interaction_itself=False,
                 loss_threshold=0.0):
        super(DLRM_Net, self).__init__()
        self.arch_interaction_op = arch_interaction_op
        self.arch_interaction_itself = arch_interaction_itself
        self.loss_threshold = loss_threshold
        self.emb_l = self.create_emb(m_spa, ln_emb)
        self.bot_l = self.create_mlp(ln_bot, -1)
        self.top_l = self.create_mlp(ln_top, len(ln_top) - 2)

    def apply_mlp(self, x, layers):
        return layers(x)

    def apply_emb(self, lS_o, lS_i, emb_l):
        ly = []
        for k, sparse_index_group_batch in enumerate(lS_i):
            sparse_offset_group_batch = lS_o[k]
            E = emb_l[k]
            V = E(sparse_index_group_batch, sparse_offset_group_batch)
            ly.append(V)
        return ly

    def interact_features(self, x, ly):
        if self.arch_interaction_op == "dot":
            (batch_size, d) = x.shape
            T = torch.cat([x] + ly, dim=1).view((batch_size, -1, d))
            Z = torch.bmm(T, torch.transpose(T, 1, 2))
            _, ni, nj = Z.shape
            offset = 1 if self.arch_interaction_itself else 0
            li = torch.tensor([i for i in range(ni) for j in range(i + offset)])
            lj = torch.tensor([j for i in range(nj) for j in range(i + offset)])
            Zflat = Z[:, li, lj]
            R = torch.cat([x] + [Zflat], dim=1)
        elif self.arch_interaction_op == "cat":
            R = torch.cat([x] + ly, dim=1)
        else:
            raise ValueError("--arch-interaction-op=" + self.arch_interaction_op + " is not supported")
        return R

    def forward(self, dense_x, lS_o, lS_i):
        x = self.apply_mlp(dense_x, self.bot_l)
        ly = self.apply_emb(lS_o, lS_i, self.emb_l)
        z = self.interact_features(x, ly)
        p = self.apply_mlp(z, self.top_l)
        if 0.0 < self.loss_threshold and self.loss_threshold < 1.0:
            z = torch.clamp(p, min=self.loss_threshold, max=(1.0 - self.loss_threshold))
        else:
            z = p
        return z


def random_bags(batch, tables):
    """Offsets and indices of one bag a row and table, of one to four indices each."""
    offsets, indices = [], []
    for n in tables:
        counts = torch.randint(1, 5, (batch,))
        offsets.append(torch.cat([torch.zeros(1, dtype=torch.long), counts.cumsum(0)[:-1]]))
        indices.append(torch.randint(0, n, (int(counts.sum()),)))
    return torch.stack(offsets), indices


tables = [30, 12, 50, 7]
for itself in (False, True):
    for dtype in (torch.float32, torch.bfloat16):
        torch.manual_seed(0)
        interactions = 5 * 4 // 2 + (5 if itself else 0)
        model = DLRM_Net(8, tables, [6, 16, 8], [8 + interactions, 16, 1], arch_interaction_itself=itself)
        model = model.to(device, dtype)
        run = torch.compile(model) if compiled else model
        loss_fn = torch.nn.BCELoss(reduction="mean")
        optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
        dense = torch.log1p(torch.rand(16, 6) * 10).to(device, dtype)
        lS_o, lS_i = random_bags(16, tables)
        lS_o, lS_i = lS_o.to(device), [i.to(device) for i in lS_i]
        clicks = torch.rand(16, 1).round().to(device)
        z = run(dense, lS_o, lS_i)
        loss = loss_fn(z.float(), clicks)
        loss.backward()
        print("with itself" if itself else "lower triangle", dtype, tuple(z.shape), f"sum {z.float().sum().item():.4f}")
        for name in ("emb_l.0.weight", "emb_l.3.weight", "bot_l.0.weight", "top_l.0.weight", "top_l.2.bias"):
            print(f"  gradient of {name}: {model.get_parameter(name).grad.float().norm().item():.4f}")
        optimizer.step()
        accuracy = ((z.detach().float() > 0.5) == (clicks > 0.5)).float().mean().item()
        print(f"  loss {loss.item():.4f}, after one step {loss_fn(run(dense, lS_o, lS_i).float(), clicks).item():.4f},",
              f"accuracy {accuracy:.4f}")
