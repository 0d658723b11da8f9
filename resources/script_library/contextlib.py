# SPDX-License-Identifier: Apache-2.0

import sys as _sys
from functools import wraps as _wraps


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return None


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, function):
        @_wraps(function)
        def inner(*args, **kwargs):
            with self._recreate_cm():
                return function(*args, **kwargs)

        return inner


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, function, args, kwargs):
        self.gen = function(*args, **kwargs)
        self._again = function, args, kwargs

    def _recreate_cm(self):
        return type(self)(*self._again)

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, error, trace):
        if kind is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if error is None:
            error = kind()
        try:
            self.gen.throw(error)
        except StopIteration as stop:
            return stop is not error
        except RuntimeError as e:
            if e is error or (isinstance(error, StopIteration) and e.__cause__ is error):
                return False
            raise
        except BaseException as e:
            if e is not error:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(function):
    @_wraps(function)
    def helper(*args, **kwargs):
        return _GeneratorContextManager(function, args, kwargs)

    return helper


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self._exceptions)


class nullcontext(AbstractContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *error):
        pass


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *error):
        self.thing.close()


class _Redirect(AbstractContextManager):
    def __init__(self, target):
        self._target, self._before = target, []

    def __enter__(self):
        self._before.append(getattr(_sys, self._stream))
        setattr(_sys, self._stream, self._target)
        return self._target

    def __exit__(self, *error):
        setattr(_sys, self._stream, self._before.pop())


class redirect_stdout(_Redirect):
    _stream = "stdout"


class redirect_stderr(_Redirect):
    _stream = "stderr"


class ExitStack(AbstractContextManager):
    def __init__(self):
        self._callbacks = []

    def enter_context(self, manager):
        result = type(manager).__enter__(manager)
        self.push(manager)
        return result

    def push(self, exit):
        if hasattr(exit, "__exit__"):
            self._callbacks.append(exit.__exit__)
        else:
            self._callbacks.append(exit)
        return exit

    def callback(self, function, /, *args, **kwargs):
        def run(kind, error, trace):
            function(*args, **kwargs)

        self._callbacks.append(run)
        return function

    def pop_all(self):
        other = type(self)()
        other._callbacks, self._callbacks = self._callbacks, []
        return other

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, kind, error, trace):
        pending, swallowed = error, False
        while self._callbacks:
            exit = self._callbacks.pop()
            try:
                if exit(type(pending) if pending is not None else None, pending, None):
                    pending, swallowed = None, True
            except BaseException as e:
                pending = e
        if pending is not None and pending is not error:
            raise pending
        return swallowed and pending is None
