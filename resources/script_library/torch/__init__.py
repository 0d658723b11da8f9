# SPDX-License-Identifier: Apache-2.0
# The part of the torch module that is written in the script language.
# _C: the evaluator's own functions; only scripts of the library know that name.


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
    mode = True

    def __call__(self, *args, **kwargs):
        if self.function is not None:
            with enable_grad():
                return self.function(*args, **kwargs)
        return super().__call__(args[0])


class inference_mode(_GradMode):
    def __init__(self, mode=True):
        self.function = None if isinstance(mode, bool) else mode
        self.mode = not mode if isinstance(mode, bool) else False

    def __call__(self, *args, **kwargs):
        if self.function is not None:
            with no_grad():
                return self.function(*args, **kwargs)
        return super().__call__(args[0])


class set_grad_enabled(_GradMode):
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
    return not _C.is_grad_enabled()


class Generator:
    def __init__(self, device="cpu"):
        self.device = _C.device(device)
        self._state = _C.new_generator()

    def manual_seed(self, seed):
        _C.seed_generator(self._state, seed)
        return self

    def initial_seed(self):
        return _C.generator_seed(self._state)

    def seed(self):
        import time
        seed = time.perf_counter_ns() * 2654435761 % 9007199254740992
        _C.seed_generator(self._state, seed)
        return seed

    def get_state(self):
        return _C.generator_state(self._state)

    def set_state(self, state):
        _C.set_generator_state(self._state, state)


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
        number = _C.add_hook(self, hook, True)
        return _RemovableHandle(lambda: _C.remove_hook(self, number))

    def retain_grad(self):
        _C.retain_grad(self)

    @property
    def retains_grad(self):
        return _C.retains_grad(self)

    @property
    def _version(self):
        return _C.version(self)

    def requires_grad_(self, requires_grad=True):
        self.requires_grad = requires_grad
        return self


_C.add_tensor_methods(_TensorMethods)


def compile(model=None, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, disable=False):
    if model is None:
        def decorate(function):
            return _C.compile(function, fullgraph, dynamic, backend, mode, options, disable)

        return decorate
    return _C.compile(model, fullgraph, dynamic, backend, mode, options, disable)


def tensordot(a, b, dims=2, out=None):
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        left, right = list(range(-dims, 0)), list(range(dims))
    else:
        left, right = dims
        left = [left] if isinstance(left, int) else list(left)
        right = [right] if isinstance(right, int) else list(right)
    from torch import _ops
    found = _ops.tensordot(a, b, left, right)
    return found if out is None else out.copy_(found)
