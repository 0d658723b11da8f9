// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which kernels and which lines of their texts a step computes in: samples of all threads while it is
/// made again and again. Internal to core/driver.
#pragma once

#include "core/backend/backend.h"
#include "core/driver/session.h"

#include <functional>
#include <vector>

namespace cutaway::driver {

/// \param code of the kernels that \p step runs, which stays where it is
base::Result<Sampled> sampleSteps(pipeline::Toolchain& toolchain,
                                  const std::vector<backend::KernelPlace>& code,
                                  const std::function<base::Status()>& step,
                                  const base::CancelToken& cancel);

} // namespace cutaway::driver
