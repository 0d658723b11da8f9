# SPDX-License-Identifier: Apache-2.0
# The part of the torch module that is written in the script language.
# _C: the evaluator's own functions; only scripts of the library know that name.


class set_grad_enabled:
    def __init__(self, mode):
        self.previous = _C.is_grad_enabled()
        _C.set_grad_enabled(mode)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        _C.set_grad_enabled(self.previous)


class _GradMode:
    def __enter__(self):
        self.previous = _C.is_grad_enabled()
        _C.set_grad_enabled(self.mode)
        return self

    def __exit__(self, kind, error, trace):
        _C.set_grad_enabled(self.previous)

    def __call__(self, function):
        mode = self.mode

        def wrapped(*args, **kwargs):
            previous = _C.is_grad_enabled()
            _C.set_grad_enabled(mode)
            try:
                return function(*args, **kwargs)
            finally:
                _C.set_grad_enabled(previous)

        return wrapped


class no_grad(_GradMode):
    mode = False


class enable_grad(_GradMode):
    mode = True


class inference_mode(_GradMode):
    def __init__(self, mode=True):
        self.mode = not mode


def compile(model=None, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, disable=False):
    if model is None:
        def decorate(function):
            return _C.compile(function, fullgraph, dynamic, backend, mode, options, disable)

        return decorate
    return _C.compile(model, fullgraph, dynamic, backend, mode, options, disable)


def tensordot(a, b, dims=2, out=None):
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        left, right = list(range(-dims, 0)), list(range(dims))
    else:
        left, right = dims
        left = [left] if isinstance(left, int) else list(left)
        right = [right] if isinstance(right, int) else list(right)
    from torch import _ops
    found = _ops.tensordot(a, b, left, right)
    return found if out is None else out.copy_(found)
