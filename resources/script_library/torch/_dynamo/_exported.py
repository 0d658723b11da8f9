# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.export: a function's one graph, with the function's own arguments and results (torch/_dynamo/eval_frame.py).
import inspect
from collections import namedtuple

import torch
import torch._dynamo.utils as _utils
import torch.fx as fx
import torch.utils._pytree as pytree
from torch._dynamo import _Explained

ExportResult = namedtuple("ExportResult", ["graph_module", "guards"])


def export(f, *extra_args, aten_graph=False, pre_dispatch=False, decomposition_table=None, tracing_mode="symbolic",
           dynamic_shapes=None, specialize_float=True, assume_static_by_default=False, same_signature=True,
           disable_constraint_solver=False, prefer_deferred_runtime_asserts_over_guards=False, **extra_kwargs):
    if decomposition_table is not None and not aten_graph:
        raise AssertionError("Specifying a decomposition_table table or tracing mode is illegal without setting "
                             "aten_graph=True")
    if pre_dispatch and not aten_graph:
        raise AssertionError("pre_dispatch=True can only be used when aten_graph=True")
    f = getattr(f, "_torchdynamo_orig_callable", f)

    def inner(*args, **kwargs):
        values, in_spec = pytree.tree_flatten((args, kwargs))
        dynamic = tracing_mode == "symbolic" and not assume_static_by_default
        wished = _checked(f, args, kwargs, in_spec, dynamic_shapes) if dynamic_shapes else []
        if wished and not dynamic:
            values = [v.detach().requires_grad_(v.requires_grad) if isinstance(v, torch.Tensor) else v for v in values]
            for wish in wished:
                torch._dynamo.maybe_mark_dynamic(values[wish.leaf], wish.dim)
            args, kwargs = in_spec.unflatten(values)
        traced = _Traced(f, args, kwargs, dynamic, specialize_float, aten_graph)
        gm = traced.flat(values, same_signature)
        if aten_graph and decomposition_table:
            from torch.fx.experimental.proxy_tensor import make_fx
            targets = [node.target for node in gm.graph.nodes if node.op == "placeholder"]
            gm = make_fx(gm, decomposition_table=decomposition_table)(*values)
            for node, target in zip([node for node in gm.graph.nodes if node.op == "placeholder"], targets):
                node.target = target
        if same_signature:
            info = fx._PyTreeInfo(_argument_names(f, args, kwargs), in_spec, traced.out_spec)
            gm.graph.set_codegen(fx._PyTreeCodeGen(info))
        gm.recompile()
        return ExportResult(gm, traced.guards)

    return inner(*extra_args, **extra_kwargs) if extra_args or extra_kwargs else inner


class _Called(torch.nn.Module):
    """A function as a module, which torch.export asks."""

    def __init__(self, f):
        super().__init__()
        self.forward = f


def _checked(f, args, kwargs, spec, shapes):
    """What is asked of sizes; raises where the function does not work for all of them."""
    from torch import export
    mod = f if isinstance(f, torch.nn.Module) else _Called(f)
    leaves = export._inputs(mod, args, kwargs, shapes)
    wishes = export._shapes._wishes(leaves)
    try:
        if wishes:
            export._Trace(mod, leaves, spec, wishes)
    except torch._dynamo.exc.UserError as e:
        if str(e).startswith("Constraints violated"):
            raise export._shapes.ConstraintViolationError(str(e)) from None
        raise
    return wishes


def _argument_names(f, args, kwargs):
    """Of what was given, each value by a name of its own: what *args took is args_0, args_1 ..."""
    parameters = inspect.signature(f.forward if isinstance(f, torch.nn.Module) else f).parameters.values()
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][:len(args)]
    rest = [p.name for p in parameters if p.kind is p.VAR_POSITIONAL]
    if rest:
        names += [f"{rest[0]}_{i}" for i in range(len(args) - len(names))]
    return names + list(kwargs)


def _same(a, b):
    """Whether both are one tensor, or the same view of one."""
    if a is b or not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return a is b and isinstance(a, torch.Tensor)
    return a.numel() > 0 and a.data_ptr() == b.data_ptr() and a.dtype is b.dtype and a.shape == b.shape and \
        a.stride() == b.stride()


class _Traced:
    """The graph that a call of f makes, its inputs, and where what f gave is among the graph's results."""

    def __init__(self, f, args, kwargs, dynamic, specialize_float, operations):
        """\param operations: the graph's nodes are operations rather than what the script calls"""
        self.operations, self._given = operations, []
        found = _Explained()
        self.gm, self.inputs, self.outputs = None, [], []

        def keep(gm, example_inputs):
            self.gm, self.inputs = gm, list(example_inputs)
            run = found(gm, example_inputs)

            def kept(*values):
                self.outputs = list(run(*values))
                return self.outputs

            return kept

        if operations:
            keep._asks_for_sizes = True
        _utils._observers.append(found.observe)
        try:
            with torch._dynamo.config.patch(specialize_int=True, specialize_float=specialize_float):
                result = torch.compile(f, backend=keep, fullgraph=True, dynamic=True if dynamic else None)(*args, **kwargs)
        finally:
            _utils._observers.remove(found.observe)
        if len(found.graphs) > 1:
            raise AssertionError("Expected exactly one graph, found " + str(len(found.graphs)))
        self.guards = found.guards
        self.results, self.out_spec = pytree.tree_flatten(result)

    def flat(self, values, listed):
        """The graph as one that takes the leaves of the arguments and gives those of the results, a list or a tuple."""
        gm = self.gm
        if gm is None:
            nothing = fx.Graph()
            nothing.output([])
            gm = fx.GraphModule({}, nothing)
        graph = gm.graph
        inputs = [node for node in graph.nodes if node.op == "placeholder"]
        last = graph.output_node()
        outputs = last.args[0]
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        first = graph.nodes[0]
        leaves = []  # a node for each value
        for i, value in enumerate(values):
            at = next((k for k, given in enumerate(self.inputs)
                       if _same(given, value) and not any(inputs[k] is leaf for leaf in leaves)), None)
            name = f"arg{i}"
            with graph.inserting_before(first):
                if at is None:
                    leaves.append(graph.placeholder(name))
                    continue
                leaves.append(graph.create_node("placeholder", name, name=f"{name}_1" if self.operations else inputs[at].name))
            taken, leaves[-1].meta, leaves[-1].type = inputs[at], dict(inputs[at].meta), inputs[at].type
            taken.replace_all_uses_with(leaves[-1])
            if not self.operations:
                leaves[-1].name = taken.name
            outputs = [leaves[-1] if node is taken else node for node in outputs]
            graph.erase_node(taken)
            first = next(n for n in graph.nodes if not any(n is leaf for leaf in leaves))
            inputs[at] = leaves[-1]
        kept = 0
        for node, value in zip(inputs, self.inputs):
            if any(node is leaf for leaf in leaves):
                continue
            if isinstance(value, torch.Tensor):  # what else the graph read belongs to it
                name = node.name if not self.operations else f"_param_constant{kept}"
                kept += 1
                setattr(gm, name, value)
                node.op, node.target, node.name = "get_attr", name, name
            else:
                self._size(graph, node, leaves)
        results = [self._node_of(gm, result, values, leaves, outputs, last) for result in self.results]
        graph.erase_node(last)
        graph.output(results if listed else tuple(results))
        gm.recompile()
        return gm

    def _size(self, graph, node, leaves):
        """A symbol, which was an input, as the size of a tensor."""
        if not node.users:
            graph.erase_node(node)
            return
        for leaf in leaves:
            for dim, size in enumerate(leaf.meta.get("shape", ())):
                if str(size) == node.target:
                    with graph.inserting_before(node):
                        made = graph.call_function(torch.ops.aten.sym_size.int, (leaf, dim))
                    made.meta = dict(node.meta)
                    node.replace_all_uses_with(made)
                    graph.erase_node(node)
                    return
        raise torch._dynamo.exc.UserError(f"torch._dynamo.export: the graph needs {node.name}, which is no size of an input")

    def _node_of(self, gm, result, values, leaves, outputs, last):
        """What stands for a result: a node, or itself where it is no tensor."""
        if not isinstance(result, torch.Tensor):
            return self._number(gm, result, outputs, last)
        for found, node in list(zip(self.outputs, outputs)) + list(zip(values, leaves)):
            if _same(found, result):
                return node
        name = f"_tensor_constant{len(gm.graph.nodes)}"
        setattr(gm, name, result)
        with gm.graph.inserting_before(last):
            return gm.graph.get_attr(name)

    def _number(self, gm, result, outputs, last):
        """A result that is no tensor: itself, or a number that the graph computes, which stands among its results."""
        if type(result) not in (int, float, bool):
            return result

        def alike(value):
            return type(value) is type(result) and repr(value) == repr(result)

        found = [node for value, node in zip(self.outputs, outputs) if isinstance(value, torch.Tensor) and value.dim() == 0
                 and not any(_same(value, other) for other in self.results) and alike(value.item())]
        if not found:
            return result
        if len([other for other in self.results if alike(other)]) > len(found):
            raise torch._dynamo.exc.UserError(f"torch._dynamo.export: the graph computes one of several results that are "
                                              f"{result!r} for the example: call it with other numbers")
        with gm.graph.inserting_before(last):
            return gm.graph.call_method("item", (self._next(found),))

    def _next(self, nodes):
        """The first of them that stands for no result yet."""
        node = next(n for n in nodes if n not in self._given)
        self._given.append(node)
        return node
