// SPDX-License-Identifier: Apache-2.0
// Cutting a tensor into pieces and joining pieces.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/image_tools.h"
#include "core/ops/limits.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/outside_reads.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Shape;
using ir::Sym;
using ir::TensorType;
using kernel::Coord;

// --- split, chunk ---

/// So many pieces may be of open sizes: more are of the numbers of the call.
constexpr int64_t kMostDecided = 256;

/// Lengths of the pieces along dim.
Result<std::vector<Sym>> pieces(const OpCall& call) {
    const TensorType& self = call.tensor(0);
    if (self.rank() == 0) return refuse(call, "a 0-dim tensor cannot be split");
    CUTAWAY_TRY(int dim, call.dim(2, self.rank()));
    const Sym& whole = self.sizes[static_cast<size_t>(dim)];
    std::vector<Sym> lengths;
    if (call.args[1].list()) {
        Sym total(0);
        for (const Sym& length : call.integers(1)) {
            if (call.less(length, Sym(0)))
                return refuse(
                    call, fmt::format("sizes {} must not be negative", ir::str(call.integers(1))));
            lengths.push_back(length);
            total = total + length;
        }
        if (!call.same(total, whole))
            return base::userError(
                {}, fmt::format("split_with_sizes expects split_sizes to sum exactly to {} (input "
                                "tensor's size at dimension {}), but got split_sizes={}",
                                whole.str(), dim, ir::str(call.integers(1))));
        return lengths;
    }
    // Equal pieces: chunks of a symbolic size that divides stay symbols, else how many there are is
    // decided by the number.
    const bool chunked = call.def.parsed.base == "chunk";
    if (chunked && !whole.isConst() && call.number(1) > 0 && call.divisible(whole, call.integer(1)))
        return std::vector<Sym>(static_cast<size_t>(call.number(1)),
                                ir::floorDiv(whole, call.integer(1)));
    // How many pieces there are is decided, as many as in this call; of how many elements is not.
    const Sym length = call.integer(1);
    if (ir::ShapeEnv* env = call.graph.shapes.get();
        env && !chunked && !(whole.isConst() && length.isConst()) && call.less(Sym(0), length)) {
        const int64_t step = env->hint(length), count = (env->hint(whole) + step - 1) / step;
        const Sym last = whole - length * Sym(count - 1);
        if (count > 0 && count <= kMostDecided && call.less(Sym(0), last) &&
            call.atMost(last, length)) {
            std::vector<Sym> lengths(static_cast<size_t>(count), length);
            lengths.back() = last;
            return lengths;
        }
    }
    const int64_t size = call.number(whole);
    int64_t step = call.number(1);
    bool chunks = call.def.parsed.base == "chunk";
    if (step <= 0 && chunks)
        return base::userError(
            {}, fmt::format("chunk expects `chunks` to be greater than 0, got: {}", step));
    if (step <= 0)
        return refuse(call, fmt::format("expected a positive {}, found {}",
                                        call.def.parsed.args[1].name, step));
    const auto pieces = [&] { return size == 0 ? 0 : (size - 1) / step + 1; };
    if (chunks) step = std::max<int64_t>(pieces(), 1);
    if (pieces() > kMostResults)
        return refuse(call, fmt::format("{} pieces, at most {} work", pieces(), kMostResults));
    for (int64_t start = 0; start < size; start += step)
        lengths.emplace_back(std::min(step, size - start));
    if (lengths.empty()) lengths.assign(chunks ? static_cast<size_t>(call.number(1)) : 1, Sym(0));
    return lengths;
}

Result<Types> splitShape(const OpCall& call) {
    CUTAWAY_TRY(auto lengths, pieces(call));
    auto dim = static_cast<size_t>(*call.dim(2, call.tensor(0).rank()));
    Types types;
    for (const Sym& length : lengths) {
        TensorType type = call.tensor(0);
        type.sizes[dim] = length;
        type.requiresGrad = false;
        types.push_back(std::move(type));
    }
    return types;
}

Results splitBySlices(const Operands& x) {
    OpCall call = x.call();
    const int64_t dim = *call.dim(2, call.tensor(0).rank());
    Sym start(0);
    Results slices;
    const std::vector<Sym> lengths = *pieces(call);
    for (const Sym& length : lengths) {
        slices.push_back(aten("slice.Tensor", x[0], dim, start, start + length));
        start = start + length;
    }
    return slices;
}

/// The pieces' gradients joined; pieces without one count as zeros.
Formula splitGradient(Vjp& v) {
    std::vector<Formula> parts;
    for (size_t i = 0; i < v.grads.size(); ++i) {
        const TensorType& type = v.node.types[i];
        parts.push_back(v.grads[i].valid() ? v.grads[i] : full(v.b, type.sizes, 0, type));
    }
    return aten("cat", parts, v[2]);
}

Values splitReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    auto dim = static_cast<size_t>(hostDim(call, 2, in.sizes.size()));
    int64_t size = in.sizes[dim];
    Sizes lengths, strides = rowMajorStrides(in.sizes);
    if (call.args[1].list()) {
        lengths = call.numbers(1);
    } else {
        int64_t step = call.number(1);
        if (call.def.parsed.base == "chunk") step = (size + step - 1) / step;
        for (int64_t left = size; left > 0; left -= step)
            lengths.push_back(std::min(step, left));
    }
    Values results;
    int64_t start = 0;
    for (int64_t length : lengths) {
        Sizes sizes = in.sizes;
        sizes[dim] = length;
        results.push_back(copyByIndex(in, sizes, [&](const Sizes& coords) {
            int64_t index = start * strides[dim];
            for (size_t i = 0; i < coords.size(); ++i)
                index += coords[i] * strides[i];
            return index;
        }));
        start += length;
    }
    return results;
}

// --- cat, stack ---

/// The element types of a list and their common dtype.
ir::DType listDType(const std::vector<TensorType>& types) {
    ir::DType dtype = types[0].dtype;
    for (const TensorType& type : types)
        dtype = ir::promote(dtype, type.dtype);
    return dtype;
}
/// torch.cat ignores empty 1-dim tensors among others.
bool isNothing(const TensorType& type) {
    return type.rank() == 1 && type.sizes[0].is(0);
}

/// Joined images keep their channels innermost where all have them there.
bool allChannelsLast(const std::vector<TensorType>& types) {
    return std::all_of(types.begin(), types.end(), isChannelsLast);
}

/// \param wanted the first tensor's sizes
base::Diagnostic misfitOfJoin(const OpCall& call, const Shape& wanted, const Shape& found,
                              size_t dim, std::ptrdiff_t place) {
    if (wanted.size() != found.size())
        return base::userError({}, fmt::format("Tensors must have same number of dimensions: got "
                                               "{} and {}",
                                               wanted.size(), found.size()));
    size_t i = 0;
    while (i == dim || call.same(wanted[i], found[i]))
        ++i;
    return base::userError({}, fmt::format("Sizes of tensors must match except in dimension {}. "
                                           "Expected size {} but got size {} for tensor number {} "
                                           "in the list.",
                                           dim, wanted[i].str(), found[i].str(), place));
}

Result<Types> catShape(const OpCall& call) {
    std::vector<TensorType> types = call.tensors(0);
    if (types.empty())
        return refuse(call, "expected at least one tensor, found an empty list")
            .as(ErrorClass::Value);
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    const TensorType* first = &types[0];
    for (const TensorType& type : types)
        if (isNothing(*first)) first = &type;
    if (first->rank() == 0) return refuse(call, "0-dim tensors cannot be joined", "use stack");
    CUTAWAY_TRY(int dim, call.dim(1, first->rank()));
    Shape sizes = first->sizes;
    auto d = static_cast<size_t>(dim);
    Sym total(0);
    for (const TensorType& type : types) {
        if (isNothing(type) && first->rank() != 1) continue;
        bool fits = type.rank() == sizes.size();
        for (size_t i = 0; fits && i < sizes.size(); ++i)
            fits = i == d || call.same(type.sizes[i], sizes[i]);
        if (!fits) return misfitOfJoin(call, sizes, type.sizes, d, &type - types.data());
        total = total + type.sizes[d];
    }
    sizes[d] = total;
    const bool last = sizes.size() > 3 && allChannelsLast(types);
    return one(imageType(listDType(types), std::move(sizes), device, last));
}

/// Nested choices, last piece innermost; each piece is read between its start and its end.
ExprId buildCat(ExprPool& pool, const OpCall& call, LoadArg& load, std::span<const Sym> coords) {
    std::vector<TensorType> types = call.tensors(0);
    auto dim = static_cast<size_t>(*call.dim(1, coords.size()));
    const ir::DType dtype = listDType(types);
    struct Piece {
        ExprId inside, element;
    };
    std::vector<Piece> pieces;
    Sym start(0), whole(0);
    for (const TensorType& type : types)
        if (type.rank() == coords.size()) whole = whole + type.sizes[dim];
    for (size_t i = 0; i < types.size(); ++i) {
        if (types[i].rank() != coords.size() || types[i].sizes[dim].is(0)) continue;
        const Sym length = types[i].sizes[dim], position = coords[dim] - start;
        std::vector<Coord> from;
        for (size_t d = 0; d < coords.size(); ++d)
            from.push_back({d == dim ? position : coords[d], {}});
        const bool first = start.is(0);
        start = start + length;
        pieces.push_back(
            {isInside(pool, position, length, !first, start != whole), load.element(0, i, from)});
    }
    ExprId value = constantOf(pool, dtype, 0);
    for (size_t i = pieces.size(); i-- > 0;) {
        const auto [inside, element] = pieces[i];
        if (pool[element].dtype == pool[value].dtype) {
            value = readInside(pool, inside, element, value);
            continue;
        }
        const ExprId none = pool.constantInt(pool[element].dtype, 0);
        const ExprId piece = pool.cast(dtype, readInside(pool, inside, element, none));
        value = insideOr(pool, inside, piece, value);
    }
    return value;
}

/// Each piece's gradient is its slice of the whole.
void catVjp(Vjp& v) {
    const size_t rank = v.node.types[0].rank();
    const int64_t dim = *v.call().dim(1, rank);
    const std::vector<TensorType> types = v.call().tensors(0);
    Sym start(0);
    for (size_t i = 0; i < types.size(); ++i) {
        if (types[i].rank() != rank) { // [0], which is joined to anything
            v.set(i, aten("slice.Tensor", reshape(v.grad, {v.grad.type().numel()}), 0, 0, 0));
            continue;
        }
        const Sym end = start + types[i].sizes[static_cast<size_t>(dim)];
        v.set(i, aten("slice.Tensor", v.grad, dim, start, end));
        start = end;
    }
}

Values catReference(const OpCall& call, Tensors tensors) {
    Values parts;
    size_t rank = 1;
    ir::DType dtype = tensors[0]->dtype;
    for (const ir::HostTensor* tensor : tensors) {
        rank = std::max(rank, tensor->sizes.size());
        dtype = ir::promote(dtype, tensor->dtype);
    }
    auto dim = static_cast<size_t>(hostDim(call, 1, rank));
    int64_t total = 0;
    Sizes sizes;
    for (const ir::HostTensor* tensor : tensors) {
        if (tensor->sizes.size() != rank) continue;
        sizes = tensor->sizes;
        total += sizes[dim];
    }
    sizes[dim] = total;
    std::vector<double> values(static_cast<size_t>(product(sizes)));
    int64_t start = 0;
    Sizes strides = rowMajorStrides(sizes);
    for (const ir::HostTensor* tensor : tensors) {
        if (tensor->sizes.size() != rank) continue;
        Odometer<1> at(tensor->sizes, {strides});
        for (int64_t i = 0; i < tensor->numel(); ++i, at.next())
            values[static_cast<size_t>(at.offsets[0] + start * strides[dim])] = tensor->get(i);
        start += tensor->sizes[dim];
    }
    return oneValue(tensorOf(dtype, sizes, values));
}

Result<Types> stackShape(const OpCall& call) {
    std::vector<TensorType> types = call.tensors(0);
    if (types.empty()) return refuse(call, "expected at least one tensor, found an empty list");
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    for (const TensorType& type : types)
        if (!call.same(type.sizes, types[0].sizes))
            return base::userError(
                {},
                fmt::format("stack expects each tensor to be equal size, but got {} at entry 0 "
                            "and {} at entry {}",
                            ir::str(types[0].sizes), ir::str(type.sizes), &type - types.data()));
    CUTAWAY_TRY(int dim, call.dim(1, types[0].rank() + 1));
    Shape sizes = types[0].sizes;
    const Sym count(static_cast<int64_t>(types.size()));
    sizes.insert(sizes.begin() + dim, count);
    TensorType stacked = TensorType::contiguous(listDType(types), sizes, device);
    const auto at = static_cast<size_t>(dim);
    if (types[0].rank() < 4 || at == types[0].rank() || !allChannelsLast(types))
        return one(std::move(stacked));
    // PyTorch joins along the dimension and cuts it in two.
    Shape joined = types[0].sizes;
    joined[at] = joined[at] * count;
    stacked.strides = imageType(stacked.dtype, joined, device, true).strides;
    stacked.strides.insert(stacked.strides.begin() + dim, stacked.strides[at] * types[0].sizes[at]);
    return one(std::move(stacked));
}

Results stackByCat(const Operands& x) {
    int64_t dim = *x.call().dim(1, x.node.types[0].rank());
    std::vector<Formula> parts;
    for (const Arg& part : *x.node.args[0].list())
        parts.push_back(unsqueeze(Value(x.b, *part.node()), dim));
    return {aten("cat", parts, dim)};
}

Values stackReference(const OpCall& call, Tensors tensors) {
    const Sizes& in = tensors[0]->sizes;
    auto dim = static_cast<size_t>(hostDim(call, 1, in.size() + 1));
    Sizes sizes = in;
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(dim),
                 static_cast<int64_t>(tensors.size()));
    Sizes strides = rowMajorStrides(in);
    ir::HostTensor out = ir::HostTensor::zeros(tensors[0]->dtype, sizes);
    Odometer<1> at(sizes, {Sizes(sizes.size(), 0)});
    for (int64_t i = 0, n = out.numel(); i < n; ++i, at.next()) {
        int64_t from = 0;
        for (size_t d = 0, k = 0; d < sizes.size(); ++d)
            if (d != dim) from += at.coords()[d] * strides[k++];
        out.set(i, tensors[static_cast<size_t>(at.coords()[dim])]->get(from));
    }
    return oneValue(std::move(out));
}

Arg listOf(std::vector<uint32_t> tensors) {
    ir::ArgList list;
    for (uint32_t k : tensors)
        list.push_back(T(k));
    return Arg(list);
}

void addSplits(std::vector<OpDef>& ops) {
    Traits view{.view = true, .jointViews = true};
    Decompose decompose{splitBySlices, DecomposeWhen::BeforeLowering};
    OpDoc split{"pieces along a dimension", "y_k = x[.., start_k : start_k + length_k, ..]",
                "torch.split"};
    auto sized = [] {
        return std::vector<Sample>{
            good({f32({2, 7})}, {T(0), L({3, 4}), I(1)}),
            good({f32({4, 3})}, {T(0), L({1, 0, 3}), I(0)}),
            bad({f32({2, 7})}, {T(0), L({3, 3}), I(1)},
                "split_with_sizes expects split_sizes to sum exactly to 7 (input tensor's size at "
                "dimension 1), but got split_sizes=[3, 3]")};
    };
    ops.push_back(written(
        {intoPiece, startOfPiece},
        {"split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
         splitShape, VjpRule{vjpOfFirst<splitGradient>}, decompose, splitReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 6})}, {T(0), I(2), I(1)}), good({f32({5, 3})}, {T(0), I(2), I(0)}),
                 good({f32({4})}, {T(0), I(9), I(-1)}),
                 bad({f32({4})}, {T(0), I(0), I(0)},
                     "split: expected a positive split_size, found 0"),
                 bad({f32({})}, {T(0), I(1), I(0)}, "split: a 0-dim tensor cannot be split")};
         },
         split, view}));
    ops.push_back(
        written({intoPiece, startOfPiece},
                {"split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
                 splitShape, VjpRule{vjpOfFirst<splitGradient>}, decompose, splitReference,
                 [] { return std::vector<Sample>{good({f32({2, 7})}, {T(0), L({3, 4}), I(1)})}; },
                 split, view}));
    ops.push_back(written(
        {intoPiece, startOfPiece},
        {"split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
         splitShape, VjpRule{vjpOfFirst<splitGradient>}, decompose, splitReference, sized, split,
         view}));
    ops.push_back(written({intoPiece, startOfPiece},
                          {"chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
                           splitShape,
                           VjpRule{vjpOfFirst<splitGradient>},
                           decompose,
                           splitReference,
                           [] {
                               return std::vector<Sample>{
                                   good({f32({2, 6})}, {T(0), I(3), I(1)}),
                                   good({f32({5})}, {T(0), I(3), I(0)}),
                                   bad({f32({4})}, {T(0), I(-1), I(0)},
                                       "chunk expects `chunks` to be greater than 0, got: -1")};
                           },
                           {"a number of equal pieces along a dimension",
                            "y_k = x[.., start_k : start_k + length, ..]", "torch.chunk"},
                           view}));
}

} // namespace

std::vector<OpDef> splitJoinOps() {
    std::vector<OpDef> ops;
    addSplits(ops);
    ops.push_back(with<&Traits::savesNothing>(
        {"cat(Tensor[] tensors, int dim=0) -> Tensor",
         catShape,
         VjpRule{catVjp},
         Indexed{buildCat},
         catReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3}), f32({2, 4})}, {listOf({0, 1}), I(1)}),
                 good({f32({2, 3}), transposed(f32({1, 3})), f32({4, 3})},
                      {listOf({0, 1, 2}), I(0)}),
                 good({f32({3}), f32({0})}, {listOf({0, 1}), I(-1)}),
                 good({f32({2, 3}), f32({0})}, {listOf({0, 1}), I(0)}),
                 forwardOnly({i64({3}), f32({3})}, {listOf({0, 1}), I(0)}),
                 bad({f32({2, 3}), f32({3, 3})}, {listOf({0, 1}), I(1)},
                     "Sizes of tensors must match except in dimension 1. Expected size 2 but got "
                     "size 3 "
                     "for tensor number 1 in the list."),
                 bad({f32({}), f32({})}, {listOf({0, 1}), I(0)},
                     "cat: 0-dim tensors cannot be joined"),
                 bad({}, {listOf({}), I(0)},
                     "cat: expected at least one tensor, found an empty list")};
         },
         {"tensors joined along a dimension", "y = [x_0, x_1, ..]", "torch.cat"},
         {.takesProducers = true}}));
    ops.push_back(with<&Traits::savesNothing>(
        {"stack(Tensor[] tensors, int dim=0) -> Tensor",
         stackShape,
         ThroughDecomposition{},
         Decompose{stackByCat, DecomposeWhen::BeforeAutograd},
         stackReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2, 3}), f32({2, 3})}, {listOf({0, 1}), I(1)}),
                 good({f32({}), f32({}), f32({})}, {listOf({0, 1, 2}), I(0)}),
                 good({f32({2}), f32({2})}, {listOf({0, 1}), I(-1)}),
                 bad({f32({2}), f32({3})}, {listOf({0, 1}), I(0)},
                     "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] "
                     "at entry "
                     "1")};
         },
         {"tensors joined along a new dimension", "y[k] = x_k", "torch.stack"}}));
    outTakes(ops, {"cat", "stack"}, OutDTypes::Cast,
             "torch.cat(): input types can't be cast to the desired output type {out}",
             base::ErrorClass::Type);
    return ops;
}

} // namespace cutaway::ops
