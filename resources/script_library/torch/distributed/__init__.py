# SPDX-License-Identifier: Apache-2.0
# torch.distributed of a script that runs alone: there are no other processes, and no network to reach any.


class ReduceOp:
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = "SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR"


def is_available():
    return True


def is_initialized():
    return False


def is_torchelastic_launched():
    return False


def is_nccl_available():
    return False


is_mpi_available = is_gloo_available = is_nccl_available


def init_process_group(backend=None, init_method=None, **options):
    raise RuntimeError("scripts run alone here: there is no network on which the processes of a group would meet")


def _no_group(*args, **kwargs):
    raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")


get_rank = get_world_size = get_backend = barrier = broadcast = all_reduce = reduce = all_gather = _no_group
gather = scatter = monitored_barrier = _no_group
all_gather_into_tensor = reduce_scatter = reduce_scatter_tensor = all_to_all = send = recv = new_group = _no_group
broadcast_object_list = all_gather_object = destroy_process_group = _no_group
