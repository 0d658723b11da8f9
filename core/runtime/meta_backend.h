// SPDX-License-Identifier: Apache-2.0
/// \file
/// The device without memory: its tensors have sizes only.
#pragma once

#include "core/runtime/device.h"

namespace cutaway::runtime {

DeviceBackend& metaBackend();

} // namespace cutaway::runtime
