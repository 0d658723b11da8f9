# SPDX-License-Identifier: Apache-2.0
# Arrays as text, as numpy prints them: numbers as short as they are exact, at most eight digits, in columns.
import math

import torch

_options = {"precision": 8, "suppress": False, "threshold": 1000, "linewidth": 75, "edgeitems": 3}


def set_options(options):
    _options.update({k: v for k, v in options.items() if k in _options})


def _shortest(value, kind):
    """The shortest text that is the number again."""
    if kind == torch.float64:
        return repr(value)
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if torch.tensor(float(text), dtype=kind).item() == value:
            return repr(float(text))
    return repr(value)


def _decimal(text):
    """A shortest text without its exponent: (sign and digits before the point, digits behind it)."""
    mantissa, _, exponent = text.partition("e")
    whole, _, part = mantissa.partition(".")
    sign = "-" if whole.startswith("-") else ""
    whole = whole.lstrip("-")
    shift = int(exponent) if exponent else 0
    if shift > 0:
        part = part.ljust(shift, "0")
        whole, part = whole + part[:shift], part[shift:]
    elif shift < 0:
        whole = whole.rjust(-shift + 1, "0")
        whole, part = whole[:shift], whole[shift:] + part
    return sign + (whole.lstrip("0") or "0"), part.rstrip("0")


def _rounded(text, digits):
    whole, part = _decimal(text)
    if len(part) <= digits:
        return whole, part
    return _decimal(f"{float(text):.{digits}f}")


def _formats(values, kind):
    """The texts of all numbers of an array, padded to one width."""
    if kind.is_complex:
        return _complex_formats(values, torch.float32 if kind == torch.complex64 else torch.float64)
    if kind == torch.bool:
        return [str(v).rjust(5) for v in values]
    if not kind.is_floating_point:
        texts = [str(v) for v in values]
        width = max([len(t) for t in texts], default=0)
        return [t.rjust(width) for t in texts]
    precision = _options["precision"]
    finite = [v for v in values if math.isfinite(v)]
    sizes = [abs(v) for v in finite if v != 0]
    large = max(sizes, default=0)
    small = min(sizes, default=1)
    if sizes and (large >= 1e8 or not _options["suppress"] and (small < 1e-4 or large / small > 1000)):
        return _exponents(values, kind, precision)
    parts = [_rounded(_shortest(v, kind), precision) if math.isfinite(v) else None for v in values]
    before = max([len(p[0]) for p in parts if p], default=0)
    behind = max([len(p[1]) for p in parts if p], default=0)
    texts = []
    for v, p in zip(values, parts):
        if p is None:
            texts.append(("nan" if v != v else "inf" if v > 0 else "-inf"))
        else:
            texts.append(p[0].rjust(before) + "." + p[1].ljust(behind))
    width = max([len(t) for t in texts], default=0)
    return [t.rjust(width) for t in texts]


def _complex_formats(values, kind):
    """Real parts in one column, imaginary parts with their signs in another."""
    imaginary = [v.imag for v in values]
    sizes = [t.lstrip() for t in _formats([abs(v) for v in imaginary], kind)]
    signed = [("-" if math.copysign(1.0, v) < 0 else "+") + t for v, t in zip(imaginary, sizes)]
    width = max([len(t) for t in signed], default=0)
    texts = []
    for real, part in zip(_formats([v.real for v in values], kind), [t.rjust(width) for t in signed]):
        end = len(part.rstrip())
        texts.append(real + part[:end] + "j" + part[end:])
    return texts


def _exponents(values, kind, precision):
    parts = []
    for v in values:
        if not math.isfinite(v):
            parts.append(None)
            continue
        digits = 0
        exact = _shortest(v, kind)
        while digits < precision and float(f"{v:.{digits}e}") != float(exact):
            digits += 1
        parts.append(digits)
    behind = max([p for p in parts if p is not None], default=0)
    texts = []
    for v, p in zip(values, parts):
        if p is None:
            texts.append("nan" if v != v else "inf" if v > 0 else "-inf")
            continue
        mantissa, _, exponent = f"{v:.{behind}e}".partition("e")
        texts.append((mantissa + ("." if behind == 0 else ""), exponent))
    digits = max([len(t[1]) for t in texts if isinstance(t, tuple)], default=0)
    texts = [f"{t[0]}e{t[1][0]}{t[1][1:].rjust(digits - 1, '0')}" if isinstance(t, tuple) else t for t in texts]
    width = max([len(t) for t in texts], default=0)
    return [t.rjust(width) for t in texts]


def _shown(tensor):
    """The elements that are shown, and for each dimension its places (None: an ellipsis)."""
    edge = _options["edgeitems"]
    many = tensor.numel() > _options["threshold"]
    places = []
    for size in tensor.shape:
        if many and size > 2 * edge:
            places.append(list(range(edge)) + [None] + list(range(size - edge, size)))
        else:
            places.append(list(range(size)))
    return places


def _nest(tensor, places, texts, indent, width, separator, at=()):
    """The text of the part of an array at a place."""
    depth = len(at)
    if depth == len(places):
        return texts[at]
    last = depth == len(places) - 1
    items = []
    for k in places[depth]:
        items.append("..." if k is None else _nest(tensor, places, texts, indent, width, separator, at + (k,)))
    if last:
        room = width - (len(places) - depth - 1)
        lines, line = [], ""
        for i, item in enumerate(items):
            piece = item + (separator if i + 1 < len(items) else "")
            if line and len(indent) + depth + 1 + len(line) + len(piece.rstrip()) + (1 if i + 1 == len(items) else 0) > room:
                lines.append(line.rstrip())
                line = ""
            line += piece
        lines.append(line)
        return "[" + ("\n" + indent + " " * (depth + 1)).join(lines) + "]"
    gap = separator.rstrip() + "\n" * (len(places) - depth - 1) + indent + " " * (depth + 1)
    return "[" + gap.join(items) + "]"


def of_words(tensor, words, indent, separator):
    """Of an array of texts: `tensor` says which each is."""
    return _written(tensor, lambda values: [repr(words[i]) for i in values], indent, separator)


def _body(array, indent, separator):
    return _written(array._tensor, lambda values: _formats(values, array._tensor.dtype), indent, separator)


def _written(tensor, formats, indent, separator):
    places = _shown(tensor)
    spots = [()]
    for dimension in places:
        spots = [s + (k,) for s in spots for k in dimension if k is not None]
    values = [tensor[s].item() for s in spots] if tensor.numel() > _options["threshold"] else \
        tensor.reshape(-1).tolist()
    texts = dict(zip(spots, formats(values)))
    if not spots and 0 in tensor.shape:
        return "[]"
    return _nest(tensor, places, texts, indent, _options["linewidth"], separator)


def array_str(array):
    if array.ndim == 0:
        return scalar_str(array)
    return _body(array, "", " ")


def array_repr(array):
    kind = array.dtype
    if array.ndim == 0:
        text = f"array({_formats([array.item()], array._tensor.dtype)[0]}"
    else:
        text = "array(" + _body(array, "      ", ", ")
    if array.size == 0 and array.shape != (0,):
        text += f", shape={array.shape}"
    if kind.name not in ("float64", "int64", "bool", "complex128") or array.size == 0:
        text += f", dtype={kind.name}"
    return text + ")"


def scalar_str(scalar):
    value, kind = scalar.item(), scalar._tensor.dtype
    if isinstance(value, float) and math.isfinite(value):
        text = _shortest(value, kind)
        return text
    return str(value)


def scalar_repr(scalar):
    if scalar._tensor.dtype == torch.bool:
        return f"np.{scalar_str(scalar)}_"
    if scalar._tensor.is_complex():
        return f"np.{scalar.dtype.name}({str(scalar.item()).strip('()')})"
    return f"np.{scalar.dtype.name}({scalar_str(scalar)})"
