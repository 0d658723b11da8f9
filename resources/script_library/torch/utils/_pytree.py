# SPDX-License-Identifier: Apache-2.0
# torch.utils._pytree: nested lists, tuples and dicts as a flat list of leaves and a description of the nest.
from collections import OrderedDict, defaultdict, deque, namedtuple

import torch

_nodes = {}  # type: (flatten, unflatten); a flatten gives (children, context)


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, **others):
    if cls in _nodes:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _nodes[cls] = (flatten_fn, unflatten_fn)


register_pytree_node(tuple, lambda t: (list(t), None), lambda values, context: tuple(values))
register_pytree_node(torch.Size, lambda t: (list(t), None), lambda values, context: torch.Size(values))
register_pytree_node(list, lambda xs: (xs, None), lambda values, context: list(values))
register_pytree_node(dict, lambda d: (list(d.values()), list(d.keys())),
                     lambda values, keys: {k: v for k, v in zip(keys, values)})
register_pytree_node(OrderedDict, lambda d: (list(d.values()), list(d.keys())),
                     lambda values, keys: OrderedDict((k, v) for k, v in zip(keys, values)))
register_pytree_node(deque, lambda d: (list(d), d.maxlen), lambda values, length: deque(values, maxlen=length))


def _flatten_default(d):
    return list(d.values()), (d.default_factory, list(d.keys()))


def _unflatten_default(values, context):
    made = defaultdict(context[0])
    for k, v in zip(context[1], values):
        made[k] = v
    return made


register_pytree_node(defaultdict, _flatten_default, _unflatten_default)


def _is_named_tuple(tree):
    return isinstance(tree, tuple) and hasattr(tree, "_fields")


def _children(tree):
    """(type, children, context); the type of a leaf is None."""
    if _is_named_tuple(tree):
        return namedtuple, list(tree), type(tree)
    kind = type(tree)
    if kind not in _nodes:
        return None, [], None
    children, context = _nodes[kind][0](tree)
    return kind, children, context


class TreeSpec:
    def __init__(self, type, context, children_specs):
        self.type = type
        self.context = context
        self.children_specs = children_specs
        self.num_leaves = sum(spec.num_leaves for spec in children_specs)
        self.num_children = len(children_specs)

    def is_leaf(self):
        return False

    def unflatten(self, leaves):
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a "
                             f"pytree that holds {self.num_leaves} items ({self}).")
        return self._made(leaves)

    def _made(self, leaves):
        values, at = [], 0
        for spec in self.children_specs:
            values.append(spec._made(leaves[at:at + spec.num_leaves]))
            at += spec.num_leaves
        if self.type is namedtuple:
            return self.context(*values)
        return _nodes[self.type][1](values, self.context)

    def __eq__(self, other):
        return (isinstance(other, TreeSpec) and self.type is other.type and self.context == other.context and
                self.children_specs == other.children_specs)

    def __hash__(self):
        return hash((self.num_leaves, self.num_children))

    def __repr__(self):
        return self._text(0)

    def _text(self, indent):
        name = "namedtuple" if self.type is namedtuple else self.type.__name__
        gap = ",\n" + " " * (indent + 2)
        return f"TreeSpec({name}, {self.context}, [" + gap.join(spec._text(indent + 2) for spec in self.children_specs) + "])"


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, [])
        self.num_leaves = 1

    def is_leaf(self):
        return True

    def _made(self, leaves):
        return leaves[0]

    def _text(self, indent):
        return "*"


def _flatten(tree, leaves, is_leaf):
    kind, children, context = (None, [], None) if is_leaf is not None and is_leaf(tree) else _children(tree)
    if kind is None:
        leaves.append(tree)
        return LeafSpec()
    return TreeSpec(kind, context, [_flatten(child, leaves, is_leaf) for child in children])


def tree_flatten(tree, is_leaf=None):
    """(leaves, spec)"""
    leaves = []
    spec = _flatten(tree, leaves, is_leaf)
    return leaves, spec


def tree_unflatten(leaves, treespec):
    return treespec.unflatten(leaves)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_iter(tree, is_leaf=None):
    return iter(tree_leaves(tree, is_leaf))


def arg_tree_leaves(*args, **kwargs):
    return tree_leaves(list(args)) + tree_leaves(list(kwargs.values()))


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    columns = [leaves] + [_matching(spec, rest) for rest in rests]
    return spec.unflatten([func(*row) for row in zip(*columns)])


def _matching(spec, tree):
    """What a tree has where spec has leaves."""
    if spec.is_leaf():
        return [tree]
    kind, children, context = _children(tree)
    if kind is not spec.type or len(children) != spec.num_children:
        raise ValueError(f"Node arity mismatch; expected {spec.num_children}, but got {len(children)}.")
    return [leaf for child_spec, child in zip(spec.children_specs, children) for leaf in _matching(child_spec, child)]


def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(type_or_types_or_pred, func, tree, is_leaf=None):
    wanted = type_or_types_or_pred
    if not isinstance(wanted, (type, tuple)):
        return tree_map(lambda x: func(x) if wanted(x) else x, tree, is_leaf=is_leaf)
    return tree_map(lambda x: func(x) if isinstance(x, wanted) else x, tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(pred(x) for x in tree_leaves(tree, is_leaf))


def tree_any(pred, tree, is_leaf=None):
    return any(pred(x) for x in tree_leaves(tree, is_leaf))


def tree_all_only(type_or_types, pred, tree, is_leaf=None):
    return all(pred(x) for x in tree_leaves(tree, is_leaf) if isinstance(x, type_or_types))


def tree_any_only(type_or_types, pred, tree, is_leaf=None):
    return any(pred(x) for x in tree_leaves(tree, is_leaf) if isinstance(x, type_or_types))
