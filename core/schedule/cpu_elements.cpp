// SPDX-License-Identifier: Apache-2.0
// CPU: one long loop over elements, which the threads share in chunks.
#include "core/schedule/cpu_tools.h"

namespace cutaway::schedule {

namespace {

std::string refuse(const NestFacts& facts) {
    return oneLongLoop(facts) ? "" : "rows, columns or several passes: not one long loop";
}

std::vector<Decisions> propose(const NestFacts& facts, const DeviceModel& model) {
    return proposeCpu(facts, model, facts.inner);
}

std::string check(const NestFacts& facts, const DeviceModel& model, const Decisions& these) {
    return checkCpu(facts, model, these, facts.inner);
}

} // namespace

Template elementsTemplate() {
    return {kElements,
            ir::Device::Kind::Cpu,
            "one long loop over elements, shared by the threads",
            cpuDecisions(),
            refuse,
            propose,
            check,
            predictCpu};
}

} // namespace cutaway::schedule
