// SPDX-License-Identifier: Apache-2.0
/// \file
/// A backend whose graphs a plug-in compiles and runs: capture, passes, joint graph and partition are
/// ours, from forward and backward graph on it is the plug-in's.
#pragma once

#include "core/backend/backend.h"
#include "resources/plugin/cutaway_plugin.h"

namespace cutaway::backend {

/// \param how stays as long as the backend
std::unique_ptr<Backend> makePluginBackend(const BackendTools& tools, const CutawayBackend& how);

} // namespace cutaway::backend
