# SPDX-License-Identifier: Apache-2.0
# torch.export: one whole graph of a module, with parameters and buffers as inputs, and what each input is.
import torch


class InputSpec:
    def __init__(self, kind, name, target):
        self.kind = kind
        self.name = name
        self.target = target

    def __str__(self):
        return f"{self.name}: {self.kind}" + ("" if self.target is None else f" target='{self.target}'")


class ExportGraphSignature:
    def __init__(self, inputs, outputs):
        self.input_specs = inputs
        self.output_names = outputs

    def _of(self, kind, what):
        return tuple([getattr(spec, what) for spec in self.input_specs if spec.kind == kind])

    @property
    def user_inputs(self):
        return self._of("USER_INPUT", "name")

    @property
    def user_outputs(self):
        return tuple(self.output_names)

    @property
    def parameters(self):
        return self._of("PARAMETER", "target")

    @property
    def buffers(self):
        return self._of("BUFFER", "target")

    @property
    def inputs_to_parameters(self):
        return {spec.name: spec.target for spec in self.input_specs if spec.kind == "PARAMETER"}

    @property
    def inputs_to_buffers(self):
        return {spec.name: spec.target for spec in self.input_specs if spec.kind == "BUFFER"}

    def __str__(self):
        lines = ["# inputs"] + [str(spec) for spec in self.input_specs] + ["", "# outputs"]
        return "\n".join(lines + [f"{name}: USER_OUTPUT" for name in self.output_names]) + "\n"


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
        given = list(args) + list(kwargs.values())
        if len(given) != len(program._arguments):
            raise RuntimeError(f"the program was exported with {len(program._arguments)} inputs, got {len(given)}")
        given = {name: value for name, value in zip(program._arguments, given)}
        state = dict(self.named_parameters())
        state.update(dict(self.named_buffers()))
        values = []
        for spec in program.graph_signature.input_specs:
            value = given[spec.name] if spec.kind == "USER_INPUT" else state[spec.target]
            wanted = program._shapes[spec.name]
            if spec.kind == "USER_INPUT" and tuple(value.shape) != wanted:
                raise RuntimeError(f"Guard failed: {spec.name}.size() == {wanted}, got {tuple(value.shape)}")
            values.append(value)
        return program._rebuilt(list(program.graph_module(*values)))


class ExportedProgram:
    def __init__(self, graph_module, signature, source, arguments, shapes, example):
        self.graph_module = graph_module
        self.graph_signature = signature
        self.range_constraints = {}
        self.state_dict = source.state_dict()
        self._source = source
        self._arguments = arguments
        self._shapes = shapes
        self._example = example

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

    def run_decompositions(self, decomp_table=None):
        return self

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


def _leaves(v):
    if isinstance(v, torch.Tensor):
        return [v]
    if isinstance(v, dict):
        return [leaf for item in v.values() for leaf in _leaves(item)]
    if isinstance(v, (list, tuple)):
        return [leaf for item in v for leaf in _leaves(item)]
    return []


def export(mod, args, kwargs=None, *, dynamic_shapes=None, strict=False, preserve_module_call_signature=()):
    if not isinstance(mod, torch.nn.Module):
        raise ValueError(f"Expected `mod` to be an instance of `torch.nn.Module`, got {type(mod)}.")
    if not isinstance(args, tuple):
        raise ValueError(f"Expecting `args` to be a tuple of example positional inputs, got {type(args)}")
    if dynamic_shapes:
        raise NotImplementedError("torch.export with dynamic_shapes is not available: export one size at a time")
    kwargs = kwargs or {}
    arguments = _C.parameter_names(mod.forward)[1:len(args) + 1] + list(kwargs.keys())
    if not all(isinstance(v, torch.Tensor) for v in list(args) + list(kwargs.values())):
        raise NotImplementedError("torch.export takes tensors as inputs here: bind other values in the module")
    found = []

    def collect(gm, example_inputs):
        found.append((gm, example_inputs))
        return gm.forward

    result = torch.compile(mod, backend=collect, fullgraph=True)(*args, **kwargs)
    if not found:
        raise RuntimeError("the module computes nothing with tensors")
    gm, inputs = found[0]
    wanted = [("PARAMETER", "p_" + name.replace(".", "_"), name, p) for name, p in mod.named_parameters()]
    wanted += [("BUFFER", "b_" + name.replace(".", "_"), name, b) for name, b in mod.named_buffers()]
    wanted += [("USER_INPUT", name, None, v) for name, v in zip(arguments, list(args) + list(kwargs.values()))]
    old = [node for node in gm.graph.nodes if node.op == "placeholder"]
    graph, values, specs, shapes = torch.fx.Graph(), {}, [], {}
    for kind, name, target, tensor in wanted:
        node = graph.placeholder(name)
        node.meta["shape"], node.meta["dtype"] = tuple(tensor.shape), tensor.dtype
        specs.append(InputSpec(kind, node.name, target))
        shapes[node.name] = tuple(tensor.shape)
        for placeholder, value in zip(old, inputs):
            if value.data_ptr() == tensor.data_ptr() and value.shape == tensor.shape:
                values[placeholder] = node
    for node in gm.graph.nodes:
        if node.op == "placeholder":
            if node not in values:
                raise RuntimeError(f"the graph reads '{node.name}', which is neither an input nor the module's: "
                                   "make it a buffer or an input")
        elif node.op == "output":
            outputs = [values[n] for n in node.args[0]]
        else:
            values[node] = graph.node_copy(node, lambda n: values[n])
    if len(outputs) != len(_leaves(result)):
        raise NotImplementedError("torch.export of a module that changes tensors or gives one twice is not available")
    graph.output(tuple(outputs))
    made = torch.fx.GraphModule(gm, graph, "GraphModule")
    signature = ExportGraphSignature(specs, [node.name for node in outputs])
    return ExportedProgram(made, signature, mod, arguments, shapes, result)


def save(ep, f, **options):
    raise OSError(f"scripts cannot write files here: {f}")


def load(f, **options):
    raise FileNotFoundError(f"scripts cannot read files here: {f}")


def Dim(name, *, min=None, max=None):
    raise NotImplementedError("torch.export with dynamic_shapes is not available: export one size at a time")
