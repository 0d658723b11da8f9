# SPDX-License-Identifier: Apache-2.0

import sys as _sys

_filters = []
_seen = set()


def _action(category, message):
    for action, text, kind in _filters:
        if issubclass(category, kind) and text in message:
            return action
    return "default"


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category, instance = type(message), message
    else:
        category = category or UserWarning
        instance = category(message)
    action = _action(category, str(message))
    if action == "ignore":
        return
    if action == "error":
        raise instance
    if _records:
        _records[-1].append(_Record(instance, category))
        return
    key = (str(message), category)
    if action != "always" and key in _seen:
        return
    _seen.add(key)
    print(f"{category.__name__}: {message}", file=_sys.stderr)


class _Record:
    def __init__(self, message, category):
        self.message, self.category = message, category


_records = []


def warn_explicit(message, category, filename, lineno, **kwargs):
    warn(message, category)


def showwarning(*args, **kwargs):
    pass


def simplefilter(action, category=Warning, lineno=0, append=False):
    _filters.insert(0, (action, "", category))


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    _filters.insert(0, (action, message.strip(".*"), category))


def resetwarnings():
    _filters.clear()


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record, self._action, self._category = record, action, category

    def __enter__(self):
        self._before = list(_filters)
        if self._action is not None:
            simplefilter(self._action, self._category)
        if self._record:
            _records.append([])
            return _records[-1]
        return None

    def __exit__(self, *error):
        _filters[:] = self._before
        if self._record:
            _records.pop()
