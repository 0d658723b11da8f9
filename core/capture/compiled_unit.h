// SPDX-License-Identifier: Apache-2.0
/// \file
/// One torch.compile: its entries, and what happens on a call: guards, else capture; the compiled
/// graph; where the graph broke, one instruction for real and on with a resume function.
#pragma once

#include "core/capture/capture.h"

#include <set>

namespace cutaway::capture {

/// One captured stretch: what must hold, what to run, and what to do with its outputs.
struct Entry {
    GuardProgram guards;
    std::vector<int32_t> inputSlots;
    std::shared_ptr<CompiledGraph> graph; ///< null when there is nothing to compute
    std::vector<Recipe> recipes;
    std::vector<std::pair<int32_t, int32_t>> writes; ///< slot of a tensor, output that it becomes
    std::vector<runtime::TensorPtr> inputs;          ///< scratch

    // A stretch ends with a value ...
    int32_t result = -1;
    // ... or at an instruction that must run for real, in this state:
    uint32_t breakIp = 0;
    std::vector<std::pair<int32_t, int32_t>> locals; ///< slot, recipe
    std::vector<int32_t> cells, stack;
    std::vector<TryBlock> blocks;

    bool records = true;                     ///< run the graph with gradients on
    bool gradMode = true;                    ///< in force when the stretch ends
    std::optional<ir::Device> defaultDevice; ///< set by the stretch
};

/// A function from some instruction on: from its start, or behind a graph break.
struct Segment {
    std::shared_ptr<const Code> code;
    uint32_t ip = 0;
    std::vector<TryBlock> blocks;
    std::string name;                            ///< "" or "resume_at_12"
    std::vector<std::unique_ptr<Entry>> entries; ///< most recently used first
    SizeHistory history;
    bool eager = false; ///< not captured any more
};

class CompiledUnit : public CompiledFunction, public std::enable_shared_from_this<CompiledUnit> {
public:
    /// \param backend a callable of the script that compiles the graphs; unbound: options.backend
    CompiledUnit(Interp& interp, const Val& callable, CompileOptions options, Val backend = {});

    std::string name() const override { return name_; }
    int entries() const override;
    base::Result<ValuePtr> call(const std::vector<ValuePtr>& args, bool gradMode) override;
    /// Throws ScriptError.
    Val callValues(const Arguments& arguments);
    /// The program is going away.
    void drop();

private:
    /// A value, or the frame of the instruction that must run for real.
    struct Outcome {
        Val value;
        std::unique_ptr<Frame> frame;
    };

    Outcome start(Segment& segment, const Roots& roots, const Arguments* arguments, Frame* frame);
    Outcome run(Entry& entry, Segment& segment, const Roots& roots);
    bool writesShared(const Entry& entry);
    base::Status writeBack(const Entry& entry, const std::vector<runtime::TensorPtr>& outputs);
    std::unique_ptr<Entry> capture(Segment& segment, const Arguments* arguments, Frame* frame);
    void finishEntry(Entry& entry, Segment& segment, Capture& capture, const Val* result,
                     Frame& frame, const CaptureStop* reason, double ms);
    Segment& resumeSegment(const Frame& frame);
    std::vector<Val> build(const Entry& entry, const std::vector<runtime::TensorPtr>& outputs);
    Val runEagerly(Segment& segment, const Arguments* arguments, Frame* frame);
    base::Diagnostic breakDiagnostic(const CaptureStop& reason) const;
    std::string transformedCode(const Segment& segment, const Capture& capture, const Entry& entry,
                                int compiled) const;
    Roots rootsOf(const Frame& frame) const;

    Interp& interp_;
    Val callable_;
    CompileOptions options_;
    Val backend_; ///< unbound: options_.backend
    std::string name_;
    Ref<FunctionObj> function_; ///< none: a built-in, run as it is
    Val self_;                  ///< bound methods and modules
    std::vector<std::unique_ptr<Segment>> segments_;
    std::set<std::string> warned_; ///< graph breaks that were told
    int captured_ = 0;
};

/// Locals that may be read from \p ip on.
std::vector<bool> liveLocals(const Code& code, uint32_t ip, const std::vector<TryBlock>& blocks);

} // namespace cutaway::capture
