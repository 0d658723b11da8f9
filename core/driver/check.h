// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver and the differential tests: runs of compiled graphs beside eager, the loop
/// IR's interpreter and double precision.
#pragma once

#include "core/driver/case.h"
#include "core/record/record.h"

namespace cutaway::driver {

/// One row per output and gradient, and one per backward graph for its gradient formulas against
/// central differences. \param interpreted a row more each: the kernels by their interpreter (slow)
base::Result<std::vector<record::Check>> checkRuns(backend::EagerRunner& eager,
                                                   const std::vector<backend::KeptRun>& runs,
                                                   bool interpreted = false);

} // namespace cutaway::driver
