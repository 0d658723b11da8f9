// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kernel_code.h"

#include "core/base/tick.h"
#include "core/codegen/canonical.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

namespace cutaway::pipeline {

KernelCode emitKernels(const kernel::KernelProgram& program,
                       const std::vector<schedule::Schedule>& schedules,
                       const runtime::Target& target) {
    const size_t count = program.kernels.size();
    KernelCode code{std::vector<codegen::KernelSource>(count),
                    std::vector<codegen::KernelSource>(count), std::vector<size_t>(count)};
    codegen::CanonicalNames names(program);
    std::unordered_map<std::string_view, size_t> known;
    for (size_t i = 0; i < count; ++i) {
        base::tick();
        const kernel::Kernel& kernel = program.kernels[i];
        code.sameAs[i] = i;
        if (!kernel.hasCode()) continue;
        const schedule::Candidate& how = schedules[i].chosen();
        code.shown[i] = target.emit(program, kernel, how);
        const kernel::Kernel renamed = names.rename(kernel);
        code.compiled[i] = target.emit(names.program(), renamed, how);
        code.sameAs[i] = known.emplace(code.compiled[i].text, i).first->second;
    }
    return code;
}

base::Result<std::vector<runtime::CompiledKernel>>
compileKernels(const KernelCode& code, runtime::Target& target, const runtime::TargetDevice& device,
               const std::string& cacheFolder, const std::string& graphName, const Options& how) {
    std::vector<size_t> numbers;
    std::vector<codegen::KernelSource> texts;
    for (size_t i = 0; i < code.compiled.size(); ++i)
        if (!code.compiled[i].text.empty() && code.sameAs[i] == i) {
            numbers.push_back(i);
            texts.push_back(code.compiled[i]);
        }
    runtime::BinaryOptions options;
    options.cacheFolder = cacheFolder;
    options.cancel = how.cancel;
    if (how.progress)
        options.progress = [&](size_t done, size_t all) {
            how.progress(fmt::format("{}: compile, {} of {} kernels", graphName, done, all),
                         double(done) / double(all));
        };
    auto compiled = target.compile(texts, device, options);
    std::vector<runtime::CompiledKernel> kernels(code.compiled.size());
    for (size_t i = 0; i < numbers.size(); ++i) {
        CUTAWAY_TRY(kernels[numbers[i]], std::move(compiled[i]));
    }
    for (size_t i = 0; i < kernels.size(); ++i) {
        if (code.compiled[i].text.empty() || code.sameAs[i] == i) continue;
        kernels[i] = kernels[code.sameAs[i]];
        kernels[i].source = code.compiled[i]; // its own launch
    }
    return kernels;
}

} // namespace cutaway::pipeline
