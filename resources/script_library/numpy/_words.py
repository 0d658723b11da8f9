# SPDX-License-Identifier: Apache-2.0
# Arrays of texts: each element is the place of its text among all that there are, in order, so that what numbers can
# do (be picked, compared, sorted, counted) these can, too.
import numpy as _np
import torch as _torch
from numpy import _text

__all__ = ["str_", "char"]


class str_(str):
    def __repr__(self):
        return f"np.str_({str.__repr__(self)})"

    def item(self):
        return str(self)


class _Kind:
    kind, char, names = "U", "U", None

    def __init__(self, width):
        self.width, self.itemsize = width, 4 * width
        self.str = f"<U{width}"
        self.name = f"str{32 * width}"

    def __repr__(self):
        return f"dtype({self.str!r})"

    def __str__(self):
        return self.str

    def __eq__(self, other):
        return isinstance(other, _Kind) and other.width == self.width or other is str or str(other) == self.str

    def __hash__(self):
        return hash(self.str)


def _flat(value):
    if isinstance(value, WordArray):
        return value._list()
    if isinstance(value, (list, tuple)):
        return [w for v in value for w in _flat(v)]
    return [value if isinstance(value, str) else str(value)]


def _shape(value):
    if isinstance(value, WordArray):
        return list(value.shape)
    if not isinstance(value, (list, tuple)):
        return []
    shapes = [_shape(v) for v in value]
    if any(s != shapes[0] for s in shapes):
        raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape "
                         f"after 1 dimensions. The detected shape was ({len(value)},) + inhomogeneous part.")
    return [len(value)] + (shapes[0] if shapes else [])


def holds(value):
    """Whether an array of it is one of texts."""
    if isinstance(value, (str, WordArray)):
        return True
    return isinstance(value, (list, tuple)) and len(value) > 0 and holds(value[0])


def made(value):
    if isinstance(value, WordArray):
        return value
    words = _flat(value)
    known = sorted(set(words))
    place = {word: i for i, word in enumerate(known)}
    codes = _torch.tensor([place[w] for w in words], dtype=_torch.int64).reshape(_shape(value))
    return WordArray(_np.asarray(codes), known)


class WordArray:
    __array_priority__ = 1

    def __init__(self, codes, words):
        self._codes, self._words = codes, words

    def _list(self):
        return [self._words[i] for i in self._codes.ravel().tolist()]

    @property
    def dtype(self):
        return _Kind(max([len(w) for w in self._words], default=1) or 1)

    shape = property(lambda self: self._codes.shape)
    ndim = property(lambda self: self._codes.ndim)
    size = property(lambda self: self._codes.size)
    T = property(lambda self: WordArray(self._codes.T, self._words))

    def __len__(self):
        return len(self._codes)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key):
        found = self._codes[key]
        if isinstance(found, _np.ndarray) and found.ndim:
            return WordArray(found, self._words)
        return str_(self._words[int(found)])

    def __setitem__(self, key, value):
        width, changed = self.dtype.width, _np.asarray(self._codes).copy()
        values = made([w[:width] for w in _flat(value)])
        words = sorted(set(self._words) | set(values._words))
        place = _np.array([words.index(w) for w in self._words])
        changed = place[changed]
        new = _np.array([words.index(w) for w in values._list()])
        changed[key] = new if len(new) > 1 else int(new[0])
        self._codes, self._words = changed, words

    def _compared(self, other, how):
        other = made(other)
        words = sorted(set(self._words) | set(other._words))
        place = {w: i for i, w in enumerate(words)}
        a, b = (_np.array([place[w] for w in x._list()]).reshape(x.shape) for x in (self, other))
        return how(a, b)

    def __eq__(self, other):
        return self._compared(other, lambda a, b: a == b) if holds(other) else _np.zeros(self.shape, dtype=bool)

    def __ne__(self, other):
        return self._compared(other, lambda a, b: a != b) if holds(other) else _np.ones(self.shape, dtype=bool)

    def __lt__(self, other):
        return self._compared(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._compared(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._compared(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._compared(other, lambda a, b: a >= b)

    __hash__ = None

    def __contains__(self, word):
        return word in self._list()

    def _nested(self, codes, element):
        return [self._nested(c, element) if isinstance(c, list) else element(self._words[c]) for c in codes]

    def tolist(self):
        codes = self._codes.tolist()
        return self._nested(codes, str) if isinstance(codes, list) else self._words[codes]

    def item(self):
        return self._words[self._codes.item()]

    def astype(self, kind, copy=True):
        if kind in (str, object) or isinstance(kind, (_Kind, str)) and str(kind).startswith(("<U", "U", "str")):
            return WordArray(self._codes, self._words)
        read = float if _np.dtype(kind).kind == "f" else int
        return _np.array([read(w) for w in self._list()]).reshape(self.shape).astype(kind)

    def _shaped(name):
        return lambda self, *args, **kwargs: WordArray(getattr(self._codes, name)(*args, **kwargs), self._words)

    reshape, ravel, flatten, copy, squeeze, repeat, transpose = map(
        _shaped, ("reshape", "ravel", "flatten", "copy", "squeeze", "repeat", "transpose"))

    def argsort(self, axis=-1):
        return _np.argsort(self._codes, axis)

    def sort(self, axis=-1):
        self._codes = _np.sort(self._codes, axis)

    def _text(self, indent, separator):
        return _text.of_words(self._codes._tensor, self._words, indent, separator)

    def __str__(self):
        return self._text("", " ") if self.ndim else self.item()

    def __repr__(self):
        body = self._text("      ", ", ") if self.ndim else repr(self.item())
        return f"array({body}, dtype={self.dtype.str!r})"


def _taken(name, texts, first=0):
    """numpy's function of that name: `texts` for arrays of texts, what it was for others."""
    numbers = getattr(_np, name)

    def function(*args, **kwargs):
        return texts(*args, **kwargs) if len(args) > first and holds(args[first]) else numbers(*args, **kwargs)

    function.__name__ = name
    globals()[name] = function
    __all__.append(name)


def _unique(ar, *args, **kwargs):
    array = made(ar)
    found = _np.unique(array._codes, *args, **kwargs)
    values = found[0] if isinstance(found, tuple) else found
    return (WordArray(values, array._words), *found[1:]) if isinstance(found, tuple) else WordArray(values, array._words)


def _joined(arrays, axis=0):
    parts = [made(a) for a in arrays]
    words = sorted({w for p in parts for w in p._words})
    places = [_np.array([words.index(w) for w in p._words])[p._codes] for p in parts]
    return WordArray(_np.concatenate(places, axis), words)


def _where(condition, x, y):
    x, y = made(x), made(y)
    words = sorted(set(x._words) | set(y._words))
    places = [_np.asarray(_np.array([words.index(w) for w in p._words])[p._codes]) for p in (x, y)]
    return WordArray(_np.where(condition, *places), words)


def _among(element, test_elements, invert=False, **kwargs):
    wanted = set(_flat(list(test_elements) if isinstance(test_elements, set) else test_elements))
    array = made(element)
    return _np.array([(w in wanted) != invert for w in array._list()]).reshape(array.shape)


def _full(shape, value, dtype=None, order="C"):
    return WordArray(_np.zeros(shape, dtype=int), [value])


_taken("unique", _unique)
_taken("concatenate", _joined)
_taken("where", _where, 1)
_taken("isin", _among)
_taken("full", _full, 1)
_taken("sort", lambda a, axis=-1: WordArray(_np.sort(made(a)._codes, axis), made(a)._words))
_taken("argsort", lambda a, axis=-1: _np.argsort(made(a)._codes, axis))
_taken("array_equal", lambda a, b: made(a).shape == made(b).shape and made(a)._list() == made(b)._list())
_taken("array", lambda object, dtype=None, copy=True: made(object) if dtype in (None, str, object) else made(object).astype(dtype))
_taken("asarray", lambda object, dtype=None: made(object) if dtype is None else made(object).astype(dtype))


class char:
    """numpy.char: methods of str, element by element."""

    def __new__(cls):
        raise TypeError("numpy.char is a module")


def _each(name):
    def function(a, *args):
        array = made(a)
        found = [getattr(w, name)(*args) for w in array._list()]
        if holds(found):
            return made(found).reshape(array.shape)
        return _np.array(found).reshape(array.shape)

    return staticmethod(function)


for _name in ("upper", "lower", "title", "capitalize", "swapcase", "strip", "lstrip", "rstrip", "replace", "center", "ljust",
              "rjust", "zfill", "startswith", "endswith", "isdigit", "isalpha", "isupper", "islower", "isnumeric", "isspace",
              "find", "count"):
    setattr(char, _name, _each(_name))
char.str_len = staticmethod(lambda a: _np.array([len(w) for w in made(a)._list()]).reshape(made(a).shape))
char.add = staticmethod(lambda a, b: made([x + y for x, y in zip(made(a)._list(), made(b)._list())]).reshape(made(a).shape))
char.multiply = staticmethod(lambda a, n: made([x * n for x in made(a)._list()]).reshape(made(a).shape))
