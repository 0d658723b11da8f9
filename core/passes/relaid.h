// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values that a pass lays out otherwise than the graph had them: what is computed from them
/// follows with its strides, and the graph's results keep those of the script.
#pragma once

#include "core/passes/sweep.h"

#include <map>
#include <set>

namespace cutaway::passes {

class Relaid {
public:
    explicit Relaid(Sweep& sweep) : sweep_(sweep), graph_(sweep.graph()) {}

    bool none() const { return given_.empty(); }
    /// A new value that lies as a pass wants it. \p had: the types of what it stands for; none:
    /// only readers that take it as it lies get it.
    void add(ir::NodeId value, std::vector<ir::TensorType> had = {});
    /// For every node of the sweep in turn: where it reads such a value, it gets the strides that
    /// follow, or reads a copy that lies as before where none do (a view).
    base::Status follow(ir::Node& node);
    /// After the sweep: results lie as before.
    void restoreOutputs();
    ir::NodeId copy(ir::NodeId value, const char* format, const char* rule);

private:
    void take(ir::Node& node, const std::vector<ir::TensorType>& types);
    ir::NodeId asBefore(ir::NodeId value);
    ir::NodeId restored(ir::NodeId value, const char* rule);
    ir::NodeId laidAs(ir::NodeId value, const ir::TensorType& type, const char* rule);

    Sweep& sweep_;
    ir::Graph& graph_;
    std::map<ir::NodeId, std::vector<ir::TensorType>> given_; ///< the types that were changed
    std::set<ir::NodeId> changed_;                            ///< their nodes, and the copies
    std::map<ir::NodeId, ir::NodeId> before_;
};

} // namespace cutaway::passes
