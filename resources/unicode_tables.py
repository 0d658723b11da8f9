# SPDX-License-Identifier: Apache-2.0
"""Writes script_library/_unicode_tables.py, what the library's unicodedata knows of characters, from the unicodedata
of the Python that runs this:
    python .../resources/unicode_tables.py > .../resources/script_library/_unicode_tables.py
Numbers are to base 36, and differences to the number before where they are of characters."""
import sys
import textwrap
import unicodedata

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
CHARACTERS = range(sys.maxunicode + 1)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&"


def number(n):
    text = ""
    while True:
        text = DIGITS[n % 36] + text
        n //= 36
        if not n:
            return text


def runs():
    """How many characters in a row are of one category, where more than one, and a letter for that."""
    found = []
    for c in CHARACTERS:
        category = unicodedata.category(chr(c))
        if not found or found[-1][0] != category:
            found.append([category, 0])
        found[-1][1] += 1
    names = sorted({category for category, _ in found})
    return names, "".join(("" if n == 1 else number(n)) + LETTERS[names.index(category)] for category, n in found)


def decompositions():
    before = 0
    for c in CHARACTERS:
        parts = unicodedata.decomposition(chr(c)).split()
        if parts:
            compatible = parts[0].startswith("<")
            codes = ",".join(number(int(part, 16)) for part in parts[compatible:])
            yield number(c - before) + ("~" if compatible else ":") + codes
            before = c


def classes():
    before = 0
    for c in CHARACTERS:
        if unicodedata.combining(chr(c)):
            yield number(c - before) + ":" + number(unicodedata.combining(chr(c)))
            before = c


def written(name, text):
    """An assignment of a long text, in lines of the usual width."""
    lines = textwrap.wrap(text, 110) if " " in text else [text[i:i + 110] for i in range(0, len(text), 110)]
    gap = " " if " " in text else ""
    print(f"{name} = (")
    for i, line in enumerate(lines):
        print(f'    "{line}{gap if i + 1 < len(lines) else ""}"')
    print(")")


names, categories = runs()
print("# SPDX-License-Identifier: Apache-2.0 AND Unicode-3.0")
print(f"# Written by resources/unicode_tables.py: Unicode {unicodedata.unidata_version}.")
print("# flake8: noqa")
print(f'VERSION = "{unicodedata.unidata_version}"')
print(f'NAMES = dict(zip("{LETTERS[:len(names)]}", "{" ".join(names)}".split()))')
written("CATEGORIES", categories)
written("DECOMPOSITIONS", " ".join(decompositions()))
written("CLASSES", " ".join(classes()))
