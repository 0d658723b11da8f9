// SPDX-License-Identifier: Apache-2.0
/// \file
/// How things come about, step by step, for people to follow: what a kernel's loops touch, how the
/// minimum cut grows. Told from a record, which may be an opened one.
#pragma once

#include "core/base/result.h"
#include "core/record/record.h"

namespace cutaway::driver {

struct KernelStory {
    struct Buffer {
        std::string name, type;
        std::vector<int64_t> sizes; ///< size symbols are 4
    };
    struct Touch {
        std::string kind;            ///< "read", "write", "accumulate"
        int buffer = 0;              ///< index in buffers
        std::vector<int64_t> coords; ///< -1: only values could tell
        int worker = -1;             ///< index in workers; -1: there is one
    };
    /// A thread of a processor, or one of a block of a GPU.
    struct Worker {
        int block = -1, thread = -1; ///< -1: not shared so
    };
    struct Moment {
        int line = 0;   ///< of lines, counted from 0
        std::string at; ///< "o0 = 2, i = 5"; of vectors "o0 = 2, i = 0…15"
        std::vector<Touch> touches;
    };
    std::vector<std::string> lines; ///< the kernel's recorded loops, or those of its schedule
    std::vector<Buffer> buffers;    ///< that are touched
    std::vector<Moment> moments;
    struct Loop {
        std::string variable;
        int64_t shown = 0, extent = 0;
    };
    std::vector<Loop> left; ///< loops of which not all iterations are told
    bool whole = true;
    std::vector<Worker> workers; ///< who shares the loops
    std::string schedule;        ///< "rows: vector 8, threads 2"; empty: the loops alone
    /// What is drawn smaller than it is: threads of a processor, blocks, threads of a block; 0: none.
    int64_t threads = 0, blocks = 0, block = 0;
};

/// The first iterations of every loop of a kernel, as it is scheduled for \p target ("cpu", "cuda"):
/// several at once in vectors, threads side by side, tile after tile; blocks of a GPU have few threads
/// in it, and there are few blocks. \p target "": the loops as they are recorded, one statement after
/// the other. Errors: user error for a kernel that a library computes, where the recorded text cannot
/// be read, and for a target that has no schedule.
base::Result<KernelStory> tellKernel(const record::LoweredGraph& lowered,
                                     const record::KernelInfo& kernel, const std::string& target);

struct CutTale {
    struct Step {
        std::vector<std::string> path;
        std::string narrow;
        int64_t flow = 0, total = 0;
    };
    std::vector<Step> steps;
    std::vector<std::vector<std::string>> rounds; ///< the backward's side, as it grows
    std::vector<std::string> saved;
    int64_t value = 0;
};

/// The minimum cut of an entry's joint graph, path by path, as partition::followMinCut tells it.
/// \param decisions what was decided instead of the compiler ("save NODE", "recompute NODE")
/// Errors: user error where nothing was cut or something else than the minimum cut decided, and
/// where the graph is too large.
base::Result<CutTale> tellCut(const record::Entry& entry,
                              const std::vector<std::string>& decisions);

} // namespace cutaway::driver
