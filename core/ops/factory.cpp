// SPDX-License-Identifier: Apache-2.0
// Tensors made from numbers.
#include "core/ops/factory_rules.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/held_numbers.h"
#include "core/ops/image_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Shape;
using ir::Sym;

constexpr NotDifferentiable kNoInputs{"it has no tensor argument"};

/// The dtype that a Python number gives a new tensor.
DType numberDType(const OpCall& call, size_t arg) {
    if (std::holds_alternative<bool>(call.args[arg])) return DType::Bool;
    if (call.isTensor(arg)) return call.tensor(arg).dtype;
    return std::holds_alternative<double>(call.args[arg]) ? call.defaultDType : DType::Int64;
}

DType fillDefault(const OpCall& call) {
    return numberDType(call, 1);
}

template <auto Shape> Result<Types> filledShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, Shape(call));
    CUTAWAY_CHECK(wantHeld(call, 1, types.front().dtype));
    return types;
}

/// The result's dtype, by the call's own shape rule.
DType outDType(const OpCall& call) {
    return call.def.shape(call)->front().dtype;
}

template <int value> ExprId buildConstant(ExprPool& pool, const OpCall& call, Inputs) {
    return constantOf(pool, outDType(call), value);
}
template <size_t arg> ExprId buildFill(ExprPool& pool, const OpCall& call, Inputs x) {
    return Elements(pool, call, x).as(arg, outDType(call));
}

ir::HostTensor filled(DType dtype, Sizes sizes, const OpCall& call, std::optional<size_t> arg,
                      int value) {
    ir::HostTensor out = ir::HostTensor::zeros(dtype, std::move(sizes));
    bool real = arg && std::holds_alternative<double>(call.args[*arg]);
    for (int64_t i = 0, n = out.numel(); i < n; ++i) {
        if (real)
            out.set(i, call.real(*arg));
        else
            out.setInt(i, arg ? call.number(*arg) : value);
    }
    return out;
}
Sizes listed(const OpCall& call, size_t arg) {
    Sizes sizes;
    for (int64_t size : call.numbers(arg))
        sizes.push_back(size);
    return sizes;
}
template <int value> Values constantReference(const OpCall& call, Tensors) {
    return oneValue(filled(dtypeArg(call, call.defaultDType), listed(call, 0), call, {}, value));
}
template <int value> Values constantLikeReference(const OpCall& call, Tensors tensors) {
    return oneValue(filled(dtypeArg(call, tensors[0]->dtype), tensors[0]->sizes, call, {}, value));
}

std::vector<Sample> sizeSamples() {
    return {good({}, {L({2, 3})}), good({}, {L({})}), good({}, {L({0, 2}), Arg(DType::Int64)}),
            good({}, {L({2}), Arg(DType::Bool)}),
            bad({}, {L({-1})}, "Trying to create tensor with negative dimension -1: [-1]")};
}
std::vector<Sample> likeSamples() {
    return {good({f32({2, 3})}, {T(0)}), good({i64({})}, {T(0)}),
            good({transposed(f64({2, 3}))}, {T(0)}), good({f32({0})}, {T(0), Arg(DType::Bool)})};
}

void addConstants(std::vector<OpDef>& ops) {
    OpDoc full{"a tensor of one value", "y = value", "torch.full"};
    OpDoc zeros{"a tensor of zeros", "y = 0", "torch.zeros"};
    OpDoc ones{"a tensor of ones", "y = 1", "torch.ones"};
    ops.push_back({"full(SymInt[] size, Scalar fill_value" CUTAWAY_OPTIONS,
                   filledShape<newShape<fillDefault, 0>>, kNoInputs, Pointwise{buildFill<1>},
                   [](const OpCall& call, Tensors) {
                       return oneValue(filled(dtypeArg(call, numberDType(call, 1)), listed(call, 0),
                                              call, size_t{1}, 0));
                   },
                   [] {
                       return std::vector<Sample>{
                           good({}, {L({2, 3}), Arg(0.5)}),
                           good({}, {L({}), I(7)}),
                           good({}, {L({2}), Arg(true)}),
                           good({}, {L({2}), I(3), Arg(DType::Float64)}),
                           bad({}, {L({2, -3}), I(0)},
                               "Trying to create tensor with negative dimension -3: [2, -3]"),
                           bad({}, {L({2}), I(300), Arg(DType::UInt8)},
                               "value cannot be converted to type uint8_t without overflow")};
                   },
                   full});
    ops.push_back({"zeros(SymInt[] size" CUTAWAY_OPTIONS, newShape<floatDefault, 0>, kNoInputs,
                   Pointwise{buildConstant<0>}, constantReference<0>, sizeSamples, zeros});
    ops.push_back({"ones(SymInt[] size" CUTAWAY_OPTIONS, newShape<floatDefault, 0>, kNoInputs,
                   Pointwise{buildConstant<1>}, constantReference<1>, sizeSamples, ones});
    ops.push_back({"zeros_like(Tensor self" CUTAWAY_LIKE_OPTIONS,
                   newLike,
                   VjpRule{noGradients},
                   Pointwise{buildConstant<0>},
                   constantLikeReference<0>,
                   likeSamples,
                   zeros,
                   {.ignoresValues = true}});
    ops.push_back({"ones_like(Tensor self" CUTAWAY_LIKE_OPTIONS,
                   newLike,
                   VjpRule{noGradients},
                   Pointwise{buildConstant<1>},
                   constantLikeReference<1>,
                   likeSamples,
                   ones,
                   {.ignoresValues = true}});
    ops.push_back({"full_like(Tensor self, Scalar fill_value" CUTAWAY_LIKE_OPTIONS,
                   filledShape<newLike>,
                   VjpRule{noGradients},
                   Pointwise{buildFill<1>},
                   [](const OpCall& call, Tensors tensors) {
                       return oneValue(filled(dtypeArg(call, tensors[0]->dtype), tensors[0]->sizes,
                                              call, size_t{1}, 0));
                   },
                   [] {
                       return std::vector<Sample>{good({f32({2, 3})}, {T(0), Arg(0.5)}),
                                                  good({i64({2})}, {T(0), I(-3)}),
                                                  good({f32({})}, {T(0), I(2), Arg(DType::Int32)})};
                   },
                   full,
                   {.ignoresValues = true}});
    ops.push_back(
        {"scalar_tensor(Scalar s" CUTAWAY_OPTIONS,
         [](const OpCall& call) -> Result<Types> {
             return one(ir::TensorType::contiguous(dtypeArg(call, call.defaultDType), {},
                                                   deviceArg(call, {})));
         },
         kNoInputs,
         Pointwise{buildFill<0>},
         [](const OpCall& call, Tensors) {
             return oneValue(filled(dtypeArg(call, call.defaultDType), {}, call, size_t{0}, 0));
         },
         [] {
             return std::vector<Sample>{good({}, {Arg(0.5)}), good({}, {I(0), Arg(DType::Int64)}),
                                        good({}, {I(2)})};
         },
         {"a number as a 0-dim tensor", "y = s", "torch.scalar_tensor"}});
}

// --- ranges ---

struct Range {
    size_t start, end, step; ///< argument positions; SIZE_MAX: the usual 0 and 1
};
constexpr size_t kUsual = static_cast<size_t>(-1);

Range rangeArgs(const OpCall& call) {
    if (call.def.parsed.name == "arange") return {kUsual, 0, kUsual};
    if (call.def.parsed.name == "arange.start") return {0, 1, kUsual};
    return {0, 1, 2};
}
double rangeValue(const OpCall& call, size_t arg, double usual) {
    return arg == kUsual ? usual : call.real(arg);
}
DType rangeDType(const OpCall& call) {
    Range range = rangeArgs(call);
    DType dtype = DType::Int64;
    for (size_t arg : {range.start, range.end, range.step})
        if (arg != kUsual && numberDType(call, arg) == call.defaultDType) dtype = call.defaultDType;
    return dtypeArg(call, dtype);
}

/// The number of elements of a range of integers up to a size that is a symbol.
std::optional<Sym> symbolicCount(const OpCall& call, const Range& range) {
    for (size_t arg : {range.start, range.end, range.step})
        if (arg != kUsual && !std::holds_alternative<Sym>(call.args[arg])) return std::nullopt;
    const Sym start = range.start == kUsual ? Sym(0) : call.integer(range.start);
    const Sym end = call.integer(range.end);
    const int64_t step = range.step == kUsual ? 1 : call.number(range.step);
    if (start.isConst() && end.isConst()) return std::nullopt;
    if (step <= 0 || call.less(end, start)) return std::nullopt;
    return ir::floorDiv(end - start + Sym(step - 1), Sym(step));
}

/// Of whole numbers, which doubles do not hold all; nothing: one of them is no integer.
std::optional<Result<int64_t>> exactCount(const OpCall& call, const Range& range) {
    for (size_t arg : {range.start, range.end, range.step})
        if (arg != kUsual &&
            (!std::holds_alternative<Sym>(call.args[arg]) || !call.integer(arg).isConst()))
            return std::nullopt;
    const int64_t start = range.start == kUsual ? 0 : call.number(range.start),
                  end = call.number(range.end),
                  step = range.step == kUsual ? 1 : call.number(range.step);
    int64_t apart = 0;
    if (step == 0 || (start != end && (start < end) != (step > 0))) return std::nullopt; // refused
    if (__builtin_sub_overflow(end, start, &apart))
        return Result<int64_t>(refuse(call, "invalid size, possible overflow?"));
    return Result<int64_t>(apart / step + (apart % step != 0 ? 1 : 0));
}

Result<Types> rangeShape(const OpCall& call) {
    Range range = rangeArgs(call);
    if (auto count = symbolicCount(call, range))
        return one(ir::TensorType::contiguous(rangeDType(call), {*count}, deviceArg(call, {})));
    if (auto exact = exactCount(call, range)) {
        CUTAWAY_TRY(const int64_t count, std::move(*exact));
        return one(ir::TensorType::contiguous(rangeDType(call), {Sym(count)}, deviceArg(call, {})));
    }
    double start = rangeValue(call, range.start, 0), end = rangeValue(call, range.end, 0);
    double step = rangeValue(call, range.step, 1);
    if (step == 0) return refuse(call, "expected a step other than 0");
    if ((end - start) / step < 0)
        return base::userError(
            {}, "upper bound and lower bound inconsistent with step sign",
            fmt::format("arange: a step of {} does not lead from {} to {}", step, start, end));
    double steps = std::ceil((end - start) / step);
    if (!std::isfinite(start) || !std::isfinite(end))
        return refuse(call, fmt::format("unsupported range: {} -> {}", start, end));
    if (std::isnan(steps)) return refuse(call, "expected numbers, found nan");
    if (steps >= 0x1p63) return refuse(call, "invalid size, possible overflow?");
    const auto count = static_cast<int64_t>(steps);
    return one(ir::TensorType::contiguous(rangeDType(call), {Sym(count)}, deviceArg(call, {})));
}

ExprId buildRange(ExprPool& pool, const OpCall& call, LoadArg&, std::span<const Sym> coords) {
    Range range = rangeArgs(call);
    DType dtype = rangeDType(call);
    bool whole = true;
    for (size_t arg : {range.start, range.step})
        whole = whole && (arg == kUsual || !std::holds_alternative<double>(call.args[arg]));
    if (whole) {
        Sym start = range.start == kUsual ? Sym(0) : call.integer(range.start);
        Sym step = range.step == kUsual ? Sym(1) : call.integer(range.step);
        if (!start.is(INT64_MIN)) return pool.cast(dtype, pool.index(coords[0] * step + start));
        // An index expression has no text for the least number of 64 bits.
        const ExprId steps = pool.cast(DType::Int64, pool.index(coords[0] * step));
        return pool.cast(dtype,
                         pool.op(ScalarOp::Add, {steps, constantOf(pool, DType::Int64, -0x1p63)}));
    }
    DType compute = dtype == DType::Float32 ? DType::Float64 : dtype; // as ATen accumulates
    ExprId position = pool.cast(compute, pool.index(coords[0]));
    ExprId scaled = pool.op(ScalarOp::Mul,
                            {position, constantOf(pool, compute, rangeValue(call, range.step, 1))});
    return pool.cast(
        dtype, pool.op(ScalarOp::Add,
                       {scaled, constantOf(pool, compute, rangeValue(call, range.start, 0))}));
}

Values rangeReference(const OpCall& call, Tensors) {
    Range range = rangeArgs(call);
    double start = rangeValue(call, range.start, 0), end = rangeValue(call, range.end, 0);
    double step = rangeValue(call, range.step, 1);
    std::vector<double> values;
    for (int64_t i = 0;; ++i) {
        double value = start + static_cast<double>(i) * step;
        if (step > 0 ? value >= end : value <= end) break;
        values.push_back(value);
    }
    return oneValue(tensorOf(rangeDType(call), {static_cast<int64_t>(values.size())}, values));
}

void addRanges(std::vector<OpDef>& ops) {
    OpDoc doc{"numbers in equal steps", "y[i] = start + i * step", "torch.arange"};
    ops.push_back(withoutFloat8(
        {"arange(Scalar end" CUTAWAY_OPTIONS, rangeShape, kNoInputs, Indexed{buildRange},
         rangeReference,
         [] {
             return std::vector<Sample>{
                 good({}, {I(5)}), good({}, {Arg(2.5)}), good({}, {I(0)}),
                 good({}, {I(4), Arg(DType::Float32)}),
                 bad({}, {I(-1)}, "upper bound and lower bound inconsistent with step sign")};
         },
         doc}));
    ops.push_back(withoutFloat8({"arange.start(Scalar start, Scalar end" CUTAWAY_OPTIONS,
                                 rangeShape, kNoInputs, Indexed{buildRange}, rangeReference,
                                 [] {
                                     return std::vector<Sample>{
                                         good({}, {I(2), I(7)}), good({}, {Arg(0.5), I(3)}),
                                         good({}, {I(-3), I(3), Arg(DType::Int32)})};
                                 },
                                 doc}));
    ops.push_back(
        withoutFloat8({"arange.start_step(Scalar start, Scalar end, Scalar step=1" CUTAWAY_OPTIONS,
                       rangeShape, kNoInputs, Indexed{buildRange}, rangeReference,
                       [] {
                           return std::vector<Sample>{
                               good({}, {I(1), I(10), I(3)}), good({}, {I(5), I(0), I(-2)}),
                               good({}, {I(0), I(1), Arg(0.25)}),
                               bad({}, {I(0), I(1), I(0)}, "arange: expected a step other than 0")};
                       },
                       doc}));
}

} // namespace

size_t argNamed(const OpCall& call, std::string_view name) {
    return static_cast<size_t>(call.def.parsed.find(name));
}
ir::Device deviceArg(const OpCall& call, ir::Device otherwise) {
    size_t i = argNamed(call, "device");
    return call.has(i) ? std::get<ir::Device>(call.args[i]) : otherwise;
}
DType dtypeArg(const OpCall& call, DType otherwise) {
    size_t i = argNamed(call, "dtype");
    return call.has(i) ? call.dtype(i) : otherwise;
}
DType floatDefault(const OpCall& call) {
    return call.defaultDType;
}
DType intDefault(const OpCall&) {
    return DType::Int64;
}

base::Status legalSizes(const OpCall& call, const Shape& sizes) {
    for (const Sym& size : sizes)
        if (call.less(size, Sym(0)))
            return base::userError(
                {}, fmt::format("Trying to create tensor with negative dimension {}: {}",
                                size.str(), ir::str(sizes)));
    return {};
}

Result<ir::TensorType> inFormat(const OpCall& call, size_t arg, DType dtype, ir::Device device) {
    const ir::TensorType& self = call.tensor(0);
    if (!call.has(arg)) return inOrderOf(self, dtype, device);
    const std::string& format = std::get<std::string>(call.args[arg]);
    if (format == "preserve_format") return inOrderOf(self, dtype, device);
    if (format == "contiguous_format") return ir::TensorType::contiguous(dtype, self.sizes, device);
    // PyTorch has no channels_last_1d; only the pass channels_last asks for it.
    const size_t rank = format == "channels_last"      ? 4
                        : format == "channels_last_1d" ? 3
                        : format == "channels_last_3d" ? 5
                                                       : 0;
    if (rank == 0)
        return refuse(call, fmt::format("expected a memory format, found '{}'", format),
                      "use torch.contiguous_format, torch.preserve_format or torch.channels_last");
    if (self.rank() != rank)
        return refuse(call, fmt::format("{} is a memory format of {} dimensions, found {}", format,
                                        rank, ir::str(self.sizes)));
    return imageType(dtype, self.sizes, device, true);
}

Result<Types> newLike(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    if (const ir::Device to = deviceArg(call, self.device); to != self.device)
        return refuse(
            call, fmt::format("a tensor on {} is wanted like one on {}; make it with "
                              "torch.{}(x.shape, device='{}')",
                              to.str(), self.device.str(),
                              call.def.parsed.base.substr(0, call.def.parsed.base.find("_like")),
                              to.str()));
    const auto format = static_cast<size_t>(call.def.parsed.find("memory_format"));
    CUTAWAY_TRY(ir::TensorType type,
                inFormat(call, format, dtypeArg(call, self.dtype), deviceArg(call, self.device)));
    return one(std::move(type));
}

std::vector<OpDef> factoryOps() {
    std::vector<OpDef> ops;
    addConstants(ops);
    addRanges(ops);
    return ops;
}

} // namespace cutaway::ops
