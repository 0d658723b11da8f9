// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver and its tests: the probe of runs that were kept.
#pragma once

#include "core/driver/case.h"
#include "core/driver/probe.h"

namespace cutaway::driver {

/// Values, first and problems of the runs. \param record of their compilation: tells what came from
/// what. Errors: as probe.
base::Result<Probe> probeRuns(backend::EagerRunner& eager, const record::Record& record,
                              const std::vector<backend::KeptRun>& runs);

} // namespace cutaway::driver
