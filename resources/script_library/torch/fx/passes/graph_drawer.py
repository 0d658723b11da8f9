# SPDX-License-Identifier: Apache-2.0
# FxGraphDrawer: the graph as text of the DOT language.
from torch.fx import _target_name


class _Dot:
    def __init__(self, text):
        self.text = text

    def to_string(self):
        return self.text


class FxGraphDrawer:
    def __init__(self, graph_module, name, **options):
        self.graph_module = graph_module
        self.name = name

    def get_dot_graph(self, submod_name=None):
        lines = [f"digraph {self.name} {{"]
        for node in self.graph_module.graph.nodes:
            lines.append(f'{node.name} [label="{node.op} {_target_name(node.target)}"];')
            for other in node.all_input_nodes:
                lines.append(f"{other.name} -> {node.name};")
        return _Dot("\n".join(lines + ["}"]) + "\n")
