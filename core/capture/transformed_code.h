// SPDX-License-Identifier: Apache-2.0
/// \file
/// An entry as source text that runs: a function of the script language that calls the compiled
/// graph, makes what the entry gives, changes what it changes, and, where the graph broke, does the
/// one instruction for real and calls a resume function. What depyf shows for PyTorch.
#pragma once

#include "core/capture/compiled_unit.h"

namespace cutaway::capture {

/// A value that the text's function takes: where it stands among the values of a call (Roots).
struct TextParameter {
    enum class Of : uint8_t { Local, Cell, Stack };
    Of of = Of::Local;
    int32_t slot = 0;
    std::string name;
};

/// What an argument of a resume function is in the frames that go on.
struct ResumeSlot {
    enum class Of : uint8_t { Local, Cell, Stack, Function, Module, Gives };
    Of of = Of::Local;
    size_t frame = 0; ///< 0 for the outermost
    int32_t slot = 0;
    bool operator==(const ResumeSlot&) const = default;
};

/// A function that a text calls and that no source can show.
struct TextHelper {
    enum class What : uint8_t {
        Graph,       ///< (sizes ..., tensors ...) -> outputs
        Draw,        ///< number: which one; (sizes ...) -> a tensor of random numbers
        Make,        ///< number: a recipe; (parts ...) -> the value
        Another,     ///< (tensor) -> another tensor object with its values
        Part,        ///< number: which one; (iterator) -> what it goes through
        Effect,      ///< number: an effect; (object, removed ..., keys ..., values ...)
        Modes,       ///< () -> : tensor modes and default device as the entry leaves them
        Instruction, ///< (stack ...) -> the stack behind one instruction
        Resume       ///< (slots ...) -> what the function returns
    };
    What what = What::Graph;
    int32_t number = 0;
    Segment* segment = nullptr; ///< Resume
    std::vector<ResumeSlot> slots;
    std::shared_ptr<const Code> code; ///< Instruction: where it stands
    uint32_t ip = 0;
};

struct TransformedCode {
    std::string name, text;
    bool whole = false;                    ///< the function from its start, not a resume function
    std::vector<TextParameter> parameters; ///< in the order of the text function's locals
    std::vector<std::pair<std::string, Val>> constants; ///< other names in the text
    std::vector<std::pair<std::string, TextHelper>> helpers;
    Val function; ///< the text as a function, once it has run
};

/// The resume function that goes on where frames stand.
using SegmentAt = std::function<Segment&(std::vector<Position>)>;

/// \p frames: those that the entry starts with. \p compiled: the number of the compiled graph.
TransformedCode transformedCode(Interp& interp, const Val& self, const Segment& segment,
                                const Frames& frames, const Capture& capture,
                                const CacheEntry& entry, int compiled, const SegmentAt& segmentAt);

} // namespace cutaway::capture
