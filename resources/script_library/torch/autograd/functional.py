# SPDX-License-Identifier: Apache-2.0
# torch.autograd.functional: Jacobians, Hessians and products with them, one row after another.
import torch


def _leaves(inputs):
    one = isinstance(inputs, torch.Tensor)
    inputs = (inputs,) if one else tuple(inputs)
    return one, tuple(x.detach().requires_grad_() if not x.requires_grad else x.view_as(x) for x in inputs)


def _gradients(output, inputs, direction, create_graph):
    if not output.requires_grad:
        return [torch.zeros_like(x) for x in inputs]
    found = torch.autograd.grad(output, inputs, direction, retain_graph=True, create_graph=create_graph,
                                allow_unused=True)
    return [torch.zeros_like(x) if g is None else g for g, x in zip(found, inputs)]


def _rows(output, inputs, create_graph):
    """For each input a Jacobian of the sizes output.shape + input.shape."""
    rows = []
    for i in range(output.numel()):
        direction = torch.zeros(output.numel(), dtype=output.dtype, device=output.device)
        direction[i] = 1
        rows.append(_gradients(output, inputs, direction.view(output.shape), create_graph))
    return tuple(torch.stack([row[k] for row in rows]).view(output.shape + x.shape) for k, x in enumerate(inputs))


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    one, leaves = _leaves(inputs)
    with torch.enable_grad():
        outputs = func(*leaves)
    many = isinstance(outputs, (tuple, list))
    found = [_rows(output, leaves, create_graph) for output in (outputs if many else [outputs])]
    found = [rows[0] if one else rows for rows in found]
    return tuple(found) if many else found[0]


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    one, leaves = _leaves(inputs)
    with torch.enable_grad():
        output = func(*leaves)
        first = torch.autograd.grad(output, leaves, create_graph=True, allow_unused=True, materialize_grads=True)
    found = tuple(_rows(g, leaves, create_graph) for g in first)
    return found[0][0] if one else found


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    one, leaves = _leaves(inputs)
    with torch.enable_grad():
        outputs = func(*leaves)
    found = tuple(_gradients(outputs, leaves, v, create_graph))
    outputs = outputs if create_graph else outputs.detach()
    return outputs, found[0] if one else found


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    one, leaves = _leaves(inputs)
    with torch.enable_grad():
        outputs = func(*leaves)
        dummy = torch.zeros_like(outputs, requires_grad=True)
        back = torch.autograd.grad(outputs, leaves, dummy, create_graph=True, allow_unused=True,
                                   materialize_grads=True)
    directions = [torch.ones_like(x) for x in leaves] if v is None else [v] if one else list(v)
    used = [(g, d) for g, d in zip(back, directions) if g.requires_grad]
    found = torch.autograd.grad([g for g, d in used], dummy, [d for g, d in used], create_graph=create_graph,
                                allow_unused=True, materialize_grads=True)[0]
    return outputs if create_graph else outputs.detach(), found


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    one, leaves = _leaves(inputs)
    with torch.enable_grad():
        output = func(*leaves)
        first = torch.autograd.grad(output, leaves, create_graph=True, allow_unused=True, materialize_grads=True)
    directions = [v] if one else list(v)
    total = sum((g * d).sum() for g, d in zip(first, directions))
    found = tuple(_gradients(total, leaves, None, create_graph))
    return output if create_graph else output.detach(), found[0] if one else found


hvp = vhp
