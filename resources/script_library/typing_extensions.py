# SPDX-License-Identifier: Apache-2.0

from typing import *
from typing import TypedDict, NamedTuple, Protocol, runtime_checkable
