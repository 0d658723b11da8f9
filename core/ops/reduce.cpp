// SPDX-License-Identifier: Apache-2.0
// Reductions over dimensions. Gradients: tools/autograd/derivatives.yaml.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/reduce_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace cutaway::ops {

using ir::DType;
using kernel::ReduceOp;

base::Status checkExtreme(const OpCall& call, const std::vector<int>& dims, bool whole) {
    const auto empty = std::ranges::find_if(
        dims, [&](int dim) { return call.tensor(0).sizes[static_cast<size_t>(dim)].is(0); });
    if (empty == dims.end()) return {};
    const std::string& base = call.def.parsed.base;
    const int given = call.def.parsed.find("dim");
    const bool some = given >= 0 && call.has(static_cast<size_t>(given));
    if (!whole && some)
        return base::userError({},
                               fmt::format("{}(): Expected reduction dim {} to have non-zero size.",
                                           base, *empty))
            .as(ErrorClass::Index);
    // PyTorch's: without a dimension to blame it is no wrong index, but to argmax.
    return base::userError({}, fmt::format("{}(): Expected reduction dim to be specified for "
                                           "input.numel() == 0.{}",
                                           base,
                                           whole ? " Specify the reduction dim with the 'dim' "
                                                   "argument."
                                                 : ""))
        .as(whole ? ErrorClass::Runtime : ErrorClass::Index);
}
Result<std::vector<int>> everyDim(const OpCall& call) {
    return allDims(call.tensor(0).rank());
}
Result<std::vector<int>> listedDims(const OpCall& call) {
    return dimList(call, 1, call.tensor(0).rank());
}
bool keepsDims(const OpCall& call) {
    int i = call.def.parsed.find("keepdim");
    return i >= 0 && call.boolean(static_cast<size_t>(i));
}
Result<Types> reducedType(const OpCall& call, DType dtype, const std::vector<int>& dims) {
    const ir::TensorType& in = call.tensor(0);
    return one(ir::TensorType::contiguous(dtype, reducedSizes(in.sizes, dims, keepsDims(call)),
                                          in.device));
}

Formula restoreDims(Formula reduced, const std::vector<int>& dims, bool kept) {
    if (kept) return reduced;
    for (int dim : dims)
        reduced = unsqueeze(reduced, dim);
    return reduced;
}

std::vector<int> reduceDimsOf(const OpCall& call, bool listed) {
    auto dims = listed ? listedDims(call) : everyDim(call);
    return dims.ok() ? *dims : std::vector<int>{};
}

namespace {

/// dtype= when given, else int64 for integers (sum, prod).
DType sumDType(const OpCall& call) {
    int i = call.def.parsed.find("dtype");
    if (i >= 0 && call.has(static_cast<size_t>(i))) return call.dtype(static_cast<size_t>(i));
    DType dtype = call.tensor(0).dtype;
    return ir::isIntegral(dtype) ? DType::Int64 : dtype;
}

template <auto Dims, auto DTypeOf> Result<Types> reduceShape(const OpCall& call) {
    CUTAWAY_TRY(auto dims, Dims(call));
    return reducedType(call, DTypeOf(call), dims);
}

/// max, min and arg-reductions of nothing have no value.
template <auto Dims, auto DTypeOf> Result<Types> nonEmptyShape(const OpCall& call) {
    CUTAWAY_TRY(auto dims, Dims(call));
    const int listed = call.def.parsed.find("dim");
    const bool index = call.def.parsed.base.starts_with("arg");
    const bool whole = !index && (listed < 0 || !call.has(static_cast<size_t>(listed)) ||
                                  call.args[static_cast<size_t>(listed)].list()->empty());
    CUTAWAY_CHECK(checkExtreme(call, dims, whole));
    return reducedType(call, DTypeOf(call), dims);
}

DType ownDType(const OpCall& call) {
    return call.tensor(0).dtype;
}
/// Bool, but uint8 for uint8, from which older programs make their masks.
DType truthDType(const OpCall& call) {
    return ownDType(call) == DType::UInt8 ? DType::UInt8 : DType::Bool;
}
DType indexDType(const OpCall&) {
    return DType::Int64;
}

std::vector<int> referenceDims(const OpCall& call) {
    size_t rank = call.tensor(0).rank();
    int i = call.def.parsed.find("dim");
    if (i < 0 || !call.has(static_cast<size_t>(i))) return allDims(rank);
    return hostDims(call, static_cast<size_t>(i), rank);
}

template <class T, class F>
ir::HostTensor fold(const OpCall& call, const ir::HostTensor& in, DType out, T start, F step) {
    std::vector<int> dims = referenceDims(call);
    std::vector<int64_t> to = reducedIndex(in.sizes, dims);
    Sizes sizes = reducedHostSizes(in.sizes, dims, keepsDims(call));
    std::vector<T> result(static_cast<size_t>(product(sizes)), start);
    std::vector<T> values = valuesOf<T>(in);
    for (size_t i = 0; i < values.size(); ++i) {
        T& into = result[static_cast<size_t>(to[i])];
        into = step(into, values[i]);
    }
    return tensorOf(out, sizes, result);
}

/// \p f of two numbers; integers leave their range as in two's complement.
template <typename T> T wrapping(T a, T b, auto f) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(f(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
    else
        return f(a, b);
}

template <int start, auto F> Values sumReference(const OpCall& call, Tensors tensors) {
    DType out = sumDType(call);
    if (out == DType::Bool) // of what is true
        return oneValue(fold<double>(call, *tensors[0], out, start, [](double a, double b) {
            return start == 0 ? a != 0 || b != 0 : a != 0 && b != 0;
        }));
    if (ir::isFloating(out)) return oneValue(fold<double>(call, *tensors[0], out, start, F));
    return oneValue(fold<int64_t>(call, *tensors[0], out, start, F));
}

template <bool isMax> Values extremeReference(const OpCall& call, Tensors tensors) {
    constexpr auto step = [](auto best, auto x) {
        if (best != best || x != x) return best != best ? best : x;
        return (isMax ? x > best : x < best) ? x : best;
    };
    DType dtype = tensors[0]->dtype;
    double infinity = std::numeric_limits<double>::infinity();
    if (ir::isFloating(dtype))
        return oneValue(fold<double>(call, *tensors[0], dtype, isMax ? -infinity : infinity, step));
    using Limits = std::numeric_limits<int64_t>;
    return oneValue(
        fold<int64_t>(call, *tensors[0], dtype, isMax ? Limits::min() : Limits::max(), step));
}

template <bool isAll> Values truthReference(const OpCall& call, Tensors tensors) {
    constexpr auto step = [](double all, double x) {
        bool truth = x != 0;
        return isAll ? double(all != 0 && truth) : double(all != 0 || truth);
    };
    return oneValue(fold<double>(call, *tensors[0], truthDType(call), isAll ? 1.0 : 0.0, step));
}

/// The first position of the largest (smallest) element; a NaN counts as largest and smallest.
template <bool isMax> Values argReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    std::vector<int> dims = referenceDims(call);
    std::vector<int64_t> to = reducedIndex(in.sizes, dims);
    bool kept = keepsDims(call);
    Sizes sizes = reducedHostSizes(in.sizes, dims, kept);
    size_t count = static_cast<size_t>(product(sizes));
    std::vector<int64_t> best(count, -1), seen(count, 0);
    std::vector<double> value(count);
    for (size_t i = 0; i < to.size(); ++i) {
        size_t o = static_cast<size_t>(to[i]);
        double x = in.get(static_cast<int64_t>(i));
        bool better = best[o] < 0 || (isMax ? x > value[o] : x < value[o]) ||
                      (x != x && value[o] == value[o]);
        if (better && !(best[o] >= 0 && value[o] != value[o])) {
            best[o] = seen[o];
            value[o] = x;
        }
        ++seen[o];
    }
    return oneValue(tensorOf(DType::Int64, sizes, best));
}

// --- gradients ---

template <bool listed> Formula expandedGradient(Vjp& v) {
    OpCall call = v.call();
    Formula grad =
        listed ? restoreDims(v.grad, reduceDimsOf(call, true), keepsDims(call)) : Formula(v.grad);
    return expand(grad, v.type(0).sizes);
}

/// The gradient shared evenly by the elements equal to the extreme (scale_grad_by_count): where the
/// extreme is a NaN, by none.
Formula extremeAlongDims(Vjp& v) {
    OpCall call = v.call();
    auto dims = reduceDimsOf(call, true);
    bool kept = keepsDims(call);
    Value grad = restoreDims(v.grad, dims, kept);
    Value mask = eq(restoreDims(asStored(v.result), dims, kept), asStored(v[0]));
    return grad * mask / sum(mask, dims, true);
}

/// The same over all elements, where NaNs share it (evenly_distribute_backward). With a NaN among
/// the elements, the extreme is one, and equal to none.
Formula extremeOfAll(Vjp& v) {
    Value mask = logicalOr(eq(asStored(v.result), asStored(v[0])), aten("isnan", v[0]));
    Value gradient = where(mask, v.grad / sum(mask), 0);
    // PyTorch fills new zeros, on a GPU it multiplies.
    return v.type(0).device.isCuda() ? Formula(gradient) : inRows(gradient);
}

template <bool listed> Formula prodGradient(Vjp& v) {
    OpCall call = v.call();
    auto dims = reduceDimsOf(call, listed);
    Value grad = restoreDims(v.grad, dims, keepsDims(call));
    const bool one = listed && v.type(0).rank() > 0;
    return aten("_prod_backward", grad, v[0], one ? Formula(dims[0]) : Formula(Arg{}));
}

// --- samples ---

std::vector<Sample> fullSamples() {
    return {good({f32({2, 3})}, {T(0)}),
            good({f64({})}, {T(0)}),
            good({transposed(f32({3, 4}))}, {T(0)}),
            forwardOnly({i64({5})}, {T(0)}),
            forwardOnly({i32({2, 2})}, {T(0)}),
            forwardOnly({b8({6})}, {T(0)}),
            forwardOnly({u8({3, 37})}, {T(0)}),
            forwardOnly({u8({5}, 0, 1)}, {T(0)})};
}
std::vector<Sample> fullOrEmptySamples() {
    auto samples = fullSamples();
    samples.push_back(good({f32({0, 3})}, {T(0)}));
    samples.push_back(forwardOnly({u8({0})}, {T(0)}));
    return samples;
}
std::vector<Sample> sumSamples() {
    auto samples = fullOrEmptySamples();
    samples.push_back(forwardOnly({i64({2}, 1, 1)}, {T(0), Arg(DType::Bool)}));
    samples.push_back(forwardOnly({f32({3, 4})}, {T(0), Arg(DType::Bool)}));
    return samples;
}
std::vector<Sample> listSamples() {
    return {
        good({f32({2, 3})}, {T(0), L({1}), Arg(true)}),
        good({f32({2, 3, 4})}, {T(0), L({0, -1})}),
        good({transposed(f64({3, 4}))}, {T(0), L({0})}),
        good({f32({})}, {T(0), L({})}),
        forwardOnly({i64({2, 3})}, {T(0), L({0})}),
        forwardOnly({u8({3, 37})}, {T(0), L({1})}),
        forwardOnly({u8({3, 37})}, {T(0), L({0})}),
        bad({f32({2, 3})}, {T(0), L({2})},
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)"),
        bad({f32({2, 3})}, {T(0), L({1, -1})}, "dim 1 appears multiple times in the list of dims")};
}
std::vector<Sample> oneDimSamples() {
    return {
        good({f32({2, 3})}, {T(0), I(1), Arg(true)}),   good({f32({2, 3, 4})}, {T(0), I(-2)}),
        forwardOnly({b8({3, 4})}, {T(0), I(0)}),        forwardOnly({i64({3, 4})}, {T(0), I(0)}),
        forwardOnly({u8({3, 37}, 0, 2)}, {T(0), I(1)}), good({f32({})}, {T(0), I(0)})};
}
std::vector<Sample> argSamples() {
    return {good({f32({2, 3})}, {T(0), I(1), Arg(true)}), good({f32({4, 5})}, {T(0), I(0)}),
            good({f32({2, 7})}, {T(0), none()}), good({i64({3, 9}, 0, 3)}, {T(0), I(-1)}),
            good({awkward(f32({4, 16}))}, {T(0), I(1)})};
}

constexpr NotDifferentiable kCounts{"its result is an index or a truth value"};

void addSums(std::vector<OpDef>& ops) {
    constexpr auto plus = [](auto a, auto b) { return wrapping(a, b, std::plus<>()); };
    constexpr auto times = [](auto a, auto b) { return wrapping(a, b, std::multiplies<>()); };
    OpDoc sum{"sum of elements; integers add up as int64", "y = sum of x over dim", "torch.sum"};
    OpDoc prod{"product of elements", "y = product of x over dim", "torch.prod"};
    ops.push_back(with<&Traits::savesNothing>(
        {"sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", reduceShape<everyDim, sumDType>,
         VjpRule{vjpOfFirst<expandedGradient<false>>}, Reduction{ReduceOp::Sum, everyDim},
         sumReference<0, plus>, sumSamples, sum}));
    ops.push_back(with<&Traits::savesNothing>(
        {"sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor",
         reduceShape<listedDims, sumDType>, VjpRule{vjpOfFirst<expandedGradient<true>>},
         Reduction{ReduceOp::Sum, listedDims}, sumReference<0, plus>, [] { return listSamples(); },
         sum}));
    ops.push_back(
        saving("self result",
               {"prod(Tensor self, *, ScalarType? dtype=None) -> Tensor",
                reduceShape<everyDim, sumDType>, VjpRule{vjpOfFirst<prodGradient<false>>},
                Reduction{ReduceOp::Prod, everyDim}, sumReference<1, times>, sumSamples, prod}));
    ops.push_back(saving(
        "self result",
        {"prod.dim_int(Tensor self, int dim, bool keepdim=False, *, "
         "ScalarType? dtype=None) -> Tensor",
         reduceShape<listedDims, sumDType>, VjpRule{vjpOfFirst<prodGradient<true>>},
         Reduction{ReduceOp::Prod, listedDims}, sumReference<1, times>, oneDimSamples, prod}));
}

std::vector<Sample> amaxSamples(std::string_view base) {
    auto samples = listSamples();
    samples.push_back(forwardOnly({awkward(f32({4, 16}))}, {T(0), L({1})}));
    samples.push_back(
        bad({f32({2, 0})}, {T(0), L({1})},
            std::string(base) + "(): Expected reduction dim 1 to have non-zero size."));
    return samples;
}

void addExtremes(std::vector<OpDef>& ops) {
    OpDoc max{"largest element; NaN wins", "y = max of x over dim", "torch.amax"};
    OpDoc min{"smallest element; NaN wins", "y = min of x over dim", "torch.amin"};
    ops.push_back({"amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                   nonEmptyShape<listedDims, ownDType>, VjpRule{vjpOfFirst<extremeAlongDims>},
                   Reduction{ReduceOp::Max, listedDims}, extremeReference<true>,
                   [] { return amaxSamples("amax"); }, max});
    ops.push_back({"amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                   nonEmptyShape<listedDims, ownDType>, VjpRule{vjpOfFirst<extremeAlongDims>},
                   Reduction{ReduceOp::Min, listedDims}, extremeReference<false>,
                   [] { return amaxSamples("amin"); }, min});
    ops.push_back({"max(Tensor self) -> Tensor", nonEmptyShape<everyDim, ownDType>,
                   VjpRule{vjpOfFirst<extremeOfAll>}, Reduction{ReduceOp::Max, everyDim},
                   extremeReference<true>, fullSamples, max});
    ops.push_back({"min(Tensor self) -> Tensor", nonEmptyShape<everyDim, ownDType>,
                   VjpRule{vjpOfFirst<extremeOfAll>}, Reduction{ReduceOp::Min, everyDim},
                   extremeReference<false>, fullSamples, min});
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(
        {"argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
         nonEmptyShape<listedDims, indexDType>,
         kCounts,
         Reduction{ReduceOp::ArgMax, listedDims},
         argReference<true>,
         argSamples,
         {"position of the first largest element", "y = argmax of x over dim", "torch.argmax"}}));
    ops.push_back(with<&Traits::refuses, Refuses::Bools>(
        {"argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
         nonEmptyShape<listedDims, indexDType>,
         kCounts,
         Reduction{ReduceOp::ArgMin, listedDims},
         argReference<false>,
         argSamples,
         {"position of the first smallest element", "y = argmin of x over dim", "torch.argmin"}}));
}

void addTruth(std::vector<OpDef>& ops) {
    OpDoc any{"whether some element is not zero; uint8 of uint8", "y = or of x over dim",
              "torch.any"};
    OpDoc all{"whether every element is not zero; uint8 of uint8", "y = and of x over dim",
              "torch.all"};
    ops.push_back(withFloat8({"any(Tensor self) -> Tensor", reduceShape<everyDim, truthDType>,
                              kCounts, Reduction{ReduceOp::Any, everyDim}, truthReference<false>,
                              fullOrEmptySamples, any}));
    ops.push_back(withFloat8({"any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                              reduceShape<listedDims, truthDType>, kCounts,
                              Reduction{ReduceOp::Any, listedDims}, truthReference<false>,
                              oneDimSamples, any}));
    ops.push_back(withFloat8({"all(Tensor self) -> Tensor", reduceShape<everyDim, truthDType>,
                              kCounts, Reduction{ReduceOp::All, everyDim}, truthReference<true>,
                              fullOrEmptySamples, all}));
    ops.push_back(withFloat8({"all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                              reduceShape<listedDims, truthDType>, kCounts,
                              Reduction{ReduceOp::All, listedDims}, truthReference<true>,
                              oneDimSamples, all}));
}

} // namespace

std::vector<OpDef> reduceOps() {
    std::vector<OpDef> ops;
    addSums(ops);
    addExtremes(ops);
    addTruth(ops);
    outTakes(ops, {"argmax", "argmin"}, OutDTypes::Same);
    outTakes(
        ops, {"amax", "amin"}, OutDTypes::Same,
        "Expected the dtype for input and out to match, but got {result} for input's dtype and "
        "{out} for out's dtype.");
    outTakes(ops, {"any", "any.dim"}, OutDTypes::Truth,
             "any only supports bool tensor for result, got: {out}");
    outTakes(ops, {"all", "all.dim"}, OutDTypes::Truth,
             "all only supports bool tensor for result, got: {out}");
    return ops;
}

} // namespace cutaway::ops
