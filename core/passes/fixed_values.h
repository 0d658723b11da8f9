// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which values are the same in call after call: what follows from frozen placeholders and
/// constants alone. For passes that move work to where it is done once.
#pragma once

#include "core/ir/graph.h"

#include <vector>

namespace cutaway::passes {

class FixedValues {
public:
    explicit FixedValues(const ir::Graph& graph) : graph_(graph) {}

    /// A frozen placeholder, a constant, or computed from such alone: without random numbers, of
    /// sizes that are numbers.
    bool fixed(ir::NodeId id);
    /// Fixed, and some frozen placeholder enters it.
    bool ofFrozen(ir::NodeId id) { return fixed(id) && known_[id.index].frozen; }

private:
    struct Known {
        bool asked = false, fixed = false, frozen = false;
    };
    void find(ir::NodeId id);

    const ir::Graph& graph_;
    std::vector<Known> known_; ///< by id
};

} // namespace cutaway::passes
