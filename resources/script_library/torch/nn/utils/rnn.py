# SPDX-License-Identifier: Apache-2.0
# torch.nn.utils.rnn in the script language.
import torch


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    sequences = list(sequences)
    longest = max(s.shape[0] for s in sequences)
    rows = []
    for s in sequences:
        missing = longest - s.shape[0]
        if missing > 0:
            block = torch.full((missing,) + tuple(s.shape[1:]), padding_value, dtype=s.dtype, device=s.device)
            s = torch.cat([block, s] if padding_side == "left" else [s, block])
        rows.append(s)
    return torch.stack(rows, 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [row[:int(length)] for row, length in zip(padded_sequences, lengths)]
