# SPDX-License-Identifier: Apache-2.0
# torch.fx._pytree: arguments taken apart as a specification says, which need not be theirs in all.
from torch.utils._pytree import tree_flatten


def tree_flatten_spec(pytree, spec):
    if spec.is_leaf():
        return [pytree]
    if type(pytree) is dict and spec.type is dict:  # in the specification's order
        return [leaf for key, child in zip(spec.context, spec.children_specs) for leaf in tree_flatten_spec(pytree[key], child)]
    if isinstance(pytree, (list, tuple)) and spec.type in (list, tuple):  # a list stands for a tuple of arguments
        return [leaf for value, child in zip(pytree, spec.children_specs) for leaf in tree_flatten_spec(value, child)]
    leaves, found = tree_flatten(pytree)
    if found != spec:
        raise RuntimeError(f"Real spec {found} of object {pytree} is different from expected spec {spec}. ")
    return leaves
