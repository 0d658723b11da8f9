# SPDX-License-Identifier: Apache-2.0
# torch.utils.benchmark: statements timed by the clock that scripts have.
import math
import statistics
import time
import types
from timeit import _function


class Measurement:
    def __init__(self, number_per_run, raw_times, stmt, label=None, sub_label=None, description=None, num_threads=1):
        self.number_per_run, self.raw_times = number_per_run, raw_times
        self.stmt, self.label, self.sub_label, self.description = stmt, label, sub_label, description
        self.num_threads = num_threads

    @property
    def task_spec(self):
        return types.SimpleNamespace(stmt=self.stmt, setup="pass", label=self.label, sub_label=self.sub_label,
                                     description=self.description, num_threads=self.num_threads, env=None)

    @property
    def as_row_name(self):
        return self.sub_label or self.stmt or "[Unknown]"

    @property
    def significant_figures(self):
        """How many digits of the median two standard deviations of the times leave."""
        middle = self.iqr
        share = middle / self.median if self.median and len(self.raw_times) > 1 else 0.0
        return min(max(int(-math.log10(share)) + 1, 1), 5) if share > 0 else 5

    @property
    def has_warnings(self):
        return bool(self.median) and self.iqr / self.median > 0.1

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


_UNITS = (("s", 1.0, "second"), ("ms", 1e-3, "millisecond"), ("us", 1e-6, "microsecond"), ("ns", 1e-9, "nanosecond"))


class Compare:
    """Measurements in tables, one a label: a row a sub-label, a column a description."""

    def __init__(self, results):
        self._results, self._trims, self._warns = [], False, False
        self.extend_results(results)

    def extend_results(self, results):
        for r in results:
            if not isinstance(r, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(r)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self):
        self._trims = True

    def colorize(self, rowwise=False):
        """Colours are for terminals."""

    def highlight_warnings(self):
        self._warns = True

    def print(self):
        print(str(self))

    def __str__(self):
        labels = {}
        for r in self._results:
            labels.setdefault(r.label, []).append(r)
        return "\n".join(self._table(label, results) for label, results in labels.items())

    def _table(self, label, results):
        least = min(r.median for r in results)
        unit, scale, english = next((u for u in _UNITS if least >= u[1]), _UNITS[-1])
        rows = sorted(dict.fromkeys((r.num_threads, r.as_row_name) for r in results), key=lambda row: row[0])
        columns = list(dict.fromkeys(r.description for r in results))
        found = {(r.num_threads, r.as_row_name, r.description): r for r in results}
        texts, prior = [], None
        formats = [self._format([r for r in results if r.description == c], scale) for c in columns]
        for threads, name in rows:
            cells = [form(found.get((threads, name, c))) for form, c in zip(formats, columns)]
            texts.append((threads if threads != prior else None, ["      " + name] + cells))
            prior = threads
        names = [""] + [c or "" for c in columns]
        widths = [max(len(cell) for cell in column) for column in zip(names, *[cells for _, cells in texts])]
        lines = ["  |  ".join(name.center(w) for name, w in zip(names, widths))]
        whole = len(lines[0])
        for threads, cells in texts:
            if threads is not None:
                lines.append(f"{threads} threads: ".ljust(whole, "-"))
            lines.append("  |  ".join([cells[0].ljust(widths[0])] + [c.center(w) for c, w in zip(cells[1:], widths[1:])]))
        told = "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n" \
            if self._warns and any(r.has_warnings for r in results) else ""
        return (f"[{(' ' + (label or '') + ' ').center(whole - 2, '-')}]\n" + "\n".join(lines)
                + f"\n\nTimes are in {english}s ({unit}).\n{told}")

    def _format(self, results, scale):
        leading = [max(math.ceil(math.log10(r.median / scale)), 0) if r.median else 1 for r in results]
        decimals = min(max(r.significant_figures - digits, 0) for r, digits in zip(results, leading))
        decimals = min(decimals, 1)
        length = max(max(leading), 1) + decimals + (1 if decimals else 0)

        def text(r):
            if r is None:
                return " " * length
            value, more = r.median / scale, ""
            if self._trims and value:
                digits = r.significant_figures - math.ceil(math.log10(value))
                value = round(value, digits)
            if self._warns:
                more = f" (! {r.iqr / r.median * 100:.0f}%)" if r.has_warnings else " " * 7
            return f"{value:>{length}.{decimals}f}{more}"

        return text
