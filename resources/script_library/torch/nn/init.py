# SPDX-License-Identifier: Apache-2.0
# torch.nn.init: PyTorch's algorithms, draw by draw.
import math

import torch


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def calculate_gain(nonlinearity, param=None):
    if nonlinearity in ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
                        "conv_transpose3d", "sigmoid"):
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope ** 2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = 1
    for size in tensor.shape[2:]:
        field *= size
    return tensor.shape[1] * field, tensor.shape[0] * field


def _fan(tensor, mode):
    if mode.lower() not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode.lower() == "fan_in" else fan_out


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    with torch.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor, val):
    with torch.no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    return constant_(tensor, 1.0)


def zeros_(tensor):
    return constant_(tensor, 0.0)


def eye_(tensor):
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    with torch.no_grad():
        tensor.copy_((torch.arange(rows).unsqueeze(1) == torch.arange(columns)).to(tensor.dtype))
    return tensor


def dirac_(tensor, groups=1):
    if tensor.dim() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    per_group = tensor.shape[0] // groups
    with torch.no_grad():
        tensor.zero_()
        middle = tuple(size // 2 for size in tensor.shape[2:])
        for group in range(groups):
            for d in range(min(per_group, tensor.shape[1])):
                tensor[(group * per_group + d, d) + middle] = 1
    return tensor


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    def below(x):
        return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0

    with torch.no_grad():
        if below((b - mean) / std) - below((a - mean) / std) > 0.3:
            tensor.normal_(mean, std, generator=generator)
            while True:
                bad = (tensor < a) | (tensor > b)
                if not bool(bad.any()):
                    return tensor
                again = torch.empty_like(tensor).normal_(mean, std, generator=generator)
                tensor.copy_(torch.where(bad, again, tensor))
        peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
        pending = torch.ones_like(tensor, dtype=torch.bool)
        while bool(pending.any()):
            proposed = torch.empty_like(tensor).uniform_(a, b, generator=generator)
            tensor.copy_(torch.where(pending, proposed, tensor))
            z = (proposed - mean) / std
            limit = z * z * -0.5 - peak
            pending = pending & (torch.empty_like(tensor).uniform_(0, 1, generator=generator).log() > limit)
    return tensor


def xavier_uniform_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if tensor.numel() == 0:
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if tensor.numel() == 0:
        return tensor
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode)), generator)


def orthogonal_(tensor, gain=1, generator=None):
    """Rows (or columns) made orthogonal by Householder's reflections, as LAPACK's QR makes them."""
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    flat = torch.empty(rows, columns, dtype=tensor.dtype).normal_(0, 1, generator=generator)
    wide = rows < columns
    a = (flat.t() if wide else flat).double().tolist()
    m, n = max(rows, columns), min(rows, columns)
    q = [[1.0 if i == j else 0.0 for j in range(m)] for i in range(m)]
    for k in range(n):
        size = math.sqrt(sum(a[i][k] ** 2 for i in range(k, m)))
        alpha = -size if a[k][k] > 0 else size
        v = [0.0] * k + [a[i][k] for i in range(k, m)]
        v[k] -= alpha
        square = sum(x * x for x in v)
        if square == 0:
            continue
        for j in range(n):
            dot = 2 * sum(v[i] * a[i][j] for i in range(k, m)) / square
            for i in range(k, m):
                a[i][j] -= dot * v[i]
        for i in range(m):
            dot = 2 * sum(q[i][j] * v[j] for j in range(k, m)) / square
            for j in range(k, m):
                q[i][j] -= dot * v[j]
    made = torch.tensor([[q[i][j] * (1.0 if a[j][j] >= 0 else -1.0) for j in range(n)] for i in range(m)],
                        dtype=torch.float64)
    with torch.no_grad():
        tensor.copy_(((made.t() if wide else made) * gain).to(tensor.dtype).reshape(tensor.shape))
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    with torch.no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            for row in torch.randperm(rows)[:int(math.ceil(sparsity * rows))].tolist():
                tensor[row, column] = 0
    return tensor
