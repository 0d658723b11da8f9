# SPDX-License-Identifier: Apache-2.0
# hashlib: md5, sha1, sha224 and sha256 (RFC 1321, FIPS 180-4), block by block.
import struct

_M = 0xFFFFFFFF
_primes = []


def _first_primes(count):
    candidate = 2
    while len(_primes) < count:
        if all(candidate % p for p in _primes):
            _primes.append(candidate)
        candidate += 1
    return _primes[:count]


def _root_bits(n, k, bits=32):
    """The first bits of the fraction of the k-th root of n."""
    low, high = 0, n << bits
    while low < high:
        middle = (low + high + 1) // 2
        if middle ** k <= n << (bits * k):
            low = middle
        else:
            high = middle - 1
    return low & ((1 << bits) - 1)


_K256 = [_root_bits(p, 3) for p in _first_primes(64)]
_H256 = [_root_bits(p, 2) for p in _first_primes(8)]
_H224 = [0xC1059ED8, 0x367CD507, 0x3070DD17, 0xF70E5939, 0xFFC00B31, 0x68581511, 0x64F98FA7, 0xBEFA4FA4]
_H1 = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0]


def _sines():
    import math
    return [int(abs(math.sin(i + 1)) * 4294967296) & _M for i in range(64)]


_K5 = _sines()
_S5 = (7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21)


def _left(x, n):
    return ((x << n) | (x >> (32 - n))) & _M


def _right(x, n):
    return (x >> n) | ((x << (32 - n)) & _M)


def _md5_block(state, block):
    words = struct.unpack("<16I", block)
    a, b, c, d = state
    for i in range(64):
        turn = i // 16
        if turn == 0:
            f, g = (b & c) | (~b & d), i
        elif turn == 1:
            f, g = (d & b) | (~d & c), (5 * i + 1) % 16
        elif turn == 2:
            f, g = b ^ c ^ d, (3 * i + 5) % 16
        else:
            f, g = c ^ (b | (~d & _M)), (7 * i) % 16
        f = (f + a + _K5[i] + words[g]) & _M
        a, d, c, b = d, c, b, (b + _left(f, _S5[turn][i % 4])) & _M
    return [(x + y) & _M for x, y in zip(state, (a, b, c, d))]


def _sha1_block(state, block):
    w = list(struct.unpack(">16I", block))
    for i in range(16, 80):
        w.append(_left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1))
    a, b, c, d, e = state
    for i in range(80):
        if i < 20:
            f, k = (b & c) | (~b & d), 0x5A827999
        elif i < 40:
            f, k = b ^ c ^ d, 0x6ED9EBA1
        elif i < 60:
            f, k = (b & c) | (b & d) | (c & d), 0x8F1BBCDC
        else:
            f, k = b ^ c ^ d, 0xCA62C1D6
        a, b, c, d, e = (_left(a, 5) + (f & _M) + e + k + w[i]) & _M, a, _left(b, 30), c, d
    return [(x + y) & _M for x, y in zip(state, (a, b, c, d, e))]


def _sha256_block(state, block):
    w = list(struct.unpack(">16I", block))
    for i in range(16, 64):
        x, y = w[i - 15], w[i - 2]
        w.append((w[i - 16] + (_right(x, 7) ^ _right(x, 18) ^ (x >> 3)) + w[i - 7]
                  + (_right(y, 17) ^ _right(y, 19) ^ (y >> 10))) & _M)
    a, b, c, d, e, f, g, h = state
    for i in range(64):
        t = h + (_right(e, 6) ^ _right(e, 11) ^ _right(e, 25)) + ((e & f) ^ (~e & _M & g)) + _K256[i] + w[i]
        u = (_right(a, 2) ^ _right(a, 13) ^ _right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
        a, b, c, d, e, f, g, h = (t + u) & _M, a, b, c, (d + t) & _M, e, f, g
    return [(x + y) & _M for x, y in zip(state, (a, b, c, d, e, f, g, h))]


# digest bytes, start, block, order of bytes
_kinds = {"md5": (16, _H1[:4], _md5_block, "<"), "sha1": (20, _H1, _sha1_block, ">"),
          "sha224": (28, _H224, _sha256_block, ">"), "sha256": (32, _H256, _sha256_block, ">")}
algorithms_available = algorithms_guaranteed = set(_kinds)


class _Hash:
    block_size = 64

    def __init__(self, name, data=b""):
        self.name = name
        self.digest_size, state, self._block, self._order = _kinds[name]
        self._state = list(state)
        self._rest = b""
        self._length = 0
        self.update(data)

    def update(self, data):
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        data = self._rest + bytes(data)
        self._length += len(data) - len(self._rest)
        whole = len(data) // 64 * 64
        for at in range(0, whole, 64):
            self._state = self._block(self._state, data[at:at + 64])
        self._rest = data[whole:]

    def digest(self):
        end = self._rest + b"\x80" + b"\x00" * ((55 - len(self._rest)) % 64)
        end += struct.pack(self._order + "Q", self._length * 8)
        state = self._state
        for at in range(0, len(end), 64):
            state = self._block(state, end[at:at + 64])
        return struct.pack(f"{self._order}{len(state)}I", *state)[:self.digest_size]

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        other = _Hash(self.name)
        other._state, other._rest, other._length = list(self._state), self._rest, self._length
        return other

    def __repr__(self):
        return f"<{self.name} _hashlib.HASH object @ {hex(id(self))}>"


def new(name, data=b"", *, usedforsecurity=True):
    if name.lower() not in _kinds:
        raise ValueError(f"unsupported hash type {name}")
    return _Hash(name.lower(), data)


def md5(string=b"", *, usedforsecurity=True):
    return _Hash("md5", string)


def sha1(string=b"", *, usedforsecurity=True):
    return _Hash("sha1", string)


def sha224(string=b"", *, usedforsecurity=True):
    return _Hash("sha224", string)


def sha256(string=b"", *, usedforsecurity=True):
    return _Hash("sha256", string)
