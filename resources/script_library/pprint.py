# SPDX-License-Identifier: Apache-2.0

def _lines(v, width, indent):
    flat = _flat(v)
    if len(flat) + indent <= width or not isinstance(v, (dict, list, tuple)) or not v:
        return flat
    pad = " " * (indent + 1)
    if isinstance(v, dict):
        try:
            pairs = sorted(v.items())
        except TypeError:
            pairs = list(v.items())
        parts = [f"{k!r}: " + _lines(w, width, indent + len(repr(k)) + 3) for k, w in pairs]
        return "{" + (",\n" + pad).join(parts) + "}"
    opening, closing = ("[", "]") if isinstance(v, list) else ("(", ")")
    return opening + (",\n" + pad).join(_lines(w, width, indent + 1) for w in v) + closing


def _flat(v):
    if type(v) is dict:
        try:
            pairs = sorted(v.items())
        except TypeError:
            pairs = list(v.items())
        return "{" + ", ".join(f"{_flat(k)}: {_flat(w)}" for k, w in pairs) + "}"
    if type(v) is list:
        return "[" + ", ".join(_flat(w) for w in v) + "]"
    return repr(v)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True):
    return _lines(object, width, 0)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True):
    print(pformat(object, indent, width), file=stream)


pp = pprint
