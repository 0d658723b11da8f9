// SPDX-License-Identifier: Apache-2.0
// Views and reorderings composed of others. Source: torch/_refs/__init__.py.
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/lying.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

// --- order of dimensions ---

/// Dimensions \p from become \p to, the others keep their order.
Formula movedDims(const Operands& x, std::vector<int64_t> from, std::vector<int64_t> to) {
    const auto rank = static_cast<int64_t>(x.type(0).rank());
    if (from.size() != to.size())
        refuseCall(x, fmt::format("expected as many sources as destinations, found {} and {}",
                                  from.size(), to.size()));
    std::vector<int> order(static_cast<size_t>(rank), -1), rest;
    std::vector<bool> moved(static_cast<size_t>(rank));
    for (std::vector<int64_t>* dims : {&from, &to})
        for (int64_t& dim : *dims) {
            if (dim < -std::max<int64_t>(rank, 1) || dim >= std::max<int64_t>(rank, 1))
                refuseCall(x,
                           fmt::format("dimension {} is out of range for {} dimensions", dim, rank),
                           {}, ErrorClass::Index);
            if (dim < 0) dim += rank;
        }
    if (rank == 0) return aten("alias", x[0]);
    for (size_t i = 0; i < from.size(); ++i) {
        if (moved[static_cast<size_t>(from[i])] || order[static_cast<size_t>(to[i])] >= 0)
            refuseCall(x, "a dimension is named twice");
        moved[static_cast<size_t>(from[i])] = true;
        order[static_cast<size_t>(to[i])] = static_cast<int>(from[i]);
    }
    for (int d = 0; d < rank; ++d)
        if (!moved[static_cast<size_t>(d)]) rest.push_back(d);
    size_t next = 0;
    for (int& place : order)
        if (place < 0) place = rest[next++];
    return permute(x[0], order);
}

Results movedim(const Operands& x) {
    return {movedDims(x, x.call().numbers(1), x.call().numbers(2))};
}

Results reversedDims(const Operands& x) {
    std::vector<int> order = allDims(x.type(0).rank());
    std::reverse(order.begin(), order.end());
    return {permute(x[0], order)};
}

Results adjoint(const Operands& x) {
    if (x.type(0).rank() < 2) refuseCall(x, "expected at least 2 dimensions");
    return {aten("transpose.int", x[0], -2, -1)};
}

// --- sizes ---

Results unflatten(const Operands& x) {
    const TensorType self = x.type(0);
    if (self.rank() == 0) refuseCall(x, "a 0-dim tensor cannot be unflattened");
    const size_t dim = dimOf(x, 1, self.rank());
    const OpCall call = x.call();
    Shape parts = call.integers(2);
    if (parts.empty()) refuseCall(x, "sizes must be non-empty");
    Sym known(1);
    size_t guessed = parts.size();
    for (size_t i = 0; i < parts.size(); ++i) {
        if (!parts[i].is(-1))
            known = known * parts[i];
        else if (guessed < parts.size())
            refuseCall(x, "only one size can be -1");
        else
            guessed = i;
    }
    const Sym& whole = self.sizes[dim];
    if (guessed < parts.size() && !known.is(0) && call.divisible(whole, known))
        parts[guessed] = ir::floorDiv(whole, known);
    if (!call.same(productOf(parts), whole))
        refuseCall(x,
                   fmt::format("Provided sizes {} don't multiply up to the size of dim {} ({}) in "
                               "the input tensor",
                               ir::str(call.integers(2)), dim, whole.str()));
    Shape sizes = self.sizes;
    const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(dim);
    sizes.insert(sizes.erase(at), parts.begin(), parts.end());
    return {view(x[0], sizes)};
}

Results ravel(const Operands& x) {
    return {reshape(x[0], {x.type(0).numel()})};
}

Results viewAs(const Operands& x) {
    return {view(x[0], x.type(1).sizes)};
}
Results reshapeAs(const Operands& x) {
    return {reshape(x[0], x.type(1).sizes)};
}
Results expandAs(const Operands& x) {
    return {aten("expand", x[0], x.type(1).sizes)};
}
Results broadcastTo(const Operands& x) {
    return {aten("expand", x[0], x[1])};
}

Formula withRank(const Value& x, size_t rank) {
    const TensorType type = x.type();
    if (type.rank() >= rank) return x;
    if (rank == 3 && type.rank() == 2) return unsqueeze(x, 2);
    Formula y = x;
    for (size_t have = type.rank(); have < rank; ++have)
        y = unsqueeze(y, have < 2 ? 0 : 2);
    return y;
}
template <size_t rank> Results atleast(const Operands& x) {
    return {withRank(x.tensor(0), rank)};
}
template <size_t rank> Results atleastEach(const Operands& x) {
    Results results;
    for (const Value& tensor : listOf(x, 0))
        results.push_back(withRank(tensor, rank));
    if (results.empty()) refuseCall(x, "expected at least one tensor, found an empty list");
    return results;
}

// --- flips and rotations ---

template <int dim> Results flipOne(const Operands& x) {
    if (x.type(0).rank() <= dim)
        refuseCall(x, fmt::format("expected at least {} dimension{}, found {}", dim + 1,
                                  dim == 0 ? "" : "s", x.type(0).rank()));
    return {aten("flip", x[0], std::vector<int>{dim})};
}

Results rot90(const Operands& x) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    std::vector<int64_t> dims = call.numbers(2);
    const auto rank = static_cast<int64_t>(self.rank());
    if (dims.size() != 2)
        refuseCall(x, fmt::format("expected two dimensions, found {}", dims.size()));
    if (rank < 2)
        refuseCall(x, fmt::format("expected total dims >= 2, but got total dims = {}", rank));
    for (int64_t& dim : dims) {
        if (dim < -rank || dim >= rank)
            refuseCall(x, fmt::format("dimension {} is out of range for {} dimensions", dim, rank),
                       {}, ErrorClass::Index);
        if (dim < 0) dim += rank;
    }
    if (dims[0] == dims[1]) refuseCall(x, "expected two different dimensions");
    const int first = static_cast<int>(dims[0]), second = static_cast<int>(dims[1]);
    switch ((call.number(1) % 4 + 4) % 4) {
    case 1:
        return {aten("transpose.int", aten("flip", x[0], std::vector<int>{second}), first, second)};
    case 2:
        return {aten("flip", x[0], std::vector<int>{first, second})};
    case 3:
        return {aten("transpose.int", aten("flip", x[0], std::vector<int>{first}), first, second)};
    default:
        return {aten("clone", x[0], "contiguous_format")};
    }
}

// --- diagonals ---

/// x's last dimension on a diagonal of zeros.
Formula embedded(const Value& values, int64_t offset, size_t dim1, size_t dim2) {
    Shape sizes = values.type().sizes;
    const Sym width = sizes.back() + Sym(offset < 0 ? -offset : offset);
    sizes.pop_back();
    for (size_t dim : {std::min(dim1, dim2), std::max(dim1, dim2)})
        sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(dim), width);
    return aten("diagonal_backward", values, sizes, offset, dim1, dim2);
}

Results diagEmbed(const Operands& x) {
    const size_t rank = x.type(0).rank() + 1;
    const size_t dim1 = dimOf(x, 2, rank), dim2 = dimOf(x, 3, rank);
    if (dim1 == dim2)
        throwRefusal(
            base::userError({}, fmt::format("diagonal dimensions cannot be identical {}, {}",
                                            x.call().number(2), x.call().number(3))));
    const int64_t offset = x.call().number(1);
    return {embedded(x.tensor(0), offset, dim1, dim2)};
}

Results diag(const Operands& x) {
    const size_t rank = x.type(0).rank();
    if (rank == 1) return {embedded(x.tensor(0), x.call().number(1), 0, 1)};
    if (rank != 2) refuseCall(x, fmt::format("expected 1 or 2 dimensions, found {}", rank));
    return {aten("clone", aten("diagonal", x[0], x[1]), "contiguous_format")};
}

Results diagflat(const Operands& x) {
    Value flat = reshape(x[0], {x.type(0).numel()});
    return {embedded(flat, x.call().number(1), 0, 1)};
}

Results trace(const Operands& x) {
    if (x.type(0).rank() != 2)
        refuseCall(x, fmt::format("expected a matrix, found shape {}", ir::str(x.type(0).sizes)));
    return {sum(aten("diagonal", x[0]))};
}

Results narrow(const Operands& x) {
    const TensorType self = x.type(0);
    const OpCall call = x.call();
    if (self.rank() == 0) refuseCall(x, "a 0-dim tensor cannot be narrowed");
    const size_t dim = dimOf(x, 1, self.rank());
    const Sym length = call.integer(3);
    Sym start = call.integer(2);
    const Sym& size = self.sizes[dim];
    if (call.less(start, Sym(0))) start = start + size;
    if (call.less(start, Sym(0)) || call.less(size, start))
        refuseCall(x,
                   fmt::format("start {} is out of range: expected -{} to {}",
                               call.integer(2).str(), size.str(), size.str()),
                   {}, ErrorClass::Index);
    if (call.less(length, Sym(0)) || call.less(size, start + length))
        refuseCall(x, fmt::format("start {} and length {} do not fit dimension {} of size {}",
                                  call.integer(2).str(), length.str(), dim, size.str()));
    return {sliced(x[0], dim, start, start + length)};
}

/// A window whose start is computed.
Results narrowTensor(const Operands& x) {
    const TensorType self = x.type(0);
    if (self.rank() == 0 || x.type(2).rank() != 0 || !ir::isIntegral(x.type(2).dtype))
        refuseCall(x, "expected a 0-dim integer tensor as start, and at least 1 dimension");
    const size_t dim = dimOf(x, 1, self.rank());
    Value place = positions(x.b, x.call().integer(3), self.device) + x[2];
    return {picked(x[0], dim, convert(place, ir::DType::Int64))};
}

Results sumToSize(const Operands& x) {
    const Shape sizes = x.call().integers(1);
    const TensorType self = x.type(0);
    const Shape grown = orRefuse(broadcast(x.call(), sizes, self.sizes));
    if (!x.call().same(grown, self.sizes))
        refuseCall(x, fmt::format("shape {} is not what {} grows to", ir::str(self.sizes),
                                  ir::str(sizes)));
    Value v = x.tensor(0);
    // Where anything is added up, as sum does it.
    if (!ir::isFloating(self.dtype) && (sizes.empty() || !x.call().same(sizes, self.sizes)))
        v = convert(v, ir::DType::Int64);
    return {Value(x.b, x.b.sumTo(v, sizes))};
}

void addOrders(std::vector<OpDef>& ops) {
    const OpDoc moved{"dimensions moved to other places", "y[.., i_k, ..] = x[.., i_k, ..]",
                      "torch.movedim"};
    ops.push_back(composite(
        "movedim.intlist(Tensor(a) self, int[1] source, int[1] destination) -> Tensor(a)", movedim,
        [] {
            return List{good({f32({2, 3, 4})}, {T(0), L({0, 1}), L({-1, 0})}),
                        good({f32({2, 3, 4})}, {T(0), L({2}), L({0})}),
                        bad({f32({2, 3})}, {T(0), L({0}), L({0, 1})},
                            "movedim: expected as many sources as destinations, found 1 and 2")};
        },
        moved));
    auto matrix = [] { return List{good({f32({2, 3})}, {T(0)}), good({f32({4, 4})}, {T(0)})}; };
    ops.push_back(
        written({sameAgain},
                composite("numpy_T(Tensor(a) self) -> Tensor(a)", reversedDims, matrix,
                          {"dimensions in reverse order", "y[i, j] = x[j, i]", "torch.Tensor.T"})));
    ops.push_back(
        written({sameAgain}, composite("adjoint(Tensor(a) self) -> Tensor(a)", adjoint, matrix,
                                       {"the last two dimensions exchanged",
                                        "y[.., i, j] = x[.., j, i]", "torch.adjoint"})));
    ops.push_back(written(
        {intoNarrow, startOfNarrow},
        composite(
            "narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)", narrow,
            [] {
                return List{good({f32({5, 2})}, {T(0), I(0), I(1), I(3)}),
                            good({f32({2, 5})}, {T(0), I(-1), I(-2), I(2)}),
                            bad({f32({3})}, {T(0), I(0), I(2), I(2)},
                                "narrow: start 2 and length 2 do not fit dimension 0 of size 3")};
            },
            {"a range of a dimension by its length", "y[i] = x[start + i]", "torch.narrow"})));
}

void addSizes(std::vector<OpDef>& ops) {
    ops.push_back(written(
        {otherSizes},
        composite("unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", unflatten,
                  [] {
                      return List{
                          good({f32({2, 6})}, {T(0), I(1), L({2, -1})}),
                          good({f32({6, 2})}, {T(0), I(-2), L({3, 1, 2})}),
                          bad({f32({6})}, {T(0), I(0), L({4, 2})},
                              "unflatten: Provided sizes [4, 2] don't multiply up to the size of "
                              "dim 0 (6) in the input tensor")};
                  },
                  {"a dimension cut into several", "y[.., i, j, ..] = x[.., i n + j, ..]",
                   "torch.unflatten"})));
    ops.push_back(with<&Traits::mayCopy>(written(
        {otherSizes}, lying<rowMajor>(composite(
                          "ravel(Tensor(a) self) -> Tensor(a)", ravel,
                          [] { return List{good({f32({2, 3})}, {T(0)}), good({f32({})}, {T(0)})}; },
                          {"the elements in one row", "y = x.flat", "torch.ravel"})))));
    auto like = [] { return List{good({f32({2, 3}), f32({3, 2})}, {T(0), T(1)})}; };
    ops.push_back(composite(
        "narrow.Tensor(Tensor self, int dim, Tensor start, SymInt length) -> Tensor", narrowTensor,
        [] {
            return List{good({f32({5, 2}), i64({}, 0, 2)}, {T(0), I(0), T(1), I(3)}),
                        good({f32({5, 2}), i64({}, -3, -3)}, {T(0), I(0), T(1), I(3)})};
        },
        {"a range of a dimension whose start is computed", "y[i] = x[start + i]", "torch.narrow"}));
    ops.push_back(composite(
        "sum_to_size(Tensor self, SymInt[] size) -> Tensor", sumToSize,
        [] {
            return List{
                good({f32({2, 3, 4})}, {T(0), L({3, 1})}), good({f32({2})}, {T(0), L({2})}),
                bad({f32({2, 3})}, {T(0), L({2})},
                    "The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
                    "dimension 1")};
        },
        {"what was broadcast, added up again", "y[j] = sum_i x[i, j]",
         "torch.Tensor.sum_to_size"}));
    const OpDoc seen{"seen with the sizes of another tensor", "y.flat = x.flat",
                     "torch.Tensor.view_as"};
    ops.push_back(
        written({otherSizes}, composite("view_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                                        viewAs, like, seen)));
    ops.push_back(with<&Traits::mayCopy>(
        written({otherSizes}, composite("reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                                        reshapeAs, like, seen))));
    const OpDoc grown{"sizes of 1 grown", "y[i, j] = x[0, j]", "torch.broadcast_to"};
    ops.push_back(composite(
        "expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", expandAs,
        [] { return List{good({f32({1, 3}), f32({2, 3})}, {T(0), T(1)})}; }, grown));
    ops.push_back(composite(
        "broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", broadcastTo,
        [] {
            return List{
                good({f32({3})}, {T(0), L({2, 3})}),
                bad({f32({3})}, {T(0), L({2})},
                    "The expanded size of the tensor (2) must match the existing size (3) at "
                    "non-singleton dimension 0.  Target sizes: [2].  Tensor sizes: [3]")};
        },
        grown));
}

void addRanks(std::vector<OpDef>& ops) {
    const OpDoc least{"dimensions of size 1 added up to a number", "y.flat = x.flat",
                      "torch.atleast_1d"};
    auto anyRank = [] {
        return List{good({f32({})}, {T(0)}), good({f32({3})}, {T(0)}), good({f32({2, 3})}, {T(0)}),
                    good({f32({2, 1, 2, 1})}, {T(0)})};
    };
    auto several = [] {
        return List{good({f32({}), f32({3}), f32({2, 2})}, {Arg(ir::ArgList{T(0), T(1), T(2)})})};
    };
    ops.push_back(with<&Traits::spreadTensors>(
        composite("atleast_1d(Tensor self) -> Tensor", atleast<1>, anyRank, least)));
    ops.push_back(with<&Traits::spreadTensors>(
        composite("atleast_2d(Tensor self) -> Tensor", atleast<2>, anyRank, least)));
    ops.push_back(with<&Traits::spreadTensors>(
        composite("atleast_3d(Tensor self) -> Tensor", atleast<3>, anyRank, least)));
    ops.push_back(with<&Traits::spreadTensors>(composite(
        "atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]", atleastEach<1>, several, least)));
    ops.push_back(with<&Traits::spreadTensors>(composite(
        "atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]", atleastEach<2>, several, least)));
    ops.push_back(with<&Traits::spreadTensors>(composite(
        "atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]", atleastEach<3>, several, least)));
}

void addFlips(std::vector<OpDef>& ops) {
    auto matrix = [] { return List{good({f32({2, 3})}, {T(0)}), good({f32({2, 2, 2})}, {T(0)})}; };
    const OpDoc flip{"a dimension backwards", "y[i] = x[n - 1 - i]", "torch.flip"};
    ops.push_back(
        withoutFloat8(composite("flipud(Tensor self) -> Tensor", flipOne<0>, matrix, flip)));
    ops.push_back(
        withoutFloat8(composite("fliplr(Tensor self) -> Tensor", flipOne<1>, matrix, flip)));
    ops.push_back((withoutFloat8(
        composite("rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor", rot90,
                  [] {
                      List samples;
                      for (int64_t k : {0, 1, 2, -1})
                          samples.push_back(good({f32({2, 3})}, {T(0), I(k), L({0, 1})}));
                      samples.push_back(good({f32({2, 3, 2})}, {T(0), I(1), L({-1, 0})}));
                      return samples;
                  },
                  {"turned by quarters", "y[i, j] = x[j, n - 1 - i]", "torch.rot90"}))));
}

void addDiagonals(std::vector<OpDef>& ops) {
    const OpDoc doc{"values on a diagonal of zeros", "y[.., k, k + offset] = x[.., k], else 0",
                    "torch.diag_embed"};
    ops.push_back(composite(
        "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", diagEmbed,
        [] {
            return List{good({f32({2, 3})}, {T(0), I(0), I(-2), I(-1)}),
                        good({f32({2, 3})}, {T(0), I(-1), I(0), I(2)}),
                        good({f32({3})}, {T(0), I(2), I(1), I(0)})};
        },
        doc));
    ops.push_back(composite("diag(Tensor self, int diagonal=0) -> Tensor", diag,
                            [] {
                                return List{good({f32({3})}, {T(0), I(1)}),
                                            good({f32({3, 4})}, {T(0), I(-1)}),
                                            bad({f32({2, 2, 2})}, {T(0), I(0)},
                                                "diag: expected 1 or 2 dimensions, found 3")};
                            },
                            {"a matrix's diagonal, or a matrix with that diagonal",
                             "y[k] = x[k, k + diagonal]", "torch.diag"}));
    ops.push_back(composite(
        "diagflat(Tensor self, int offset=0) -> Tensor", diagflat,
        [] { return List{good({f32({2, 2})}, {T(0), I(0)}), good({f32({3})}, {T(0), I(-1)})}; },
        doc));
    ops.push_back(withoutFloat8(composite(
        "trace(Tensor self) -> Tensor", trace,
        [] {
            return List{good({f32({3, 4})}, {T(0)}),
                        bad({f32({3})}, {T(0)}, "trace: expected a matrix, found shape [3]")};
        },
        {"the sum of a matrix's diagonal", "y = sum_k x[k, k]", "torch.trace"})));
}

} // namespace

std::vector<OpDef> viewCompositeOps() {
    std::vector<OpDef> ops;
    addOrders(ops);
    addSizes(ops);
    addRanks(ops);
    addFlips(ops);
    addDiagonals(ops);
    return ops;
}

} // namespace cutaway::ops
