# SPDX-License-Identifier: Apache-2.0
# concurrent.futures: calls that run at once, one after another, when they are submitted.
FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"


class CancelledError(Exception):
    pass


class Future:
    def __init__(self):
        self._result = None
        self._error = None
        self._done = False

    def _run(self, fn, args, kwargs):
        try:
            self._result = fn(*args, **kwargs)
        except BaseException as error:
            self._error = error
        self._done = True

    def result(self, timeout=None):
        if self._error is not None:
            raise self._error
        return self._result

    def exception(self, timeout=None):
        return self._error

    def done(self):
        return self._done

    def running(self):
        return False

    def cancel(self):
        return False

    def cancelled(self):
        return False

    def set_result(self, result):
        self._result, self._done = result, True

    def set_exception(self, error):
        self._error, self._done = error, True

    def add_done_callback(self, fn):
        fn(self)


class Executor:
    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=(), **options):
        self._closed = False
        if initializer is not None:
            initializer(*initargs)

    def submit(self, fn, /, *args, **kwargs):
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = Future()
        future._run(fn, args, kwargs)
        return future

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        futures = [self.submit(fn, *args) for args in zip(*iterables)]
        return (future.result() for future in futures)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._closed = True

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.shutdown()
        return False


class ThreadPoolExecutor(Executor):
    pass


class ProcessPoolExecutor(Executor):
    pass


def as_completed(fs, timeout=None):
    return iter(list(fs))


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    from collections import namedtuple
    return namedtuple("DoneAndNotDoneFutures", "done not_done")(set(fs), set())
