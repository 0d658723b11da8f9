# SPDX-License-Identifier: Apache-2.0
# The patch() of modules of settings: torch._dynamo.config.patch(...), torch._inductor.config.patch(...); and what
# PyTorch's settings are that choose nothing here, for scripts that read them.


class _Patch:
    """Settings that hold in a with block or while a decorated function runs."""

    def __init__(self, module, changes):
        self._module = module
        self._changes = changes
        self._before = []

    def _holder(self, name):
        module = self._module
        *path, last = name.split(".")
        for part in path:
            module = getattr(module, part)
        return module, last

    def __enter__(self):
        before = []
        for name, value in self._changes.items():
            module, last = self._holder(name)
            before.append((module, last, hasattr(module, last), getattr(module, last, None)))
            setattr(module, last, value)
        self._before.append(before)

    def __exit__(self, kind, error, trace):
        for module, name, had, value in self._before.pop():
            if had:
                setattr(module, name, value)
            else:
                delattr(module, name)

    def __call__(self, function):
        def wrapped(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        wrapped.__wrapped__ = function
        wrapped.__name__ = getattr(function, "__name__", "wrapped")
        return wrapped


def patcher(module):
    def patch(arg1=None, arg2=None, **kwargs):
        """patch(name=value), patch("name", value) or patch({"name": value})."""
        if isinstance(arg1, dict):
            kwargs = dict(arg1, **kwargs)
        elif arg1 is not None:
            kwargs[arg1] = arg2
        return _Patch(module, kwargs)

    return patch


def defaults(module, **values):
    for name, value in values.items():
        if not hasattr(module, name):
            setattr(module, name, value)
