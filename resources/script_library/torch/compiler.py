# SPDX-License-Identifier: Apache-2.0
# torch.compiler in the script language.
import torch


def compile(*args, **kwargs):
    return torch.compile(*args, **kwargs)


def is_compiling():
    return _C.is_compiling()


def is_dynamo_compiling():
    return _C.is_compiling()


def is_exporting():
    return False


def disable(fn=None, recursive=True, *, reason=None):
    if fn is None:
        return lambda function: disable(function, recursive)
    return torch._dynamo.disable(fn)


def reset():
    torch._dynamo.reset()


def list_backends(exclude_tags=("debug", "experimental")):
    return torch._dynamo.list_backends(exclude_tags)


def cudagraph_mark_step_begin():
    """A mark for graphs of launches, which are not kept here."""


def allow_in_graph(fn):
    return fn


def assume_constant_result(fn):
    return torch._dynamo.assume_constant_result(fn)


def wrap_numpy(fn):
    return fn


def nested_compile_region(fn=None):
    """A function that PyTorch compiles once for all its calls; kernels that compute the same are one here anyway."""
    return nested_compile_region if fn is None else fn


def substitute_in_graph(original_fn, *, can_constant_fold_through=False, skip_signature_check=False,
                        is_embedded_type=False):
    return torch._dynamo.substitute_in_graph(original_fn)


class set_stance:
    """What compiled functions do: "force_eager" runs them as they are, "eager_on_recompile" where no entry fits,
    "fail_on_recompile" raises RuntimeError there. From now on, in a with block, or while a decorated function runs."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        if stance not in ("default", "force_eager", "eager_on_recompile", "fail_on_recompile", "eager_then_compile"):
            raise RuntimeError(f"invalid torch.compile stance '{stance}'")
        if stance == "eager_then_compile" or force_backend is not None:
            raise NotImplementedError("eager_then_compile and force_backend are not available")
        self._stance = stance
        self._before = torch._set_stance(stance)

    def __enter__(self):
        torch._set_stance(self._stance)

    def __exit__(self, kind, error, trace):
        torch._set_stance(self._before)

    def __call__(self, function):
        torch._set_stance(self._before)

        def wrapped(*args, **kwargs):
            if is_compiling():
                return function(*args, **kwargs)
            self._before = torch._set_stance(self._stance)
            with self:
                return function(*args, **kwargs)

        wrapped.__wrapped__ = function
        wrapped.__name__ = getattr(function, "__name__", "wrapped")
        return wrapped
