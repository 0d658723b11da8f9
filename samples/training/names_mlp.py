# SPDX-License-Identifier: Apache-2.0
# A character model of names after Bengio et al. 2003, in the style of makemore: everything by hand,
# then a bigram table for comparison.
import torch
import torch.nn.functional as F

compiled = False

words = ["emma", "olivia", "ava", "isabella", "sophia", "charlotte", "mia", "amelia", "harper", "evelyn", "abigail",
         "emily", "elizabeth", "mila", "ella", "avery", "sofia", "camila", "aria", "scarlett", "victoria", "madison"]
chars = sorted(list(set("".join(words))))
stoi = {s: i + 1 for i, s in enumerate(chars)}
stoi["."] = 0
itos = {i: s for s, i in stoi.items()}
vocab_size = len(itos)
block_size = 3


def build_dataset(words):
    X, Y = [], []
    for w in words:
        context = [0] * block_size
        for ch in w + ".":
            ix = stoi[ch]
            X.append(context)
            Y.append(ix)
            context = context[1:] + [ix]
    return torch.tensor(X), torch.tensor(Y)


X, Y = build_dataset(words)
print("examples", tuple(X.shape), tuple(Y.shape))

g = torch.Generator().manual_seed(2147483647)
n_embd, n_hidden = 10, 48
C = torch.randn((vocab_size, n_embd), generator=g)
W1 = torch.randn((n_embd * block_size, n_hidden), generator=g) * (5 / 3) / ((n_embd * block_size) ** 0.5)
b1 = torch.randn(n_hidden, generator=g) * 0.01
W2 = torch.randn((n_hidden, vocab_size), generator=g) * 0.01
b2 = torch.randn(vocab_size, generator=g) * 0
bngain = torch.ones((1, n_hidden))
bnbias = torch.zeros((1, n_hidden))
parameters = [C, W1, b1, W2, b2, bngain, bnbias]
for p in parameters:
    p.requires_grad = True


def forward(Xb, Yb):
    emb = F.embedding(Xb, C)
    embcat = emb.view(emb.shape[0], -1)
    hpreact = embcat @ W1 + b1
    mean = hpreact.mean(0, keepdim=True)
    std = hpreact.std(0, keepdim=True)
    hpreact = bngain * (hpreact - mean) / std + bnbias
    h = torch.tanh(hpreact)
    logits = h @ W2 + b2
    return F.cross_entropy(logits, Yb)


run = torch.compile(forward) if compiled else forward
for i in range(30):
    ix = torch.randint(0, X.shape[0], (32,), generator=g)
    loss = run(X[ix], Y[ix])
    for p in parameters:
        p.grad = None
    loss.backward()
    lr = 0.1 if i < 20 else 0.01
    for p in parameters:
        p.data += -lr * p.grad
    if i % 3 == 0:
        print(f"step {i} loss {loss.item():.6f}")

# The bigram model: counts as gradients of a one-layer network.
xs = torch.tensor([stoi[c] for w in words for c in "." + w])
ys = torch.tensor([stoi[c] for w in words for c in w + "."])
W = torch.randn((vocab_size, vocab_size), generator=g, requires_grad=True)


def bigram_loss(W, xs, ys):
    xenc = F.one_hot(xs, num_classes=vocab_size).float()
    logits = xenc @ W
    counts = logits.exp()
    probs = counts / counts.sum(1, keepdim=True)
    picked = probs.gather(1, ys.view(-1, 1))
    return -picked.log().mean() + 0.01 * (W ** 2).mean()


bigram = torch.compile(bigram_loss) if compiled else bigram_loss
for k in range(10):
    loss = bigram(W, xs, ys)
    W.grad = None
    loss.backward()
    W.data += -50 * W.grad
    print(f"bigram {k} loss {loss.item():.6f}")
