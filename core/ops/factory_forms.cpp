// SPDX-License-Identifier: Apache-2.0
// Further ways to make tensors: ranges by their ends, diagonals, places of triangles, new_*, and
// what is made like a tensor.
#include "core/base/tick.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/lying.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/row_reference.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Sym;
constexpr NotDifferentiable kNoInputs{"it has no tensor argument"};

#define CUTAWAY_OPTIONS                                                                            \
    ", *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None" \
    ") -> Tensor"

size_t named(const OpCall& call, std::string_view name) {
    return static_cast<size_t>(call.def.parsed.find(name));
}
DType dtypeOr(const OpCall& call, DType otherwise) {
    return call.has(named(call, "dtype")) ? call.dtype(named(call, "dtype")) : otherwise;
}
ir::Device deviceOr(const OpCall& call, ir::Device otherwise) {
    const size_t i = named(call, "device");
    return call.has(i) ? std::get<ir::Device>(call.args[i]) : otherwise;
}

/// 0, 1, .. in a dtype.
Value numbers(const Operands& x, const Sym& count, DType dtype, ir::Device device) {
    return {x.b, x.b.call("arange", {ir::Arg(count), ir::Arg(dtype), ir::Arg{}, ir::Arg(device)})};
}

OpDef made(std::string_view schema, DecomposeRule build, Reference reference, Samples samples,
           OpDoc doc) {
    return composed(schema, kNoInputs, build, reference, samples, doc);
}

// --- diagonals ---

Results eye(const Operands& x) {
    const OpCall call = x.call();
    const bool square = call.def.parsed.args[1].name != "m";
    const Sym rows = call.integer(0), columns = call.integer(square ? 0 : 1);
    for (const Sym& size : {rows, columns})
        if (call.less(size, Sym(0)))
            refuseComposed(call, "expected sizes of at least 0, found " + size.str());
    const ir::Device device = deviceOr(call, {});
    Value row = reshape(numbers(x, rows, DType::Int64, device), {rows, Sym(1)});
    return {
        convert(eq(row, numbers(x, columns, DType::Int64, device)), dtypeOr(call, DType::Float32))};
}
Values eyeReference(const OpCall& call, Tensors) {
    const bool square = call.def.parsed.args[1].name != "m";
    const int64_t rows = call.number(size_t{0}),
                  columns = call.number(square ? size_t{0} : size_t{1});
    ir::HostTensor out = ir::HostTensor::zeros(dtypeOr(call, call.defaultDType), {rows, columns});
    for (int64_t i = 0; i < std::min(rows, columns); ++i)
        out.setInt(i * columns + i, 1);
    return oneValue(out);
}

/// Rows and columns of a triangle, as a constant [2, count].
template <bool lower> ir::HostTensor trianglePlaces(const OpCall& call) {
    const int64_t rows = call.number(size_t{0}), columns = call.number(1), offset = call.number(2);
    std::vector<int64_t> at[2];
    for (int64_t i = 0; i < rows; ++i) {
        base::tick();
        for (int64_t j = 0; j < columns; ++j)
            if (lower ? j <= i + offset : j >= i + offset) at[0].push_back(i), at[1].push_back(j);
    }
    std::vector<int64_t> both = at[0];
    both.insert(both.end(), at[1].begin(), at[1].end());
    return tensorOf(DType::Int64, {2, static_cast<int64_t>(at[0].size())}, both);
}
template <bool lower> Results triangleIndices(const Operands& x) {
    const OpCall call = x.call();
    if (call.number(size_t{0}) < 0 || call.number(1) < 0)
        refuseComposed(call, "expected sizes of at least 0");
    constexpr int64_t kMost = int64_t{1} << 28; // they are written down one by one
    if (call.number(1) > 0 && call.number(size_t{0}) > kMost / call.number(1))
        refuseComposed(call, fmt::format("a matrix of {} x {} has more than {} places",
                                         call.number(size_t{0}), call.number(1), kMost));
    auto places = std::make_shared<const ir::HostTensor>(trianglePlaces<lower>(call));
    Value constant(x.b, x.b.graph().addConstant("places", places, deviceOr(call, {})));
    const DType dtype = dtypeOr(call, DType::Int64);
    return {dtype == DType::Int64 ? aten("clone", constant) : convert(constant, dtype)};
}
template <bool lower> Values triangleReference(const OpCall& call, Tensors) {
    return oneValue(converted(trianglePlaces<lower>(call), dtypeOr(call, DType::Int64)));
}

void addDiagonals(std::vector<OpDef>& ops) {
    OpDoc doc{"ones on the diagonal", "y[i, j] = (i = j)", "torch.eye"};
    ops.push_back(made(
        "eye(SymInt n" CUTAWAY_OPTIONS, eye, eyeReference,
        [] {
            return std::vector<Sample>{
                good({}, {I(3)}), good({}, {I(2), Arg(DType::Int64)}),
                bad({}, {I(-1)}, "eye: expected sizes of at least 0, found -1")};
        },
        doc));
    ops.push_back(made(
        "eye.m(SymInt n, SymInt m" CUTAWAY_OPTIONS, eye, eyeReference,
        [] {
            return std::vector<Sample>{good({}, {I(3), I(5)}),
                                       good({}, {I(0), I(2), Arg(DType::Bool)})};
        },
        doc));
    auto samples = [] {
        return std::vector<Sample>{good({}, {I(3), I(4)}), good({}, {I(4), I(3), I(1)}),
                                   good({}, {I(2), I(2), I(-5)})};
    };
    ops.push_back(made(
        "tril_indices(int row, int col, int offset=0" CUTAWAY_OPTIONS, triangleIndices<true>,
        triangleReference<true>, samples,
        {"places of a lower triangle", "y = all (i, j), j <= i + offset", "torch.tril_indices"}));
    ops.push_back(made(
        "triu_indices(int row, int col, int offset=0" CUTAWAY_OPTIONS, triangleIndices<false>,
        triangleReference<false>, samples,
        {"places of an upper triangle", "y = all (i, j), j >= i + offset", "torch.triu_indices"}));
}

// --- ranges by their ends ---

/// Computed in double from the nearer end, whole ends of the result's dtype. Of linspace the step is a
/// float32 where that is a float of at most 32 bits; of logspace the difference of the ends is rounded.
/// Sources: linspace_kernel, aten/src/ATen/native/cpu/RangeFactoriesKernel.cpp; logspace_out,
/// aten/src/ATen/native/RangeFactories.cpp.
template <bool powers> Results spaced(const Operands& x) {
    const OpCall call = x.call();
    const int64_t steps = call.number(2);
    if (steps < 0)
        refuseComposed(call,
                       "expected a number of steps of at least 0, found " + std::to_string(steps));
    const bool tensors = x.isValue(0) || x.isValue(1);
    const ir::Device device =
        deviceOr(call, tensors ? x.type(x.isValue(0) ? 0 : 1).device : ir::Device{});
    const DType dtype = dtypeOr(call, DType::Float32);
    for (size_t i : {0, 1})
        if (x.isValue(i) && x.type(i).rank() != 0)
            refuseComposed(call,
                           "expected start and end without dimensions, found " + x.type(i).str());
    auto end = [&](size_t i) {
        return x.isValue(i) ? Value(convert(x[i], DType::Float64))
                            : scalar(x.b, call.real(i), DType::Float64, device);
    };
    const bool rounds = dtype != DType::Float64 && dtype != DType::Bool;
    const bool single = rounds && ir::isFloating(dtype);
    auto held = [](const Value& v, bool wanted, DType in) -> Value {
        return wanted ? Value(convert(convert(v, in), DType::Float64)) : v;
    };
    // As an element, whatever a kernel keeps of 16 bits.
    auto element = [&](const Value& v) -> Value {
        return rounds ? Value(convert(asStored(convert(v, dtype)), DType::Float64)) : v;
    };
    Value first = element(end(0)), last = element(end(1));
    Value place = numbers(x, Sym(steps), DType::Float64, device);
    Value whole = last - first;
    whole = powers && single ? element(whole) : held(whole, single, DType::Float32);
    Value step =
        held(whole / static_cast<double>(std::max<int64_t>(steps - 1, 1)), single, DType::Float32);
    Value forwards = first + step * place;
    Value backwards = last - step * (static_cast<double>(steps - 1) - place);
    Value result =
        steps == 1 ? first + place
                   : Value(where(lt(place, static_cast<double>(steps / 2)), forwards, backwards));
    if (powers) result = aten("pow.Scalar", call.real(3), result);
    if (dtype == DType::Float64) return {result};
    if (single) result = convert(result, DType::Float32);
    return {convert(result, dtype)};
}
template <bool powers> Values spacedReference(const OpCall& call, Tensors tensors) {
    const int64_t steps = call.number(2);
    size_t next = 0;
    const double first = call.isTensor(0) ? tensors[next++]->get(0) : call.real(0);
    const double last = call.isTensor(1) ? tensors[next]->get(0) : call.real(1);
    std::vector<double> values;
    for (int64_t i = 0; i < steps; ++i) {
        const double share =
            steps == 1 ? 0 : static_cast<double>(i) / static_cast<double>(steps - 1);
        const double at = i + 1 == steps && steps > 1 ? last : first + share * (last - first);
        values.push_back(powers ? std::pow(call.real(3), at) : at);
    }
    return oneValue(tensorOf(dtypeOr(call, call.defaultDType), {steps}, values));
}

void addRanges(std::vector<OpDef>& ops) {
    OpDoc lin{"numbers from start to end in equal steps",
              "y[i] = start + i (end - start) / (steps - 1)", "torch.linspace"};
    OpDoc log{"powers from base^start to base^end",
              "y[i] = base^(start + i (end - start) / (steps - 1))", "torch.logspace"};
    auto numbersOnly = [] {
        return std::vector<Sample>{
            good({}, {Arg(-1.0), Arg(2.0), I(7)}), good({}, {I(0), I(5), I(1)}),
            good({}, {I(0), I(5), I(0)}),
            bad({}, {I(0), I(5), I(-1)},
                "linspace: expected a number of steps of at least 0, found -1")};
    };
    ops.push_back(withoutFloat8(made("linspace(Scalar start, Scalar end, int steps" CUTAWAY_OPTIONS,
                                     spaced<false>, spacedReference<false>, numbersOnly, lin)));
    const OpDef lins = ops.back();
    addOverloads(ops, lins,
                 {"linspace.Tensor_Tensor(Tensor start, Tensor end, int steps" CUTAWAY_OPTIONS});
    ops.back().samples = [] {
        return std::vector<Sample>{forwardOnly({f32({}), f32({})}, {T(0), T(1), I(5)})};
    };
    ops.back().gradient = VjpRule{noGradients};
    addOverloads(ops, lins,
                 {"linspace.Tensor_Scalar(Tensor start, Scalar end, int steps" CUTAWAY_OPTIONS});
    ops.back().samples = [] {
        return std::vector<Sample>{forwardOnly({f32({})}, {T(0), I(3), I(5)})};
    };
    addOverloads(ops, lins,
                 {"linspace.Scalar_Tensor(Scalar start, Tensor end, int steps" CUTAWAY_OPTIONS});
    ops.back().samples = [] {
        return std::vector<Sample>{forwardOnly({f32({})}, {I(3), T(0), I(5)})};
    };
    ops.push_back(withoutFloat8(made(
        "logspace(Scalar start, Scalar end, int steps, float base=10.0" CUTAWAY_OPTIONS,
        spaced<true>, spacedReference<true>,
        [] {
            return std::vector<Sample>{good({}, {Arg(-1.0), Arg(2.0), I(7)}),
                                       good({}, {I(0), I(5), I(6), Arg(2.0)})};
        },
        log)));
    OpDef logs = ops.back();
    logs.gradient = VjpRule{noGradients};
    addOverloads(ops, logs,
                 {"logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float "
                  "base=10.0" CUTAWAY_OPTIONS});
    ops.back().samples = [] {
        return std::vector<Sample>{forwardOnly({f32({}), f32({})}, {T(0), T(1), I(5)})};
    };
    addOverloads(ops, logs,
                 {"logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float "
                  "base=10.0" CUTAWAY_OPTIONS});
    ops.back().samples = [] {
        return std::vector<Sample>{forwardOnly({f32({})}, {T(0), I(3), I(5)})};
    };
    addOverloads(ops, logs,
                 {"logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float "
                  "base=10.0" CUTAWAY_OPTIONS});
    ops.back().samples = [] {
        return std::vector<Sample>{forwardOnly({f32({})}, {I(3), T(0), I(5)})};
    };
}

// --- like a tensor ---

/// new_zeros and its kind: dtype and device of self, sizes of one's own.
Results newFilled(const Operands& x, const Formula& value) {
    const OpCall call = x.call();
    ir::TensorType like = x.type(0);
    like.dtype = dtypeOr(call, like.dtype);
    if (const ir::Device to = deviceOr(call, like.device); to != like.device)
        refuseComposed(call, "a tensor on " + to.str() + " is wanted of one on " +
                                 like.device.str() + "; make it with torch.full");
    for (const Sym& size : call.integers(1))
        if (call.less(size, Sym(0)))
            refuseComposed(call,
                           "expected sizes of at least 0, found " + ir::str(call.integers(1)));
    return {full(x.b, call.integers(1), value, like)};
}
template <int value> Results newConstant(const Operands& x) {
    return newFilled(x, value);
}
Values newReference(const OpCall& call, double value) {
    Sizes sizes;
    for (int64_t size : call.numbers(1))
        sizes.push_back(size);
    ir::HostTensor out = ir::HostTensor::zeros(dtypeOr(call, call.tensor(0).dtype), sizes);
    for (int64_t i = 0; i < out.numel(); ++i)
        out.set(i, value);
    return oneValue(out);
}

void addNew(std::vector<OpDef>& ops) {
    auto samples = [] {
        return std::vector<Sample>{good({f32({2})}, {T(0), L({2, 3})}),
                                   good({i64({})}, {T(0), L({})}),
                                   good({f64({2})}, {T(0), L({4}), Arg(DType::Bool)})};
    };
    const VjpRule kTypes{noGradients};
    auto add = [&](std::string_view schema, DecomposeRule build, Reference reference, OpDoc doc) {
        ops.push_back(composed(schema, kTypes, build, reference, samples, doc));
        ops.back().traits.ignoresValues = true;
    };
    add("new_zeros(Tensor self, SymInt[] size" CUTAWAY_OPTIONS, newConstant<0>,
        [](const OpCall& call, Tensors) { return newReference(call, 0); },
        {"zeros with another tensor's dtype", "y = 0", "torch.Tensor.new_zeros"});
    add("new_ones(Tensor self, SymInt[] size" CUTAWAY_OPTIONS, newConstant<1>,
        [](const OpCall& call, Tensors) { return newReference(call, 1); },
        {"ones with another tensor's dtype", "y = 1", "torch.Tensor.new_ones"});
    add("new_empty(Tensor self, SymInt[] size" CUTAWAY_OPTIONS, newConstant<0>,
        [](const OpCall& call, Tensors) { return newReference(call, 0); },
        {"memory with another tensor's dtype; it is cleared here", "y = 0",
         "torch.Tensor.new_empty"});
    ops.push_back(composed(
        "new_full(Tensor self, SymInt[] size, Scalar fill_value" CUTAWAY_OPTIONS, kTypes,
        [](const Operands& x) { return newFilled(x, x[2]); },
        [](const OpCall& call, Tensors) { return newReference(call, call.real(2)); },
        [] {
            return std::vector<Sample>{good({f32({2})}, {T(0), L({2, 3}), Arg(0.5)}),
                                       good({i64({})}, {T(0), L({}), I(3)})};
        },
        {"one number with another tensor's dtype", "y = value", "torch.Tensor.new_full"}));
    ops.back().traits.ignoresValues = true;
    auto fillSamples = [] {
        return std::vector<Sample>{good({f32({2, 3})}, {T(0), Arg(0.5)}),
                                   forwardOnly({i64({4})}, {T(0), I(3)})};
    };
    ops.push_back(composed(
        "fill.Scalar(Tensor self, Scalar value) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return zerosLike(v.grad); }>},
        [](const Operands& x) { return Results{aten("full_like", x[0], x[1])}; },
        [](const OpCall& call, Tensors tensors) {
            ir::HostTensor out = ir::HostTensor::zeros(tensors[0]->dtype, tensors[0]->sizes);
            for (int64_t i = 0; i < out.numel(); ++i)
                out.set(i, call.real(1));
            return oneValue(out);
        },
        fillSamples, {"a number everywhere", "y = value", "torch.fill"}));
    ops.push_back(lying<likeFirst>(composed(
        "fill.Tensor(Tensor self, Tensor value) -> Tensor",
        [](const Operands& x) {
            if (x.type(1).rank() != 0)
                refuseComposed(x.call(),
                               "expected a value without dimensions, found " + x.type(1).str());
            return Results{aten("clone", expand(convert(x[1], x.type(0).dtype), x.type(0).sizes),
                                "contiguous_format")};
        },
        [](const OpCall&, Tensors tensors) {
            ir::HostTensor out = ir::HostTensor::zeros(tensors[0]->dtype, tensors[0]->sizes);
            for (int64_t i = 0; i < out.numel(); ++i)
                out.set(i, tensors[1]->get(0));
            return oneValue(out);
        },
        [] { return std::vector<Sample>{good({f32({2, 3}), f32({})}, {T(0), T(1)})}; },
        {"a number everywhere", "y = value", "torch.fill"})));
}

// --- powers of a vector ---

Results vander(const Operands& x) {
    const OpCall call = x.call();
    const bool linalg = call.def.parsed.base == "linalg_vander";
    if (!linalg && x.type(0).rank() != 1)
        refuseComposed(call, "expected a vector, found " + x.type(0).str());
    // A number is a vector of one element.
    Value vector = x.type(0).rank() == 0 ? Value(reshape(x[0], {Sym(1)})) : x.tensor(0);
    const ir::Sym count = call.has(1) ? call.integer(1) : vector.type().sizes.back();
    if (linalg && call.number(count) <= 1) refuseComposed(call, "N must be greater than 1.");
    const bool increasing = linalg || call.boolean(2);
    const DType dtype = ir::isFloating(x.type(0).dtype) ? x.type(0).dtype : DType::Int64;
    Value powers = numbers(x, count, DType::Int64, x.type(0).device);
    if (!increasing) powers = call.number(count) - 1 - powers;
    return {aten("pow.Tensor_Tensor", unsqueeze(convert(vector, dtype), -1), powers)};
}
Values vanderReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    Sizes sizes = in.sizes.empty() ? Sizes{1} : in.sizes;
    const int64_t count = call.has(1) ? call.number(1) : sizes.back();
    const bool increasing = call.def.parsed.base == "linalg_vander" || call.boolean(2);
    sizes.push_back(count);
    ir::HostTensor out = ir::HostTensor::zeros(outDType(call), sizes);
    for (int64_t i = 0; i < out.numel(); ++i) {
        const int64_t power = i % count;
        out.set(i, std::pow(in.get(i / count),
                            static_cast<double>(increasing ? power : count - 1 - power)));
    }
    return oneValue(out);
}

void addVander(std::vector<OpDef>& ops) {
    OpDoc doc{"powers of a vector's elements", "y[i, j] = x[i]^j", "torch.vander"};
    ops.push_back(composed(
        "vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", vander, vanderReference,
        [] {
            return std::vector<Sample>{
                good({f64({4}, 0.5, 2)}, {T(0)}), good({f32({3}, 0.5, 2)}, {T(0), I(5), Arg(true)}),
                forwardOnly({i64({3}, 0, 4)}, {T(0)}),
                bad({f32({})}, {T(0)}, "vander: expected a vector, found f32[]")};
        },
        doc));
    ops.push_back(lying<rowMajor>(composed(
        "linalg_vander(Tensor x, *, int? N=None) -> Tensor", vander, vanderReference,
        [] {
            return std::vector<Sample>{good({f64({2, 4}, 0.5, 2)}, {T(0)}),
                                       good({f64({3}, 0.5, 2)}, {T(0), I(2)}),
                                       good({f64({}, 0.5, 2)}, {T(0), I(3)})};
        },
        doc)));
}

} // namespace

std::vector<OpDef> factoryFormOps() {
    std::vector<OpDef> ops;
    addDiagonals(ops);
    addRanges(ops);
    addNew(ops);
    addVander(ops);
    return ops;
}

} // namespace cutaway::ops
