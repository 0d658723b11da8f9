// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/team_watch.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

using Clock = cutaway::runtime::TeamWatch::Clock;

// OMPT, the tools interface of OpenMP 5.2: what is used of it, as the standard names and numbers it.
extern "C" {
union ompt_data_t {
    uint64_t value;
    void* ptr;
};
using ompt_function_lookup_t = void (*(*)(const char*))();
struct ompt_start_tool_result_t {
    int (*initialize)(ompt_function_lookup_t, int, ompt_data_t*);
    void (*finalize)(ompt_data_t*);
    ompt_data_t tool_data;
};
}

namespace {

enum class Event : int { ParallelBegin = 3, ImplicitTask = 7, SyncRegion = 23 };
enum class Endpoint : int { Begin = 1, End = 2 };
constexpr int kInitialTask = 1;       // a flag
constexpr int kBarrierOfParallel = 9; // at its end

using SetCallback = int (*)(int event, void (*callback)());

struct Part {
    int thread;
    Clock::time_point begin, end;
};

struct Shared {
    std::mutex watching; ///< held by the one that watches
    std::mutex mutex;    ///< guards what follows
    std::vector<Part> parts;
    Clock::time_point since;
};

Shared& shared() {
    static Shared all;
    return all;
}

/// What a thread is at, as far as it is watched.
struct Own {
    bool watches = false; ///< its teams are those that are watched
    bool isOpen = false;
    int thread = 0;
    Clock::time_point begin;

    void open() {
        isOpen = true;
        begin = Clock::now();
    }
    void close() {
        if (!std::exchange(isOpen, false)) return;
        const Clock::time_point now = Clock::now();
        const std::lock_guard lock(shared().mutex);
        shared().parts.push_back({thread, begin, now});
    }
};
thread_local Own own;

#ifndef __SANITIZE_THREAD__ // which listens by itself
SetCallback setCallback = nullptr;

/// The mark of a team that is watched.
constexpr uint64_t kWatched = 1;

void onParallelBegin(ompt_data_t*, const void*, ompt_data_t* parallel, unsigned, int, const void*) {
    parallel->value = own.watches ? kWatched : 0;
}

void onImplicitTask(int endpoint, ompt_data_t* parallel, ompt_data_t*, unsigned, unsigned index,
                    int flags) {
    if (flags & kInitialTask || own.watches) return;
    if (endpoint != int(Endpoint::Begin) || !parallel || parallel->value != kWatched) return;
    own.thread = static_cast<int>(index);
    own.open();
}

/// Who waits computes nothing; after the last barrier of a team only the caller goes on.
void onSyncRegion(int kind, int endpoint, ompt_data_t* parallel, ompt_data_t*, const void*) {
    const bool isOurs = own.watches || (parallel && parallel->value == kWatched);
    if (endpoint == int(Endpoint::Begin))
        own.close();
    else if (endpoint == int(Endpoint::End) && isOurs &&
             (own.watches || kind != kBarrierOfParallel))
        own.open();
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
    setCallback = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
    return 1;
}
void finalize(ompt_data_t*) {}

void listen(bool listens) {
    if (!setCallback) return;
    const auto set = [&](Event event, auto callback) {
        setCallback(static_cast<int>(event),
                    listens ? reinterpret_cast<void (*)()>(callback) : nullptr);
    };
    set(Event::ParallelBegin, onParallelBegin);
    set(Event::ImplicitTask, onImplicitTask);
    set(Event::SyncRegion, onSyncRegion);
}
#else
void listen(bool) {}
#endif

} // namespace

#ifndef __SANITIZE_THREAD__
/// Asked for by the OpenMP runtime when it starts.
extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime);
extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
    static ompt_start_tool_result_t tool{initialize, finalize, {0}};
    return &tool;
}
#endif

namespace cutaway::runtime {

TeamWatch::TeamWatch() {
    shared().watching.lock();
    listen(true);
    own.watches = true;
    own.thread = 0;
    own.open();
    shared().since = own.begin;
}

TeamWatch::~TeamWatch() {
    listen(false);
    own = {};
    shared().parts.clear();
    shared().watching.unlock();
}

std::vector<TeamPart> TeamWatch::take() {
    own.close();
    std::vector<TeamPart> result;
    const auto us = [](Clock::duration time) {
        return std::chrono::duration<double, std::micro>(time).count();
    };
    {
        const std::lock_guard lock(shared().mutex);
        for (const Part& part : shared().parts)
            result.push_back(
                {part.thread, us(part.begin - shared().since), us(part.end - part.begin)});
        shared().parts.clear();
    }
    std::ranges::stable_sort(result, {}, &TeamPart::begin);
    own.open();
    shared().since = own.begin;
    return result;
}

} // namespace cutaway::runtime
