# SPDX-License-Identifier: Apache-2.0
# Packed sequences through recurrent layers, bags of embeddings, torch.Tensor as a constructor: values,
# then gradients. What PyTorch printed: sequences.txt.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import rnn

compiled = False


def say(what, *tensors):
    numbers = [f"{v:.4f}" for t in tensors for v in (t.double().sum().item(), t.double().abs().sum().item())]
    print(what, *[tuple(t.shape) for t in tensors], *numbers)


def gradients(of, *inputs):
    weights = [torch.linspace(0.5, 1.5, o.numel()).reshape(o.shape) for o in of]
    loss = sum((o * w).sum() for o, w in zip(of, weights))
    return torch.autograd.grad(loss, inputs)


def maybe(f):
    return torch.compile(f) if compiled else f


for kind in ("LSTM", "GRU", "RNN"):
    for bidirectional in (False, True):
        for lengths in ([5, 2, 4, 1], [3, 3, 3, 3], [6, 5, 5, 2]):
            torch.manual_seed(0)
            layer = getattr(nn, kind)(3, 4, num_layers=2, bidirectional=bidirectional, batch_first=True)
            x = torch.randn(4, 6, 3, requires_grad=True)
            ordered = lengths == sorted(lengths, reverse=True)

            def run(x):
                packed = rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=ordered)
                out, state = layer(packed)
                padded, found = rnn.pad_packed_sequence(out, batch_first=True, padding_value=0.25, total_length=7)
                states = state if isinstance(state, tuple) else (state,)
                return (padded,) + states + (found,)

            *values, found = maybe(run)(x)
            print(kind, bidirectional, found.tolist())
            say("values", *values)
            say("gradients", *gradients(values, x, *layer.parameters()))

torch.manual_seed(1)
x, h0 = torch.randn(3, 2, 3), torch.randn(1, 2, 4)
packed = rnn.pack_padded_sequence(x, torch.tensor([2, 3]), enforce_sorted=False)
print(packed.batch_sizes.tolist(), packed.sorted_indices.tolist(), packed.unsorted_indices.tolist())
gru = nn.GRU(3, 4)
out, state = gru(packed, h0)
say("with a state", out.data, state)
print([tuple(s.shape) for s in rnn.unpack_sequence(out)], type(out).__name__, out.double().data.dtype)
say("packed", rnn.pack_sequence([torch.ones(3), torch.ones(2), torch.ones(1)]).data)
say("left", rnn.pad_sequence([torch.arange(3), torch.arange(2)], batch_first=True, padding_side="left", padding_value=7))
lstm = nn.LSTM(3, 4, num_layers=2, proj_size=2, bidirectional=True)
print(lstm, [tuple(p.shape) for p in lstm.parameters()])
out, (h, c) = maybe(lstm)(x)
say("projected", out, h, c, *gradients([out], *lstm.parameters()))
for make in (lambda: nn.LSTM(3, 4, proj_size=4), lambda: rnn.pack_padded_sequence(x, [1, 2]),
             lambda: rnn.pack_padded_sequence(x, [2]), lambda: rnn.pack_padded_sequence(x, [1, 0])):
    try:
        make()
    except Exception as e:
        print(type(e).__name__)

torch.manual_seed(2)
table = torch.randn(10, 3, requires_grad=True)
words = torch.tensor([1, 2, 4, 5, 4, 3, 2, 9])
starts = torch.tensor([0, 4, 4, 6])
scale = torch.rand(8, requires_grad=True)
for mode in ("sum", "mean", "max"):
    for padding in (None, 4, -7):
        for last in (False, True):
            def bag(words, table):
                ends = torch.cat([starts, torch.tensor([8])]) if last else starts
                return F.embedding_bag(words, table, ends, mode=mode, padding_idx=padding, include_last_offset=last)
            out = maybe(bag)(words, table)
            say(f"bags {mode} {padding} {last}", out, *gradients([out], table))
    out = maybe(lambda words, table: F.embedding_bag(words, table, mode=mode))(words.view(2, 4), table)
    say(f"rows {mode}", out, *gradients([out], table))
weighted = maybe(lambda words, table, scale: F.embedding_bag(words, table, starts, mode="sum", per_sample_weights=scale))
out = weighted(words, table, scale)
say("weighted", out, *gradients([out], table, scale))
layer = nn.EmbeddingBag(10, 3, mode="sum", padding_idx=1)
say("layer", layer(words, starts), layer.weight[1])
print(layer, nn.EmbeddingBag.from_pretrained(table.detach()).weight.requires_grad)
for call in (lambda: F.embedding_bag(words, table), lambda: F.embedding_bag(words.view(2, 4), table, starts),
             lambda: F.embedding_bag(words, table, starts, mode="min"),
             lambda: F.embedding_bag(words, table, starts, per_sample_weights=scale)):
    try:
        call()
    except Exception as e:
        print(type(e).__name__)

print(torch.Tensor(2, 3).shape, torch.Tensor().shape, torch.Tensor(torch.Size([4])).dtype, torch.Tensor((1, 2)).tolist())
print(torch.Tensor([[1, 2], [3, 4]]), torch.LongTensor([1.0, 2.0]), torch.FloatTensor(2).shape, torch.BoolTensor([0, 3]))
print(isinstance(torch.ones(1), torch.FloatTensor), isinstance(torch.ones(1), torch.LongTensor), torch.ones(1).type(),
      torch.ones(1).type("torch.DoubleTensor").dtype)
shared = torch.ones(2)
torch.Tensor(shared).add_(1)
print(shared.tolist())
print(maybe(lambda x: torch.Tensor([1, 2]) + torch.LongTensor([x.shape[0], 1]) + torch.Tensor(2).zero_())(words))
for call in (lambda: torch.Tensor(torch.arange(2)), lambda: torch.LongTensor(torch.ones(2)), lambda: torch._assert(False, "no")):
    try:
        call()
    except Exception as e:
        print(type(e).__name__)


class Written(nn.Conv1d):
    def _conv_forward(self, input, weight, bias):
        return super()._conv_forward(input, weight.double(), None if bias is None else bias.double())


torch.manual_seed(3)
convolution = Written(3, 4, 3, padding=1)
say("convolution", maybe(convolution)(torch.randn(2, 3, 5).double()))
for mode in ("reflect", "replicate", "circular"):
    for padding in (2, "same", "valid"):
        layer = nn.Conv2d(2, 3, (3, 4), padding=padding, padding_mode=mode, dilation=(2, 1))
        images = torch.randn(2, 2, 7, 6, requires_grad=True)
        out = maybe(layer)(images)
        say(f"{layer}", out, *gradients([out], images, layer.weight))


# The largest of a bag: the first that is named has the whole gradient.
def go(f, idx, off, E, **kw):
    E = torch.tensor(E, requires_grad=True)
    y = f(torch.tensor(idx, dtype=torch.long), E, torch.tensor(off), mode="max", **kw); (y * torch.arange(1., y.numel() + 1).reshape(y.shape)).sum().backward()
    print(y.tolist(), E.grad.tolist())
for f in (F.embedding_bag, torch.compile(lambda *a, **k: F.embedding_bag(*a, **k))):
    go(f, [0, 1], [0], [[-1.], [0.], [2.]])
    go(f, [1, 1, 2], [0, 2], [[-1.], [0.], [2.]])
    go(f, [1, 0], [0], [[1.], [1.]])
    go(f, [1, 0, 2, 2, 0], [0, 3, 3], [[1., 4.], [1., 3.], [0., 4.]])
    go(f, [1, 0, 2, 2, 0], [0, 3], [[1., 4.], [1., 3.], [0., 4.]], padding_idx=2)
    go(f, [2, 2], [0, 1], [[1., 4.], [1., 3.], [0., 4.]], padding_idx=2)
    go(f, [1, 0, 2, 2, 0], [0, 3, 5], [[1., 4.], [-1., -3.], [0., 4.]], include_last_offset=True)
    go(f, [], [0, 0], [[1., 4.], [1., 3.]])
