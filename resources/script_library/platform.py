# SPDX-License-Identifier: Apache-2.0
"""What a script may know of the machine: nothing that tells one from another."""
import sys as _sys


def system():
    return "Linux"


def python_version():
    return ".".join(str(part) for part in _sys.version_info[:3])


def python_version_tuple():
    return tuple(python_version().split("."))


def python_implementation():
    return "CPython"


def machine():
    return "x86_64"


def processor():
    return ""


def node():
    return "localhost"


def release():
    return ""


def version():
    return ""


def architecture():
    return ("64bit", "ELF")


def platform(aliased=False, terse=False):
    return "Linux-x86_64"
