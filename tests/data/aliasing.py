# SPDX-License-Identifier: Apache-2.0
"""Which results are their operand, a view of it, or memory of their own, with gradients and without; and what becomes
of the operand where the result is written. aliasing.txt is what this prints under PyTorch
(python3 aliasing.py > aliasing.txt)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

compiled = False  # the test sets it

OPS = {
    "dropout_off": lambda x: F.dropout(x, 0.5, False),
    "dropout_p0": lambda x: F.dropout(x, 0.0, True),
    "dropout_eval": lambda x: nn.Dropout(0.5).eval()(x),
    "dropout1d_off": lambda x: F.dropout1d(x, 0.5, False),
    "dropout2d_off": lambda x: F.dropout2d(x.reshape(1, 3, 4), 0.5, False),
    "alpha_dropout_off": lambda x: F.alpha_dropout(x, 0.5, False),
    "feature_alpha_off": lambda x: F.feature_alpha_dropout(x, 0.5, False),
    "torch_dropout": lambda x: torch.dropout(x, 0.5, False),
    "identity": lambda x: nn.Identity()(x),
    "atleast_1d": lambda x: torch.atleast_1d(x),
    "atleast_2d": lambda x: torch.atleast_2d(x),
    "atleast_3d": lambda x: torch.atleast_3d(x),
    "atleast_1d_l": lambda x: torch.atleast_1d(x, x)[1],
    "atleast_3d_l": lambda x: torch.atleast_3d([x])[0],
    "broadcast_tensors": lambda x: torch.broadcast_tensors(x, x[0])[0],
    "broadcast_tensors2": lambda x: torch.broadcast_tensors(x, x[0])[1],
    "broadcast_tensors_one": lambda x: torch.broadcast_tensors(x)[0],
    "meshgrid_one": lambda x: torch.meshgrid(x[0], indexing="ij")[0],
    "meshgrid_two": lambda x: torch.meshgrid(x[0], x[1], indexing="ij")[0],
    "cartesian_one": lambda x: torch.cartesian_prod(x[0]),
    "sum_to_size": lambda x: x.sum_to_size(3, 4),
    "sum_to_size_less": lambda x: x.sum_to_size(3, 1),
    "einsum_t": lambda x: torch.einsum("ij->ji", x),
    "einsum_same": lambda x: torch.einsum("ij->ij", x),
    "einsum_diag": lambda x: torch.einsum("ii->i", x[:, :3]),
    "einsum_sum": lambda x: torch.einsum("ij->i", x),
    "einsum_dots": lambda x: torch.einsum("...j->j...", x),
    "conj_physical": lambda x: x.conj_physical(),
    "conj": lambda x: x.conj(),
    "resolve_conj": lambda x: x.resolve_conj(),
    "resolve_neg": lambda x: x.resolve_neg(),
    "positive": lambda x: +x,
    "real": lambda x: x.real,
    "repeat1": lambda x: x.repeat(1, 1),
    "tile": lambda x: torch.tile(x, (1, 1)),
    "tile1": lambda x: torch.tile(x, (1,)),
    "pixel_shuffle": lambda x: F.pixel_shuffle(x.reshape(1, 1, 3, 4), 1),
    "pixel_unshuffle": lambda x: F.pixel_unshuffle(x.reshape(1, 1, 3, 4), 1),
    "channel_shuffle": lambda x: F.channel_shuffle(x.reshape(1, 3, 2, 2), 1),
    "full_slice": lambda x: x[:],
    "dots": lambda x: x[...],
    "empty_tuple": lambda x: x[()],
    "contiguous": lambda x: x.contiguous(),
    "contiguous_t": lambda x: x.t().contiguous(),
    "to_same": lambda x: x.to(torch.float32),
    "to_cpu": lambda x: x.to("cpu"),
    "float": lambda x: x.float(),
    "type_as": lambda x: x.type_as(x),
    "type": lambda x: x.type(torch.float32),
    "cpu": lambda x: x.cpu(),
    "reshape_same": lambda x: x.reshape(3, 4),
    "view_same": lambda x: x.view(3, 4),
    "view_as": lambda x: x.view_as(x),
    "flatten1": lambda x: x[0].flatten(),
    "flatten": lambda x: x.flatten(),
    "ravel": lambda x: x.ravel(),
    "ravel1": lambda x: x[0].ravel(),
    "expand_same": lambda x: x.expand(3, 4),
    "expand_as": lambda x: x.expand_as(x),
    "broadcast_to": lambda x: x.broadcast_to(3, 4),
    "squeeze": lambda x: x.squeeze(),
    "squeeze0": lambda x: x.squeeze(0),
    "permute_same": lambda x: x.permute(0, 1),
    "transpose_same": lambda x: x.transpose(0, 0),
    "movedim": lambda x: x.movedim(0, 0),
    "swapaxes": lambda x: x.swapaxes(0, 1),
    "narrow": lambda x: x.narrow(0, 0, 3),
    "alias": lambda x: torch.ops.aten.alias(x),
    "tensor_split1": lambda x: x.tensor_split(1)[0],
    "hsplit1": lambda x: x.hsplit(1)[0],
    "unflatten": lambda x: x.unflatten(1, (2, 2)),
    "unfold": lambda x: x.unfold(1, 2, 2),
    "diagonal": lambda x: x.diagonal(),
    "diag": lambda x: torch.diag(x),
    "diag_embed": lambda x: torch.diag_embed(x)[0],
    "flip": lambda x: x.flip(()) if False else torch.flip(x, []),
    "roll0": lambda x: torch.roll(x, 0),
    "rot90_0": lambda x: torch.rot90(x, 0),
    "rot90_4": lambda x: torch.rot90(x, 4),
    "cat_one": lambda x: torch.cat([x]),
    "stack_one": lambda x: torch.stack([x]),
    "hstack_one": lambda x: torch.hstack([x]),
    "vstack_one": lambda x: torch.vstack([x]),
    "block_diag_one": lambda x: torch.block_diag(x),
    "column_stack": lambda x: torch.column_stack([x]),
    "tril": lambda x: torch.tril(x, 9),
    "pad0": lambda x: F.pad(x, (0, 0)),
    "pad_empty": lambda x: F.pad(x, ()),
    "clone": lambda x: x.clone(),
    "index_all": lambda x: x[torch.arange(3)],
    "none_index": lambda x: x[None],
    "int_index": lambda x: x[1],
    "step": lambda x: x[::2],
    "mT": lambda x: x.mT,
    "T": lambda x: x.T,
    "H": lambda x: x.H,
    "adjoint": lambda x: x.adjoint(),
    "t": lambda x: x.t(),
    "select": lambda x: x.select(0, 1),
    "as_strided": lambda x: x.as_strided((3, 4), (4, 1)),
    "view_dtype": lambda x: x.view(torch.int32).view(torch.float32),
    "asarray": lambda x: torch.asarray(x),
    "as_tensor": lambda x: torch.as_tensor(x),
    "to_copy": lambda x: x.to(torch.float32, copy=True),
    "relu": lambda x: F.relu(x),
    "clamp_none": lambda x: torch.clamp(x, 0.0),
    "add0": lambda x: x + 0,
    "mul1": lambda x: x * 1,
    "pow1": lambda x: x ** 1,
    "round0": lambda x: torch.round(x),
    "nan_to_num": lambda x: torch.nan_to_num(x),
    "where": lambda x: torch.where(torch.ones(3, 4, dtype=torch.bool), x, x),
    "masked_fill": lambda x: x.masked_fill(torch.zeros(3, 4, dtype=torch.bool), 0.),
    "max_pool1": lambda x: F.max_pool2d(x.reshape(1, 1, 3, 4), 1),
    "avg_pool1": lambda x: F.avg_pool2d(x.reshape(1, 1, 3, 4), 1),
    "adaptive": lambda x: F.adaptive_avg_pool2d(x.reshape(1, 1, 3, 4), (3, 4)),
    "linear_id": lambda x: F.linear(x, torch.eye(4)),
    "matrix_power1": lambda x: torch.matrix_power(x[:, :3], 1),
    "cumsum_0": lambda x: x[:1].cumsum(0),
    "sum_empty": lambda x: x[0, 0].sum(),
    "mean_0": lambda x: x[0, 0].mean(),
    "amax_0": lambda x: x[0, 0].amax(),
    "sum_dim_1": lambda x: x[:1].sum(0),
    "prod_1": lambda x: x[:1].prod(0),
    "max_1": lambda x: x[:1].max(0)[0],
    "sort_1": lambda x: x[:1].sort(0)[0],
    "sort_0": lambda x: x[0, 0].sort()[0],
    "topk_1": lambda x: x[:1].topk(1, 0)[0],
    "cummax_1": lambda x: x[:1].cummax(0)[0],
    "logsumexp": lambda x: x[0, 0].logsumexp(0),
    "softmax_0": lambda x: x[0, 0].softmax(0),
    "norm1": lambda x: x[0, 0].norm(),
    "tensordot0": lambda x: torch.tensordot(x, torch.ones(()), 0),
    "squeeze_multi": lambda x: x.squeeze((0, 1)),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "expand3": lambda x: x.expand(2, 3, 4),
    "ravel_t": lambda x: x.t().ravel(),
    "reshape_t": lambda x: x.t().reshape(12),
    "view_as_real": lambda x: torch.view_as_real(torch.view_as_complex(x.reshape(3, 2, 2))),
    "take_along": lambda x: torch.take_along_dim(x, torch.zeros(3, 4, dtype=torch.long), 0),
    "slice_copy": lambda x: torch.slice_copy(x),
    "alias_copy": lambda x: torch.alias_copy(x),
    "view_copy": lambda x: torch.view_copy(x, (3, 4)),
    "requires_grad_": lambda x: x.requires_grad_(x.requires_grad),
    "cdist_self": lambda x: torch.cdist(x, x),
    "nn_flatten": lambda x: nn.Flatten(0)(x),
    "nn_unflatten": lambda x: nn.Unflatten(1, (2, 2))(x),
    "combinations1": lambda x: torch.combinations(x[0], 1),
    "vander1": lambda x: torch.vander(x[0], 1),
    "gradient": lambda x: torch.gradient(x[0])[0],
    "dsplit": lambda x: x.reshape(1, 3, 4).dsplit(2)[0],
    "vsplit": lambda x: x.vsplit(3)[0],
    "swapdims": lambda x: x.swapdims(0, 0),
    "nan_to": lambda x: x.to(x),
    "double_float": lambda x: x.double().float(),
    "normalize": lambda x: F.normalize(x),
    "threshold": lambda x: F.threshold(x, 0.0, 0.0),
    "rrelu_off": lambda x: F.rrelu(x, 1.0, 1.0, False),
    "gumbel": lambda x: F.hardtanh(x, -100., 100.),
    "local": lambda x: F.fold(F.unfold(x.reshape(1, 1, 3, 4), 1), (3, 4), 1),
    "msort": lambda x: torch.msort(x),
    "kron1": lambda x: torch.kron(x, torch.ones(1, 1)),
    "fft_shift": lambda x: torch.fft.fftshift(x),
    "multi_dot": lambda x: torch.linalg.multi_dot([x, torch.eye(4)]),
    "chain1": lambda x: torch.chain_matmul(x),
    "diagflat": lambda x: torch.diagflat(x[0, :1]),
    "channel_t": lambda x: x.to(memory_format=torch.contiguous_format),
    "contig_fmt": lambda x: x.reshape(1, 1, 3, 4).contiguous(memory_format=torch.channels_last),
    "abs_": lambda x: x.clone().abs_(),
    "fill_diag": lambda x: x.clone().fill_diagonal_(0.),
    "repeat_interleave": lambda x: x.repeat_interleave(1, dim=0) * 1,
    "flatten of one": lambda x: x[0].flatten(),
}


def how(f):
    torch._dynamo.reset()
    return torch.compile(f) if compiled else f


def start(x):
    return x.data_ptr() - x.storage_offset() * x.element_size()


def tried(f):
    try:
        return f()
    except RuntimeError:
        return "refused"


def written(f, x):
    f(x).mul_(2.0)
    return x * 1


for name, f in OPS.items():
    for grad in (False, True):
        leaf = torch.arange(1.0, 13.0).reshape(3, 4).requires_grad_(grad)
        x = leaf * 1
        y = how(f)(x)
        told = ["itself" if y is x else "shares" if start(y) == start(x) else "own",
                start(y) == start(x) and y._is_view(), y._base is x, tuple(y.shape), tuple(y.stride())]
        told.append(tried(lambda: round((y.mul_(2.0), x.sum())[1].item(), 2)))
        if grad and told[-1] != "refused":
            x.sum().backward()
            told.append(leaf.grad.reshape(-1).tolist())
        inside = tried(lambda: how(lambda x: written(f, x))(leaf * 1))
        told.append(inside if isinstance(inside, str) else round(inside.sum().item(), 2))
        print(name, "with" if grad else "without", *told)
