// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calls of one input that become one call: of its last dimension each reads its part.
#pragma once

#include "core/passes/relaid.h"

namespace cutaway::passes {

class SideBySide {
public:
    using Members = std::vector<ir::NodeId>; ///< in order
    /// Builds the one call that stands for all.
    using Join = std::function<ir::NodeId(const Members&)>;

    SideBySide(Sweep& sweep, Relaid& relaid)
        : sweep_(sweep), graph_(sweep.graph()), relaid_(relaid) {}

    /// One alone stays as it is.
    void add(Members members);
    bool none() const { return groupOf_.empty(); }
    bool has(ir::NodeId id) const { return groupOf_.contains(id); }
    /// What the members' calls read as tensor \p argument, joined along \p dim.
    ir::NodeId joined(const Members& members, size_t argument, int64_t dim);
    /// In the sweep, at a member: it is its part of the one call, which the first of them builds.
    void replace(const ir::Node& member, const Join& join);

private:
    struct Group {
        Members members;
        ir::NodeId whole;
    };
    Sweep& sweep_;
    ir::Graph& graph_;
    Relaid& relaid_;
    std::vector<Group> groups_;
    std::map<ir::NodeId, size_t> groupOf_;
};

} // namespace cutaway::passes
