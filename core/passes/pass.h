// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one signature of every graph pass. A pass is two files and one row of
/// pipeline/stage_table.cpp.
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"

#include <cstdint>
#include <string_view>

namespace cutaway::passes {

/// A number that a person may give a pass instead of the one that it usually goes by.
struct PassArgument {
    std::string_view name; ///< "elements"
    int64_t usual = 0, least = 0, most = 0;
    std::string_view summary;
};

/// Rewrites \p graph in place; nodes it does not touch keep their ids; nodes it makes inherit
/// source, module path and `from` of the nodes they replace, and name the rule in Node::rule. The
/// runner compares the graph before and after, verifies, times and records: a pass does none of
/// that. Errors: bugs only.
class GraphPass {
public:
    using Plain = base::Status (*)(ir::Graph& graph);
    using Told = base::Status (*)(ir::Graph& graph, int64_t argument);
    constexpr GraphPass(Plain run) : plain_(run) {}
    constexpr GraphPass(Told run, const PassArgument& argument) : told_(run), takes_(&argument) {}

    /// Null: it takes none.
    constexpr const PassArgument* argument() const { return takes_; }
    /// \param argument of a pass that takes one
    base::Status operator()(ir::Graph& graph, int64_t argument) const {
        return told_ ? told_(graph, argument) : plain_(graph);
    }
    base::Status operator()(ir::Graph& graph) const {
        return (*this)(graph, takes_ ? takes_->usual : 0);
    }

private:
    Plain plain_ = nullptr;
    Told told_ = nullptr;
    const PassArgument* takes_ = nullptr;
};

} // namespace cutaway::passes
