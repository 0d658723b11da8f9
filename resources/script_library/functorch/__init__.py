# SPDX-License-Identifier: Apache-2.0
# functorch: the transformations that are torch.func now.
from torch.func import (functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize,
                        stack_module_state, vjp, vmap)
