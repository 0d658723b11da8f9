// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a compilation has made so far. Each stage reads what it needs and leaves what it gives.
#pragma once

#include "core/autodiff/joint_graph.h"
#include "core/partition/frozen_part.h"
#include "core/partition/partition.h"
#include "core/pipeline/kernel_code.h"
#include "core/pipeline/options.h"
#include "core/pipeline/recorder.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace cutaway::pipeline {

/// What stages give and need; a set of them is a sum of bits.
enum Artifact : uint32_t {
    kCapturedGraph = 1u << 0,
    kDecomposedGraph = 1u << 1,
    kJointGraph = 1u << 2, ///< only when something wants a gradient
    kSimplifiedGraph = 1u << 3,
    kGraphToRun = 1u << 4, ///< forward (and backward, when something wants a gradient)
    kLoopProgram = 1u << 5,
    kKernels = 1u << 6,
    kSchedules = 1u << 7,
    kMemoryPlan = 1u << 8,
    kSources = 1u << 9,
    kBinaries = 1u << 10,
    kExecutable = 1u << 11
};
using Artifacts = uint32_t;

/// A saved tensor, for who runs the two graphs.
struct SavedValue {
    std::optional<size_t> input; ///< of the forward, by number: nothing is computed
    bool copied = false;         ///< the input is changed in place: a copy is to be saved
};

/// Joint graph and partition of a captured graph, before any code exists. When nothing wants a
/// gradient, only `forward` is set.
struct Partitioned {
    ir::Graph forward;
    bool training = false;
    ir::Graph backward;
    int forwardOutputs = 0;          ///< the first outputs of `forward`; the rest are saved tensors
    std::vector<int> tangentOutputs; ///< forward output of each tangent (backward's last inputs)
    std::vector<SavedValue> saved;   ///< the backward's first inputs
    int64_t savedBytes = 0;          ///< of all saved tensors
    /// What frozen parameters alone give; its outputs are the forward's last inputs. May be empty.
    partition::FrozenPart frozen;
};

/// A graph lowered, fused, scheduled, planned, generated, compiled and loaded.
struct ExecutableGraph {
    std::shared_ptr<const kernel::KernelProgram> program;
    std::shared_ptr<runtime::Executable> executable;
    std::vector<codegen::KernelSource> sources; ///< one a kernel; empty text for library calls
    memory::MemoryPlan plan;
};

/// From the captured graph to the forward and the backward graph, or from one of these to what
/// runs: a member is meaningful once its artifact is among `made`.
struct StageContext {
    StageContext(const Options& how, EntryRecorder* into, Artifacts given)
        : options(how), recorder(into), made(given) {}

    const Options& options;
    EntryRecorder* recorder = nullptr; ///< null: nothing is recorded
    Artifacts made = 0;

    // From captured to partition.
    const ir::Graph* captured = nullptr;
    bool gradMode = false;
    ir::Graph simplified; ///< the decomposed graph; the joint graph takes its place
    autodiff::JointGraph joint;
    partition::Partition cut;
    Partitioned partitioned;

    // From loops to load.
    Toolchain* toolchain = nullptr;
    const ir::Graph* graph = nullptr; ///< "forward" or "backward"
    runtime::Target* target = nullptr;
    runtime::TargetDevice device;
    kernel::LoopProgram loops;
    std::shared_ptr<kernel::KernelProgram> program;
    std::vector<schedule::Schedule> schedules; ///< one a kernel; empty for library calls
    /// For the kinds of devices that the graph does not run on, to look at; only where recorded.
    std::map<ir::Device::Kind, std::vector<schedule::Schedule>> shownSchedules;
    KernelCode code;
    std::vector<runtime::CompiledKernel> binaries;
    ExecutableGraph result;

    bool has(Artifacts all) const { return (made & all) == all; }
    /// Where the runs of passes are kept, or null.
    std::vector<record::PassRun>* passRuns() const {
        return recorder ? &recorder->entry().passes : nullptr;
    }
    /// The graph that a message or a time is about: empty before there is more than one.
    std::string graphName() const { return graph ? graph->graphName : std::string(); }
};

} // namespace cutaway::pipeline
