# SPDX-License-Identifier: Apache-2.0
# make_fx: a function is run, and every operation below autograd is written down.


def make_fx(f, decomposition_table=None, tracing_mode="real", _allow_non_fake_inputs=False, *, pre_dispatch=False,
            record_module_stack=False, _allow_fake_constant=False, _error_on_data_dependent_ops=True):
    if tracing_mode not in ("real", "fake", "symbolic"):
        raise ValueError(f"Unexpected tracing type: {tracing_mode}")

    def wrapped(*args):
        return _C.trace(f, args)

    return wrapped
