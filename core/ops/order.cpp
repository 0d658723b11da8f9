// SPDX-License-Identifier: Apache-2.0
// Sorting and what rests on it: a library finds the order of rows, elements are gathered by it.
#include "core/ops/call_forms.h"
#include "core/ops/families.h"
#include "core/ops/held_numbers.h"
#include "core/ops/lying.h"
#include "core/ops/row_reference.h"
#include "core/ops/scan_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Sym;
using kernel::Coord;
constexpr NotDifferentiable kPlaces{"its result is a position"};

int64_t bisections(int64_t range) {
    int64_t steps = 0;
    for (; range > 0; range /= 2)
        ++steps;
    return steps;
}

/// Expressions over positions, which are int64.
struct Positions {
    ExprPool& pool;
    ExprId number(int64_t value) const { return pool.constantInt(DType::Int64, value); }
    ExprId add(ExprId a, ExprId b) const { return pool.op(ScalarOp::Add, {a, b}); }
    ExprId least(ExprId a, ExprId b) const { return pool.op(ScalarOp::Min, {a, b}); }
    ExprId most(ExprId a, ExprId b) const { return pool.op(ScalarOp::Max, {a, b}); }
    ExprId half(ExprId a) const { return pool.op(ScalarOp::FloorDiv, {a, number(2)}); }
    ExprId clamp(ExprId a, int64_t size) const {
        return most(least(a, number(size - 1)), number(0));
    }
    ExprId both(ExprId a, ExprId b) const { return pool.op(ScalarOp::And, {a, b}); }
    ExprId either(ExprId a, ExprId b) const { return pool.op(ScalarOp::Or, {a, b}); }
    ExprId negate(ExprId a) const { return pool.op(ScalarOp::Not, {a}); }
    ExprId below(ExprId a, ExprId b) const { return pool.op(ScalarOp::Lt, {a, b}); }
    ExprId choose(ExprId c, ExprId a, ExprId b) const {
        return pool.op(ScalarOp::Where, {c, a, b});
    }
    /// Whether \p a comes strictly before \p b; a NaN counts as the largest number.
    ExprId before(ExprId a, ExprId b, bool descending) const {
        const ExprId less = pool.op(descending ? ScalarOp::Gt : ScalarOp::Lt, {a, b});
        if (!ir::isFloating(pool[a].dtype)) return less;
        const ExprId nanA = pool.op(ScalarOp::IsNan, {a}), nanB = pool.op(ScalarOp::IsNan, {b});
        return either(less, descending ? both(nanA, negate(nanB)) : both(nanB, negate(nanA)));
    }
};

std::vector<Coord> plain(std::span<const Sym> coords) {
    std::vector<Coord> result;
    for (const Sym& coord : coords)
        result.push_back({coord, {}});
    return result;
}

// --- order ---

Result<Types> orderShape(const OpCall& call) {
    ir::TensorType type = call.tensor(0);
    CUTAWAY_TRY(const int dim, call.dim(1, type.rank()));
    const Sym count = call.integer(3);
    const std::string& order = std::get<std::string>(call.args[4]);
    if (!kernel::rowOrder(order)) return refuse(call, "order '" + order + "' is not known");
    if (type.rank() == 0) {
        if (!count.is(1)) return refuse(call, "expected one element, found " + count.str());
        return one(ir::TensorType::contiguous(DType::Int64, {}, type.device));
    }
    if (!call.atMost(count, type.sizes[static_cast<size_t>(dim)]))
        return refuse(call, "expected at most " + type.sizes[static_cast<size_t>(dim)].str() +
                                " elements of a row, found " + count.str());
    type.sizes[static_cast<size_t>(dim)] = count;
    return one(ir::TensorType::contiguous(DType::Int64, type.sizes, type.device));
}
kernel::RowCall orderOfRows(const OpCall& call) {
    kernel::RowCall row;
    row.dim = *call.dim(1, call.tensor(0).rank());
    row.descending = call.boolean(2);
    row.order = *kernel::rowOrder(std::get<std::string>(call.args[4]));
    return row;
}

// --- references of what follows ---

std::vector<size_t> sorted(const std::vector<double>& row, bool descending) {
    return rowInOrder(row, RowOrder::Stable, row.size(), descending);
}
int rowDim(const OpCall& call, size_t argument, const ir::HostTensor& in) {
    return in.sizes.empty() ? 0 : hostDim(call, argument, in.sizes.size());
}
/// Values and places of what pick(row) chooses, a list of positions.
template <class Pick>
Values picked(const ir::HostTensor& in, int dim, bool folds, bool keepdim, Pick pick) {
    auto values = [&](const std::vector<double>& row) {
        std::vector<double> found;
        for (size_t i : pick(row))
            found.push_back(row[i]);
        return found;
    };
    auto places = [&](const std::vector<double>& row) {
        std::vector<double> found;
        for (size_t i : pick(row))
            found.push_back(static_cast<double>(i));
        return found;
    };
    if (!folds) return {mapRows(in, dim, in.dtype, values), mapRows(in, dim, DType::Int64, places)};
    const std::vector<int> dims = in.sizes.empty() ? std::vector<int>{} : std::vector<int>{dim};
    return {
        foldRows(in, dims, keepdim, in.dtype, [&](const auto& row) { return values(row)[0]; }),
        foldRows(in, dims, keepdim, DType::Int64, [&](const auto& row) { return places(row)[0]; })};
}

// --- sort, argsort, topk ---

Results ofNumber(const Operands& x) {
    return {aten("clone", x[0]), aten("zeros_like", x[0], DType::Int64)};
}
Results sortedBy(const Operands& x, int dim, bool descending) {
    if (x.type(0).rank() == 0) return ofNumber(x);
    Value order = aten("_order", x[0], dim, descending, x.type(0).sizes[static_cast<size_t>(dim)]);
    return {aten("gather", x[0], dim, order), order};
}
template <size_t dimArgument, size_t descendingArgument> Results sortOp(const Operands& x) {
    return sortedBy(x, scanDim(x, dimArgument), x.call().boolean(descendingArgument));
}
template <size_t dimArgument, size_t descendingArgument> Results argsortOp(const Operands& x) {
    return {sortOp<dimArgument, descendingArgument>(x)[1]};
}
template <size_t dimArgument, size_t descendingArgument, bool both>
Values sortReference(const OpCall& call, Tensors tensors) {
    Values values =
        picked(*tensors[0], rowDim(call, dimArgument, *tensors[0]), false, false,
               [&](const auto& row) { return sorted(row, call.boolean(descendingArgument)); });
    if (!both) values.erase(values.begin());
    return values;
}

RowOrder topOrder(const OpCall& call) {
    return call.boolean(4) ? RowOrder::Top : RowOrder::TopUnsorted;
}
Results topk(const Operands& x) {
    const OpCall call = x.call();
    const int dim = scanDim(x, 2);
    const int64_t k = call.number(1), n = lengthOf(x, 0, dim);
    if (k < 0 || k > n)
        throwRefusal(base::userError({}, "selected index k out of range",
                                     fmt::format("topk: expected k from 0 to {}, found {}", n, k)));
    if (x.type(0).rank() == 0) return ofNumber(x);
    Value order =
        aten("_order", x[0], dim, call.boolean(3), Sym(k), orderWord(x.type(0), topOrder(call)));
    return {aten("gather", x[0], dim, order), order};
}

std::vector<Sample> sortSamples(std::vector<Arg> before) {
    auto with = [&](Sample sample, int64_t dim, bool descending) {
        sample.args.insert(sample.args.end(), before.begin(), before.end());
        sample.args.push_back(I(dim));
        sample.args.push_back(Arg(descending));
        return sample;
    };
    return {with(good({f32({2, 7})}, {T(0)}), 1, false),
            with(good({f64({5, 3})}, {T(0)}), 0, true),
            with(good({f32({})}, {T(0)}), 0, false),
            with(forwardOnly({i64({3, 20}, 0, 5)}, {T(0)}), -1, true),
            with(forwardOnly({awkward(f32({2, 40}))}, {T(0)}), 1, false),
            with(forwardOnly({awkward(f32({33}))}, {T(0)}), 0, true),
            with(bad({f32({3})}, {T(0)},
                     "Dimension out of range (expected to be in range of [-1, 0], but got 1)"),
                 1, false)};
}

void addSorts(std::vector<OpDef>& ops) {
    ops.push_back(internal(
        {"_order(Tensor self, int dim, bool descending, SymInt count, str order='stable') -> "
         "Tensor",
         orderShape,
         kPlaces,
         RowsOfLibrary{kernel::LibraryOp::Sort, orderOfRows},
         [](const OpCall& call, Tensors tensors) {
             const RowOrder order = *kernel::rowOrder(std::get<std::string>(call.args[4]));
             const auto count = static_cast<size_t>(call.number(3));
             return oneValue(mapRows(*tensors[0], hostDim(call, 1, tensors[0]->sizes.size()),
                                     DType::Int64, [&](const std::vector<double>& row) {
                                         std::vector<double> places;
                                         for (size_t at :
                                              rowInOrder(row, order, count, call.boolean(2)))
                                             places.push_back(static_cast<double>(at));
                                         return places;
                                     }));
         },
         [] {
             return std::vector<Sample>{
                 forwardOnly({awkward(f32({3, 40}))}, {T(0), I(1), Arg(false), I(40)}),
                 forwardOnly({awkward(f64({5, 3}))}, {T(0), I(0), Arg(true), I(2)}),
                 forwardOnly({b8({3, 9})}, {T(0), I(1), Arg(true), I(9)}),
                 forwardOnly({i64({2, 40}, 0, 4)},
                             {T(0), I(1), Arg(true), I(7), Arg(std::string("top"))}),
                 forwardOnly({i64({2, 200}, 0, 4)},
                             {T(0), I(1), Arg(false), I(3), Arg(std::string("top_unsorted"))}),
                 forwardOnly({awkward(f32({30, 2}))},
                             {T(0), I(0), Arg(false), I(30), Arg(std::string("unstable"))}),
                 forwardOnly({i64({2, 40}, 0, 4)},
                             {T(0), I(1), Arg(false), I(20), Arg(std::string("kth"))}),
                 bad({f32({3})}, {T(0), I(0), Arg(false), I(4)},
                     "_order: expected at most 3 elements of a row, found 4")};
         },
         {"where the elements of ordered rows were", "y = the first of order of x", "torch.sort"},
         {.computeIntensive = true, .flops = 20}}));
    OpDoc sort{"rows in order, and where the elements were", "y = x[order]", "torch.sort"};
    OpDoc argsort{"where the elements of ordered rows were", "y = order of x", "torch.argsort"};
    ops.push_back(lying<likeFirst>(composed(
        "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
        sortOp<1, 2>, sortReference<1, 2, true>, [] { return sortSamples({}); }, sort)));
    ops.push_back(lying<likeFirst>(composed(
        "sort.stable(Tensor self, *, bool? stable=None, int dim=-1, bool descending=False) -> "
        "(Tensor values, Tensor indices)",
        sortOp<2, 3>, sortReference<2, 3, true>, [] { return sortSamples({Arg(true)}); }, sort)));
    ops.push_back(lying<likeFirst>(composed(
        "argsort(Tensor self, int dim=-1, bool descending=False, bool stable=False) -> Tensor",
        kPlaces, argsortOp<1, 2>, sortReference<1, 2, false>, [] { return sortSamples({}); },
        argsort)));
    ops.push_back(lying<likeFirst>(composed(
        "msort(Tensor self) -> Tensor",
        [](const Operands& x) { return Results{sortedBy(x, 0, false)[0]}; },
        [](const OpCall&, Tensors tensors) {
            Values values = picked(*tensors[0], 0, false, false,
                                   [](const auto& row) { return sorted(row, false); });
            values.pop_back();
            return values;
        },
        [] { return std::vector<Sample>{good({f32({6, 2})}, {T(0)}), good({f64({})}, {T(0)})}; },
        {"columns in order", "y = x sorted along dimension 0", "torch.msort"})));
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(composed(
        "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor "
        "values, Tensor indices)",
        topk,
        [](const OpCall& call, Tensors tensors) {
            return picked(
                *tensors[0], rowDim(call, 2, *tensors[0]), false, false, [&](const auto& row) {
                    return rowInOrder(row, orderOf(call.tensor(0), topOrder(call)),
                                      static_cast<size_t>(call.number(1)), call.boolean(3));
                });
        },
        [] {
            return std::vector<Sample>{
                good({f32({2, 7})}, {T(0), I(3)}),
                good({f64({5, 3})}, {T(0), I(2), I(0), Arg(false)}), good({f32({})}, {T(0), I(1)}),
                bad({f32({3})}, {T(0), I(4)}, "selected index k out of range")};
        },
        {"the k largest or smallest elements, in order", "y = first k of x sorted",
         "torch.topk"})));
}

// --- searching ---

/// Arguments: sequence, values, out_int32, right, side; rows of the sequence match rows of values.
ExprId buildSearch(ExprPool& pool, const OpCall& call, LoadArg& load, std::span<const Sym> coords) {
    const Positions at{pool};
    const ir::TensorType& sequence = call.tensor(0);
    const int64_t n = call.number(sequence.sizes.back());
    const DType dtype = ir::promote(sequence.dtype, call.tensor(1).dtype);
    const ExprId value = pool.cast(dtype, load(1, plain(coords)));
    const bool right = call.boolean(3);
    ExprId low = at.number(0), high = at.number(n);
    for (int64_t step = bisections(n); step > 0; --step) {
        const ExprId mid = at.half(at.add(low, high)), open = at.below(low, high);
        std::vector<Coord> place;
        if (sequence.rank() > 1) place = plain(coords.first(coords.size() - 1));
        place.push_back({Sym(0), at.clamp(mid, std::max<int64_t>(n, 1))});
        const ExprId element = pool.cast(dtype, load(0, std::move(place)));
        // A NaN is larger than all, and equal to a NaN.
        const ExprId stays =
            right ? at.before(value, element, false) : at.negate(at.before(element, value, false));
        const ExprId next =
            at.choose(at.both(open, at.negate(stays)), at.add(mid, at.number(1)), low);
        high = at.choose(at.both(open, stays), mid, high);
        low = next;
    }
    return pool.cast(call.boolean(2) ? DType::Int32 : DType::Int64, low);
}
Result<Types> searchShape(const OpCall& call) {
    const ir::TensorType &sequence = call.tensor(0), &values = call.tensor(1);
    const bool rows = sequence.rank() > 1;
    if (sequence.rank() == 0) return refuse(call, "expected a sequence of at least one dimension");
    if (rows && (values.rank() != sequence.rank() ||
                 !call.same(ir::Shape(sequence.sizes.begin(), sequence.sizes.end() - 1),
                            ir::Shape(values.sizes.begin(), values.sizes.end() - 1))))
        return refuse(call, "expected rows of values as of the sequence " +
                                ir::str(sequence.sizes) + ", found " + ir::str(values.sizes));
    return one(ir::TensorType::contiguous(call.boolean(2) ? DType::Int32 : DType::Int64,
                                          values.sizes, values.device));
}
Formula asTensor(const Operands& x, size_t i, size_t like) {
    if (x.isValue(i)) return x[i];
    const bool real = std::holds_alternative<double>(x.node.args[i]);
    const ir::TensorType& other = x.type(like);
    return numberAs(x, i, real ? floatBeside(other.dtype) : DType::Int64, other.device);
}
Results searchsorted(const Operands& x) {
    const OpCall call = x.call();
    bool right = call.boolean(3);
    if (call.has(4)) {
        const std::string& side = std::get<std::string>(call.args[4]);
        if (side != "left" && side != "right")
            refuseComposed(call, "expected side 'left' or 'right', found '" + side + "'");
        right = side == "right";
    }
    Formula sequence = x[0];
    if (call.has(5)) sequence = aten("gather", x[0], -1, x[5]);
    return {aten("_search_sorted", sequence, asTensor(x, 1, 0), call.boolean(2), right)};
}
Results bucketize(const Operands& x) {
    if (x.type(1).rank() != 1)
        refuseCall(x, fmt::format("expected boundaries of 1 dimension, found shape {}",
                                  ir::str(x.type(1).sizes)));
    return {
        aten("_search_sorted", x[1], asTensor(x, 0, 1), x.call().boolean(2), x.call().boolean(3))};
}
/// The sequence in order, values anywhere.
template <size_t sequenceArgument> Values orderedReference(const OpCall& call, Tensors tensors) {
    const size_t values = 1 - sequenceArgument;
    const ir::HostTensor& sequence =
        *tensors[call.isTensor(0) && call.isTensor(1) ? sequenceArgument : 0];
    ir::HostTensor number = ir::HostTensor::zeros(DType::Float64, {});
    if (!call.isTensor(values)) number.set(0, call.real(values));
    const ir::HostTensor& wanted = call.isTensor(values) ? *tensors[values] : number;
    bool right = call.boolean(3);
    if (call.args.size() > 4 && call.has(4)) right = std::get<std::string>(call.args[4]) == "right";
    ir::HostTensor out =
        ir::HostTensor::zeros(call.boolean(2) ? DType::Int32 : DType::Int64, wanted.sizes);
    const int64_t n = sequence.sizes.back();
    const int64_t perRow =
        sequence.sizes.size() == 1 || wanted.sizes.empty() ? 1 : wanted.sizes.back();
    for (int64_t i = 0; i < out.numel(); ++i) {
        const int64_t row = sequence.sizes.size() == 1 ? 0 : i / perRow * n;
        int64_t low = 0, high = n;
        while (low < high) {
            const int64_t mid = (low + high) / 2;
            const double element = sequence.get(row + mid), value = wanted.get(i);
            const bool stays =
                right ? comesBefore(value, element, false) : !comesBefore(element, value, false);
            (stays ? high : low) = stays ? mid : mid + 1;
        }
        out.setInt(i, low);
    }
    return oneValue(out);
}

void addSearches(std::vector<OpDef>& ops) {
    ops.push_back(internal(
        {"_search_sorted(Tensor sorted_sequence, Tensor self, bool out_int32, bool right) -> "
         "Tensor",
         searchShape,
         kPlaces,
         Indexed{buildSearch},
         orderedReference<0>,
         [] {
             return std::vector<Sample>{
                 good({f32({1}), f32({9})}, {T(0), T(1), Arg(false), Arg(false)}),
                 good({i64({1, 1}), i64({1, 5})}, {T(0), T(1), Arg(true), Arg(true)}),
                 good({f32({0}), f32({4})}, {T(0), T(1), Arg(false), Arg(true)})};
         },
         {"places in ordered rows, by bisection", "x[y - 1] < v <= x[y]", "torch.searchsorted"},
         {.takesProducers = true, .flops = 20}}));
    OpDoc doc{"where elements belong in an ordered row", "x[y - 1] < v <= x[y]",
              "torch.searchsorted"};
    ops.push_back(composed(
        "searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, "
        "bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
        kPlaces, searchsorted, orderedReference<0>,
        [] {
            return std::vector<Sample>{
                good({f32({5}, 1, 1), f32({2, 9}, 0, 2)}, {T(0), T(1)}),
                good({f32({2, 1}), f32({2, 3})}, {T(0), T(1), Arg(true), Arg(true)}),
                bad({f32({3}), f32({3})},
                    {T(0), T(1), Arg(false), Arg(false), Arg(std::string("up"))},
                    "searchsorted: expected side 'left' or 'right', found 'up'")};
        },
        doc));
    ops.push_back(composed(
        "searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, "
        "bool right=False, str? side=None, Tensor? sorter=None) -> Tensor",
        kPlaces, searchsorted, orderedReference<0>,
        [] { return std::vector<Sample>{good({f32({5}, 1, 1)}, {T(0), Arg(1.5)})}; }, doc));
    OpDoc bucket{"the bucket between boundaries that each element falls into",
                 "b[y - 1] < x <= b[y]", "torch.bucketize"};
    ops.push_back(composed(
        "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool "
        "right=False) "
        "-> Tensor",
        kPlaces, bucketize, orderedReference<1>,
        [] { return std::vector<Sample>{good({f32({2, 9}, 0, 2), f32({5}, 1, 1)}, {T(0), T(1)})}; },
        bucket));
    ops.push_back(composed(
        "bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool "
        "right=False) "
        "-> Tensor",
        kPlaces, bucketize, orderedReference<1>,
        [] { return std::vector<Sample>{good({f32({5}, 1, 1)}, {Arg(0.5), T(0)})}; }, bucket));
}

} // namespace

std::vector<OpDef> orderOps() {
    std::vector<OpDef> ops;
    addSorts(ops);
    addSearches(ops);
    return ops;
}

} // namespace cutaway::ops
