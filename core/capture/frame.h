// SPDX-License-Identifier: Apache-2.0
/// \file
/// One activation of a function.
#pragma once

#include "core/capture/code.h"

namespace cutaway::capture {

struct TryBlock {
    int32_t handler = 0;
    uint32_t stackSize = 0;
    bool operator==(const TryBlock&) const = default;
};

struct Frame {
    std::shared_ptr<const Code> code;
    Ref<FunctionObj> function; ///< none for module and class bodies
    Ref<DictObj> globals;
    Ref<DictObj> names; ///< module and class bodies
    std::vector<Val> locals;
    std::vector<Val> cells;
    std::vector<Val> stack;
    std::vector<TryBlock> blocks;
    uint32_t ip = 0; ///< of the instruction that is being executed
    Frame* caller = nullptr;
    InstanceObj* module = nullptr; ///< the module whose forward this is
    bool yielded = false;
    /// A capture may stop in here and go on behind its caller's call: whatever is called gives its
    /// result to the instruction that calls, and nothing else is left to do.
    bool resumable = false;
    bool finished = false;    ///< it returned, or an exception left it
    Val gives;                ///< of an __init__: what the call gives instead of its result
    std::vector<bool> unread; ///< locals whose values no capture relies on yet; empty: none
};

/// What a called function's frame is told about its caller.
struct CallLink {
    bool direct = false; ///< Frame::resumable
    Val gives;           ///< Frame::gives
    /// The caller's list of the arguments, which nobody needs once they are locals; null: some may.
    std::vector<Val>* taken = nullptr;
};

inline Val pop(std::vector<Val>& stack) {
    Val v = std::move(stack.back());
    stack.pop_back();
    return v;
}

} // namespace cutaway::capture
