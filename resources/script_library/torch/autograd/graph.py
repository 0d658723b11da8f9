# SPDX-License-Identifier: Apache-2.0
# torch.autograd.graph: what the tape saves, and its functions.
import contextlib

import torch

_hooks = []
_refused = []


def _apply():
    _C.saved_hooks(*(_hooks[-1] if _hooks else (None, None)))


class saved_tensors_hooks:
    """In `with`, pack(tensor) says what is kept of a value that backward() will need, unpack(kept) gives it back."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        if _refused:
            raise RuntimeError(_refused[-1])
        _hooks.append((self.pack_hook, self.unpack_hook))
        _apply()

    def __exit__(self, kind, error, trace):
        _hooks.pop()
        _apply()


class save_on_cpu(saved_tensors_hooks):
    def __init__(self, pin_memory=False, device_type="cuda"):
        super().__init__(lambda tensor: (tensor.device, tensor.cpu()), lambda kept: kept[1].to(kept[0]))


class disable_saved_tensors_hooks(contextlib.ContextDecorator):
    def __init__(self, error_message):
        self.error_message = error_message

    def __enter__(self):
        if _hooks:
            raise RuntimeError(self.error_message)
        _refused.append(self.error_message)

    def __exit__(self, kind, error, trace):
        _refused.pop()


class Node:
    """A function of the tape: what .grad_fn gives. Each name has a class of its own."""

    def name(self):
        name = type(self).__name__
        return "torch::autograd::AccumulateGrad" if name == "AccumulateGrad" else name

    def _add_hook(self, hook, before):
        number = _C.add_function_hook(self, hook, before)
        return torch._RemovableHandle(lambda: _C.remove_function_hook(self, number))

    def register_hook(self, fn):
        return self._add_hook(fn, False)

    def register_prehook(self, fn):
        return self._add_hook(fn, True)


def _node_of(tensor):
    node = tensor.view_as(tensor).grad_fn.next_functions[0][0] if tensor.requires_grad and tensor.grad_fn is None else tensor.grad_fn
    assert node is not None, "Expected gradient function to be set"
    return node


class _Handles:
    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        for handle in self.handles:
            handle.remove()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.remove()


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    nodes = [_node_of(tensor) for tensor in tensors]
    if mode == "any":
        told = set()

        def first(gradient):
            run = _C.current_run()
            if run not in told:
                told.clear()
                told.add(run)
                fn(gradient)

        return _Handles([tensor.register_hook(first) for tensor in tensors])
    arrived = {}  # by run: how many are to come, and those that are there

    def one_of(place):
        def hook(gradient):
            run = _C.current_run()
            if run not in arrived:
                arrived[run] = [sum(_C.will_run(node) for node in nodes), [None] * len(nodes)]
            arrived[run][0] -= 1
            arrived[run][1][place] = gradient
            if arrived[run][0] == 0:
                fn(arrived.pop(run)[1])

        return hook

    return _Handles([tensor.register_hook(one_of(i)) for i, tensor in enumerate(tensors)])


class GradientEdge:
    def __init__(self, node, output_nr):
        self.node = node
        self.output_nr = output_nr


def get_gradient_edge(tensor):
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(tensor.grad_fn, tensor.output_nr)


def increment_version(tensor):
    for each in [tensor] if isinstance(tensor, torch.Tensor) else tensor:
        with torch.no_grad():
            each.copy_(each.clone())
