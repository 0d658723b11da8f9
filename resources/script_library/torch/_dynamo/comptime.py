# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.comptime: what a function says to its capture.
import torch


class _Comptime:
    @staticmethod
    def graph_break():
        """Ends the graph here."""
        torch._dynamo.graph_break()


comptime = _Comptime()
