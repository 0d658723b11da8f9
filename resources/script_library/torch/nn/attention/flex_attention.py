# SPDX-License-Identifier: Apache-2.0
# torch.nn.attention.flex_attention: attention whose scores a script's function changes. The function is called once,
# with all scores and with the places of batch, head, query and key in dimensions of their own.
import math

import torch

__all__ = ["BlockMask", "flex_attention", "create_block_mask", "create_mask", "and_masks", "or_masks", "noop_mask"]


def noop_mask(batch, head, token_q, token_kv):
    return batch.new_ones(size=(), dtype=torch.bool)


def _places(sizes, device):
    return [torch.arange(n, device=device).view([-1 if i == d else 1 for i in range(4)]) for d, n in enumerate(sizes)]


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    """What a mask function says of all places."""
    sizes = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    return mod_fn(*_places(sizes, device)).expand(sizes)


def and_masks(*mask_mods):
    def both(b, h, q_idx, kv_idx):
        found = b.new_ones((), dtype=torch.bool)
        for mask in mask_mods:
            found = found & mask(b, h, q_idx, kv_idx)
        return found
    return both


def or_masks(*mask_mods):
    def either(b, h, q_idx, kv_idx):
        found = b.new_zeros((), dtype=torch.bool)
        for mask in mask_mods:
            found = found | mask(b, h, q_idx, kv_idx)
        return found
    return either


class BlockMask:
    """A mask function, and of which blocks of queries and keys it keeps an element."""

    def __init__(self, shape, mask_mod, block_size, blocks):
        self.shape, self.mask_mod, self.BLOCK_SIZE, self._blocks = shape, mask_mod, block_size, blocks
        self.seq_lengths = shape[2:]

    def to_dense(self):
        return self._blocks

    def sparsity(self):
        """The part of all blocks that is left out, in percent."""
        return 100 * (1 - self._blocks.sum().item() / self._blocks.numel())

    def numel(self):
        return math.prod(self.shape)

    def __repr__(self):
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%)"


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device=None, BLOCK_SIZE=128, _compile=False):
    sizes = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else tuple(BLOCK_SIZE)
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
    mask = torch.nn.functional.pad(mask, (0, -KV_LEN % sizes[1], 0, -Q_LEN % sizes[0]))
    b, h, q, k = mask.shape
    blocks = mask.reshape(b, h, q // sizes[0], sizes[0], k // sizes[1], sizes[1]).any(5).any(3).to(torch.int32)
    return BlockMask((b, h, Q_LEN, KV_LEN), mask_mod, sizes, blocks)


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False,
                   kernel_options=None):
    """softmax(score_mod(query @ key.mT * scale)) @ value, with what the mask keeps; with return_lse, the logarithm of
    each row's sum too."""
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    if query.size(-3) != key.size(-3):
        if not enable_gqa:
            raise ValueError("Expect query and key/value to have the same number of heads but got "
                             f"Hq={query.size(-3)} and Hkv={key.size(-3)}. Try setting enable_gqa=True for GQA.")
        key = key.repeat_interleave(query.size(-3) // key.size(-3), 1)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), 1)
    scores = query @ key.transpose(-2, -1) * (query.size(-1) ** -0.5 if scale is None else scale)
    places = _places(scores.shape, query.device)
    if score_mod is not None:
        scores = score_mod(scores, *places)
    if block_mask is not None:
        scores = torch.where(block_mask.mask_mod(*places), scores, -math.inf)
    nothing = (scores == -math.inf).all(-1, keepdim=True)
    weights = torch.where(nothing, 0.0, torch.softmax(scores, -1))
    out = (weights.to(value.dtype) @ value).to(query.dtype)
    return (out, torch.logsumexp(scores, -1)) if return_lse else out
