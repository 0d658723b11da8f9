// SPDX-License-Identifier: Apache-2.0
#include "core/passes/gather_joined_slices.h"

#include "core/base/said.h"
#include "core/passes/sweep.h"

#include <algorithm>
#include <memory>

namespace cutaway::passes {
namespace {

struct Places {
    ir::NodeId tensor;
    size_t dim = 0;
    std::vector<int64_t> positions;
};

std::optional<int64_t> integer(const ir::Arg& arg) {
    const auto* value = std::get_if<ir::Sym>(&arg);
    return value && value->isConst() ? std::optional(value->constant()) : std::nullopt;
}

bool isCall(const ir::Node& node, std::string_view op) {
    return node.kind == ir::NodeKind::Call && node.op == op;
}

std::optional<size_t> dimension(const ir::Arg& arg, size_t rank) {
    auto dim = integer(arg);
    if (!dim) return std::nullopt;
    return static_cast<size_t>(*dim < 0 ? *dim + static_cast<int64_t>(rank) : *dim);
}

/// select(x, d, i): its tensor, dimension and place.
std::optional<Places> selected(const ir::Graph& graph, const ir::Node& node) {
    if (!isCall(node, "select.int")) return std::nullopt;
    const ir::TensorType& from = graph.node(*node.args[0].node()).type();
    const auto dim = dimension(node.args[1], from.rank());
    const auto at = integer(node.args[2]);
    if (!dim || !at || !from.sizes[*dim].isConst()) return std::nullopt;
    return Places{*node.args[0].node(), *dim, {*at < 0 ? *at + from.sizes[*dim].constant() : *at}};
}

/// slice(x, dim, ...) along the joined dimension.
std::optional<Places> sliced(const ir::Graph& graph, const ir::Node& node, size_t joined) {
    if (!isCall(node, "slice.Tensor") || node.args.size() < 5) return std::nullopt;
    const ir::TensorType& from = graph.node(*node.args[0].node()).type();
    const auto dim = dimension(node.args[1], from.rank());
    const auto start = integer(node.args[2]), step = integer(node.args[4]);
    if (dim != joined || !start || !step || !from.sizes[*dim].isConst() ||
        !node.type().sizes[*dim].isConst())
        return std::nullopt;
    const int64_t size = from.sizes[*dim].constant();
    const int64_t first = std::clamp(*start < 0 ? *start + size : *start, int64_t{0}, size);
    Places places{*node.args[0].node(), *dim, {}};
    for (int64_t i = 0; i < node.type().sizes[*dim].constant(); ++i)
        places.positions.push_back(first + i * *step);
    return places;
}

/// What one piece of a join along \p joined takes of which tensor.
std::optional<Places> placesOf(const ir::Graph& graph, const ir::Node& piece, size_t joined) {
    if (auto places = sliced(graph, piece, joined)) return places;
    if (joined == 0)
        if (auto places = selected(graph, piece); places && places->dim == 0) return places;
    if (!isCall(piece, "unsqueeze") || dimension(piece.args[1], piece.type().rank()) != joined)
        return std::nullopt;
    auto places = selected(graph, graph.node(*piece.args[0].node()));
    return places && places->dim == joined ? places : std::nullopt;
}

/// The places of all pieces, when they are of one tensor and cut alike, and more than \p few.
std::optional<Places> allPlaces(const ir::Graph& graph, const ir::Node& join, size_t few) {
    const ir::ArgList* pieces = join.args[0].list();
    const auto dim = dimension(join.args[1], join.type().rank());
    if (!pieces || pieces->size() <= few || !dim) return std::nullopt;
    const std::string_view op = graph.node(*pieces->front().node()).op;
    std::optional<Places> all;
    for (const ir::Arg& arg : *pieces) {
        const ir::Node& piece = graph.node(*arg.node());
        auto places = piece.op == op ? placesOf(graph, piece, *dim) : std::nullopt;
        if (!places || (all && places->tensor != all->tensor)) return std::nullopt;
        if (!all)
            all = std::move(places);
        else
            all->positions.insert(all->positions.end(), places->positions.begin(),
                                  places->positions.end());
    }
    return all;
}

ir::NodeId addPositions(Sweep& sweep, const Places& places, const ir::TensorType& from) {
    std::vector<int64_t> sizes(from.rank(), 1);
    sizes[places.dim] = static_cast<int64_t>(places.positions.size());
    ir::HostTensor positions = ir::HostTensor::zeros(ir::DType::Int64, sizes);
    for (size_t i = 0; i < places.positions.size(); ++i)
        positions.setInt(static_cast<int64_t>(i), places.positions[i]);
    const ir::NodeId id = sweep.graph().addConstant(
        "places", std::make_shared<const ir::HostTensor>(std::move(positions)), from.device);
    ir::Node& node = sweep.graph().node(id);
    const ops::Provenance& inherited = sweep.builder().provenance;
    node.source = inherited.source;
    node.modulePath = inherited.modulePath;
    node.from = inherited.from;
    node.backward = inherited.backward;
    node.rule = inherited.rule;
    return id;
}

} // namespace

base::Status gatherJoinedSlices(ir::Graph& graph, int64_t pieces) {
    Sweep sweep(graph);
    ops::Builder& b = sweep.builder();
    auto visit = [&](ir::Node& node) -> base::Status {
        if (!isCall(node, "cat") || node.args.size() < 2) return {};
        const auto places = allPlaces(graph, node, static_cast<size_t>(pieces));
        if (!places) return {};
        const ir::TensorType type = node.type(), from = b.type(places->tensor);
        const ir::NodeId id = node.id;
        b.provenance.rule = base::said("join of slices of one tensor");
        sweep.because(base::said("it joins many slices of one tensor"));
        ir::ArgList sizes(from.sizes.begin(), from.sizes.end());
        sizes[places->dim] = ir::Arg(ir::Sym(static_cast<int64_t>(places->positions.size())));
        const ir::NodeId index =
            b.call("expand", {ir::Arg(addPositions(sweep, *places, from)), ir::Arg(sizes)});
        ir::NodeId value =
            b.call("gather", {ir::Arg(places->tensor),
                              ir::Arg(ir::Sym(static_cast<int64_t>(places->dim))), ir::Arg(index)});
        if (b.type(value).sizes != type.sizes) value = b.reshape(value, type.sizes);
        if (sameType(b.type(value), type)) sweep.replace(id, value);
        return {};
    };
    return sweep.run(visit, false);
}

} // namespace cutaway::passes
