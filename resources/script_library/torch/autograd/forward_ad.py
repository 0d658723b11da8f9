# SPDX-License-Identifier: Apache-2.0
# torch.autograd.forward_ad: directional derivatives. A dual tensor is one that the tape follows; its tangent is the
# gradient's gradient: what the tape gives for a direction v is linear in v, and the derivative of that is the tangent.
import collections

import torch

UnpackedDualTensor = collections.namedtuple("UnpackedDualTensor", ["primal", "tangent"])
_levels = []


class _Level:
    def __init__(self):
        self.primals = []
        self.tangents = []


def enter_dual_level():
    if _levels:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    _levels.append(_Level())
    return 0


def exit_dual_level(*, level=None):
    if not _levels:
        raise RuntimeError("Trying to exit a forward AD level that wasn't entered")
    _levels.pop()


def make_dual(tensor, tangent, *, level=None):
    if not _levels:
        raise RuntimeError("Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.")
    if not (tensor.is_floating_point() and tangent.is_floating_point()):
        raise ValueError("Expected primal and tangent to be floating point tensors")
    if tensor.shape != tangent.shape:
        raise RuntimeError("Expected tangent to have the same size as primal, got "
                           f"{list(tangent.shape)} and {list(tensor.shape)}")
    with torch.enable_grad():
        dual = tensor.view_as(tensor) if tensor.requires_grad else tensor.detach().requires_grad_()
    _levels[-1].primals.append(dual)
    _levels[-1].tangents.append(tangent)
    return dual


def unpack_dual(tensor, *, level=None):
    if not _levels:
        return UnpackedDualTensor(tensor, None)
    here = _levels[-1]
    for dual, tangent in zip(here.primals, here.tangents):
        if dual is tensor:
            return UnpackedDualTensor(tensor.detach(), tangent)
    if not here.primals or not tensor.requires_grad:
        return UnpackedDualTensor(tensor, None)
    with torch.enable_grad():
        direction = torch.zeros_like(tensor, requires_grad=True)
        back = torch.autograd.grad(tensor, here.primals, direction, create_graph=True, allow_unused=True)
        used = [(g, t) for g, t in zip(back, here.tangents) if g is not None]
        if not used:
            return UnpackedDualTensor(tensor, None)
        lasting = any(t.requires_grad for g, t in used)
        used = [(g, t) for g, t in used if g.requires_grad]
        tangent = torch.zeros_like(tensor)
        if used:
            found = torch.autograd.grad([g for g, t in used], direction, [t for g, t in used], create_graph=lasting,
                                        retain_graph=True, allow_unused=True)[0]
            tangent = tangent if found is None else found
    return UnpackedDualTensor(tensor.detach(), tangent)


class dual_level:
    """The tensors that make_dual() makes inside are dual until its end."""

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, kind, value, trace):
        exit_dual_level()
        return False
