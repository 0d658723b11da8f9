# SPDX-License-Identifier: Apache-2.0
# torch.accelerator: the GPU, where there is one, by a name that says not which.
import torch


def is_available():
    return torch.cuda.is_available()


def device_count():
    return torch.cuda.device_count()


def current_accelerator(check_available=False):
    return torch.device("cuda") if is_available() else None


def current_device_index():
    return torch.cuda.current_device()


def set_device_index(device):
    torch.cuda.set_device(device)


def synchronize(device=None):
    if is_available():
        torch.cuda.synchronize(device)


def empty_cache():
    if is_available():
        torch.cuda.empty_cache()
