# SPDX-License-Identifier: Apache-2.0
"""Coroutines that take turns on one loop, whose time passes by sleeping."""
import collections as _collections
import contextlib as _contextlib
import heapq as _heapq
import inspect as _inspect
import time as _time
import types as _types


class CancelledError(BaseException):
    pass


class InvalidStateError(Exception):
    pass


class QueueEmpty(Exception):
    pass


class QueueFull(Exception):
    pass


TimeoutError = TimeoutError
FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED = "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"
_running = None
_task = None


class Handle:
    def __init__(self, call):
        self.call = call

    def cancel(self):
        self.call = None


class AbstractEventLoop:
    def __init__(self):
        self._ready, self._timed, self._count, self._closed = _collections.deque(), [], 0, False

    def time(self):
        return _time.monotonic()

    def call_soon(self, callback, *args, context=None):
        handle = Handle(lambda: callback(*args))
        self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_at(self, when, callback, *args, context=None):
        handle = Handle(lambda: callback(*args))
        self._count += 1
        _heapq.heappush(self._timed, (when, self._count, handle))
        return handle

    def call_later(self, delay, callback, *args, context=None):
        return self.call_at(self.time() + delay, callback, *args)

    def create_future(self):
        return Future(loop=self)

    def create_task(self, coro, *, name=None, context=None):
        return Task(coro, loop=self, name=name)

    async def run_in_executor(self, executor, func, *args):
        return func(*args)

    def _turn(self):
        while self._timed and self._timed[0][2].call is None:
            _heapq.heappop(self._timed)
        if not self._ready and not self._timed:
            raise RuntimeError("Event loop stopped before Future completed.")
        if not self._ready:
            _time.sleep(max(0, self._timed[0][0] - self.time()))
        while self._timed and self._timed[0][0] <= self.time():
            self._ready.append(_heapq.heappop(self._timed)[2])
        for _ in range(len(self._ready)):
            handle = self._ready.popleft()
            if handle.call is not None:
                handle.call()

    def run_until_complete(self, future):
        global _running
        if _running is not None:
            raise RuntimeError("This event loop is already running" if _running is self
                               else "Cannot run the event loop while another loop is running")
        outer, _running = _running, self
        try:
            future = ensure_future(future, loop=self)
            while not future.done():
                self._turn()
        finally:
            _running = outer
        return future.result()

    def is_running(self):
        return _running is self

    def is_closed(self):
        return self._closed

    def close(self):
        self._closed = True

    def stop(self):
        pass


class Future:
    def __init__(self, *, loop=None):
        self._loop = loop or _running or get_event_loop()
        self._state, self._result, self._exception, self._callbacks = "PENDING", None, None, []

    def get_loop(self):
        return self._loop

    def done(self):
        return self._state != "PENDING"

    def cancelled(self):
        return self._state == "CANCELLED"

    def result(self):
        if self._state == "CANCELLED":
            raise CancelledError()
        if self._state == "PENDING":
            raise InvalidStateError("Result is not set.")
        if self._exception is not None:
            raise self._exception
        return self._result

    def exception(self):
        if self._state == "CANCELLED":
            raise CancelledError()
        if self._state == "PENDING":
            raise InvalidStateError("Exception is not set.")
        return self._exception

    def _end(self, state, result=None, exception=None):
        if self.done():
            raise InvalidStateError(f"{self._state}: {self!r}")
        self._state, self._result, self._exception = state, result, exception
        for callback in self._callbacks:
            self._loop.call_soon(callback, self)
        self._callbacks = []

    def set_result(self, result):
        self._end("FINISHED", result)

    def set_exception(self, exception):
        self._end("FINISHED", None, exception() if isinstance(exception, type) else exception)

    def cancel(self, msg=None):
        if self.done():
            return False
        self._end("CANCELLED")
        return True

    def add_done_callback(self, callback, *, context=None):
        if self.done():
            self._loop.call_soon(callback, self)
        else:
            self._callbacks.append(callback)

    def remove_done_callback(self, callback):
        before = len(self._callbacks)
        self._callbacks = [one for one in self._callbacks if one != callback]
        return before - len(self._callbacks)

    def __await__(self):
        if not self.done():
            yield self
        return self.result()

    __iter__ = __await__


class Task(Future):
    _named = 0

    def __init__(self, coro, *, loop=None, name=None):
        if not iscoroutine(coro):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        super().__init__(loop=loop)
        Task._named += 1
        self._coro, self._name = coro, name or f"Task-{Task._named}"
        self._waits, self._cancels = None, 0
        self._loop.call_soon(self._step)

    def get_name(self):
        return self._name

    def set_name(self, value):
        self._name = str(value)

    def get_coro(self):
        return self._coro

    def cancel(self, msg=None):
        if self.done():
            return False
        self._cancels += 1
        if self._waits is None or not self._waits.cancel():
            self._cancel_next = True
        return True

    _cancel_next = False

    def cancelling(self):
        return self._cancels

    def uncancel(self):
        self._cancels = max(0, self._cancels - 1)
        return self._cancels

    def _step(self, error=None):
        global _task
        if self.done():
            return
        if self._cancel_next:
            error, self._cancel_next = CancelledError(), False
        outer, _task, self._waits = _task, self, None
        try:
            waits = self._coro.send(None) if error is None else self._coro.throw(error)
        except StopIteration as end:
            super().set_result(end.value)
        except CancelledError:
            super().cancel()
        except (KeyboardInterrupt, SystemExit) as end:
            super().set_exception(end)
            raise
        except BaseException as end:
            super().set_exception(end)
        else:
            if waits is None:
                self._loop.call_soon(self._step)
            else:
                self._waits = waits
                waits.add_done_callback(self._wake)
        finally:
            _task = outer

    def _wake(self, future):
        self._step()


def iscoroutine(value):
    return isinstance(value, _types.CoroutineType)


iscoroutinefunction = _inspect.iscoroutinefunction


def isfuture(value):
    return isinstance(value, Future)


async def _awaited(value):
    return await value


def ensure_future(value, *, loop=None):
    if isfuture(value):
        return value
    if iscoroutine(value):
        return Task(value, loop=loop)
    if hasattr(value, "__await__"):
        return Task(_awaited(value), loop=loop)
    raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")


_current = None


def new_event_loop():
    return AbstractEventLoop()


def set_event_loop(loop):
    global _current
    _current = loop


def get_event_loop():
    global _current
    if _running is not None:
        return _running
    if _current is None:
        raise RuntimeError("There is no current event loop in thread 'MainThread'.")
    return _current


def get_running_loop():
    if _running is None:
        raise RuntimeError("no running event loop")
    return _running


def current_task(loop=None):
    return _task


def create_task(coro, *, name=None, context=None):
    return get_running_loop().create_task(coro, name=name)


def run(main, *, debug=None, loop_factory=None):
    if _running is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    if not iscoroutine(main):
        raise ValueError(f"a coroutine was expected, got {main!r}")
    return new_event_loop().run_until_complete(main)


class Runner:
    def __init__(self, *, debug=None, loop_factory=None):
        self._loop = new_event_loop()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._loop.close()

    def get_loop(self):
        return self._loop

    def run(self, coro, *, context=None):
        return self._loop.run_until_complete(coro)


class _Turn:
    def __await__(self):
        yield None


async def sleep(delay, result=None):
    if delay <= 0:
        await _Turn()
        return result
    future = get_running_loop().create_future()
    handle = get_running_loop().call_later(delay, lambda: future.done() or future.set_result(None))
    try:
        await future
    finally:
        handle.cancel()
    return result


async def to_thread(func, /, *args, **kwargs):
    return func(*args, **kwargs)


def gather(*awaitables, return_exceptions=False):
    loop = _running or get_event_loop()
    outer = loop.create_future()
    made = {}
    parts = [made[id(one)] if id(one) in made else made.setdefault(id(one), ensure_future(one)) for one in awaitables]
    left = [len(parts)]

    def ended(future):
        left[0] -= 1
        if outer.done():
            return
        if not return_exceptions:
            if future.cancelled():
                return outer.set_exception(CancelledError())
            if future.exception() is not None:
                return outer.set_exception(future.exception())
        if left[0] == 0:
            outer.set_result([CancelledError() if part.cancelled() else part.exception() or part.result()
                              if return_exceptions else part.result() for part in parts])

    cancel = outer.cancel

    def cancelled(msg=None):
        for part in parts:
            part.cancel()
        return cancel()

    outer.cancel = cancelled
    for part in parts:
        part.add_done_callback(ended)
    if not parts:
        outer.set_result([])
    return outer


async def wait(aws, *, timeout=None, return_when=ALL_COMPLETED):
    futures = [ensure_future(one) for one in aws]
    if not futures:
        raise ValueError("Set of Tasks/Futures is empty.")
    waiter = get_running_loop().create_future()

    def enough():
        done = [one for one in futures if one.done()]
        if len(done) == len(futures) or return_when == FIRST_COMPLETED and done:
            return True
        return return_when == FIRST_EXCEPTION and any(not d.cancelled() and d.exception() is not None for d in done)

    def ended(_):
        if enough() and not waiter.done():
            waiter.set_result(None)

    handle = None
    if not enough():
        if timeout is not None:
            handle = get_running_loop().call_later(timeout, lambda: waiter.done() or waiter.set_result(None))
        for one in futures:
            one.add_done_callback(ended)
        await waiter
    if handle:
        handle.cancel()
    return {one for one in futures if one.done()}, {one for one in futures if not one.done()}


class Timeout:
    def __init__(self, when):
        self._when, self._expired, self._handle = when, False, None

    def when(self):
        return self._when

    def expired(self):
        return self._expired

    def _expire(self):
        self._expired = True
        self._task.cancel()

    async def __aenter__(self):
        self._task = current_task()
        if self._when is not None:
            self._handle = get_running_loop().call_at(self._when, self._expire)
        return self

    async def __aexit__(self, kind, error, traceback):
        if self._handle:
            self._handle.cancel()
        if self._expired:
            self._task.uncancel()
            if kind is not None and issubclass(kind, CancelledError):
                raise TimeoutError from error


def timeout(delay):
    return Timeout(None if delay is None else get_running_loop().time() + delay)


def timeout_at(when):
    return Timeout(when)


async def wait_for(fut, timeout):
    async with Timeout(None if timeout is None else get_running_loop().time() + timeout):
        return await fut


def as_completed(aws, *, timeout=None):
    futures = [ensure_future(one) for one in aws]
    done = Queue()
    for one in futures:
        one.add_done_callback(done.put_nowait)

    async def first():
        return (await done.get()).result()

    for _ in futures:
        yield first()


async def shield(arg):
    return await ensure_future(arg)


class TaskGroup:
    def __init__(self):
        self._tasks, self._errors = [], []

    async def __aenter__(self):
        self._parent = current_task()
        return self

    def create_task(self, coro, *, name=None, context=None):
        task = create_task(coro, name=name)
        self._tasks.append(task)
        return task

    async def __aexit__(self, kind, error, traceback):
        if error is not None:
            for task in self._tasks:
                task.cancel()
        while left := [task for task in self._tasks if not task.done()]:
            await wait(left, return_when=FIRST_EXCEPTION)
            if any(task.done() and not task.cancelled() and task.exception() is not None for task in self._tasks):
                for task in self._tasks:
                    task.cancel()
        errors = [task.exception() for task in self._tasks if not task.cancelled() and task.exception() is not None]
        if error is not None and not isinstance(error, CancelledError):
            errors.append(error)
        if errors:
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", errors)


class _Waiting:
    """What waits in line."""

    def __init__(self):
        self._line = _collections.deque()

    async def _wait(self):
        future = get_running_loop().create_future()
        self._line.append(future)
        await future

    def _wake(self, count=1):
        while self._line and count:
            future = self._line.popleft()
            if not future.done():
                future.set_result(None)
                count -= 1


class _Guard(_Waiting):
    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, *error):
        self.release()


class Lock(_Guard):
    _locked = False

    def locked(self):
        return self._locked

    async def acquire(self):
        while self._locked:
            await self._wait()
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        self._wake()


class Semaphore(_Guard):
    def __init__(self, value=1):
        super().__init__()
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        self._value = value

    def locked(self):
        return self._value == 0

    async def acquire(self):
        while self._value == 0:
            await self._wait()
        self._value -= 1
        return True

    def release(self):
        self._value += 1
        self._wake()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._bound = value

    def release(self):
        if self._value >= self._bound:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()


class Event(_Waiting):
    _set = False

    def is_set(self):
        return self._set

    def set(self):
        self._set = True
        self._wake(len(self._line))

    def clear(self):
        self._set = False

    async def wait(self):
        if not self._set:
            await self._wait()
        return True


class Condition(_Guard):
    def __init__(self, lock=None):
        super().__init__()
        self._lock = lock or Lock()
        self.acquire, self.release, self.locked = self._lock.acquire, self._lock.release, self._lock.locked

    async def wait(self):
        self.release()
        try:
            await self._wait()
        finally:
            await self.acquire()
        return True

    async def wait_for(self, predicate):
        while not (found := predicate()):
            await self.wait()
        return found

    def notify(self, n=1):
        self._wake(n)

    def notify_all(self):
        self._wake(len(self._line))


class Queue:
    def __init__(self, maxsize=0):
        self._maxsize, self._items, self._unfinished = maxsize, self._empty(), 0
        self._getters, self._putters, self._joiners = _Waiting(), _Waiting(), _Waiting()

    def _empty(self):
        return _collections.deque()

    def _add(self, item):
        self._items.append(item)

    def _take(self):
        return self._items.popleft()

    @property
    def maxsize(self):
        return self._maxsize

    def qsize(self):
        return len(self._items)

    def empty(self):
        return not self._items

    def full(self):
        return 0 < self._maxsize <= len(self._items)

    def put_nowait(self, item):
        if self.full():
            raise QueueFull
        self._add(item)
        self._unfinished += 1
        self._getters._wake()

    def get_nowait(self):
        if self.empty():
            raise QueueEmpty
        item = self._take()
        self._putters._wake()
        return item

    async def put(self, item):
        while self.full():
            await self._putters._wait()
        self.put_nowait(item)

    async def get(self):
        while self.empty():
            await self._getters._wait()
        return self.get_nowait()

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if self._unfinished == 0:
            self._joiners._wake(len(self._joiners._line))

    async def join(self):
        if self._unfinished > 0:
            await self._joiners._wait()


class PriorityQueue(Queue):
    def _empty(self):
        return []

    def _add(self, item):
        _heapq.heappush(self._items, item)

    def _take(self):
        return _heapq.heappop(self._items)


class LifoQueue(Queue):
    def _empty(self):
        return []

    def _take(self):
        return self._items.pop()
