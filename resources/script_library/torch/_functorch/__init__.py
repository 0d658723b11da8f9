# SPDX-License-Identifier: Apache-2.0
# torch._functorch: what is ahead of time for functions of a script; settings are torch._functorch.config.
