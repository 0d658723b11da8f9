# SPDX-License-Identifier: Apache-2.0

import sys as _sys


def format_exception(exc, value=None, tb=None, limit=None, chain=True):
    e = value if value is not None else exc
    return _native.account(e).splitlines(True)


def format_exc(limit=None, chain=True):
    e = _native.handled()
    return "NoneType: None\n" if e is None else _native.account(e)


def format_exception_only(exc, value=None):
    return [_native.account(value if value is not None else exc).splitlines(True)[-1]]


def print_exc(limit=None, file=None, chain=True):
    print(format_exc(), end="", file=file if file is not None else _sys.stderr)


def print_exception(exc, value=None, tb=None, limit=None, file=None, chain=True):
    print("".join(format_exception(exc, value, tb)), end="", file=file if file is not None else _sys.stderr)


def format_tb(tb, limit=None):
    return []


def extract_stack(f=None, limit=None):
    return []


extract_tb = format_stack = extract_stack


def print_stack(*args, **kwargs):
    pass
