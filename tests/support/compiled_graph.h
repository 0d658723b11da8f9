// SPDX-License-Identifier: Apache-2.0
/// \file
/// A graph through lowering, fusion, memory plan and C++ text to an executable, in steps, so that
/// the texts of many graphs can be compiled together, or by another compiler. For tests only.
#pragma once

#include "core/codegen/canonical.h"
#include "core/codegen/verify_scopes.h"
#include "core/fusion/fuse.h"
#include "core/lower/lower.h"
#include "core/passes/decompose.h"
#include "core/passes/merge_common.h"
#include "core/passes/remove_dead.h"
#include "core/runtime/target.h"
#include "tests/support/same_but_names.h"
#include "tests/support/schedules.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cutaway::testing {

constexpr int kKernelThreads = 2;

/// A graph with the C++ text of its kernels.
struct EmittedGraph {
    std::shared_ptr<kernel::KernelProgram> program;
    std::vector<schedule::Schedule> schedules;
    std::vector<codegen::KernelSource> sources; ///< one a kernel; empty text for library calls
};

inline base::Result<EmittedGraph> emitGraph(ir::Graph graph, bool fuse = true) {
    for (auto pass : {passes::decomposeBeforeLowering, passes::mergeCommon, passes::removeDead})
        CUTAWAY_CHECK(pass(graph));
    CUTAWAY_TRY(kernel::LoopProgram loops, lower::lowerGraph(graph));
    fusion::FusionOptions options;
    options.fuse = fuse;
    EmittedGraph emitted;
    emitted.program =
        std::make_shared<kernel::KernelProgram>(fusion::fuse(std::move(loops), options));
    const auto model = schedule::cpuModel(kKernelThreads, jit::hostCpu().vectorBytes);
    emitted.schedules = schedule::makeSchedules(*emitted.program, model);
    for (size_t i = 0; i < emitted.schedules.size(); ++i)
        emitted.sources.push_back(sourceBy(*emitted.program, emitted.program->kernels[i],
                                           emitted.schedules[i], model.kind));
    std::vector<codegen::KernelSource> texts = emitted.sources;
    codegen::CanonicalNames names(*emitted.program);
    for (size_t i = 0; i < emitted.sources.size(); ++i) {
        const kernel::Kernel& kernel = emitted.program->kernels[i];
        if (!kernel.hasCode()) continue;
        const auto cuda = schedule::makeSchedule(*emitted.program, kernel, schedule::cudaModel());
        texts.push_back(sourceBy(*emitted.program, kernel, cuda, ir::Device::Kind::Cuda));
        const kernel::Kernel renamed = names.rename(kernel);
        for (const auto& [shown, compiled] :
             {std::pair(emitted.sources[i],
                        sourceBy(names.program(), renamed, emitted.schedules[i], model.kind)),
              std::pair(texts.back(),
                        sourceBy(names.program(), renamed, cuda, ir::Device::Kind::Cuda))})
            if (auto problem = differsInMoreThanNames(shown, compiled))
                return base::bugError(shown.entry +
                                      ": what is compiled is not what is shown: " + *problem);
    }
    for (const codegen::KernelSource& source : texts)
        if (auto problem = codegen::verifyScopes(source))
            return base::bugError(source.entry + ": " + *problem + "\n" + source.text);
    return emitted;
}

/// Modules by their text: equal texts are compiled once.
using Modules = std::map<std::string, std::shared_ptr<jit::CpuModule>>;

/// Compiles every text in this process. Errors: the compiler's, for the first text that fails.
inline base::Result<Modules> compileTexts(const std::vector<EmittedGraph>& graphs,
                                          int optimisation) {
    Modules modules;
    for (const EmittedGraph& graph : graphs)
        for (const codegen::KernelSource& source : graph.sources)
            if (!source.text.empty()) modules.emplace(source.text, nullptr);
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [text, module] : modules)
        texts.emplace_back("kernel", text);
    jit::CpuCompileOptions options;
    options.optimisation = optimisation;
    auto compiled = jit::CpuCompiler::create()->compileAll(texts, options);
    size_t next = 0;
    for (auto& [text, module] : modules) {
        CUTAWAY_TRY(module, std::move(compiled[next]));
        ++next;
    }
    return modules;
}

/// \returns row-major values; an empty tensor for None.
inline base::Result<std::vector<ir::HostTensor>>
runGraph(const EmittedGraph& graph, const Modules& modules,
         const std::vector<ir::HostTensor>& inputs) {
    std::vector<runtime::CompiledKernel> kernels;
    for (const codegen::KernelSource& source : graph.sources) {
        auto found = modules.find(source.text);
        kernels.push_back({source, found == modules.end() ? nullptr : found->second, ""});
    }
    CUTAWAY_TRY(auto executable,
                runtime::targetRow(ir::Device::Kind::Cpu)
                    .create()
                    ->load(graph.program, memory::planMemory(*graph.program), std::move(kernels)));
    std::vector<runtime::TensorPtr> tensors;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const kernel::Buffer& buffer = graph.program->loops.buffer(graph.program->loops.inputs[i]);
        CUTAWAY_TRY(auto dense, runtime::fromHost(inputs[i], {}));
        CUTAWAY_TRY(auto tensor,
                    runtime::emptyTensor({buffer.dtype, buffer.sizes, buffer.strides, {}, false}));
        CUTAWAY_CHECK(runtime::copyInto(*tensor, *dense));
        tensors.push_back(std::move(tensor));
    }
    CUTAWAY_TRY(auto results, executable->run(tensors));
    std::vector<ir::HostTensor> hosts;
    for (const runtime::TensorPtr& result : results) {
        if (!result) {
            hosts.push_back(ir::HostTensor::zeros(ir::DType::Float32, {0}));
            continue;
        }
        CUTAWAY_TRY(ir::HostTensor host, runtime::toHost(*result));
        hosts.push_back(std::move(host));
    }
    return hosts;
}

} // namespace cutaway::testing
