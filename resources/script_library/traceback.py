# SPDX-License-Identifier: Apache-2.0
"""Where exceptions came by."""
import sys as _sys


class FrameSummary:
    def __init__(self, filename, lineno, name, *, lookup_line=True, locals=None, line=None):
        self.filename, self.lineno, self.name, self.line, self.locals = filename, lineno, name, line, locals

    def __iter__(self):
        return iter([self.filename, self.lineno, self.name, self.line])

    def __getitem__(self, i):
        return (self.filename, self.lineno, self.name, self.line)[i]

    def __len__(self):
        return 4

    def __eq__(self, other):
        return tuple(self) == tuple(other)

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


class StackSummary(list):
    @classmethod
    def from_list(cls, frames):
        return cls(f if isinstance(f, FrameSummary) else FrameSummary(*f[:3], line=f[3]) for f in frames)

    def format(self):
        return [f'  File "{f.filename}", line {f.lineno}, in {f.name}\n' + (f"    {f.line}\n" if f.line else "")
                for f in self]


def _kept(frames, limit):
    """The first frames, or of a negative limit the last."""
    frames = StackSummary.from_list(frames)
    return frames if limit is None else StackSummary(frames[:limit] if limit >= 0 else frames[limit:])


def extract_tb(tb, limit=None):
    return _kept(_native.frames_of(tb) if tb is not None else [], limit)


def format_tb(tb, limit=None):
    return extract_tb(tb, limit).format()


def print_tb(tb, limit=None, file=None):
    print("".join(format_tb(tb, limit)), end="", file=file if file is not None else _sys.stderr)


def extract_stack(f=None, limit=None):
    frames = [frame for frame in reversed(_native.frames()) if not frame[0].startswith("<")]
    return _kept(frames, None if limit is None else -limit)


def format_stack(f=None, limit=None):
    return extract_stack(f, limit).format()


def print_stack(f=None, limit=None, file=None):
    print("".join(format_stack(f, limit)), end="", file=file if file is not None else _sys.stderr)


def format_list(extracted_list):
    return StackSummary.from_list(extracted_list).format()


def print_list(extracted_list, file=None):
    print("".join(format_list(extracted_list)), end="", file=file if file is not None else _sys.stderr)


def format_exception(exc, value=None, tb=None, limit=None, chain=True):
    e = value if value is not None else exc
    return ["NoneType: None\n"] if e is None else _native.account(e).splitlines(True)


def format_exc(limit=None, chain=True):
    e = _native.handled()
    return "NoneType: None\n" if e is None else _native.account(e)


def format_exception_only(exc, value=None):
    return [_native.account(value if value is not None else exc).splitlines(True)[-1]]


def print_exc(limit=None, file=None, chain=True):
    print(format_exc(), end="", file=file if file is not None else _sys.stderr)


def print_exception(exc, value=None, tb=None, limit=None, file=None, chain=True):
    print("".join(format_exception(exc, value, tb)), end="", file=file if file is not None else _sys.stderr)


class TracebackException:
    def __init__(self, exc_type, exc_value, exc_traceback, **_):
        self.exc_type, self._value, self.stack = exc_type, exc_value, extract_tb(exc_traceback)

    @classmethod
    def from_exception(cls, exc, **kwargs):
        return cls(type(exc), exc, exc.__traceback__, **kwargs)

    def format(self, *, chain=True):
        yield from format_exception(self._value)

    def format_exception_only(self):
        yield from format_exception_only(self._value)

    def __str__(self):
        return str(self._value)
