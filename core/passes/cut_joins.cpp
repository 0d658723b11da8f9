// SPDX-License-Identifier: Apache-2.0
#include "core/passes/cut_joins.h"

#include "core/base/said.h"
#include "core/passes/shared_memory.h"
#include "core/passes/stretch.h"
#include "core/passes/sweep.h"

#include <algorithm>

namespace cutaway::passes {
namespace {

/// Places [start, end) of \p base along the dimension.
struct Piece {
    ir::NodeId base;
    int64_t start = 0, end = 0;
};

bool isCall(const ir::Node& node, std::string_view op) {
    return node.kind == ir::NodeKind::Call && node.op == op;
}

bool isSplit(const ir::Node& node) {
    return isCall(node, "chunk") || isCall(node, "split.Tensor") ||
           isCall(node, "split_with_sizes");
}

class JoinCutter {
public:
    JoinCutter(ir::Graph& graph, size_t most)
        : graph_(graph), most_(most), sweep_(graph), shared_(graph), users_(graph.users()),
          returned_(graph.idLimit()) {
        for (ir::NodeId id : graph.outputs)
            if (id.valid()) returned_[id.index] = true;
    }

    base::Status run() {
        return sweep_.run(
            [&](ir::Node& node) {
                if (isCall(node, "cat"))
                    join(node);
                else if (node.kind == ir::NodeKind::Call)
                    cut(node);
                return base::Status();
            },
            false);
    }

private:
    const ir::Node& input(const ir::Node& node) const { return graph_.node(*node.args[0].node()); }

    /// The joined dimension, where every piece has a number of places and the join's dtype.
    std::optional<size_t> joinedDim(const ir::Node& cat) const {
        const auto* at = cat.args.size() > 1 ? std::get_if<ir::Sym>(&cat.args[1]) : nullptr;
        const auto rank = static_cast<int64_t>(cat.type().rank());
        if ((at && !at->isConst()) || rank == 0) return std::nullopt;
        const int64_t dim = at ? at->constant() : 0;
        const auto found = static_cast<size_t>(dim < 0 ? dim + rank : dim);
        for (const ir::Arg& arg : *cat.args[0].list()) {
            const ir::TensorType& type = graph_.node(*arg.node()).type();
            if (type.rank() != cat.type().rank() || type.dtype != cat.type().dtype ||
                !type.sizes[found].isConst())
                return std::nullopt;
        }
        return found;
    }

    /// What a slice or an element of a split shows of its input; nothing for other nodes.
    std::optional<std::pair<const ir::Node*, Range>> shown(const ir::Node& node) const {
        if (isCall(node, "slice.Tensor") || isCall(node, "select.int")) {
            const ir::Node& from = input(node);
            auto range = rangeOf(node.args, 1, from.type(), node.op == "select.int");
            if (range) return std::pair(&from, *range);
        }
        if (!isCall(node, "getitem") || !isSplit(input(node))) return std::nullopt;
        const ir::Node& split = input(node);
        const auto* at = split.args.size() > 2 ? std::get_if<ir::Sym>(&split.args[2]) : nullptr;
        if (at && !at->isConst()) return std::nullopt;
        const int64_t dim = at ? at->constant() : 0;
        Range range{
            static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(node.type().rank()) : dim)};
        const auto index = static_cast<size_t>(std::get<ir::Sym>(node.args[1]).constant());
        for (size_t i = 0; i <= index; ++i) {
            const ir::Sym& size = split.types[i].sizes[range.dim];
            if (!size.isConst()) return std::nullopt;
            range.start = range.end;
            range.end += size.constant();
        }
        return std::pair(&input(split), range);
    }

    Piece pieceOf(ir::NodeId id, size_t dim) const {
        const ir::Node& node = graph_.node(id);
        if (auto found = shown(node); found && found->second.dim == dim && !found->second.selected)
            return {found->first->id, found->second.start, found->second.end};
        return {id, 0, node.type().sizes[dim].constant()};
    }

    void addPieces(const ir::Node& cat, size_t dim, std::vector<Piece>& pieces) const {
        for (const ir::Arg& arg : *cat.args[0].list()) {
            const ir::Node& part = graph_.node(*arg.node());
            const bool own = users_.size() > part.id.index && users_[part.id.index].size() == 1 &&
                             !returned_[part.id.index];
            if (own && isCall(part, "cat") && joinedDim(part) == dim &&
                part.args[0].list()->size() + cat.args[0].list()->size() <= most_) {
                addPieces(part, dim, pieces);
                continue;
            }
            const Piece piece = pieceOf(part.id, dim);
            if (!pieces.empty() && pieces.back().base == piece.base &&
                pieces.back().end == piece.start)
                pieces.back().end = piece.end;
            else
                pieces.push_back(piece);
        }
    }

    ir::NodeId valueOf(const Piece& piece, size_t dim) {
        ops::Builder& b = sweep_.builder();
        if (piece.start == 0 && b.type(piece.base).sizes[dim].is(piece.end)) return piece.base;
        return b.call("slice.Tensor",
                      {ir::Arg(piece.base), ir::Arg(ir::Sym(static_cast<int64_t>(dim))),
                       ir::Arg(ir::Sym(piece.start)), ir::Arg(ir::Sym(piece.end)),
                       ir::Arg(ir::Sym(1))});
    }

    void join(const ir::Node& cat) {
        const auto dim = joinedDim(cat);
        if (!dim) return;
        std::vector<Piece> pieces;
        addPieces(cat, *dim, pieces);
        ops::Builder& b = sweep_.builder();
        b.provenance.rule = base::said("joins and slices of one another");
        sweep_.because(pieces.size() == 1
                           ? base::said("it joins neighbouring slices of one value, in order")
                           : base::said("it joins slices that are neighbours, or joins"));
        if (pieces.size() == 1) return replace(cat, valueOf(pieces[0], *dim));
        if (pieces.size() == cat.args[0].list()->size() && !takesIn(cat, *dim)) return;
        ir::ArgList parts;
        for (const Piece& piece : pieces)
            parts.push_back(ir::Arg(valueOf(piece, *dim)));
        replace(cat, b.call("cat", {ir::Arg(std::move(parts)), cat.args[1]}));
    }

    bool takesIn(const ir::Node& cat, size_t dim) const {
        const ir::ArgList& list = *cat.args[0].list();
        return std::any_of(list.begin(), list.end(), [&](const ir::Arg& arg) {
            const ir::Node& part = graph_.node(*arg.node());
            return isCall(part, "cat") && joinedDim(part) == dim && part.id.index < users_.size() &&
                   users_[part.id.index].size() == 1 && !returned_[part.id.index];
        });
    }

    /// A read of one piece of a join.
    void cut(const ir::Node& node) {
        const auto read = shown(node);
        if (!read || !isCall(*read->first, "cat")) return;
        const Range range = read->second;
        const auto dim = joinedDim(*read->first);
        if (dim != range.dim) return;
        int64_t at = 0;
        for (const ir::Arg& arg : *read->first->args[0].list()) {
            const ir::NodeId part = *arg.node();
            const int64_t length = graph_.node(part).type().sizes[*dim].constant();
            if (range.start >= at && range.end <= at + length) {
                ops::Builder& b = sweep_.builder();
                b.provenance.rule = base::said("joins and slices of one another");
                sweep_.because(base::said("it reads one piece of a join only"));
                const Piece piece{part, range.start - at, range.end - at};
                replace(node, range.selected ? b.call("select.int",
                                                      {ir::Arg(part),
                                                       ir::Arg(ir::Sym(static_cast<int64_t>(*dim))),
                                                       ir::Arg(ir::Sym(piece.start))})
                                             : valueOf(piece, *dim));
                return;
            }
            at += length;
        }
    }

    /// Other strides are as good for what reads the elements and shows no memory.
    bool stridesMatter(const ir::Node& node) const {
        if (returned_[node.id.index]) return true;
        return std::any_of(users_[node.id.index].begin(), users_[node.id.index].end(),
                           [&](ir::NodeId user) {
                               const ops::OpDef* def = opOf(graph_.node(user));
                               return !def || def->isView();
                           });
    }

    void replace(const ir::Node& node, ir::NodeId with) {
        const ir::TensorType &a = node.type(), &b = graph_.node(with).type();
        const bool same = sameType(a, b) || (a.dtype == b.dtype && a.device == b.device &&
                                             a.sizes == b.sizes && !stridesMatter(node));
        if (!same || !shared_.mayReplace(node.id, with)) return;
        shared_.replaced(node.id, with);
        sweep_.replace(node.id, with);
    }

    ir::Graph& graph_;
    size_t most_; ///< pieces of one join
    Sweep sweep_;
    SharedMemory shared_;
    std::vector<std::vector<ir::NodeId>> users_; ///< as they were
    std::vector<bool> returned_;
};

} // namespace

base::Status cutJoins(ir::Graph& graph, int64_t pieces) {
    return JoinCutter(graph, static_cast<size_t>(pieces)).run();
}

} // namespace cutaway::passes
