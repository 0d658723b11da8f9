// SPDX-License-Identifier: Apache-2.0
// Joins, cuts and grids composed of others. Source: torch/_refs/__init__.py.
#include "core/base/tick.h"
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/limits.h"
#include "core/ops/sample_tools.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

std::vector<Value> someTensors(const Operands& x) {
    std::vector<Value> tensors = listOf(x, 0);
    if (tensors.empty()) refuseCall(x, "expected at least one tensor, found an empty list");
    return tensors;
}

/// With at least as many dimensions: new ones in front, for three the third behind.
Formula raised(const Value& x, size_t rank) {
    const size_t have = x.type().rank();
    return have >= rank ? Formula(x)
                        : aten(rank == 1   ? "atleast_1d"
                               : rank == 2 ? "atleast_2d"
                                           : "atleast_3d",
                               x);
}

template <size_t rank, int dim> Results joined(const Operands& x) {
    std::vector<Formula> parts;
    size_t ranks = 0;
    for (const Value& tensor : someTensors(x)) {
        parts.push_back(raised(tensor, rank));
        ranks = std::max(ranks, tensor.type().rank());
    }
    // hstack joins vectors along their only dimension.
    return {aten("cat", parts, rank == 1 && ranks <= 1 ? 0 : dim)};
}

Results columnStack(const Operands& x) {
    std::vector<Formula> parts;
    for (const Value& tensor : someTensors(x))
        parts.push_back(tensor.type().rank() < 2 ? reshape(tensor, {tensor.type().numel(), Sym(1)})
                                                 : Formula(tensor));
    return {aten("cat", parts, 1)};
}

Results blockDiag(const Operands& x) {
    Sym width(0), before(0);
    std::vector<Value> blocks;
    for (const Value& tensor : listOf(x, 0)) {
        if (tensor.type().rank() > 2)
            refuseCall(x, fmt::format("expected at most 2 dimensions, found shape {}",
                                      ir::str(tensor.type().sizes)));
        blocks.push_back(raised(tensor, 2));
        width = width + blocks.back().type().sizes[1];
    }
    std::vector<Formula> rows;
    for (const Value& block : blocks) {
        const Shape sizes = block.type().sizes;
        auto zeros = [&](const Sym& columns) {
            return full(x.b, {sizes[0], columns}, 0, block.type());
        };
        rows.push_back(
            aten("cat",
                 std::vector<Formula>{zeros(before), block, zeros(width - before - sizes[1])}, 1));
        before = before + sizes[1];
    }
    if (rows.empty()) // as PyTorch
        return {full(x.b, {Sym(1), Sym(0)}, 0, TensorType::contiguous(ir::DType::Float32, {}))};
    return {aten("cat", rows, 0)};
}

// --- cuts ---

void wantPieces(const Operands& x, int64_t count) {
    if (count > kMostResults)
        refuseCall(x, fmt::format("{} pieces, at most {} work", count, kMostResults));
}

Results unbind(const Operands& x) {
    const TensorType self = x.type(0);
    if (self.rank() == 0)
        refuseCall(x, "a 0-dim tensor has no dimension to unbind", {}, ErrorClass::Index);
    const size_t dim = dimOf(x, 1, self.rank());
    const int64_t n = x.call().number(self.sizes[dim]);
    wantPieces(x, n);
    Results pieces;
    for (int64_t i = 0; i < n; ++i)
        pieces.push_back(aten("select.int", x[0], dim, i));
    return pieces;
}

/// Slices between the places.
Results cutAt(const Operands& x, size_t dim, const std::vector<Sym>& places) {
    const Sym size = x.type(0).sizes[dim];
    const OpCall call = x.call();
    auto inside = [&](Sym place) {
        if (call.less(place, Sym(0))) place = place + size;
        if (call.less(place, Sym(0))) return Sym(0);
        return call.less(size, place) ? size : place;
    };
    Results pieces;
    Sym start(0);
    for (size_t i = 0; i <= places.size(); ++i) {
        const Sym end = i == places.size() ? size : inside(places[i]);
        pieces.push_back(sliced(x[0], dim, start, call.less(end, start) ? start : end));
        start = i == places.size() ? size : inside(places[i]);
    }
    return pieces;
}

/// A number of nearly equal pieces: the first ones are longer by one.
Results cutInto(const Operands& x, size_t dim, int64_t count, bool equal) {
    const int64_t size = x.call().number(x.type(0).sizes[dim]);
    if (count <= 0)
        refuseCall(x, fmt::format("expected a positive number of pieces, found {}", count));
    if (equal && size % count != 0)
        refuseCall(x, fmt::format("dimension {} of size {} cannot be cut into {} equal pieces", dim,
                                  size, count));
    wantPieces(x, count);
    std::vector<Sym> places;
    for (int64_t i = 1; i < count; ++i)
        places.emplace_back(i * (size / count) + std::min(i, size % count));
    return cutAt(x, dim, places);
}

size_t cutDim(const Operands& x, size_t i) {
    if (x.type(0).rank() == 0) refuseCall(x, "a 0-dim tensor cannot be split");
    return dimOf(x, i, x.type(0).rank());
}

Results tensorSplitSections(const Operands& x) {
    return cutInto(x, cutDim(x, 2), x.call().number(1), false);
}
Results tensorSplitPlaces(const Operands& x) {
    return cutAt(x, cutDim(x, 2), x.call().integers(1));
}

/// hsplit (of vectors: dimension 0), vsplit, dsplit.
template <size_t dim> Results splitAlong(const Operands& x) {
    const size_t rank = x.type(0).rank(), least = dim == 1 ? 1 : dim + (dim == 0 ? 2 : 1);
    if (rank < least)
        refuseCall(x, fmt::format("expected at least {} dimension{}, found {}", least,
                                  least == 1 ? "" : "s", rank));
    const size_t along = rank == 1 ? 0 : dim;
    if (x.node.args[1].list()) return cutAt(x, along, x.call().integers(1));
    return cutInto(x, along, x.call().number(1), true);
}

Results splitSizes(const Operands& x) {
    Results pieces;
    Value split = aten("split_with_sizes", x[0], x[1], x[2]);
    for (size_t i = 0; i < x.call().integers(1).size(); ++i)
        pieces.push_back(item(split, static_cast<int>(i)));
    return pieces;
}

Results unsafeSplit(const Operands& x) {
    Results pieces;
    Value split = aten("split.Tensor", x[0], x[1], x[2]);
    for (size_t i = 0, n = x.b.graph().node(split).types.size(); i < n; ++i)
        pieces.push_back(item(split, static_cast<int>(i)));
    return pieces;
}

Results unsafeChunk(const Operands& x) {
    Results pieces;
    Value split = aten("chunk", x[0], x[1], x[2]);
    for (size_t i = 0, n = x.b.graph().node(split).types.size(); i < n; ++i)
        pieces.push_back(item(split, static_cast<int>(i)));
    return pieces;
}

// --- grids ---

Results broadcastTensors(const Operands& x) {
    Shape sizes;
    const OpCall call = x.call();
    const std::vector<Value> tensors = someTensors(x);
    for (const Value& tensor : tensors)
        sizes = orRefuse(broadcast(call, sizes, tensor.type().sizes));
    Results results;
    for (const Value& tensor : tensors)
        results.push_back(expand(tensor, sizes));
    return results;
}

/// Coordinates of a grid; "xy" exchanges the first two dimensions.
Results grid(const Operands& x, bool exchanged) {
    std::vector<Value> tensors = someTensors(x);
    Shape sizes;
    for (const Value& tensor : tensors) {
        if (tensor.type().rank() > 1)
            refuseCall(
                x, fmt::format("expected vectors, found shape {}", ir::str(tensor.type().sizes)));
        if (tensor.type().dtype != tensors[0].type().dtype)
            refuseCall(x, "meshgrid expects all tensors to have the same dtype");
        sizes.push_back(tensor.type().numel());
    }
    exchanged = exchanged && tensors.size() > 1;
    if (exchanged) std::swap(sizes[0], sizes[1]);
    Results results;
    for (size_t i = 0; i < tensors.size(); ++i) {
        Shape along(tensors.size(), Sym(1));
        along[exchanged && i < 2 ? 1 - i : i] = tensors[i].type().numel();
        results.push_back(expand(reshape(tensors[i], along), sizes));
    }
    return results;
}

Results meshgrid(const Operands& x) {
    return grid(x, false);
}
Results meshgridIndexing(const Operands& x) {
    const std::string indexing = std::get<std::string>(x.node.args[1]);
    if (indexing != "ij" && indexing != "xy")
        refuseCall(x, fmt::format("expected indexing 'ij' or 'xy', found '{}'", indexing));
    return grid(x, indexing == "xy");
}

Results cartesianProduct(const Operands& x) {
    std::vector<Value> tensors = someTensors(x);
    for (const Value& one : tensors)
        if (one.type().rank() != 1)
            refuseCall(x,
                       fmt::format("expected vectors, found shape {}", ir::str(one.type().sizes)));
    if (tensors.size() == 1) return {aten("alias", tensors[0])};
    std::vector<Formula> columns;
    for (ir::NodeId id : grid(x, false))
        columns.push_back(reshape(Value(x.b, id), {x.b.type(id).numel()}));
    return {aten("stack", columns, 1)};
}

/// Rows of r elements of a vector, in order of their places.
Results combinations(const Operands& x) {
    const TensorType self = x.type(0);
    const OpCall call = x.call();
    const int64_t r = call.number(1), n = self.rank() == 1 ? call.number(self.sizes[0]) : 0;
    if (self.rank() != 1)
        refuseCall(x, fmt::format("expected a vector, found shape {}", ir::str(self.sizes)));
    if (r < 0)
        throwRefusal(
            base::userError({}, fmt::format("Expect a non-negative number, but got {}", r)));
    const bool again = call.boolean(2);
    if (r == 0) return {full(x.b, {Sym(0)}, 0, self)};
    // PyTorch picks them out of all n^r rows.
    int64_t all = 1;
    for (int64_t k = 0; k < r && n > 1; ++k)
        if (__builtin_mul_overflow(all, n, &all))
            refuseCall(x, "numel: integer multiplication overflow");
    if (constexpr int64_t kMost = int64_t{1} << 40; all > kMost)
        refuseCall(x, fmt::format("can't allocate memory: you tried to allocate {} bytes", all));
    std::vector<std::vector<int64_t>> places(static_cast<size_t>(r));
    std::vector<int64_t> row;
    auto extend = [&](auto&& self_, int64_t from) -> void {
        base::tick();
        if (std::ssize(row) == r) {
            for (size_t k = 0; k < row.size(); ++k)
                places[k].push_back(row[k]);
            return;
        }
        for (int64_t i = from; i < n; ++i) {
            row.push_back(i);
            self_(self_, again ? i : i + 1);
            row.pop_back();
        }
    };
    extend(extend, 0);
    const int64_t count = std::ssize(places[0]);
    ir::HostTensor table = ir::HostTensor::zeros(ir::DType::Int64, {count, r});
    for (int64_t i = 0; i < count; ++i)
        for (int64_t k = 0; k < r; ++k)
            table.setInt(i * r + k, places[static_cast<size_t>(k)][static_cast<size_t>(i)]);
    Value index(
        x.b, x.b.graph().addConstant(
                 "places", std::make_shared<const ir::HostTensor>(std::move(table)), self.device));
    return {picked(x[0], 0, index)};
}

// --- records ---

Arg tensorList(std::initializer_list<uint32_t> tensors) {
    ir::ArgList list;
    for (uint32_t k : tensors)
        list.push_back(T(k));
    return Arg(list);
}

List stackSamples() {
    return {good({f32({3}), f32({3})}, {tensorList({0, 1})}),
            good({f32({}), f32({})}, {tensorList({0, 1})}),
            good({f32({2, 3}), f32({2, 3})}, {tensorList({0, 1})}),
            good({f32({2, 3, 2}), f32({2, 3, 2})}, {tensorList({0, 1})})};
}

void addJoins(std::vector<OpDef>& ops) {
    const OpDoc doc{"tensors joined along their first, second or third dimension",
                    "y = [x_0, x_1, ..]", "torch.hstack"};
    ops.push_back(composite("hstack(Tensor[] tensors) -> Tensor", joined<1, 1>, stackSamples, doc));
    ops.push_back(composite("vstack(Tensor[] tensors) -> Tensor", joined<2, 0>, stackSamples, doc));
    ops.push_back(composite("dstack(Tensor[] tensors) -> Tensor", joined<3, 2>, stackSamples, doc));
    ops.push_back(
        composite("column_stack(Tensor[] tensors) -> Tensor", columnStack, stackSamples, doc));
    ops.push_back(with<&Traits::spreadTensors>(composite(
        "block_diag(Tensor[] tensors) -> Tensor", blockDiag,
        [] {
            return List{good({f32({2, 3}), f32({}), f32({2})}, {tensorList({0, 1, 2})}),
                        bad({f32({1, 1, 1})}, {tensorList({0})},
                            "block_diag: expected at most 2 dimensions, found shape [1, 1, 1]")};
        },
        {"matrices along a diagonal of zeros", "y = diag(x_0, x_1, ..)", "torch.block_diag"})));
}

void addCuts(std::vector<OpDef>& ops) {
    const OpDoc doc{"pieces along a dimension", "y_k = x[.., start_k : end_k, ..]",
                    "torch.tensor_split"};
    ops.push_back(with<&Traits::jointViews>(written(
        {intoUnbound, startOfUnbound},
        composite("unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", unbind,
                  [] {
                      return List{good({f32({2, 3})}, {T(0), I(0)}),
                                  good({f32({2, 3})}, {T(0), I(-1)}),
                                  bad({f32({})}, {T(0), I(0)},
                                      "unbind: a 0-dim tensor has no dimension to unbind")};
                  },
                  {"the positions of a dimension", "y_k = x[.., k, ..]", "torch.unbind"}))));
    ops.push_back(written(
        {intoPiece, startOfPiece},
        composite(
            "tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]",
            tensorSplitSections,
            [] {
                return List{good({f32({7})}, {T(0), I(3), I(0)}),
                            good({f32({2, 2})}, {T(0), I(3), I(1)}),
                            bad({f32({3})}, {T(0), I(0), I(0)},
                                "tensor_split: expected a positive number of pieces, found 0")};
            },
            doc)));
    ops.push_back(written(
        {intoPiece, startOfPiece},
        composite(
            "tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]",
            tensorSplitPlaces,
            [] {
                return List{good({f32({7})}, {T(0), L({2, 5}), I(0)}),
                            good({f32({2, 4})}, {T(0), L({-1, 9}), I(1)})};
            },
            doc)));
    auto sections = [] { return List{good({f32({4, 4, 4})}, {T(0), I(2)})}; };
    auto places = [] { return List{good({f32({4, 4, 4})}, {T(0), L({1, 3})})}; };
    ops.push_back(composite("hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]",
                            splitAlong<1>, sections, doc));
    ops.push_back(composite("hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]",
                            splitAlong<1>, places, doc));
    ops.push_back(composite("vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]",
                            splitAlong<0>, sections, doc));
    ops.push_back(composite("vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]",
                            splitAlong<0>, places, doc));
    ops.push_back(composite("dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]",
                            splitAlong<2>, sections, doc));
    ops.push_back(composite("dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]",
                            splitAlong<2>, places, doc));
    ops.push_back(composite(
        "unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", unsafeSplit,
        [] { return List{good({f32({5})}, {T(0), I(2), I(0)})}; }, doc));
    ops.push_back(composite(
        "unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
        splitSizes, [] { return List{good({f32({5})}, {T(0), L({2, 3}), I(0)})}; }, doc));
    ops.push_back(composite(
        "unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]", unsafeChunk,
        [] { return List{good({f32({5})}, {T(0), I(2), I(0)})}; }, doc));
}

void addGrids(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::spreadTensors>(composite(
        "broadcast_tensors(Tensor[] tensors) -> Tensor[]", broadcastTensors,
        [] {
            return List{
                good({f32({2, 1}), f32({3})}, {tensorList({0, 1})}),
                bad({f32({2}), f32({3})}, {tensorList({0, 1})},
                    "The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
                    "dimension 0")};
        },
        {"tensors grown to a common shape", "y_k[i, j] = x_k[i or 0, j or 0]",
         "torch.broadcast_tensors"})));
    const OpDoc doc{"coordinates of a grid", "y_k[i_0, i_1, ..] = x_k[i_k]", "torch.meshgrid"};
    ops.push_back(with<&Traits::spreadTensors>(composite(
        "meshgrid(Tensor[] tensors) -> Tensor[]", meshgrid,
        [] { return List{good({f32({2}), f32({3}), f32({})}, {tensorList({0, 1, 2})})}; }, doc)));
    ops.push_back(with<&Traits::spreadTensors>(composite(
        "meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", meshgridIndexing,
        [] {
            return List{good({f32({2}), f32({3})}, {tensorList({0, 1}), Arg(std::string("xy"))}),
                        bad({f32({2})}, {tensorList({0}), Arg(std::string("yx"))},
                            "meshgrid: expected indexing 'ij' or 'xy', found 'yx'")};
        },
        doc)));
    ops.push_back(with<&Traits::spreadTensors>(
        composite("cartesian_prod(Tensor[] tensors) -> Tensor", cartesianProduct,
                  [] {
                      return List{good({f32({2}), f32({3})}, {tensorList({0, 1})}),
                                  good({f32({2})}, {tensorList({0})})};
                  },
                  {"every choice of one element of each", "y = rows (x_0[i], x_1[j], ..)",
                   "torch.cartesian_prod"})));
    ops.push_back(composite(
        "combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", combinations,
        [] {
            return List{good({f32({4})}, {T(0), I(2), Arg(false)}),
                        good({f32({3})}, {T(0), I(3), Arg(true)}),
                        good({f32({2})}, {T(0), I(3), Arg(false)}),
                        good({f32({2})}, {T(0), I(0), Arg(false)})};
        },
        {"every choice of r elements", "y = rows (x[i], x[j], ..), i < j < ..",
         "torch.combinations"}));
}

} // namespace

std::vector<OpDef> joinCompositeOps() {
    std::vector<OpDef> ops;
    addJoins(ops);
    addCuts(ops);
    addGrids(ops);
    return ops;
}

} // namespace cutaway::ops
