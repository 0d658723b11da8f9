# SPDX-License-Identifier: Apache-2.0
# torch.random: the default generator by function.
import contextlib

import torch
from torch import Generator, default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, device_type="cuda"):
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
