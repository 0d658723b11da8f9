# SPDX-License-Identifier: Apache-2.0

import os.path as _p


class PurePath:
    def __init__(self, *parts):
        text = _p.join(*[str(q) for q in parts]) if parts else "."
        self._text = _p.normpath(text) if ".." not in text else text.rstrip("/") or "/"

    def __truediv__(self, other):
        return type(self)(self._text if self._text != "." else "", str(other)) if self._text != "." else type(self)(str(other))

    def __rtruediv__(self, other):
        return type(self)(str(other), self._text)

    def joinpath(self, *others):
        return type(self)(self._text, *others)

    def __str__(self):
        return self._text

    def __fspath__(self):
        return self._text

    def __repr__(self):
        return f"{type(self).__name__}({self._text!r})"

    def __eq__(self, other):
        return isinstance(other, PurePath) and self._text == other._text

    def __lt__(self, other):
        return self._text < other._text

    def __hash__(self):
        return hash(self._text)

    name = property(lambda self: _p.basename(self._text) if self._text not in (".", "/") else "")
    suffix = property(lambda self: _p.splitext(self.name)[1])
    stem = property(lambda self: _p.splitext(self.name)[0])

    @property
    def suffixes(self):
        return ["." + s for s in self.name.lstrip(".").split(".")[1:]]

    @property
    def parent(self):
        return type(self)(_p.dirname(self._text) or ".")

    @property
    def parents(self):
        out, p = [], self
        while p.parent != p:
            p = p.parent
            out.append(p)
        return out

    @property
    def parts(self):
        head = ("/",) if self._text.startswith("/") else ()
        return head + tuple(q for q in self._text.split("/") if q and q != ".")

    def is_absolute(self):
        return self._text.startswith("/")

    def with_suffix(self, suffix):
        return self.parent / (self.stem + suffix)

    def with_name(self, name):
        return self.parent / name

    def with_stem(self, stem):
        return self.parent / (stem + self.suffix)

    def match(self, pattern):
        import fnmatch
        wanted, own = type(self)(pattern).parts, self.parts
        if type(self)(pattern).is_absolute() and len(wanted) != len(own) or len(wanted) > len(own):
            return False
        return all(fnmatch.fnmatchcase(a, b) for a, b in zip(own[len(own) - len(wanted):], wanted))

    def is_relative_to(self, other):
        parts = type(self)(str(other)).parts
        return self.parts[:len(parts)] == parts

    def as_posix(self):
        return self._text

    def relative_to(self, other):
        if not self.is_relative_to(other):
            raise ValueError(f"{self._text!r} is not in the subpath of {str(other)!r}"
                             " OR one path is relative and the other is absolute.")
        return type(self)(_p.relpath(self._text, str(other)))


class PurePosixPath(PurePath):
    pass


class Path(PurePosixPath):
    def exists(self):
        return False

    is_file = is_dir = exists

    def resolve(self, strict=False):
        return type(self)(_p.abspath(self._text))

    absolute = resolve

    def expanduser(self):
        return self

    def _refuse(self, *args, **kwargs):
        raise FileNotFoundError(2, "No such file or directory")

    open = read_text = read_bytes = write_text = write_bytes = mkdir = unlink = touch = stat = rename = _refuse

    def glob(self, pattern):
        return iter(())

    rglob = glob

    def iterdir(self):
        return iter(())

    @classmethod
    def cwd(cls):
        return cls("/")

    home = cwd


Path.__name__ = Path.__qualname__ = "PosixPath"
PurePath.__name__ = PurePath.__qualname__ = "PurePosixPath"
PosixPath = Path
