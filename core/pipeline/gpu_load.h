// SPDX-License-Identifier: Apache-2.0
/// \file
/// How full a kernel's CUDA text is predicted to make a multiprocessor, before anybody compiles it:
/// threads and shared memory stand in the text, registers are estimated.
#pragma once

#include "core/codegen/source.h"
#include "core/record/record.h"

namespace cutaway::pipeline {

/// On an H200, which CUDA text is made for where there is no device.
/// \param kernel with its CUDA candidates
record::GpuLoad predictedLoad(const record::KernelInfo& kernel,
                              const codegen::KernelSource& source);

} // namespace cutaway::pipeline
