# SPDX-License-Identifier: Apache-2.0
# A word-level LSTM language model: truncated backpropagation through time, gradient clipping.
import math

import torch
import torch.nn as nn

compiled = False
torch.manual_seed(5)

corpus = ("a cat sat on a mat . a dog sat on a log . the cat saw the dog . the dog saw the cat . "
          "a cat and a dog sat on the mat . the mat and the log sat . ").split() * 4
vocabulary = sorted(set(corpus))
ids = torch.tensor([vocabulary.index(w) for w in corpus])


def batchify(data, columns):
    rows = data.size(0) // columns
    return data.narrow(0, 0, rows * columns).view(columns, -1).t().contiguous()


source = batchify(ids, 4)


class RNNModel(nn.Module):
    def __init__(self, words, width, hidden):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.encoder = nn.Embedding(words, width)
        self.rnn = nn.LSTM(width, hidden, 2)
        self.decoder = nn.Linear(hidden, words)
        self.hidden = hidden
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -0.1, 0.1)

    def forward(self, input, hidden):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        decoded = self.decoder(self.drop(output))
        return decoded.view(-1, decoded.size(-1)), hidden

    def init_hidden(self, batch):
        weight = next(self.parameters())
        return (weight.new_zeros(2, batch, self.hidden), weight.new_zeros(2, batch, self.hidden))


def repackage_hidden(h):
    return tuple(v.detach() for v in h)


model = RNNModel(len(vocabulary), 16, 24)
criterion = nn.CrossEntropyLoss()
loss_of = torch.compile(criterion) if compiled else criterion
length = 8
lr = 2.0
for epoch in range(3):
    model.train()
    hidden = model.init_hidden(4)
    total = 0.0
    count = 0
    for i in range(0, source.size(0) - 1, length):
        size = min(length, source.size(0) - 1 - i)
        data, target = source[i:i + size], source[i + 1:i + 1 + size].reshape(-1)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = loss_of(output, target)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total += loss.item()
        count += 1
    print(f"epoch {epoch} loss {total / count:.5f} perplexity {math.exp(total / count):.4f}")
    lr /= 1.5
