# SPDX-License-Identifier: Apache-2.0
# importlib.util: whether a module is there.
import types as _types

from importlib import import_module as _import_module


def find_spec(name, package=None):
    try:
        _import_module(name, package)
    except ImportError:
        return None
    return _types.SimpleNamespace(name=name, origin=None, loader=None)
