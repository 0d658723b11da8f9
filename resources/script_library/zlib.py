# SPDX-License-Identifier: Apache-2.0
# zlib: checksums, and streams (RFC 1950, 1951). Any can be read; what is written has one block of fixed codes, so
# that its bytes are not those that other writers choose.
import binascii as _binascii

DEFLATED = 8
MAX_WBITS = 15
Z_BEST_SPEED, Z_BEST_COMPRESSION, Z_DEFAULT_COMPRESSION = 1, 9, -1


class error(Exception):
    pass


crc32 = _binascii.crc32


def adler32(data, value=1):
    low, high = value & 0xFFFF, value >> 16
    for byte in bytes(data):
        low = (low + byte) % 65521
        high = (high + low) % 65521
    return high << 16 | low


def _ranges(first, bits):
    found = []
    for extra in bits:
        found.append((first, extra))
        first += 1 << extra
    return found


_LENGTHS = _ranges(3, [0] * 8 + [b for b in range(1, 6) for _ in range(4)]) + [(258, 0)]
_DISTANCES = _ranges(1, [0, 0] + [b for b in range(14) for _ in range(2)])
_FIXED = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8
_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]


def _codes(widths):
    """(width, code) of each symbol."""
    found, code = {}, 0
    for width in range(1, 16):
        for symbol, own in enumerate(widths):
            if own == width:
                found[symbol] = (width, code)
                code += 1
        code <<= 1
    return found


class _Reader:
    def __init__(self, data):
        self.data, self.at, self.held, self.count = data, 0, 0, 0

    def bits(self, n):
        while self.count < n:
            if self.at >= len(self.data):
                raise error("Error -5 while decompressing data: incomplete or truncated stream")
            self.held |= self.data[self.at] << self.count
            self.at += 1
            self.count += 8
        value = self.held & ((1 << n) - 1)
        self.held >>= n
        self.count -= n
        return value

    def symbol(self, table):
        code = 0
        for width in range(1, 16):
            code = code << 1 | self.bits(1)
            if (width, code) in table:
                return table[width, code]
        raise error("Error -3 while decompressing data: invalid code")

    def tables(self):
        literals, distances, lengths = self.bits(5) + 257, self.bits(5) + 1, self.bits(4) + 4
        widths = [0] * 19
        for i in range(lengths):
            widths[_ORDER[i]] = self.bits(3)
        table = {v: k for k, v in _codes(widths).items()}
        widths = []
        while len(widths) < literals + distances:
            symbol = self.symbol(table)
            if symbol < 16:
                widths.append(symbol)
            elif symbol == 16:
                widths += [widths[-1]] * (3 + self.bits(2))
            else:
                widths += [0] * (3 + self.bits(3) if symbol == 17 else 11 + self.bits(7))
        return widths[:literals], widths[literals:]

    def block(self, out):
        last, kind = self.bits(1), self.bits(2)
        if kind == 0:
            self.held = self.count = 0
            size = self.data[self.at] | self.data[self.at + 1] << 8
            out += self.data[self.at + 4:self.at + 4 + size]
            self.at += 4 + size
            return last
        if kind == 3:
            raise error("Error -3 while decompressing data: invalid block type")
        literals, distances = (_FIXED, [5] * 30) if kind == 1 else self.tables()
        literals = {v: k for k, v in _codes(literals).items()}
        distances = {v: k for k, v in _codes(distances).items()}
        while (symbol := self.symbol(literals)) != 256:
            if symbol < 256:
                out.append(symbol)
                continue
            base, extra = _LENGTHS[symbol - 257]
            length = base + self.bits(extra)
            base, extra = _DISTANCES[self.symbol(distances)]
            distance = base + self.bits(extra)
            if distance > len(out):
                raise error("Error -3 while decompressing data: invalid distance too far back")
            for _ in range(length):
                out.append(out[-distance])
        return last


def decompress(data, /, wbits=MAX_WBITS, bufsize=16384):
    data = bytes(data)
    if wbits > 0 and (len(data) < 2 or (data[0] << 8 | data[1]) % 31 or data[0] & 15 != DEFLATED):
        raise error("Error -3 while decompressing data: incorrect header check")
    reader, out = _Reader(data[2:] if wbits > 0 else data), bytearray()
    while not reader.block(out):
        pass
    if wbits > 0 and int.from_bytes(reader.data[reader.at:reader.at + 4], "big") != adler32(out):
        raise error("Error -3 while decompressing data: incorrect data check")
    return bytes(out)


def _index(ranges, value):
    return max(i for i, (base, _) in enumerate(ranges) if base <= value)


def compress(data, /, level=-1, wbits=MAX_WBITS):
    data, codes, seen, at = bytes(data), _codes(_FIXED), {}, 0
    bits, count = 3, 3

    def put(value, width):
        nonlocal bits, count
        bits |= value << count
        count += width

    def code(width, value):
        for i in reversed(range(width)):
            put(value >> i & 1, 1)

    while at < len(data):
        key, length = data[at:at + 3], 0
        before = seen.get(key, at) if level != 0 else at
        if before < at and at - before <= 32768 and len(key) == 3:
            while length < 258 and at + length < len(data) and data[before + length] == data[at + length]:
                length += 1
        seen[key] = at
        if length < 3:
            code(*codes[data[at]])
            at += 1
            continue
        i, j = _index(_LENGTHS, length), _index(_DISTANCES, at - before)
        code(*codes[257 + i])
        put(length - _LENGTHS[i][0], _LENGTHS[i][1])
        code(5, j)
        put(at - before - _DISTANCES[j][0], _DISTANCES[j][1])
        at += length
    code(*codes[256])
    return b"\x78\x9c" + bits.to_bytes((count + 7) // 8, "little") + adler32(data).to_bytes(4, "big")
