# SPDX-License-Identifier: Apache-2.0
# torch.utils.benchmark: statements timed by the clock that scripts have.
import statistics
import time
from timeit import _function


class Measurement:
    def __init__(self, number_per_run, raw_times, stmt, label=None, sub_label=None, description=None, num_threads=1):
        self.number_per_run, self.raw_times = number_per_run, raw_times
        self.stmt, self.label, self.sub_label, self.description = stmt, label, sub_label, description
        self.num_threads = num_threads

    @property
    def times(self):
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def mean(self):
        return statistics.mean(self.times)

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def iqr(self):
        times = sorted(self.times)
        return times[3 * len(times) // 4 - (len(times) == 1)] - times[len(times) // 4] if len(times) > 1 else 0.0

    def __repr__(self):
        one = len(self.raw_times) == 1
        text = f"<torch.utils.benchmark.utils.common.Measurement object at {hex(id(self))}>\n{self.label or self.stmt}\n"
        if self.description:
            text += self.description + "\n"
        text += f"  {'' if one else 'Median: '}{_time(self.median)}\n"
        runs = f"{len(self.raw_times)} measurement{'' if one else 's'}, {self.number_per_run} runs "
        return text + f"  {runs}{'per measurement, ' if not one else ', '}{self.num_threads} thread" \
            + ("" if self.num_threads == 1 else "s")


def _time(seconds):
    for unit, factor in ("s", 1.0), ("ms", 1e3), ("us", 1e6):
        if seconds * factor >= 1:
            return f"{seconds * factor:.2f} {unit}"
    return f"{seconds * 1e9:.2f} ns"


class Timer:
    """\\param stmt: an expression over globals, or a function"""

    def __init__(self, stmt="pass", setup="pass", timer=None, globals=None, label=None, sub_label=None,
                 description=None, num_threads=1, **options):
        self._told = stmt if isinstance(stmt, str) else getattr(stmt, "__name__", "stmt"), label, sub_label, description
        self._threads = num_threads
        self._run = _function(setup, stmt, globals)

    def _timed(self, number):
        start = time.perf_counter()
        for _ in range(number):
            self._run()
        return time.perf_counter() - start

    def timeit(self, number=1000000):
        self._timed(max(number // 100, 2))
        return Measurement(number, [self._timed(number)], *self._told, self._threads)

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        number = 1
        while self._timed(number) < min_run_time / 1000 and number < 1 << 20:
            number *= 10
        times, total = [], 0.0
        while total < min_run_time:
            times.append(self._timed(number))
            total += times[-1]
        return Measurement(number, times, *self._told, self._threads)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        return self.blocked_autorange(min_run_time=min_run_time)
