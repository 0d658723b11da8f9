# SPDX-License-Identifier: Apache-2.0

import os.path as path

sep, linesep, name, curdir, pathsep, extsep, devnull = "/", "\n", "posix", ".", ":", ".", "/dev/null"


class _Environment(dict):
    pass


environ = _Environment()


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(key, value):
    environ[key] = value


def getcwd():
    return "/"


def getpid():
    return 1


def cpu_count():
    return 1


def fspath(p):
    return str(p)


def urandom(n):
    raise OSError("scripts get no entropy: seed a random.Random")


def _no_files(*args, **kwargs):
    raise PermissionError(1, "scripts touch no files")


makedirs = mkdir = remove = unlink = rename = replace = rmdir = removedirs = chdir = system = popen = open = _no_files


def listdir(p="."):
    raise FileNotFoundError(2, "No such file or directory")


def walk(top, **kwargs):
    return iter(())


scandir = stat = listdir
PathLike = object
