// SPDX-License-Identifier: Apache-2.0
// Other dtypes, devices and memory formats, and copies.
#include "core/ops/factory_rules.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/memory_order.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"
#include "core/ops/written_view.h"

namespace cutaway::ops {

namespace {

using ir::DType;

Result<Types> convertShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    return one(inOrderOf(self, call.dtype(1), self.device));
}

Formula convertGradient(Vjp& v) {
    return convert(v.grad, v.type(0).dtype);
}

/// Whether a tensor of \p type lies as \p wanted does: strides of single elements do not count.
bool liesAs(const OpCall& call, const ir::TensorType& type, const ir::TensorType& wanted) {
    if (type.numel().is(0)) return true;
    for (size_t d = 0; d < type.rank(); ++d)
        if (!type.sizes[d].is(1) && !call.same(type.strides[d], wanted.strides[d])) return false;
    return true;
}

/// Whether to() finds \p self in the memory format that it asks for, as its strides say it.
bool isInFormat(const OpCall& call, size_t arg, const ir::TensorType& self) {
    if (!call.has(arg)) return true;
    const std::string& format = std::get<std::string>(call.args[arg]);
    return format == "preserve_format" ||
           isChannelsLast(self) == format.starts_with("channels_last");
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
    const bool kept = isInFormat(call, argNamed(call, "memory_format"), self);
    if (same && kept && call.def.parsed.base == "to") return one(type);
    return one(std::move(wanted));
}

Results toByConvert(const Operands& x) {
    const ir::TensorType self = x.type(0), want = x.node.types[0];
    const OpCall call = x.call();
    Value moved = x[0];
    if (!(self.device == want.device)) moved = aten("prims.device_put", moved, want.device);
    moved = convert(moved, want.dtype);
    if (!call.same(moved.type().strides, want.strides))
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
             const ir::TensorType& type = call.tensor(0);
             const auto& device = std::get<ir::Device>(call.args[1]);
             return one(device == type.device ? type : inOrderOf(type, type.dtype, device));
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

} // namespace

std::vector<OpDef> conversionOps() {
    std::vector<OpDef> ops;
    addConversions(ops);
    addCopies(ops);
    return ops;
}

} // namespace cutaway::ops
