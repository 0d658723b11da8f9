// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_replays.h"

#include <algorithm>

namespace cutaway::runtime {

constexpr size_t kKept = 8;
constexpr int kThisThread = 1; // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL

CudaReplays::~CudaReplays() {
    clear();
}

void CudaReplays::clear() {
    if (calls_.empty()) return;
    device_.activate();
    for (const Call& call : calls_)
        if (call.graph) device_.driver().graphExecDestroy(call.graph);
    calls_.clear();
}

base::Status CudaReplays::run(std::vector<void*> arguments,
                              const std::function<base::Status()>& launches) {
    if (refused_) return launches();
    const auto known = std::ranges::find(calls_, arguments, &Call::arguments);
    if (known == calls_.end()) {
        calls_.push_front({std::move(arguments)});
        if (calls_.size() > kKept) {
            if (calls_.back().graph) device_.driver().graphExecDestroy(calls_.back().graph);
            calls_.pop_back();
        }
        return launches();
    }
    calls_.splice(calls_.begin(), calls_, known);
    if (!known->graph && !record(*known, launches)) {
        refused_ = true;
        return launches();
    }
    return device_.driver().check(device_.driver().graphLaunch(known->graph, device_.stream()),
                                  "launch a graph");
}

/// \returns whether the call has a graph now. Nothing has run.
bool CudaReplays::record(Call& call, const std::function<base::Status()>& launches) const {
    const CudaDriver& driver = device_.driver();
    if (driver.beginCapture(device_.stream(), kThisThread) != 0) return false;
    const base::Status queued = launches();
    CuGraph graph = nullptr;
    const bool ended = driver.endCapture(device_.stream(), &graph) == 0;
    if (ended && queued && driver.graphInstantiate(&call.graph, graph, 0) != 0)
        call.graph = nullptr;
    if (graph) driver.graphDestroy(graph);
    return call.graph != nullptr;
}

} // namespace cutaway::runtime
