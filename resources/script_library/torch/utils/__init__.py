# SPDX-License-Identifier: Apache-2.0
# torch.utils: its modules are read when they are used.
