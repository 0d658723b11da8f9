# SPDX-License-Identifier: Apache-2.0
# unicodedata: categories, combining classes and the four normal forms. Names of characters are not known.
import bisect

import _unicode_tables as _tables

unidata_version = _tables.VERSION
_starts, _categories = [], []  # of the runs of characters of one category
_split, _compatible, _classes, _joined = {}, set(), {}, {}
_FIRST, _LEAD, _VOWEL, _TRAIL = 0xAC00, 0x1100, 0x1161, 0x11A7  # syllables of Hangul and what they consist of


def _read_categories():
    at, count = 0, ""
    for c in _tables.CATEGORIES:
        if c in _tables.NAMES:
            _starts.append(at)
            _categories.append(_tables.NAMES[c])
            at += int(count, 36) if count else 1
            count = ""
        else:
            count += c


def _read_forms():
    at = 0
    for part in _tables.CLASSES.split():
        step, value = part.split(":")
        at += int(step, 36)
        _classes[at] = int(value, 36)
    at = 0
    for part in _tables.DECOMPOSITIONS.split():
        compatible = "~" in part
        step, codes = part.split("~" if compatible else ":")
        at += int(step, 36)
        _split[at] = [int(code, 36) for code in codes.split(",")]
        if compatible:
            _compatible.add(at)
    for code, parts in _split.items():
        # What begins with a combining character, or is one, is not put together again.
        if code not in _compatible and len(parts) == 2 and code not in _classes and parts[0] not in _classes \
                and code not in _EXCLUDED:
            _joined[tuple(parts)] = code


_EXCLUDED = {*range(0x958, 0x960), 0x9DC, 0x9DD, 0x9DF, 0xA33, 0xA36, 0xA59, 0xA5A, 0xA5B, 0xA5E, 0xB5C, 0xB5D, 0xF43,
             0xF4D, 0xF52, 0xF57, 0xF5C, 0xF69, 0xF76, 0xF78, 0xF93, 0xF9D, 0xFA2, 0xFA7, 0xFAC, 0xFB9, 0xFB1D,
             0xFB1F, *range(0xFB2A, 0xFB4F), 0x2ADC, *range(0x1D15E, 0x1D165), *range(0x1D1BB, 0x1D1C1)}


def _character(c):
    if not isinstance(c, str) or len(c) != 1:
        raise TypeError("argument must be a unicode character, not " + type(c).__name__)
    return ord(c)


def category(chr, /):
    code = _character(chr)
    if not _starts:
        _read_categories()
    return _categories[bisect.bisect_right(_starts, code) - 1]


def combining(chr, /):
    code = _character(chr)
    if not _split:
        _read_forms()
    return _classes.get(code, 0)


def decomposition(chr, /):
    code = _character(chr)
    if not _split:
        _read_forms()
    if code in _compatible:
        raise NotImplementedError("decompositions for compatibility are known without their kinds")
    return " ".join(f"{part:04X}" for part in _split.get(code, ()))


def _taken_apart(code, compatible, out):
    if _FIRST <= code < _FIRST + 11172:
        place = code - _FIRST
        out += [_LEAD + place // 588, _VOWEL + place % 588 // 28]
        if place % 28:
            out.append(_TRAIL + place % 28)
    elif code in _split and (compatible or code not in _compatible):
        for part in _split[code]:
            _taken_apart(part, compatible, out)
    else:
        out.append(code)


def _in_order(codes):
    """Combining characters behind one that is none, in the order of their classes."""
    i = 0
    while i < len(codes):
        end = i
        while end < len(codes) and codes[end] in _classes:
            end += 1
        codes[i:end] = sorted(codes[i:end], key=lambda code: _classes[code])
        i = end + 1


def _pair(first, second):
    if _LEAD <= first < _LEAD + 19 and _VOWEL <= second < _VOWEL + 21:
        return _FIRST + ((first - _LEAD) * 21 + second - _VOWEL) * 28
    if _FIRST <= first < _FIRST + 11172 and (first - _FIRST) % 28 == 0 and _TRAIL < second < _TRAIL + 28:
        return first + second - _TRAIL
    return _joined.get((first, second))


def _put_together(codes):
    out, start = [], None  # the place of the last character that combines with what follows
    for code in codes:
        kind = _classes.get(code, 0)
        if start is not None:
            last = _classes.get(out[-1], 0) if len(out) - 1 > start else -1
            made = _pair(out[start], code) if last < kind or last == -1 else None
            if made is not None:
                out[start] = made
                continue
        if kind == 0:
            start = len(out)
        out.append(code)
    return out


def normalize(form, unistr, /):
    if form not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise ValueError("invalid normalization form")
    if unistr.isascii():
        return unistr
    if not _split:
        _read_forms()
    codes = []
    for c in unistr:
        _taken_apart(ord(c), "K" in form, codes)
    _in_order(codes)
    return "".join(chr(code) for code in (_put_together(codes) if form.endswith("C") else codes))


def is_normalized(form, unistr, /):
    return normalize(form, unistr) == unistr
