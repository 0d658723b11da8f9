# SPDX-License-Identifier: Apache-2.0
# torch.sym_int and its like, of numbers and of sizes; functions of torch that others have under another name.
import math

import torch
from torch import _ops


class SymInt(int):
    """A size that a graph leaves open, as a script's backend sees it: the number of the call that was captured, which
    prints as the symbol that it has in the graph. Elsewhere sizes are int."""

    def __new__(cls, value, symbol):
        made = int.__new__(cls, value)
        made.symbol = symbol
        return made

    def __repr__(self):
        return self.symbol

    def __str__(self):
        return self.symbol


class SymFloat:
    pass


class SymBool:
    pass


def sym_int(a):
    return int(a)


def sym_float(a):
    return float(a)


def sym_max(a, b):
    largest = max(a, b)
    return float(largest) if isinstance(a, float) or isinstance(b, float) else largest


def sym_min(a, b):
    least = min(a, b)
    return float(least) if isinstance(a, float) or isinstance(b, float) else least


def sym_not(a):
    return not a


def sym_ite(b, t, f):
    return t if b else f


def sym_sqrt(a):
    return math.sqrt(a)


def sym_sum(args):
    return sum(args)


def _functional(name):
    return lambda *args, **kwargs: getattr(torch.nn.functional, name)(*args, **kwargs)


alpha_dropout, feature_alpha_dropout, celu_, selu_, threshold_, rrelu, rrelu_ = [
    _functional(name) for name in ("alpha_dropout", "feature_alpha_dropout", "celu_", "selu_", "threshold_", "rrelu",
                                   "rrelu_")]


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    return torch.nn.functional.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank,
                                        ("none", "mean", "sum")[reduction], zero_infinity)


def dropout(input, p, train):
    return torch.nn.functional.dropout(input, p, train)


def _unreduced(name, place):
    """A loss as torch has it: unlike that of torch.nn.functional it reduces only where asked to, by the argument at
    this place."""
    def loss(*args, **kwargs):
        if len(args) <= place:
            kwargs.setdefault("reduction", 0)
        return getattr(_ops, name)(*args, **kwargs)

    loss.__name__ = name
    return loss


binary_cross_entropy_with_logits, cosine_embedding_loss, hinge_embedding_loss, kl_div, margin_ranking_loss, \
    triplet_margin_loss = [
        _unreduced(name, place) for name, place in (
            ("binary_cross_entropy_with_logits", 4), ("cosine_embedding_loss", 4), ("hinge_embedding_loss", 3),
            ("kl_div", 2), ("margin_ranking_loss", 4), ("triplet_margin_loss", 7))]


def _removed(name):
    def refuse(*args, **kwargs):
        raise RuntimeError(f"This function was deprecated since version 1.9 and is now removed. `torch.{name}` is "
                           f"deprecated in favor of `torch.linalg.{name}`")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


cholesky, qr = _removed("cholesky"), _removed("qr")


def frobenius_norm(input, dim=None, keepdim=False, *, out=None):
    found = torch.linalg.vector_norm(input, 2, dim, keepdim)
    return found if out is None else out.copy_(found)


def nuclear_norm(input, dim=(-2, -1), keepdim=False, *, out=None):
    found = torch.linalg.matrix_norm(input, "nuc", dim, keepdim)
    return found if out is None else out.copy_(found)
