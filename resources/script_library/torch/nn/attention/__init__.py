# SPDX-License-Identifier: Apache-2.0
# torch.nn.attention: which implementations of scaled_dot_product_attention a script allows. There is one here, of
# which the compiler makes what is fastest, so every list that is allowed has the same result.
import contextlib
import enum

__all__ = ["SDPBackend", "sdpa_kernel"]


class SDPBackend(enum.Enum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


_allowed = [[SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH, SDPBackend.CUDNN_ATTENTION]]


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """Inside of it, the implementations that may run."""
    given = backends
    if isinstance(backends, SDPBackend):
        backends = [backends]
    backends = list(dict.fromkeys(backends))
    for backend in backends:
        if not isinstance(backend, SDPBackend):
            raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
                                 f"{type(backend if len(backends) > 1 else given).__name__}")
    if not backends or backends == [SDPBackend.ERROR]:
        raise RuntimeError("No available kernel. Aborting execution.")
    _allowed.append(backends)
    try:
        yield {}
    finally:
        _allowed.pop()


def _cur_sdpa_kernel_backends(with_priority=False):
    return list(_allowed[-1])
