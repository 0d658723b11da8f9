# SPDX-License-Identifier: Apache-2.0
# torch.fx.experimental.symbolic_shapes: what promises of sizes raise.
from torch._dynamo.exc import ConstraintViolationError
