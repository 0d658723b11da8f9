# SPDX-License-Identifier: Apache-2.0
# torch.autograd in the script language.
import torch
from torch import enable_grad, inference_mode, no_grad, set_grad_enabled


def _tensors(value):
    return [value] if isinstance(value, torch.Tensor) else list(value)


def _gradients(given, outputs):
    if given is None:
        return [None] * len(outputs)
    given = _tensors(given)
    if len(given) != len(outputs):
        raise RuntimeError(f"Mismatch in number of gradients: {len(given)} for {len(outputs)} outputs")
    return given


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    tensors = _tensors(tensors)
    if retain_graph is None:
        retain_graph = create_graph
    inputs = [] if inputs is None else _tensors(inputs)
    with set_grad_enabled(create_graph):
        _C.backward(tensors, _gradients(grad_tensors, tensors), retain_graph, create_graph, inputs, True)


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True,
         allow_unused=None, is_grads_batched=False, materialize_grads=False):
    outputs = _tensors(outputs)
    inputs = _tensors(inputs)
    if allow_unused is False and materialize_grads:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, "
                         "but got: allow_unused=False.")
    if retain_graph is None:
        retain_graph = create_graph
    if is_grads_batched:
        rows = [grad(outputs, inputs, [g[i] for g in _tensors(grad_outputs)], True, create_graph,
                     allow_unused=allow_unused, materialize_grads=materialize_grads)
                for i in range(_tensors(grad_outputs)[0].shape[0])]
        return tuple(None if rows[0][k] is None else torch.stack([row[k] for row in rows])
                     for k in range(len(inputs)))
    with set_grad_enabled(create_graph):
        found = _C.backward(outputs, _gradients(grad_outputs, outputs), retain_graph, create_graph, inputs, False)
    if materialize_grads:
        found = [torch.zeros_like(x) if g is None else g for g, x in zip(found, inputs)]
    elif not allow_unused:
        for i, g in enumerate(found):
            if g is None:
                raise RuntimeError(f"The differentiated Tensor at index {i} appears to not have been used in the graph. "
                                   "Set allow_unused=True if this is the desired behavior.")
    return tuple(found)


class _Context:
    """What forward() and backward() of a Function share."""

    def __init__(self):
        self._to_save = ()
        self._dirty = None
        self._not_differentiable = None
        self._materialize = True

    def save_for_backward(self, *tensors):
        self._to_save = tensors
        if graph._hooks:
            pack, self._unpack = graph._hooks[-1]
            with no_grad():
                self._packed = [None if t is None else (pack(t),) for t in tensors]
            self._to_save = ()

    def save_for_forward(self, *tensors):
        pass

    def mark_dirty(self, *tensors):
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        self._not_differentiable = tensors

    def set_materialize_grads(self, value):
        self._materialize = value

    @property
    def saved_tensors(self):
        if "_packed" in self.__dict__:
            return tuple(None if kept is None else self._unpack(kept[0]) for kept in self._packed)
        if "_saved_tensors" not in self.__dict__:
            return tuple(self._to_save)
        return self._saved_tensors

    @property
    def saved_variables(self):
        return self.saved_tensors


FunctionCtx = _Context


def _bound(forward, args, kwargs):
    """The arguments in order, with the defaults of those that are not given."""
    import inspect  # only here: most functions are called by position
    bound = inspect.signature(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    for name in kwargs:
        if name in bound.kwargs:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    return bound.args


class Function:
    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError("You must implement either the backward or vjp method for your custom "
                                  "autograd.Function to use it with backward mode AD.")

    setup_context = None

    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = _Context()
        apart = cls.setup_context is not None
        if kwargs or (apart and len(args) < cls.forward.__code__.co_argcount):
            args = _bound(cls.forward, args if apart else (ctx, *args), kwargs)[0 if apart else 1:]
        ctx.needs_input_grad = tuple(isinstance(a, torch.Tensor) and a.requires_grad for a in args)
        record = torch.is_grad_enabled() and any(ctx.needs_input_grad)
        with no_grad():
            if cls.setup_context is None:
                outputs = cls.forward(ctx, *args)
            else:
                outputs = cls.forward(*args)
                cls.setup_context(ctx, args, outputs)
        if not record:
            return outputs
        if cls.backward is Function.backward and hasattr(cls, "vjp"):
            cls.backward = cls.vjp
        if _C.is_compiling():
            found = _C.try_later(_captured, cls, ctx, args, outputs)
            if found is not None:
                return found[0]  # else the graph breaks here: the tape runs backward()
        outputs = _C.record_function(cls, ctx, args, outputs, ctx._to_save, ctx._dirty, ctx._not_differentiable,
                                     ctx._materialize)
        ctx._to_save = ()
        return outputs


def _captured(cls, ctx, args, outputs):
    """In a tuple, the outputs as the graph knows them: with what backward() computes of the gradients that will
    arrive."""
    one = not isinstance(outputs, (tuple, list))
    results = [outputs] if one else list(outputs)
    given = [a for a in args if isinstance(a, torch.Tensor)]
    fixed = ctx._not_differentiable or ()
    grads, linked, arriving = [], [], []
    for i, result in enumerate(results):
        if not isinstance(result, torch.Tensor):
            grads.append(None)
        elif not result.is_floating_point() or any(result is f for f in fixed):
            grads.append(torch.zeros_like(result) if ctx._materialize else None)
        else:
            linked.append(i)
            arriving.append(_C.arriving_gradient(result))
            grads.append(arriving[-1])
            if any(result is a for a in given):
                with no_grad():
                    results[i] = result.view_as(result)
    if not linked:
        return (outputs,)
    with enable_grad():
        found = cls.backward(ctx, *grads)
    found = list(found) if isinstance(found, (tuple, list)) else [found]
    while len(found) > len(args) and found[-1] is None:
        found.pop()
    if len(found) != len(args):
        raise RuntimeError("an incorrect number of gradients")
    wanted = [(a, g) for a, g in zip(args, found) if isinstance(a, torch.Tensor) and a.requires_grad]
    for a, g in wanted:
        if g is not None and g.shape != a.shape:
            raise RuntimeError("an invalid gradient")
    ctx._to_save = ()
    made = _C.custom_function([results[i] for i in linked], [a for a, g in wanted],
                              [None if g is None else g.to(a.dtype) for a, g in wanted], arriving)
    for i, result in zip(linked, made):
        results[i] = result
    return (results[0] if one else tuple(results),)


import torch.autograd.function

Variable = torch.Tensor


class set_detect_anomaly:
    """In it, or from here on, backward() raises where a gradient becomes NaN."""

    def __init__(self, mode=True, check_nan=True):
        self.previous = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
        torch.set_anomaly_enabled(mode, check_nan)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        torch.set_anomaly_enabled(*self.previous)


class detect_anomaly(set_detect_anomaly):
    def __init__(self, check_nan=True):
        self.check_nan = check_nan

    def __enter__(self):
        super().__init__(True, self.check_nan)
        return self


class _Boundary(Function):
    """Passes tensors on, and shows the gradients that come back."""

    @staticmethod
    def forward(ctx, see, *tensors):
        ctx.see = see
        return tuple(t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx, *grads):
        return (None,) + tuple(ctx.see(grads))


class _BackwardHooks:
    """The full backward hooks of one call of a module."""

    def __init__(self, module, hooks, pre_hooks):
        self.module = module
        self.hooks = hooks
        self.pre_hooks = pre_hooks
        self.grad_output = None

    def _pass(self, see, values):
        tensors = [v for v in values if isinstance(v, torch.Tensor)]
        if not tensors or not any(t.requires_grad for t in tensors) or not torch.is_grad_enabled():
            return values
        seen = iter(_Boundary.apply(see, *tensors))
        return tuple(next(seen) if isinstance(v, torch.Tensor) else v for v in values)

    def inputs(self, values):
        def see(grads):
            for hook in self.hooks:
                changed = hook(self.module, tuple(grads), self.grad_output)
                if changed is not None:
                    grads = changed if isinstance(changed, tuple) else (changed,)
            return grads

        self.count = len(values)
        self.sees_inputs = any(isinstance(v, torch.Tensor) and v.requires_grad for v in values)
        return self._pass(see, tuple(values))

    def outputs(self, result):
        def see(grads):
            for hook in self.pre_hooks:
                changed = hook(self.module, tuple(grads))
                if changed is not None:
                    grads = changed if isinstance(changed, tuple) else (changed,)
            self.grad_output = tuple(grads)
            if not self.sees_inputs:
                for hook in self.hooks:
                    hook(self.module, (None,) * self.count, self.grad_output)
            return grads

        if isinstance(result, torch.Tensor):
            return self._pass(see, (result,))[0]
        if isinstance(result, tuple):
            return self._pass(see, result)
        return result


from torch.autograd import functional, graph
from torch.autograd.gradcheck import gradcheck, gradgradcheck


def _profiler_enabled():
    import torch.profiler
    return len(torch.profiler._open) > 0


def _disable_profiler():
    import torch.profiler
    for each in list(torch.profiler._open):
        each.stop()
