// SPDX-License-Identifier: Apache-2.0
// Tensors made from numbers, conversions, and copies.
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/held_numbers.h"
#include "core/ops/image_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"
#include "core/ops/written_view.h"

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
/// The dtype that a Python number gives a new tensor.
DType numberDType(const OpCall& call, size_t arg) {
    if (std::holds_alternative<bool>(call.args[arg])) return DType::Bool;
    if (call.isTensor(arg)) return call.tensor(arg).dtype;
    return std::holds_alternative<double>(call.args[arg]) ? call.defaultDType : DType::Int64;
}

base::Status legalSizes(const OpCall& call, const Shape& sizes) {
    for (const Sym& size : sizes)
        if (call.less(size, Sym(0)))
            return refuse(call,
                          fmt::format("expected sizes of at least 0, found {}", ir::str(sizes)));
    return {};
}

/// full, zeros, ones, rand: a size list and dtype=, device=.
template <auto DTypeOf, size_t sizeArg> Result<Types> newShape(const OpCall& call) {
    Shape sizes = call.integers(sizeArg);
    CUTAWAY_CHECK(legalSizes(call, sizes));
    return one(ir::TensorType::contiguous(dtypeArg(call, DTypeOf(call)), std::move(sizes),
                                          deviceArg(call, {})));
}
DType floatDefault(const OpCall& call) {
    return call.defaultDType;
}
DType intDefault(const OpCall&) {
    return DType::Int64;
}
DType fillDefault(const OpCall& call) {
    return numberDType(call, 1);
}

/// self's sizes, dense in the memory format that argument \p arg names; none: in self's order.
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

/// A kernel belongs to one device.
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

std::vector<Sample> sizeSamples(std::string_view base) {
    return {good({}, {L({2, 3})}), good({}, {L({})}), good({}, {L({0, 2}), Arg(DType::Int64)}),
            good({}, {L({2}), Arg(DType::Bool)}),
            bad({}, {L({-1})}, std::string(base) + ": expected sizes of at least 0, found [-1]")};
}
std::vector<Sample> likeSamples() {
    return {good({f32({2, 3})}, {T(0)}), good({i64({})}, {T(0)}),
            good({transposed(f64({2, 3}))}, {T(0)}), good({f32({0})}, {T(0), Arg(DType::Bool)})};
}

// The options that ATen's factory functions share, for the schemas' text.
#define CUTAWAY_OPTIONS                                                                            \
    ", *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None" \
    ") -> Tensor"
#define CUTAWAY_LIKE_OPTIONS                                                                       \
    ", *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "                      \
    "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"

void addConstants(std::vector<OpDef>& ops) {
    OpDoc full{"a tensor of one value", "y = value", "torch.full"};
    OpDoc zeros{"a tensor of zeros", "y = 0", "torch.zeros"};
    OpDoc ones{"a tensor of ones", "y = 1", "torch.ones"};
    ops.push_back(
        {"full(SymInt[] size, Scalar fill_value" CUTAWAY_OPTIONS,
         filledShape<newShape<fillDefault, 0>>, kNoInputs, Pointwise{buildFill<1>},
         [](const OpCall& call, Tensors) {
             return oneValue(
                 filled(dtypeArg(call, numberDType(call, 1)), listed(call, 0), call, size_t{1}, 0));
         },
         [] {
             return std::vector<Sample>{
                 good({}, {L({2, 3}), Arg(0.5)}),
                 good({}, {L({}), I(7)}),
                 good({}, {L({2}), Arg(true)}),
                 good({}, {L({2}), I(3), Arg(DType::Float64)}),
                 bad({}, {L({2, -3}), I(0)}, "full: expected sizes of at least 0, found [2, -3]"),
                 bad({}, {L({2}), I(300), Arg(DType::UInt8)},
                     "full: the value 300 does not fit uint8")};
         },
         full});
    ops.push_back({"zeros(SymInt[] size" CUTAWAY_OPTIONS, newShape<floatDefault, 0>, kNoInputs,
                   Pointwise{buildConstant<0>}, constantReference<0>,
                   [] { return sizeSamples("zeros"); }, zeros});
    ops.push_back({"ones(SymInt[] size" CUTAWAY_OPTIONS, newShape<floatDefault, 0>, kNoInputs,
                   Pointwise{buildConstant<1>}, constantReference<1>,
                   [] { return sizeSamples("ones"); }, ones});
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

Result<Types> rangeShape(const OpCall& call) {
    Range range = rangeArgs(call);
    if (auto count = symbolicCount(call, range))
        return one(ir::TensorType::contiguous(rangeDType(call), {*count}, deviceArg(call, {})));
    double start = rangeValue(call, range.start, 0), end = rangeValue(call, range.end, 0);
    double step = rangeValue(call, range.step, 1);
    if (step == 0) return refuse(call, "expected a step other than 0");
    if ((end - start) / step < 0)
        return refuse(call,
                      fmt::format("a step of {} does not lead from {} to {}", step, start, end));
    double steps = std::ceil((end - start) / step);
    if (std::isnan(steps)) return refuse(call, "expected numbers, found nan");
    auto count = steps < 0x1p62 ? static_cast<int64_t>(steps) : INT64_MAX;
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
        return pool.cast(dtype, pool.index(coords[0] * step + start));
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
    ops.push_back({"arange(Scalar end" CUTAWAY_OPTIONS, rangeShape, kNoInputs, Indexed{buildRange},
                   rangeReference,
                   [] {
                       return std::vector<Sample>{
                           good({}, {I(5)}), good({}, {Arg(2.5)}), good({}, {I(0)}),
                           good({}, {I(4), Arg(DType::Float32)}),
                           bad({}, {I(-1)}, "arange: a step of 1 does not lead from 0 to -1")};
                   },
                   doc});
    ops.push_back({"arange.start(Scalar start, Scalar end" CUTAWAY_OPTIONS, rangeShape, kNoInputs,
                   Indexed{buildRange}, rangeReference,
                   [] {
                       return std::vector<Sample>{good({}, {I(2), I(7)}),
                                                  good({}, {Arg(0.5), I(3)}),
                                                  good({}, {I(-3), I(3), Arg(DType::Int32)})};
                   },
                   doc});
    ops.push_back({"arange.start_step(Scalar start, Scalar end, Scalar step=1" CUTAWAY_OPTIONS,
                   rangeShape, kNoInputs, Indexed{buildRange}, rangeReference,
                   [] {
                       return std::vector<Sample>{
                           good({}, {I(1), I(10), I(3)}), good({}, {I(5), I(0), I(-2)}),
                           good({}, {I(0), I(1), Arg(0.25)}),
                           bad({}, {I(0), I(1), I(0)}, "arange: expected a step other than 0")};
                   },
                   doc});
}

// --- conversions and copies ---

Result<Types> convertShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    return one(inOrderOf(self, call.dtype(1), self.device));
}

Formula convertGradient(Vjp& v) {
    return convert(v.grad, v.type(0).dtype);
}

/// Whether a tensor of \p type lies as \p wanted does: strides of single elements do not count.
bool liesAs(const OpCall& call, const ir::TensorType& type, const ir::TensorType& wanted) {
    for (size_t d = 0; d < type.rank(); ++d)
        if (!type.sizes[d].is(1) && !call.same(type.strides[d], wanted.strides[d])) return false;
    return true;
}

Result<Types> toShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    size_t device = argNamed(call, "device");
    bool hasDevice = call.def.parsed.find("device") >= 0 && call.has(device);
    ir::TensorType type = self;
    type.dtype = dtypeArg(call, self.dtype);
    if (hasDevice) type.device = std::get<ir::Device>(call.args[device]);
    CUTAWAY_TRY(ir::TensorType wanted,
                inFormat(call, argNamed(call, "memory_format"), type.dtype, type.device));
    bool same = type.dtype == self.dtype && type.device == self.device;
    const bool kept = !call.has(argNamed(call, "memory_format")) || liesAs(call, self, wanted);
    if (same && kept && call.def.parsed.base == "to") return one(type);
    return one(std::move(wanted));
}

Results toByConvert(const Operands& x) {
    const ir::TensorType self = x.type(0), want = x.node.types[0];
    const OpCall call = x.call();
    Value moved = x[0];
    if (!(self.device == want.device)) moved = aten("prims.device_put", moved, want.device);
    moved = convert(moved, want.dtype);
    if (!liesAs(call, moved.type(), want))
        return {aten("clone", moved, x[argNamed(call, "memory_format")])};
    const bool copies = x.node.op == "_to_copy" && ir::NodeId(moved) == *x.node.args[0].node();
    return {copies ? aten("clone", moved) : moved};
}

Values toReference(const OpCall& call, Tensors tensors) {
    return oneValue(converted(*tensors[0], dtypeArg(call, tensors[0]->dtype)));
}

Result<Types> copyShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    CUTAWAY_TRY(ir::TensorType type, inFormat(call, 1, self.dtype, self.device));
    return one(std::move(type));
}

Result<Types> contiguousShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, copyShape(call));
    if (liesAs(call, call.tensor(0), types[0])) types[0].strides = call.tensor(0).strides;
    return types;
}

ExprId buildCopy(ExprPool&, const OpCall&, Inputs x) {
    return x[0];
}
Values copyReference(const OpCall&, Tensors tensors) {
    return oneValue(*tensors[0]);
}

void addConversions(std::vector<OpDef>& ops) {
    OpDoc doc{"elements converted to another dtype", "y = dtype(x)", "torch.Tensor.to"};
    ops.push_back({"prims.convert_element_type(Tensor a, ScalarType dtype) -> Tensor", convertShape,
                   VjpRule{vjpOfFirst<convertGradient>},
                   Pointwise{[](ExprPool& pool, const OpCall& call, Inputs x) {
                       return pool.cast(call.dtype(1), x[0]);
                   }},
                   [](const OpCall& call, Tensors tensors) {
                       return oneValue(converted(*tensors[0], call.dtype(1)));
                   },
                   [] {
                       return std::vector<Sample>{
                           good({f32({2, 3})}, {T(0), Arg(DType::Float64)}),
                           good({i64({4})}, {T(0), Arg(DType::Float32)}),
                           good({f32({9}, -3, 3)}, {T(0), Arg(DType::Int64)}),
                           good({f32({4})}, {T(0), Arg(DType::Bool)}),
                           good({b8({})}, {T(0), Arg(DType::Int32)})};
                   },
                   doc});
    ops.push_back(
        {"prims.device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor",
         [](const OpCall& call) -> Result<Types> {
             ir::TensorType type = call.tensor(0);
             return one(inOrderOf(type, type.dtype, std::get<ir::Device>(call.args[1])));
         },
         VjpRule{
             vjpOfFirst<[](Vjp& v) { return aten("prims.device_put", v.grad, v.type(0).device); }>},
         NoLowering{"copies between devices are not part of a compiled graph"},
         copyReference,
         [] { return std::vector<Sample>{good({f32({2})}, {T(0), Arg(ir::Device{})})}; },
         {"a copy on another device", "y = x", "torch.ops.prims.device_put"}});
    Decompose to{toByConvert, DecomposeWhen::BeforeAutograd};
    auto toSamples = [] {
        return std::vector<Sample>{good({f32({2, 3})}, {T(0), Arg(DType::Float64)}),
                                   good({f32({2})}, {T(0), Arg(DType::Float32)}),
                                   good({i64({})}, {T(0), Arg(DType::Float32)})};
    };
    ops.push_back(
        {"to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
         "MemoryFormat? memory_format=None) -> Tensor(a)",
         toShape, ThroughDecomposition{}, to, toReference, toSamples, doc});
    ops.push_back(
        {"to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None, bool non_blocking=False, "
         "bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
         toShape, ThroughDecomposition{}, to, toReference, toSamples, doc});
    ops.push_back(
        {"to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, "
         "bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
         toShape, ThroughDecomposition{}, to, toReference,
         [] {
             return std::vector<Sample>{
                 good({f32({2})}, {T(0), Arg(ir::Device{}), Arg(DType::Float64)})};
         },
         doc});
    ops.push_back({"_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
                   "device=None, "
                   "bool? pin_memory=None, bool non_blocking=False, MemoryFormat? "
                   "memory_format=None) -> Tensor",
                   toShape, ThroughDecomposition{}, to, toReference, toSamples, doc});
}

void addCopies(std::vector<OpDef>& ops) {
    auto samples = [] {
        return std::vector<Sample>{good({f32({2, 3})}, {T(0)}),
                                   good({transposed(f32({2, 3}))}, {T(0)}), good({b8({})}, {T(0)}),
                                   good({i64({0, 2})}, {T(0)})};
    };
    ops.push_back(with<&Traits::savesNothing>(
        {"clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
         copyShape,
         VjpRule{vjpOfFirst<[](Vjp& v) { return v.grad; }>},
         Pointwise{buildCopy},
         copyReference,
         samples,
         {"a copy, in the memory order of x", "y = x", "torch.clone"}}));
    ops.push_back(with<&Traits::mayCopy>(written(
        {itself},
        {"contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)",
         contiguousShape,
         ThroughDecomposition{},
         Decompose{[](const Operands& x) {
                       if (liesAs(x.call(), x.type(0), x.node.types[0])) return Results{x[0]};
                       return Results{aten("clone", x[0], x[1])};
                   },
                   DecomposeWhen::BeforeAutograd},
         copyReference,
         [] {
             const auto format = [](const char* name) { return Arg(std::string(name)); };
             return std::vector<Sample>{
                 good({f32({2, 3})}, {T(0)}),
                 good({transposed(f32({2, 3}))}, {T(0)}),
                 good({f32({2, 3, 4, 5})}, {T(0), format("channels_last")}),
                 good({f32({2, 3, 1, 1})}, {T(0), format("channels_last")}),
                 bad({f32({2, 3})}, {T(0), format("channels_last")},
                     "contiguous: channels_last is a memory format of 4 dimensions, found [2, 3]"),
                 bad({f32({2, 3})}, {T(0), format("rows")},
                     "contiguous: expected a memory format, found 'rows'")};
         },
         {"the tensor itself when row-major, else a row-major copy", "y = x",
          "torch.Tensor.contiguous"}})));
}

// --- random ---

constexpr NotDifferentiable kRandom{"random values do not depend on an argument"};
constexpr NoLowering kDrawn{"its values are drawn by the runtime's generator"};

void addRandom(std::vector<OpDef>& ops) {
    auto drawn = [](Distribution distribution, bool like = false) {
        return Traits{
            .distribution = distribution, .ignoresValues = like, .recompute = Recompute::No};
    };
    auto sizes = [] { return std::vector<Sample>{good({}, {L({2, 3})}), good({}, {L({})})}; };
    auto like = [] { return std::vector<Sample>{good({f32({2, 3})}, {T(0)})}; };
    OpDoc uniform{"uniform random numbers in [0, 1)", "y ~ U[0, 1)", "torch.rand"};
    OpDoc normal{"normal random numbers", "y ~ N(0, 1)", "torch.randn"};
    OpDoc integer{"uniform random integers in [low, high)", "y ~ U{low .. high - 1}",
                  "torch.randint"};
    ops.push_back({"rand(SymInt[] size" CUTAWAY_OPTIONS, newShape<floatDefault, 0>, kRandom, kDrawn,
                   nullptr, sizes, uniform, drawn(Distribution::Uniform)});
    ops.push_back({"randn(SymInt[] size" CUTAWAY_OPTIONS, newShape<floatDefault, 0>, kRandom,
                   kDrawn, nullptr, sizes, normal, drawn(Distribution::Normal)});
    ops.push_back({"rand_like(Tensor self" CUTAWAY_LIKE_OPTIONS, newLike, VjpRule{noGradients},
                   kDrawn, nullptr, like, uniform, drawn(Distribution::Uniform, true)});
    ops.push_back({"randn_like(Tensor self" CUTAWAY_LIKE_OPTIONS, newLike, VjpRule{noGradients},
                   kDrawn, nullptr, like, normal, drawn(Distribution::Normal, true)});
    ops.push_back(
        {"randint(SymInt high, SymInt[] size, *, ScalarType? dtype=long, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor",
         newShape<intDefault, 1>, kRandom, kDrawn, nullptr,
         [] { return std::vector<Sample>{good({}, {I(10), L({3})})}; }, integer,
         drawn(Distribution::Integer)});
    ops.push_back({"randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=long, "
                   "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                   newShape<intDefault, 2>, kRandom, kDrawn, nullptr,
                   [] { return std::vector<Sample>{good({}, {I(-3), I(10), L({3, 2})})}; }, integer,
                   drawn(Distribution::Integer)});
}

} // namespace

std::vector<OpDef> factoryOps() {
    std::vector<OpDef> ops;
    addConstants(ops);
    addRanges(ops);
    return ops;
}
std::vector<OpDef> conversionOps() {
    std::vector<OpDef> ops;
    addConversions(ops);
    addCopies(ops);
    return ops;
}
std::vector<OpDef> randomOps() {
    std::vector<OpDef> ops;
    addRandom(ops);
    return ops;
}

} // namespace cutaway::ops
