# SPDX-License-Identifier: Apache-2.0
# torch.fx in the script language: graphs, the code that is made of them, and what walks them.
import inspect
import operator
import re
import types
from collections import namedtuple

import torch
import torch.overrides as overrides
import torch.utils._pytree as pytree
# _C: the evaluator's own functions; only scripts of the library know that name.


_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
            "matmul": "@", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "and_": "&",
            "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>"}
_IN_PLACE = {"iadd": "+=", "iand": "&=", "ifloordiv": "//=", "ilshift": "<<=", "imod": "%=", "imul": "*=", "imatmul": "@=",
             "ior": "|=", "ipow": "**=", "irshift": ">>=", "isub": "-=", "itruediv": "/=", "ixor": "^="}
_SIGNS = {"neg": "-", "pos": "+", "invert": "~"}
_getitem = operator.getitem
# Where PyTorch keeps functions that are names of torch and torch.nn.functional.
_OF_FUNCTIONAL = {"atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes", "broadcast_tensors",
                  "cartesian_prod", "cdist", "einsum", "istft", "meshgrid", "norm", "split", "stft", "tensordot", "unique",
                  "unique_consecutive", "unravel_index"}


# Of torch.nn.functional's those that are functions of C++, which are torch's but for these.
_OF_NN = {"avg_pool2d", "avg_pool3d", "gelu", "linear", "logsigmoid", "one_hot", "scaled_dot_product_attention", "softplus",
          "softshrink"}


def _operator_name(target):
    return target.__name__ if getattr(target, "__module__", None) == "operator" else None


def _target_name(target):
    if isinstance(target, str):
        return target
    name = _operator_name(target)
    if name is not None:
        return "operator." + name
    name = _C.builtin_name(target)
    if name is None and hasattr(target, "_overload"):
        return "torch.ops.aten." + target._overload + ("" if "." in target._overload else ".default")
    if name is None and hasattr(target, "_qualname"):  # of torch.library
        return f"torch.ops.{target}"
    if name is None:
        home = getattr(target, "__module__", None)
        if home == "torch.nn.functional" and target.__name__ in overrides._TOLD_AS_GIVEN:
            home = "torch._C._nn" if target.__name__ in _OF_NN else "torch"
        if home in ("torch._methods", "torch._linalg", "torch._sampling"):
            home = "torch.functional" if target.__name__ in _OF_FUNCTIONAL else "torch"
        return f"{home}.{target.__name__}" if home else target.__name__
    if name.startswith("torch.") and name[6:] in _OF_FUNCTIONAL:
        return "torch.functional." + name[6:]
    if name.startswith("torch.nn.functional.conv"):
        return "torch." + name[len("torch.nn.functional."):]
    if name.startswith(("aten.", "prims.")):
        return "torch.ops." + name
    return name if "." in name else "builtins." + name


def _type_text(kind):
    """An annotation as graphs print it; empty for those that are not told."""
    if not isinstance(kind, type) or kind is torch.SymInt:
        return ""
    home = kind.__module__
    if kind is torch.nn.Parameter:
        return "torch.nn.parameter.Parameter"
    return kind.__name__ if home == "builtins" else "torch.Tensor" if kind is torch.Tensor else ""


def _tabular_target(target):
    name = _operator_name(target)
    if name is not None:
        return f"<built-in function {name}>"
    name = _target_name(target)
    return name[len("torch.ops."):] if name.startswith("torch.ops.") else str(target)


class Node:
    def __init__(self, graph, name, op, target, args, kwargs, type=None):
        self.graph = graph
        self.name = name
        self.op = op
        self.target = target
        self.type = type
        self.meta = {}
        self.users = {}
        self._args = ()
        self._kwargs = {}
        self._set(args, kwargs)

    def _set(self, args, kwargs):
        for node in self.all_input_nodes:
            node.users.pop(self, None)
        self._args = args
        self._kwargs = kwargs
        for node in self.all_input_nodes:
            node.users[self] = None

    @property
    def args(self):
        return self._args

    @args.setter
    def args(self, value):
        self._set(tuple(value), self._kwargs)

    @property
    def kwargs(self):
        return self._kwargs

    @kwargs.setter
    def kwargs(self, value):
        self._set(self._args, dict(value))

    @property
    def all_input_nodes(self):
        found = []

        def visit(node):
            if not any(node is other for other in found):
                found.append(node)
            return node

        map_arg(self._args, visit)
        map_arg(self._kwargs, visit)
        return found

    @property
    def stack_trace(self):
        return self.meta.get("stack_trace")

    @stack_trace.setter
    def stack_trace(self, trace):
        self.meta["stack_trace"] = trace

    @property
    def next(self):
        nodes = self.graph._nodes
        at = self.graph._index(self) + 1
        return nodes[at] if at < len(nodes) else None

    @property
    def prev(self):
        at = self.graph._index(self) - 1
        return self.graph._nodes[at] if at >= 0 else None

    def replace_all_uses_with(self, replace_with, delete_user_cb=None, *, propagate_meta=False):
        changed = []
        for user in list(self.users):
            if delete_user_cb is not None and not delete_user_cb(user):
                continue
            user.replace_input_with(self, replace_with)
            changed.append(user)
        return changed

    def replace_input_with(self, old_input, new_input):
        def swap(node):
            return new_input if node is old_input else node

        self._set(map_arg(self._args, swap), map_arg(self._kwargs, swap))

    def update_arg(self, idx, arg):
        args = list(self._args)
        args[idx] = arg
        self.args = args

    def update_kwarg(self, key, arg):
        kwargs = dict(self._kwargs)
        kwargs[key] = arg
        self.kwargs = kwargs

    def append(self, x):
        self.graph._move(x, self.graph._index(self) + 1)

    def prepend(self, x):
        self.graph._move(x, self.graph._index(self))

    def is_impure(self):
        if self.op != "call_function":
            return self.op in ("placeholder", "output")
        writes = str(self.target).startswith(("aten.", "prims.")) and str(self.target).partition(".")[2].partition(".")[0]
        return bool(writes) and writes.endswith("_") or self.target in _IMPURE

    def __repr__(self):
        return self.name

    def format_node(self):
        if self.op == "placeholder":
            default = f"(default={self._args[0]})" if self._args else ""
            kind = _type_text(self.type)
            kind = kind and kind + " "
            return f"%{self.name} : {kind}[num_users={len(self.users)}] = placeholder[target={self.target}]{default}"
        if self.op == "get_attr":
            return f"%{self.name} : [num_users={len(self.users)}] = get_attr[target={self.target}]"
        if self.op == "output":
            return f"return {self._args[0]}"
        args = "(" + ", ".join(_show(a) for a in self._args) + ("," if len(self._args) == 1 else "") + ")"
        kwargs = "{" + ", ".join(f"{k}: {_show(v)}" for k, v in self._kwargs.items()) + "}"
        return (f"%{self.name} : [num_users={len(self.users)}] = {self.op}[target={_target_name(self.target)}]"
                f"(args = {args}, kwargs = {kwargs})")


def _show(value):
    if isinstance(value, Node):
        return "%" + value.name
    if isinstance(value, tuple):
        return "(" + ", ".join(_show(v) for v in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(_show(v) for v in value) + "]"
    return str(value)


def map_arg(a, fn):
    if isinstance(a, Node):
        return fn(a)
    if isinstance(a, tuple):
        return tuple([map_arg(v, fn) for v in a])
    if isinstance(a, list):
        return [map_arg(v, fn) for v in a]
    if isinstance(a, dict):
        return {k: map_arg(v, fn) for k, v in a.items()}
    if isinstance(a, slice):
        return slice(map_arg(a.start, fn), map_arg(a.stop, fn), map_arg(a.step, fn))
    return a


def map_aggregate(a, fn):
    """fn of every value in nested tuples, lists, dicts and slices."""
    if isinstance(a, tuple):
        found = [map_aggregate(v, fn) for v in a]
        return type(a)(*found) if hasattr(a, "_fields") else tuple(found)
    if isinstance(a, list):
        return [map_aggregate(v, fn) for v in a]
    if isinstance(a, dict):
        return {k: map_aggregate(v, fn) for k, v in a.items()}
    if isinstance(a, slice):
        return slice(map_aggregate(a.start, fn), map_aggregate(a.stop, fn), map_aggregate(a.step, fn))
    return fn(a)


class _InsertPoint:
    def __init__(self, graph, at):
        self.graph = graph
        self.before = graph._insert
        graph._insert = at

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.graph._insert = self.before


class _PythonCode:
    def __init__(self, src):
        self.src = src
        self.globals = {}


# Names that nodes cannot have: keywords and built-in functions of Python.
_RESERVED = {
    "False", "None", "True", "and", "as", "assert", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
    "return", "try", "while", "with", "yield", "abs", "all", "any", "bin", "bool", "bytes", "callable", "chr", "complex",
    "dict", "dir", "divmod", "enumerate", "eval", "exec", "filter", "float", "format", "frozenset", "getattr", "globals",
    "hasattr", "hash", "hex", "id", "input", "int", "isinstance", "issubclass", "iter", "len", "list", "locals", "map",
    "max", "min", "next", "object", "oct", "open", "ord", "pow", "print", "property", "range", "repr", "reversed",
    "round", "set", "setattr", "slice", "sorted", "str", "sum", "super", "tuple", "type", "vars", "zip", "inf", "nan",
    "torch", "device"}


def _snake_case(text):
    out = ""
    for i, c in enumerate(text):
        if c.isupper() and i and text[i - 1] != "_" and not text[i - 1].isupper():
            out += "_"
        out += c.lower()
    return out


class CodeGen:
    """How a graph's code takes its inputs and gives its outputs: as they are."""

    def process_inputs(self, *args):
        return args

    def process_outputs(self, outputs):
        return outputs

    def _signature(self, inputs):
        """(parameters, statements that make the graph's inputs of them). \param inputs: as parameters would be written"""
        return inputs, []

    def _returned(self, text):
        return text


class _PyTreeInfo(namedtuple("_PyTreeInfo", ["orig_args", "in_spec", "out_spec"])):
    pass


class _PyTreeCodeGen(CodeGen):
    """As a function's own arguments and results, which are flattened and put together (torch/fx/graph.py)."""

    def __init__(self, pytree_info):
        self.pytree_info = pytree_info

    def process_inputs(self, *args):
        return pytree.arg_tree_leaves(*args)

    def process_outputs(self, outputs):
        if self.pytree_info.out_spec is None:
            return outputs
        return pytree.tree_unflatten(outputs if isinstance(outputs, (list, tuple)) else [outputs], self.pytree_info.out_spec)

    def _signature(self, inputs):
        names, spec = self.pytree_info.orig_args, self.pytree_info.in_spec
        given = names[1:] if names[:1] == ["self"] else names
        if not inputs:
            return given, []
        kinds = [child.type for child in spec.children_specs]
        if spec.type is tuple and kinds == [tuple, dict]:
            count = spec.children_specs[0].num_children
            named = zip(spec.children_specs[1].context, given[count:])
            tree = f"([{', '.join(given[:count])}], {{{', '.join(f'{key!r}:{name}' for key, name in named)}}})"
        else:
            tree = f"[{', '.join(names)}]"
        free = ", ".join(parameter.split(":")[0].rstrip() for parameter in inputs)
        return given, [f"    {free}, = fx_pytree.tree_flatten_spec({tree}, self._in_spec)"]

    def _returned(self, text):
        return text if self.pytree_info.out_spec is None else f"pytree.tree_unflatten({text}, self._out_spec)"


class Graph:
    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        self._codegen = CodeGen()
        self._nodes = []
        self._names = set()
        self._counts = {}
        self._insert = None
        self.owning_module = owning_module

    @property
    def nodes(self):
        return list(self._nodes)

    def set_codegen(self, codegen):
        self._codegen = codegen

    def process_inputs(self, *args):
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out):
        return self._codegen.process_outputs(out)

    def _index(self, node):
        for i, other in enumerate(self._nodes):
            if other is node:
                return i
        raise RuntimeError(f"{node.name} is not a node of this graph")

    def _name(self, wanted):
        candidate = "".join(c if c.isalnum() or c == "_" else "_" for c in wanted) or "_"
        if candidate[0].isdigit():
            candidate = "_" + candidate
        base, _, digits = candidate.rpartition("_")
        number = int(digits) if base and digits.isdigit() else None
        base = candidate if number is None else base
        candidate = base if number is None else f"{base}_{number}"
        number = number or self._counts.get(base, 0)
        while candidate in self._names or candidate in _RESERVED:
            number += 1
            candidate = f"{base}_{number}"
        self._names.add(candidate)
        self._counts[base] = number
        return candidate

    def _move(self, node, at):
        if any(node is other for other in self._nodes):
            before = self._index(node)
            self._nodes.pop(before)
            if before < at:
                at -= 1
        self._nodes.insert(at, node)

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        if op not in ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output"):
            raise AssertionError(f"invalid node op {op}")
        if name is None:
            name = _target_name(target)
            if op == "call_function" and hasattr(target, "_qualname"):  # of torch.library
                name = f"{target._name}_default"
            elif op == "call_function":
                parts = name.split(".")
                parts = parts[2:] if parts[:2] == ["torch", "ops"] else parts
                name = parts[1] if parts[0] in ("aten", "prims") and len(parts) > 1 else parts[-1]
                name = name[:-1] if parts[0] == "operator" and name in ("and_", "or_") else name
            if op != "placeholder":
                name = _snake_case(name[2:-2] if len(name) > 4 and name.startswith("__") and name.endswith("__") else name)
        node = Node(self, self._name(name), op, target, tuple(args or ()), dict(kwargs or {}), type_expr)
        at = len(self._nodes)
        if self._insert is not None:
            place, after = self._insert
            at = self._index(place) + (1 if after else 0)
            if after:
                self._insert = (node, True)
        self._nodes.insert(at, node)
        return node

    def placeholder(self, name, type_expr=None, default_value=inspect.Signature.empty):
        given = () if default_value is inspect.Signature.empty else (default_value,)
        return self.create_node("placeholder", name, given, type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        return self.create_node("get_attr", qualified_name)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_function", the_function, args, kwargs)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_method", method_name, args, kwargs)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_module", module_name, args, kwargs)

    def output(self, result, type_expr=None):
        return self.create_node("output", "output", (result,))

    def output_node(self):
        return self._nodes[-1]

    def find_nodes(self, *, op, target=None, sort=True):
        return [n for n in self._nodes if n.op == op and (target is None or n.target == target)]

    def inserting_before(self, n=None):
        return _InsertPoint(self, None if n is None else (n, False))

    def inserting_after(self, n=None):
        return _InsertPoint(self, None if n is None else (n, True))

    def erase_node(self, to_erase):
        if to_erase.users:
            raise RuntimeError(f"Tried to erase Node {to_erase.name} but it still had {len(to_erase.users)} users in "
                               f"the graph: {to_erase.users}!")
        to_erase._set((), {})
        self._nodes.pop(self._index(to_erase))

    def eliminate_dead_code(self, is_impure_node=None):
        changed = False
        for node in reversed(list(self._nodes)):
            if not node.is_impure() and not node.users:
                self.erase_node(node)
                changed = True
        return changed

    def node_copy(self, node, arg_transform=None):
        transform = (lambda n: n) if arg_transform is None else arg_transform
        made = self.create_node(node.op, node.target, map_arg(node.args, transform), map_arg(node.kwargs, transform),
                                node.name, node.type)
        made.meta = dict(node.meta)
        return made

    def graph_copy(self, g, val_map):
        for node in g._nodes:
            if node.op == "output":
                return map_arg(node.args[0], lambda n: val_map[n])
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo):
        made = Graph()
        made._codegen = self._codegen
        values = {}
        for node in self._nodes:
            values[node] = made.node_copy(node, lambda n: values[n])
        return made

    def lint(self):
        seen = []
        for node in self._nodes:
            for other in node.all_input_nodes:
                if not any(other is s for s in seen):
                    raise RuntimeError(f"Argument '{other.name}' of Node '{node.name}' was used before it has been "
                                       "defined!")
            seen.append(node)

    def __repr__(self):
        return str(self)

    def __str__(self):
        return "graph():\n" + "\n".join("    " + node.format_node() for node in self._nodes)

    def print_tabular(self):
        rows = [[n.op, n.name, _tabular_target(n.target), str(n.args), str(n.kwargs)] for n in self._nodes]
        heads = ["opcode", "name", "target", "args", "kwargs"]
        widths = [max([len(heads[i])] + [len(row[i]) for row in rows]) for i in range(5)]
        print("  ".join(f"{h:<{w}}" for h, w in zip(heads, widths)).rstrip())
        print("  ".join("-" * w for w in widths))
        for row in rows:
            print("  ".join(f"{c:<{w}}" for c, w in zip(row, widths)).rstrip())

    def python_code(self, root_module="self", *, verbose=False, include_stride=False, include_device=False,
                    colored=False, expanded_def=False):
        return _PythonCode(_source(self, root_module, verbose)[0])


def _text(value):
    if isinstance(value, Node):
        return value.name
    if isinstance(value, tuple):
        return "(" + ", ".join(_text(v) for v in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(_text(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, slice):
        return f"slice({_text(value.start)}, {_text(value.stop)}, {_text(value.step)})"
    if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))):
        return f"float('{value}')"
    return repr(value)


def _call(node, used):
    args = ", ".join([_text(a) for a in node.args] + [f"{k} = {_text(v)}" for k, v in node.kwargs.items()])
    if node.op == "call_method":
        rest = ", ".join([_text(a) for a in node.args[1:]] + [f"{k} = {_text(v)}" for k, v in node.kwargs.items()])
        return f"{_text(node.args[0])}.{node.target}({rest})"
    if node.op == "call_module":
        return f"self.{_path(node.target)}({args})"
    name = _operator_name(node.target)
    if name == "getitem":
        return f"{_text(node.args[0])}[{_text(node.args[1])}]"
    if name in _SIGNS:
        return f"{_SIGNS[name]}{_text(node.args[0])}"
    if name in _SYMBOLS and not node.kwargs:
        return f"{_text(node.args[0])} {_SYMBOLS[name]} {_text(node.args[1])}"
    if node.target is getattr and len(node.args) == 2 and node.args[1].isidentifier():
        return f"{_text(node.args[0])}.{node.args[1]}"
    function = _target_name(node.target)
    if function.startswith("torch._ops."):
        function = "torch." + function[len("torch._ops."):]
    elif function.startswith("Tensor."):
        function = "torch." + function
    elif function.startswith("builtins."):
        function = function[len("builtins."):]
    elif not function.startswith("torch."):
        function = ("_" if function.startswith("operator.") else "") + function.replace(".", "_")
        used[function] = node.target
    return f"{function}({args})"


def _written(node, note):
    """The statement that a node of an operator in place is; None for others."""
    name = _operator_name(node.target) if node.op == "call_function" else None
    if name == "setitem":
        text = f"{_text(node.args[0])}[{_text(node.args[1])}] = {_text(node.args[2])}"
    elif name in _IN_PLACE:
        text = f"{_text(node.args[0])} {_IN_PLACE[name]} {_text(node.args[1])}"
    else:
        return None
    return f"{text};  {node.name}{note} = {_text(node.args[0])}"


def _path(target):
    text = ""
    for part in target.split("."):
        text = f'getattr(self{text}, "{part}")' if part[0].isdigit() and not text else (
            f'getattr({text}, "{part}")' if part[0].isdigit() else (text + "." + part if text else part))
    return text


def _attribute(target):
    text = "self"
    for part in target.split("."):
        text = f'getattr({text}, "{part}")' if part[0].isdigit() else f"{text}.{part}"
    return text


def _last_uses(graph):
    """The nodes that are needed no more after each node."""
    seen, ends = set(), {}
    for node in reversed(graph._nodes):
        for other in node.all_input_nodes:
            if other not in seen:
                seen.add(other)
                ends.setdefault(node, []).append(other)
    return ends


_ASKED = re.compile(r'File "(.*)", line (\d+), in (.*)\n\s*(.*)')


def _asked_by(node, before, lines):
    """Writes which line asked for a node, where it is another one than that of the node before."""
    trace = node.meta.get("stack_trace") or ""
    if trace == before:
        return before
    found = _ASKED.findall(trace)
    if found:
        file, line, function, text = found[-1]
        lines += [""][:len(lines)] + [f"    # File: {file}:{line} in {function}, code: {text.strip()}"]
    elif not trace:
        lines += [""][:len(lines)] + ["    # No stacktrace found for following nodes"]
    return trace


def _source(graph, root_module="self", verbose=False):
    used = {}
    inputs, lines = [], []
    ends = _last_uses(graph)
    asked = ""
    for node in graph._nodes:
        if verbose and node.op not in ("placeholder", "output"):
            asked = _asked_by(node, asked, lines)
        note = ""
        if verbose and "shape" in node.meta:
            note = f": \"{_kind(node.meta)}\""
        elif verbose and "example_value" in node.meta:
            note = f": \"Sym({node.meta['example_value']})\""
        elif node.type is torch.SymInt:
            note = " : torch.SymInt"
        elif node.op == "placeholder" and _type_text(node.type):
            note = " : " + _type_text(node.type)
        if node.op == "placeholder":
            default = f" = {_text(node.args[0])}" if node.args else ""
            inputs.append(_identifier(node.target) + note + default)
            if _identifier(node.target) != node.name:
                lines.append(f"    {node.name} = {_identifier(node.target)}")
            continue
        if node.op == "output":
            lines.append(f"    return {graph._codegen._returned(_text(node.args[0]))}")
            continue
        if node.op == "get_attr":
            line = f"    {node.name}{note} = {_attribute(node.target)}"
        elif node.op == "call_module":
            args = ", ".join([_text(a) for a in node.args] + [f"{k} = {_text(v)}" for k, v in node.kwargs.items()])
            line = f"    {node.name}{note} = {_attribute(node.target)}({args})"
        else:
            line = f"    {_written(node, note) or f'{node.name}{note} = {_call(node, used)}'}"
        free = ends.get(node, []) + ([] if node.users else [node])
        if free:
            line += ";  " + " = ".join(n.name for n in free) + " = None"
        lines.append(line)
    wrapped = {_call(node, {}).split("(")[0]: None for node in graph._nodes if node.meta.get("is_wrapped")}
    text = "\n" + "\n".join(f'torch.fx._symbolic_trace.wrap("{name}")' for name in wrapped)
    parameters, taken = graph._codegen._signature(inputs)
    text += "\n\ndef forward(" + ", ".join([root_module] + parameters) + "):\n" + "\n".join(taken + lines) + "\n    "
    return text, used


def _identifier(text):
    return "".join(c if c.isalnum() or c == "_" else "_" for c in text) or "arg"


def _kind(meta):
    sizes = ", ".join(str(s).replace(" / ", "//") for s in meta["shape"])
    name = {torch.float32: "f32", torch.float64: "f64", torch.int64: "i64", torch.int32: "i32", torch.bool: "b8",
            torch.uint8: "u8"}.get(meta["dtype"], str(meta["dtype"]))
    return f"{name}[{sizes}]"


def _copy_attribute(root, made, target):
    """What a node of the graph names, in the module that is made of it."""
    *prefix, last = target.split(".")
    for part in prefix:
        root = getattr(root, part)
        if root is getattr(made, part, None):
            return
        if getattr(made, part, None) is None:
            setattr(made, part, torch.nn.Module())
        made = getattr(made, part)
    value = getattr(root, last)
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        made.register_buffer(last, value, persistent=not isinstance(root, torch.nn.Module) or last in root._buffers)
    else:
        setattr(made, last, value)


class GraphModule(torch.nn.Module):
    def delete_submodule(self, target):
        *path, name = target.split(".")
        parent = self.get_submodule(".".join(path))
        return parent._modules.pop(name, None) is not None

    def __init__(self, root, graph, class_name="GraphModule"):
        super().__init__()
        self._class_name = class_name
        if isinstance(root, torch.nn.Module):
            self.training = root.training
            for node in graph._nodes:
                if node.op in ("get_attr", "call_module"):
                    _copy_attribute(root, self, node.target)
        else:
            for name, value in root.items():
                setattr(self, name, value)
        self._graph = graph
        graph.owning_module = self
        self.recompile()

    @property
    def graph(self):
        return self._graph

    @graph.setter
    def graph(self, value):
        self._graph = value
        value.owning_module = self
        self.recompile()

    @property
    def code(self):
        return self._code

    def recompile(self):
        self._code, used = _source(self._graph)
        names = {"torch": torch, "device": torch.device, "inf": torch.inf, "nan": torch.nan}
        names.update(used)
        if isinstance(self._graph._codegen, _PyTreeCodeGen):
            import torch.fx._pytree as fx_pytree
            names.update(pytree=pytree, fx_pytree=fx_pytree)
            _, self._in_spec, self._out_spec = self._graph._codegen.pytree_info
        _C.execute(self._code[self._code.index("def forward("):].rstrip() + "\n", names, "<graph module>")
        self._forward = names["forward"]
        return _PythonCode(self._code)

    @property
    def forward(self):
        """The code above, as a method of this module."""
        return types.MethodType(self._forward, self)

    def add_submodule(self, target, m):
        path = target.split(".")
        self.get_submodule(".".join(path[:-1])).add_module(path[-1], m)
        return True

    def delete_all_unused_submodules(self):
        used = set()
        for node in self._graph._nodes:
            if node.op in ("call_module", "get_attr"):
                parts = node.target.split(".")
                used.update(".".join(parts[:i + 1]) for i in range(len(parts)))
                if node.op == "call_module":
                    used.update(f"{node.target}.{name}" for name, _ in self.get_submodule(node.target).named_modules())
        for name in [name for name, _ in self.named_modules() if name and name not in used]:
            self.delete_submodule(name)

    def _readable(self, name):
        lines = _source(self._graph, "self", True)[0].strip("\n").rstrip().split("\n")
        for node in self._graph.nodes:
            body = getattr(self, node.target, None) if node.op == "get_attr" else None
            if isinstance(body, GraphModule):
                lines += [""] + body._readable(node.target).rstrip("\n").split("\n")
        return f"class {name}(torch.nn.Module):\n" + "\n".join("    " + line if line else line for line in lines) + "\n"

    def print_readable(self, print_output=True, include_stride=False, include_device=False, colored=False,
                       fast_sympy_print=False, expanded_def=False):
        text = self._readable(self._class_name)
        if print_output:
            print(text)
        return text

    def __deepcopy__(self, memo):
        import copy
        root = torch.nn.Module()
        for name, child in self._modules.items():
            root._modules[name] = copy.deepcopy(child, memo)
        for name, value in self._parameters.items():
            root._parameters[name] = copy.deepcopy(value, memo)
        for name, value in self._buffers.items():
            root._buffers[name] = copy.deepcopy(value, memo)
        for name, value in self.__dict__.items():
            if isinstance(value, torch.Tensor):
                setattr(root, name, value)
        return GraphModule(root, copy.deepcopy(self._graph, memo), self._class_name)

    def _get_name(self):
        return self._class_name

    def __str__(self):
        return (super().__repr__() + "\n" + self._code +
                "\n# To see more debug info, please use `graph_module.print_readable()`")


class _Linked(torch.autograd.Function):
    """Values whose gradients a graph computes of the gradients that arrive and of what was saved."""

    @staticmethod
    def forward(ctx, graph, outputs, inputs, *tensors):
        ctx.graph = graph
        ctx.skipped = 3 + outputs
        ctx.saved = [None if isinstance(v, torch.Tensor) else v for v in tensors[outputs + inputs:]]  # sizes
        ctx.save_for_backward(*[v for v in tensors[outputs + inputs:] if isinstance(v, torch.Tensor)])
        return tuple(t.view_as(t) for t in tensors[:outputs])

    @staticmethod
    def backward(ctx, *grads):
        tensors = iter(ctx.saved_tensors)
        found = ctx.graph(*grads, *[next(tensors) if size is None else size for size in ctx.saved])
        return (None,) * ctx.skipped + tuple(found) + (None,) * len(ctx.saved)


class _CustomFunction(torch.nn.Module):
    def __init__(self, backward):
        super().__init__()
        self.backward_graph = backward

    def forward(self, outputs, inputs, saved):
        return _Linked.apply(self.backward_graph, len(outputs), len(inputs), *outputs, *inputs, *saved)


def _is_reference(v):
    return isinstance(v, tuple) and len(v) == 2 and v[0] is ...


def _references(v):
    if _is_reference(v):
        return [v[1]]
    if isinstance(v, dict):
        v = list(v.values())
    return [n for x in v for n in _references(x)] if isinstance(v, (list, tuple)) else []


def _renumbered(v, numbers):
    if _is_reference(v):
        return (..., numbers[v[1]])
    if isinstance(v, dict):
        return {k: _renumbered(x, numbers) for k, x in v.items()}
    if isinstance(v, (list, tuple)):
        return type(v)([_renumbered(x, numbers) for x in v])
    return v


def _with_functions(rows):
    """The rows with each custom_function, and what computes its gradients, as one call of a module."""
    rows = list(rows)
    for at, (op, name, target, args, named, kind) in enumerate(rows):
        if op != "call_function" or not (_C.builtin_name(target) or "").startswith("prims.custom_function"):
            continue
        outputs, inputs, gradients, arriving = args
        inside = _references(arriving)
        for i in range(min(inside), at):
            if i not in inside and rows[i] is not None and any(n in inside for n in _references(rows[i][3])
                                                              + _references(rows[i][4])):
                inside.append(i)
        body = [i for i in inside if i not in _references(arriving)]
        saved = []
        for i in body:
            saved += [n for n in _references(rows[i][3]) + _references(rows[i][4]) if n not in inside and n not in saved]
        saved += [n for n in _references(gradients) if n not in inside and n not in saved]
        given = _references(arriving) + saved
        numbers = {n: i for i, n in enumerate(given + body)}
        inner = [("placeholder", f"given_{i}", f"given_{i}", [], None, None) for i in range(len(given))]
        for i in body:
            inner.append(rows[i][:3] + (_renumbered(rows[i][3], numbers), _renumbered(rows[i][4], numbers), rows[i][5]))
        inner.append(("output", "output", "output", [tuple(_renumbered(g, numbers) for g in gradients)], None, None))
        for i in inside:
            rows[i] = None
        module = _CustomFunction(_from_rows(inner, "backward"))
        rows[at] = ("call_module", name, module, [outputs, inputs, [(..., n) for n in saved]], None, None)
    return rows


def _smaller(a, b):
    return (a if isinstance(a, Proxy) else b)._do(torch.sym_min, a, b)


def _larger(a, b):
    return (a if isinstance(a, Proxy) else b)._do(torch.sym_max, a, b)


def _symbol_names(sources):
    """PyTorch numbers a symbol by the hash of where it comes from."""
    import hashlib
    names, taken = [], set()
    for source in sources:
        number = int(hashlib.sha256(source.encode()).hexdigest(), 16) % 100
        while number in taken:
            number += 1
        taken.add(number)
        names.append(f"s{number}")
    return names


class _SizeNodes:
    """Sizes as a graph computes them of its inputs' sizes, or of symbols that are inputs."""

    def __init__(self, graph):
        self.graph, self.known, self.hints, self.shown = graph, {}, {}, {}

    def symbol(self, node, hint, name, shown):
        """A placeholder that is the symbol of that name."""
        self.hints[name] = hint
        self.shown[name] = shown
        self.known[name] = Proxy(node, _Appending(self.graph))
        node.type = torch.SymInt
        node.meta["example_value"] = torch.SymInt(hint, shown)

    def text(self, size):
        """A size as it is shown."""
        return re.sub(r"\bs\d+\b", lambda m: self.shown.get(m.group(), m.group()), size).replace(" / ", "//")

    def node(self, text):
        for name in sorted(set(re.findall(r"s\d+", text)) - set(self.known)):
            node, dim = [(n, d) for n in self.graph._nodes if n.op == "placeholder" and "shape" in n.meta
                         for d, size in enumerate(n.meta["shape"]) if size == name][0]
            made = self.graph.call_function(torch.ops.aten.sym_size.int, (node, dim))
            made.meta["example_value"] = name
            self.known[name] = Proxy(made, _Appending(self.graph))
        if text not in self.known:
            code, told = text.replace("/", "//"), self.text(text)
            code = re.sub(r"^(\d+)\*(s\d+)$", r"\2 * \1", code)  # as people write it
            self.known[text] = eval(code, dict(self.known, min=_smaller, max=_larger))
            if isinstance(self.known[text], Proxy):
                hints = self.hints
                self.known[text].node.meta["example_value"] = torch.SymInt(eval(code, dict(hints)), told) if hints else told
        found = self.known[text]
        return found.node if isinstance(found, Proxy) else found


def _fake(kind, sizes, strides):
    from torch._subclasses.fake_tensor import fake_tensor  # with such a class, calls ask their arguments for theirs
    return fake_tensor(kind, sizes, strides)


def _describe(node, kind):
    """\param kind: (sizes, dtype, (file, line, function, text) or None, strides, device, requires_grad)"""
    node.meta["shape"], node.meta["dtype"], place = kind[:3]
    node.meta["tensor_meta"] = kind[:2]
    _placed(node, place)
    if not any(isinstance(n, str) for n in kind[0] + kind[3]):
        node.meta["val"] = _fake(kind, kind[0], kind[3])


def _placed(node, place):
    if place is not None:
        file, line, function, text = place
        node.meta["stack_trace"] = f'File "{file}", line {line}, in {function}\n    {text}'


class _Recording:
    """A graph of the calls that a capture saw, which tells them in order."""

    def __init__(self):
        self.graph = Graph()
        self.sizes = _SizeNodes(self.graph)
        self.items, self.root = [], {}

    def inner(self):
        """The recording of a body."""
        made = _Recording()
        made.sizes.hints, made.sizes.shown = dict(self.sizes.hints), dict(self.sizes.shown)
        return made

    def operand(self, outer, size):
        """What a body has from the graph around it. \\param size: its text, or None where it is none"""
        node = self.graph.create_node("placeholder", outer.name, name=outer.name)
        node.meta, node.type = dict(outer.meta), outer.type
        if size is not None:
            self.sizes.known[size] = Proxy(node, _Appending(self.graph))
        return node

    def body(self, name, module):
        number = len([known for known in self.root if known.startswith(name)])
        self.root[f"{name}_{number}"] = module
        return self.graph.create_node("get_attr", f"{name}_{number}", name=f"{name}_{number}")

    def truth(self, sign, a, b):
        """A condition on sizes, as people write it."""
        if not isinstance(a, Node) and sign in ("lt", "le"):
            sign, a, b = "gt" if sign == "lt" else "ge", b, a
        node = self.graph.call_function(getattr(operator, sign), (a, b))
        node.meta["example_value"] = " ".join(str(v.meta["example_value"]) if isinstance(v, Node) else
                                              _SYMBOLS[sign] if v is sign else str(v) for v in (a, sign, b))
        return node

    def symbol(self, name, hint, shown, source):
        target = shown if source.endswith("]") and ".size()" in source else re.sub(r"[^a-zA-Z0-9]+", "_", source)
        self.sizes.symbol(self.graph.create_node("placeholder", target, name=_snake_case(target)), hint, name, shown)

    def hint(self, name, value):
        """What a symbol is in the captured call; sizes are told with it though it may be no input."""
        self.sizes.hints[name] = value

    def size(self, text):
        return self.sizes.node(text)

    def placeholder(self, target, parameter, kind):
        node = self.graph.create_node("placeholder", target, name=_snake_case(target))
        node.type = torch.nn.Parameter if parameter else torch.Tensor
        self._describe(node, kind)
        return node

    def node(self, op, target, args, kwargs, hint, kind, item):
        """\param hint: the local that the value is written to. \param item: of a tuple, left out where it is not used"""
        if op == "call_function" and isinstance(target, str):
            target = self._function(target)
        node = self.graph.create_node(op, target, args, kwargs)
        if hint:
            node.name = self.graph._name(hint)
        if kind is not None and len(kind) == 6:
            self._describe(node, kind)
        else:
            _placed(node, kind)
        if item:
            self.items.append(node)
        return node

    def _function(self, name):
        if name == "cond":
            from torch._higher_order_ops import _operators
            return _operators.cond
        homes = {"_set_grad_enabled": torch._C, "_enter_autocast": torch.amp.autocast_mode,
                 "_exit_autocast": torch.amp.autocast_mode, "sym_max": torch, "sym_min": torch}
        return getattr if name == "getattr" else getattr(homes.get(name, operator), name)

    def _describe(self, node, kind):
        def shown(n):
            if not isinstance(n, str):
                return n
            return torch.SymInt(eval(n.replace("/", "//"), dict(self.sizes.hints, min=min, max=max)), self.sizes.text(n))

        sizes = tuple(self.sizes.text(size) if isinstance(size, str) else size for size in kind[0])
        node.meta["shape"], node.meta["dtype"], place = (sizes,) + kind[1:3]
        node.meta["tensor_meta"] = (sizes, kind[1])
        _placed(node, place)
        node.meta["example_value"] = _fake(kind, tuple(shown(n) for n in kind[0]), tuple(shown(n) for n in kind[3]))

    def finish(self, outputs):
        self.graph.output(outputs)
        for node in reversed(self.items):
            values = node.args[0].meta.setdefault("example_values", {})
            values[node.args[1]] = node.meta.get("example_value")
        for node in {item.args[0] for item in self.items}:
            values = node.meta.pop("example_values")
            of = getattr(torch.return_types, getattr(node.target, "__name__", node.target), None)
            values = tuple(values.get(i) for i in range(max(values) + 1))
            node.meta["example_value"] = of(values) if len(values) == getattr(of, "n_fields", -1) else values
        for node in reversed(self.items):
            if not node.users:
                self.graph.erase_node(node)
        return GraphModule(self.root, self.graph, "GraphModule")


def _from_rows(rows, name):
    """A GraphModule of what the evaluator tells of a graph: (op, name, target, args, kwargs, type) a node."""
    graph = Graph()
    root = {}
    nodes = []
    sizes = _SizeNodes(graph)

    def value(v):
        if isinstance(v, tuple) and len(v) == 2 and v[0] is ...:
            return sizes.node(v[1]) if isinstance(v[1], str) else nodes[v[1]]
        if isinstance(v, tuple):
            return tuple([value(x) for x in v])
        if isinstance(v, list):
            return [value(x) for x in v]
        return v

    for row in _with_functions(rows):
        if row is None:
            nodes.append(None)
            continue
        op, node_name, target, args, named, kind = row
        if op == "draw":
            node = _drawn(graph, target, value(args[0]), value(args[1]), kind[1], named)
            _describe(node, kind)
            nodes.append(node)
            continue
        if op == "call_module":
            root[node_name] = target
            target = node_name
        elif op == "get_attr":
            attribute = f"_tensor_constant{len(root)}"
            root[attribute] = target
            target = attribute
        elif target == "getitem" and op == "call_function":
            target = _getitem
        elif op == "placeholder":
            source, target = target, node_name
        kwargs = {key: value(v) for key, v in (named or {}).items()}
        node = graph.create_node(op, target, tuple(value(a) for a in args), kwargs,
                                 None if op == "get_attr" else node_name)
        if isinstance(kind, int):
            sizes.symbol(node, kind, target, target)
        elif kind is not None:
            (_placed if len(kind) == 4 else _describe)(node, kind)
        if op == "placeholder":
            node.meta["source"] = source
        nodes.append(node)
    made = GraphModule(root, graph, name or "GraphModule")
    return made


def _drawn(graph, draw, sizes, strides, dtype, device):
    """The call that draws random numbers."""
    kind, a, b, low, high = draw
    aten, how = torch.ops.aten, {} if dtype is torch.get_default_dtype() else {"dtype": dtype}
    if device.type != "cpu":
        how["device"] = device
    dense, step = True, 1
    for size, stride in zip(reversed(sizes), reversed(strides)):
        dense, step = dense and stride == step, step * size if isinstance(size, int) else None
    if kind == "permutation":
        return graph.call_function(aten.randperm.default, (sizes[0],), how)
    if dense and kind in ("uniform", "normal") and (a, b) == (0, 1):
        return graph.call_function(aten.rand.default if kind == "uniform" else aten.randn.default, (sizes,), how)
    if dense and kind == "integers":
        return graph.call_function(aten.randint.low, (low, high, sizes), how)
    made = graph.call_function(aten.zeros.default, (sizes,), how) if dense else \
        graph.call_function(aten.empty_strided.default, (sizes, strides), how)
    if kind == "dropping":  # a GPU shares the numbers out in a way of its own
        return graph.call_method("_dropout_", (made, a))
    fills = {"uniform": (aten.uniform_, a, b), "normal": (aten.normal_, a, b), "integers": (aten.random_, low, high),
             "chances": (aten.bernoulli_, a), "exponential": (aten.exponential_, a), "geometric": (aten.geometric_, a),
             "cauchy": (aten.cauchy_, a, b), "logarithms": (aten.log_normal_, a, b), "any": (aten.random_,)}[kind]
    return graph.call_function(fills[0].default, (made,) + fills[1:])


class Interpreter:
    def __init__(self, module, garbage_collect_values=True, graph=None):
        self.module = module
        self.graph = module.graph if graph is None else graph
        self.env = {}

    def run(self, *args, initial_env=None, enable_io_processing=True):
        self.env = dict(initial_env or {})
        self.args_iter = iter(self.graph.process_inputs(*args) if enable_io_processing else args)
        for node in self.graph.nodes:
            if node in self.env:
                continue
            self.env[node] = self.run_node(node)
            if node.op == "output":
                return self.graph.process_outputs(self.env[node]) if enable_io_processing else self.env[node]
        return None

    def run_node(self, n):
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        return getattr(self, n.op)(n.target, args, kwargs)

    def fetch_args_kwargs_from_env(self, n):
        return map_arg(n.args, lambda m: self.env[m]), map_arg(n.kwargs, lambda m: self.env[m])

    def fetch_attr(self, target):
        value = self.module
        for part in target.split("."):
            value = getattr(value, part)
        return value

    def placeholder(self, target, args, kwargs):
        given = next(self.args_iter, _missing)
        if given is not _missing:
            return given
        if not args:
            raise RuntimeError(f"Expected positional argument for parameter {target}, but one was not passed in!")
        return args[0]

    def get_attr(self, target, args, kwargs):
        return self.fetch_attr(target)

    def call_function(self, target, args, kwargs):
        return target(*args, **kwargs)

    def call_method(self, target, args, kwargs):
        return getattr(args[0], target)(*args[1:], **kwargs)

    def call_module(self, target, args, kwargs):
        return self.module.get_submodule(target)(*args, **kwargs)

    def output(self, target, args, kwargs):
        return args[0]


class Transformer(Interpreter):
    """Runs a graph on proxies: what its methods do with them becomes the new graph."""

    def __init__(self, module):
        super().__init__(module)
        self.new_graph = Graph()
        self.tracer = _Appending(self.new_graph)

    def placeholder(self, target, args, kwargs):
        default = args[0] if args else inspect.Signature.empty
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target, args, kwargs):
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target, args, kwargs):
        return self.tracer.create_proxy("call_module", target, args, kwargs)

    def transform(self):
        result = self.run()
        if result is not None:
            self.new_graph.output(map_aggregate(result, lambda v: v.node if isinstance(v, Proxy) else v))
        return GraphModule(self.module, self.new_graph)


class Proxy:
    """A value of a graph that is being written; what is done with it becomes nodes."""

    def __init__(self, node, tracer=None):
        self.node = node
        self.tracer = _Appending(node.graph) if tracer is None else tracer

    def __repr__(self):
        return f"Proxy({self.node.name})"

    @classmethod
    def __torch_function__(cls, orig_method, types, args=(), kwargs=None):
        tracer = [each.tracer for each in _proxies(list(args) + list((kwargs or {}).values()))][0]
        if overrides.is_tensor_method_or_property(orig_method):
            return tracer.create_proxy("call_method", orig_method.__name__, args, kwargs)
        return tracer.create_proxy("call_function", orig_method, args, kwargs)

    def _do(self, target, *args):
        return self.tracer.create_proxy("call_function", target, args, {})

    def __getattr__(self, name):
        return Attribute(self, name)

    def __getitem__(self, index):
        return self._do(_getitem, self, index)

    def __setitem__(self, index, value):
        raise TypeError("'Proxy' object does not support item assignment")

    def __bool__(self):
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def __iter__(self):
        length = _C.unpacked_length()
        if length is not None:
            return iter([self[i] for i in range(length)])
        raise TraceError("Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or "
                         "as a *args or **kwargs function argument.")

    def __len__(self):
        raise RuntimeError("'len' is not supported in symbolic tracing by default. If you want this call to be recorded, "
                           "please call torch.fx.wrap('len') at module scope")

    def __abs__(self):
        return self._do(operator.abs, self)

    def __neg__(self):
        return self._do(operator.neg, self)

    def __pos__(self):
        return self._do(operator.pos, self)

    def __invert__(self):
        return self._do(operator.invert, self)


def _add_operators():
    def forward(target):
        return lambda self, other: self._do(target, self, other)

    def reflected(target):
        return lambda self, other: self._do(target, other, self)

    for name in _SYMBOLS:
        target, word = getattr(operator, name), name.strip("_")
        setattr(Proxy, f"__{word}__", forward(target))
        if name not in ("lt", "le", "gt", "ge", "eq", "ne"):
            setattr(Proxy, f"__r{word}__", reflected(target))
    Proxy.__hash__ = lambda self: id(self)


_add_operators()


class Attribute(Proxy):
    """x.name of a value: a method when it is called, else getattr(x, name)."""

    def __init__(self, root, attr):
        self.root = root
        self.attr = attr
        self.tracer = root.tracer
        self._node = None

    @property
    def node(self):
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root,) + args, kwargs)


class TraceError(ValueError):
    pass


def _proxies(values):
    found = []
    for v in values:
        if isinstance(v, Proxy):
            found.append(v)
        elif isinstance(v, (list, tuple)):
            found += _proxies(v)
        elif isinstance(v, dict):
            found += _proxies(list(v.values()))
        elif isinstance(v, slice):
            found += _proxies([v.start, v.stop, v.step])
    return found


_tracing = []


class TracerBase:
    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

    def proxy(self, node):
        return Proxy(node, self)

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None):
        return self.proxy(self.create_node(kind, target, self.create_arg(tuple(args)),
                                           self.create_arg(dict(kwargs or {})), name, type_expr))

    def create_arg(self, a):
        """A value as an argument of a node: nodes for proxies and for tensors of the module."""
        if isinstance(a, Proxy):
            return a.node
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            return type(a)(*[self.create_arg(v) for v in a])
        if isinstance(a, tuple):
            return tuple([self.create_arg(v) for v in a])
        if isinstance(a, list):
            return [self.create_arg(v) for v in a]
        if isinstance(a, dict):
            return {k: self.create_arg(v) for k, v in a.items()}
        if isinstance(a, slice):
            return slice(self.create_arg(a.start), self.create_arg(a.stop), self.create_arg(a.step))
        return a


class _Appending(TracerBase):
    def __init__(self, graph):
        self.graph = graph


GraphAppendingTracer = _Appending


class Tracer(TracerBase):
    def __init__(self, autowrap_modules=(), autowrap_functions=(), param_shapes_constant=False):
        self.graph = None
        self.root = None

    def is_leaf_module(self, m, module_qualified_name):
        return type(m).__module__.startswith("torch.nn") and not isinstance(m, torch.nn.Sequential)

    def path_of_module(self, mod):
        for path, child in self.root.named_modules():
            if child is mod:
                return path
        raise NameError("module is not installed as a submodule")

    def call_module(self, m, forward, args, kwargs):
        path = self.path_of_module(m)
        if self.is_leaf_module(m, path):
            return self.create_proxy("call_module", path, args, kwargs)
        return forward(*args, **kwargs)

    def _called(self, m, args, kwargs):
        """A call of one of the root's modules."""
        def forward(*args, **kwargs):
            del m._traced_by
            try:
                return m(*args, **kwargs)
            finally:
                m._traced_by = self

        return self.call_module(m, forward, args, kwargs)

    def create_args_for_root(self, names, defaults, concrete_args, annotations):
        values = []
        for name in names:
            default = defaults.get(name, inspect.Signature.empty)
            if name not in concrete_args:
                values.append(self.proxy(self.graph.placeholder(name, annotations.get(name), default)))
                continue
            value = concrete_args[name]
            given = self.proxy(self.graph.placeholder(f"{name}_1", None, default))
            told = f"{name} has been specialized to have value {value} but got another value"
            if value is None:
                self.create_proxy("call_function", _assert_is_none, (given, told), {})
            elif isinstance(value, (bool, int, float, str, complex, torch.dtype)):
                self.create_proxy("call_function", torch._assert, (given == value, told), {})
            values.append(value)
        return values

    def create_arg(self, a):
        if not isinstance(a, torch.Tensor):
            if isinstance(a, torch.nn.Module):
                return self.graph.get_attr(self.path_of_module(a))
            return super().create_arg(a)
        for name, tensor in self._tensors:
            if tensor is a:
                if name not in self._read or not isinstance(a, torch.nn.Parameter):
                    self._read[name] = self.graph.get_attr(name)
                return self._read[name]
        name = f"_tensor_constant{len(self._constants)}"
        self._constants.append(a)
        setattr(self.root, name, a)
        self._tensors.append((name, a))
        return self.graph.get_attr(name)

    def trace(self, root, concrete_args=None):
        """Runs a function on proxies, which write down what is done to them; modules of torch.nn are called as a
        whole."""
        if getattr(root, "_orig_mod", None) is not None:
            if getattr(torch._dynamo.config, "error_on_nested_fx_trace", True):
                raise RuntimeError("Detected that you are using FX to symbolically trace a dynamo-optimized function. "
                                   "This is not supported at the moment.")
            root = root._orig_mod
        module = isinstance(root, torch.nn.Module)
        self.root = root if module else torch.nn.Module()
        self.graph = Graph(tracer_cls=type(self))
        function = root.forward if module else root
        signature = inspect.signature(function)
        names = list(signature.parameters)
        defaults = {name: p.default for name, p in signature.parameters.items() if p.default is not p.empty}
        annotations = {name: p.annotation for name, p in signature.parameters.items() if p.annotation is not p.empty}
        self._tensors = list(root.named_parameters()) + list(root.named_buffers()) if module else []
        self._read = {}  # parameters: the nodes that read them
        self._constants = []
        hooked = []
        for path, child in (self.root.named_modules() if module else []):
            if path:
                hooked.append((child, "_hooked" in child.__dict__))
                child._hooked = True
                child._traced_by = self
        _tracing.append(self)
        try:
            result = function(*self.create_args_for_root(names, defaults, dict(concrete_args or {}), annotations))
            self.graph.output(self.create_arg(result))
        finally:
            _tracing.pop()
            for child, before in hooked:
                del child._traced_by
                if not before:
                    del child._hooked
        return self.graph


def symbolic_trace(root, concrete_args=None):
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    return GraphModule(tracer.root, graph, type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__)


_missing = object()


# Calls that are made though nobody reads what they give.
_IMPURE = (torch._assert, torch._assert_async, torch.ops.aten._assert_async.default, torch.ops.aten._assert_async.msg,
           torch.ops.aten._assert_scalar.default, operator.setitem, torch._C._set_grad_enabled)


def _assert_is_none(value, msg):
    assert value is None, msg


_assert_is_none.__module__ = "torch.fx._symbolic_trace"
_IMPURE += (_assert_is_none,)


def is_fx_tracing():
    return len(_tracing) > 0


def wrap(fn_or_name):
    """Calls of a function with proxies become one node. By name: of a function of the caller's module."""
    if isinstance(fn_or_name, str):
        home = _native.caller_globals()
        known = home.get(fn_or_name)
        home[fn_or_name] = wrap(eval(fn_or_name) if known is None else known)
        return fn_or_name
    inner = fn_or_name
    if hasattr(inner, "_fx_wrapped"):
        return inner

    def wrapped(*args, **kwargs):
        found = _proxies(list(args) + list(kwargs.values()))
        if not found:
            return inner(*args, **kwargs)
        target = wrapped if _C.builtin_name(inner) is None else inner
        made = found[0].tracer.create_proxy("call_function", target, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    wrapped.__name__ = inner.__name__
    wrapped.__module__ = getattr(inner, "__module__", None)
    wrapped._fx_wrapped = True
    return wrapped


wrap.__module__ = "torch.fx._symbolic_trace"


class Match:
    """Where a pattern was found: the node that gives its result, and the nodes that its own stand for."""

    def __init__(self, anchor, nodes_map):
        self.anchor = anchor
        self.nodes_map = nodes_map

    def __repr__(self):
        return f"Match(anchor={self.anchor}, nodes_map={self.nodes_map})"


def _graph_of(code):
    if isinstance(code, GraphModule):
        return code.graph
    return code if isinstance(code, Graph) else symbolic_trace(code).graph


def _match(wanted, found, nodes):
    """Whether a value of a graph is what one of a pattern says; nodes collects what stands for what."""
    if isinstance(wanted, Node):
        if wanted in nodes:
            return nodes[wanted] is found
        if not isinstance(found, Node) or any(found is other for other in nodes.values()):
            return False  # one node stands for one of the pattern's
        if wanted.op != "placeholder" and not (
                wanted.op == found.op and wanted.target == found.target and
                _match(list(wanted.args), list(found.args), nodes) and _match(wanted.kwargs, found.kwargs, nodes)):
            return False
        nodes[wanted] = found
        return True
    if isinstance(wanted, (list, tuple)):
        return isinstance(found, (list, tuple)) and len(wanted) == len(found) and all(
            _match(a, b, nodes) for a, b in zip(wanted, found))
    if isinstance(wanted, dict):
        return isinstance(found, dict) and list(wanted) == list(found) and all(
            _match(v, found[k], nodes) for k, v in wanted.items())
    return type(wanted) is type(found) and wanted == found


def replace_pattern(gm, pattern, replacement):
    """Puts one function's operations where another's stand; the places are given back. Places do not overlap, and
    what lies inside of one is used by nobody else."""
    pattern, replacement = _graph_of(pattern), _graph_of(replacement)
    inner = [n for n in pattern.nodes if n.op not in ("placeholder", "output")]
    results = [n for n in pattern.nodes if n.op == "output"][0].args[0]
    results = list(results) if isinstance(results, (list, tuple)) else [results]
    taken, matches = set(), []
    for anchor in list(gm.graph.nodes):
        nodes = {}
        if len(results) != 1 or not inner or not _match(results[0], anchor, nodes):
            continue
        places = [nodes[n] for n in inner]
        kept = [n for n in places if n is not anchor and any(user not in places for user in n.users)]
        if kept or any(n in taken for n in places):
            continue
        taken.update(places)
        matches.append(Match(anchor, nodes))
    inputs = [n for n in pattern.nodes if n.op == "placeholder"]
    for match in matches:
        values = dict(zip([n for n in replacement.nodes if n.op == "placeholder"],
                          [match.nodes_map.get(n) for n in inputs]))
        users = [n for n in gm.graph.nodes if n in match.anchor.users]
        with gm.graph.inserting_before(users[0]) if users else gm.graph.inserting_after(match.anchor):
            for node in replacement.nodes:
                if node.op == "output":
                    made = node.args[0]
                    made = made[0] if isinstance(made, (list, tuple)) else made
                    match.anchor.replace_all_uses_with(values[made])
                elif node.op != "placeholder":
                    values[node] = gm.graph.node_copy(node, lambda n: values[n])
        for node in reversed([match.nodes_map[n] for n in inner]):
            gm.graph.erase_node(node)
        for other in matches:  # a place that another one's result feeds
            for key, value in other.nodes_map.items():
                if value is match.anchor:
                    other.nodes_map[key] = values[made]
    gm.recompile()
    return matches


