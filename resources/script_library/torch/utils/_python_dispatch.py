# SPDX-License-Identifier: Apache-2.0
# torch.utils._python_dispatch: modes that are asked for every operation below autograd.
# _C: the evaluator's own functions; only scripts of the library know that name.


class TorchDispatchMode:
    """In `with`, its __torch_dispatch__ is asked for what each operation gives: operations that others consist of come as
    those, a backward pass as the operations of its rules."""

    def __init__(self, _dispatch_key=None):
        pass

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        scopes = self.__dict__.setdefault("_scopes", [])
        scopes.append(_C.dispatch_scope(lambda func, args, kwargs: self.__torch_dispatch__(func, (), args, kwargs)))
        return self

    def __exit__(self, kind, error, trace):
        self._scopes.pop()()

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class BaseTorchDispatchMode(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))
