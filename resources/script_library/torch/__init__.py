# SPDX-License-Identifier: Apache-2.0
# The part of the torch module that is written in the script language.
# _C: the evaluator's own functions; only scripts of the library know that name.
__version__ = "2.10.0"  # whose behaviour this is
# torch has names of its own for these
_range, _max, _bool, _int = range, max, type(True), type(0)


class _GradMode:
    def __enter__(self):
        self.previous = _C.is_grad_enabled()
        _C.set_grad_enabled(self.mode)
        return self

    def __exit__(self, kind, error, trace):
        _C.set_grad_enabled(self.previous)

    def __call__(self, function):
        mode = self.mode

        def wrapped(*args, **kwargs):
            previous = _C.is_grad_enabled()
            _C.set_grad_enabled(mode)
            try:
                return function(*args, **kwargs)
            finally:
                _C.set_grad_enabled(previous)

        wrapped.__wrapped__ = function
        return wrapped


class no_grad(_GradMode):
    __module__ = "torch.autograd.grad_mode"
    mode = False

    def __init__(self, function=None):
        self.function = function

    def __call__(self, *args, **kwargs):
        # @torch.no_grad without parentheses: the function was the argument.
        if self.function is not None:
            with no_grad():
                return self.function(*args, **kwargs)
        return super().__call__(args[0])


class enable_grad(no_grad):
    __module__ = "torch.autograd.grad_mode"
    mode = True

    def __call__(self, *args, **kwargs):
        if self.function is not None:
            with enable_grad():
                return self.function(*args, **kwargs)
        return super().__call__(args[0])


class inference_mode(_GradMode):
    __module__ = "torch.autograd.grad_mode"

    def __init__(self, mode=True):
        self.function = None if isinstance(mode, _bool) else mode
        self.inference = mode if isinstance(mode, _bool) else True
        self.mode = not self.inference

    def __enter__(self):
        self.outer = _C.inference_mode()
        super().__enter__()
        _C.set_inference_mode(self.inference)

    def __exit__(self, kind, error, trace):
        _C.set_inference_mode(self.outer)
        super().__exit__(kind, error, trace)

    def __call__(self, *args, **kwargs):
        if self.function is not None:
            with inference_mode():
                return self.function(*args, **kwargs)
        function, inference = args[0], self.inference

        def wrapped(*args, **kwargs):
            with inference_mode(inference):
                return function(*args, **kwargs)

        wrapped.__wrapped__ = function
        return wrapped


class set_grad_enabled(_GradMode):
    __module__ = "torch.autograd.grad_mode"

    def __init__(self, mode):
        self.previous = _C.is_grad_enabled()
        self.mode = mode
        _C.set_grad_enabled(mode)

    def __enter__(self):
        return self

    def __call__(self, function):
        _C.set_grad_enabled(self.previous)
        return super().__call__(function)


def is_inference_mode_enabled():
    return _C.inference_mode()


class Generator:
    __module__ = "torch._C"

    def __init__(self, device="cpu"):
        self.device = _C.device(device)
        self._state = _C.new_generator()

    def manual_seed(self, seed):
        if self.device.type == "cuda":
            _C.set_gpu_numbers(self._state, self.device.index, seed, 0)
        else:
            _C.seed_generator(self._state, seed)
        return self

    def initial_seed(self):
        if self.device.type == "cuda":
            return _C.gpu_numbers(self._state, self.device.index)[0]
        return _C.generator_seed(self._state)

    def seed(self):
        import time
        seed = time.perf_counter_ns() * 2654435761 % 9007199254740992
        self.manual_seed(seed)
        return seed

    def get_state(self):
        if self.device.type != "cuda":
            return _C.generator_state(self._state)
        numbers = _C.gpu_numbers(self._state, self.device.index)
        return tensor([number >> 8 * byte & 255 for number in numbers for byte in _range(8)], dtype=uint8, device="cpu")

    def set_state(self, state):
        if self.device.type != "cuda":
            return _C.set_generator_state(self._state, state)
        state = state.tolist()
        if len(state) not in (8, 16):
            raise RuntimeError("RNG state is wrong size")
        seed, words = [sum(byte << 8 * place for place, byte in enumerate(state[first:first + 8])) for first in (0, 8)]
        _C.set_gpu_numbers(self._state, self.device.index, seed, words)


default_generator = Generator()
default_generator._state = None  # the one that functions without generator= draw from


def initial_seed():
    return _C.generator_seed(None)


def seed():
    return default_generator.seed()


def get_rng_state():
    return _C.generator_state(None)


def set_rng_state(state):
    _C.set_generator_state(None, state)


class _RemovableHandle:
    def __init__(self, remove):
        self._remove = remove

    def remove(self):
        if self._remove is not None:
            self._remove()
            self._remove = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.remove()


def _as_list(value):
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _sizes_told(function, sizes, named):
    if not sizes and named is None:
        raise TypeError(f'{function}() missing 1 required positional arguments: "size"')
    return sizes if named is None else (named,)


def _filled(like, size, value, dtype, device, requires_grad):
    import torch
    if len(size) == 1 and not isinstance(size[0], _int):
        size = size[0]
    return torch.full(size, value, dtype=like.dtype if dtype is None else dtype,
                      device=like.device if device is None else device, requires_grad=requires_grad)


class _TensorMethods:
    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        if not self.requires_grad:
            raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
        if retain_graph is None:
            retain_graph = create_graph
        if isinstance(inputs, (list, tuple)) and len(inputs) == 0:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        if create_graph:
            with enable_grad():
                _C.backward([self], [gradient], retain_graph, True, _as_list(inputs), True)
        else:
            with no_grad():
                _C.backward([self], [gradient], retain_graph, False, _as_list(inputs), True)

    def register_hook(self, hook):
        number = _C.add_hook(self, hook, False)
        return _RemovableHandle(lambda: _C.remove_hook(self, number))

    def register_post_accumulate_grad_hook(self, hook):
        def checked(parameter):
            if hook(parameter) is not None:
                raise RuntimeError("Tensor post accumulate grad hooks should return None.")

        number = _C.add_hook(self, checked, True)
        return _RemovableHandle(lambda: _C.remove_hook(self, number))

    def untyped_storage(self):
        from torch.storage import UntypedStorage
        return UntypedStorage(self)

    def storage(self):
        from torch.storage import TypedStorage
        return TypedStorage(self)

    def retain_grad(self):
        _C.retain_grad(self)

    @property
    def retains_grad(self):
        return _C.retains_grad(self)

    @property
    def _version(self):
        return _C.version(self)

    def new_tensor(self, data, dtype=None, device=None, requires_grad=False):
        import torch
        return torch.tensor(data, dtype=self.dtype if dtype is None else dtype, device=self.device,
                            requires_grad=requires_grad)

    def new_zeros(self, *sizes, size=None, dtype=None, device=None, requires_grad=False):
        return _filled(self, _sizes_told("new_zeros", sizes, size), 0, dtype, device, requires_grad)

    def new_ones(self, *sizes, size=None, dtype=None, device=None, requires_grad=False):
        return _filled(self, _sizes_told("new_ones", sizes, size), 1, dtype, device, requires_grad)

    def new_empty(self, *sizes, size=None, dtype=None, device=None, requires_grad=False):
        return _filled(self, _sizes_told("new_empty", sizes, size), 0, dtype, device, requires_grad)

    def new_full(self, size, fill_value, dtype=None, device=None, requires_grad=False):
        return _filled(self, (size,), fill_value, dtype, device, requires_grad)

    def requires_grad_(self, requires_grad=True):
        self.requires_grad = requires_grad
        return self

    def masked_select(self, mask):
        return masked_select(self, mask)

    def where(self, condition, other):
        return where(condition, self, other)

    def masked_scatter(self, mask, source):
        return masked_scatter(self, mask, source)


_C.add_tensor_methods(_TensorMethods)


_compiles = False


def _begin_compiling():
    """From the first torch.compile() on, distributions check their arguments where they are told to alone."""
    global _compiles
    if not _compiles:
        _compiles = True
        if "distributions" in globals():
            distributions.Distribution.set_default_validate_args(False)


def compile(model=None, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, disable=False):
    from os import environ
    disable = disable or environ.get("TORCHDYNAMO_DISABLE") == "1"
    if not disable:
        _begin_compiling()

    def decorate(function):
        taken = function
        if type(function) is type(len) and not disable:  # what calls a function of C has code to capture
            def taken(*args, **kwargs):
                return function(*args, **kwargs)

            taken.__name__ = function.__name__
        return _C.compile(taken, fullgraph, dynamic, backend, mode, options, disable)

    return decorate if model is None else decorate(model)


def tensordot(a, b, dims=2, out=None):
    from torch import _ops
    if isinstance(dims, (tuple, list)):
        left, right = [list(d) if isinstance(d, (tuple, list)) else [d] for d in dims]
    else:
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        left, right = list(_range(-dims, 0)), list(_range(dims))
    found = _ops.tensordot(a, b, left, right)
    return found if out is None else out.copy_(found)


def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    from torch import _ops
    return _ops.cdist(x1, x2, p, None)


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    from torch import _ops
    if dim is not None and input.dim() == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if repeats is not None and not is_tensor(repeats):
        return _ops.repeat_interleave(input, repeats, dim)
    # How often each element comes decides the result's size.
    given = input if repeats is None else repeats
    if given.dim() > 1 or repeats is None and given.dim() != 1:
        raise RuntimeError("repeat_interleave: the numbers of copies must be a 1-D tensor")
    if given.dtype not in (uint8, int8, int16, int32, int64):
        raise NotImplementedError(f"repeat_interleave: not implemented for {given.dtype} numbers of copies")
    counts = given.tolist()
    for count in counts if isinstance(counts, list) else [counts]:  # min is torch.min here, once a script used it
        if count < 0:
            raise RuntimeError("repeats can not be negative")
    places = [i for i, count in enumerate(counts if isinstance(counts, list) else [counts]) for _ in _range(count)]
    if repeats is None:
        return tensor(places, dtype=input.dtype)
    if output_size is not None and repeats is not None and repeats.numel() != 1 and output_size != len(places):
        raise RuntimeError(f"repeat_interleave: output_size is {output_size}, the copies are {len(places)}")
    rows = input.reshape(-1) if dim is None else input
    dim = 0 if dim is None else dim
    if repeats.numel() == 1 and rows.dim() > 0:
        return _ops.repeat_interleave(rows, places.count(0), dim)
    if repeats.numel() != rows.size(dim):
        raise RuntimeError(f"repeats must have the same size as input along dim, but got repeats.size(0) = "
                           f"{repeats.numel()} and input.size({dim}) = {rows.size(dim)}")
    return rows.index_select(dim, tensor(places, dtype=int64, device=input.device))


def tensor_split(input, indices_or_sections, dim=0):
    from torch import _ops
    if is_tensor(indices_or_sections):
        indices_or_sections = indices_or_sections.tolist()
    return _ops.tensor_split(input, indices_or_sections, dim)


def _true_places(mask):
    """How many true elements there are decides the result's size."""
    return tensor([i for i, m in enumerate(mask.reshape(-1).tolist()) if m], dtype=int64, device=mask.device)


def masked_select(input, mask, *, out=None):
    from torch import _ops
    if mask.dtype != bool:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    input, mask = _ops.broadcast_tensors(input, mask)
    found = input.reshape(-1).index_select(0, _true_places(mask))
    return found if out is None else out.copy_(found)


def masked_scatter(input, mask, source):
    from torch import _ops
    if mask.dtype == bool and not _C.is_compiling():
        wanted = mask.expand(broadcast_shapes(input.shape, mask.shape)).sum().item()
        if wanted > source.numel():
            raise RuntimeError("Number of elements of source < number of ones in mask")
    return _ops.masked_scatter(input, mask, source)


def _check(cond, message=None):
    """Raises RuntimeError unless cond holds. Of numbers that a captured graph computes, every call checks it behind
    the graph, and capture decides branches by it."""
    if not _C.checked_later(cond, "Runtime assertion failed for torch._check()") and not cond:
        raise RuntimeError("Expected cond to be True, but got False" if message is None else str(message()))


def _assert_async(input, assert_msg="Expected Tensor with single nonzero value, but got zero"):
    """Raises RuntimeError unless the tensor's only element is true; what a captured graph computes, every call checks."""
    if not _C.asserted_later(input, assert_msg) and not input:
        raise RuntimeError(assert_msg or "Assertion is failed")


def _check_is_size(i, message=None, *, max=None):
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)


def _constrain_as_size(symbol, min=None, max=None):
    _check(symbol >= (0 if min is None else min))
    if max is not None:
        _check(symbol <= max)


_constrain_as_value = _constrain_as_size


def cond(pred, true_fn, false_fn, operands=()):
    """true_fn(*operands) or false_fn(*operands). Under capture both are in the graph where pred is a tensor, or a
    condition on open sizes for a backend of the script: as bodies of one operator, or chosen between by elements."""
    is_open = _C.is_open(pred)
    if not is_open and not (is_tensor(pred) and _C.is_compiling()):
        return true_fn(*operands) if pred else false_fn(*operands)
    from torch.utils import _pytree as pytree
    specs = []

    def leaves_of(function):
        def run(*operands):
            found, spec = pytree.tree_flatten(function(*operands))
            specs.append(spec)
            return found
        return run

    def choose(first, second):
        if specs[0] != specs[1]:
            raise RuntimeError(f"the branches of cond() give different things: {specs[0]} and {specs[1]}")
        flag = _C.truth(pred) if is_open else pred
        return [where(flag, a, b) for a, b in zip(first, second)]

    found = _C.branches(pred, leaves_of(true_fn), leaves_of(false_fn), operands, choose)
    return specs[0].unflatten(found)


def _assert(condition, message=""):
    if type(condition) is not Tensor and hasattr(condition, "__torch_function__"):
        from torch.overrides import handle_torch_function
        return handle_torch_function(_assert, (condition,), condition, message)
    assert condition, message


def index_put(input, indices, values, accumulate=False):
    return input.index_put(indices, values, accumulate)


def broadcast_shapes(*shapes):
    lists = [list(shape) if isinstance(shape, (tuple, list)) else [shape] for shape in shapes]
    rank = _max([len(shape) for shape in lists], default=0)
    found = [1] * rank
    for shape in lists:
        for i in _range(-1, -1 - len(shape), -1):
            if shape[i] < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension ({shape[i]}): ({shape[i]})")
            if shape[i] == 1 or shape[i] == found[i]:
                continue
            if found[i] != 1:
                raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
            found[i] = shape[i]
    return Size(found)


def is_autocast_enabled(device_type="cuda"):
    return _C.autocast_mode(device_type)[0]


def get_autocast_dtype(device_type):
    return _C.autocast_mode(device_type)[1]


def get_autocast_gpu_dtype():
    return get_autocast_dtype("cuda")


def get_autocast_cpu_dtype():
    return get_autocast_dtype("cpu")


def is_autocast_cpu_enabled():
    return is_autocast_enabled("cpu")


def autocast(device_type, dtype=None, enabled=True, cache_enabled=None):
    from torch.amp import autocast
    return autocast(device_type, dtype, enabled, cache_enabled)


def complex(real, imag, *, out=None):
    from torch._complex import complex_tensor
    return complex_tensor(real, imag, out=out)


def polar(abs, angle, *, out=None):
    from torch import _complex
    return _complex.polar(abs, angle, out=out)


def imag(input):
    return input.imag


def stft(*args, **kwargs):
    from torch import fft
    return fft.stft(*args, **kwargs)


def istft(*args, **kwargs):
    from torch import fft
    return fft.istft(*args, **kwargs)


def where(condition, input=None, other=None, *, out=None):
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    from torch import _ops
    return _ops.where(condition, input, other) if out is None else _ops.where(condition, input, other, out=out)


import torch.return_types
from torch._dtypes import *
from torch._settings import *
from torch import _methods

_C.add_tensor_methods(_methods._Methods)
from torch._methods import (_chunk_cat, _native_batch_norm_legit, allclose, bartlett_window, bilinear, blackman_window,
                            dist, einsum, embedding_bag, empty_permuted, empty_strided, equal, gradient, hamming_window,
                            hann_window, hash_tensor, histogramdd, kaiser_window, layout, lu, nonzero_static, range,
                            resize_as_, segment_reduce, strided, unravel_index, vmap)
from torch._methods import segment_reduce as _segment_reduce

for _name in ("abs_ acos_ acosh_ alpha_dropout_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_ atan_ "
              "atanh_ ceil_ clamp_ clamp_max_ clamp_min_ clip_ cos_ cosh_ deg2rad_ detach_ erf_ erfc_ exp2_ exp_ expm1_ "
              "fill_ fix_ floor_ frac_ gcd_ index_put_ lcm_ ldexp_ log10_ log1p_ log2_ log_ logit_ nan_to_num_ neg_ "
              "negative_ rad2deg_ reciprocal_ relu_ round_ rsqrt_ sigmoid_ sin_ sinc_ sinh_ sqrt_ square_ tan_ tanh_ "
              "trunc_ xlogy_ zero_").split():
    globals()[_name] = _methods._in_place(_name)

from torch._symbols import (SymBool, SymFloat, SymInt, alpha_dropout, binary_cross_entropy_with_logits, celu_, cholesky,
                            cosine_embedding_loss, ctc_loss, dropout, feature_alpha_dropout, frobenius_norm,
                            hinge_embedding_loss, kl_div, margin_ranking_loss, nuclear_norm, qr, rrelu, rrelu_, selu_,
                            sym_float, sym_int, sym_ite, sym_max, sym_min, sym_not, sym_sqrt, sym_sum, threshold_,
                            triplet_margin_loss)

newaxis = None


class Tag:
    """What is known of an operation: torch.library.define(tags=...), op.default.tags."""

    def __init__(self, name, value):
        self.name, self.value = name, value

    def __int__(self):
        return self.value

    def __str__(self):
        return f"Tag.{self.name}"

    def __repr__(self):
        return f"<Tag.{self.name}: {self.value}>"


for _value, _name in enumerate(
        "core cudagraph_unsafe data_dependent_output dynamic_output_shape flexible_layout generated inplace inplace_view "
        "maybe_aliasing_or_mutating needs_contiguous_strides needs_exact_strides needs_fixed_stride_order "
        "nondeterministic_bitwise nondeterministic_seeded out out_variant pointwise pt2_compliant_tag reduction "
        "view_copy".split()):
    setattr(Tag, _name, Tag(_name, _value))

from torch import _backends, _foreach
from torch._quantized import fake_quantize_per_channel_affine, fake_quantize_per_tensor_affine
from torch._aten import _batch_norm_with_update, _embedding_bag, batch_norm, native_dropout
from torch._lowrank import pca_lowrank, svd_lowrank
from torch._sampling import (_dirichlet_grad, _sample_dirichlet, _standard_gamma, _standard_gamma_grad, binomial,
                             poisson)

for _name, _function in _foreach.functions.items():
    globals()[_name] = _function
