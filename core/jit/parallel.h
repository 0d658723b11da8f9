// SPDX-License-Identifier: Apache-2.0
/// \file
/// Many texts on a pool of threads, for either compiler. Private to this folder.
#pragma once

#include "core/base/cancel.h"
#include "core/base/result.h"
#include "core/jit/background.h"

#include <sys/single_threaded.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace cutaway::jit {

/// Work of some threads, for longer than a caller that was cancelled waits for it.
template <typename T> struct ParallelJob {
    std::function<base::Result<T>(size_t)> work;
    base::CancelToken cancel;
    std::vector<size_t> order; ///< in which they are begun
    std::atomic<size_t> next{0};
    std::mutex mutex; ///< guards what follows
    std::condition_variable finished;
    std::vector<std::optional<base::Result<T>>> made;
    size_t done = 0;

    void run() {
        for (size_t n = next.fetch_add(1); n < order.size(); n = next.fetch_add(1)) {
            const size_t i = order[n];
            auto result = cancel.cancelled() ? base::Result<T>(base::cancelledError()) : work(i);
            const std::lock_guard lock(mutex);
            made[i] = std::move(result);
            ++done;
            finished.notify_all();
        }
    }
};

/// What \p work gives for each text, in order; \p lengths are theirs: the longest is begun first, so
/// that the others are not through before it (Graham, 1969). \p work owns all that it uses but
/// \p background's owner: threads may still be at it when this has returned. \p progress (may be
/// null) is told on the caller's thread. A single one is made there, too, in a process of one
/// thread (Ctrl-C waits for it). cancelledError() for what was not ready when \p cancel
/// said so.
template <typename T>
std::vector<base::Result<T>>
inParallel(Background& background, const std::vector<size_t>& lengths,
           const base::CancelToken& cancel,
           const std::function<void(size_t done, size_t all)>& progress,
           std::function<base::Result<T>(size_t)> work) {
    auto job = std::make_shared<ParallelJob<T>>();
    job->work = std::move(work);
    job->cancel = cancel;
    const size_t count = lengths.size();
    job->order.resize(count);
    std::iota(job->order.begin(), job->order.end(), size_t{0});
    std::ranges::stable_sort(job->order, std::ranges::greater{},
                             [&](size_t i) { return lengths[i]; });
    job->made.resize(count);
    // Where no other thread is, nobody cancels; and while none was, references are counted without
    // locks, which short calls feel: one text starts none.
    if (count == 1 && __libc_single_threaded) {
        job->run();
        if (progress) progress(1, 1);
        std::vector<base::Result<T>> only;
        only.push_back(std::move(*job->made.front()));
        return only;
    }
    const size_t threads =
        std::min<size_t>(count, std::max(1u, std::thread::hardware_concurrency()));
    for (size_t i = 0; i < threads; ++i)
        background.start([job] { job->run(); });
    constexpr auto kLook = std::chrono::milliseconds(10);
    std::unique_lock lock(job->mutex);
    for (size_t told = 0; told < count && !cancel.cancelled();) {
        job->finished.wait_for(lock, kLook, [&] { return job->done > told; });
        if (job->done == told) continue;
        ++told;
        if (!progress) continue;
        lock.unlock();
        progress(told, count);
        lock.lock();
    }
    std::vector<base::Result<T>> results;
    for (auto& made : job->made)
        results.push_back(made ? std::move(*made) : base::Result<T>(base::cancelledError()));
    return results;
}

/// How long the texts are that are compiled under these names.
inline std::vector<size_t>
lengthsOf(const std::vector<std::pair<std::string, std::string>>& namedTexts) {
    std::vector<size_t> lengths;
    for (const auto& [name, text] : namedTexts)
        lengths.push_back(text.size());
    return lengths;
}

} // namespace cutaway::jit
