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


def make_fx(f, decomposition_table=None, tracing_mode="real", _allow_non_fake_inputs=False, *, pre_dispatch=False,
            record_module_stack=False, _allow_fake_constant=False, _error_on_data_dependent_ops=True):
    if tracing_mode not in ("real", "fake", "symbolic"):
        raise ValueError(f"Unexpected tracing type: {tracing_mode}")

    def wrapped(*args):
        names = _names(f)
        return _C.trace(f, args, names[:len(args)] if len(names) >= len(args) else [f"arg{i}" for i in range(len(args))])

    return wrapped
