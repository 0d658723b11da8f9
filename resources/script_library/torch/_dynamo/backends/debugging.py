# SPDX-License-Identifier: Apache-2.0
# torch._dynamo.backends.debugging: backends that run graphs as they are and tell of them.
import torch
import torch._dynamo
import torch._dynamo.utils as utils


def eager(gm, fake_tensor_inputs, **options):
    return gm.forward


class ExplainWithBackend:
    """A backend that keeps what torch._dynamo.explain() tells beside what another one makes."""

    def __init__(self, backend):
        named = isinstance(backend, str) and backend not in torch._dynamo._backends
        self.backend = (lambda gm, inputs: torch.compile(gm, backend=backend)) if named else \
            torch._dynamo.lookup_backend(backend)
        self._found = torch._dynamo._Explained(self.backend)
        utils._observers.append(self._found.observe)

    def __call__(self, gm, example_inputs):
        return self._found(gm, example_inputs)

    def output(self):
        return self._found.told()
