# SPDX-License-Identifier: Apache-2.0
# memoryview over bytes, bytearrays and arrays. Recorded: memory_views.txt.
m = memoryview(b"hello world")
print(len(m), m[0], bytes(m[1:4]), m.tobytes(), m.tolist()[:3], m.readonly, m.format, m.itemsize, m.nbytes, m.shape, m.ndim,
      m.strides, m.contiguous)
b = bytearray(b"abcdef")
v = memoryview(b)
v[0] = 65
v[1:3] = b"XY"
print(b, v.readonly, v[-1], v[::2].tobytes(), v == b"AXYdef", v[::-1].tolist())
w = v[2:]
w[0] = 90
print(b, w.obj is b, isinstance(v, memoryview), type(v).__name__)
try: m[0] = 1
except TypeError as e: print(e)
try: v[0] = 300
except ValueError as e: print(e)
try: v[0:2] = b"abc"
except ValueError as e: print(e)
try: v[10]
except IndexError as e: print(e)
print(list(v), 90 in v, v.hex(), bytes(v), bytearray(v))
c = v.cast("B"); print(c.shape)
i = memoryview(bytearray(8)).cast("I"); i[0] = 7; print(i.tolist(), i.format, i.itemsize, i.shape, i.tobytes())
f = memoryview(bytearray(8)).cast("f"); f[1] = 1.5; print(f.tolist(), f.nbytes)
with memoryview(b"xy") as q: print(q[0])
try: q[0]
except ValueError as e: print(e)
import struct
buf = bytearray(8)
struct.pack_into("<I", buf, 0, 258); print(memoryview(buf)[:4].tolist(), struct.unpack("<I", memoryview(buf)[:4])[0])
print(int.from_bytes(memoryview(b"\x01\x02"), "big"))
import numpy as np
a = np.arange(4, dtype=np.uint8)
n = memoryview(a); print(n.tolist(), n.format, n.shape); n[0] = 9; print(a.tolist())
z = np.frombuffer(memoryview(b"\x01\x00\x02\x00"), dtype=np.int16); print(z.tolist())
import torch
t = torch.frombuffer(bytearray(b"\x01\x02\x03"), dtype=torch.uint8); print(t.tolist())
t = torch.frombuffer(memoryview(bytearray(b"\x01\x02\x03")), dtype=torch.uint8); print(t.tolist())
r = memoryview(np.zeros((2, 3), dtype=np.float32)); print(r.shape, r.format, r.ndim, r.tolist())
for x in memoryview(b"ab"): print(x)


@torch.compile(backend="eager")
def compiled(x, m):
    return x + m[1] + len(m)


print(compiled(torch.zeros(2), memoryview(bytearray(b"abc"))))


def told(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__, e)


b = bytearray(16)
t = torch.frombuffer(b, dtype=torch.int32)
t[0] = 258
b[4] = 7
t += 1
print(bytes(b), t)
b = bytearray(b"abcdefgh")
t = torch.frombuffer(b, dtype=torch.uint8, offset=2, count=3)
t.mul_(2)
print(b, t)
b = bytearray(range(8))
a = np.frombuffer(b, dtype=np.int16)
a[1] = 0x4142
print(b, a.flags["WRITEABLE"])
b = bytearray(b"abc")
m = memoryview(b)
for name, f in (("append", lambda: b.append(1)), ("extend", lambda: b.extend(b"xx")), ("pop", lambda: b.pop()),
                ("del", lambda: b.__delitem__(0)), ("clear", lambda: b.clear()), ("insert", lambda: b.insert(0, 1)),
                ("part", lambda: b.__setitem__(slice(0, 2), b"xyz")), ("same", lambda: b.__setitem__(slice(0, 2), b"xy")),
                ("iadd", lambda: b.__iadd__(b"q")), ("remove", lambda: b.remove(120)), ("hash", lambda: hash(m))):
    told(name, f)
m.release()
told("append", lambda: b.append(1))
part = memoryview(b)[1:3]
told("behind a part", lambda: b.append(2))
del part
b.insert(1, 65); b.remove(1); b.reverse(); b += b"!"
print(b, b.pop(0), b.copy(), hash(memoryview(b"ab")) == hash(b"ab"))
with memoryview(b) as held:
    told("within", lambda: b.extend(b"z"))
b.clear()
print(b)
