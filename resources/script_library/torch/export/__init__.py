# SPDX-License-Identifier: Apache-2.0
# torch.export: one whole graph of a module, with parameters and buffers as inputs, and what each input is.
import inspect
import re

import torch
import torch._dynamo.utils as _utils
import torch.fx.experimental._config as _symbols
import torch.utils._pytree as pytree
from torch.export import dynamic_shapes as _shapes
from torch.export.dynamic_shapes import Dim, ShapesCollection, dims
from torch.export.exported_program import ExportedProgram
from torch.export.graph_signature import ConstantArgument, ExportGraphSignature, InputKind, InputSpec, OutputKind, \
    OutputSpec, SymIntArgument, TensorArgument


_NUMBER = "torch.export of a module that gives a number which depends on its data: give the tensor instead"


def export(mod, args, kwargs=None, *, dynamic_shapes=None, strict=False, preserve_module_call_signature=(),
           prefer_deferred_runtime_asserts_over_guards=False):
    if not isinstance(mod, torch.nn.Module):
        raise ValueError(f"Expected `mod` to be an instance of `torch.nn.Module`, got {type(mod)}.")
    if not isinstance(args, tuple):
        raise torch._dynamo.exc.UserError(f"Expecting `args` to be a tuple of example positional inputs, got {type(args)}")
    kwargs = kwargs or {}
    leaves = _inputs(mod, args, kwargs, dynamic_shapes)
    wishes = _shapes._wishes(leaves)
    trace = _Trace(mod, leaves, pytree.tree_flatten((args, kwargs))[1], wishes)
    return _Program(mod, trace, leaves).finish(args, kwargs)


def _inputs(mod, args, kwargs, shapes):
    """[(name, source, value, what is asked of its sizes)] of the leaves of the arguments, in their order."""
    bound = inspect.signature(mod.forward).bind(*args, **kwargs).arguments
    if isinstance(shapes, ShapesCollection):
        shapes = shapes.dynamic_shapes(mod, args, kwargs)
    parameters = inspect.signature(mod.forward).parameters
    given = [(name, value) for name, value in bound.items() if name not in kwargs]
    rest = [name for name, p in parameters.items() if p.kind is p.VAR_KEYWORD]
    given = [(name, value) for name, value in given if name not in rest] + list(kwargs.items())
    known = [name for name, value in given]
    if shapes is None:
        by_name = {}
    elif isinstance(shapes, dict):
        flat = dict(shapes)
        for name in rest:
            flat.update(flat.pop(name, None) or {})
        if set(flat) != set(known):
            raise torch._dynamo.exc.UserError(
                f"When `dynamic_shapes` is specified as a dict, its top-level keys must be the arg names {list(bound)} of "
                f"`inputs`, but here they are {list(shapes)}. Alternatively, you could also ignore arg names entirely and "
                f"specify `dynamic_shapes` as a list/tuple matching `inputs`.")
        by_name = flat
    else:
        if len(shapes) != len(given):
            raise torch._dynamo.exc.UserError(f"`dynamic_shapes` has {len(shapes)} elements, but there are {len(given)} "
                                              "inputs")
        by_name = dict(zip(known, shapes))
    return [leaf for name, value in given for leaf in _shapes._leaves(name, f"L[{name!r}]", value, by_name.get(name))]


class _Trace:
    """A module's graph as it is captured, what the module gave, and which of the graph's results each tensor of that
    is. `numbers`: by leaf of what the module gave, what stands for it in the graph where it is no tensor."""

    def __init__(self, mod, leaves, spec, wishes):
        self.mod, self.wishes = mod, wishes
        self.values = [value for name, source, value, shape in leaves]
        self.premises = _shapes._Premises(wishes)
        self.tensors = [i for i, value in enumerate(self.values) if isinstance(value, torch.Tensor)]
        self._mark()
        self.graph, self.inputs, self.outputs, self.stand_ins = None, [], [], []
        self._before = {key: (t, t._version, t.detach().clone()) for key, t in self._writable(leaves)}
        facts = self._run(spec)
        self.sizes = _shapes.Sizes(leaves, wishes, self.premises, facts)
        self._put_back()

    def _mark(self):
        """The inputs with what is asked of their sizes, as tensors of their own: none is what else the module knows, and
        nothing is asked of the caller's."""
        for i in self.tensors:
            value = self.values[i]
            self.values[i] = value.detach().requires_grad_(value.requires_grad)
        for wish in self.wishes:
            torch._dynamo.maybe_mark_dynamic(self.values[wish.leaf], wish.dim)
        self.extra = [torch.empty(size, 0) for dim, wish, size in self.premises.extra]
        for tensor in self.extra:
            torch._dynamo.maybe_mark_dynamic(tensor, 0)

    def _writable(self, leaves):
        for name, p in self.mod.named_parameters():
            yield (OutputKind.PARAMETER_MUTATION, name), p
        for name, b in self.mod.named_buffers():
            yield (OutputKind.BUFFER_MUTATION, name), b
        for i in self.tensors:
            yield (OutputKind.USER_INPUT_MUTATION, leaves[i][0]), self.values[i]

    def _run(self, spec):
        premises, mod, told = self.premises, self.mod, []

        def flat(*values, extra):
            premises.ask(values, extra)
            given, named = spec.unflatten(values)
            result = mod(*given, **named)
            leaves, numbers, k = pytree.tree_leaves(result), {}, 0
            while k < len(leaves):  # an iterator could not be taken back where a number is asked for its value
                if type(leaves[k]) in (int, float, bool):
                    numbers[k] = torch.full((), leaves[k])
                k += 1
            return result, numbers, [tensor.sum() for tensor in extra]

        def collect(gm, example_inputs):
            self.graph, self.inputs = gm, example_inputs

            def numbered(*values):
                self.outputs = list(gm.forward(*values))
                self.stand_ins = [torch.full_like(v, number) for number, v in enumerate(self.outputs)]
                return self.stand_ins

            return numbered

        collect._asks_for_sizes = True
        shares, _symbols.use_duck_shape = _symbols.use_duck_shape, False

        def observe(function, segment, breaks, guards):
            for message, hint, file, line in breaks:
                if file.startswith("<"):  # where results are looked at
                    raise NotImplementedError(_NUMBER)
                raise NotImplementedError(f"torch.export: {message} ({file}:{line}), and the graph that goes on with it "
                                          "would hold for the example's values only: compute what a tensor of fixed "
                                          "sizes can hold, as torch.where(mask, a, b) does")
            told.append(_utils._sizes)

        _utils._observers.append(observe)
        try:
            self.result, self.numbers, _ = torch.compile(flat, backend=collect, fullgraph=True,
                                                      dynamic=None if self.wishes else False)(*self.values, extra=self.extra)
        finally:
            _utils._observers.remove(observe)
            _symbols.use_duck_shape = shares
        return told[-1] if told else None

    def number(self, t):
        """Which of the graph's results a tensor is, or None."""
        for number, v in enumerate(self.stand_ins):
            if v.data_ptr() == t.data_ptr() and v.shape == t.shape and v.dtype is t.dtype:
                return number
        for number, v in enumerate(self.outputs):  # a view of an input is made anew
            if v.data_ptr() == t.data_ptr() and v.shape == t.shape and v.stride() == t.stride():
                return number
        return None

    def _put_back(self):
        """What is written, as the graph's results, which stood in for them in the call; the tensors are as before."""
        self.writes = []
        flags = [k for k, v in enumerate(self.outputs) if v.dtype is torch.bool]
        for key, (t, version, before) in self._before.items():
            if t._version == version:
                continue
            if t.dtype is torch.bool and len(flags) != 1:
                raise NotImplementedError("torch.export of a module that writes one of several tensors of bool is not "
                                          "available")
            number = flags[0] if t.dtype is torch.bool else int(t.detach().flatten()[0].item())
            self.writes.append(key + (number,))
            with torch.no_grad():
                t.copy_(before)


def _same(a, b):
    return a.data_ptr() == b.data_ptr() and a.shape == b.shape and a.stride() == b.stride() and a.dtype is b.dtype


_aten = torch.ops.aten
_makes = [_aten.full.default, _aten.zeros.default, _aten.ones.default, _aten.empty.memory_format, _aten.arange.default,
          _aten.arange.start, _aten.arange.start_step, _aten.eye.default, _aten.eye.m, _aten.rand.default,
          _aten.randn.default, _aten.randint.low, _aten.randperm.default, _aten.linspace.default,
          _aten.scalar_tensor.default]
_likes = [_aten.zeros_like.default, _aten.ones_like.default, _aten.full_like.default]


def _options(node):
    """What a call that makes a tensor says of it in an exported program."""
    if node.op != "call_function" or not (node.target in _makes or node.target in _likes):
        return node.kwargs
    given = dict(node.kwargs)
    if node.target in _makes:
        given["device"] = given.pop("device", torch.device("cpu"))
    return dict(given, pin_memory=False)


class _Program:
    """Writes a captured graph as one of the module's tensors and the arguments' leaves."""

    def __init__(self, mod, trace, leaves):
        self.mod, self.trace, self.leaves = mod, trace, leaves
        self.graph, self.specs, self.constants, self.known, self.named = torch.fx.Graph(), [], {}, {}, {}
        self.free, self.given = [], {}
        for node, value in [] if trace.graph is None else zip(
                [n for n in trace.graph.graph.nodes if n.op == "placeholder"], trace.inputs):
            found = re.match(r"L\['(values|extra)'\]\[(\d+)\]$", node.meta["source"])
            if found is None:
                self.free.append((node, value))
            else:
                self.given[found.group(1), int(found.group(2))] = node

    def _input(self, kind, name, target, tensor, persistent=None, shape=None, leaf=None):
        node = self.graph.placeholder(name)
        node.name = name  # as it is called, though it be that of a built-in function ('input')
        self.named[name] = node
        constant = not isinstance(tensor, torch.Tensor)
        self.specs.append(InputSpec(kind, ConstantArgument(name, tensor) if constant else TensorArgument(name), target,
                                    persistent))
        if constant:
            return node
        node.meta["shape"], node.meta["dtype"] = tuple(tensor.shape) if shape is None else shape, tensor.dtype
        for each in list(self.free) if leaf is None else []:
            if _same(each[1], tensor):
                self.known[each[0]] = node
                self.free.remove(each)
        if ("values", leaf) in self.given:
            self.known[self.given["values", leaf]] = node
        return node

    def _constants(self):
        """Tensors that are neither the module's parameters and buffers nor inputs."""
        mine = list(self.mod.parameters()) + list(self.mod.buffers())
        found = []
        for node, value in self.free:
            if any(_same(value, other) for other in mine) or any(_same(value, other) for name, other in found):
                continue
            found.append((self._path(value), value))
        for path, value in found:
            if path is not None:
                self.constants[path] = value
        lifted = [value for path, value in found if path is None]
        literals = [] if self.trace.graph is None else [n for n in self.trace.graph.graph.nodes if n.op == "get_attr"]
        for i, value in enumerate(lifted):
            self.constants[f"lifted_tensor_{i}"] = value
        self.literals = {}
        for i, node in enumerate(literals):
            name = f"lifted_tensor_{len(lifted) + i}"
            self.constants[name] = getattr(self.trace.graph, node.target)
            self.literals[node] = name

    def _path(self, value):
        for name, module in self.mod.named_modules():
            for key, attribute in module.__dict__.items():
                if isinstance(attribute, torch.Tensor) and _same(attribute, value):
                    return f"{name}.{key}" if name else key
        return None

    def _inputs(self):
        kept = set(self.mod.state_dict(keep_vars=True))
        self._constants()
        self.lifted = dict(self.constants)
        for name, p in self.mod.named_parameters():
            self._input(InputKind.PARAMETER, "p_" + name.replace(".", "_"), name, p)
        for name, b in self.mod.named_buffers():
            self._input(InputKind.BUFFER, "b_" + name.replace(".", "_"), name, b, name in kept)
            if name not in kept:
                self.constants[name] = b
        for name, value in self.lifted.items():
            self.named[name] = self._input(InputKind.CONSTANT_TENSOR, "c_" + name.replace(".", "_"), name, value)
        for i, (name, source, given, shape) in enumerate(self.leaves):
            value = self.trace.values[i]
            sizes = self.trace.sizes.shape(i, value) if isinstance(value, torch.Tensor) else None
            self._input(InputKind.USER_INPUT, name, None, value, None, sizes, i)

    def _size_of(self, leaf, dim):
        """The node of an input's size."""
        node = self.graph.call_function(torch.ops.aten.sym_size.int, (self.named[self.leaves[leaf][0]], dim))
        return node

    def _copy(self):
        nodes = [] if self.trace.graph is None else self.trace.graph.graph.nodes
        extra = {node: i for (kind, i), node in self.given.items() if kind == "extra"}
        sizes = [n for n in nodes if n.op == "call_function" and n.target is torch.ops.aten.sym_size.int]
        for number, node in enumerate(sizes):
            if node.args[0] in extra:
                leaf, dim, factor, offset = self.trace.sizes.root(extra[node.args[0]])
                made = torch.fx.Proxy(self._size_of(leaf, dim))
                self.known[node] = ((made - offset if offset else made) // factor).node
            else:
                self.known[node] = self.graph.node_copy(node, lambda n: self.known[n])
                self.known[node].name = f"sym_size_int_{number + 1}"
        for node in nodes:
            if node.op == "output" or node in self.known or node in extra:
                continue
            if node.op == "get_attr":
                copy = self.graph.call_function(torch.ops.aten.lift_fresh_copy.default, (self.named[self.literals[node]],))
                made = self.graph.call_function(torch.ops.aten.detach.default, (copy,))
                copy.meta, made.meta, self.known[node] = dict(node.meta), dict(node.meta), made
                continue
            if any(n in extra for n in node.all_input_nodes):
                continue  # of a tensor that is not the module's
            if node.op == "placeholder":
                raise RuntimeError(f"the graph reads '{node.name}', which is neither an input nor the module's: make it a "
                                   "buffer or an input")
            self.known[node] = self.graph.node_copy(node, lambda n: self.known[n])
            self.known[node].kwargs = _options(self.known[node])
        for node in self.graph.nodes:
            if "example_value" in node.meta:
                node.meta["example_value"] = self.trace.sizes.renamed(str(node.meta["example_value"]))
            if "shape" in node.meta:
                node.meta["shape"] = tuple(self.trace.sizes.renamed(s) if isinstance(s, str) else s
                                           for s in node.meta["shape"])

    def _outputs(self):
        computed = [] if self.trace.graph is None else list(self.trace.graph.graph.output_node().args[0])
        inputs = {id(self.trace.values[i]): self.leaves[i][0] for i in self.trace.tensors}
        state = [("p_" + n.replace(".", "_"), p) for n, p in self.mod.named_parameters()]
        state += [("b_" + n.replace(".", "_"), b) for n, b in self.mod.named_buffers()]
        state += [("c_" + n.replace(".", "_"), c) for n, c in self.lifted.items()]
        found = [(kind, target, self.known[computed[number]]) for kind, target, number in self.trace.writes]
        marks = []
        leaves, self.out_spec = pytree.tree_flatten(self.trace.result)
        for k, leaf in enumerate(leaves):
            if k in self.trace.numbers:
                at = self.trace.number(self.trace.numbers[k])
                mark = None if at is None else computed[at]
                number = mark.args[1] if mark is not None and mark.target is torch.ops.aten.full.default else None
                if number is None or isinstance(number, torch.fx.Node) and type(leaf) is not int:
                    raise NotImplementedError(_NUMBER)
                marks.append(self.known[mark])
                node = self.known[number] if isinstance(number, torch.fx.Node) else number
            elif isinstance(leaf, torch.Tensor):
                node = self._result(leaf, inputs, computed, state)
            else:
                node = leaf
            found.append((OutputKind.USER_OUTPUT, None, node))
        self.graph.output(tuple([node for kind, target, node in found]))
        for mark in marks:
            self._drop(mark)
        specs = []
        for kind, target, node in found:
            if not isinstance(node, torch.fx.Node):
                arg = ConstantArgument("", node)
            else:
                arg = TensorArgument(node.name) if "shape" in node.meta else SymIntArgument(node.name)
            specs.append(OutputSpec(kind, arg, target))
        return specs

    def _result(self, tensor, inputs, computed, state):
        if id(tensor) in inputs:
            return self.named[inputs[id(tensor)]]
        number = self.trace.number(tensor)
        if number is not None:
            return self.known[computed[number]]
        for name, value in state:
            if value is tensor or _same(value, tensor):
                return self.named[name]
        raise NotImplementedError("torch.export of a module that gives a tensor which its graph does not compute")

    def _drop(self, node):
        """What stood for an int among the results, and what only it used."""
        if node.users or node.op == "placeholder":
            return
        before = node.all_input_nodes
        self.graph.erase_node(node)
        for other in before:
            self._drop(other)

    def finish(self, args, kwargs):
        trace = self.trace
        self._inputs()
        self._copy()
        outputs = self._outputs()
        root = torch.nn.Module() if trace.graph is None else trace.graph
        made = torch.fx.GraphModule(root, self.graph, "GraphModule")
        spec = pytree.tree_flatten((args, kwargs))[1]
        return ExportedProgram(made, ExportGraphSignature(self.specs, outputs), self.mod, (spec, self.out_spec),
                               trace.sizes.ranges(), self._checks(), (args, kwargs), self.constants)

    def _checks(self):
        found = []

        def fixed(i, d, size, text):
            found.append((lambda v: v[i].shape[d] == size, f"Guard failed: {text}.size()[{d}] == {size}"))

        def rank(i, dims, text):
            found.append((lambda v: v[i].dim() == dims, f"Guard failed: len({text}.size()) == {dims}"))

        def constant(i, value, text):
            found.append((lambda v: type(v[i]) is type(value) and v[i] == value, f"Guard failed: {text} == {value!r}"))

        for i, (name, source, value, shape) in enumerate(self.leaves):
            text = _shapes._argument(source)
            if not isinstance(value, torch.Tensor):
                constant(i, value, text)
                continue
            rank(i, value.dim(), text)
            for d, size in enumerate(self.trace.sizes.shape(i, value)):
                if not isinstance(size, str):
                    fixed(i, d, size, text)
        return found + self.trace.sizes.checks(self.leaves)


def save(ep, f, **options):
    raise OSError(f"scripts cannot write files here: {f}")


class _Saved:
    """The tensors of the file that is open, as those of the ExportedProgram that it holds."""

    def __init__(self, held):
        self.state_dict, self.constants, inputs = {}, {}, []
        for kind, name, tensor, requires_grad in held:
            if kind == "parameter":
                self.state_dict[name] = torch.nn.Parameter(tensor, requires_grad)
            elif kind == "input":
                inputs.append(tensor)
            else:
                (self.state_dict if kind == "buffer" else self.constants)[name] = tensor
        self.example_inputs = tuple(inputs), {}


def load(f, **options):
    held = _C.held_tensors(str(f))
    if held is None:
        raise FileNotFoundError(f"scripts cannot read files here: {f}")
    return _Saved(held)


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    """Inputs and results of this class are taken apart into their fields."""
    import dataclasses
    names = field_names or [field.name for field in dataclasses.fields(cls) if field.init]
    pytree.register_pytree_node(cls, lambda v: ([getattr(v, name) for name in names], names),
                                lambda values, names: cls(**dict(zip(names, values))))


def unflatten(module, flat_args_adapter=None):
    raise NotImplementedError("torch.export.unflatten: a program here has one graph for all of its modules; call "
                              "program.module()")
