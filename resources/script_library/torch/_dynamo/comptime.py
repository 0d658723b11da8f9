# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.comptime: what a function says to its capture.
import time

import torch


class ComptimeContext:
    """What code that runs while a graph is captured is given."""

    def graph_break(self, msg="ComptimeContext.graph_break"):
        """Ends the graph here."""
        torch._dynamo.graph_break()

    def print(self, val, *, file=None):
        print(repr(val), file=file)

    def sleep(self, sec):
        time.sleep(sec)


class _Comptime:
    @staticmethod
    def __call__(fn, fallback_fn=lambda: None):
        """fn(context) while a graph is captured; eagerly fallback_fn()."""
        if torch.compiler.is_compiling():
            fn(ComptimeContext())
        else:
            fallback_fn()

    @staticmethod
    def graph_break():
        """Ends the graph here."""
        torch._dynamo.graph_break()


comptime = _Comptime()
