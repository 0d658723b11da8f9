# SPDX-License-Identifier: Apache-2.0
# Connectionist temporal classification: Graves et al., "Connectionist Temporal Classification: Labelling Unsegmented
# Sequence Data with Recurrent Neural Networks" (2006), equations 6 to 8. Forwards, one step of time after the other, in
# logarithms; the gradient follows.
import torch

_NEVER = -1e30  # the logarithm of 0, with which one can compute


def _lengths(name, given, device):
    if not torch.is_tensor(given):
        given = torch.tensor(list(given) if isinstance(given, (list, tuple)) else [given])
    if given.is_floating_point():
        raise RuntimeError(f"{name} must be integral")
    return given.to(torch.int64).to(device).reshape(-1)


_behind = " (while checking arguments for ctc_loss_allocate_outputs)"


def _want_lengths(targets, inputs, lengths, steps, batch):
    """Refuses, in PyTorch's words, lengths that there are no steps or targets for."""
    if not 1 <= targets.dim() <= 2:
        raise RuntimeError(f"Expected 1 to 2 dimensions, but got {targets.dim()}-dimensional tensor for argument #2 "
                           "'targets'" + _behind)
    for name, of in (("input_lengths", inputs.tolist()), ("target_lengths", lengths.tolist())):
        if of and min(of) < 0:
            raise RuntimeError(f"Expected {name} to have value at least 0, but got value {min(of)}" + _behind)
    most, widest = max(inputs.tolist(), default=0), max(lengths.tolist(), default=0)
    if targets.dim() == 1 and targets.shape[0] != sum(lengths.tolist()):
        raise RuntimeError(f"Expected tensor to have size {sum(lengths.tolist())} at dimension 0, but got size "
                           f"{targets.shape[0]} for argument #2 'targets'" + _behind)
    if targets.dim() == 2 and targets.shape[0] != batch:
        raise RuntimeError(f"Expected tensor to have size {batch} at dimension 0, but got size {targets.shape[0]} for "
                           "argument #2 'targets'" + _behind)
    if targets.dim() == 2 and targets.shape[1] < widest:
        raise RuntimeError(f"Expected tensor to have size at least {widest} at dimension 1, but got size "
                           f"{targets.shape[1]} for argument #2 'targets'" + _behind)
    if most > steps:
        raise RuntimeError(f"Expected input_lengths to have value at most {steps}, but got value {most}" + _behind)


def _sum_of_logs(terms):
    return torch.logsumexp(torch.stack(terms, -1), -1)


def _rows(targets, lengths, batch):
    """Targets that stand one behind the other as one row for each."""
    if targets.dim() == 2:
        return targets.to(torch.int64)
    counts, start, rows = lengths.tolist(), 0, []
    widest = max(counts, default=0)
    for count in counts:
        rows.append(torch.nn.functional.pad(targets[start:start + count].to(torch.int64), (0, widest - count)))
        start += count
    return torch.stack(rows) if rows else targets.reshape(batch, 0).to(torch.int64)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    single = log_probs.dim() == 2
    if single:
        log_probs, targets = log_probs.unsqueeze(1), targets.reshape(1, -1) if targets.dim() == 1 else targets
    steps, batch, classes = log_probs.shape
    if log_probs.numel() == 0:
        raise RuntimeError("log_probs tensor must not be empty")
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    device = log_probs.device
    inputs, lengths = (_lengths(name, of, device) for name, of in (
        ("input_lengths", input_lengths), ("target_lengths", target_lengths)))
    for name, of in (("input_lengths", inputs), ("target_lengths", lengths)):
        if of.shape[0] != batch:
            raise RuntimeError(f"{name} must be of size batch_size")
    _want_lengths(targets, inputs, lengths, steps, batch)
    labels = _rows(targets.to(device), lengths, batch)
    width = labels.shape[1]
    # blank, first label, blank, second label ... blank
    spaced = torch.full((batch, 2 * width + 1), blank, dtype=torch.int64, device=device)
    if width:
        blanks = torch.full_like(labels, blank)
        spaced = torch.cat([torch.stack([blanks, labels], -1).reshape(batch, -1), blanks[:, :1]], 1)
    place = torch.arange(2 * width + 1, device=device)
    # From two places before, over a blank between different labels.
    skips = (place % 2 == 1) & (place >= 3) & (spaced != torch.roll(spaced, 2, 1))
    emitted = torch.gather(log_probs, 2, spaced.unsqueeze(0).expand(steps, batch, 2 * width + 1))
    alpha = torch.where(place < 2, emitted[0] if steps else torch.zeros(batch, 1, dtype=log_probs.dtype), _NEVER)
    alpha = torch.where(inputs.unsqueeze(1) > 0, alpha, torch.where(place == 0, 0.0, _NEVER).to(log_probs.dtype))
    for t in range(1, steps):
        one = torch.nn.functional.pad(alpha, (1, 0), value=_NEVER)[:, :-1]
        two = torch.where(skips, torch.nn.functional.pad(alpha, (2, 0), value=_NEVER)[:, :2 * width + 1], _NEVER)
        moved = (_sum_of_logs([alpha, one, two]) + emitted[t]).clamp(min=_NEVER)
        alpha = torch.where((t < inputs).unsqueeze(1), moved, alpha)
    last = (2 * lengths).unsqueeze(1)
    ends = [torch.gather(alpha, 1, last).squeeze(1),
            torch.where(lengths > 0, torch.gather(alpha, 1, (last - 1).clamp(min=0)).squeeze(1), _NEVER)]
    loss = -_sum_of_logs(ends)
    # PyTorch's gradient is that of a log_softmax before: with the sum of the probabilities, which is constant.
    inside = (torch.arange(steps, device=device).unsqueeze(1) < inputs).unsqueeze(-1)
    total = torch.where(inside, torch.exp(log_probs), 0).sum((0, 2))
    loss = loss + (total - total.detach())
    impossible = loss > -0.5 * _NEVER
    if not zero_infinity:  # PyTorch's gradient of what cannot be is NaN: 0 / 0
        loss = loss / torch.where(impossible, 0.0, 1.0)
    loss = torch.where(impossible, 0.0 if zero_infinity else float("inf"), loss)
    if reduction == "mean":
        return (loss / lengths.clamp(min=1).to(loss.dtype)).mean()
    if reduction == "sum":
        return loss.sum()
    return loss.squeeze(0) if single else loss
