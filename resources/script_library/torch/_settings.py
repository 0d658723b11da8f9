# SPDX-License-Identifier: Apache-2.0
# Switches of torch. Those that choose between PyTorch's own kernels change nothing here: there is one
# deterministic way of computing on the CPU (use_deterministic_algorithms, which changes what a GPU does, is
# core/capture/settings.cpp's).
import torch

_state = {"anomaly": False, "check_nan": True, "warn": False, "debug": 0}


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
    return _state["check_nan"]


def set_anomaly_enabled(mode, check_nan=True):
    _state["anomaly"], _state["check_nan"] = bool(mode), bool(check_nan)
    _C.check_gradients(_state["anomaly"] and _state["check_nan"])


_left = []  # the default devices that hold again behind `with torch.device(...)`


def _enter_device(device):
    _left.append(torch.get_default_device())
    torch.set_default_device(device)
    return device


def _leave_device(device):
    torch.set_default_device(_left.pop())


def set_flush_denormal(mode):
    return False


def compiled_with_cxx11_abi():
    return True


def get_num_interop_threads():
    return 1


def set_num_interop_threads(n):
    if n < 1:
        raise RuntimeError("set_num_interop_threads expects a positive integer")


_print = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    import torch
    if profile is not None:
        _print.update({"precision": 2 if profile == "short" else 4,
                       "threshold": float("inf") if profile == "full" else 1000,
                       "edgeitems": 2 if profile == "short" else 3, "linewidth": 80})
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _print.update({name: value for name, value in given.items() if value is not None})
    _print["sci_mode"] = sci_mode
    torch._set_print_options(_print["precision"], min(_print["threshold"], 2 ** 62), _print["edgeitems"],
                             _print["linewidth"], sci_mode)


def get_printoptions():
    return dict(_print)


def save(obj, f, *args, **kwargs):
    if not hasattr(f, "write"):
        raise OSError("torch.save: scripts have no files here; give it an io.BytesIO")
    from torch import _saved
    f.write(_saved.written(obj))


def load(f, *args, **kwargs):
    if not hasattr(f, "read"):
        raise FileNotFoundError("torch.load: scripts have no files here; give it an io.BytesIO")
    from torch import _saved
    return _saved.read(f.read())
