# SPDX-License-Identifier: Apache-2.0

class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        line = doc.count("\n", 0, pos) + 1
        column = pos - doc.rfind("\n", 0, pos)
        super().__init__(f"{msg}: line {line} column {column} (char {pos})")
        self.msg, self.doc, self.pos, self.lineno, self.colno = msg, doc, pos, line, column


_NAMES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b"}


def _quote(s, ascii):
    out = []
    for c in s:
        code = ord(c)
        if c in _NAMES:
            out.append(_NAMES[c])
        elif code < 32 or (ascii and code > 126):
            if code > 0xffff:
                code -= 0x10000
                out.append(f"\\u{0xd800 + (code >> 10):04x}\\u{0xdc00 + (code & 0x3ff):04x}")
            else:
                out.append(f"\\u{code:04x}")
        else:
            out.append(c)
    return '"' + "".join(out) + '"'


def _number(v):
    if isinstance(v, float):
        if v != v:
            return "NaN"
        if v in (float("inf"), float("-inf")):
            return "Infinity" if v > 0 else "-Infinity"
        return float.__repr__(v)
    return int.__repr__(v)


def dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None,
          indent=None, separators=None, default=None, sort_keys=False):
    if cls is not None:
        encoder = cls()
        default = encoder.default
    if isinstance(indent, int):
        indent = " " * indent
    item_end, key_end = separators or ((", ", ": ") if indent is None else (",", ": "))
    inside = []

    def key_text(k):
        if isinstance(k, str):
            return k
        if k is True or k is False or k is None:
            return {True: "true", False: "false", None: "null"}[k]
        if isinstance(k, (int, float)):
            return _number(k)
        raise TypeError(f"keys must be str, int, float, bool or None, not {type(k).__name__}")

    def text(v, level):
        if v is None:
            return "null"
        if v is True:
            return "true"
        if v is False:
            return "false"
        if isinstance(v, str):
            return _quote(v, ensure_ascii)
        if isinstance(v, (int, float)):
            return _number(v)
        if isinstance(v, (list, tuple, dict)):
            if any(v is w for w in inside):
                raise ValueError("Circular reference detected")
            inside.append(v)
            if isinstance(v, dict):
                pairs = sorted(v.items()) if sort_keys else v.items()
                parts = [_quote(key_text(k), ensure_ascii) + key_end + text(w, level + 1) for k, w in pairs
                         if not skipkeys or isinstance(k, (str, int, float, type(None)))]
                opening, closing = "{", "}"
            else:
                parts = [text(w, level + 1) for w in v]
                opening, closing = "[", "]"
            inside.pop()
            if not parts:
                return opening + closing
            if indent is None:
                return opening + item_end.join(parts) + closing
            start = "\n" + indent * (level + 1)
            return opening + start + (item_end + start).join(parts) + "\n" + indent * level + closing
        if default is not None:
            return text(default(v), level)
        raise TypeError(f"Object of type {type(v).__name__} is not JSON serializable")

    return text(obj, 0)


def dump(obj, fp, **kwargs):
    fp.write(dumps(obj, **kwargs))


class JSONEncoder:
    def __init__(self, **kwargs):
        self._kwargs = kwargs

    def default(self, o):
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        return dumps(o, **{"default": self.default, **self._kwargs})


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}


class _Reader:
    def __init__(self, s, hook, pairs_hook):
        self.s, self.i, self.hook, self.pairs_hook = s, 0, hook, pairs_hook

    def fail(self, msg, at=None):
        raise JSONDecodeError(msg, self.s, self.i if at is None else at)

    def space(self):
        s, n = self.s, len(self.s)
        while self.i < n and s[self.i] in " \t\n\r":
            self.i += 1

    def peek(self):
        self.space()
        return self.s[self.i:self.i + 1]

    def value(self):
        c = self.peek()
        if c == '"':
            return self.string()
        if c == "{":
            return self.object()
        if c == "[":
            return self.array()
        for word, v in (("true", True), ("false", False), ("null", None), ("NaN", float("nan")),
                        ("Infinity", float("inf")), ("-Infinity", float("-inf"))):
            if self.s.startswith(word, self.i):
                self.i += len(word)
                return v
        start = self.i
        first = start + (c == "-")
        end = whole = first + 1 if self.s[first:first + 1] == "0" else self.digits(first)
        if whole == first:
            self.fail("Expecting value")
        if self.s[end:end + 1] == "." and self.digits(end + 1) > end + 1:
            end = self.digits(end + 1)
        if self.s[end:end + 1] in ("e", "E"):
            power = end + 1 + (self.s[end + 1:end + 2] in ("+", "-"))
            if self.digits(power) > power:
                end = self.digits(power)
        self.i = end
        return (self.parse_int if end == whole else self.parse_float)(self.s[start:end])

    def digits(self, at):
        while at < len(self.s) and self.s[at] in "0123456789":
            at += 1
        return at

    def string(self):
        start = self.i
        j = self.i + 1
        s, out = self.s, []
        while True:
            if j >= len(s):
                self.fail("Unterminated string starting at", start)
            c = s[j]
            if c == '"':
                break
            if c == "\\":
                j += 1
                e = s[j:j + 1]
                if e == "u":
                    code = int(s[j + 1:j + 5], 16)
                    j += 4
                    if 0xd800 <= code < 0xdc00 and s[j + 1:j + 3] == "\\u":
                        code = 0x10000 + ((code - 0xd800) << 10) + int(s[j + 3:j + 7], 16) - 0xdc00
                        j += 6
                    out.append(chr(code))
                elif e in _ESCAPES:
                    out.append(_ESCAPES[e])
                else:
                    self.fail("Invalid \\escape", j - 1)
            elif c < " ":
                self.fail("Invalid control character at", j)
            else:
                out.append(c)
            j += 1
        self.i = j + 1
        return "".join(out)

    def object(self):
        self.i += 1
        pairs = []
        if self.peek() == "}":
            self.i += 1
        else:
            while True:
                if self.peek() != '"':
                    self.fail("Expecting property name enclosed in double quotes")
                k = self.string()
                if self.peek() != ":":
                    self.fail("Expecting ':' delimiter")
                self.i += 1
                pairs.append((k, self.value()))
                c = self.peek()
                self.i += 1
                if c == "}":
                    break
                if c != ",":
                    self.i -= 1
                    self.fail("Expecting ',' delimiter")
        if self.pairs_hook is not None:
            return self.pairs_hook(pairs)
        return dict(pairs) if self.hook is None else self.hook(dict(pairs))

    def array(self):
        self.i += 1
        items = []
        if self.peek() == "]":
            self.i += 1
            return items
        while True:
            items.append(self.value())
            c = self.peek()
            self.i += 1
            if c == "]":
                return items
            if c != ",":
                self.i -= 1
                self.fail("Expecting ',' delimiter")


def loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None,
          object_pairs_hook=None, **kwargs):
    if isinstance(s, (bytes, bytearray)):
        s = s.decode()
    reader = _Reader(s, object_hook, object_pairs_hook)
    reader.parse_float, reader.parse_int = parse_float or float, parse_int or int
    value = reader.value()
    reader.space()
    if reader.i != len(s):
        reader.fail("Extra data")
    return value


def load(fp, **kwargs):
    return loads(fp.read(), **kwargs)
