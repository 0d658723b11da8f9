# SPDX-License-Identifier: Apache-2.0
# torch.profiler: what the evaluator can time, the stretches that record_function() names and the whole.
import functools
import time
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

    @property
    def cpu_time(self):
        return self.cpu_time_total / self.count if self.count else 0.0

    @property
    def self_cpu_time_total(self):
        return self.cpu_time_total


class _Rows:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]

    def table(self, sort_by=None, row_limit=100, **options):
        rows = list(self.rows)
        if sort_by == "count":
            rows.sort(key=lambda row: -row.count)
        elif sort_by is not None:
            rows.sort(key=lambda row: -row.cpu_time_total)
        rows = rows[:row_limit] if row_limit >= 0 else rows
        width = max([len("Name")] + [len(row.key) for row in rows])
        line = "-" * width + "  " + "-" * 16 + "  " + "-" * 16 + "  " + "-" * 12
        text = [line, f"{'Name':>{width}}  {'CPU total':>16}  {'CPU time avg':>16}  {'# of Calls':>12}", line]
        for row in rows:
            text.append(f"{row.key:>{width}}  {_time(row.cpu_time_total):>16}  {_time(row.cpu_time):>16}  "
                        f"{row.count:>12}")
        text.append(line)
        text.append(f"Self CPU time total: {_time(sum(row.self_cpu_time_total for row in self.rows))}")
        return "\n".join(text) + "\n"


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

    def _add(self, key, seconds):
        if key not in self._rows:
            self._rows[key] = _Row(key)
        self._rows[key].count += 1
        self._rows[key].cpu_time_total += seconds * 1e6

    def start(self):
        self.current_action = self._schedule(self.step_num)
        self._start = time.perf_counter()
        _open.append(self)

    def stop(self):
        self._add("profiled", time.perf_counter() - self._start)
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
        self._start = time.perf_counter()
        return self

    def __exit__(self, kind, error, trace):
        for each in [profile for profile in _open if profile._records()]:
            each._add(self.name, time.perf_counter() - self._start)
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
