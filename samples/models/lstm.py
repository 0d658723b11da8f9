# SPDX-License-Identifier: Apache-2.0
# LSTM: nn.LSTM over packed sequences and a cell written out, both as a tagger of words.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

compiled = True
device = "cuda" if torch.cuda.is_available() else "cpu"


class LSTMTagger(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, tagset_size):
        super(LSTMTagger, self).__init__()
        self.word_embeddings = nn.Embedding(vocab_size, embedding_dim, padding_idx=0)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, num_layers=2, batch_first=True, bidirectional=True)
        self.hidden2tag = nn.Linear(2 * hidden_dim, tagset_size)

    def forward(self, sentences, lengths):
        embeds = self.word_embeddings(sentences)
        packed = pack_padded_sequence(embeds, lengths, batch_first=True, enforce_sorted=False)
        packed, (hidden, cell) = self.lstm(packed)
        lstm_out, _ = pad_packed_sequence(packed, batch_first=True)
        return self.hidden2tag(lstm_out)


class LayerNormLSTMCell(nn.Module):
    """A cell with layer norms of the gates, as no library has it."""

    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.weight_ih = nn.Parameter(torch.randn(4 * hidden_size, input_size) * 0.2)
        self.weight_hh = nn.Parameter(torch.randn(4 * hidden_size, hidden_size) * 0.2)
        self.layernorm_i = nn.LayerNorm(4 * hidden_size)
        self.layernorm_h = nn.LayerNorm(4 * hidden_size)
        self.layernorm_c = nn.LayerNorm(hidden_size)

    def forward(self, input, state):
        hx, cx = state
        igates = self.layernorm_i(torch.mm(input, self.weight_ih.t()))
        hgates = self.layernorm_h(torch.mm(hx, self.weight_hh.t()))
        ingate, forgetgate, cellgate, outgate = (igates + hgates).chunk(4, 1)
        ingate = torch.sigmoid(ingate)
        forgetgate = torch.sigmoid(forgetgate)
        cellgate = torch.tanh(cellgate)
        outgate = torch.sigmoid(outgate)
        cy = self.layernorm_c((forgetgate * cx) + (ingate * cellgate))
        hy = outgate * torch.tanh(cy)
        return hy, (hy, cy)


class CellTagger(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, tagset_size):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.word_embeddings = nn.Embedding(vocab_size, embedding_dim, padding_idx=0)
        self.cell = LayerNormLSTMCell(embedding_dim, hidden_dim)
        self.hidden2tag = nn.Linear(hidden_dim, tagset_size)

    def forward(self, sentences, lengths):
        inputs = self.word_embeddings(sentences).unbind(1)
        zeros = inputs[0].new_zeros(sentences.shape[0], self.hidden_dim)
        state = (zeros, zeros)
        outputs = []
        for i in range(len(inputs)):
            out, state = self.cell(inputs[i], state)
            outputs += [out]
        return self.hidden2tag(torch.stack(outputs, dim=1))


def tag_loss(scores, tags):
    return F.nll_loss(F.log_softmax(scores.float(), dim=-1).flatten(0, 1), tags.flatten(), ignore_index=-1)


for kind in (LSTMTagger, CellTagger):
    for dtype in (torch.float32, torch.bfloat16):
        torch.manual_seed(1)
        model = kind(vocab_size=40, embedding_dim=16, hidden_dim=24, tagset_size=5).to(device, dtype)
        run = torch.compile(model) if compiled else model
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        lengths = [12, 7, 9, 3]
        sentences = pad_sequence([torch.randint(1, 40, (n,)) for n in lengths], batch_first=True).to(device)
        tags = pad_sequence([torch.randint(0, 5, (n,)) for n in lengths], batch_first=True, padding_value=-1).to(device)
        scores = run(sentences, lengths)
        loss = tag_loss(scores, tags)
        model.zero_grad()
        loss.backward()
        scores = scores.float()
        print(kind.__name__, dtype, tuple(scores.shape),
              f"sum {scores.sum().item():.4f} of sizes {scores.abs().sum().item():.4f}")
        for name, p in model.named_parameters():
            if name in ("word_embeddings.weight", "lstm.weight_ih_l1_reverse", "lstm.bias_hh_l0", "cell.weight_hh",
                        "cell.layernorm_c.weight", "hidden2tag.weight"):
                print(f"  gradient of {name}: {p.grad.float().norm().item():.4f}")
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=5.0)
        optimizer.step()
        print(f"  loss {loss.item():.4f}, after one step {tag_loss(run(sentences, lengths), tags).item():.4f}")
