# SPDX-License-Identifier: Apache-2.0
"""Names that patterns of a shell describe."""
import re as _re


def translate(pat):
    out, i = "", 0
    while i < len(pat):
        c = pat[i]
        i += 1
        if c == "*":
            if not out.endswith(".*"):
                out += ".*"
        elif c == "?":
            out += "."
        elif c == "[":
            end = i + 1 if i < len(pat) and pat[i] == "!" else i
            end = pat.find("]", end + 1) if end < len(pat) and pat[end] == "]" else pat.find("]", end)
            if end < 0:
                out += "\\["
                continue
            inside = pat[i:end].replace("\\", "\\\\")
            out += "[" + ("^" + inside[1:] if inside.startswith("!") else inside) + "]"
            i = end + 1
        else:
            out += _re.escape(c)
    return "(?s:" + out + ")\\Z"


def fnmatchcase(name, pat):
    return _re.match(translate(pat), name) is not None


fnmatch = fnmatchcase


def filter(names, pat):
    match = _re.compile(translate(pat)).match
    return [name for name in names if match(name)]


def filterfalse(names, pat):
    match = _re.compile(translate(pat)).match
    return [name for name in names if not match(name)]
