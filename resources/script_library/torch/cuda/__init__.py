# SPDX-License-Identifier: Apache-2.0
# torch.cuda. Every GPU has one stream here: work runs in the order in which it was queued, so that streams and
# events name places in that order. An event that keeps the time waits for the device.
import time
from collections import namedtuple

import torch
# _C: the evaluator's own functions; only scripts of the library know that name.

_Properties = namedtuple("_CudaDeviceProperties", ["name", "major", "minor", "multi_processor_count", "total_memory",
                                                   "L2_cache_size"])


def is_initialized():
    return is_available()


def init():
    """Devices are opened when they are first used."""
    current_device()


class device:
    """A context in which "cuda" is that device; nothing changes where it is None or below 0."""

    def __init__(self, device):
        self.idx = -1 if device is None else _C.gpu_index(device)
        self.prev_idx = -1

    def __enter__(self):
        if self.idx >= 0:
            self.prev_idx = current_device()
            set_device(self.idx)

    def __exit__(self, kind, error, trace):
        if self.idx >= 0:
            set_device(self.prev_idx)
        return False


class device_of(device):
    """The device of a tensor; nothing changes for one of the CPU."""

    def __init__(self, obj):
        super().__init__(obj.device if obj.is_cuda else None)


def get_device_properties(device=None):
    return _Properties(*_C.gpu_properties(device))


def get_device_name(device=None):
    return get_device_properties(device).name


def get_device_capability(device=None):
    properties = get_device_properties(device)
    return properties.major, properties.minor


def get_arch_list():
    return [f"sm_{p.major}{p.minor}" for p in map(get_device_properties, range(device_count()))]


def can_device_access_peer(device, peer_device):
    """Copies between devices go through the host's memory."""
    for index in (_C.gpu_index(device), _C.gpu_index(peer_device)):
        if index >= device_count():
            raise AssertionError("Invalid device id")
    return False


def is_bf16_supported(including_emulation=True):
    return is_available()


# --- streams and events ---


class Stream:
    def __init__(self, device=None, priority=0, **kwargs):
        self.device = torch.device("cuda", _C.gpu_index(device))
        self.device_index = self.device.index
        self.priority = priority
        self.stream_id = self.cuda_stream = 0

    def synchronize(self):
        synchronize(self.device)

    def query(self):
        synchronize(self.device)
        return True

    def record_event(self, event=None):
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event):
        event.wait(self)

    def wait_stream(self, stream):
        _order(self.device, stream.device)

    def __eq__(self, other):
        return isinstance(other, Stream) and self.device == other.device

    def __hash__(self):
        return hash((self.stream_id, self.device_index))

    def __repr__(self):
        return f"<torch.cuda.Stream device={self.device} cuda_stream={hex(self.cuda_stream)}>"


def _order(later, earlier):
    """Work of one device comes after what another one has queued."""
    if later != earlier:
        synchronize(earlier)


ExternalStream = Stream


class Event:
    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        self.enable_timing = enable_timing
        self.device = None  # of the stream that it was recorded in
        self._time = None

    def record(self, stream=None):
        self.device = (current_stream() if stream is None else stream).device
        if self.enable_timing:
            synchronize(self.device)
            self._time = time.perf_counter_ns()

    def wait(self, stream=None):
        if self.device is not None:
            _order((current_stream() if stream is None else stream).device, self.device)

    def query(self):
        self.synchronize()
        return True

    def synchronize(self):
        if self.device is not None:
            synchronize(self.device)

    def elapsed_time(self, end_event):
        if not (self.enable_timing and end_event.enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self.device is None or end_event.device is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return (end_event._time - self._time) / 1e6


class StreamContext:
    def __init__(self, stream):
        self.stream = stream
        self._device = device(None if stream is None else stream.device)

    def __enter__(self):
        self._device.__enter__()

    def __exit__(self, kind, error, trace):
        return self._device.__exit__(kind, error, trace)


def stream(stream):
    return StreamContext(stream)


def current_stream(device=None):
    return Stream(device)


def default_stream(device=None):
    return Stream(device)


def set_stream(stream):
    if stream is not None:
        set_device(stream.device)


# --- memory ---


def memory_allocated(device=None):
    return _C.gpu_memory(device)[0]


def max_memory_allocated(device=None):
    return _C.gpu_memory(device)[1]


def mem_get_info(device=None):
    return _C.gpu_free_memory(device), get_device_properties(device).total_memory


# --- random numbers ---


def _generator(device="cuda"):
    """The one that functions without generator= draw from on that GPU."""
    generator = torch.Generator(torch.device("cuda", _C.gpu_index(device)))
    generator._state = None
    return generator


def manual_seed(seed):
    """Of the current GPU; without one nothing is drawn there."""
    if is_available():
        _generator().manual_seed(int(seed))


def manual_seed_all(seed):
    _C.set_gpu_numbers(None, None, int(seed), 0)


def seed():
    if is_available():
        _generator().seed()


def seed_all():
    manual_seed_all(time.perf_counter_ns() * 2654435761 % 9007199254740992)


def initial_seed():
    return _generator().initial_seed()


def get_rng_state(device="cuda"):
    return _generator(device).get_state()


def get_rng_state_all():
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state(new_state, device="cuda"):
    _generator(device).set_state(new_state)


def set_rng_state_all(new_states):
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


default_generators = tuple(_generator(index) for index in range(device_count()))
