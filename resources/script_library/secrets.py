# SPDX-License-Identifier: Apache-2.0
"""Numbers that cannot be told beforehand."""
import base64 as _base64
import random as _random

_source = _random.Random()


def randbits(k):
    return _source.getrandbits(k)


def randbelow(exclusive_upper_bound):
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    return _source.randrange(exclusive_upper_bound)


def choice(sequence):
    return _source.choice(sequence)


def token_bytes(nbytes=None):
    return bytes(_source.getrandbits(8) for _ in range(32 if nbytes is None else nbytes))


def token_hex(nbytes=None):
    return token_bytes(nbytes).hex()


def token_urlsafe(nbytes=None):
    return _base64.urlsafe_b64encode(token_bytes(nbytes)).rstrip(b"=").decode("ascii")


def compare_digest(a, b):
    return a == b
