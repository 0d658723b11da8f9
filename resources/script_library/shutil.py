# SPDX-License-Identifier: Apache-2.0
# shutil: there are no files.
from collections import namedtuple

terminal_size = namedtuple("terminal_size", ["columns", "lines"])


def get_terminal_size(fallback=(80, 24)):
    return terminal_size(*fallback)


def which(cmd, mode=None, path=None):
    return None


def _no_files(*args, **kwargs):
    raise PermissionError(1, "scripts touch no files")


copy = copy2 = copyfile = copyfileobj = copytree = move = rmtree = make_archive = unpack_archive = disk_usage = _no_files
