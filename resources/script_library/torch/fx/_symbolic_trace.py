# SPDX-License-Identifier: Apache-2.0
from torch.fx import Tracer, is_fx_tracing, symbolic_trace, wrap
from torch.fx import _assert_is_none
