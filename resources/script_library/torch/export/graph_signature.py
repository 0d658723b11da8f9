# SPDX-License-Identifier: Apache-2.0
# torch.export.graph_signature: what each input and output of an exported program is.
import dataclasses
import enum


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
class SymIntArgument:
    name: str


@dataclasses.dataclass
class ConstantArgument:
    name: str
    value: object


@dataclasses.dataclass
class InputSpec:
    kind: InputKind
    arg: object
    target: object
    persistent: object = None

    def __str__(self):
        target = "" if self.target is None else f" target='{self.target}'"
        persistent = "" if self.persistent is None else f" persistent={self.persistent}"
        return f"{self.arg.name}: {self.kind.name}{target}{persistent}"


@dataclasses.dataclass
class OutputSpec:
    kind: OutputKind
    arg: object
    target: object

    def __str__(self):
        target = "" if self.target is None else f" target='{self.target}'"
        return f"{self.arg.name}: {self.kind.name}{target}"


def _told(arg):
    return arg.value if isinstance(arg, ConstantArgument) else arg.name


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
        return tuple([_told(spec.arg) for spec in self._inputs(InputKind.USER_INPUT)])

    @property
    def user_outputs(self):
        return tuple([_told(spec.arg) for spec in self.output_specs if spec.kind is OutputKind.USER_OUTPUT])

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
        return tuple([spec.target for spec in self._inputs(InputKind.CONSTANT_TENSOR)])

    @property
    def inputs_to_parameters(self):
        return {spec.arg.name: spec.target for spec in self._inputs(InputKind.PARAMETER)}

    @property
    def inputs_to_buffers(self):
        return {spec.arg.name: spec.target for spec in self._inputs(InputKind.BUFFER)}

    @property
    def inputs_to_lifted_tensor_constants(self):
        return {spec.arg.name: spec.target for spec in self._inputs(InputKind.CONSTANT_TENSOR)}

    @property
    def buffers_to_mutate(self):
        return self._written(OutputKind.BUFFER_MUTATION)

    @property
    def parameters_to_mutate(self):
        return self._written(OutputKind.PARAMETER_MUTATION)

    @property
    def user_inputs_to_mutate(self):
        return self._written(OutputKind.USER_INPUT_MUTATION)

    def __str__(self):
        lines = ["", "# inputs"] + [str(spec) for spec in self.input_specs] + ["", "# outputs"]
        return "\n".join(lines + [str(spec) for spec in self.output_specs]) + "\n"
