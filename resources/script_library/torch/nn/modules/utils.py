# SPDX-License-Identifier: Apache-2.0
from itertools import repeat


def _ntuple(n, name="parse"):
    """A function that makes n of one value, and a tuple of several."""

    def parse(x):
        return tuple(x) if hasattr(x, "__iter__") else tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")
