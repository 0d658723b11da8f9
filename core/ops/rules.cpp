// SPDX-License-Identifier: Apache-2.0
#include "core/ops/rules.h"

#include "core/ops/held_numbers.h"
#include "core/ops/memory_order.h"
#include "core/ops/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cutaway::ops {

using ir::DType;

base::Diagnostic refuse(const OpCall& call, std::string message, std::string hint) {
    std::string_view base = call.def.parsed.base;
    if (base.starts_with("prims.")) base.remove_prefix(6);
    return base::userError({}, fmt::format("{}: {}", base, message), std::move(hint));
}

namespace {

/// 0 nothing, 1 bool, 2 integer, 3 floating.
int category(std::optional<DType> dtype) {
    if (!dtype) return 0;
    if (*dtype == DType::Bool) return 1;
    return ir::isFloating(*dtype) ? 3 : 2;
}

std::optional<DType> promoteOptional(std::optional<DType> a, std::optional<DType> b) {
    if (!a) return b;
    if (!b) return a;
    return ir::promote(*a, *b);
}

/// The higher-ranking group wins unless the lower has a higher category.
std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
    if (!higher) return lower;
    return category(lower) > category(higher) ? promoteOptional(higher, lower) : higher;
}

} // namespace

DType resultDType(const OpCall& call, ArgSet args) {
    std::optional<DType> dims, zeroDims, scalars;
    for (size_t i : args) {
        if (!call.has(i)) continue;
        const ir::Arg& arg = call.args[i];
        if (arg.node()) {
            const ir::TensorType& type = call.tensor(i);
            auto& group = type.rank() == 0 ? zeroDims : dims;
            group = promoteOptional(group, type.dtype);
        } else if (std::holds_alternative<bool>(arg)) {
            scalars = promoteOptional(scalars, DType::Bool);
        } else if (std::holds_alternative<double>(arg)) {
            scalars = promoteOptional(scalars, call.defaultDType);
        } else {
            scalars = promoteOptional(scalars, DType::Int64);
        }
    }
    return combine(dims, combine(zeroDims, scalars)).value_or(call.defaultDType);
}

DType floatDType(const OpCall& call, ArgSet args) {
    DType dtype = resultDType(call, args);
    return ir::isFloating(dtype) ? dtype : call.defaultDType;
}

Result<ir::Device> commonDevice(const OpCall& call) {
    std::optional<ir::Device> device;
    bool zeroDim = false;
    for (ir::NodeId id : ir::inputNodes(call.args)) {
        const ir::TensorType& type = call.graph.node(id).type();
        const bool flexible = type.rank() == 0 && type.device == ir::Device{}; // a number
        if (!device || (zeroDim && !flexible)) {
            device = type.device;
            zeroDim = flexible;
        } else if (!flexible && !(*device == type.device)) {
            return base::userError({},
                                   fmt::format("Expected all tensors to be on the same device, but "
                                               "found at least two devices, {} and {}!",
                                               device->str(), type.device.str()),
                                   "move them with .to(device)");
        }
    }
    return device.value_or(ir::Device{});
}

Result<ir::Shape> broadcast(const OpCall& call, const ir::Shape& a, const ir::Shape& b) {
    size_t rank = std::max(a.size(), b.size());
    ir::Shape sizes(rank);
    for (size_t i = rank; i-- > 0;) { // the last that differ are told
        ir::Sym x = i + a.size() < rank ? ir::Sym(1) : a[i + a.size() - rank];
        ir::Sym y = i + b.size() < rank ? ir::Sym(1) : b[i + b.size() - rank];
        if (!x.is(1) && !y.is(1) && !call.same(x, y))
            return base::userError(
                {},
                fmt::format("The size of tensor a ({}) must match the size of tensor b ({}) at "
                            "non-singleton dimension {}",
                            x.str(), y.str(), i),
                fmt::format("{}: shapes {} and {}: sizes must be equal or 1, counted from the "
                            "last dimension",
                            call.def.parsed.base, ir::str(a), ir::str(b)));
        sizes[i] = x.is(1) ? y : x;
    }
    return sizes;
}

Result<ir::Shape> broadcastArgs(const OpCall& call, ArgSet args) {
    ir::Shape sizes;
    for (size_t i : args)
        if (call.isTensor(i)) {
            CUTAWAY_TRY(sizes, broadcast(call, sizes, call.tensor(i).sizes));
        }
    return sizes;
}

Types one(ir::TensorType type) {
    Types types;
    types.push_back(std::move(type));
    return types;
}

Result<Types> pointwiseType(const OpCall& call, DType dtype, ArgSet args) {
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    CUTAWAY_TRY(ir::Shape sizes, broadcastArgs(call, args));
    const ir::TensorType number; // a tensor without dimensions, to PyTorch's iterator
    std::vector<const ir::TensorType*> operands;
    for (size_t i : args)
        operands.push_back(call.isTensor(i) ? &call.tensor(i) : &number);
    ir::TensorType type{dtype, {}, elementwiseStrides(operands, sizes), device, false};
    type.sizes = std::move(sizes);
    return one(std::move(type));
}

ir::TensorType inOrderOf(const ir::TensorType& like, DType dtype, ir::Device device) {
    return {dtype, like.sizes, stridesLike(like), device, false};
}

Result<Types> sameUnary(const OpCall& call) {
    return pointwiseType(call, call.tensor(0).dtype, {0});
}
Result<Types> floatUnary(const OpCall& call) {
    return pointwiseType(call, floatDType(call, {0}), {0});
}
Result<Types> boolUnary(const OpCall& call) {
    return pointwiseType(call, DType::Bool, {0});
}
Result<Types> promoteBinary(const OpCall& call) {
    return pointwiseType(call, resultDType(call, {0, 1}), {0, 1});
}
Result<Types> floatBinary(const OpCall& call) {
    return pointwiseType(call, floatDType(call, {0, 1}), {0, 1});
}
Result<Types> compareBinary(const OpCall& call) {
    return pointwiseType(call, DType::Bool, {0, 1});
}
Result<Types> likeArg0(const OpCall& call) {
    const ir::TensorType& type = call.tensor(0);
    return one(ir::TensorType::contiguous(type.dtype, type.sizes, type.device));
}
Result<Types> likeArg1(const OpCall& call) {
    const ir::TensorType& type = call.tensor(1);
    return one(ir::TensorType::contiguous(type.dtype, type.sizes, type.device));
}

Result<std::vector<int>> dimList(const OpCall& call, size_t i, size_t rank) {
    if (!call.has(i)) return allDims(rank);
    std::vector<int> dims;
    int64_t count = std::max<int64_t>(static_cast<int64_t>(rank), 1);
    for (const ir::Sym& value : call.integers(i)) {
        int64_t dim = call.number(value);
        if (dim < -count || dim >= count) return dimensionOutside(dim, count);
        dims.push_back(static_cast<int>(dim < 0 ? dim + count : dim));
    }
    if (dims.empty()) return allDims(rank);
    std::sort(dims.begin(), dims.end());
    if (auto twin = std::adjacent_find(dims.begin(), dims.end()); twin != dims.end())
        return base::userError(
            {}, fmt::format("dim {} appears multiple times in the list of dims", *twin));
    if (rank == 0) dims.clear();
    return dims;
}

ir::Shape reducedSizes(const ir::Shape& sizes, const std::vector<int>& dims, bool keepdim) {
    ir::Shape result;
    for (size_t i = 0; i < sizes.size(); ++i) {
        bool reduced = std::find(dims.begin(), dims.end(), static_cast<int>(i)) != dims.end();
        if (!reduced) result.push_back(sizes[i]);
        if (reduced && keepdim) result.push_back(ir::Sym(1));
    }
    return result;
}

ExprId Elements::raw(size_t arg) const {
    size_t index = 0;
    for (size_t i = 0; i < arg; ++i)
        index += call_.isTensor(i);
    return inputs_[index];
}

ExprId Elements::as(size_t arg, DType dtype) const {
    if (call_.isTensor(arg)) return pool_.cast(dtype, raw(arg));
    return scalarOf(pool_, call_, arg, dtype);
}

ExprId constantOf(ExprPool& pool, DType dtype, double value) {
    if (ir::isFloating(dtype)) return pool.constant(dtype, value);
    return pool.constantInt(dtype, dtype == DType::Bool ? value != 0 : static_cast<int64_t>(value));
}

ExprId scalarOf(ExprPool& pool, const OpCall& call, size_t arg, DType dtype) {
    if (auto* size = std::get_if<ir::Sym>(&call.args[arg]); size && !size->isConst())
        return pool.cast(dtype, pool.index(*size));
    if (std::holds_alternative<double>(call.args[arg]) || ir::isFloating(dtype))
        return constantOf(pool, dtype, call.real(arg));
    return pool.constantInt(dtype, asElement(dtype, call.number(arg)));
}

ir::ArgList intList(std::span<const int> values) {
    ir::ArgList list;
    for (int value : values)
        list.push_back(intArg(value));
    return list;
}

ir::ArgList sizeList(const ir::Shape& sizes) {
    ir::ArgList list;
    for (const ir::Sym& size : sizes)
        list.push_back(ir::Arg(size));
    return list;
}

std::vector<int> allDims(size_t rank) {
    std::vector<int> dims(rank);
    std::iota(dims.begin(), dims.end(), 0);
    return dims;
}

} // namespace cutaway::ops
