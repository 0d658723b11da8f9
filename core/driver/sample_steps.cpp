// SPDX-License-Identifier: Apache-2.0
#include "core/driver/sample_steps.h"

#include "core/base/text.h"
#include "core/runtime/sampler.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace cutaway::driver {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLongEnough = std::chrono::milliseconds(300);
constexpr size_t kMostWithLines = 40; ///< codes; each is compiled once more

/// The samples of one machine code.
struct Taken {
    Sampled::Code code;
    const codegen::KernelSource* source = nullptr;
    size_t bytes = 0;
    std::vector<size_t> offsets;
};
using ByBegin = std::map<uintptr_t, Taken>;

ByBegin places(const std::vector<backend::KernelPlace>& code) {
    ByBegin all;
    for (const backend::KernelPlace& place : code) {
        if (place.code.bytes.empty()) continue;
        Taken& taken = all[reinterpret_cast<uintptr_t>(place.code.bytes.data())];
        taken.code.kernels.emplace_back(place.graph, place.kernel);
        taken.source = place.code.source;
        taken.bytes = place.code.bytes.size();
    }
    return all;
}

/// Lines are told where the code with line tables is as long as that which ran.
void tellLines(Taken& taken, runtime::Target& target) {
    const auto table = target.lineTable(*taken.source);
    if (!table || table->bytes != taken.bytes) return;
    std::map<int, int> count;
    for (size_t offset : taken.offsets)
        if (const int line = table->lineAt(offset); line > 0) ++count[line];
    const std::vector<std::string> text = base::splitLines(taken.source->text);
    for (const auto& [line, samples] : count) {
        const auto at = static_cast<size_t>(line) - 1;
        const std::string all = at < text.size() ? text[at] : std::string();
        const size_t begin = std::min(all.find_first_not_of(' '), all.size());
        taken.code.lines.push_back({line, samples, all.substr(begin)});
    }
}

} // namespace

base::Result<Sampled> sampleSteps(pipeline::Toolchain& toolchain,
                                  const std::vector<backend::KernelPlace>& code,
                                  const std::function<base::Status()>& step,
                                  const base::CancelToken& cancel) {
    runtime::Sampler& sampler = runtime::processSampler();
    Sampled result;
    result.what = sampler.what();
    sampler.start();
    base::Status status;
    const Clock::time_point begin = Clock::now();
    while (status && Clock::now() - begin < kLongEnough && sampler.missing().empty())
        status = cancel.cancelled() ? base::cancelledError() : step();
    const std::vector<uintptr_t> samples = sampler.stop();
    if (!status) return status.error();
    result.missing = sampler.missing();
    result.samples = static_cast<int>(samples.size());
    ByBegin all = places(code);
    for (uintptr_t at : samples) {
        auto after = all.upper_bound(at);
        if (after == all.begin()) continue;
        auto& [first, taken] = *std::prev(after);
        if (at - first < taken.bytes) taken.offsets.push_back(at - first);
    }
    std::vector<Taken*> met;
    for (auto& [first, taken] : all)
        if (!taken.offsets.empty()) met.push_back(&taken);
    std::ranges::stable_sort(met, std::ranges::greater(),
                             [](const Taken* one) { return one->offsets.size(); });
    for (size_t i = 0; i < met.size(); ++i) {
        met[i]->code.samples = static_cast<int>(met[i]->offsets.size());
        if (i < kMostWithLines) tellLines(*met[i], toolchain.target(ir::Device::Kind::Cpu));
        result.codes.push_back(std::move(met[i]->code));
    }
    return result;
}

} // namespace cutaway::driver
