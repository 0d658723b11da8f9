# SPDX-License-Identifier: Apache-2.0
from torch.fx import Attribute, GraphAppendingTracer, Proxy, TraceError, TracerBase
