# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.backends.common: backends behind ahead-of-time autograd.
from torch._functorch.aot_autograd import aot_module_simplified


def aot_autograd(**options):
    """A backend whose forward and backward graphs are compiled by fw_compiler and bw_compiler."""
    def backend(gm, example_inputs, **more):
        return aot_module_simplified(gm, example_inputs, **options)

    return backend
