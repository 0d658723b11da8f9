# SPDX-License-Identifier: Apache-2.0

import torch as _torch


class EinopsError(RuntimeError):
    pass


def _side(text):
    """[["b"], ["h", "w"], ["..."], []]: the axes of each dimension; "1" is an empty one."""
    out, group = [], None
    for token in text.replace("(", " ( ").replace(")", " ) ").replace("...", " ... ").split():
        if token == "(":
            if group is not None:
                raise EinopsError(f"brackets inside of brackets in {text!r}")
            group = []
        elif token == ")":
            out.append(group)
            group = None
        else:
            axes = [] if token == "1" else [token]
            if group is None:
                out.append(axes)
            else:
                group.extend(axes)
    if group is not None:
        raise EinopsError(f"brackets are not closed in {text!r}")
    return out


def _parse(pattern):
    if pattern.count("->") != 1:
        raise EinopsError(f"a pattern has one '->': {pattern!r}")
    left, right = pattern.split("->")
    return _side(left), _side(right)


def _spread(sides, rank):
    """The ellipsis as so many axes of its own."""
    left = sides[0]
    plain = [d for d in left if d != ["..."]]
    extra = rank - len(plain)
    if len(plain) == len(left) and extra != 0 or extra < 0:
        least = ">=" if len(plain) < len(left) else ""
        raise EinopsError(f"Wrong shape: expected {least}{len(plain)} dims. Received {rank}-dim tensor.")
    names = [f"...{i}" for i in range(max(extra, 0))]

    def change(side):
        out = []
        for d in side:
            if d == ["..."]:
                out.extend([[n] for n in names])
            elif "..." in d:
                at = d.index("...")
                out.append(d[:at] + names + d[at + 1:])
            else:
                out.append(d)
        return out

    return [change(s) for s in sides]


def _sizes(dims, shape, known, pattern):
    sizes = dict(known)
    for axes, n in zip(dims, shape):
        given, open_axes = 1, []
        for a in axes:
            if a.isdigit():
                given *= int(a)
            elif a in sizes:
                given *= sizes[a]
            else:
                open_axes.append(a)
        if len(open_axes) > 1:
            raise EinopsError(f"the sizes of {open_axes} cannot be told apart in {pattern!r}: give one of them")
        if open_axes:
            if n % given:
                raise EinopsError(f"Shape mismatch, can't divide axis of length {n} in chunks of {given}")
            sizes[open_axes[0]] = n // given
        elif given != n:
            raise EinopsError(f"Shape mismatch, {n} != {given}")
    return sizes


def _size(a, sizes):
    return int(a) if a.isdigit() else sizes[a]


def _join(x, dims, sizes):
    shape = []
    for axes in dims:
        n = 1
        for a in axes:
            n = n * _size(a, sizes)
        shape.append(n)
    return x.reshape(shape)


def _stacked(tensor):
    return _torch.stack(list(tensor)) if isinstance(tensor, (list, tuple)) else tensor


def _begin(tensor, pattern, known, reduction="rearrange"):
    sides = _parse(pattern)
    try:
        left, right = _spread(sides, tensor.dim())
        sizes = _sizes(left, tensor.shape, known, pattern)
    except EinopsError as e:
        raise EinopsError(f' Error while processing {reduction}-reduction pattern "{pattern}".\n Input tensor shape: '
                          f"{tensor.shape}. Additional info: {known}.\n {e}") from None
    flat = [a for d in left for a in d]
    x = tensor
    if any(len(d) != 1 for d in left):
        x = x.reshape([_size(a, sizes) for a in flat])
    return x, flat, right, sizes


def _permuted(x, flat, order):
    where = [flat.index(a) for a in order]
    return x if where == list(range(len(where))) else x.permute(where)


def rearrange(tensor, pattern, **axes_lengths):
    tensor = _stacked(tensor)
    x, flat, right, sizes = _begin(tensor, pattern, axes_lengths)
    order = [a for d in right for a in d]
    if sorted(order) != sorted(flat):
        raise EinopsError(f"both sides of a rearrangement have the same axes: {pattern!r}")
    x = _permuted(x, flat, order)
    return x if all(len(d) == 1 for d in right) else _join(x, right, sizes)


def repeat(tensor, pattern, **axes_lengths):
    tensor = _stacked(tensor)
    x, flat, right, sizes = _begin(tensor, pattern, axes_lengths, "repeat")
    order = [a for d in right for a in d]
    fresh = [a for a in order if a not in flat]
    for a in fresh:
        if not a.isdigit() and a not in sizes:
            raise EinopsError(f"the size of the new axis {a!r} is missing in {pattern!r}")
    x = _permuted(x, flat, [a for a in order if a in flat])
    if fresh:
        for i, a in enumerate(order):
            if a in fresh:
                x = x.unsqueeze(i)
        x = x.expand([_size(a, sizes) for a in order])
    return x if all(len(d) == 1 for d in right) else _join(x, right, sizes)


def reduce(tensor, pattern, reduction, **axes_lengths):
    tensor = _stacked(tensor)
    x, flat, right, sizes = _begin(tensor, pattern, axes_lengths, reduction)
    order = [a for d in right for a in d]
    gone = [i for i, a in enumerate(flat) if a not in order]
    if gone:
        if callable(reduction):
            x = reduction(x, tuple(gone))
        elif reduction == "mean":
            x = x.mean(dim=gone)
        elif reduction == "sum":
            x = x.sum(dim=gone)
        elif reduction == "max":
            x = x.amax(dim=gone)
        elif reduction == "min":
            x = x.amin(dim=gone)
        elif reduction == "prod":
            for i in reversed(gone):
                x = x.prod(dim=i)
        else:
            raise EinopsError(f"unknown reduction {reduction!r}: expected mean, sum, max, min or prod")
    x = _permuted(x, [a for a in flat if a in order], order)
    return x if all(len(d) == 1 for d in right) else _join(x, right, sizes)


def einsum(*args):
    *tensors, pattern = args
    letters = {}

    def letter(name):
        if name not in letters:
            letters[name] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(letters)]
        return letters[name]

    def compact(side):
        return "".join("..." if t == "..." else letter(t) for t in side.replace("...", " ... ").split())

    left, right = pattern.split("->")
    text = ",".join(compact(s) for s in left.split(",")) + "->" + compact(right)
    return _torch.einsum(text, *tensors)


def parse_shape(x, pattern):
    names = pattern.split()
    return {n: s for n, s in zip(names, x.shape) if n != "_"}


def pack(tensors, pattern):
    names = pattern.split()
    at = names.index("*")
    after = len(names) - at - 1
    shapes, flat = [], []
    for t in tensors:
        rank = t.dim()
        shapes.append(t.shape[at:rank - after])
        flat.append(t.reshape(list(t.shape[:at]) + [-1] + list(t.shape[rank - after:])))
    return _torch.cat(flat, dim=at), shapes


def unpack(tensor, packed_shapes, pattern):
    at = pattern.split().index("*")
    sizes = []
    for shape in packed_shapes:
        n = 1
        for s in shape:
            n = n * s
        sizes.append(n)
    parts = _torch.split(tensor, sizes, dim=at)
    return [p.reshape(list(p.shape[:at]) + list(s) + list(p.shape[at + 1:])) for p, s in zip(parts, packed_shapes)]


def asnumpy(tensor):
    return tensor.detach().cpu().numpy() if isinstance(tensor, _torch.Tensor) else tensor
