// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/nest.h"
#include "core/codegen/cpp/prelude.h"
#include "core/codegen/source.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::resources {
extern const std::string_view kCppPrelude;
}

namespace cutaway::codegen {

std::string_view cppPrelude() {
    return resources::kCppPrelude;
}

// Of 500 sines and cosines, inlining takes ten times the compile time and saves an eighth of the
// time of a call.
static constexpr size_t kMostInlined = 48;

KernelSource emitCpp(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                     int threads) {
    KernelSource source;
    source.entry = kernel.name;
    if (!kernel.loops) return source; // a library call has no text
    cpp::NestEmitter emitter(program, kernel, threads);
    const cpp::Lines lines = emitter.emit();
    const int lanes = kernel.loops->inner ? kernel.loops->schedule.vectorWidth : 1;
    std::string own;
    for (const cpp::LinePtr& line : lines.all())
        own += line->text + "\n";
    const bool calls = cpp::largeCalls(cppPrelude(), own) > kMostInlined;
    source.text = fmt::format("#define LANES {}\n{}{}\n", lanes,
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
    source.scratchBytes = emitter.scratchBytes();
    source.checks = kernel::makesChecks(program, kernel);
    return source;
}

} // namespace cutaway::codegen
