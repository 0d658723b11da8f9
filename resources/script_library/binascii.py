# SPDX-License-Identifier: Apache-2.0
# binascii: bytes as hexadecimal digits.


class Error(ValueError):
    pass


def hexlify(data, sep=None, bytes_per_sep=1):
    return bytes(data).hex().encode()


def unhexlify(text):
    return bytes.fromhex(text if isinstance(text, str) else bytes(text).decode())


b2a_hex = hexlify
a2b_hex = unhexlify


def crc32(data, value=0):
    crc = value ^ 0xFFFFFFFF
    for byte in bytes(data):
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF
