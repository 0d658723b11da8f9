# SPDX-License-Identifier: Apache-2.0
# torch.nn.utils.rnn in the script language.
from collections import namedtuple

import torch

_Packed = namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])


class PackedSequence(_Packed):
    """Rows of all sequences, step by step: `batch_sizes` says how many sequences reach each step."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    _counts = None  # batch_sizes as numbers, where they are known: reading a tensor would end a capture

    def _sizes(self):
        return self.batch_sizes.tolist() if self._counts is None else self._counts

    def _with(self, data):
        other = PackedSequence(data, self.batch_sizes, self.sorted_indices, self.unsorted_indices)
        other._counts = self._counts
        return other

    def to(self, *args, **kwargs):
        return self._with(self.data.to(*args, **kwargs))

    def cuda(self, *args, **kwargs):
        return self._with(self.data.cuda(*args, **kwargs))

    def cpu(self):
        return self._with(self.data.cpu())

    def double(self):
        return self._with(self.data.double())

    def float(self):
        return self._with(self.data.float())

    @property
    def is_cuda(self):
        return self.data.is_cuda


def invert_permutation(permutation):
    if permutation is None:
        return None
    return torch.empty_like(permutation).scatter_(0, permutation, torch.arange(permutation.shape[0],
                                                                              device=permutation.device))


def _numbers(lengths):
    return lengths.tolist() if isinstance(lengths, torch.Tensor) else [int(n) for n in lengths]


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = _numbers(lengths)
    if not batch_first:
        input = input.transpose(0, 1)
    if len(lengths) != input.shape[0]:
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {len(lengths)} "
                           f"(batch_size={input.shape[0]})")
    if min(lengths) <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is "
                           "<= 0")
    order = None
    if enforce_sorted:
        if any(a < b for a, b in zip(lengths, lengths[1:])):
            raise RuntimeError("`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You "
                               "can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
                               "sidestep this requirement if you do not need ONNX exportability.")
    else:
        places = sorted(range(len(lengths)), key=lambda i: -lengths[i])
        lengths = [lengths[i] for i in places]
        order = torch.tensor(places, device=input.device)
        input = input.index_select(0, order)
    sizes = [sum(1 for n in lengths if n > t) for t in range(lengths[0])]
    data = torch.cat([input[:n, t] for t, n in enumerate(sizes)])
    packed = PackedSequence(data, torch.tensor(sizes), order)
    packed._counts = sizes
    return packed


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    sizes = sequence._sizes()
    if total_length is not None and total_length < len(sizes):
        raise ValueError("Expected total_length to be at least the length of the longest sequence in input, but got "
                         f"total_length={total_length} and max sequence length being {len(sizes)}")
    steps = [_filled_up(rows, sizes[0], padding_value) for rows in sequence.data.split(sizes)]
    padded = torch.stack(steps)
    if total_length is not None and total_length > len(sizes):
        padded = _filled_up(padded, total_length, padding_value)
    lengths = torch.tensor([sum(1 for n in sizes if n > i) for i in range(sizes[0])])
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices.cpu()]
    return (padded.transpose(0, 1) if batch_first else padded), lengths


def _filled_up(rows, count, value):
    missing = count - rows.shape[0]
    if missing == 0:
        return rows
    block = torch.full((missing,) + tuple(rows.shape[1:]), value, dtype=rows.dtype, device=rows.device)
    return torch.cat([rows, block])


def pack_sequence(sequences, enforce_sorted=True):
    lengths = [s.shape[0] for s in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    sequences = list(sequences)
    longest = max(s.shape[0] for s in sequences)
    rows = []
    for s in sequences:
        if padding_side == "left":
            s = _filled_up(s.flip(0), longest, padding_value).flip(0)
        rows.append(_filled_up(s, longest, padding_value))
    return torch.stack(rows, 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [row[:int(length)] for row, length in zip(padded_sequences, lengths)]
