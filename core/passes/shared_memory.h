// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which values share memory, as far as a graph's caller can tell. Two results that eager execution
/// returns in separate memory must stay separate, and a result must not become an alias of an
/// input: the caller may write to it.
#pragma once

#include "core/ir/graph.h"

namespace cutaway::passes {

class SharedMemory {
public:
    explicit SharedMemory(const ir::Graph& graph);

    /// True when every use of \p old may become a use of \p with without an output starting to
    /// share memory with an input or with another output.
    bool mayReplace(ir::NodeId old, ir::NodeId with);
    /// To be called after each such replacement.
    void replaced(ir::NodeId old, ir::NodeId with);

private:
    ir::NodeId root(ir::NodeId id);

    const ir::Graph& graph_;
    std::vector<ir::NodeId> roots_; ///< by id: the node whose memory a view shows, or itself
    std::vector<bool> escapes_;     ///< by id of a root: some output shows its memory
};

} // namespace cutaway::passes
