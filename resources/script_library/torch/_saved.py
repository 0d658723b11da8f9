# SPDX-License-Identifier: Apache-2.0
# What torch.save writes and torch.load reads: state_dicts and what they are made of, each thing behind a letter.
import collections

import torch

_NAMES = {dtype: str(dtype)[6:] for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.uint8,
                                              torch.int8, torch.int16, torch.int32, torch.int64, torch.bool)}
_LISTS = {"l": list, "t": tuple, "S": torch.Size, "s": set, "F": frozenset}
_DICTS = {"d": dict, "o": collections.OrderedDict, "C": collections.Counter}


def _sized(letter, data):
    return letter.encode() + len(data).to_bytes(8, "little") + data


def written(value):
    return b"cutaway saved " + b"".join(_parts(value, {}))


def _parts(value, seen):
    if isinstance(value, torch.Tensor):
        if id(value) in seen:
            return [_sized("r", str(seen[id(value)]).encode())]
        seen[id(value)] = len(seen)
        plain = value.detach().cpu()
        pairs = torch.view_as_real(plain) if plain.is_complex() else plain
        flat = pairs.reshape(-1)
        flat = flat.to(torch.uint8) if flat.dtype == torch.bool else flat.view(torch.uint8)
        kind = "P" if isinstance(value, torch.nn.Parameter) else "T"
        head = [_NAMES[pairs.dtype], plain.is_complex(), value.requires_grad and value.is_leaf, list(pairs.shape)]
        return [_sized(kind, b"".join(_parts(head, seen))), _sized("b", bytes(flat.tolist()))]
    for letter, made in [("N", None), ("Y", True), ("Z", False)]:
        if value is made:
            return [_sized(letter, b"")]
    if isinstance(value, torch.dtype):
        return [_sized("D", str(value)[6:].encode())]
    if isinstance(value, torch.device):
        return [_sized("V", str(value).encode())]
    for letter, kind in (("i", int), ("f", float), ("u", str)):
        if type(value) is kind:
            text = value.hex() if kind is float else str(value)
            return [_sized(letter, text.encode())]
    if type(value) is complex:
        return [_sized("c", b"".join(_parts([value.real, value.imag], {})))]
    if type(value) is bytes:
        return [_sized("b", value)]
    if type(value).__module__ == "numpy" and hasattr(value, "dtype"):
        if type(value).__name__ == "ndarray":
            return [_sized("A", b"".join(_parts(torch.from_numpy(value), {})))]
        return [_sized("a", b"".join(_parts([str(value.dtype), value.item()], {})))]
    for letter, kind in _LISTS.items():
        if type(value) is kind:
            return [_sized(letter, b"".join([part for item in value for part in _parts(item, seen)]))]
    for letter, kind in _DICTS.items():
        if type(value) is kind:
            pairs = [part for pair in value.items() for item in pair for part in _parts(item, seen)]
            return [_sized(letter, b"".join(pairs))]
    raise TypeError(f"torch.save: cannot write a {type(value).__name__}; save what it consists of, as a module's "
                    "state_dict()")


def read(data):
    if not data.startswith(b"cutaway saved "):
        raise RuntimeError("torch.load: this was not written by torch.save here")
    return _items(data[14:], [])[0]


def _items(data, seen):
    found, at = [], 0
    while at < len(data):
        letter = data[at:at + 1].decode()
        size = int.from_bytes(data[at + 1:at + 9], "little")
        inner = data[at + 9:at + 9 + size]
        at += 9 + size
        if letter in "TP":
            place = len(seen)
            seen.append(None)
            name, is_complex, requires_grad, sizes = _items(inner, [])[0]
            size = int.from_bytes(data[at + 1:at + 9], "little")
            bytes_ = torch.tensor(list(data[at + 9:at + 9 + size]), dtype=torch.uint8)
            at += 9 + size
            dtype = getattr(torch, name)
            made = (bytes_.to(dtype) if dtype == torch.bool else bytes_.view(dtype)).reshape(sizes)
            made = torch.view_as_complex(made) if is_complex else made
            made = torch.nn.Parameter(made, requires_grad) if letter == "P" else made.requires_grad_(requires_grad)
            seen[place] = made
            found.append(made)
        elif letter == "r":
            found.append(seen[int(inner.decode())])
        elif letter in "NYZ":
            found.append({"N": None, "Y": True, "Z": False}[letter])
        elif letter == "D":
            found.append(getattr(torch, inner.decode()))
        elif letter == "V":
            found.append(torch.device(inner.decode()))
        elif letter == "b":
            found.append(inner)
        elif letter == "c":
            found.append(complex(*_items(inner, [])[0]))
        elif letter == "A":
            found.append(_items(inner, [])[0].numpy())
        elif letter == "a":
            import numpy
            name, item = _items(inner, [])[0]
            found.append(getattr(numpy, name if name != "bool" else "bool_")(item))
        elif letter in "ifu":
            text = inner.decode()
            found.append(int(text) if letter == "i" else float.fromhex(text) if letter == "f" else text)
        elif letter in _LISTS:
            found.append(_LISTS[letter](_items(inner, seen)))
        else:
            items = _items(inner, seen)
            found.append(_DICTS[letter](dict(zip(items[::2], items[1::2]))))
    return found
