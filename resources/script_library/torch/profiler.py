# SPDX-License-Identifier: Apache-2.0
# torch.profiler: the operations that run one by one, functions of the tape, and stretches that record_function() names.
import functools
from enum import Enum


class ProfilerActivity:
    CPU = "CPU"
    CUDA = "CUDA"
    XPU = "XPU"


_open = []


class _Row:
    def __init__(self, key):
        self.key = key
        self.count = 0
        self.cpu_time_total = 0.0
        self.self_cpu_time_total = 0.0
        self.input_shapes = ""

    @property
    def cpu_time(self):
        return self.cpu_time_total / self.count if self.count else 0.0

    def add(self, count, total, own):
        self.count += count
        self.cpu_time_total += total
        self.self_cpu_time_total += own


class _Rows:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]

    @property
    def self_cpu_time_total(self):
        return sum(row.self_cpu_time_total for row in self.rows)

    def total_average(self):
        total = _Row("Total")
        for row in self.rows:
            total.add(row.count, row.cpu_time_total, row.self_cpu_time_total)
        return total

    def table(self, sort_by=None, row_limit=100, max_name_column_width=55, **options):
        rows = list(self.rows)
        if sort_by == "count":
            rows.sort(key=lambda row: -row.count)
        elif sort_by is not None:
            rows.sort(key=lambda row: -(row.self_cpu_time_total if "self" in sort_by else row.cpu_time_total))
        rows = rows[:row_limit] if row_limit >= 0 else rows
        whole = self.self_cpu_time_total
        heads = ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls"]
        cells = [[_short(row.key, max_name_column_width), _share(row.self_cpu_time_total, whole),
                  _time(row.self_cpu_time_total), _share(row.cpu_time_total, whole), _time(row.cpu_time_total),
                  _time(row.cpu_time), str(row.count)] for row in rows]
        widths = [max([len(head)] + [len(row[i]) for row in cells]) for i, head in enumerate(heads)]
        widths = [widths[0] + 4] + [max(12, width) for width in widths[1:]]
        line = "  ".join("-" * width for width in widths) + "  "
        text = [line, "  ".join(f"{head:>{width}}" for head, width in zip(heads, widths)) + "  ", line]
        text += ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths)) + "  " for row in cells]
        text += [line, f"Self CPU time total: {_time(whole)}"]
        return "\n".join(text) + "\n"


def _short(name, width):
    return name if width is None or len(name) <= width else name[:width - 3] + "..."


def _share(part, whole):
    return f"{100 * part / whole:.2f}%" if whole else "NaN"


def _time(us):
    if us >= 1e6:
        return f"{us / 1e6:.3f}s"
    return f"{us / 1e3:.3f}ms" if us >= 1e3 else f"{us:.3f}us"


class profile:
    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False,
                 profile_memory=False, with_stack=False, with_flops=False, with_modules=False,
                 experimental_config=None, acc_events=False, use_cuda=None):
        self._ready = on_trace_ready
        self._schedule = schedule or (lambda step: ProfilerAction.RECORD)
        self._rows = {}
        self.step_num = 0

    def _add(self, key, count, total, own):
        if key not in self._rows:
            self._rows[key] = _Row(key)
        self._rows[key].add(count, total, own)

    def _take(self):
        """What was called since the last time."""
        if self._records():
            for row in _C.time_calls(False):
                self._add(*row)
        _C.time_calls(True)

    def start(self):
        self.current_action = self._schedule(self.step_num)
        _open.append(self)
        _C.time_calls(True)

    def stop(self):
        self._take()
        _C.time_calls(False)
        _open.remove(self)
        if self._ready is not None and self._records():
            self._ready(self)

    def _records(self):
        return self.current_action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, error, trace):
        self.stop()
        return False

    def step(self):
        self._take()
        before = self.current_action
        self.step_num += 1
        self.current_action = self._schedule(self.step_num)
        if before == ProfilerAction.RECORD_AND_SAVE:
            if self._ready is not None:
                self._ready(self)
            self._rows = {}

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0):
        return _Rows(list(self._rows.values()))

    def events(self):
        return self.key_averages()

    def export_chrome_trace(self, path):
        raise OSError(f"scripts cannot write files here: {path}")


class record_function:
    def __init__(self, name, args=None):
        self.name = name

    def __call__(self, function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with record_function(self.name):
                return function(*args, **kwargs)

        return wrapped

    def __enter__(self):
        _C.time_stretch(self.name)
        return self

    def __exit__(self, kind, error, trace):
        _C.time_stretch(None)
        return False


class ProfilerAction(Enum):
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    def action(step):
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait:
            step += wait
        cycle = wait + warmup + active
        if repeat > 0 and step // cycle >= repeat:
            return ProfilerAction.NONE
        place = step % cycle
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    raise OSError(f"scripts cannot write files here: {dir_name}")
