// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/cuda_plan.h"

#include "core/schedule/templates.h"

namespace cutaway::schedule {

CudaPlan cudaPlan(const RowFacts& facts, const Candidate& candidate) {
    return findTemplate(ir::Device::Kind::Cuda, candidate.by)->plan(facts, candidate.decisions);
}

} // namespace cutaway::schedule
