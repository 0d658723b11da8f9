// SPDX-License-Identifier: Apache-2.0
// CPU: one long loop, which the threads share in chunks; or rows one after the other, shared by the
// threads, with vectors along the row. They differ in the loops that they can run, and in nothing
// that is decided or predicted.
#include "core/schedule/cpu_tools.h"

#include "core/base/said.h"

namespace cutaway::schedule {

namespace {

std::string refuseElements(const RowFacts& facts) {
    return facts.form.isOneLongLoop()
               ? ""
               : base::said("rows, columns or several passes: not one long loop");
}

std::string refuseRows(const RowFacts& facts) {
    return facts.form.isOneLongLoop() ? base::said("one long loop: there are no rows to share")
                                      : "";
}

Template nests(std::string_view name, std::string_view summary,
               std::string (*refuse)(const RowFacts&)) {
    return {name,      ir::Device::Kind::Cpu, summary, cpuDecisions(), refuse, proposeCpu, checkCpu,
            predictCpu};
}

} // namespace

Template elementsTemplate() {
    return nests(kElements, base::said("one long loop over elements, shared by the threads"),
                 refuseElements);
}

Template cpuRowsTemplate() {
    return nests(kCpuRows, base::said("rows shared by the threads, vectors along the row"),
                 refuseRows);
}

} // namespace cutaway::schedule
