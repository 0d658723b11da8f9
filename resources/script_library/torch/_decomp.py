# SPDX-License-Identifier: Apache-2.0
# torch._decomp: what operations consist of. The compiler has its own formulas, which run_decompositions() and make_fx use;
# the tables that scripts pass along are empty.


def core_aten_decompositions():
    return {}


def get_decompositions(aten_ops, type="post_autograd"):
    return {}


def register_decomposition(aten_op, registry=None, *, type="post_autograd", unsafe=False):
    """Keeps the function beside its operation in the registry that is given."""
    def kept(fn):
        for op in aten_op if isinstance(aten_op, (list, tuple)) else [aten_op]:
            if registry is not None:
                registry[op] = fn
        return fn

    return kept
