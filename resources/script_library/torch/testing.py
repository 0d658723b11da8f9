# SPDX-License-Identifier: Apache-2.0
# torch.testing: assert_close and make_tensor.
import torch

_tolerances = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}


def _limits(actual, expected, rtol, atol):
    if (rtol is None) != (atol is None):
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or unspecified, but got no {'rtol' if rtol is None else 'atol'}.")
    if rtol is not None:
        return rtol, atol
    found = [_tolerances.get(str(t.dtype)[6:], (0.0, 0.0)) for t in (actual, expected)]
    return max(f[0] for f in found), max(f[1] for f in found)


def _fail(msg, text, at):
    text = text + (f"\n\nThe failure occurred for item {at}" if at else "")
    raise AssertionError(msg(text) if callable(msg) else text if msg is None else msg)


def _place(index, shape):
    places = []
    for size in reversed(shape):
        places.append(index % size)
        index //= size
    return tuple(reversed(places))


def _compare(actual, expected, options, at):
    rtol, atol, equal_nan, check_dtype, check_stride, allow_subclasses, msg = options
    if isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        if len(actual) != len(expected):
            _fail(msg, f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", at)
        for i, (a, e) in enumerate(zip(actual, expected)):
            _compare(a, e, options, f"{at}[{i}]")
        return
    if isinstance(actual, dict) and isinstance(expected, dict):
        if set(actual) != set(expected):
            missing = sorted(set(expected) - set(actual), key=str)
            extra = sorted(set(actual) - set(expected), key=str)
            _fail(msg, f"The keys of the mappings do not match:\nMissing keys in the actual mapping: {missing}\n"
                       f"Additional keys in the actual mapping: {extra}", at)
        for key in actual:
            _compare(actual[key], expected[key], options, f"{at}[{key!r}]")
        return
    numbers = (int, float, bool)
    scalar = not torch.is_tensor(actual)
    if scalar and not isinstance(actual, numbers):
        if actual is None or expected is None or isinstance(actual, str):
            if actual != expected:
                _fail(msg, f"{'None' if actual is None or expected is None else 'Object'} mismatch: {actual!r} is not {expected!r}", at)
            return
        raise TypeError(f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.")
    if scalar != (not torch.is_tensor(expected)):
        if not torch.is_tensor(expected) and isinstance(expected, numbers):
            raise TypeError(f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.")
    if scalar:
        actual, expected = torch.tensor(actual, dtype=torch.float64), torch.as_tensor(expected).double()
    if actual.shape != expected.shape:
        _fail(msg, f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}.", at)
    if actual.device != expected.device:
        _fail(msg, f"The values for attribute 'device' do not match: {actual.device} != {expected.device}.", at)
    if check_dtype and not scalar and actual.dtype != expected.dtype:
        _fail(msg, f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}.", at)
    if check_stride and actual.stride() != expected.stride():
        _fail(msg, f"The values for attribute 'stride()' do not match: {actual.stride()} != {expected.stride()}.", at)
    rtol, atol = _limits(actual, expected, rtol, atol)
    kind = torch.promote_types(actual.dtype, expected.dtype)
    a, e = actual.detach().to(kind), expected.detach().to(kind)
    close = torch.isclose(a, e, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if a.numel() == 0 or bool(close.all().item()):
        return
    exact = rtol == 0 and atol == 0
    a, e = a.double().reshape(-1), e.double().reshape(-1)
    wrong = ~close.reshape(-1)
    difference = torch.where(wrong, (a - e).abs(), 0.0)
    relative = torch.where(wrong, difference / e.abs(), 0.0)
    largest, ratio = difference.max().item(), relative.max().item()
    if scalar or close.dim() == 0:
        what = "Scalars" if close.dim() == 0 else "Tensor-likes"
        if exact:
            _fail(msg, f"{what} are not equal!\n\nExpected {expected.item()} but got {actual.item()}.\n"
                       f"Absolute difference: {largest}\nRelative difference: {ratio}", at)
        _fail(msg, f"{what} are not close!\n\nExpected {expected.item()} but got {actual.item()}.\n"
                   f"Absolute difference: {largest} (up to {atol} allowed)\nRelative difference: {ratio} "
                   f"(up to {rtol} allowed)", at)
    bad, count = int(wrong.sum().item()), close.numel()
    where = _place(int(difference.argmax().item()), close.shape)
    where_ratio = _place(int(relative.argmax().item()), close.shape)
    allowed = lambda limit: "" if exact else f" (up to {limit} allowed)"
    _fail(msg, f"Tensor-likes are not {'equal' if exact else 'close'}!\n\nMismatched elements: {bad} / {count} "
               f"({bad / count:.1%})\nGreatest absolute difference: {largest} at index {where}{allowed(atol)}\n"
               f"Greatest relative difference: {ratio} at index {where_ratio}{allowed(rtol)}", at)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    _compare(actual, expected, (rtol, atol, equal_nan, check_dtype, check_stride, allow_subclasses, msg), "")


def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    assert_close(torch.as_tensor(actual), torch.as_tensor(expected), rtol=rtol, atol=atol, equal_nan=equal_nan,
                 check_dtype=False, msg=msg or None)


def make_tensor(*shape, dtype, device="cpu", low=None, high=None, requires_grad=False, noncontiguous=False,
                exclude_zero=False, memory_format=None):
    shape = list(shape[0]) if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else list(shape)
    if dtype == torch.bool:
        found = torch.randint(0, 2, shape).bool()
    elif dtype.is_floating_point:
        low, high = -9 if low is None else low, 9 if high is None else high
        found = (torch.rand(shape, dtype=dtype) * (high - low) + low)
    else:
        found = torch.randint(-9 if low is None else low, 10 if high is None else high, shape).to(dtype)
    if exclude_zero:
        found = torch.where(found == 0, torch.ones_like(found), found)
    return found.to(device).requires_grad_(requires_grad)
