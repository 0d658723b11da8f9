// SPDX-License-Identifier: Apache-2.0
/// \file
/// What one compilation may be told, and the tools it uses.
#pragma once

#include "core/base/cancel.h"
#include "core/fusion/wishes.h"
#include "core/jit/cpu_compiler.h"
#include "core/partition/partition.h"
#include "core/pipeline/pass_table.h"
#include "core/runtime/target.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace cutaway::pipeline {

/// How a backend uses the stages (core/backend lists the backends by name).
struct Strategy {
    bool fuse = true;        ///< false: one kernel a buffer
    bool graphPasses = true; ///< false: only the decompositions that lowering needs
    partition::Partitioner partitioner = partition::Partitioner::MinCut;
};

/// "Run this kernel so": schedule::force says what \p wanted may be.
struct ScheduleWish {
    std::string kernel;    ///< "fused_cos", "backward/fused_cos", or "*": where it can be
    std::string wanted;    ///< "3", or "rows: vector 8, threads 1"
    bool met = false;      ///< some kernel was run so
    std::string problem{}; ///< why the last kernel that "*" passed over cannot be
};

/// What somebody decides instead of the compiler.
struct Wishes {
    std::vector<ScheduleWish> schedules;
    std::vector<partition::Wish> savings;
    std::vector<fusion::Wish> fusions;
    std::optional<partition::Budget> budget;
    std::optional<partition::Partitioner> partitioner; ///< instead of the strategy's
    bool freezing = false;                             ///< \see Options::freezing
};

struct Options {
    Strategy strategy;
    bool verify = true;  ///< check the invariants of what every stage gives
    int vectorBytes = 0; ///< widest vector register that C++ text may use; 0: this machine's
    std::set<std::string> disabledPasses;
    std::vector<PassOrder> passOrders; ///< otherwise than in the pass table
    std::map<std::string, int64_t, std::less<>>
        passArguments; ///< by pass, instead of the usual ones
    /// What torch.compile and configurations said; stages act on `epilogue_fusion`,
    /// `activation_memory_budget`, `freezing`, `max_autotune` (\see autotune.h) and `triton.cudagraphs`.
    std::string mode = "default";
    std::optional<bool> dynamic;
    std::map<std::string, std::string> settings; ///< "True", "False" or a number
    /// Placeholders of the captured graph whose tensors other values are in when the backward runs.
    std::vector<ir::NodeId> writtenInputs;
    /// Shared, so that who asked sees which were met. May be null.
    std::shared_ptr<Wishes> wishes;
    base::CancelToken cancel;
    /// Told of every stage; \p fraction of it that is done, 0: not known. May be null; called on
    /// any thread.
    std::function<void(const std::string& stage, double fraction)> progress;
    /// Told whenever the record has grown by what a stage gave, on the thread that compiles. May
    /// be null.
    std::function<void()> recorded;

    /// Whether graphs that record no gradients may rely on the values of their modules' tensors.
    bool freezing() const {
        const auto told = settings.find("freezing");
        return (wishes && wishes->freezing) || (told != settings.end() && told->second == "True");
    }
    /// Whether a GPU's launches are to be recorded and replayed.
    bool replaysLaunches() const {
        const auto told = settings.find("triton.cudagraphs");
        return mode == "reduce-overhead" || mode == "max-autotune" ||
               (told != settings.end() && told->second == "True");
    }
    runtime::DeviceLimits limits() const { return {runtime::threads(), vectorBytes}; }
};

/// The targets of this machine with their compilers: made once, shared by every compilation.
/// Thread-safe.
class Toolchain {
public:
    /// \param cacheFolder empty: no disk cache
    explicit Toolchain(std::string cacheFolder);

    /// One per row of runtime::targetTable(), in its order.
    std::span<const std::unique_ptr<runtime::Target>> targets() const { return targets_; }
    runtime::Target& target(ir::Device::Kind kind) const;
    const std::string& cacheFolder() const { return cacheFolder_; }
    const jit::HostCpu& host() const { return host_; }

private:
    std::string cacheFolder_;
    jit::HostCpu host_;
    std::vector<std::unique_ptr<runtime::Target>> targets_;
};

} // namespace cutaway::pipeline
