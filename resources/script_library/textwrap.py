# SPDX-License-Identifier: Apache-2.0

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


def wrap(text, width=70, initial_indent="", subsequent_indent="", **kwargs):
    lines, now = [], ""
    for word in text.split():
        lead = initial_indent if not lines else subsequent_indent
        if now and len(lead) + len(now) + 1 + len(word) > width:
            lines.append(lead + now)
            now = word
        else:
            now = now + " " + word if now else word
        lead = initial_indent if not lines else subsequent_indent
        while len(lead) + len(now) > width and " " not in now and width > len(lead):
            lines.append(lead + now[:width - len(lead)])
            now = now[width - len(lead):]
    if now:
        lines.append((initial_indent if not lines else subsequent_indent) + now)
    return lines


def fill(text, width=70, **kwargs):
    return "\n".join(wrap(text, width, **kwargs))


def shorten(text, width, placeholder=" [...]", **kwargs):
    words = text.split()
    if len(" ".join(words)) <= width:
        return " ".join(words)
    while words and len(" ".join(words)) + len(placeholder) > width:
        words.pop()
    return " ".join(words) + placeholder if words else placeholder.lstrip()
