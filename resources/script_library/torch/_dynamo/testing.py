# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.testing: backends that count and keep graphs.
import re

import torch
from torch._dynamo.utils import same

three = 3


def unsupported(a, b):
    """b, from behind a graph break."""
    torch._dynamo.graph_break()
    return b


def normalize_gm(text):
    """The text of a graph without lines of comments, spaces at ends of lines and two empty lines in a row."""
    lines = []
    for line in re.sub(r"(?m)^ *#.*\n?", "", text).split("\n"):
        if line.strip() or not lines or lines[-1]:
            lines.append(line.rstrip())
    return "\n".join(lines)


def _operations(gm):
    return sum(1 for node in gm.graph.nodes if "call" in node.op)


class CompileCounter:
    """A backend that runs graphs as they are and counts them and their operations."""

    def __init__(self):
        self.clear()

    def __call__(self, gm, example_inputs):
        self.frame_count += 1
        self.op_count += _operations(gm)
        return gm.forward

    def clear(self):
        self.frame_count = 0
        self.op_count = 0


class CompileCounterWithBackend(CompileCounter):
    """The same, which also keeps the graphs; what runs is what the backend makes of them."""

    def __init__(self, backend):
        self.backend = backend
        super().__init__()

    def __call__(self, gm, example_inputs):
        super().__call__(gm, example_inputs)
        self.graphs.append(gm)
        if callable(self.backend):
            return self.backend(gm, example_inputs)
        return torch.compile(gm, backend=self.backend)

    def clear(self):
        super().clear()
        self.graphs = []


class EagerAndRecordGraphs:
    def __init__(self):
        self.graphs = []

    def __call__(self, gm, example_inputs):
        self.graphs.append(gm)
        return gm.forward


def reduce_to_scalar_loss(out):
    if isinstance(out, torch.Tensor):
        return out.sum() / out.numel()
    if isinstance(out, (list, tuple)):
        return sum(reduce_to_scalar_loss(x) for x in out) / len(out)
    if isinstance(out, dict):
        return sum(reduce_to_scalar_loss(value) for value in out.values()) / len(out.keys())
    raise NotImplementedError(f"Don't know how to reduce {type(out)}")


def requires_bwd_pass(out):
    if isinstance(out, torch.Tensor):
        return out.requires_grad
    return isinstance(out, (list, tuple)) and any(requires_bwd_pass(x) for x in out)


def collect_results(model, prediction, loss, example_inputs):
    """All that a step has left: results, gradients (zeros where there is none), parameters, buffers, the inputs' ones."""
    def plain(name):
        return name.removeprefix("_orig_mod.")

    parameters = [(plain(name), p) for name, p in model.named_parameters()]
    gradients = {name + ".grad": torch.zeros_like(p) if p.grad is None else p.grad for name, p in parameters}
    results = [prediction, loss, gradients, dict(parameters), {plain(name): b for name, b in model.named_buffers()}]
    for example in example_inputs:
        given = example if isinstance(example, (tuple, list)) else [example]
        results.extend(x.grad for x in given if isinstance(x, torch.Tensor))
    return results


def rand_strided(size, stride, dtype=torch.float32, device="cpu", extra_size=0):
    needed = sum((n - 1) * step for n, step in zip(size, stride)) + 1 + extra_size
    if dtype.is_floating_point:
        buffer = torch.randn(needed, dtype=dtype, device=device)
    else:
        buffer = torch.zeros(needed, dtype=dtype, device=device)
    return torch.as_strided(buffer, size, stride)
