# SPDX-License-Identifier: Apache-2.0

class error(Exception):
    pass


_SIZES = {"b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "l": 8, "L": 8, "q": 8, "Q": 8, "f": 4, "d": 8, "x": 1, "c": 1, "s": 1}


def _items(fmt):
    order, native = "little", True
    if fmt[:1] in "<>=!@":
        native = fmt[0] == "@"
        order = "big" if fmt[0] in ">!" else "little"
        fmt = fmt[1:]
    out, n = [], ""
    for c in fmt:
        if c == " ":
            continue
        if c.isdigit():
            n += c
            continue
        if c not in _SIZES:
            raise error("bad char in struct format")
        size = _SIZES[c]
        if not native and c in "lL":
            size = 4
        count = int(n) if n else 1
        out.extend([(c, count)] if c == "s" else [(c, size)] * count)
        n = ""
    return order, native, out


def calcsize(fmt):
    order, native, items = _items(fmt)
    at = 0
    for c, size in items:
        if native and c != "s":
            at += -at % size
        at += size
    return at


def pack(fmt, *values):
    order, native, items = _items(fmt)
    out, values = b"", list(values)
    if len(values) != sum(1 for c, _ in items if c != "x"):
        raise error(f"pack expected {sum(1 for c, _ in items if c != 'x')} items for packing (got {len(values)})")
    for c, size in items:
        if native and c != "s":
            out += bytes(-len(out) % size)
        if c == "x":
            out += b"\0"
            continue
        v = values.pop(0)
        if c == "s":
            out += (v + bytes(size))[:size]
        elif c == "c":
            out += v
        elif c == "f":
            out += _native.single_bits(v).to_bytes(4, order)
        elif c == "d":
            out += _native.float_bits(v).to_bytes(8, order, signed=True)
        else:
            out += int(v).to_bytes(size, order, signed=c.islower())
    return out


def unpack(fmt, data):
    order, native, items = _items(fmt)
    if len(data) != calcsize(fmt):
        raise error(f"unpack requires a buffer of {calcsize(fmt)} bytes")
    out, at = [], 0
    for c, size in items:
        if native and c != "s":
            at += -at % size
        part = bytes(data[at:at + size])
        at += size
        if c == "x":
            continue
        if c in "sc":
            out.append(part)
        elif c == "f":
            out.append(_native.single_of_bits(int.from_bytes(part, order)))
        elif c == "d":
            out.append(_native.float_of_bits(int.from_bytes(part, order, signed=True)))
        elif c == "?":
            out.append(part != b"\0")
        else:
            out.append(int.from_bytes(part, order, signed=c.islower()))
    return tuple(out)


def pack_into(fmt, buffer, offset, *values):
    part = pack(fmt, *values)
    if offset < 0:
        offset += len(buffer)
    if offset + len(part) > len(buffer):
        raise error(f"pack_into requires a buffer of at least {offset + len(part)} bytes for packing {len(part)} bytes at "
                    f"offset {offset} (actual buffer size is {len(buffer)})")
    buffer[offset:offset + len(part)] = part


def unpack_from(fmt, buffer, offset=0):
    size = calcsize(fmt)
    if offset < 0:
        offset += len(buffer)
    if offset + size > len(buffer):
        raise error(f"unpack_from requires a buffer of at least {offset + size} bytes for unpacking {size} bytes at offset "
                    f"{offset} (actual buffer size is {len(buffer)})")
    return unpack(fmt, buffer[offset:offset + size])


def iter_unpack(fmt, buffer):
    size = calcsize(fmt)
    if size == 0 or len(buffer) % size:
        raise error(f"iterative unpacking requires a buffer of a multiple of {size} bytes")
    return iter([unpack(fmt, buffer[at:at + size]) for at in range(0, len(buffer), size)])
