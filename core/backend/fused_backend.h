// SPDX-License-Identifier: Apache-2.0
/// \file
/// The backends that take a graph through every stage: inductor, and aot_eager with one kernel an
/// operation.
#pragma once

#include "core/backend/backend.h"

namespace cutaway::backend {

std::unique_ptr<Backend> makeInductor(const BackendTools& tools);
std::unique_ptr<Backend> makeAotEager(const BackendTools& tools);

} // namespace cutaway::backend
