# SPDX-License-Identifier: Apache-2.0

import types as _types


class _Stream:
    def __init__(self, write, name):
        self._write, self.name = write, name
        self.encoding = "utf-8"

    def write(self, text):
        return self._write(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def fileno(self):
        return -1


class _Version(tuple):
    major = property(lambda self: self[0])
    minor = property(lambda self: self[1])
    micro = property(lambda self: self[2])
    releaselevel = property(lambda self: self[3])


stdout = __stdout__ = _Stream(_native.write, "<stdout>")
stderr = __stderr__ = _Stream(_native.write_error, "<stderr>")
stdin = None
argv = [_native.path]
path = []
version = "3.11.0 (Cutaway)"
version_info = _Version((3, 11, 0, "final", 0))
hexversion = 0x030b00f0
platform = "linux"
byteorder = "little"
maxsize = 9223372036854775807
maxunicode = 0x10ffff
executable = ""
prefix = "/usr"
dont_write_bytecode = True
flags = _types.SimpleNamespace(optimize=0, debug=0, interactive=0)
implementation = _types.SimpleNamespace(name="cpython")
float_info = _types.SimpleNamespace(max=1.7976931348623157e+308, min=2.2250738585072014e-308, epsilon=2.220446049250313e-16,
                                    dig=15, mant_dig=53, max_exp=1024, min_exp=-1021, radix=2, rounds=1)
int_info = _types.SimpleNamespace(bits_per_digit=30, sizeof_digit=4)
modules = _native.modules()


def exit(status=None):
    raise SystemExit(status) if status is not None else SystemExit()


def exc_info():
    e = _native.handled()
    return (None, None, None) if e is None else (type(e), e, e.__traceback__)


def excepthook(type, value, traceback):
    stderr.write(_native.account(value))


__excepthook__ = excepthook


def _getframe(depth=0):
    import inspect
    frame = inspect.currentframe()
    for _ in range(depth):
        frame = frame.f_back
    return frame


def getrecursionlimit():
    return 1000


def setrecursionlimit(n):
    pass


def getsizeof(obj, default=None):
    return 64


def intern(s):
    return s


def getrefcount(obj):
    return 2


def gettrace():
    return None


def settrace(f):
    pass
