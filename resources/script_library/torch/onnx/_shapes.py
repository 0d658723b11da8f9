# SPDX-License-Identifier: Apache-2.0
"""Operators of ONNX that make, cut, join and index tensors; what they do with shapes they do with numbers."""
import torch
import torch.nn.functional as F
from torch.onnx._values import MOST_NUMBERS, dtype_of, is_number, number, numbers, tensor


class Shapes:
    def Shape(self, x, start=0, end=None):
        if is_number(x):
            return (len(x),) if isinstance(x, tuple) else ()
        return tuple(x.shape)[start:end]

    def Size(self, x):
        return (len(x) if isinstance(x, tuple) else 1) if is_number(x) else x.numel()

    def ConstantOfShape(self, shape, value=0.0, dtype=torch.float32):
        shape = numbers(shape)
        if dtype == torch.int64 and len(shape) < 2 and (not shape or shape[0] <= MOST_NUMBERS):
            return (value,) * shape[0] if shape else value
        return torch.full(shape, value, dtype=dtype)

    def Range(self, start, limit, delta):
        if all(is_number(v) for v in (start, limit, delta)):
            return torch.arange(number(start), number(limit), number(delta))
        return torch.arange(number(start), number(limit), number(delta), dtype=tensor(start).dtype)

    def EyeLike(self, x, dtype=None, k=0):
        rows, columns = x.shape
        places = torch.arange(columns)[None, :] - torch.arange(rows)[:, None] == k
        return places.to(x.dtype if dtype is None else dtype_of(dtype))

    def _random(self, draw, shape, dtype, like):
        dtype = (like.dtype if like is not None else torch.float32) if dtype is None else dtype_of(dtype)
        return draw(tuple(like.shape) if like is not None else tuple(shape)).to(dtype)

    def RandomNormal(self, shape, mean=0.0, scale=1.0, dtype=1, seed=None):
        return self._random(lambda sizes: torch.randn(sizes) * scale + mean, shape, dtype, None)

    def RandomNormalLike(self, x, mean=0.0, scale=1.0, dtype=None, seed=None):
        return self._random(lambda sizes: torch.randn(sizes) * scale + mean, None, dtype, x)

    def RandomUniform(self, shape, low=0.0, high=1.0, dtype=1, seed=None):
        return self._random(lambda sizes: torch.rand(sizes) * (high - low) + low, shape, dtype, None)

    def RandomUniformLike(self, x, low=0.0, high=1.0, dtype=None, seed=None):
        return self._random(lambda sizes: torch.rand(sizes) * (high - low) + low, None, dtype, x)

    def Bernoulli(self, x, dtype=None, seed=None):
        return torch.bernoulli(x).to(x.dtype if dtype is None else dtype_of(dtype))

    def Multinomial(self, x, sample_size=1, dtype=6, seed=None):
        return torch.multinomial(x.exp(), sample_size, replacement=True).to(dtype_of(dtype))

    # Sizes

    def Reshape(self, x, shape, allowzero=0, consumed_inputs=None):
        shape = numbers(shape)
        if is_number(x):
            values = numbers(x)
            if len(shape) < 2:
                return values if shape else values[0]
            x = tensor(x)
        if not allowzero:
            shape = tuple(x.shape[d] if size == 0 else size for d, size in enumerate(shape))
        return x.reshape(shape)

    def Flatten(self, x, axis=1):
        axis = axis + x.dim() if axis < 0 else axis
        if axis == 0:
            return x.reshape(1, -1)
        if axis == x.dim():
            return x.reshape(-1, 1)
        return x.flatten(0, axis - 1).flatten(1)

    def Squeeze(self, x, axes=None):
        axes = numbers(axes)
        if isinstance(x, tuple):
            return x[0]
        if axes is None:
            return x.squeeze()
        return x.squeeze(tuple(axes)) if len(axes) > 1 else x.squeeze(axes[0])

    def Unsqueeze(self, x, axes):
        axes = numbers(axes)
        if isinstance(x, int) and len(axes) == 1:
            return (x,)
        x = tensor(x)
        rank = x.dim() + len(axes)
        for axis in sorted(axis % rank for axis in axes):
            x = x.unsqueeze(axis)
        return x

    def Transpose(self, x, perm=None):
        return x.permute(tuple(perm) if perm is not None else tuple(reversed(range(x.dim()))))

    def Expand(self, x, shape):
        x, shape = tensor(x), numbers(shape)
        have = (1,) * (len(shape) - x.dim()) + tuple(x.shape)
        shape = (1,) * (x.dim() - len(shape)) + tuple(shape)
        return torch.broadcast_to(x, tuple(a if b == 1 else b for a, b in zip(have, shape)))

    def Tile(self, x, repeats, axis=None):
        if axis is not None:  # before version 6: how often, and where
            where = number(axis)
            return x.repeat([number(repeats) if d == where else 1 for d in range(x.dim())])
        return tensor(x).repeat(numbers(repeats))

    # Parts

    def Concat(self, *values, axis=1):
        if all(isinstance(v, tuple) for v in values):
            return sum(values, ())
        return torch.cat([tensor(v) for v in values], axis)

    def Split(self, x, split=None, axis=0, num_outputs=None, outputs=1):
        split = numbers(split)
        if split is None:
            size = x.shape[axis]
            each = -(-size // (num_outputs or outputs))
            split = [each] * ((num_outputs or outputs) - 1)
            split.append(size - sum(split))
        parts = tuple(x.split(list(split), axis))
        return parts[0] if outputs == 1 else parts

    def Slice(self, x, starts, ends, axes=None, steps=None):
        starts, ends, axes, steps = numbers(starts), numbers(ends), numbers(axes), numbers(steps)
        steps = steps or (1,) * len(starts)
        if isinstance(x, tuple):
            return x[starts[0]:(ends[0] if ends[0] > -(1 << 62) else None):steps[0]]
        for axis, start, end, step in zip(axes or range(len(starts)), starts, ends, steps):
            if step > 0:
                x = x[(slice(None),) * (axis % x.dim()) + (slice(start, end, step),)]
                continue
            size = x.shape[axis]
            start = min(start + size if start < 0 else start, size - 1)
            end = max(end + size if end < 0 else end, -1)
            x = x.index_select(axis, torch.arange(start, end, step))
        return x

    def Gather(self, x, indices, axis=0):
        if isinstance(x, tuple) and is_number(indices):
            return tuple(x[i] for i in indices) if isinstance(indices, tuple) else x[indices]
        x = tensor(x)
        if isinstance(indices, int):
            return x.select(axis, indices)
        indices = tensor(indices).to(torch.int64)
        if axis == 0 and x.dim() == 2 and x.is_floating_point():
            return F.embedding(torch.where(indices < 0, indices + x.shape[0], indices), x)
        return x[(slice(None),) * (axis % x.dim()) + (indices,)]

    def _positive(self, indices, size):
        return torch.where(indices < 0, indices + size, indices).to(torch.int64)

    def GatherElements(self, x, indices, axis=0):
        return torch.gather(x, axis, self._positive(tensor(indices), x.shape[axis]))

    def GatherND(self, x, indices, batch_dims=0):
        indices = tensor(indices)
        batch = tuple(torch.arange(size).reshape((-1,) + (1,) * (indices.dim() - 2 - d))
                      for d, size in enumerate(x.shape[:batch_dims]))
        return x[batch + tuple(indices.to(torch.int64).unbind(-1))]

    def ScatterElements(self, x, indices, updates, axis=0, reduction="none"):
        places = self._positive(tensor(indices), x.shape[axis])
        updates = tensor(updates)
        if reduction == "none":
            return x.scatter(axis, places, updates)
        names = {"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}
        return x.scatter_reduce(axis, places, updates, names[reduction])

    Scatter = ScatterElements

    def ScatterND(self, x, indices, updates, reduction="none"):
        places = tuple(tensor(indices).to(torch.int64).unbind(-1))
        updates = tensor(updates)
        if reduction in ("none", "add"):
            return x.index_put(places, updates, accumulate=reduction == "add")
        sizes, flat = tuple(x.shape), torch.zeros_like(places[0])
        for place, size in zip(places, sizes):
            flat = flat * size + self._positive(place, size)
        rows = x.reshape((-1,) + sizes[len(places):]).flatten(1)
        flat = flat.reshape(-1, 1).expand(-1, rows.shape[1])
        names = {"mul": "prod", "max": "amax", "min": "amin"}
        return rows.scatter_reduce(0, flat, updates.reshape(flat.shape), names[reduction]).reshape(sizes)

    def Compress(self, x, condition, axis=None):
        x = x.flatten() if axis is None else x
        places = tensor(condition).nonzero().flatten()
        return x.index_select(axis or 0, places)

    def NonZero(self, x):
        return tensor(x).nonzero().t()

    def OneHot(self, indices, depth, values, axis=-1):
        depth, indices, values = number(depth), tensor(indices), tensor(values)
        axis = axis + indices.dim() + 1 if axis < 0 else axis
        places = torch.where(indices < 0, indices + depth, indices).to(torch.int64).unsqueeze(axis)
        row = torch.arange(int(depth)).reshape((-1,) + (1,) * (indices.dim() - axis))
        return torch.where(places == row, values[1], values[0])

    def Trilu(self, x, k=0, upper=1):
        return torch.triu(x, number(k)) if upper else torch.tril(x, number(k))

    def Pad(self, x, pads=None, constant_value=None, axes=None, mode="constant", value=0.0, paddings=None):
        pads = numbers(pads if pads is not None else paddings)
        axes = numbers(axes) or tuple(range(x.dim()))
        begin, end = [0] * x.dim(), [0] * x.dim()
        for i, axis in enumerate(axes):
            begin[axis], end[axis] = pads[i], pads[i + len(axes)]
        if mode == "constant":
            fill = value if constant_value is None else number(constant_value)
            return F.pad(x, [size for d in reversed(range(x.dim())) for size in (begin[d], end[d])], "constant", fill)
        for axis in range(x.dim()):
            if begin[axis] or end[axis]:
                size = x.shape[axis]
                places = torch.arange(-begin[axis], size + end[axis])
                if mode == "edge":
                    places = places.clamp(0, size - 1)
                elif mode == "wrap":
                    places = places % size
                else:
                    places = places.abs()
                    places = torch.where(places >= size, 2 * (size - 1) - places, places)
                x = x.index_select(axis, places)
        return x

    def CenterCropPad(self, x, shape, axes=None):
        for axis, size in zip(axes or range(x.dim()), numbers(shape)):
            have = x.shape[axis]
            if have > size:
                x = x.narrow(axis, (have - size) // 2, size)
            elif have < size:
                before = (size - have) // 2
                x = self.Pad(x, (before, size - have - before), axes=(axis,))
        return x

    def ReverseSequence(self, x, sequence_lens, batch_axis=1, time_axis=0):
        lengths = sequence_lens.reshape((1, -1) if batch_axis == 1 else (-1, 1))
        steps = torch.arange(x.shape[time_axis]).reshape((-1, 1) if time_axis == 0 else (1, -1))
        places = torch.where(steps < lengths, lengths - 1 - steps, steps)
        places = places.reshape(tuple(places.shape) + (1,) * (x.dim() - 2)).expand(x.shape)
        return torch.gather(x, time_axis, places)
