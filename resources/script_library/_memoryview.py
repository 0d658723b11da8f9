# SPDX-License-Identifier: Apache-2.0
# memoryview: a look at the bytes of another object (bytes, bytearray, an array of numpy), which shares them.
import struct

_FORMATS = "cbB?hHiIlLqQfd"


def _array_bytes(obj):
    """(the bytes of an array, its format, its shape)"""
    letter = {"float32": "f", "float64": "d", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i",
              "uint32": "I", "int64": "l", "uint64": "L", "bool": "?"}.get(str(obj.dtype))
    if letter is None:
        raise ValueError(f"a memoryview of {obj.dtype} is not available")
    if not obj.flags["C_CONTIGUOUS"]:
        raise NotImplementedError("a memoryview of an array whose elements do not lie side by side is not available")
    return obj.reshape(-1).view("uint8"), letter, tuple(obj.shape)


class memoryview:
    def __init__(self, object):
        self._released, self._hash = False, None
        if isinstance(object, memoryview):
            object._wanted()
            self._copy_of(object)
            return
        self.obj, self.format, self._start, self._step = object, "B", 0, 1
        self._held = _native.tensor_of_bytes(object) if isinstance(object, bytearray) else None  # keeps its size
        if isinstance(object, (bytes, bytearray)):
            self._bytes, self.shape, self.readonly = object, (len(object),), isinstance(object, bytes)
        elif type(object).__module__.partition(".")[0] == "numpy" and hasattr(object, "dtype"):
            self._bytes, self.format, self.shape = _array_bytes(object)
            self.readonly = not object.flags["WRITEABLE"]
        else:
            raise TypeError(f"memoryview: a bytes-like object is required, not '{type(object).__name__}'")
        self.itemsize = struct.calcsize("<" + self.format) if self.format not in "lL" else 8
        self._step = self.itemsize

    def _copy_of(self, other):
        self.obj, self.format, self.itemsize, self.readonly = other.obj, other.format, other.itemsize, other.readonly
        self._bytes, self.shape, self._start, self._step = other._bytes, other.shape, other._start, other._step
        self._held = other._held

    def _wanted(self):
        if self._released:
            raise ValueError("operation forbidden on released memoryview object")

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def _count(self):
        count = 1
        for n in self.shape:
            count *= n
        return count

    @property
    def nbytes(self):
        return self._count * self.itemsize

    @property
    def strides(self):
        steps, step = [], self._step
        for n in reversed(self.shape):
            steps.insert(0, step)
            step *= n
        return tuple(steps)

    @property
    def contiguous(self):
        return self._step == self.itemsize or self._count < 2

    c_contiguous = contiguous
    f_contiguous = contiguous

    @property
    def suboffsets(self):
        return ()

    def __len__(self):
        self._wanted()
        return self.shape[0] if self.shape else 1

    def _part(self, i):
        """The bytes of an element."""
        at = self._start + i * self._step
        return bytes([int(b) for b in self._bytes[at:at + self.itemsize]])

    def _item(self, i):
        if self.format == "B":
            return int(self._bytes[self._start + i * self._step])
        return struct.unpack("<" + self.format.replace("l", "q").replace("L", "Q"), self._part(i))[0]

    def _place(self, index):
        if isinstance(index, tuple):
            if len(index) != self.ndim:
                raise NotImplementedError("sub-views are not implemented")
            at = 0
            for dim, (i, n) in enumerate(zip(index, self.shape)):
                if not -n <= i < n:
                    raise IndexError(f"index out of bounds on dimension {dim + 1}")
                at = at * n + (i + n if i < 0 else i)
            return at
        if self.ndim != 1:
            raise NotImplementedError("multi-dimensional sub-views are not implemented")
        if not hasattr(index, "__index__"):
            raise TypeError("memoryview: invalid slice key")
        index = index.__index__()
        if not -len(self) <= index < len(self):
            raise IndexError("index out of bounds on dimension 1")
        return index + len(self) if index < 0 else index

    def __getitem__(self, index):
        self._wanted()
        if not isinstance(index, slice):
            return self._item(self._place(index))
        if self.ndim != 1:
            raise NotImplementedError("multi-dimensional slicing is not implemented")
        start, stop, step = index.indices(len(self))
        made = memoryview(self)
        made.shape = (len(range(start, stop, step)),)
        made._start, made._step = self._start + start * self._step, self._step * step
        return made

    def __setitem__(self, index, value):
        self._wanted()
        if self.readonly:
            raise TypeError("cannot modify read-only memory")
        if isinstance(index, slice):
            to, given = self[index], memoryview(value)
            if given.shape != to.shape or given.format != to.format:
                raise ValueError("memoryview assignment: lvalue and rvalue have different structures")
            for i, part in enumerate([given._part(i) for i in range(len(given))]):
                to._write(i, part)
            return
        place, code = self._place(index), self.format.replace("l", "q").replace("L", "Q")
        if code in "fd":
            if not isinstance(value, (int, float)):
                raise TypeError(f"memoryview: invalid type for format '{self.format}'")
        elif not isinstance(value, int):
            raise TypeError(f"memoryview: invalid type for format '{self.format}'")
        try:
            part = struct.pack("<" + code, value)
        except (OverflowError, struct.error):
            raise ValueError(f"memoryview: invalid value for format '{self.format}'") from None
        self._write(place, part)

    def _write(self, i, part):
        at = self._start + i * self._step
        for k, b in enumerate(part):
            self._bytes[at + k] = b

    def __iter__(self):
        self._wanted()
        return iter([self._item(i) for i in range(self._count)])

    def __contains__(self, value):
        return any(value == item for item in self)

    def tolist(self):
        self._wanted()
        items = [self._item(i) for i in range(self._count)]
        for n in reversed(self.shape[1:]):
            items = [items[i:i + n] for i in range(0, len(items), n)]
        return items if self.shape else items[0]

    def tobytes(self, order="C"):
        self._wanted()
        if self._step == self.itemsize:
            return bytes([int(b) for b in self._bytes[self._start:self._start + self.nbytes]])
        return b"".join([self._part(i) for i in range(self._count)])

    __bytes__ = tobytes

    def hex(self, *args):
        return self.tobytes().hex(*args)

    def cast(self, format, shape=None):
        self._wanted()
        format = format.lstrip("@")
        if format not in _FORMATS or len(format) != 1:
            raise ValueError("memoryview: destination format must be a native single character format prefixed with an "
                             "optional '@'")
        if not self.contiguous:
            raise TypeError("memoryview: casts are restricted to C-contiguous views")
        if "B" not in (format, self.format) and "b" not in (format, self.format) and "c" not in (format, self.format):
            raise TypeError("memoryview: cannot cast between two non-byte formats")
        made = memoryview(self)
        made.format, made.itemsize = format, 8 if format in "lL" else struct.calcsize("<" + format)
        if self.nbytes % made.itemsize:
            raise TypeError("memoryview: length is not a multiple of itemsize")
        made._step = made.itemsize
        made.shape = (self.nbytes // made.itemsize,) if shape is None else tuple(shape)
        if made.nbytes != self.nbytes:
            raise TypeError("memoryview: product(shape) * itemsize != buffer size")
        return made

    def toreadonly(self):
        made = memoryview(self)
        made.readonly = True
        return made

    def release(self):
        self._released, self._held = True, None

    def __enter__(self):
        self._wanted()
        return self

    def __exit__(self, kind, error, trace):
        self.release()

    def __eq__(self, other):
        if isinstance(other, (bytes, bytearray)):
            return self.format in "Bb" and self.tobytes() == other
        if isinstance(other, memoryview):
            return self is other or (self.shape == other.shape and self.tolist() == other.tolist())
        return NotImplemented

    def __hash__(self):
        if self._hash is None:
            self._wanted()
            if not self.readonly:
                raise ValueError("cannot hash writable memoryview object")
            self._hash = hash(self.tobytes())
        return self._hash

    def __repr__(self):
        return f"<{'released ' if self._released else ''}memory at {hex(id(self))}>"


memoryview.__module__ = "builtins"
