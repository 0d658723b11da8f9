# SPDX-License-Identifier: Apache-2.0
"""Words of a command line."""
import re as _re


def split(s, comments=False, posix=True):
    if s is None:
        raise ValueError("s argument must not be None")
    words, word, quote, i = [], None, "", 0
    while i < len(s):
        c = s[i]
        i += 1
        if quote:
            if c == quote:
                quote = ""
            elif c == "\\" and quote == '"' and i == len(s):
                raise ValueError("No escaped character")
            elif c == "\\" and quote == '"' and s[i] in '"\\':
                word += s[i]
                i += 1
            else:
                word += c
        elif c in "'\"":
            quote, word = c, word or ""
        elif c == "\\":
            if i == len(s):
                raise ValueError("No escaped character")
            word = (word or "") + s[i]
            i += 1
        elif c.isspace():
            if word is not None:
                words.append(word)
            word = None
        elif c == "#" and comments and word is None:
            end = s.find("\n", i)
            i = len(s) if end < 0 else end
        else:
            word = (word or "") + c
    if quote:
        raise ValueError("No closing quotation")
    if word is not None:
        words.append(word)
    return words


def quote(s):
    if not s:
        return "''"
    if _re.fullmatch(r"[\w@%+=:,./-]+", s, _re.ASCII):
        return s
    return "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    return " ".join(quote(word) for word in split_command)
