# SPDX-License-Identifier: Apache-2.0
# numpy's functions beside tensors. Printed under numpy and PyTorch: numpy_functions.txt.
import warnings
import numpy as np
import torch
warnings.simplefilter("ignore")
def tried(function):
    try: print(function())
    except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
def row(*values):
    print(*[repr(v) for v in values])
a = np.array([3., 1., np.nan, 2., np.inf]); b = np.arange(12.).reshape(3, 4); i = np.array([4, 1, 3, 1, 4, 9])
m = np.array([[1., np.nan, 3.], [np.nan, np.nan, 6.]])
# dtypes and numbers
row(np.finfo(np.float32).eps, np.finfo("float64").max, np.finfo(np.float16).tiny, np.iinfo(np.int32).max, np.iinfo("uint8").min)
row(np.result_type(np.int32, np.float32), np.result_type(np.uint8, np.int8), np.promote_types("i2", "f2"), np.can_cast("int32", "float32"), np.can_cast(np.float32, np.float64), np.min_scalar_type(300))
row(isinstance(np.float32(1), np.floating), isinstance(np.int64(1), np.integer), isinstance(b, np.ndarray), isinstance(b[0, 0], np.ndarray), isinstance(b[0, 0], np.generic), isinstance(np.uint8(3), (int, np.integer)))
row(np.issubdtype(np.float32, np.floating), np.issubdtype(b.dtype, np.integer), np.float32, np.dtype("f4"), np.dtype(np.int64).kind, np.dtype("float32").itemsize, b.dtype.type, b.dtype.str, b.dtype.char)
row(np.uint16([1, 2]), np.complex64(1 + 2j), np.array([1 + 2j, 3.0]), np.bool_(True), np.True_, np.float64(1e-20), np.int8(5) + np.int16(3), np.uint8([200]) + np.uint8([100]))
row(np.array([1 + 2j, 3 - 4j]).real, np.abs(np.array([3 + 4j])), np.angle(1j), np.conj(np.array([1 + 2j])), np.iscomplexobj(b), np.isreal(b[0]), np.real(np.array([1j])), np.imag(2.0))
row(np.int64(3).dtype == np.int64, np.float32 == np.dtype("float32"), np.dtype("int32") == "int32", type(np.float32(2)).__name__, np.array([1, 2], dtype=np.uint8) + 1, np.array([1, 2], dtype=np.float32) * 2.5, np.array([True, False]) + 1)
tried(lambda: np.array([1], dtype=np.uint8) + 300)
tried(lambda: np.dtype("foo"))
# nan
row(np.nan_to_num(a), np.nan_to_num([np.nan, -np.inf], nan=7, neginf=-1), np.nansum(m), np.nansum(m, axis=0), np.nanmean(m, 1), np.nanmax(m, axis=0), np.nanmin(m), np.nanstd(m, axis=1), np.nanvar(m), np.nanmedian(m, axis=1))
row(np.nanargmax(m, 1), np.nanargmin(m), np.nancumsum(m, 1), np.nanprod(m, 1), np.nanpercentile(m, 25), np.nanquantile(m, [0.1, 0.5]), np.nanmean(m, keepdims=True), np.nanmax(m, 1, keepdims=True))
tried(lambda: np.nanargmax([np.nan, np.nan]))
# quantiles, histograms
row(np.percentile(b, 30), np.percentile(b, [10, 50], axis=0), np.quantile(b, 0.3, axis=1, keepdims=True), np.percentile(i, 50, method="lower"), np.quantile(b.astype(np.float32), 0.37), np.quantile(b, np.array([[0.1], [0.9]])), np.median(b, axis=(0, 1)), np.median(i), np.median(a))
row(np.histogram(i), np.histogram(b, bins=4, range=(0, 8)), np.histogram(b, [0, 1, 5, 11], density=True), np.histogram(i, 3, weights=b.ravel()[:6]), np.histogram(b.astype(np.float32), 3))
row(np.histogram2d([1, 2, 3], [1, 1, 2], bins=2), np.histogram_bin_edges([1, 5], 4), np.digitize([0.5, 1, 7], [1, 2, 3]), np.digitize([1, 2], [3, 2, 1]), np.bincount([1, 1, 3], minlength=6), np.average([1., 2, 4], weights=[1, 1, 2]), np.average(b, axis=1, weights=[1, 2, 3, 4]), np.average([1, 2], returned=True))
tried(lambda: np.percentile(b, 101))
row(np.cov(b).shape, np.cov([1., 2, 4], [2., 1, 0]), np.corrcoef([1., 2, 3], [1., 2, 4]).round(6), np.cov(b[:, :2].T, bias=True))
# sets
row(np.unique(i), np.unique(i, return_index=True, return_inverse=True, return_counts=True), np.unique([[1, 2], [1, 2], [0, 5]], axis=0), np.unique([np.nan, 1, np.nan]), np.unique(np.array([[2, 1], [1, 2]]), return_inverse=True))
row(np.union1d([1, 2], [2, 3.5]), np.intersect1d([3, 1, 2, 1], [1, 3, 9]), np.intersect1d([3, 1, 2], [1, 3], return_indices=True), np.setdiff1d([5, 1, 2, 1], [2]), np.setxor1d([1, 2], [2, 3]), np.isin(i, [1, 9]), np.isin([[1, 2]], [2], invert=True), np.unique_counts([1, 1, 2]).counts)
# choosing
row(np.where(i > 2), np.where([True, False], 1, 2.5), np.select([i > 3, i < 2], [i * 10, -i], default=0), np.piecewise(b[0], [b[0] < 1, b[0] >= 2], [-1, lambda x: x * 10]), np.choose([0, 1, 0], [[1, 2, 3], [4, 5, 6]]), np.compress([1, 0, 1], b, axis=0), np.extract(i > 3, i), np.take_along_axis(b, np.argsort(-b, axis=1), axis=1), np.argwhere(i > 3), np.flatnonzero(i == 1))
c = b.copy(); np.put(c, [0, 5], [-1, -2]); np.place(c, c > 9, [7]); np.putmask(c, c == 2, 20); np.put_along_axis(c, np.array([[3], [3], [3]]), 0, 1); np.copyto(c, 9, where=c == 5); np.fill_diagonal(c, 5); print(c)
t = torch.zeros(2, 3); n = t.numpy(); np.fill_diagonal(n, 4); np.copyto(n[0], [1, 2, 3]); n[:, 1] += 10; np.add(n, 1, out=n); print(t); np.nan_to_num(n, copy=False); d = np.diag(n[:, :2]); print(np.shares_memory(n, t.numpy()), np.shares_memory(n[0], n[1]), np.may_share_memory(n, n.T), d.base is not None)
# shapes
row(np.pad([1, 2, 3], 2), np.pad([1, 2, 3], (1, 2), "edge"), np.pad([1, 2, 3], 2, mode="reflect"), np.pad([1, 2, 3], 4, mode="symmetric"), np.pad([1, 2, 3], 2, "wrap"), np.pad(b[:2, :2], ((1, 0), (0, 2)), constant_values=9), np.pad([1., 2], (1, 1), constant_values=(5, 6)), np.pad([1, 5], 1, "mean"), np.pad([1, 5], 1, "maximum"))
row(np.roll(b, 1, axis=1), np.roll(i, -2), np.roll(b, (1, 2), axis=(0, 1)), np.rot90(b), np.rot90(b, 2), np.flip(b), np.flipud(b)[0], np.fliplr(b)[0], np.flip(b, (0, 1))[0])
row(np.dstack([[1, 2], [3, 4]]), np.hsplit(b, 2), np.vsplit(b, [1]), np.array_split(i, 4), np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]]), np.insert([1, 2, 3], 1, 9), np.insert(b, 1, 5, axis=1), np.insert([1, 2], [0, 2], [7, 8]), np.delete(b, 1, axis=0), np.delete(i, [0, 2]), np.delete(i, slice(1, 3)), np.append(b, b[:1], axis=0).shape, np.append([1], [2.5]), np.resize([1, 2, 3], (2, 2)), np.trim_zeros([0, 0, 1, 2, 0]))
row(np.atleast_3d(b).shape, np.atleast_1d(3, [4]), np.expand_dims(b, (0, 2)).shape, np.rollaxis(np.ones((2, 3, 4)), 2).shape, np.broadcast_arrays([1, 2], [[3], [4]]), np.broadcast_shapes((3, 1), (1, 4)), np.matrix_transpose(b).shape, np.unstack(b)[1], np.concat([i, i]).shape, np.row_stack if hasattr(np, "none") else 0)
tried(lambda: np.concatenate([np.ones((2, 2)), np.ones((3, 3))]))
tried(lambda: np.stack([np.ones(2), np.ones(3)]))
tried(lambda: np.concatenate([np.ones((2, 2)), np.ones(2)]))
tried(lambda: np.broadcast_shapes((3,), (4,)))
# grids
row(np.indices((2, 3)), np.mgrid[0:2, 0:3], np.mgrid[0:1:5j], np.ogrid[0:2, 0:3], np.r_[1:4, 0, 7], np.c_[[1, 2], [3, 4]], np.s_[1:3, ::2], np.ix_([0, 2], [1, 3]), b[np.ix_([0, 2], [1, 3])], list(np.ndindex(2, 2)), [x for x, v in np.ndenumerate(b[:1, :2])])
row(np.tril_indices(3), np.triu_indices(3, 1), b[np.triu_indices(3, 1, 4)], np.diag_indices(2), np.unravel_index(7, (3, 4)), np.unravel_index([1, 5], (2, 3)), np.ravel_multi_index(([0, 1], [2, 1]), (2, 3)), np.diagonal(b, 1), np.diagflat([1, 2]), np.tri(2, 3), np.eye(2, 3, k=1), np.meshgrid([1, 2], [3, 4, 5], sparse=True), np.geomspace(1, 1000, 4), np.logspace(0, 2, 3), np.vander([1, 2, 3]), np.fromfunction(lambda x, y: x + y, (2, 2)), np.fromiter((k * k for k in range(4)), dtype=float), np.frombuffer(b"\x01\x00\x02\x00", dtype=np.int16))
# curves and products
row(np.convolve([1, 2, 3], [0, 1, 0.5]), np.convolve([1, 2, 3, 4], [1, 1], "same"), np.convolve([1, 2, 3], [1, 1], "valid"), np.correlate([1, 2, 3], [0, 1, 0.5]), np.correlate([1, 2, 3], [0, 1, 0.5], "full"), np.gradient(np.array([1., 2, 4, 7])), np.gradient(b, 2.0, axis=1), np.gradient(b)[0][0], np.diff([1, 4, 9], prepend=0), np.diff(b, axis=0)[0], np.ediff1d([1, 4, 9]), np.trapezoid([1, 2, 3]), np.trapezoid([1, 2, 3], x=[0, 1, 3]), np.interp([0, 1.5, 9], [1, 2, 3], [10, 20, 30]), np.interp(2.5, [1, 2, 3], [10, 20, 30]), np.interp([-1, 9], [1, 2], [3, 4], left=-9, right=9), np.unwrap([0, 3, 6.5, 0]))
row(np.cross([1, 0, 0], [0, 1, 0]), np.kron([1, 2], [1, 1]), np.tensordot(b, b, axes=([1], [1])), np.vdot([1, 2], [3, 4]), np.polyval([1, 2, 3], 2), np.polyfit([0, 1, 2], [1, 3, 5], 1).round(6), np.polyadd([1, 2], [1]), np.polymul([1, 2], [1, 3]), np.polyder([3, 2, 1]), np.polyint([6, 2]), np.poly([1, 2]), np.sort(np.roots([1, -3, 2])).round(6), np.trace(b), np.einsum("ij->i", b), np.inner(b, b)[0], np.cumulative_sum([1, 2], include_initial=True))
# elements
row(np.sinc([0, 0.5]), np.heaviside([-1, 0, 2], 0.5), np.copysign(2, -1.0), np.fmod([-5, 5], 3), np.mod([-5, 5], 3), np.modf([1.5, -2.25]), np.frexp([8.0, 3.0]), np.ldexp(1.5, 3), np.logaddexp(1, 2), np.logaddexp2(1., 2.), np.gcd(12, [8, 9]), np.lcm(4, 6), np.signbit([-1., 2.]), np.isneginf([-np.inf, 1]), np.fix([-1.7, 1.7]), np.fabs([-2, 3]), np.float_power(2, 3), np.divmod(7, 3), np.arcsinh(1.0), np.cbrt([8., -27]), np.positive([1, -1]), np.bitwise_count([7, 8]), np.i0(1.0), np.spacing(1.0))
row(np.hanning(5), np.hamming(4), np.blackman(5).round(6), np.bartlett(5), np.kaiser(4, 2.0).round(6), np.clip(i, 2, 4), np.clip([1., 5.], None, 3), np.round(2.567, 2), np.around([1.25, 2.5]), np.add.reduce([1, 2, 3]), np.multiply.accumulate([1, 2, 3]), np.maximum.reduce([3, 9, 2]), np.add.outer([1, 2], [10, 20]), np.where(a > 2, a, 0).sum(), np.sqrt([4, 9], dtype=np.float32), np.exp([0., 1], where=np.array([True, True])))
z = np.zeros(4); np.add.at(z, [0, 0, 2], 1); print(z); o = np.empty(3); np.sqrt([1., 4, 9], out=o); print(o, np.multiply(o, 2, out=o) is o, o)
row(np.vectorize(lambda x, y: x + 2 * y)([1, 2], 3), np.vectorize(lambda x: x > 1)([1, 2]), np.apply_along_axis(lambda r: r.max() - r.min(), 1, b), np.apply_along_axis(lambda r: r[:2] * 2, 0, b), np.lexsort(([1, 2, 1], [3, 1, 2])), np.argsort([[3, 1], [2, 5]], axis=0), np.sort([[3, 1], [2, 5]], axis=None), np.searchsorted([1, 3, 5], [2, 5], side="right"), np.packbits([1, 0, 1]), np.unpackbits(np.uint8([5])), np.array_equiv([1, 2], [[1, 2], [1, 2]]), np.array_equal([np.nan], [np.nan], equal_nan=True), np.base_repr(10, 3), np.binary_repr(-3, 8), np.isscalar(3.0), np.iterable([1]))
# linear algebra
s = np.array([[4., 1], [1, 3]])
row(np.linalg.inv(s).round(6), np.linalg.eigvalsh(s).round(6), np.linalg.eig(np.diag([1., 2.]))[0], np.linalg.slogdet(s), np.linalg.cond(s).round(6), np.linalg.lstsq(np.vander([1., 2, 3], 2), np.array([1., 2, 2]))[0].round(6), np.linalg.matrix_rank(s), np.linalg.norm(b, axis=1), np.linalg.norm(s, "nuc").round(6), np.linalg.norm(s, 2).round(6), np.linalg.multi_dot([s, s, s]), np.linalg.qr(s).R.shape, np.linalg.svd(s).S.round(6), np.linalg.cholesky(s).round(6), np.linalg.matrix_power(s, 2), np.linalg.pinv(s).round(6), np.linalg.det(s).round(6))
tried(lambda: np.linalg.inv(np.zeros((2, 2))))
tried(lambda: np.linalg.cholesky(-s))
# assertions
np.testing.assert_allclose([1, 2], [1, 2 + 1e-9]); np.testing.assert_array_equal(b, b.copy()); np.testing.assert_almost_equal(1.0, 1.00000001)
tried(lambda: np.testing.assert_allclose([1., 2.], [1., 2.1], rtol=1e-3))
try: np.testing.assert_allclose(np.array([1., 2.]), np.array([1., 2.5]))
except AssertionError as e: print(e)
with np.testing.assert_raises(ValueError): np.zeros(3).reshape(2)
with np.errstate(divide="ignore", invalid="ignore"): print(np.array([1., 0.]) / 0)
with np.printoptions(precision=3, suppress=True): print(np.array([1.23456, 2e-5]))
print(np.array2string(np.array([1.5, 2.25]), precision=1, separator=", "), np.array_str(i), np.array_repr(i))
x = torch.arange(6.).reshape(2, 3)
print(torch.from_numpy(np.flip(x.numpy(), 1).copy()), torch.as_tensor(np.percentile(x.numpy(), 50)), torch.tensor(np.histogram(x.numpy(), 3)[0]), np.mean(x.numpy(), axis=0, dtype=np.float64).dtype, np.asarray(x).dtype, x.numpy().astype(int).sum().item())
print("== texts")
s = np.array(["cat", "dog", "a", "dog"])
print(s, repr(s), s.dtype, s.shape, s.ndim, s.size, len(s), s == "dog", s != np.array(["cat", "x", "a", "y"]), s < "cat")
print(s[0], s[1:3], s[[0, 2]], s[s != "a"], s[np.array([3, 0])], s[-1], s.tolist(), list(s)[0], "dog" in s)
print(np.unique(s), *np.unique(s, return_inverse=True, return_counts=True), np.sort(s), np.argsort(s), np.isin(s, ["cat", "a"]), np.concatenate([s[:1], ["zebra"]]))
t = np.array([["b", "aaa"], ["c", "d"]]); print(t, repr(t), t.T, t[0], t[1, 0], t.reshape(4), t.shape)
print(np.where(np.array([True, False]), "yes", "no"), np.array(["1", "2"]).astype(int) + 1, np.array(["1.5"]).astype(float), np.full(2, "x"), np.char.upper(s), np.char.str_len(s), np.char.startswith(s, "d"))
labels = np.array(["x", "y", "z"]); print(labels[np.argmax(np.array([.1, .7, .2]))], labels[np.array([[0, 1], [2, 0]])], np.array_equal(s, s), np.array([f"row {i}" for i in range(12)]))
s[0] = "bird"; print(s)
