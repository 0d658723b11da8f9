// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/gpu_load.h"

#include "core/jit/cubin.h"
#include "core/schedule/schedule.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace cutaway::pipeline {

namespace {

/// Registers that a thread of a text is estimated to take: addresses and counters, what waits
/// between passes (as its schedule says), and the elements that are on their way.
int estimatedRegisters(const record::KernelInfo& kernel, int threads) {
    constexpr int kOwn = 24, kFile = 65536, kMost = 255, kUnit = 8;
    int words = kOwn;
    for (const record::ScheduleCandidate& candidate : kernel.candidates) {
        if (candidate.target != "cuda" || !candidate.taken) continue;
        const auto chosen = schedule::parseCandidate(candidate.text());
        const schedule::Decisions decisions = chosen ? chosen->decisions : schedule::Decisions();
        const int64_t vector = decisions.get("vector", 1), flying = decisions.get("in-flight", 1);
        words += static_cast<int>(vector * flying * static_cast<int64_t>(kernel.reads.size()));
        for (const std::string& reason : candidate.reasons)
            if (reason.find(" registers of a thread") != std::string::npos)
                words += std::atoi(reason.c_str());
    }
    // The launch bounds let no more be taken.
    return std::min({words, kMost, kFile / std::max(1, threads) / kUnit * kUnit});
}

/// Bytes of the arrays that a text declares as shared: "__shared__ float shared_amax[32];".
int64_t declaredShared(std::string_view text) {
    static const std::pair<std::string_view, int64_t> kBytes[] = {
        {"double", 8}, {"long", 8}, {"float", 4}, {"int", 4}, {"half", 2}, {"bfloat", 2}};
    constexpr std::string_view kWord = "__shared__ ";
    int64_t all = 0;
    for (size_t at = text.find(kWord); at != std::string_view::npos;
         at = text.find(kWord, at + kWord.size())) {
        const std::string_view line = text.substr(at + kWord.size(), text.find(';', at) - at);
        int64_t bytes = 1;
        for (const auto& [name, size] : kBytes)
            if (line.find(name) < line.find('[')) {
                bytes = size;
                break;
            }
        size_t open = line.find('[');
        if (open == std::string_view::npos) continue;
        for (; open != std::string_view::npos; open = line.find_first_of("[*", open + 1))
            bytes *= std::max(1, std::atoi(std::string(line.substr(open + 1, 12)).c_str()));
        all += bytes;
    }
    return all;
}

} // namespace

record::GpuLoad predictedLoad(const record::KernelInfo& kernel,
                              const codegen::KernelSource& source) {
    constexpr int kSystemBytes = 1024; // of every block, from compute capability 8.0 on
    const std::string architecture = "sm_90";
    record::GpuLoad load{source.launch.threads,
                         estimatedRegisters(kernel, source.launch.threads),
                         source.launch.sharedBytes +
                             declaredShared(std::string_view(source.text)
                                                .substr(std::min(source.text.size(),
                                                                 codegen::cudaPrelude().size()))),
                         0,
                         0,
                         {},
                         architecture};
    jit::KernelResources resources;
    resources.registers = load.registers;
    resources.sharedBytes = static_cast<int>(load.sharedBytes) + kSystemBytes;
    const jit::Occupancy full = jit::occupancy(resources, load.threads, architecture);
    load.blocks = full.blocks;
    load.share = full.share;
    load.limit = full.limit;
    return load;
}

} // namespace cutaway::pipeline
