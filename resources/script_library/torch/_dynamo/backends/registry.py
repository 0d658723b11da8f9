# SPDX-License-Identifier: Apache-2.0
from torch._dynamo import list_backends, lookup_backend, register_backend
