# SPDX-License-Identifier: Apache-2.0
# importlib: modules by name.

def import_module(name, package=None):
    if name.startswith("."):
        if not package:
            raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
        level = len(name) - len(name.lstrip("."))
        parts = package.split(".")
        name = ".".join(parts[:len(parts) - level + 1] + ([name[level:]] if name[level:] else []))
    return __import__(name, fromlist=["*"])


def reload(module):
    return module


def invalidate_caches():
    pass
