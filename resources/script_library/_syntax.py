# SPDX-License-Identifier: Apache-2.0
"""What the evaluator's parser makes of statements that Python explains by calls: async and await, except*, type."""
import types as _types


def part(name):
    return globals()[name]


def awaitable(value):
    """What `await value` goes through."""
    if isinstance(value, _types.CoroutineType):
        return value
    method = getattr(type(value), "__await__", None)
    if method is None:
        raise TypeError(f"object {type(value).__name__} can't be used in 'await' expression")
    return method(value)


class Yielded:
    """What an asynchronous generator yields, among what it waits for."""

    def __init__(self, value):
        self.value = value


class _Step:
    """One value of an asynchronous generator, to be awaited."""

    def __init__(self, generator, send, argument):
        self._generator, self._send, self._argument = generator, send, argument

    def __await__(self):
        send, argument = self._send, self._argument
        while True:
            try:
                found = send(argument)
            except StopIteration:
                self._generator.ended = True
                raise StopAsyncIteration from None
            if type(found) is Yielded:
                return found.value
            send = self._generator.steps.send
            try:
                argument = yield found
            except BaseException as error:
                send, argument = self._generator.steps.throw, error


class AsyncGenerator:
    def __init__(self, steps):
        self.steps, self.ended = steps, False

    def __aiter__(self):
        return self

    def __anext__(self):
        return self.asend(None)

    def asend(self, value):
        return _Step(self, self.steps.send, value)

    def athrow(self, error, value=None, traceback=None):
        return _Step(self, self.steps.throw, error)

    def aclose(self):
        return self._close()

    async def _close(self):
        try:
            await _Step(self, self.steps.throw, GeneratorExit())
        except (StopAsyncIteration, GeneratorExit):
            return
        raise RuntimeError("async generator ignored GeneratorExit")

    def __repr__(self):
        return f"<async_generator object {self.steps.__name__} at {hex(id(self))}>"


AsyncGenerator.__name__ = AsyncGenerator.__qualname__ = "async_generator"


async def drained(values):
    """The items of `async for`, of a comprehension."""
    found = []
    async for value in values:
        found.append(value)
    return found


class Group:
    """An exception on its way through `except*` clauses."""

    def __init__(self, error):
        self.error, self.raised = error, []
        self.grouped = isinstance(error, BaseExceptionGroup)
        self.rest = error if self.grouped else BaseExceptionGroup("", [error])

    def matching(self, kind):
        """What of it is of that kind; the others are left."""
        for one in kind if isinstance(kind, tuple) else (kind,):
            if issubclass(one, BaseExceptionGroup):
                raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
        if self.rest is None:
            return None
        found, self.rest = self.rest.split(kind)
        return found

    def note(self, error):
        self.raised.append(error)

    def end(self):
        """Raises what no clause took, and what the clauses raised."""
        if len(self.raised) == 1 and self.rest is None:
            raise self.raised[0]
        if self.raised:
            raise ExceptionGroup("", self.raised + ([self.rest] if self.rest is not None else []))
        if self.rest is not None:
            raise self.rest if self.grouped else self.error


class BaseExceptionGroup(BaseException):
    def __init__(self, message, exceptions):
        if not isinstance(message, str):
            raise TypeError(f"BaseExceptionGroup.__new__() argument 1 must be str, not {type(message).__name__}")
        if not isinstance(exceptions, (list, tuple)):
            raise TypeError("second argument (exceptions) must be a sequence")
        if not exceptions:
            raise ValueError("second argument (exceptions) must be a non-empty sequence")
        for i, error in enumerate(exceptions):
            if not isinstance(error, BaseException):
                raise ValueError(f"Item {i} of second argument (exceptions) is not an exception")
            if isinstance(self, Exception) and not isinstance(error, Exception):
                raise TypeError("Cannot nest BaseExceptions in an ExceptionGroup")
        super().__init__(message, exceptions)
        self.message, self.exceptions = message, tuple(exceptions)

    def __str__(self):
        n = len(self.exceptions)
        return f"{self.message} ({n} sub-exception{'s' if n != 1 else ''})"

    def __repr__(self):
        return f"{type(self).__name__}({self.message!r}, {list(self.exceptions)!r})"

    def derive(self, exceptions):
        plain = all(isinstance(error, Exception) for error in exceptions)
        return (ExceptionGroup if plain else BaseExceptionGroup)(self.message, exceptions)

    def _derived(self, exceptions):
        if not exceptions:
            return None
        made = self.derive(exceptions)
        made.__traceback__, made.__cause__, made.__context__ = self.__traceback__, self.__cause__, self.__context__
        return made

    def split(self, condition):
        holds = (lambda error: isinstance(error, condition)) if isinstance(condition, (type, tuple)) else condition
        if holds(self):
            return self, None
        inside, outside = [], []
        for error in self.exceptions:
            if isinstance(error, BaseExceptionGroup):
                found, left = error.split(condition)
                inside += [found] if found is not None else []
                outside += [left] if left is not None else []
            else:
                (inside if holds(error) else outside).append(error)
        return self._derived(inside), self._derived(outside)

    def subgroup(self, condition):
        return self.split(condition)[0]

    def __class_getitem__(cls, item):
        return cls


class ExceptionGroup(BaseExceptionGroup, Exception):
    pass

