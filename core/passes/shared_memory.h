// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which values share memory, as far as a graph's caller can tell. Two results that eager execution
/// returns in separate memory must stay separate, those that it returns in one memory must stay
/// together, and a result must neither become an alias of an input nor stop being one: the caller
/// may write to it.
#pragma once

#include "core/ir/graph.h"

#include <functional>
#include <unordered_map>

namespace cutaway::passes {

class SharedMemory {
public:
    explicit SharedMemory(const ir::Graph& graph);

    /// Whether an output shows the memory of \p id, itself or through views.
    bool isShown(ir::NodeId id) const { return shown(id) > 0; }
    /// True when every use of \p old may become a use of \p with without an output starting or
    /// ceasing to share memory with an input or with another output.
    bool mayReplace(ir::NodeId old, ir::NodeId with);
    /// To be called after each such replacement.
    void replaced(ir::NodeId old, ir::NodeId with);

private:
    /// From \p id through what its views show to the node whose memory it is, which is returned.
    ir::NodeId walk(ir::NodeId id, const std::function<void(ir::NodeId)>& visit) const;
    ir::NodeId root(ir::NodeId id) const;
    int shown(ir::NodeId id) const;

    const ir::Graph& graph_;
    std::vector<int> shown_; ///< by id: how many outputs show the node's memory through it
    std::unordered_map<uint32_t, ir::NodeId> now_; ///< what was replaced, and with what
};

} // namespace cutaway::passes
