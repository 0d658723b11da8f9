// SPDX-License-Identifier: Apache-2.0
/// \file
/// The writer of transformed_code.h's text. Private to this folder.
#pragma once

#include "core/capture/transformed_code.h"

#include <map>

namespace cutaway::capture {

/// A frame in the middle of the text: which variable or constant each of its values is.
struct TextFrame {
    const FrameRecipe* from = nullptr;
    uint32_t ip = 0;
    std::vector<TryBlock> blocks;
    std::map<int32_t, std::string> locals; ///< without those that have no value
    std::vector<std::string> stack, cells;
    std::string function, module, gives; ///< empty: none
    const Code& code() const { return *from->code; }
};
using TextState = std::vector<TextFrame>; ///< outermost first

/// Locals that a resume function of a frame takes, where they have values: those that it may read,
/// and the first, which super() asks for.
std::vector<int32_t> resumedLocals(const Code& code, uint32_t ip,
                                   const std::vector<TryBlock>& blocks);

class TransformedText {
public:
    TransformedText(Interp& interp, const Val& self, const Capture& capture,
                    const CacheEntry& entry, int compiled, const SegmentAt& segmentAt);
    TransformedCode write(const Segment& segment, const Frames& frames);

private:
    // names
    std::string unique(const std::string& wanted);
    std::string constant(const Val& v);
    std::string builtin(const char* name);
    std::string globals(const Val& table);
    /// The constant that stands for "no value".
    std::string unset();
    void torch();
    std::string helper(const std::string& name, TextHelper helper);
    std::string parameter(TextParameter::Of of, int32_t slot);
    std::string attribute(const std::string& object, const Object* owner, const std::string& name);
    std::optional<std::string> memberOfModule(const GuardStep& load);
    std::string source(int32_t id);

    // lines
    void line(const std::string& text);
    std::string assign(const std::string& name, const std::string& value);
    /// \p inlined: a value that is used once may stand where it is used.
    std::string value(int32_t recipe, const std::string& name, bool inlined);
    std::string show(const Recipe& recipe, int32_t r, const std::string& name, bool inlined);
    void countUses();
    void addParameters(const Segment& segment, const Frames& frames);
    std::vector<std::string> addFrame(const Frame& frame, const FlatValues& at, bool outermost,
                                      bool innermost);
    void addGraphCall();
    void addModes();
    void addEffects();

    // behind a graph break: transformed_steps.cpp
    TextState stateOf(const std::vector<FrameRecipe>& frames);
    void addInstruction(TextState state);
    bool addOperator(TextState& state, Instruction in);
    bool addCall(TextState& state, Instruction in);
    bool addBranch(TextState& state, Instruction in);
    bool addLast(TextState& state, Instruction in);
    void addUnshown(TextState& state, Instruction in);
    void addNext(TextState state);
    void addUnpack(TextState state, int32_t count);
    void guarded(const TextState& state, const std::vector<std::string>& lines);
    void goOn(TextState state, bool sawLoop = false);
    std::string resumeCall(const TextState& state);
    std::string computed(TextState& state, const TextState& before, const std::string& expression);

    Interp& interp_;
    Val self_;
    const Capture& capture_;
    const CacheEntry& entry_;
    int compiled_;
    const SegmentAt& segmentAt_;
    TransformedCode code_;
    std::string body_;
    int indent_ = 1;
    std::set<std::string> used_;
    std::map<const Object*, std::string> constants_;
    std::map<std::string, std::string> plainConstants_; ///< by their text
    std::vector<std::string> outputs_, shown_;
    std::vector<int> uses_;
    std::set<int32_t> outputUsed_;
    std::string ended_; ///< what next() gives at the end; empty: not used yet
};

} // namespace cutaway::capture
