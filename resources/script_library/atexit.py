# SPDX-License-Identifier: Apache-2.0
# atexit: functions that are called when the script has ended (core/capture/program.cpp), the last one first.
_functions = []


def register(func, *args, **kwargs):
    _functions.append((func, args, kwargs))
    return func


def unregister(func):
    _functions[:] = [entry for entry in _functions if entry[0] != func]


def _run():
    while _functions:
        func, args, kwargs = _functions.pop()
        func(*args, **kwargs)
