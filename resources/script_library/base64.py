# SPDX-License-Identifier: Apache-2.0
# base64: bytes as letters and digits (RFC 4648).
_standard = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_urlsafe = _standard[:62] + b"-_"


def _bytes(s):
    return s.encode("ascii") if isinstance(s, str) else bytes(s)


def _encode(s, letters):
    out = bytearray()
    for i in range(0, len(s), 3):
        part = s[i:i + 3]
        number = int.from_bytes(part + bytes(3 - len(part)), "big")
        four = [letters[number >> shift & 63] for shift in (18, 12, 6, 0)]
        out += bytes(four[:len(part) + 1]) + b"=" * (3 - len(part))
    return bytes(out)


def _decode(s, letters):
    values = {letter: i for i, letter in enumerate(letters)}
    kept = [values[c] for c in _bytes(s) if c in values]
    if len(kept) % 4 == 1 or len(_bytes(s).strip()) % 4:
        import binascii
        raise binascii.Error("Incorrect padding")
    out = bytearray()
    for i in range(0, len(kept), 4):
        four = kept[i:i + 4]
        number = 0
        for value in four + [0] * (4 - len(four)):
            number = number << 6 | value
        out += number.to_bytes(3, "big")[:len(four) - 1]
    return bytes(out)


def b64encode(s, altchars=None):
    return _encode(_bytes(s), _standard[:62] + altchars if altchars else _standard)


def b64decode(s, altchars=None, validate=False):
    return _decode(s, _standard[:62] + _bytes(altchars) if altchars else _standard)


standard_b64encode = b64encode
standard_b64decode = b64decode


def urlsafe_b64encode(s):
    return _encode(_bytes(s), _urlsafe)


def urlsafe_b64decode(s):
    return _decode(s, _urlsafe)


def b16encode(s):
    return _bytes(s).hex().upper().encode()


def b16decode(s, casefold=False):
    return bytes.fromhex(_bytes(s).decode())


_base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def b32encode(s):
    data = _bytes(s)
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    text = "".join(_base32[int(bits[i:i + 5], 2)] for i in range(0, len(bits), 5))
    return (text + "=" * (-len(text) % 8)).encode()


def b32decode(s, casefold=False):
    text = _bytes(s).decode()
    text = (text.upper() if casefold else text).rstrip("=")
    bits = "".join(f"{_base32.index(c):05b}" for c in text)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits) - len(bits) % 8, 8))
