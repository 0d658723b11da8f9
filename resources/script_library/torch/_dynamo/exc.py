# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.exc: the classes that the evaluator raises are its own (core/capture/errors.cpp).


# What operations raise under capture is a RuntimeError as without it.
TorchRuntimeError = RuntimeError


class InternalTorchDynamoError(TorchDynamoException):
    """A fault of the compiler's own."""


class UserError(Unsupported):
    """A use of torch.compile that cannot be meant."""


class UncapturedHigherOrderOpError(Unsupported):
    """An operation that takes functions is called as it cannot be captured."""


class RecompileError(TorchDynamoException):
    """A compiled function met inputs that it has no entry for, where config.error_on_recompile forbids another one."""


class ConstraintViolationError(RuntimeError):
    """The code does not serve the sizes that mark_dynamic() asked it to."""
