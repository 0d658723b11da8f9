# SPDX-License-Identifier: Apache-2.0
# torch.version: of PyTorch, whose behaviour this is, and of what it was built with.
import torch

__version__ = torch.__version__
cuda = hip = xpu = git_version = None
debug = False
