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
    return fn


def wrap_numpy(fn):
    return fn


def set_stance(stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
    if stance not in ("default", "force_eager", "eager_on_recompile", "fail_on_recompile", "eager_then_compile"):
        raise RuntimeError(f"invalid torch.compile stance '{stance}'")
    if stance != "default":
        raise NotImplementedError(f"the stance '{stance}' is not available: use torch.compile(disable=True)")
