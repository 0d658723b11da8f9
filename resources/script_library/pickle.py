# SPDX-License-Identifier: Apache-2.0
# pickle of what torch.save takes: numbers, text, containers and tensors, in a form of its own.
from torch import _saved

HIGHEST_PROTOCOL = DEFAULT_PROTOCOL = 5


class PickleError(Exception):
    """What the errors of this module are."""


class PicklingError(PickleError):
    """A value that cannot be written."""


class UnpicklingError(PickleError):
    """Bytes that dumps() did not write."""


def dumps(obj, protocol=None, *, fix_imports=True):
    try:
        return _saved.written(obj)
    except TypeError as e:
        raise PicklingError(str(e).replace("torch.save: cannot write", "cannot pickle")) from None


def loads(data, /, *, fix_imports=True, encoding="ASCII"):
    if not data.startswith(b"cutaway saved "):
        raise UnpicklingError("the bytes were not written by pickle.dumps() here")
    return _saved.read(data)


def dump(obj, file, protocol=None, *, fix_imports=True):
    file.write(dumps(obj))


def load(file, *, fix_imports=True, encoding="ASCII"):
    return loads(file.read())
