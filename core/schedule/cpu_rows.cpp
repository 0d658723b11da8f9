// SPDX-License-Identifier: Apache-2.0
// CPU: rows one after the other, shared by the threads; vectors along the row.
#include "core/schedule/cpu_tools.h"

#include <algorithm>

namespace cutaway::schedule {

namespace {

std::string refuse(const NestFacts& facts) {
    return oneLongLoop(facts) ? "one long loop: there are no rows to share" : "";
}

/// What threads can share: rows, or the target of sums at computed places.
int64_t shares(const NestFacts& facts) {
    return facts.scatters ? std::max(facts.rows, facts.inner) : facts.rows;
}

std::vector<Decisions> propose(const NestFacts& facts, const DeviceModel& model) {
    return proposeCpu(facts, model, shares(facts));
}

std::string check(const NestFacts& facts, const DeviceModel& model, const Decisions& these) {
    return checkCpu(facts, model, these, shares(facts));
}

} // namespace

Template cpuRowsTemplate() {
    return {kCpuRows,
            ir::Device::Kind::Cpu,
            "rows shared by the threads, vectors along the row",
            cpuDecisions(),
            refuse,
            propose,
            check,
            predictCpu};
}

} // namespace cutaway::schedule
