// SPDX-License-Identifier: Apache-2.0
/// \file
/// The backend eager: the captured graph, one kernel an operation.
#pragma once

#include "core/backend/backend.h"

namespace cutaway::backend {

std::unique_ptr<Backend> makeEager(const BackendTools& tools);

} // namespace cutaway::backend
