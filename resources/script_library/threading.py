# SPDX-License-Identifier: Apache-2.0
# threading: a script is one thread, so locks are free for whoever asks again and again. Thread.start() refuses.


class RLock:
    """A lock that its one thread may take several times."""

    _again = True

    def __init__(self):
        self._held = 0

    def acquire(self, blocking=True, timeout=-1):
        if self._held and not self._again:
            if blocking and timeout < 0:
                raise RuntimeError("a lock is taken twice: a script is one thread here, so this would wait for ever")
            return False
        self._held += 1
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held -= 1

    def locked(self):
        return self._held > 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, value, trace):
        self.release()
        return False


class Lock(RLock):
    """The same, once at a time."""

    _again = False


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if not self._value:
            if blocking and timeout is None:
                raise RuntimeError("a semaphore of 0 is taken: a script is one thread here, so this would wait for ever")
            return False
        self._value -= 1
        return True

    def release(self, n=1):
        self._value += n

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, value, trace):
        self.release()
        return False


class Event:
    def __init__(self):
        self._set = False

    def is_set(self):
        return self._set

    def set(self):
        self._set = True

    def clear(self):
        self._set = False

    def wait(self, timeout=None):
        if not self._set and timeout is None:
            raise RuntimeError("an event that nothing has set is waited for: a script is one thread here")
        return self._set


class local:
    """Attributes of the one thread."""


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self.name = name or "Thread-1"
        self.daemon = bool(daemon)
        self.ident = None

    def start(self):
        raise RuntimeError("can't start new thread: a script is one thread here; call the function itself")

    def is_alive(self):
        return self.ident is not None

    def join(self, timeout=None):
        raise RuntimeError("cannot join thread before it is started")


_main = Thread(name="MainThread")
_main.ident = 1


def current_thread():
    return _main


main_thread = current_thread


def get_ident():
    return 1


get_native_id = get_ident


def active_count():
    return 1


def enumerate():
    return [_main]
