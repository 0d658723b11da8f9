# SPDX-License-Identifier: Apache-2.0
# Python's re over PCRE2 (_native.regex_matches): patterns are checked and written in its syntax.
import enum


class RegexFlag(enum.IntFlag):
    NOFLAG = 0
    TEMPLATE = 1
    IGNORECASE = 2
    I = 2
    LOCALE = 4
    L = 4
    MULTILINE = 8
    M = 8
    DOTALL = 16
    S = 16
    UNICODE = 32
    U = 32
    VERBOSE = 64
    X = 64
    DEBUG = 128
    ASCII = 256
    A = 256

    def __repr__(self):
        known = [("IGNORECASE", 2), ("LOCALE", 4), ("MULTILINE", 8), ("DOTALL", 16), ("UNICODE", 32), ("VERBOSE", 64),
                 ("DEBUG", 128), ("ASCII", 256)]
        value = int(self)
        names = ["re." + name for name, bit in known if value & bit]
        return "|".join(names) if names else "re.NOFLAG"

    __str__ = __repr__


NOFLAG = RegexFlag.NOFLAG
I = IGNORECASE = RegexFlag.IGNORECASE
L = LOCALE = RegexFlag.LOCALE
M = MULTILINE = RegexFlag.MULTILINE
S = DOTALL = RegexFlag.DOTALL
U = UNICODE = RegexFlag.UNICODE
X = VERBOSE = RegexFlag.VERBOSE
DEBUG = RegexFlag.DEBUG
A = ASCII = RegexFlag.ASCII
_letters = {"i": 2, "L": 4, "m": 8, "s": 16, "u": 32, "x": 64, "a": 256}


class error(Exception):
    __module__ = "re"

    def __init__(self, msg, pattern=None, pos=None):
        self.msg = msg
        self.pattern = pattern
        self.pos = pos
        self.lineno = self.colno = None
        if pattern is not None and pos is not None:
            before = pattern[:pos]
            self.lineno = before.count("\n") + 1
            self.colno = pos - before.rfind("\n")
            msg = f"{msg} at position {pos}"
            if "\n" in pattern:
                msg = f"{msg} (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


class _Translator:
    """One walk over a pattern: what PCRE2 means by the same characters."""

    def __init__(self, pattern, flags):
        self.pattern = pattern
        self.at = 0
        self.out = []
        self.names = {}
        self.groups = 0
        self.open = []
        self.closed = []
        self.asked = []
        self.flags = flags

    def fail(self, message, at=None):
        raise error(message, self.pattern, self.at if at is None else at)

    def verbose(self):
        return self.flags & 64

    def run(self):
        p = self.pattern
        repeatable = False
        while self.at < len(p):
            c = p[self.at]
            if c == "\\":
                self.out.append(self.escape(False))
                repeatable = True
            elif c == "[":
                self.set_of_characters()
                repeatable = True
            elif c == "(":
                repeatable = self.group()
            elif c == ")":
                if not self.open:
                    self.fail("unbalanced parenthesis")
                number = self.open.pop()[0]
                if number:
                    self.closed.append(number)
                self.out.append(c)
                self.at += 1
                repeatable = True
            elif c in "*+?" or (c == "{" and self.counts() is not None):
                if not repeatable:
                    self.fail("nothing to repeat")
                if c == "{":
                    low, high, end = self.counts()
                    if low and high and int(high) < int(low):
                        self.fail("min repeat greater than max repeat", self.at + 1)
                    self.out.append("{" + (low or "0") + ("" if high is None else "," + high) + "}")
                    self.at = end
                else:
                    self.out.append(c)
                    self.at += 1
                if self.at < len(p) and p[self.at] in "?+":
                    self.out.append(p[self.at])
                    self.at += 1
                if self.at < len(p) and (p[self.at] in "*+?" or (p[self.at] == "{" and self.counts() is not None)):
                    self.fail("multiple repeat")
            elif c == "{":
                self.out.append("\\{")
                self.at += 1
                repeatable = True
            elif self.verbose() and c == "#":
                end = p.find("\n", self.at)
                self.at = len(p) if end < 0 else end + 1
            elif self.verbose() and c.isspace():
                self.at += 1
            else:
                repeatable = c not in "|^"
                self.out.append(c if c in "|^$.*+?" or c.isalnum() or c == "_" or ord(c) > 127 else "\\" + c)
                self.at += 1
        for number, at in self.asked:
            if number > self.groups:
                self.fail(f"invalid group reference {number}", at)
        if self.open:
            self.fail("missing ), unterminated subpattern", self.open[-1][1])
        return "".join(self.out)

    def counts(self):
        end = self.pattern.find("}", self.at)
        if end < 0:
            return None
        low, comma, high = self.pattern[self.at + 1:end].partition(",")
        if not (low == "" or low.isdigit()) or not (high == "" or high.isdigit()) or not (low or comma):
            return None
        return low, high if comma else None, end + 1

    def escape(self, inside):
        p, start = self.pattern, self.at
        if start + 1 >= len(p):
            self.fail("bad escape (end of pattern)")
        c = p[start + 1]
        self.at += 2
        if c in "xuU":
            count = {"x": 2, "u": 4, "U": 8}[c]
            digits = p[self.at:self.at + count]
            if len(digits) < count or any(d not in "0123456789abcdefABCDEF" for d in digits):
                self.fail(f"incomplete escape \\{c}{digits}", start)
            self.at += count
            return "\\x{" + digits + "}"
        if c.isdigit():
            digits = c
            octal = c == "0" or inside
            most = 3
            while self.at < len(p) and len(digits) < most and p[self.at].isdigit() and (not octal or p[self.at] in "01234567"):
                if not octal and len(digits) == 2 and not (digits[0] in "0123" and digits[1] in "01234567" and p[self.at] in "01234567"):
                    break
                digits += p[self.at]
                self.at += 1
            if octal or (len(digits) == 3):
                return "\\x{%x}" % int(digits, 8)
            number = int(digits)
            if number > self.groups:
                self.fail(f"invalid group reference {number}", start + 1)
            if any(number == o for o, _ in self.open):
                self.fail("cannot refer to an open group", start)
            return "(?:\\g{%d})" % number
        if c == "N" and self.at < len(p) and p[self.at] == "{":
            import unicodedata
            end = p.find("}", self.at)
            name = p[self.at + 1:end]
            self.at = end + 1
            return "\\x{%x}" % ord(unicodedata.lookup(name))
        if inside:
            if c == "b":
                return "\\x{8}"
            allowed = "adfnrstvwDSW"
        else:
            allowed = "AbBdDsSwWZafnrtv"
        if c == "Z" and not inside:
            return "\\z"
        if c == "v":
            return "\\x{b}"
        if c.isascii() and c.isalpha():
            if c not in allowed:
                self.fail(f"bad escape \\{c}", start)
            return "\\" + c
        return "\\" + c if ord(c) < 128 else c

    def set_of_characters(self):
        p, start = self.pattern, self.at
        out = ["["]
        self.at += 1
        if self.at < len(p) and p[self.at] == "^":
            out.append("^")
            self.at += 1
        first = True
        while True:
            if self.at >= len(p):
                self.fail("unterminated character set", start)
            c = p[self.at]
            if c == "]" and not first:
                self.at += 1
                break
            first = False
            one = self.at
            left = self.member()
            if self.at + 1 < len(p) and p[self.at] == "-" and p[self.at + 1] != "]":
                self.at += 1
                right = self.member()
                if left[1] is None or right[1] is None or left[1] > right[1]:
                    self.fail(f"bad character range {p[one:self.at]}", one)
                out.append(left[0] + "-" + right[0])
            else:
                out.append(left[0])
        self.out.append("".join(out) + "]")

    def member(self):
        """One character of a set, with its number; None for a class such as \\d."""
        c = self.pattern[self.at]
        if c != "\\":
            self.at += 1
            return "\\x{%x}" % ord(c), ord(c)
        text = self.escape(True)
        if text[1:2] in ("d", "D", "s", "S", "w", "W") and len(text) == 2:
            return text, None
        if text.startswith("\\x{"):
            return text, int(text[3:-1], 16)
        known = {"\\a": 7, "\\f": 12, "\\n": 10, "\\r": 13, "\\t": 9}
        number = known[text] if text in known else ord(text[-1])
        return "\\x{%x}" % number, number

    def group(self):
        """After "(": True where what was read may be repeated at once."""
        p, start = self.pattern, self.at
        self.at += 1
        if p[self.at:self.at + 1] == "*":
            self.fail("nothing to repeat")
        if p[self.at:self.at + 1] != "?":
            self.begin(start, "(", True)
            return False
        self.at += 1
        if self.at >= len(p):
            self.fail("unexpected end of pattern")
        c = p[self.at]
        if c == "#":
            end = p.find(")", self.at)
            if end < 0:
                self.fail("missing ), unterminated comment", start)
            self.at = end + 1
            return bool(self.out) and self.out[-1][-1:] not in ("(", "|")
        if c in ":=!>":
            self.at += 1
            self.begin(start, "(?" + c, False)
            return False
        if c == "<":
            if p[self.at + 1:self.at + 2] not in ("=", "!"):
                self.fail(f"unknown extension ?<{p[self.at + 1:self.at + 2]}", start + 1)
            self.begin(start, "(?" + p[self.at:self.at + 2], False)
            self.at += 2
            return False
        if c == "P":
            return self.named(start)
        if c == "(":
            end = p.find(")", self.at)
            if end < 0:
                self.fail("missing ), unterminated name", self.at + 1)
            name = p[self.at + 1:end]
            if name.isdigit():
                if int(name) > 99 or int(name) == 0:
                    self.fail("bad group number" if int(name) == 0 else f"invalid group reference {name}", self.at + 1)
                number = int(name)
                self.asked.append((number, self.at + 1))
            elif name in self.names:
                number = self.names[name]
            else:
                self.fail(f"unknown group name {name!r}" if name.isidentifier() else
                          f"bad character in group name {name!r}", self.at + 1)
            self.at = end + 1
            self.begin(start, f"(?({number})", False)
            return False
        return self.letters(start)

    def begin(self, start, text, counted):
        number = 0
        if counted:
            self.groups += 1
            number = self.groups
        self.open.append((number, start))
        self.out.append(text)

    def named(self, start):
        p = self.pattern
        kind = p[self.at + 1:self.at + 2]
        if kind not in ("<", "="):
            self.fail("unexpected end of pattern" if not kind else f"unknown extension ?P{kind}", start + 1)
        close = ">" if kind == "<" else ")"
        end = p.find(close, self.at + 2)
        if end < 0:
            self.fail(f"missing {close}, unterminated name", self.at + 2)
        name = p[self.at + 2:end]
        if not name:
            self.fail("missing group name", self.at + 2)
        if not name.isidentifier():
            self.fail(f"bad character in group name {name!r}", self.at + 2)
        where = self.at + 2
        self.at = end + 1
        if kind == "<":
            if name in self.names:
                self.fail(f"redefinition of group name {name!r} as group {self.groups + 1}; "
                          f"was group {self.names[name]}", where)
            self.begin(start, "(", True)
            self.names[name] = self.groups
            return False
        if name not in self.names:
            self.fail(f"unknown group name {name!r}", where)
        if any(self.names[name] == o for o, _ in self.open):
            self.fail("cannot refer to an open group", where)
        self.out.append("(?:\\g{%d})" % self.names[name])
        return True

    def letters(self, start):
        p = self.pattern
        on, off, sign = "", "", False
        while self.at < len(p) and p[self.at] not in ":)":
            c = p[self.at]
            if c == "-" and not sign:
                sign = True
            elif c in _letters:
                if sign:
                    off += c
                else:
                    on += c
            else:
                self.fail(f"unknown extension ?{c}" if self.at == start + 2 else "unknown flag", self.at if self.at > start + 2 else start + 1)
            self.at += 1
        if self.at >= len(p):
            self.fail("missing -, : or )")
        if p[self.at] == ")":
            self.at += 1
            if off or sign:
                self.fail("missing :")
            if start != 0:
                self.fail("global flags not at the start of the expression", start)
            for c in on:
                self.flags |= _letters[c]
            return False
        self.at += 1
        known = "".join(c for c in on if c in "ims")
        gone = "".join(c for c in off if c in "ims")
        self.begin(start, "(?" + known + ("-" + gone if gone else "") + ":", False)
        return False


class Match:
    __module__ = "re"

    def __init__(self, pattern, string, places, pos, endpos):
        self.re = pattern
        self.string = string
        self.pos = pos
        self.endpos = endpos
        self._places = places

    def _number(self, group):
        if isinstance(group, str):
            if group not in self.re.groupindex:
                raise IndexError("no such group")
            return self.re.groupindex[group]
        try:
            group = group.__index__()
        except AttributeError:
            raise IndexError("no such group")
        if not 0 <= group <= self.re.groups:
            raise IndexError("no such group")
        return group

    def _text(self, number, default=None):
        start, end = self._places[2 * number], self._places[2 * number + 1]
        return default if start < 0 else self.string[start:end]

    def group(self, *groups):
        if not groups:
            return self._text(0)
        if len(groups) == 1:
            return self._text(self._number(groups[0]))
        return tuple(self._text(self._number(g)) for g in groups)

    def __getitem__(self, group):
        return self._text(self._number(group))

    def groups(self, default=None):
        return tuple(self._text(i, default) for i in range(1, self.re.groups + 1))

    def groupdict(self, default=None):
        return {name: self._text(i, default) for name, i in self.re.groupindex.items()}

    def start(self, group=0):
        return self._places[2 * self._number(group)]

    def end(self, group=0):
        return self._places[2 * self._number(group) + 1]

    def span(self, group=0):
        number = self._number(group)
        return self._places[2 * number], self._places[2 * number + 1]

    @property
    def regs(self):
        return tuple((self._places[2 * i], self._places[2 * i + 1]) for i in range(self.re.groups + 1))

    @property
    def lastindex(self):
        found = [number for number in self.re._closed if self._places[2 * number] >= 0]
        return found[-1] if found else None

    @property
    def lastgroup(self):
        last = self.lastindex
        for name, number in self.re.groupindex.items():
            if number == last:
                return name
        return None

    def expand(self, template):
        return _expand(_template(template, self.re), self)

    def __bool__(self):
        return True

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<re.Match object; span={self.span()!r}, match={self._text(0)!r}>"


def _template(template, pattern):
    """Of "\\1 and \\g<name>": texts and numbers of groups, in order."""
    binary = isinstance(template, bytes)
    text = template.decode("latin-1") if binary else template
    parts, at = [], 0
    plain = []

    def number_of(name, where):
        if name.isdigit():
            if int(name) > pattern.groups:
                raise error(f"invalid group reference {int(name)}", text, where)
            return int(name)
        if not name.isidentifier():
            raise error("missing group name" if not name else f"bad character in group name {name!r}", text, where)
        if name not in pattern.groupindex:
            raise IndexError(f"unknown group name {name!r}")
        return pattern.groupindex[name]

    known = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
    while at < len(text):
        c = text[at]
        if c != "\\" or at + 1 >= len(text):
            if c == "\\":
                raise error("bad escape (end of pattern)", text, at)
            plain.append(c)
            at += 1
            continue
        c = text[at + 1]
        if c == "g":
            if text[at + 2:at + 3] != "<":
                raise error("missing <", text, at + 2)
            end = text.find(">", at)
            if end < 0:
                raise error("missing >, unterminated name", text, at + 3)
            number = number_of(text[at + 3:end], at + 3)
            at = end + 1
        elif c == "0" or (c in "123" and text[at + 2:at + 4].isdigit() and len(text[at + 2:at + 4]) == 2
                          and all(d in "01234567" for d in text[at + 2:at + 4])):
            digits = c
            at += 2
            while at < len(text) and len(digits) < 3 and text[at] in "01234567":
                digits += text[at]
                at += 1
            plain.append(chr(int(digits, 8)))
            continue
        elif c.isdigit():
            digits = c + (text[at + 2] if text[at + 2:at + 3].isdigit() else "")
            number = number_of(digits, at + 1)
            at += 1 + len(digits)
        else:
            if c in known:
                plain.append(known[c])
            elif c.isascii() and c.isalpha():
                raise error(f"bad escape \\{c}", text, at)
            else:
                plain.append("\\" + c)
            at += 2
            continue
        parts.append("".join(plain))
        plain = []
        parts.append(number)
    parts.append("".join(plain))
    return [p.encode("latin-1") if binary and isinstance(p, str) else p for p in parts]


def _expand(parts, match):
    empty = match.string[:0]
    return empty.join([match._text(p, empty) if isinstance(p, int) else p for p in parts])


class Pattern:
    __module__ = "re"

    def __init__(self, pattern, flags):
        binary = isinstance(pattern, bytes)
        flags = int(flags)
        if binary and flags & 32:
            raise ValueError("cannot use UNICODE flag with a bytes pattern")
        walk = _Translator(pattern.decode("latin-1") if binary else pattern, flags)
        # "(?x)" at the start decides how the rest is read.
        self._source = walk.run()
        if walk.flags != flags:
            walk = _Translator(walk.pattern, walk.flags)
            self._source = walk.run()
        flags = walk.flags
        if not binary and not flags & 256:
            flags |= 32
        self.pattern = pattern
        self.flags = flags
        self.groups = walk.groups
        self.groupindex = walk.names
        self._closed = walk.closed
        self._binary = binary
        self._options = "".join(c for c, bit in (("i", 2), ("m", 8), ("s", 16)) if flags & bit)
        if binary or flags & 256:
            self._options += "a"
        wrong = _native.regex_error(self._source, self._options)
        if wrong is not None:
            message, at = wrong
            if "lookbehind" in message:
                message = "look-behind requires fixed-width pattern"
            raise error(message, self.pattern if isinstance(self.pattern, str) else walk.pattern, None)

    def _find(self, string, pos, endpos, kind, count):
        if isinstance(string, bytearray):
            string = bytes(string)
        if not isinstance(string, (str, bytes)):
            raise TypeError(f"expected string or bytes-like object, got {type(string).__name__!r}")
        if isinstance(string, bytes) != self._binary:
            raise TypeError("cannot use a bytes pattern on a string-like object" if self._binary else
                            "cannot use a string pattern on a bytes-like object")
        text = string.decode("latin-1") if self._binary else string
        endpos = min(len(string), 9223372036854775807 if endpos is None else max(endpos, 0))
        pos = max(pos, 0)
        found = _native.regex_matches(self._source, self._options, text, pos, endpos, kind, count)
        return [Match(self, string, places, min(pos, len(string)), endpos) for places in found]

    def _first(self, string, pos, endpos, kind):
        found = self._find(string, pos, endpos, kind, 1)
        return found[0] if found else None

    def match(self, string, pos=0, endpos=None):
        return self._first(string, pos, endpos, "match")

    def fullmatch(self, string, pos=0, endpos=None):
        return self._first(string, pos, endpos, "fullmatch")

    def search(self, string, pos=0, endpos=None):
        return self._first(string, pos, endpos, "search")

    def finditer(self, string, pos=0, endpos=None):
        return iter(self._find(string, pos, endpos, "search", 0))

    def findall(self, string, pos=0, endpos=None):
        found = self._find(string, pos, endpos, "search", 0)
        if self.groups == 0:
            return [m.group() for m in found]
        empty = string[:0]
        if self.groups == 1:
            return [m._text(1, empty) for m in found]
        return [m.groups(empty) for m in found]

    def split(self, string, maxsplit=0):
        parts, last = [], 0
        if maxsplit < 0:
            return [string]
        for m in self._find(string, 0, None, "search", maxsplit):
            parts.append(string[last:m.start()])
            parts.extend(m.groups())
            last = m.end()
        parts.append(string[last:])
        return parts

    def subn(self, repl, string, count=0):
        if not callable(repl):
            template = _template(repl, self)
            if len(template) == 1:
                fixed = template[0]
                replace = lambda m: fixed
            else:
                replace = lambda m: _expand(template, m)
        else:
            replace = repl
        if count < 0:
            return string, 0
        parts, last = [], 0
        found = self._find(string, 0, None, "search", count)
        for m in found:
            parts.append(string[last:m.start()])
            text = replace(m)
            if text is not None:
                parts.append(text)
            last = m.end()
        parts.append(string[last:])
        return string[:0].join(parts), len(found)

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def __eq__(self, other):
        return isinstance(other, Pattern) and (self.pattern, self.flags) == (other.pattern, other.flags)

    def __hash__(self):
        return hash((self.pattern, self.flags))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        shown = self.flags & ~32 if not self._binary else self.flags
        names = [("IGNORECASE", 2), ("LOCALE", 4), ("MULTILINE", 8), ("DOTALL", 16), ("VERBOSE", 64), ("DEBUG", 128),
                 ("ASCII", 256)]
        text = "|".join("re." + name for name, bit in names if shown & bit)
        pattern = repr(self.pattern)
        return f"re.compile({pattern[:200]}, {text})" if text else f"re.compile({pattern[:200]})"


_known = {}


def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if not isinstance(pattern, (str, bytes)):
        raise TypeError("first argument must be string or compiled pattern")
    key = (type(pattern), pattern, int(flags))
    if key not in _known:
        if len(_known) >= 512:
            _known.clear()
        _known[key] = Pattern(pattern, flags)
    return _known[key]


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def purge():
    _known.clear()


def escape(pattern):
    special = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"
    if isinstance(pattern, bytes):
        return b"".join([b"\\" + bytes([c]) if chr(c) in special else bytes([c]) for c in pattern])
    return "".join(["\\" + c if c in special else c for c in pattern])


__all__ = ["match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "compile", "purge", "escape",
           "error", "Pattern", "Match", "A", "I", "L", "M", "S", "X", "U", "ASCII", "IGNORECASE", "LOCALE", "MULTILINE",
           "DOTALL", "VERBOSE", "UNICODE", "NOFLAG", "RegexFlag"]
