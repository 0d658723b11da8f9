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
    gpus = range(torch.cuda.device_count()) if devices is None else list(devices)
    states = [torch.cuda.get_rng_state(gpu) for gpu in gpus]
    try:
        yield
    finally:
        set_rng_state(state)
        for gpu, of_gpu in zip(gpus, states):
            torch.cuda.set_rng_state(of_gpu, gpu)
