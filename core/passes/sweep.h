// SPDX-License-Identifier: Apache-2.0
/// \file
/// The walk that rewriting passes share: one look at every node in execution order, replacements
/// kept in a table, order and dead originals settled once at the end. A pass over n nodes with k
/// replacements costs O(n + k), where Graph::replaceAllUses alone would cost O(n) each.
#pragma once

#include "core/base/result.h"
#include "core/ops/builder.h"

#include <functional>
#include <string>

namespace cutaway::passes {

/// The catalogue's record of a call; null for placeholders, constants and getitem.
const ops::OpDef* opOf(const ir::Node& node);
/// A scalar argument as a number; nothing for tensors, lists and symbols.
std::optional<double> numberOf(const ir::Arg& arg);
/// Equal but for requires_grad: one value can stand for the other.
bool sameType(const ir::TensorType& a, const ir::TensorType& b);

class Sweep {
public:
    explicit Sweep(ir::Graph& graph) : graph_(graph), builder_(graph) {}

    ir::Graph& graph() { return graph_; }
    /// Nodes built while a node is visited go right before it; they inherit its provenance. Set
    /// provenance.rule before building.
    ops::Builder& builder() { return builder_; }

    /// Every later use of \p old, the graph's outputs included, becomes a use of \p with; \p old is
    /// removed at the end.
    void replace(ir::NodeId old, ir::NodeId with);
    /// The same for a tuple: its getitems are replaced by the values.
    void replaceTuple(ir::NodeId old, std::vector<ir::NodeId> with);
    /// Removes a node that the caller knows to be unused.
    void drop(ir::NodeId id) { dead_.push_back(id); }
    ir::NodeId resolve(ir::NodeId id) const;
    /// What held at the node that is being visited, for whoever steps through rewrites:
    /// "its operand is computed by exp".
    void because(std::string condition) { condition_ = std::move(condition); }

    /// Calls \p visit for each node, its arguments already rewritten. With \p visitBuilt also for
    /// the nodes that visits build, so a rule may build what another application expands.
    using Visit = std::function<base::Status(ir::Node&)>;
    base::Status run(const Visit& visit, bool visitBuilt);

private:
    base::Status process(ir::NodeId id, const Visit& visit, bool visitBuilt);
    bool selectFromReplacedTuple(ir::Node& node);
    class Watch; ///< over one visit

    ir::Graph& graph_;
    ops::Builder builder_;
    std::vector<ir::NodeId> with_; ///< by id; invalid: not replaced
    std::vector<std::pair<ir::NodeId, std::vector<ir::NodeId>>> tuples_;
    std::vector<uint32_t> tupleAt_; ///< by id: 1 + index into tuples_, 0: none
    std::vector<ir::NodeId> order_;
    std::vector<ir::NodeId> dead_;
    std::string condition_; ///< empty before each visit
};

} // namespace cutaway::passes
