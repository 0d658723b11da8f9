# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.utils: what was captured, counted. The evaluator calls _note_entry() once this module is loaded.
from collections import Counter, defaultdict

counters = defaultdict(Counter)
_observers = []


def _note_entry(function, segment, breaks, guards, operations):
    """breaks: (message, hint, file, line); guards: (kind, source, condition)."""
    if segment == "":
        counters["frames"]["total"] += 1
        counters["frames"]["ok"] += 1
    if operations:
        counters["stats"]["unique_graphs"] += 1
        counters["stats"]["calls_captured"] += operations
    for message, hint, file, line in breaks:
        counters["graph_break"][message] += 1
    for observer in _observers:
        observer(function, segment, breaks, guards)


def is_compile_supported(device_type):
    return device_type in ("cpu", "cuda")
