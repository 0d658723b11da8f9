# SPDX-License-Identifier: Apache-2.0
# Switches of torch. Those that choose between PyTorch's own kernels change nothing here: there is one
# deterministic way of computing on the CPU (use_deterministic_algorithms, which changes what a GPU does, is
# core/capture/settings.cpp's).
_state = {"anomaly": False, "warn": False, "debug": 0}


def set_deterministic_debug_mode(debug_mode):
    _state["debug"] = {"default": 0, "warn": 1, "error": 2}.get(debug_mode, debug_mode)


def get_deterministic_debug_mode():
    return _state["debug"]


def set_warn_always(b):
    _state["warn"] = bool(b)


def is_warn_always_enabled():
    return _state["warn"]


def is_anomaly_enabled():
    return _state["anomaly"]


def is_anomaly_check_nan_enabled():
    return True


def set_anomaly_enabled(mode, check_nan=True):
    _state["anomaly"] = bool(mode)


def set_flush_denormal(mode):
    return False


def compiled_with_cxx11_abi():
    return True


def get_num_interop_threads():
    return 1


def set_num_interop_threads(n):
    if n < 1:
        raise RuntimeError("set_num_interop_threads expects a positive integer")


def save(obj, f, *args, **kwargs):
    raise OSError("torch.save: scripts have no files here; keep the state_dict() in a variable")


def load(f, *args, **kwargs):
    raise FileNotFoundError("torch.load: scripts have no files here; make the state_dict() in the script")
