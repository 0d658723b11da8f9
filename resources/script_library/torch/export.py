# SPDX-License-Identifier: Apache-2.0
# torch.export: one whole graph of a module, with parameters and buffers as inputs, and what each input is.
import dataclasses
import enum

import torch
from torch.fx.experimental.proxy_tensor import make_fx


class InputKind(enum.Enum):
    USER_INPUT = enum.auto()
    PARAMETER = enum.auto()
    BUFFER = enum.auto()
    CONSTANT_TENSOR = enum.auto()
    CUSTOM_OBJ = enum.auto()
    TOKEN = enum.auto()


class OutputKind(enum.Enum):
    USER_OUTPUT = enum.auto()
    LOSS_OUTPUT = enum.auto()
    BUFFER_MUTATION = enum.auto()
    PARAMETER_MUTATION = enum.auto()
    GRADIENT_TO_PARAMETER = enum.auto()
    GRADIENT_TO_USER_INPUT = enum.auto()
    USER_INPUT_MUTATION = enum.auto()
    TOKEN = enum.auto()


@dataclasses.dataclass
class TensorArgument:
    name: str


@dataclasses.dataclass
class InputSpec:
    kind: InputKind
    arg: TensorArgument
    target: object
    persistent: object = None

    def __str__(self):
        target = "" if self.target is None else f" target='{self.target}'"
        persistent = "" if self.persistent is None else f" persistent={self.persistent}"
        return f"{self.arg.name}: {self.kind.name}{target}{persistent}"


@dataclasses.dataclass
class OutputSpec:
    kind: OutputKind
    arg: TensorArgument
    target: object

    def __str__(self):
        target = "" if self.target is None else f" target='{self.target}'"
        return f"{self.arg.name}: {self.kind.name}{target}"


@dataclasses.dataclass
class ExportGraphSignature:
    input_specs: list
    output_specs: list

    def _inputs(self, kind):
        return [spec for spec in self.input_specs if spec.kind is kind]

    def _written(self, kind):
        return {spec.arg.name: spec.target for spec in self.output_specs if spec.kind is kind}

    @property
    def user_inputs(self):
        return tuple([spec.arg.name for spec in self._inputs(InputKind.USER_INPUT)])

    @property
    def user_outputs(self):
        return tuple([spec.arg.name for spec in self.output_specs if spec.kind is OutputKind.USER_OUTPUT])

    @property
    def parameters(self):
        return tuple([spec.target for spec in self._inputs(InputKind.PARAMETER)])

    @property
    def buffers(self):
        return tuple([spec.target for spec in self._inputs(InputKind.BUFFER)])

    @property
    def non_persistent_buffers(self):
        return tuple([spec.target for spec in self._inputs(InputKind.BUFFER) if not spec.persistent])

    @property
    def lifted_tensor_constants(self):
        return ()

    @property
    def inputs_to_parameters(self):
        return {spec.arg.name: spec.target for spec in self._inputs(InputKind.PARAMETER)}

    @property
    def inputs_to_buffers(self):
        return {spec.arg.name: spec.target for spec in self._inputs(InputKind.BUFFER)}

    @property
    def buffers_to_mutate(self):
        return self._written(OutputKind.BUFFER_MUTATION)

    @property
    def user_inputs_to_mutate(self):
        return self._written(OutputKind.USER_INPUT_MUTATION)

    def __str__(self):
        lines = ["", "# inputs"] + [str(spec) for spec in self.input_specs] + ["", "# outputs"]
        return "\n".join(lines + [str(spec) for spec in self.output_specs]) + "\n"


class _Unlifted(torch.nn.Module):
    """The program as a module: its parameters are the exported module's."""

    def __init__(self, program, source):
        super().__init__()
        self._program = [program]
        for name, child in source._modules.items():
            self._modules[name] = child
        for name, value in source._parameters.items():
            self._parameters[name] = value
        for name, value in source._buffers.items():
            self._buffers[name] = value

    def forward(self, *args, **kwargs):
        program = self._program[0]
        names = program._arguments[len(args):]
        if len(args) + len(kwargs) != len(program._arguments) or any(name not in names for name in kwargs):
            raise ValueError("Trying to flatten user inputs with exported input tree spec: \n"
                             f"the inputs {program._arguments}\nbut actually got {len(args)} by place and {list(kwargs)}")
        given = dict(zip(program._arguments, list(args) + [kwargs[name] for name in names]))
        state = dict(self.named_parameters())
        state.update(dict(self.named_buffers()))
        values, sizes = [], {}
        for spec in program.graph_signature.input_specs:
            value = given[spec.arg.name] if spec.kind is InputKind.USER_INPUT else state[spec.target]
            if spec.kind is InputKind.USER_INPUT:
                program._check(spec.arg.name, value, sizes)
            values.append(value)
        outputs = []
        for spec, value in zip(program.graph_signature.output_specs, program.graph_module(*values)):
            if spec.kind is OutputKind.USER_OUTPUT:
                outputs.append(value)
                continue
            with torch.no_grad():
                (given if spec.kind is OutputKind.USER_INPUT_MUTATION else state)[spec.target].copy_(value)
        return program._rebuilt(outputs)


class ExportedProgram:
    def __init__(self, graph_module, signature, source, arguments, shapes, example, ranges, inputs):
        self.graph_module = graph_module
        self.graph_signature = signature
        self.range_constraints = ranges
        self.state_dict = source.state_dict()
        self._source = source
        self._arguments = arguments
        self._shapes = shapes
        self._example = example
        self.example_inputs = inputs
        self.constants = {name: source.get_buffer(name) for name in signature.non_persistent_buffers}

    @property
    def graph(self):
        return self.graph_module.graph

    def module(self, check_guards=True):
        return _Unlifted(self, self._source)

    def parameters(self):
        return self._source.parameters()

    def named_parameters(self):
        return self._source.named_parameters()

    def buffers(self):
        return self._source.buffers()

    def named_buffers(self):
        return self._source.named_buffers()

    def _check(self, name, value, sizes):
        """Raises unless an input has the sizes that the program was exported for."""
        wanted = self._shapes[name]
        if value.dim() != len(wanted):
            raise AssertionError(f"Guard failed: len({name}.size()) == {len(wanted)}")
        for d, (size, found) in enumerate(zip(wanted, value.shape)):
            if not isinstance(size, str):
                if size != found:
                    raise AssertionError(f"Guard failed: {name}.size()[{d}] == {size}")
                continue
            first, known = sizes.setdefault(size, (f"{name}.size()[{d}]", found))
            if known != found:
                raise AssertionError(f"Guard failed: {name}.size()[{d}] == {first}")
            allowed = self.range_constraints.get(size)
            if allowed is not None and found < allowed.lower:
                raise AssertionError(f"Guard failed: {name}.size()[{d}] >= {allowed.lower}")
            if allowed is not None and allowed.upper is not None and found > allowed.upper:
                raise AssertionError(f"Guard failed: {name}.size()[{d}] <= {allowed.upper}")

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.")

    def run_decompositions(self, decomp_table=None):
        """The program in the operations that its own consist of; one with open sizes stays as it is."""
        if self.range_constraints:
            return self
        state = dict(self.named_parameters())
        state.update(dict(self.named_buffers()))
        given = dict(zip(self._arguments, list(self.example_inputs[0]) + list(self.example_inputs[1].values())))
        signature = self.graph_signature
        values = [given[spec.arg.name] if spec.kind is InputKind.USER_INPUT else state[spec.target]
                  for spec in signature.input_specs]
        with torch.no_grad():
            traced = make_fx(lambda *args: self.graph_module(*args))(*[v.detach() for v in values])
        graph, known = torch.fx.Graph(), {}
        inputs = iter(signature.input_specs)
        for node in traced.graph.nodes:
            if node.op == "placeholder":
                name = next(inputs).arg.name
                known[node] = graph.placeholder(name)
                known[node].name, known[node].meta = name, node.meta
            elif node.op != "output":
                known[node] = graph.node_copy(node, lambda n: known[n])
            else:
                outputs = torch.fx.map_arg(node.args[0], lambda n: known[n])
        graph.output(tuple(outputs))
        specs = [OutputSpec(spec.kind, TensorArgument(node.name), spec.target)
                 for spec, node in zip(signature.output_specs, outputs)]
        return ExportedProgram(torch.fx.GraphModule(traced, graph, "GraphModule"),
                               ExportGraphSignature(signature.input_specs, specs), self._source, self._arguments, self._shapes,
                               self._example, self.range_constraints, self.example_inputs)

    def _rebuilt(self, outputs):
        def build(v):
            if isinstance(v, torch.Tensor):
                return outputs.pop(0)
            if isinstance(v, dict):
                return {key: build(item) for key, item in v.items()}
            if isinstance(v, (list, tuple)):
                return type(v)([build(item) for item in v])
            return v

        return build(self._example)

    def __str__(self):
        body = self.graph_module.print_readable(print_output=False).rstrip("\n").split("\n")
        text = "ExportedProgram:\n" + "\n".join("    " + line for line in body) + "\n    \nGraph signature:\n"
        text += "\n".join("    " + line for line in str(self.graph_signature).split("\n"))
        return text + f"\nRange constraints: {self.range_constraints}\n"

    def __repr__(self):
        return str(self)


def _all_leaves(v):
    if isinstance(v, dict):
        return [leaf for item in v.values() for leaf in _all_leaves(item)]
    if isinstance(v, (list, tuple)):
        return [leaf for item in v for leaf in _all_leaves(item)]
    return [v]


def _leaves(v):
    return [leaf for leaf in _all_leaves(v) if isinstance(leaf, torch.Tensor)]


class ValueRanges:
    """The sizes that a symbol stands for; upper None: no end."""

    def __init__(self, lower, upper):
        self.lower = lower
        self.upper = upper

    def __repr__(self):
        return f"VR[{self.lower}, {'int_oo' if self.upper is None else self.upper}]"


class _Symbol(str):
    def __repr__(self):
        return str(self)


class _DimHint:
    def __init__(self, kind, min=None, max=None):
        self.type = kind
        self.min = min
        self.max = max

    def __call__(self, min=None, max=None):
        return _DimHint(self.type, min, max)

    def __repr__(self):
        return f"DimHint({self.type})"


class Dim:
    """A size that an exported program leaves open."""

    AUTO = _DimHint("AUTO")
    DYNAMIC = _DimHint("DYNAMIC")
    STATIC = _DimHint("STATIC")

    def __init__(self, name, *, min=None, max=None):
        self.__name__ = name
        self.min = 0 if min is None else min
        self.max = max
        if not name.isidentifier():
            raise AssertionError(f"Dim name must be a valid identifier, got {name}")
        if max is not None and self.min >= max:
            raise AssertionError(f"Cannot create Dim with inconsistent min={self.min}, max={max}")

    def __repr__(self):
        return f"Dim('{self.__name__}', min={self.min}" + (")" if self.max is None else f", max={self.max})")

    def __mul__(self, other):
        raise NotImplementedError("sizes that are computed of a Dim (2*batch) are not available: use Dim.AUTO")

    __rmul__ = __add__ = __radd__ = __sub__ = __mul__


def dims(*names, min=None, max=None):
    return tuple(Dim(name, min=min, max=max) for name in names)


def _wishes(arguments, values, dynamic_shapes):
    """What is wanted of the sizes of each input: a Dim, a hint or None by dimension."""
    if dynamic_shapes is None:
        return {}
    if isinstance(dynamic_shapes, dict):
        if set(dynamic_shapes) - set(arguments):
            raise torch._dynamo.exc.UserError(
                f"When `dynamic_shapes` is specified as a dict, its top-level keys must be the arg names {arguments} of "
                f"`inputs`, but here they are {list(dynamic_shapes)}. Alternatively, you could also ignore arg names "
                "entirely and specify `dynamic_shapes` as a list/tuple matching `inputs`.")
        given = dynamic_shapes
    else:
        if len(dynamic_shapes) != len(arguments):
            raise torch._dynamo.exc.UserError(f"`dynamic_shapes` has {len(dynamic_shapes)} elements, but there are "
                                              f"{len(arguments)} inputs")
        given = dict(zip(arguments, dynamic_shapes))
    found = {}
    for name, value in zip(arguments, values):
        shape = given.get(name)
        each = {} if shape is None else shape if isinstance(shape, dict) else dict(enumerate(shape))
        for d, wish in each.items():
            d = d % value.dim() if value.dim() else d
            if d >= value.dim():
                raise torch._dynamo.exc.UserError(f"'{name}' has no dimension {d}: its shape is {tuple(value.shape)}")
            if isinstance(wish, int) and wish != value.shape[d]:
                raise torch._dynamo.exc.UserError(f"Static shape constraint of {wish} does not match input size of "
                                                  f"{value.shape[d]}, for inputs['{name}'].shape[{d}]")
            if isinstance(wish, Dim) or (isinstance(wish, _DimHint) and wish.type != "STATIC"):
                found[name, d] = wish
    return found


def _marked(name, value, wishes):
    """The same values with what is wanted of its sizes; asks of the caller's tensor nothing."""
    mine = {d: wish for (owner, d), wish in wishes.items() if owner == name}
    if not mine:
        return value
    made = value.detach().requires_grad_(value.requires_grad)
    for d, wish in mine.items():
        if isinstance(wish, _DimHint) and wish.type == "AUTO":
            torch._dynamo.maybe_mark_dynamic(made, d)
        else:
            torch._dynamo.mark_dynamic(made, d)
    return made


def _settled(wishes, shapes):
    """Ranges of the symbols; raises where a size that was to stay open did not."""
    ranges, names = {}, {}
    for (name, d), wish in wishes.items():
        size = shapes[name][d]
        text = wish.__name__ if isinstance(wish, Dim) else f"{name}.size()[{d}]"
        if not isinstance(size, str):
            if isinstance(wish, _DimHint) and wish.type == "AUTO":
                continue
            raise torch._dynamo.exc.UserError(
                f"Constraints violated ({text})! For more information, run with TORCH_LOGS=\"+dynamic\".\n  - You marked "
                f"{text} as dynamic but your code specialized it to be a constant ({size}). If you're using "
                "mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with "
                f"either Dim.STATIC or Dim.AUTO.\nSuggested fixes:\n  {text} = {size}")
        if isinstance(wish, Dim) and names.setdefault(size, wish.__name__) != wish.__name__:
            raise torch._dynamo.exc.UserError(
                f"Constraints violated ({names[size]}, {text})! The values of {text} and {names[size]} must always be "
                f"equal.\nSuggested fixes:\n  {text} = {names[size]}")
        least = wish.min if isinstance(wish, Dim) else 2
        most = wish.max
        before = ranges.get(size)
        if before is not None:
            least = max(least, before.lower)
            most = before.upper if most is None else most if before.upper is None else min(most, before.upper)
        ranges[_Symbol(size)] = ValueRanges(least, most)
    return ranges


def export(mod, args, kwargs=None, *, dynamic_shapes=None, strict=False, preserve_module_call_signature=()):
    if not isinstance(mod, torch.nn.Module):
        raise ValueError(f"Expected `mod` to be an instance of `torch.nn.Module`, got {type(mod)}.")
    if not isinstance(args, tuple):
        raise ValueError(f"Expecting `args` to be a tuple of example positional inputs, got {type(args)}")
    kwargs = kwargs or {}
    arguments = _C.parameter_names(mod.forward)[1:len(args) + 1] + list(kwargs.keys())
    if not all(isinstance(v, torch.Tensor) for v in list(args) + list(kwargs.values())):
        raise NotImplementedError("torch.export takes tensors as inputs here: bind other values in the module")
    wishes = _wishes(arguments, list(args) + list(kwargs.values()), dynamic_shapes)
    args = tuple(_marked(name, value, wishes) for name, value in zip(arguments, args))
    kwargs = {name: _marked(name, value, wishes) for name, value in kwargs.items()}
    gm, inputs, result, places, writes = _compiled(mod, args, kwargs, arguments, wishes)
    wanted = [(InputKind.PARAMETER, "p_" + name.replace(".", "_"), name, p) for name, p in mod.named_parameters()]
    wanted += [(InputKind.BUFFER, "b_" + name.replace(".", "_"), name, b) for name, b in mod.named_buffers()]
    wanted += [(InputKind.USER_INPUT, name, None, v) for name, v in zip(arguments, list(args) + list(kwargs.values()))]
    kept = set(mod.state_dict(keep_vars=True))
    old = [node for node in gm.graph.nodes if node.op == "placeholder"]
    graph, values, specs, shapes, named = torch.fx.Graph(), {}, [], {}, {}
    for kind, name, target, tensor in wanted:
        node = graph.placeholder(name)
        node.name = name  # as it is called, though it be that of a built-in function ('input')
        node.meta["shape"], node.meta["dtype"] = tuple(tensor.shape), tensor.dtype
        specs.append(InputSpec(kind, TensorArgument(name), target, target in kept if kind is InputKind.BUFFER else None))
        shapes[name], named[name] = tuple(tensor.shape), node
        for placeholder, value in zip(old, inputs):
            if value.data_ptr() == tensor.data_ptr() and value.shape == tensor.shape:
                values[placeholder] = node
                if kind is InputKind.USER_INPUT:
                    shapes[name] = node.meta["shape"] = placeholder.meta["shape"]
    for node in gm.graph.nodes:
        if node.op == "placeholder":
            if node not in values:
                raise RuntimeError(f"the graph reads '{node.name}', which is neither an input nor the module's: "
                                   "make it a buffer or an input")
        elif node.op == "output":
            computed = [values[n] for n in node.args[0]]
        else:
            values[node] = graph.node_copy(node, lambda n: values[n])
    given = [(kind, target, computed[number]) for kind, target, number in writes]
    given += [(OutputKind.USER_OUTPUT, None, named[at] if isinstance(at, str) else computed[at]) for at in places]
    graph.output(tuple([node for kind, target, node in given]))
    made = torch.fx.GraphModule(gm, graph, "GraphModule")
    outputs = [OutputSpec(kind, TensorArgument(node.name), target) for kind, target, node in given]
    own = {name: shapes[name] for name in arguments}
    if wishes and any(type(v) is int for v in _all_leaves(result)):
        raise NotImplementedError("torch.export of a module that gives an int beside sizes that are left open is not "
                                  "available: give a tensor")
    return ExportedProgram(made, ExportGraphSignature(specs, outputs), mod, arguments, shapes, result,
                           _settled(wishes, own), (args, kwargs))


def _compiled(mod, args, kwargs, arguments, wishes):
    """(graph, what it is called with, what the module gives, where each tensor of that comes from, what is written).
    The graph's results are told by their numbers, which stand in for them in one call; the module's tensors are put
    back."""
    found = []

    def collect(gm, example_inputs):
        found.append((gm, example_inputs))

        def numbered(*values):
            return [torch.full_like(v, number) for number, v in enumerate(gm.forward(*values))]

        return numbered

    collect._asks_for_sizes = True
    tensors = {(OutputKind.PARAMETER_MUTATION, name): p for name, p in mod.named_parameters()}
    tensors.update({(OutputKind.BUFFER_MUTATION, name): b for name, b in mod.named_buffers()})
    given = dict(zip(arguments, list(args) + list(kwargs.values())))
    tensors.update({(OutputKind.USER_INPUT_MUTATION, name): v for name, v in given.items()})
    before = {key: (t._version, t.detach().clone()) for key, t in tensors.items()}
    try:
        result = torch.compile(mod, backend=collect, fullgraph=True, dynamic=False if not wishes else None)(*args, **kwargs)
    except (ValueError, RuntimeError) as error:
        if "was to stay dynamic" not in str(error):
            raise
        raise torch._dynamo.exc.UserError(f"Constraints violated! {str(error).split('mark_dynamic: ')[-1]}") from None
    if not found:
        raise RuntimeError("the module computes nothing with tensors")
    names = {id(v): name for name, v in given.items()}
    outputs = found[0][0].graph.output_node().args[0]
    flags = [k for k, node in enumerate(outputs) if node.meta["dtype"] is torch.bool]

    def number(t):
        if t.dtype is not torch.bool:
            return int(t.detach().flatten()[0].item())
        if len(flags) != 1:
            raise NotImplementedError("torch.export of a module that gives several tensors of bool is not available")
        return flags[0]

    places = [names[id(t)] if id(t) in names else number(t) for t in _leaves(result)]
    writes = [key + (number(t),) for key, t in tensors.items() if t._version != before[key][0]]
    for key, t in tensors.items():
        if t._version != before[key][0]:
            with torch.no_grad():
                t.copy_(before[key][1])
    return found[0] + (result, places, writes)


def save(ep, f, **options):
    raise OSError(f"scripts cannot write files here: {f}")


def load(f, **options):
    raise FileNotFoundError(f"scripts cannot read files here: {f}")


def unflatten(module, flat_args_adapter=None):
    raise NotImplementedError("torch.export.unflatten: a program here has one graph for all of its modules; call "
                              "program.module()")
