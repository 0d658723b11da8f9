# SPDX-License-Identifier: Apache-2.0
# torch.utils.checkpoint: the forward computation is run again in the backward pass.
import contextlib

import torch


def _detached(value):
    if isinstance(value, torch.Tensor):
        return value.detach().requires_grad_(value.requires_grad)
    return value


class CheckpointFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, preserve, *args):
        ctx.run = run
        ctx.state = torch.get_rng_state() if preserve else None
        ctx.autocast = [(device, torch.get_autocast_dtype(device), torch.is_autocast_enabled(device))
                        for device in ("cpu", "cuda")]
        ctx.args = tuple(None if isinstance(a, torch.Tensor) else a for a in args)
        ctx.places = tuple(i for i, a in enumerate(args) if isinstance(a, torch.Tensor))
        ctx.save_for_backward(*[args[i] for i in ctx.places])
        return run(*args)

    @staticmethod
    def backward(ctx, *grads):
        args = list(ctx.args)
        for i, tensor in zip(ctx.places, ctx.saved_tensors):
            args[i] = _detached(tensor)
        now = torch.get_rng_state() if ctx.state is not None else None
        if ctx.state is not None:
            torch.set_rng_state(ctx.state)
        with contextlib.ExitStack() as modes:
            modes.enter_context(torch.enable_grad())
            for device, dtype, enabled in ctx.autocast:
                if enabled != torch.is_autocast_enabled(device) or enabled:
                    modes.enter_context(torch.autocast(device, dtype=dtype, enabled=enabled))
            outputs = ctx.run(*args)
        if now is not None:
            torch.set_rng_state(now)
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        used = [(o, g) for o, g in zip(outputs, grads) if isinstance(o, torch.Tensor) and o.requires_grad]
        if not used:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        torch.autograd.backward([o for o, g in used], [g for o, g in used])
        return (None, None) + tuple(a.grad if isinstance(a, torch.Tensor) else None for a in args)


def checkpoint(function, *args, use_reentrant=None, context_fn=None, determinism_check="default", debug=False,
               preserve_rng_state=True, **kwargs):
    if _C.is_compiling():
        # The partition of the joint graph computes again what lies in the region.
        _C.checkpoint_region(True)
        try:
            return function(*args, **kwargs)
        finally:
            _C.checkpoint_region(False)

    def run(*given):
        return function(*given, **kwargs)

    needs = any(isinstance(a, torch.Tensor) and a.requires_grad for a in args)
    if torch.is_grad_enabled() and not needs and not use_reentrant:
        # Parameters inside want gradients though no argument does: a leaf makes the function one of the tape.
        return CheckpointFunction.apply(lambda leaf, *given: run(*given), preserve_rng_state,
                                        torch.zeros((), requires_grad=True), *args)
    return CheckpointFunction.apply(run, preserve_rng_state, *args)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    functions = list(functions.children()) if isinstance(functions, torch.nn.Sequential) else list(functions)
    size = len(functions) // segments

    def run(start, end):
        def forward(x):
            for j in range(start, end + 1):
                x = functions[j](x)
            return x

        return forward

    end = -1
    for start in range(0, size * (segments - 1), size):
        end = start + size - 1
        input = checkpoint(run(start, end), input, use_reentrant=use_reentrant, **kwargs)
    return run(end + 1, len(functions) - 1)(input)
