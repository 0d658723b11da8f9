# SPDX-License-Identifier: Apache-2.0
# timeit: statements timed by the clock that scripts have.
import time

default_timer = time.perf_counter
default_number, default_repeat = 1000000, 5


def _function(setup, stmt, names):
    """What runs a statement once, after its setup."""
    if callable(stmt):
        run = stmt
    else:
        text = "def _run():\n" + "".join(f"    {line}\n" for line in stmt.splitlines())
        names = dict(names or {})
        if not callable(setup):
            exec(setup, names)
        exec(text, names)
        run = names["_run"]
    if callable(setup):
        setup()
    return run


class Timer:
    def __init__(self, stmt="pass", setup="pass", timer=default_timer, globals=None):
        self._run, self._timer = _function(setup, stmt, globals), timer

    def timeit(self, number=default_number):
        start = self._timer()
        for _ in range(number):
            self._run()
        return self._timer() - start

    def repeat(self, repeat=default_repeat, number=default_number):
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback=None):
        number = 1
        while True:
            for step in 1, 2, 5:
                taken = self.timeit(number * step)
                if callback is not None:
                    callback(number * step, taken)
                if taken >= 0.2:
                    return number * step, taken
            number *= 10


def timeit(stmt="pass", setup="pass", timer=default_timer, number=default_number, globals=None):
    return Timer(stmt, setup, timer, globals).timeit(number)


def repeat(stmt="pass", setup="pass", timer=default_timer, repeat=default_repeat, number=default_number, globals=None):
    return Timer(stmt, setup, timer, globals).repeat(repeat, number)
