// SPDX-License-Identifier: Apache-2.0
#include "core/passes/split_wide_joins.h"

#include "core/base/said.h"
#include "core/passes/sweep.h"

#include <cmath>
#include <fmt/format.h>

namespace cutaway::passes {
namespace {

/// Pieces of each part, so that all levels are about equally wide.
size_t widthOf(size_t pieces, size_t widest) {
    const double levels =
        std::ceil(std::log(static_cast<double>(pieces)) / std::log(static_cast<double>(widest)));
    return static_cast<size_t>(std::ceil(std::pow(static_cast<double>(pieces), 1 / levels)));
}

/// The pieces that have elements, in the result's dtype.
ir::ArgList piecesOf(ops::Builder& b, const ir::ArgList& all, const ir::TensorType& result) {
    ir::ArgList pieces;
    for (const ir::Arg& arg : all) {
        const ir::TensorType& type = b.type(*arg.node());
        if (type.rank() == result.rank() && !type.numel().is(0))
            pieces.emplace_back(b.convert(*arg.node(), result.dtype));
    }
    return pieces;
}

ir::ArgList joined(ops::Builder& b, const ir::ArgList& pieces, size_t width, const ir::Arg& dim) {
    ir::ArgList parts;
    for (size_t first = 0; first < pieces.size(); first += width) {
        const size_t count = std::min(width, pieces.size() - first);
        const auto begin = pieces.begin() + static_cast<std::ptrdiff_t>(first);
        ir::ArgList part(begin, begin + static_cast<std::ptrdiff_t>(count));
        parts.push_back(count == 1 ? part.front() : ir::Arg(b.call("cat", {ir::Arg(part), dim})));
    }
    return parts;
}

} // namespace

base::Status splitWideJoins(ir::Graph& graph, int64_t most) {
    const auto widest = static_cast<size_t>(most);
    Sweep sweep(graph);
    ops::Builder& b = sweep.builder();
    auto visit = [&](ir::Node& node) -> base::Status {
        if (node.kind != ir::NodeKind::Call || node.op != "cat") return {};
        const ir::ArgList* all = node.args[0].list();
        if (!all || all->size() <= widest || node.type().numel().is(0)) return {};
        const ir::TensorType type = node.type();
        const ir::NodeId id = node.id;
        const ir::Arg dim = node.args.size() > 1 ? node.args[1] : ir::Arg(ir::Sym(0));
        b.provenance.rule = base::said("wide join");
        sweep.because(base::said("it joins {} tensors, more than {}", all->size(), widest));
        ir::ArgList pieces = piecesOf(b, *all, type);
        const size_t width = widthOf(pieces.size(), widest);
        while (pieces.size() > widest)
            pieces = joined(b, pieces, width, dim);
        const ir::NodeId whole = b.call("cat", {ir::Arg(pieces), dim});
        if (sameType(b.type(whole), type)) sweep.replace(id, whole);
        return {};
    };
    return sweep.run(visit, false);
}

} // namespace cutaway::passes
