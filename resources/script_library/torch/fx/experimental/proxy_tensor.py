# SPDX-License-Identifier: Apache-2.0
# make_fx: a function is run, and every operation below autograd is written down.


import inspect


def _names(f):
    """Of the parameters, where each has one."""
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return []
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return []
    return [p.name for p in parameters]


def _decomposed(f, table, args):
    """f with operations of the table as their functions, those that these call included."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Table(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            if func not in table:
                return func(*args, **(kwargs or {}))
            with self:
                return table[func](*args, **(kwargs or {}))

    with Table():
        return f(*args)


def make_fx(f, decomposition_table=None, tracing_mode="real", _allow_non_fake_inputs=False, *, pre_dispatch=False,
            record_module_stack=False, _allow_fake_constant=False, _error_on_data_dependent_ops=True):
    if tracing_mode not in ("real", "fake", "symbolic"):
        raise ValueError(f"Unexpected tracing type: {tracing_mode}")

    def wrapped(*args):
        names = _names(f)
        traced = f if not decomposition_table else lambda *given: _decomposed(f, decomposition_table, given)
        return _C.trace(traced, args, names[:len(args)] if len(names) >= len(args) else [f"arg{i}" for i in range(len(args))])

    return wrapped
