# SPDX-License-Identifier: Apache-2.0
# uuid: identifiers of 128 bits (RFC 4122). Random ones are drawn by a generator of their own.
import hashlib
import random
import time

_drawn = random.Random()


class UUID:
    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=None):
        if hex is not None:
            digits = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(digits) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = _number(digits)
        elif bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            int = _of_bytes(bytes)
        elif int is None:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if not 0 <= int < 1 << 128:
            raise ValueError("int is out of range (need a 128-bit value)")
        if version is not None:
            if not 1 <= version <= 8:
                raise ValueError("illegal version number")
            int = int & ~(0xC000 << 48) | 0x8000 << 48
            int = int & ~(0xF000 << 64) | version << 76
        object.__setattr__(self, "int", int)

    def __setattr__(self, name, value):
        raise TypeError("UUID objects are immutable")

    @property
    def hex(self):
        return f"{self.int:032x}"

    @property
    def bytes(self):
        return self.int.to_bytes(16, "big")

    @property
    def version(self):
        return self.int >> 76 & 15 if self.int >> 62 & 3 == 2 else None

    @property
    def urn(self):
        return f"urn:uuid:{self}"

    @property
    def time_low(self):
        return self.int >> 96

    @property
    def node(self):
        return self.int & 0xFFFFFFFFFFFF

    def __str__(self):
        h = self.hex
        return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"

    def __repr__(self):
        return f"{type(self).__name__}({str(self)!r})"

    def __int__(self):
        return self.int

    def __hash__(self):
        return hash(self.int)

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __le__(self, other):
        return self.int <= other.int if isinstance(other, UUID) else NotImplemented

    def __gt__(self, other):
        return self.int > other.int if isinstance(other, UUID) else NotImplemented

    def __ge__(self, other):
        return self.int >= other.int if isinstance(other, UUID) else NotImplemented


def _number(digits):
    return int(digits, 16)


def _of_bytes(given):
    return int.from_bytes(given, "big")


def uuid1(node=None, clock_seq=None):
    ticks = time.time_ns() // 100 + 0x01B21DD213814000
    sequence = _drawn.getrandbits(14) if clock_seq is None else clock_seq
    number = (ticks & 0xFFFFFFFF) << 96 | (ticks >> 32 & 0xFFFF) << 80 | (ticks >> 48 & 0xFFF) << 64
    return UUID(int=number | sequence << 48 | getnode() if node is None else number | sequence << 48 | node, version=1)


_node = []


def getnode():
    if not _node:
        _node.append(_drawn.getrandbits(48) | 1 << 40)
    return _node[0]


def uuid3(namespace, name):
    name = name.encode() if isinstance(name, str) else name
    return UUID(bytes=hashlib.md5(namespace.bytes + name).digest()[:16], version=3)


def uuid4():
    return UUID(int=_drawn.getrandbits(128), version=4)


def uuid5(namespace, name):
    name = name.encode() if isinstance(name, str) else name
    return UUID(bytes=hashlib.sha1(namespace.bytes + name).digest()[:16], version=5)


NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")
NIL = UUID(int=0)
MAX = UUID(int=(1 << 128) - 1)
