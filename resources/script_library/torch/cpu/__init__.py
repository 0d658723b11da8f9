# SPDX-License-Identifier: Apache-2.0
# torch.cpu: the device without any to choose.


def is_available():
    return True


def device_count():
    return 1


def current_device():
    return "cpu"


def synchronize(device=None):
    """Nothing runs later on a CPU."""
