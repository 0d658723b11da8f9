// SPDX-License-Identifier: Apache-2.0
/// \file
/// The immutable account of one compilation and its runs: the only thing the window and the tool
/// print from, and the file a person saves, mails and compares.
///
/// Everything that can be clicked is an Item with an id; `links` hold what each item came from, in
/// the stage before. Both directions, over any number of stages, are look-ups in LinkIndex.
#pragma once

#include "core/base/diagnostic.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::record {

using ItemId = uint32_t;
constexpr ItemId kNoItem = 0xffffffffu;

enum class ItemKind : uint8_t { SourceLine, Node, Buffer, Kernel, CodeLine };

/// A thing that can be selected. Ids count from 0 in the order of the stages.
struct Item {
    ItemKind kind = ItemKind::Node;
    std::string key; ///< stable and readable: "source:12", "joint/cos_1",
                     ///< "forward/kernel/fused_cos", "forward/cpp/fused_cos:31"
};

struct SourceFile {
    std::string name;
    std::string text;
    std::vector<ItemId> lineItems; ///< one per line (index = line - 1)
};

struct Guard {
    std::string kind, source, condition;
    base::Location where;
};

struct GraphNode {
    ItemId item = kNoItem;
    std::string name;
    std::string kind; ///< "placeholder", "constant", "call"
    std::string op;   ///< "aten.cos.default"
    std::string text; ///< the node's line of the print-out
    std::string type; ///< "f32[16, 16]"
    int64_t bytes = 0;
    std::vector<ItemId> inputs;
    std::vector<base::Location> source; ///< call stack, innermost last
    std::string modulePath;
    bool backward = false;
    std::string rule;
};

struct GraphStage {
    std::string name; ///< "captured", "joint", "forward", "backward"
    std::string text;
    std::vector<GraphNode> nodes;
    std::vector<ItemId> outputs; ///< kNoItem for None
};

struct NodeChange {
    std::string kind; ///< "added", "removed", "rewritten"
    std::string node;
    std::string before, after; ///< lines of the print-out
    int rewrite = 0;           ///< number in PassRun::rewrites, from 1; 0: of none in particular
};

/// One application of a pass's rule.
struct Rewrite {
    std::string node;                 ///< that met the rule's condition
    std::string line;                 ///< the node then, as it prints
    std::vector<std::string> with;    ///< the values that it read then
    std::string rule;                 ///< "constants folded"; empty: the pass has one rule
    std::string condition;            ///< what held: "its operand is computed by exp"
    std::vector<std::string> becomes; ///< what stands for it now; empty: itself, or nothing
};

struct PassRun {
    std::string stage; ///< graph it ran on
    std::string pass;
    std::string summary; ///< what the pass does, one sentence
    bool changed = false;
    double ms = 0;
    std::vector<NodeChange> changes;
    std::vector<Rewrite> rewrites; ///< in their order; empty: the pass works on the whole graph
};

struct SavedTensor {
    ItemId item = kNoItem; ///< node of the joint graph
    std::string name;
    int64_t bytes = 0;
    bool input = false; ///< an input of the forward graph anyway
    std::string reason;
};

struct RecomputedValue {
    ItemId item = kNoItem;
    std::string name, op;
    int64_t bytes = 0; ///< what saving it would cost
    std::string reason;
};

/// One choice of what to save, as predicted before any code exists.
struct MemoryPoint {
    int64_t savedBytes = 0; ///< newly kept from forward to backward
    int64_t peakBytes = 0;  ///< of a training step, by liveness, without what the caller keeps
    double us = 0;          ///< forward and backward
    int saved = 0, recomputed = 0;
};

struct Partition {
    std::string algorithm; ///< "min_cut", "default", "budget"
    double cutWeight = 0;
    std::vector<SavedTensor> saved;
    std::vector<RecomputedValue> recomputed;
    MemoryPoint point;              ///< what was chosen
    std::vector<MemoryPoint> curve; ///< what could have been, from most memory to least
    std::string budget;             ///< in words, and how well it is met; empty: none
};

struct LoopBuffer {
    ItemId item = kNoItem;
    std::string name;
    std::string kind; ///< "pointwise", "reduction", "library", "input", "constant"
    std::string type;
    std::string text; ///< its loop nest as text
    int64_t bytes = 0;
    bool inMemory = true; ///< false: lives in registers of a fused kernel
};

struct FusionDecision {
    ItemId a = kNoItem, b = kNoItem;
    bool fused = false;
    std::string rule, reason;
    int64_t bytesSaved = 0; ///< traffic of the one value that the two share
};

struct CodeLine {
    ItemId item = kNoItem; ///< kNoItem: a line of no kernel's computation (prelude, braces)
    std::string text;
};

/// One text of one kernel. Languages: "cpp", "llvm", "llvm-before", "asm", "cuda", "ptx", "sass",
/// "loops". Lines are numbered from 1; `lines[i].item` links by line.
struct Code {
    std::string language;
    std::vector<CodeLine> lines;
    std::string note;     ///< "NVRTC not found: ..." when the text is empty
    int hiddenPrefix = 0; ///< leading lines (the prelude) that a viewer may fold
};

struct Remark {
    std::string kind; ///< "passed", "missed", "analysis"
    std::string pass, message;
    int line = 0;
};

/// One way to run a kernel that was considered, on its own device or on the other kind.
struct ScheduleCandidate {
    std::string target;    ///< "cpu", "cuda"
    std::string by;        ///< the template: "rows"
    std::string decisions; ///< "vector 8, threads 2"; with the template it makes the kernel again
    double predictedUs = 0;
    std::vector<std::string> reasons;
    std::string refused; ///< why it cannot run the kernel; empty: it can
    bool taken = false;
    bool forced = false;   ///< taken because somebody asked for it
    double measuredUs = 0; ///< by autotuning; 0: it was not timed

    std::string text() const { return decisions.empty() ? by : by + ": " + decisions; }
};

/// How full the kernel's CUDA text is predicted to make a multiprocessor of the GPU that it is
/// written for.
struct GpuLoad {
    int threads = 0;         ///< of a block; 0: there is no such text
    int registers = 0;       ///< of a thread, estimated from what waits and what is on its way
    int64_t sharedBytes = 0; ///< of a block
    int blocks = 0;          ///< at once on a multiprocessor
    double share = 0;        ///< of the warps that it can hold
    std::string limit; ///< what holds more back: "registers", "shared memory", "warps", "blocks"
    std::string architecture; ///< "sm_90"
};

struct KernelInfo {
    ItemId item = kNoItem;
    std::string name;
    std::string kind;   ///< "loops", "matmul"
    std::string device; ///< "cpu", "cuda:0"
    std::vector<ItemId> buffers;
    std::vector<std::string> reads, writes;
    int64_t bytesRead = 0, bytesWritten = 0;
    double flops = 0;
    std::vector<std::string> schedule;         ///< choices with their reasons
    std::vector<ScheduleCandidate> candidates; ///< what was considered for each target, in order
    std::vector<Code> codes;
    std::vector<Remark> remarks;
    GpuLoad gpu;
};

struct MemoryItem {
    std::string buffer, kind, reason;
    int64_t offset = 0, bytes = 0;
    int firstKernel = 0, lastKernel = 0;
};

struct MemoryPlan {
    int64_t arenaBytes = 0, unsharedBytes = 0;
    std::vector<MemoryItem> items;
};

/// Lowered form of one graph ("forward" or "backward").
struct LoweredGraph {
    std::string graph;
    std::vector<std::string> sizes; ///< lines of the print-out: the sizes that are symbols
    std::vector<LoopBuffer> buffers;
    std::vector<std::string> ending; ///< lines below the buffers: checks and results
    std::vector<FusionDecision> decisions;
    std::vector<KernelInfo> kernels;
    MemoryPlan memory;
};

/// Wall time of a stage; not part of the deterministic content.
struct StageTime {
    std::string stage;
    double ms = 0;
};

struct Entry {
    std::string segment; ///< "" or "resume_at_12"
    int call = 0; ///< of the function, from 1, that it was captured for; 0: not one of the script's
    /// A backward graph, compiled when its first gradient came: number of the entry whose it is;
    /// the links lead there. Else -1.
    int backwardOf = -1;
    std::vector<Guard> guards;
    std::string transformedCode;
    std::vector<base::Diagnostic> breaks;
    std::vector<GraphStage> graphs;
    std::vector<PassRun> passes;
    bool hasPartition = false;
    Partition partition;
    std::vector<LoweredGraph> lowered;
    std::vector<StageTime> times;
    std::string device, backend;

    const GraphStage* graph(const std::string& name) const;
};

struct Function {
    std::string name;
    base::Location where;
    std::vector<Entry> entries;
};

/// What a thread of a team computed without a pause.
struct ThreadPart {
    int thread = 0;           ///< 0 is the one that called the kernel
    double begin = 0, us = 0; ///< from the kernel's begin on
};

/// What one call of a kernel was counted to do: "instructions", "cycles", "cache misses".
struct KernelCount {
    std::string what;
    double value = 0;
};

struct KernelTiming {
    std::string graph, kernel;
    ItemId item = kNoItem;
    double us = 0;
    int64_t bytes = 0;
    double flops = 0;
    std::vector<ThreadPart> threads{}; ///< on a CPU, in the call that took \p us
    std::vector<KernelCount> counts{}; ///< on a CPU, where somebody asked for them
};

/// One backend measured on one case. It says what it is a measurement of: size, device, threads and
/// the text (textHash), so that it is never taken for one of something else.
struct Run {
    std::string caseName, device, size, backend;
    std::string textHash;  ///< of the script
    std::string decisions; ///< that somebody made instead of the compiler; see Record::decisions
    int threads = 0;
    bool train = false;
    double us = 0, usMin = 0;
    int runs = 0;
    std::vector<double> samples; ///< microseconds of single calls in their order, thinned evenly
    bool disturbed = false; ///< other programs had the processors throughout: no time is its own
    double compileSeconds = 0;
    double peakMiB = 0;
    int launches = 0;      ///< kernels of one call
    int eagerLaunches = 0; ///< of these, run one by one outside of compiled graphs
    int64_t savedBytes = 0;
    int64_t bytesMoved = 0;
    double maxError = -1; ///< against double precision, relative; -1: not measured
    std::vector<KernelTiming> kernels;
};

/// Result of one comparison with double precision.
struct Check {
    std::string what;                         ///< "output 0", "grad of L['x']"
    double compiledError = 0, eagerError = 0; ///< largest relative error
    double limit = 0;
    bool passed = false;
    std::string size{}, device{}, textHash{}; ///< what was compared, as in Run
    int threads = 0;
    std::string decisions{};
};

struct Link {
    ItemId item = kNoItem; ///< later stage
    ItemId from = kNoItem; ///< earlier stage
};

struct Record {
    static constexpr int kVersion = 3;
    int version = kVersion;
    std::string producer;           ///< "cutaway 0.1.0"
    std::string path;               ///< the model file
    std::string size;               ///< case file's size key, may be empty
    std::vector<std::string> sizes; ///< the keys that the case file offers, in its order
    /// What somebody decided instead of the compiler: "recompute cos", "apart add mul", ...
    std::vector<std::string> decisions;
    std::vector<SourceFile> files;
    std::vector<Function> functions;
    std::vector<Item> items;
    std::vector<Link> links;
    std::vector<Run> runs;
    std::vector<Check> checks;
    std::vector<base::Diagnostic> messages;
};

/// Which fields are written: Timings are those that vary from run to run, with the lists that lead to
/// them; Deterministic are the others.
enum class Part { All, Deterministic, Timings };

/// What Run::textHash holds for a script.
std::string textHash(std::string_view text);

/// Both directions of the provenance relation.
class LinkIndex {
public:
    explicit LinkIndex(const Record& record);

    /// What the items came from, over all earlier stages (the items themselves included).
    std::vector<ItemId> ancestors(const std::vector<ItemId>& items) const;
    /// What became of the items, over all later stages (the items themselves included).
    std::vector<ItemId> descendants(const std::vector<ItemId>& items) const;
    /// Everything to light up when the items are selected: ancestors and descendants, and what else
    /// became of the source lines reached (the backward of a selected forward kernel, say).
    struct Related {
        std::vector<ItemId> direct;  ///< ancestors and descendants, sorted
        std::vector<ItemId> through; ///< further descendants of the captured nodes reached, sorted
    };
    Related related(const std::vector<ItemId>& items) const;

private:
    std::vector<std::vector<ItemId>> up_, down_;
    std::vector<ItemKind> kinds_;
    std::vector<bool> captured_; ///< node of a captured graph
};

} // namespace cutaway::record
