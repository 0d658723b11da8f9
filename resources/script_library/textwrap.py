# SPDX-License-Identifier: Apache-2.0
"""Paragraphs in lines of a width."""
import re as _re

_HYPHEN = _re.compile(r"[^\d\W]{2}-(?=[^\d\W]-?[^\d\W])")  # behind which a word may be broken


_DASHES = _re.compile(r"((?<=[\w!\"'&.,?])-{2,}(?=\w))")


def _parts(word):
    for piece in _DASHES.split(word):
        start = 0
        for found in _HYPHEN.finditer(piece):
            yield piece[start:found.end()]
            start = found.end()
        yield piece[start:]


class TextWrapper:
    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True,
                 fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True, tabsize=8,
                 *, max_lines=None, placeholder=" [...]"):
        self.width, self.initial_indent, self.subsequent_indent = width, initial_indent, subsequent_indent
        self.expand_tabs, self.replace_whitespace, self.tabsize = expand_tabs, replace_whitespace, tabsize
        self.break_long_words, self.drop_whitespace = break_long_words, drop_whitespace
        self.break_on_hyphens, self.max_lines, self.placeholder = break_on_hyphens, max_lines, placeholder

    def _chunks(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = _re.sub(r"[\t\n\x0b\x0c\r ]", " ", text)
        chunks = [c for c in _re.split(r"(\s+)", text) if c]
        return [part for c in chunks for part in _parts(c) if part] if self.break_on_hyphens else chunks

    def wrap(self, text):
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        chunks, lines = self._chunks(text)[::-1], []
        while chunks:
            indent = self.subsequent_indent if lines else self.initial_indent
            room, line, length = self.width - len(indent), [], 0
            if self.drop_whitespace and not chunks[-1].strip() and lines:
                chunks.pop()
            while chunks and length + len(chunks[-1]) <= room:
                length += len(chunks[-1])
                line.append(chunks.pop())
            if chunks and len(chunks[-1]) > room:
                left = room - length if room >= 1 else 1
                if self.break_long_words:
                    hyphen = chunks[-1].rfind("-", 0, left) if self.break_on_hyphens else 0
                    if hyphen > 0 and chunks[-1][:hyphen].strip("-"):
                        left = hyphen + 1
                    line.append(chunks[-1][:left])
                    chunks[-1] = chunks[-1][left:]
                elif not line:
                    line.append(chunks.pop())
                length = sum(map(len, line))
            if self.drop_whitespace and line and not line[-1].strip():
                length -= len(line.pop())
            if not line:
                continue
            last = self.max_lines is not None and len(lines) + 1 >= self.max_lines
            ends = not chunks or self.drop_whitespace and len(chunks) == 1 and not chunks[0].strip()
            if not last or ends and length <= room:
                lines.append(indent + "".join(line))
                continue
            while line:
                if line[-1].strip() and length + len(self.placeholder) <= room:
                    lines.append(indent + "".join(line) + self.placeholder)
                    return lines
                length -= len(line.pop())
            if lines and len(lines[-1].rstrip()) + len(self.placeholder) <= self.width:
                lines[-1] = lines[-1].rstrip() + self.placeholder
            else:
                lines.append(indent + self.placeholder.lstrip())
            return lines
        return lines

    def fill(self, text):
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    return TextWrapper(width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    return TextWrapper(width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))


def dedent(text):
    lines = text.split("\n")
    margin = None
    for i, line in enumerate(lines):
        if not line.strip():
            lines[i] = ""
            continue
        indent = line[:len(line) - len(line.lstrip())]
        if margin is None:
            margin = indent
        else:
            n = 0
            while n < min(len(margin), len(indent)) and margin[n] == indent[n]:
                n += 1
            margin = margin[:n]
    return "\n".join(l[len(margin):] if l else l for l in lines) if margin else "\n".join(lines)


def indent(text, prefix, predicate=None):
    return "".join(prefix + l if (predicate(l) if predicate else l.strip()) else l for l in text.splitlines(True))
