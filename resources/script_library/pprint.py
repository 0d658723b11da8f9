# SPDX-License-Identifier: Apache-2.0
"""Values as texts of several lines."""
import collections as _collections
import dataclasses as _dataclasses
import re as _re
import sys as _sys


class _Key:
    """Sorts what compares, and by type what does not."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        try:
            return self.value < other.value
        except TypeError:
            return (str(type(self.value)), id(self.value)) < (str(type(other.value)), id(other.value))


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True,
                 underscore_numbers=False):
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        self._indent, self._width, self._depth, self._stream = indent, width, depth, stream
        self._compact, self._sorts, self._underscores = compact, sort_dicts, underscore_numbers

    def pprint(self, object):
        (self._stream or _sys.stdout).write(self.pformat(object) + "\n")

    def pformat(self, object):
        return self._told(object, 0, 0, 0)

    def isreadable(self, object):
        return "<" not in self._flat(object, 0)

    def isrecursive(self, object):
        return "..." in repr(object)

    def _pairs(self, v):
        return sorted(v.items(), key=lambda kv: (_Key(kv[0]),)) if self._sorts else list(v.items())

    def _flat(self, v, level):
        kind = type(v)
        deep = self._depth is not None and level >= self._depth
        if kind is int and self._underscores:
            return f"{v:_d}"
        if kind is dict:
            if deep and v:
                return "{...}"
            return "{" + ", ".join(f"{self._flat(k, level + 1)}: {self._flat(w, level + 1)}" for k, w in self._pairs(v)) + "}"
        if kind in (list, tuple):
            opening, closing = "[]" if kind is list else "()"
            if deep and v:
                return opening + ("...," if kind is tuple and len(v) == 1 else "...") + closing
            inner = ", ".join(self._flat(w, level + 1) for w in v)
            return opening + inner + ("," if kind is tuple and len(v) == 1 else "") + closing
        return repr(v)

    def _told(self, v, indent, allowance, level):
        flat = self._flat(v, level)
        room = self._width - indent - allowance
        if len(flat) <= room:
            return flat
        kind, level = type(v), level + 1
        if kind is dict or kind is _collections.OrderedDict and v:
            if kind is dict:
                return "{" + " " * (self._indent - 1) + self._dict(self._pairs(v), indent, allowance + 1, level) + "}"
            head = "OrderedDict("
            return head + self._told(list(v.items()), indent + len(head), allowance + 1, level) + ")"
        if kind is list:
            return self._items(v, indent, allowance, level, "[", "]")
        if kind is tuple:
            return self._items(v, indent, allowance, level, "(", ",)" if len(v) == 1 else ")")
        if kind in (set, frozenset) and v:
            head, end = ("{", "}") if kind is set else ("frozenset({", "})")
            return self._items(sorted(v, key=_Key), indent + len(head) - 1, allowance, level, head, end)
        if kind is str and v:
            return self._text(v, indent, allowance, level)
        if kind is _collections.defaultdict:
            head = f"defaultdict({v.default_factory!r}, "
            return head[:-1] + "\n" + " " * (indent + 12) + self._told(dict(v), indent + 12, allowance + 1, level) + ")"
        if kind is _collections.Counter:
            head = "Counter({"
            return head + self._dict(v.most_common(), indent + len(head) - 1, allowance + 2, level) + "})"
        if kind is _collections.deque:
            return self._items(v, indent + 6, allowance + 1, level, "deque([", "])")
        if _dataclasses.is_dataclass(v) and not isinstance(v, type) and repr(v).startswith(type(v).__qualname__ + "("):
            return self._fields(v, indent, allowance, level)
        return flat

    def _dict(self, pairs, indent, allowance, level):
        indent += self._indent
        parts = []
        for i, (k, w) in enumerate(pairs):
            key = self._flat(k, level)
            last = i == len(pairs) - 1
            parts.append(key + ": " + self._told(w, indent + len(key) + 2, allowance if last else 1, level))
        return (",\n" + " " * indent).join(parts)

    def _items(self, values, indent, allowance, level, opening, closing):
        allowance += len(closing)
        indent += self._indent
        broken, between, told = ",\n" + " " * indent, "", opening + " " * (self._indent - 1)
        room = most = self._width - indent + 1
        values = list(values)
        for i, w in enumerate(values):
            last = i == len(values) - 1
            if last:
                room, most = room - allowance, most - allowance
            if self._compact:
                flat = self._flat(w, level)
                if room < len(flat) + 2:
                    room, between = most, broken if between else ""
                if room >= len(flat) + 2:
                    room -= len(flat) + 2
                    told, between = told + between + flat, ", "
                    continue
            told += between + self._told(w, indent, allowance if last else 1, level)
            between = broken
        return told + closing

    def _text(self, v, indent, allowance, level):
        lines = v.splitlines(True)
        bracket = level == 1
        if bracket:
            indent += 1
            allowance += 1
        chunks, room = [], self._width - indent
        for i, line in enumerate(lines):
            most = room - (allowance if i == len(lines) - 1 else 0)
            if len(repr(line)) <= most:
                chunks.append(repr(line))
                continue
            parts, now = _re.findall(r"\S*\s*", line), ""
            parts.pop()
            for j, part in enumerate(parts):
                most = room - (allowance if j == len(parts) - 1 and i == len(lines) - 1 else 0)
                if len(repr(now + part)) > most:
                    if now:
                        chunks.append(repr(now))
                    now = part
                else:
                    now += part
            if now:
                chunks.append(repr(now))
        if len(chunks) == 1:
            return chunks[0]
        text = ("\n" + " " * indent).join(chunks)
        return "(" + text + ")" if bracket else text

    def _fields(self, v, indent, allowance, level):
        head = type(v).__name__ + "("
        indent += len(head)
        found = [(f.name, getattr(v, f.name)) for f in _dataclasses.fields(v) if f.repr]
        parts = []
        for i, (name, w) in enumerate(found):
            last = i == len(found) - 1
            parts.append(f"{name}=" + self._told(w, indent + len(name) + 1, allowance + 1 if last else 1, level))
        return head + (",\n" + " " * indent).join(parts) + ")"


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts,
                         underscore_numbers=underscore_numbers).pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True,
           underscore_numbers=False):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts,
                  underscore_numbers=underscore_numbers).pprint(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._flat(object, 0)


def isreadable(object):
    return PrettyPrinter().isreadable(object)


def isrecursive(object):
    return PrettyPrinter().isrecursive(object)
