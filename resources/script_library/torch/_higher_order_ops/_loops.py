# SPDX-License-Identifier: Apache-2.0
# Operations that take functions; torch._higher_order_ops has them by their names.
import torch
from torch.utils import _pytree as pytree


def while_loop(cond_fn, body_fn, carried_inputs, additional_inputs=()):
    """body_fn of what it gave before, as long as cond_fn holds of it. Under capture it runs as a whole between two graphs."""
    return _C.call_opaque(_loop, cond_fn, body_fn, carried_inputs, additional_inputs)


def _loop(cond_fn, body_fn, carried_inputs, additional_inputs):
    carried = tuple(carried_inputs)
    while cond_fn(*carried, *additional_inputs):
        found = body_fn(*carried, *additional_inputs)
        carried = tuple(found) if isinstance(found, (list, tuple)) else (found,)
    return carried


def _rows(trees, dim):
    """The slices of trees of tensors along a dimension."""
    leaves, spec = pytree.tree_flatten(trees)
    return [spec.unflatten([leaf.select(dim, i) for leaf in leaves]) for i in range(leaves[0].shape[dim])]


def _stacked(found, dim):
    leaves = [pytree.tree_flatten(v)[0] for v in found]
    return pytree.tree_structure(found[0]).unflatten([torch.stack(column, dim) for column in zip(*leaves)])


def scan(combine_fn, init, xs, *, dim=0, reverse=False):
    """(what combine_fn carries at the end, what it gave of each slice)."""
    rows, carried, found = _rows(xs, dim), init, []
    for row in reversed(rows) if reverse else rows:
        carried, given = combine_fn(carried, row)
        found.append(given)
    return carried, _stacked(found[::-1] if reverse else found, 0)


def associative_scan(combine_fn, xs, dim, reverse=False, combine_mode="pointwise"):
    """Each slice combined with all before it."""
    rows = _rows(xs, dim)
    rows = rows[::-1] if reverse else rows
    found = rows[:1]
    for row in rows[1:]:
        found.append(combine_fn(found[-1], row))
    return _stacked(found[::-1] if reverse else found, dim)


def map(f, xs, *args):
    """f of every slice along the first dimension."""
    return _stacked([f(row, *args) for row in _rows(xs, 0)], 0)
