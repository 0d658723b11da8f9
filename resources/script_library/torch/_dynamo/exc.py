# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.exc: the classes that the evaluator raises are its own (core/capture/errors.cpp).


# What operations raise under capture is a RuntimeError as without it.
TorchRuntimeError = RuntimeError


class UserError(Unsupported):
    """A use of torch.compile that cannot be meant."""


class UncapturedHigherOrderOpError(Unsupported):
    """An operation that takes functions is called as it cannot be captured."""
