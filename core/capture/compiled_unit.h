// SPDX-License-Identifier: Apache-2.0
/// \file
/// One torch.compile: its entries, and what happens on a call: guards, else capture; the compiled
/// graph; where the graph broke, one instruction for real and on with a resume function.
#pragma once

#include "core/capture/capture.h"

#include <functional>
#include <set>

namespace cutaway::capture {

struct TransformedCode; // transformed_code.h
struct TextHelper;

/// How to make a frame again that a stretch ends in.
struct FrameRecipe {
    std::shared_ptr<const Code> code;
    uint32_t ip = 0;
    std::vector<TryBlock> blocks;
    std::vector<std::pair<int32_t, int32_t>> locals; ///< slot, recipe
    std::vector<std::pair<int32_t, int32_t>> unread; ///< the same of what only lives on
    std::vector<int32_t> cells, stack;
    int32_t function = -1, module = -1, gives = -1; ///< recipes; -1: the unit's own, or none
};

/// One captured stretch: what must hold, what to run, and what to do with its outputs.
struct CacheEntry {
    GuardProgram guards;
    std::vector<int32_t> inputSlots;
    std::shared_ptr<CompiledGraph> graph; ///< null when there is nothing to compute
    std::vector<Recipe> recipes;
    std::vector<DrawnInput> draws; ///< inputs of negative slots: ~0 is the first
    std::vector<Effect> effects;
    std::vector<OutsideWrite> writes;
    std::vector<LaterCheck> checks;
    std::set<int32_t> spent; ///< outputs that a backward() in the stretch has freed the tape of
    std::vector<runtime::TensorPtr> inputs, drawn; ///< scratch
    std::shared_ptr<TransformedCode> transformed;  ///< where it runs in place of the above

    // A stretch ends with a value ...
    int32_t result = -1;
    // ... or at an instruction that must run for real, in this state:
    std::vector<FrameRecipe> frames; ///< outermost first

    std::shared_ptr<EntryCalls> calls;       ///< of the script that took it
    bool records = true;                     ///< run the graph with gradients on
    bool deterministic = false;              ///< compiled for the same bits in every run
    bool gradMode = true;                    ///< in force when the stretch ends
    TensorModes tensorModes;                 ///< the same
    std::optional<ir::Device> defaultDevice; ///< set by the stretch
};

/// Where a frame stands: at the instruction that comes next, or at a call that it waits for.
struct Position {
    std::shared_ptr<const Code> code;
    uint32_t ip = 0;
    std::vector<TryBlock> blocks;
    bool operator==(const Position&) const = default;
};

/// A function from some instruction on: from its start, or behind a graph break, which may be
/// inside of functions that it calls.
struct Segment {
    std::vector<Position> frames; ///< outermost first
    const Code& code() const { return *frames.back().code; }
    std::string name;                                 ///< "" or "resume_at_12"
    std::vector<std::unique_ptr<CacheEntry>> entries; ///< most recently used first
    SizeHistory history;
    bool eager = false;         ///< not captured any more
    bool outermostOnly = false; ///< breaks inside of called functions are not resumed there
    bool stopsInside = false;   ///< Capture::stopsInside
};

using Frames = std::vector<std::unique_ptr<Frame>>;

/// The values of several frames one after the other, as guards look at them. Behind an inner
/// frame's locals stand its function, module and what its call gives.
struct FlatValues {
    std::vector<Val> locals, stack, cells;
    int32_t localCount = 0, stackCount = 0, cellCount = 0;
    void count(const Frame& frame, bool outermost);
    void add(const Frame& frame, bool outermost);
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
    /// The call that Interp::keptCalls() asked for, if the script made it.
    std::optional<KeptCall> keptCall();
    /// Compiles another callable in the same way.
    std::shared_ptr<CompiledUnit> of(const Val& callable) const {
        return std::make_shared<CompiledUnit>(interp_, callable, options_, backend_);
    }
    /// Whether it is what compiling \p callable so would make: as in PyTorch, whose entries belong to
    /// the code, a function that is compiled twice is compiled once.
    bool is(const Val& callable, const CompileOptions& options, const Val& backend) const;
    /// The program is going away.
    void drop();
    bool running() const { return running_ > 0; }

private:
    /// A value, or the frames of the instruction that must run for real.
    struct Outcome {
        Val value;
        Frames frames;
    };

    /// The caller holds the unit meanwhile.
    Val callCompiled(const Arguments& arguments);
    /// As it was before the first call.
    void begin();
    Outcome start(Segment& segment, const Roots& roots, const Arguments* arguments,
                  const Frames& frames);
    /// Goes on behind breaks to the end.
    Val finish(Outcome outcome);
    void refuseAnotherEntry(const Segment& segment);
    Outcome resume(const Frames& frames);
    Outcome run(CacheEntry& entry, const Roots& roots);
    /// The same by the entry's text: transformed_run.cpp.
    Val runTransformed(CacheEntry& entry, const Roots& roots);
    Val functionOf(CacheEntry& entry, const TransformedCode& code);
    Val help(CacheEntry& entry, const TextHelper& helper, std::span<const Val> given);
    Val callGraph(CacheEntry& entry, std::span<const Val> given);
    Val resumeBy(const TextHelper& helper, std::span<const Val> given);
    Val instructionBy(const TextHelper& helper, std::span<const Val> given);
    bool writesShared(const CacheEntry& entry);
    /// Makes the entry's random inputs, in the order in which the script draws them.
    void drawInputs(CacheEntry& entry);
    /// \p sizes: the input's, where they differ from call to call.
    base::Result<runtime::TensorPtr> drawn(const DrawnInput& input, std::span<const int64_t> sizes);
    /// Changes the objects of the outside as the captured stretch did.
    void apply(const CacheEntry& entry, const std::vector<Val>& built);
    /// \p value: that of a recipe
    void apply(const Effect& effect, Val object, const std::function<Val(int32_t)>& value);
    /// Calls the graph.
    std::vector<runtime::TensorPtr> callGraph(const CacheEntry& entry,
                                              std::span<const runtime::TensorPtr> inputs,
                                              std::span<const int64_t> symbols);
    base::Status writeBack(const CacheEntry& entry, const std::vector<runtime::TensorPtr>& outputs);
    std::unique_ptr<CacheEntry> capture(Segment& segment, const Arguments* arguments,
                                        const Frames& frames);
    /// The frames that a capture runs.
    Frames startFrames(const Frames& state);
    void addStart(Capture& capture, const Frames& frames, bool whole);
    /// Whether what it is bound to is a parameter of its own, not the first of any number.
    bool takesSelf() const;
    void finishEntry(CacheEntry& entry, Segment& segment, Capture& capture, const Val* result,
                     const CaptureStop* reason, const Frames& state, double ms);
    /// \p depth: 0 for the outermost
    FrameRecipe recipeOfFrame(Capture& capture, const Frame& frame, size_t depth, bool innermost);
    std::unique_ptr<Frame> buildFrame(const FrameRecipe& recipe,
                                      const std::vector<Val>& built) const;
    Segment& resumeSegment(std::vector<Position> positions);
    std::vector<Val> build(const CacheEntry& entry, const std::vector<runtime::TensorPtr>& outputs);
    /// The value of a recipe from those of its parts; not of outputs, sources and integers.
    Val make(const Recipe& recipe, std::vector<Val> parts);
    /// A result of the graph; \p of: what it shares memory with, or unbound.
    Val outputTensor(const CacheEntry& entry, runtime::TensorPtr real, const Val& of);
    Val runEagerly(const Arguments* arguments, const Frames& frames);
    /// For a module whose call is more than its class's forward as it was compiled (hooks, a forward
    /// of its own, a __call__, another forward since): the unit that compiles the whole call. Else
    /// null.
    CompiledUnit* wholeCall();
    base::Diagnostic breakDiagnostic(const CaptureStop& reason) const;
    Roots rootsOf(const Frames& frames, FlatValues& flat) const;

    Interp& interp_;
    Val callable_;
    CompileOptions options_;
    Val backend_; ///< unbound: options_.backend
    std::string name_;
    Ref<FunctionObj> function_; ///< none: a built-in, run as it is
    Val self_;                  ///< bound methods and modules
    std::shared_ptr<CompiledUnit> wholeCall_;
    std::vector<std::unique_ptr<Segment>> segments_;
    Val unset_;                    ///< in transformed code: a variable without a value
    std::set<std::string> warned_; ///< graph breaks that were told
    std::string whyAgain_;         ///< the guard of the last entry that did not hold
    int captured_ = 0;
    struct Kept {
        std::vector<Val> positional;
        std::vector<std::pair<Ref<StrObj>, Val>> keywords;
        bool gradMode = true;
        int number = 0;
    };
    std::optional<Kept> kept_;
    int calls_ = 0;        ///< that the script made
    bool callMode_ = true; ///< whether gradients were recorded when the running call began
    int running_ = 0;
    uint64_t forgotten_ = 0; ///< Interp::forgotten() when the segments began
    double firstSeconds_ = 0;
};

/// An input of a graph: a tensor, or a float as a tensor without dimensions.
runtime::TensorPtr graphInput(Interp& interp, const Val& v);

/// Whether \p v is a function that the script library defines.
bool isLibraryFunction(const Val& v);

/// Locals that may be read from \p ip on.
std::vector<bool> liveLocals(const Code& code, uint32_t ip, const std::vector<TryBlock>& blocks);

} // namespace cutaway::capture
