# SPDX-License-Identifier: Apache-2.0
# numpy's dtypes: which of torch's each is, and what two of them give.
import torch as _torch

__all__ = ["dtype"]


class dtype:
    def __new__(cls, kind):
        return _dtype_of(kind)

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __str__(self):
        return self.name

    def __eq__(self, other):
        try:
            return self is _dtype_of(other)
        except TypeError:
            return False

    def __hash__(self):
        return hash(self.name)


def _made(name, tensor_dtype, kind, char):
    d = object.__new__(dtype)
    d.name, d._torch, d.kind, d.char = name, tensor_dtype, kind, char
    d.itemsize = d.alignment = _torch.tensor(0, dtype=tensor_dtype).element_size()
    d.byteorder = "|" if d.itemsize == 1 else "="
    d.str = ("|" if d.itemsize == 1 else "<") + kind + str(d.itemsize)
    d.names = d.fields = d.subdtype = None
    d.shape, d.ndim, d.isnative, d.hasobject = (), 0, True, False
    return d


_all = [_made(*row) for row in [
    ("bool", _torch.bool, "b", "?"), ("uint8", _torch.uint8, "u", "B"), ("uint16", _torch.uint16, "u", "H"),
    ("uint32", _torch.uint32, "u", "I"), ("uint64", _torch.uint64, "u", "L"), ("int8", _torch.int8, "i", "b"),
    ("int16", _torch.int16, "i", "h"), ("int32", _torch.int32, "i", "i"), ("int64", _torch.int64, "i", "l"),
    ("float16", _torch.float16, "f", "e"), ("float32", _torch.float32, "f", "f"),
    ("float64", _torch.float64, "f", "d"), ("complex64", _torch.complex64, "c", "F"),
    ("complex128", _torch.complex128, "c", "D")]]
_by_name = {d.name: d for d in _all}
_by_name.update({d.char: d for d in _all})
_by_name.update({d.str: d for d in _all})
_by_name.update({d.str[1:]: d for d in _all})
_by_name.update({"int": _by_name["int64"], "float": _by_name["float64"], "bool_": _by_name["bool"],
                 "uint": _by_name["uint64"], "complex": _by_name["complex128"], "half": _by_name["float16"],
                 "single": _by_name["float32"], "double": _by_name["float64"], "b": _by_name["int8"]})
_by_torch = {d._torch: d for d in _all}


def _dtype_of(kind):
    if isinstance(kind, dtype):
        return kind
    if kind is None or kind is float:
        return _by_name["float64"]
    if kind is int:
        return _by_name["int64"]
    if kind is bool:
        return _by_name["bool"]
    if kind is complex:
        return _by_name["complex128"]
    found = _by_name.get(kind) if isinstance(kind, str) else getattr(kind, "_dtype", None)
    if found is None:
        raise TypeError(f"data type '{kind}' not understood")
    return found


def _of_tensor(kind):
    if kind not in _by_torch:
        raise TypeError(f"numpy has no dtype for {kind}")
    return _by_torch[kind]


def _scalar_kind(kind, value):
    """The torch dtype of an array of `kind` with a Python number."""
    if isinstance(value, complex):
        return kind if kind.is_complex else _torch.complex64 if kind in (_torch.float16, _torch.float32) \
            else _torch.complex128
    if isinstance(value, float) and not kind.is_floating_point and not kind.is_complex:
        return _torch.float64
    if not isinstance(value, bool) and isinstance(value, int):
        if kind == _torch.bool:
            return _torch.int64
        d = _by_torch[kind]
        if d.kind in "iu":
            bits = 8 * d.itemsize
            low, high = (0, 2 ** bits - 1) if d.kind == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
            if not low <= value <= high:
                raise OverflowError(f"Python integer {value} out of bounds for {d.name}")
    return kind


def _result(a, b):
    """The torch dtype of two arrays: whole numbers beside others count with all their digits."""
    if a == b:
        return a
    x, y = _by_torch[a], _by_torch[b]
    if "bool" in (x.name, y.name):
        return b if x.name == "bool" else a
    if x.kind == y.kind:
        return a if x.itemsize > y.itemsize else b
    kinds = {x.kind: x.itemsize, y.kind: y.itemsize}
    if "i" in kinds and "u" in kinds:
        size = kinds["i"] if kinds["i"] > kinds["u"] else 2 * kinds["u"]
        return _torch.float64 if size > 8 else _by_name[f"i{size}"]._torch
    # Digits: the floating part that holds both.
    parts = [d.itemsize // 2 if d.kind == "c" else d.itemsize if d.kind == "f" else min(8, 2 * d.itemsize)
             for d in (x, y)]
    size = max(parts)
    return _by_name[f"c{max(8, 2 * size)}" if "c" in kinds else f"f{size}"]._torch
