// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/prelude.h"
#include "core/codegen/cpp/tree.h"
#include "core/codegen/source.h"
#include "core/schedule/cpu_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::resources {
extern const std::string_view kCppPrelude;
extern const std::string_view kSpecialFunctions;
} // namespace cutaway::resources

namespace cutaway::codegen {

std::string_view cppPrelude() {
    static const std::string whole = std::string(resources::kCppPrelude) +
                                     std::string(cpp::withoutFirst(resources::kSpecialFunctions));
    return whole;
}

std::string specialFunctions(std::string_view text) {
    return cpp::neededSections(cpp::withoutFirst(resources::kSpecialFunctions), text);
}

// Of 500 sines and cosines, inlining takes ten times the compile time and saves an eighth of the
// time of a call.
static constexpr size_t kMostInlined = 48;

namespace {

cpp::Lines treeText(const kernel::KernelProgram& whole, const kernel::Kernel& kernel,
                    const schedule::Candidate& how, KernelSource& source) {
    schedule::CpuLoops loops = schedule::cpuLoops(whole, kernel, how);
    kernel::KernelProgram split;
    if (loops.split) split.loops = std::move(*loops.split);
    const kernel::KernelProgram& program = loops.split ? split : whole;
    cpp::TreeEmitter emitter(program, kernel, loops.tree, loops.plan);
    cpp::Lines lines = emitter.emit();
    source.scratchBytes = emitter.scratchBytes();
    source.sizeArguments = loops.tree.sizeArguments;
    return lines;
}

} // namespace

KernelSource emitCpp(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                     const schedule::Candidate& how) {
    KernelSource source;
    source.entry = kernel.name;
    if (!kernel.hasCode()) return source; // a library call has no text
    const schedule::CpuPlan plan = schedule::cpuPlan(how);
    const cpp::Lines lines = treeText(program, kernel, how, source);
    std::string own;
    for (const cpp::LinePtr& line : lines.all())
        own += line->text + "\n";
    const bool calls = cpp::largeCalls(cppPrelude(), own) > kMostInlined;
    source.text = fmt::format("#define LANES {}\n{}{}\n", plan.vector,
                              calls ? "#define LARGE static NOINLINE\n" : "",
                              cpp::neededPrelude(cppPrelude(), own));
    source.preludeLines =
        static_cast<int>(std::count(source.text.begin(), source.text.end(), '\n'));
    int number = source.preludeLines;
    for (const cpp::LinePtr& line : lines.all()) {
        ++number;
        if (line->from.empty()) continue;
        LineOrigin origin{number, {}};
        for (kernel::BufferId id : line->from)
            if (id.valid()) origin.buffers.push_back(id);
        if (!origin.buffers.empty()) source.lines.push_back(std::move(origin));
    }
    source.text += own;
    source.checks = kernel::makesChecks(program, kernel);
    return source;
}

} // namespace cutaway::codegen
