# SPDX-License-Identifier: Apache-2.0
# torch.export.exported_program: an exported graph, and a module that calls it.
import torch
import torch.utils._pytree as pytree
from torch.export.graph_signature import ConstantArgument, ExportGraphSignature, InputKind, OutputKind, OutputSpec, \
    TensorArgument
from torch.fx.experimental.proxy_tensor import make_fx


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

    @property
    def graph(self):
        return self._program[0].graph

    def train(self, mode=True):
        raise NotImplementedError(f"Calling {'train' if mode else 'eval'}() is not supported yet.")

    def eval(self):
        return self.train(False)

    def forward(self, *args, **kwargs):
        program = self._program[0]
        leaves = program._flattened(args, kwargs)
        program._check(leaves)
        state = dict(self.named_parameters())
        state.update(dict(self.named_buffers()))
        state.update(program.constants)
        given, values = {}, []
        left = iter(leaves)
        for spec in program.graph_signature.input_specs:
            value = next(left) if spec.kind is InputKind.USER_INPUT else state[spec.target]
            if spec.kind is InputKind.USER_INPUT:
                given[spec.arg.name] = value
            values.append(value)
        outputs = []
        for spec, value in zip(program.graph_signature.output_specs, program.graph_module(*values)):
            if spec.kind is OutputKind.USER_OUTPUT:
                outputs.append(value)
                continue
            with torch.no_grad():
                (given if spec.kind is OutputKind.USER_INPUT_MUTATION else state)[spec.target].copy_(value)
        return program._out_spec.unflatten(outputs)


class ExportedProgram:
    """
    \\param specs: of the inputs and of the outputs, as torch.utils._pytree describes them
    \\param checks: (a condition of the inputs, what is told where it does not hold)
    """

    def __init__(self, graph_module, signature, source, specs, ranges, checks, inputs, constants):
        self.graph_module = graph_module
        self.graph_signature = signature
        self.range_constraints = ranges
        self.state_dict = source.state_dict()
        self.example_inputs = inputs
        self.constants = constants
        self._source = source
        self._in_spec, self._out_spec = specs
        self._checks = checks

    @property
    def graph(self):
        return self.graph_module.graph

    @property
    def call_spec(self):
        return self._in_spec, self._out_spec

    @property
    def tensor_constants(self):
        return self.constants

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

    def _flattened(self, args, kwargs):
        names = self._in_spec.children_specs[1].context
        if set(kwargs) != set(names):
            raise ValueError(f"Ran into a kwarg keyword mismatch: Got the following keywords {list(kwargs)} but expected "
                             f"{names}")
        leaves, spec = pytree.tree_flatten((args, {name: kwargs[name] for name in names}))
        if spec != self._in_spec:
            raise ValueError(f"Trying to flatten user inputs with exported input tree spec: \n{self._in_spec}\nbut actually "
                             f"got inputs with tree spec of: \n{spec}.\nPlease check that the inputs have the same number "
                             "and type of args and kwargs as the ones you used when tracing.")
        return leaves

    def _check(self, leaves):
        """Raises unless the inputs are as the program was exported for."""
        for condition, failed in self._checks:
            if not condition(leaves):
                raise AssertionError(failed)

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.")

    def run_decompositions(self, decomp_table=None):
        """The program in the operations that its own consist of; one with open sizes stays as it is."""
        if self.range_constraints:
            return self
        state = dict(self.named_parameters())
        state.update(dict(self.named_buffers()))
        state.update(self.constants)
        left = iter(pytree.tree_flatten(self.example_inputs)[0])
        signature = self.graph_signature
        values = [next(left) if spec.kind is InputKind.USER_INPUT else state[spec.target] for spec in signature.input_specs]
        tensors = [i for i, v in enumerate(values) if isinstance(v, torch.Tensor)]
        kept = [i for i, spec in enumerate(signature.output_specs) if not isinstance(spec.arg, ConstantArgument)]

        def run(*args):
            given = list(values)
            for i, value in zip(tensors, args):
                given[i] = value
            outputs = self.graph_module(*given)
            return [outputs[i] for i in kept]

        with torch.no_grad():
            traced = make_fx(run, decomp_table)(*[values[i].detach() for i in tensors])
        graph, known, names = torch.fx.Graph(), {}, [spec.arg.name for spec in signature.input_specs]
        inputs = iter(node for node in traced.graph.nodes if node.op == "placeholder")
        for i, name in enumerate(names):
            made = graph.placeholder(name)
            made.name = name
            if i in tensors:
                node = next(inputs)
                made.meta, known[node] = node.meta, made
        for node in traced.graph.nodes:
            if node.op not in ("placeholder", "output"):
                known[node] = graph.node_copy(node, lambda n: known[n])
        found = iter(torch.fx.map_arg(traced.graph.output_node().args[0], lambda n: known[n]))
        outputs = [next(found) if i in kept else spec.arg.value for i, spec in enumerate(signature.output_specs)]
        graph.output(tuple(outputs))
        specs = [OutputSpec(spec.kind, TensorArgument(node.name) if i in kept else spec.arg, spec.target)
                 for i, (spec, node) in enumerate(zip(signature.output_specs, outputs))]
        return ExportedProgram(torch.fx.GraphModule(traced, graph, "GraphModule"),
                               ExportGraphSignature(signature.input_specs, specs), self._source, self.call_spec,
                               self.range_constraints, self._checks, self.example_inputs, self.constants)

    def __str__(self):
        body = self.graph_module.print_readable(print_output=False).rstrip("\n").split("\n")
        text = "ExportedProgram:\n" + "\n".join("    " + line for line in body) + "\n    \nGraph signature:\n"
        text += "\n".join("    " + line for line in str(self.graph_signature).lstrip("\n").split("\n"))
        return text + f"\nRange constraints: {self.range_constraints}\n"

    def __repr__(self):
        return str(self)
