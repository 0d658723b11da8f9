# SPDX-License-Identifier: Apache-2.0
# torch.utils.tensorboard: scripts write no files.


class SummaryWriter:
    def __init__(self, log_dir=None, comment="", **options):
        raise PermissionError(1, "scripts touch no files: a SummaryWriter has nowhere to write", log_dir or "runs")
