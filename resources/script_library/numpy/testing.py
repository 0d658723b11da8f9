# SPDX-License-Identifier: Apache-2.0
# numpy.testing: assertions about arrays.
import contextlib as _contextlib
import warnings as _warnings

import numpy as _np

__all__ = ["assert_", "assert_allclose", "assert_almost_equal", "assert_approx_equal", "assert_array_almost_equal",
           "assert_array_equal", "assert_array_less", "assert_equal", "assert_no_warnings", "assert_raises",
           "suppress_warnings"]


def assert_(val, msg=""):
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def _compare(holds, x, y, title, err_msg, verbose, equal_nan=True, strict=False):
    """Raises what tells the difference of two arrays where it does not hold."""
    x, y = _np.asarray(x), _np.asarray(y)
    if not ((x.shape == () or y.shape == ()) and not strict or x.shape == y.shape) or strict and x.dtype != y.dtype:
        what = f"(shapes {x.shape}, {y.shape} mismatch)" if x.shape != y.shape else \
            f"(dtypes {x.dtype}, {y.dtype} mismatch)"
        raise AssertionError(f"\n{title}\n{err_msg}\n{what}\n ACTUAL: {x!r}\n DESIRED: {y!r}")
    fine = _np.asarray(holds(x, y))
    if equal_nan:
        fine = fine | (_np.isnan(x) & _np.isnan(y))
    if fine.all():
        return
    wrong = fine.size - int(_np.count_nonzero(fine))
    lines = [f"Mismatched elements: {wrong} / {fine.size} ({100 * wrong / fine.size:.3g}%)"]
    if fine.ndim:
        places = [p.tolist() for p in _np.argwhere(~fine)]
        lines.append("Mismatch at index:" if len(places) == 1 else "Mismatch at indices:" if len(places) <= 5 else
                     "First 5 mismatches are at indices:")
        both = _np.broadcast_arrays(x, y)
        for p in places[:5]:
            lines.append(f" {p}: {both[0][tuple(p)]} (ACTUAL), {both[1][tuple(p)]} (DESIRED)")
    if x.dtype.kind != "b" and y.dtype.kind != "b":
        apart = _np.abs(x - y)
        lines.append(f"Max absolute difference among violations: {_np.max(apart[~fine])}")
        size = _np.abs(_np.broadcast_to(y, fine.shape))
        there = ~fine & (size != 0)
        ratio = _np.max(apart[there] / size[there]) if there.any() else _np.inf
        lines.append(f"Max relative difference among violations: {ratio}")
    shown = f"\n ACTUAL: {x!r}\n DESIRED: {y!r}" if verbose else ""
    raise AssertionError(f"\n{title}\n{err_msg}\n" + "\n".join(lines) + shown)


def assert_allclose(actual, desired, rtol=1e-07, atol=0, equal_nan=True, err_msg="", verbose=True, *, strict=False):
    _compare(lambda x, y: _np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan), actual, desired,
             f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}", err_msg, verbose, equal_nan, strict)


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    _compare(lambda x, y: x == y, actual, desired, "Arrays are not equal", err_msg, verbose, True, strict)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    _compare(lambda x, y: (x == y) | (_np.abs(x - y) < 1.5 * 10.0 ** -decimal), actual, desired,
             f"Arrays are not almost equal to {decimal} decimals", err_msg, verbose)


def assert_array_less(x, y, err_msg="", verbose=True, *, strict=False):
    _compare(lambda a, b: a < b, x, y, "Arrays are not strictly ordered `x < y`", err_msg, verbose, False, strict)


def assert_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    if isinstance(desired, dict):
        assert_equal(len(actual), len(desired), err_msg)
        for key in desired:
            if key not in actual:
                raise AssertionError(repr(key))
            assert_equal(actual[key], desired[key], f"key={key!r}\n{err_msg}")
        return
    if isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        assert_equal(len(actual), len(desired), err_msg)
        for i, (a, b) in enumerate(zip(actual, desired)):
            assert_equal(a, b, f"item={i!r}\n{err_msg}")
        return
    if isinstance(actual, _np._Values) or isinstance(desired, _np._Values):
        assert_array_equal(actual, desired, err_msg, verbose)
    elif not (actual == desired or actual != actual and desired != desired):
        raise AssertionError(f"\nItems are not equal:\n{err_msg}\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    if isinstance(actual, (_np.ndarray, list, tuple)) or isinstance(desired, (_np.ndarray, list, tuple)):
        return assert_array_almost_equal(actual, desired, decimal, err_msg)
    if not (actual == desired or actual != actual and desired != desired or
            abs(desired - actual) < 1.5 * 10.0 ** -decimal):
        raise AssertionError(f"\nArrays are not almost equal to {decimal} decimals\n{err_msg}\n ACTUAL: {actual!r}\n "
                             f"DESIRED: {desired!r}")


def assert_approx_equal(actual, desired, significant=7, err_msg="", verbose=True):
    import math
    size = max(abs(float(actual)), abs(float(desired)))
    if actual == desired or actual != actual and desired != desired:
        return
    if abs(float(actual) - float(desired)) / 10 ** math.floor(math.log10(size)) >= 10.0 ** -(significant - 1):
        raise AssertionError(f"\nItems are not equal to {significant} significant digits:\n{err_msg}\n ACTUAL: "
                             f"{actual!r}\n DESIRED: {desired!r}")


class _Raises:
    def __init__(self, error):
        self.error = error

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            raise AssertionError(f"{self.error.__name__} not raised")
        self.exception = value
        return issubclass(kind, self.error)


def assert_raises(exception_class, callable=None, *args, **kwargs):
    if callable is None:
        return _Raises(exception_class)
    with _Raises(exception_class):
        callable(*args, **kwargs)


@_contextlib.contextmanager
def assert_no_warnings():
    with _warnings.catch_warnings(record=True) as seen:
        _warnings.simplefilter("always")
        yield
    if seen:
        raise AssertionError(f"Got warnings: {seen}")


@_contextlib.contextmanager
def suppress_warnings():
    with _warnings.catch_warnings():
        _warnings.simplefilter("ignore")
        yield
