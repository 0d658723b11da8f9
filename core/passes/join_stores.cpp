// SPDX-License-Identifier: Apache-2.0
#include "core/passes/join_stores.h"

#include "core/base/said.h"
#include "core/passes/remove_dead.h"
#include "core/passes/shared_memory.h"
#include "core/passes/stretch.h"
#include "core/passes/sweep.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::passes {
namespace {

bool isStore(const ir::Node& node) {
    return node.kind == ir::NodeKind::Call &&
           (node.op == "slice_scatter" || node.op == "select_scatter");
}

bool isRead(const ir::Node& node) {
    return node.kind == ir::NodeKind::Call &&
           (node.op == "slice.Tensor" || node.op == "slice_copy.Tensor" ||
            node.op == "select.int" || node.op == "select_copy.int");
}

class StoreJoiner {
public:
    StoreJoiner(ir::Graph& graph, size_t most)
        : graph_(graph), most_(most), sweep_(graph), shared_(graph), users_(graph.users()),
          returned_(graph.idLimit()), carries_(graph.idLimit()) {
        for (ir::NodeId id : graph.outputs)
            if (id.valid()) returned_[id.index] = true;
    }

    base::Status run() {
        for (ir::NodeId id : graph_.order())
            look(graph_.node(id));
        if (stored_.empty()) return {};
        findKept();
        CUTAWAY_CHECK(sweep_.run(
            [&](ir::Node& node) {
                if (isStore(node)) join(node);
                if (isRead(node)) read(node);
                return base::Status();
            },
            false));
        return replaced_ ? removeDead(graph_) : base::Status();
    }

private:
    /// Where a stretch of what was stored comes from: places of \p source from \p first on.
    struct Piece {
        int64_t start = 0, end = 0;
        ir::NodeId source;
        int64_t first = 0;
        bool selected = false; ///< the source lacks the dimension
    };
    struct Stored {
        size_t dim = 0;
        int stores = 0;
        ir::NodeId below; ///< what the first of them stored into
        std::vector<Piece> pieces;
        int carrying = 0;  ///< stored values, and that below, that want a gradient
        bool lost = false; ///< one of these was covered whole: it wants zeros for its gradient
        bool kept = false; ///< the graph returns what came of it, and nothing was lost on the way
    };

    std::optional<Range> storeRange(const ir::Node& node) const {
        const ir::Node& below = graph_.node(*node.args[0].node());
        const ir::Node& source = graph_.node(*node.args[1].node());
        auto range = rangeOf(node.args, 2, below.type(), node.op == "select_scatter");
        if (!range || source.type().dtype != below.type().dtype) return std::nullopt;
        ir::Shape sizes = below.type().sizes;
        if (range->selected)
            sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(range->dim));
        else
            sizes[range->dim] = ir::Sym(range->end - range->start);
        return sizes == source.type().sizes ? range : std::nullopt;
    }

    void look(const ir::Node& node) {
        carries_[node.id.index] =
            node.kind == ir::NodeKind::Placeholder && node.type().requiresGrad;
        ir::forEachNode(node.args, [&](ir::NodeId input) {
            if (carries_[input.index]) carries_[node.id.index] = true;
        });
        if (!isStore(node)) return;
        const auto range = storeRange(node);
        if (!range) return;
        const ir::NodeId below = *node.args[0].node();
        Stored now;
        if (auto known = stored_.find(below.index); known != stored_.end() &&
                                                    known->second.dim == range->dim &&
                                                    known->second.pieces.size() < most_) {
            now = known->second;
        } else {
            const int64_t size = graph_.node(below).type().sizes[range->dim].constant();
            now.dim = range->dim;
            now.below = below;
            now.pieces = {{0, size, below, 0, false}};
            now.carrying = carries_[below.index];
        }
        ++now.stores;
        const ir::NodeId source = *node.args[1].node();
        now.carrying += carries_[source.index];
        const std::vector<Piece> before = now.pieces;
        overlay(now.pieces, {range->start, range->end, source, 0, range->selected});
        for (const Piece& piece : before)
            now.lost |= carries_[piece.source.index] && !has(now.pieces, piece.source);
        stored_[node.id.index] = std::move(now);
    }

    static bool has(const std::vector<Piece>& pieces, ir::NodeId source) {
        return std::any_of(pieces.begin(), pieces.end(),
                           [&](const Piece& piece) { return piece.source == source; });
    }

    void findKept() {
        const std::vector<ir::NodeId>& order = graph_.order();
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            auto found = stored_.find(at->index);
            if (found == stored_.end()) continue;
            Stored& stored = found->second;
            stored.kept = returned_[at->index] && !stored.lost;
            for (ir::NodeId user : users_[at->index]) {
                auto next = stored_.find(user.index);
                if (next != stored_.end() && next->second.below == stored.below)
                    stored.kept |= next->second.kept;
            }
        }
    }

    static void overlay(std::vector<Piece>& pieces, Piece fresh) {
        std::vector<Piece> result;
        for (const Piece& piece : pieces) {
            if (piece.start < fresh.start) {
                result.push_back(piece);
                result.back().end = std::min(piece.end, fresh.start);
            }
            if (piece.end > fresh.end) {
                result.push_back(piece);
                const int64_t start = std::max(piece.start, fresh.end);
                result.back().first += start - piece.start;
                result.back().start = start;
            }
        }
        auto at = std::find_if(result.begin(), result.end(),
                               [&](const Piece& piece) { return piece.start >= fresh.end; });
        result.insert(at, fresh);
        pieces = std::move(result);
    }

    /// Something but later stores along the same dimension, and reads that will not need it, uses
    /// the value.
    bool isUsedWhole(const ir::Node& node, const Stored& now) const {
        if (returned_[node.id.index]) return true;
        for (ir::NodeId user : users_[node.id.index]) {
            const ir::Node& other = graph_.node(user);
            if (isRead(other)) {
                const Piece* piece = pieceOf(other, node.type(), now);
                if (piece && mayRead(now, *piece)) continue;
                return true;
            }
            auto next = stored_.find(user.index);
            if (next == stored_.end() || next->second.below != now.below ||
                sweep_.resolve(*other.args[1].node()) == node.id)
                return true;
        }
        return false;
    }

    /// A read of one piece must neither take the gradient from the others nor want none itself.
    bool mayRead(const Stored& stored, const Piece& piece) const {
        if (stored.carrying == 0) return true;
        return carries_[piece.source.index] && (stored.kept || stored.carrying == 1);
    }

    /// The piece that a slice or select reads nothing but, or null.
    static const Piece* pieceOf(const ir::Node& read, const ir::TensorType& type,
                                const Stored& stored) {
        const bool selects = read.op.starts_with("select");
        const auto range = rangeOf(read.args, 1, type, selects);
        if (!range || range->dim != stored.dim) return nullptr;
        for (const Piece& piece : stored.pieces)
            if (range->start >= piece.start && range->end <= piece.end) return &piece;
        return nullptr;
    }

    /// The places [from, to) of a piece's source, with the dimension.
    ir::NodeId part(const Piece& piece, size_t dim, int64_t from, int64_t to) {
        ops::Builder& b = sweep_.builder();
        const ir::NodeId source = sweep_.resolve(piece.source);
        const auto at = static_cast<int64_t>(dim);
        if (piece.selected) return b.call("unsqueeze", {ir::Arg(source), ir::Arg(ir::Sym(at))});
        const int64_t first = piece.first + from - piece.start;
        if (first == 0 && b.type(source).sizes[dim].is(to - from)) return source;
        return b.call("slice.Tensor",
                      {ir::Arg(source), ir::Arg(ir::Sym(at)), ir::Arg(ir::Sym(first)),
                       ir::Arg(ir::Sym(first + to - from)), ir::Arg(ir::Sym(1))});
    }

    void join(const ir::Node& node) {
        auto found = stored_.find(node.id.index);
        if (found == stored_.end()) return;
        const Stored& stored = found->second;
        const bool all = !has(stored.pieces, stored.below);
        if (stored.lost || (!all && stored.stores < 2) || !isUsedWhole(node, stored)) return;
        ops::Builder& b = sweep_.builder();
        b.provenance.rule = base::said("stores joined");
        sweep_.because(all ? base::said("stores cover the whole tensor")
                           : base::said("it stores along one dimension, as its operand does"));
        ir::ArgList parts;
        for (const Piece& piece : stored.pieces)
            parts.push_back(ir::Arg(part(piece, stored.dim, piece.start, piece.end)));
        replace(node, b.call("cat", {ir::Arg(std::move(parts)),
                                     ir::Arg(ir::Sym(static_cast<int64_t>(stored.dim)))}));
    }

    void read(const ir::Node& node) {
        const ir::NodeId below = *node.args[0].node();
        const auto known = stored_.find(source(below).index);
        if (known == stored_.end()) return;
        const ir::TensorType& type = graph_.node(below).type();
        const Piece* piece = pieceOf(node, type, known->second);
        if (!piece || !mayRead(known->second, *piece)) return;
        const ir::NodeId from = sweep_.resolve(piece->source);
        ops::Builder& b = sweep_.builder();
        b.provenance.rule = base::said("read of what was stored");
        sweep_.because(base::said("it reads what one store has written, or what none of them has"));
        const bool selects = node.op.starts_with("select");
        const Range range = *rangeOf(node.args, 1, type, selects);
        ir::NodeId value;
        if (selects && piece->selected)
            value = from;
        else if (selects)
            value = b.call("select.int",
                           {ir::Arg(from), ir::Arg(ir::Sym(static_cast<int64_t>(range.dim))),
                            ir::Arg(ir::Sym(piece->first + range.start - piece->start))});
        else
            value = part(*piece, range.dim, range.start, range.end);
        if (node.op.find("_copy") != std::string::npos && value != from)
            value = b.call("clone", {ir::Arg(value), ir::Arg(std::string("contiguous_format"))});
        replace(node, value);
    }

    /// The store that a join stands for.
    ir::NodeId source(ir::NodeId id) const {
        auto found = joins_.find(id.index);
        return found == joins_.end() ? id : found->second;
    }

    void replace(const ir::Node& node, ir::NodeId with) {
        if (!sameType(graph_.node(with).type(), node.type()) || !shared_.mayReplace(node.id, with))
            return;
        if (isStore(node)) joins_[with.index] = node.id;
        shared_.replaced(node.id, with);
        sweep_.replace(node.id, with);
        replaced_ = true;
    }

    ir::Graph& graph_;
    size_t most_; ///< pieces of one join
    Sweep sweep_;
    SharedMemory shared_;
    std::vector<std::vector<ir::NodeId>> users_;
    std::vector<bool> returned_, carries_;           ///< by id
    std::unordered_map<uint32_t, Stored> stored_;    ///< by id of a store
    std::unordered_map<uint32_t, ir::NodeId> joins_; ///< by id of a join: the store
    bool replaced_ = false;
};

} // namespace

base::Status joinStores(ir::Graph& graph, int64_t pieces) {
    return StoreJoiner(graph, static_cast<size_t>(pieces)).run();
}

} // namespace cutaway::passes
