// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the family files share: PyTorch's type promotion and broadcasting, common shape rules, and
/// reading operands while lowering. Internal to core/ops.
#pragma once

#include "core/ops/op_def.h"

#include <initializer_list>

namespace cutaway::ops {

using base::ErrorClass;
using base::Result;
using kernel::ExprId;
using kernel::ExprPool;
using kernel::ScalarOp;
using Types = std::vector<ir::TensorType>;
using Inputs = std::span<const ExprId>;
using ArgSet = std::initializer_list<size_t>;

/// User error "NAME: message" without location.
base::Diagnostic refuse(const OpCall& call, std::string message, std::string hint = {});

/// torch.result_type of tensor and scalar arguments: categories bool < integer < floating; scalars
/// and 0-dim tensors matter only when their category is higher.
ir::DType resultDType(const OpCall& call, ArgSet args);
/// The same, with integers made the default float: sin(int64) is float32.
ir::DType floatDType(const OpCall& call, ArgSet args);
/// The device of every tensor argument; 0-dim CPU tensors go with any device.
Result<ir::Device> commonDevice(const OpCall& call);
Result<ir::Shape> broadcast(const OpCall& call, const ir::Shape& a, const ir::Shape& b);
/// Sizes of the tensors among \p args broadcast together.
Result<ir::Shape> broadcastArgs(const OpCall& call, ArgSet args);
/// A result of that dtype over the broadcast sizes, in the memory order of the operands.
Result<Types> pointwiseType(const OpCall& call, ir::DType dtype, ArgSet args);
Types one(ir::TensorType type);
/// Dense, with the sizes and the memory order of \p like (PyTorch: preserve_format).
ir::TensorType inOrderOf(const ir::TensorType& like, ir::DType dtype, ir::Device device);

// Shape rules that whole families use.
Result<Types> sameUnary(const OpCall& call);  ///< dtype of argument 0
Result<Types> floatUnary(const OpCall& call); ///< integers become the default float
Result<Types> boolUnary(const OpCall& call);
Result<Types> promoteBinary(const OpCall& call); ///< arguments 0 and 1
Result<Types> floatBinary(const OpCall& call);   ///< arguments 0 and 1, integers become float
Result<Types> compareBinary(const OpCall& call); ///< bool over arguments 0 and 1
Result<Types> likeArg0(const OpCall& call);      ///< contiguous with argument 0's dtype and sizes
Result<Types> likeArg1(const OpCall& call);

/// Sorted, wrapped dimensions of argument \p i (None or an empty list: all).
Result<std::vector<int>> dimList(const OpCall& call, size_t i, size_t rank);
/// Sizes after reducing \p dims.
ir::Shape reducedSizes(const ir::Shape& sizes, const std::vector<int>& dims, bool keepdim);

/// The operands of a pointwise expression: tensors' elements and scalars by argument position.
class Elements {
public:
    Elements(ExprPool& pool, const OpCall& call, Inputs inputs)
        : pool_(pool), call_(call), inputs_(inputs) {}
    /// Tensor argument \p arg as it is.
    ExprId raw(size_t arg) const;
    /// Tensor or scalar argument \p arg in \p dtype.
    ExprId as(size_t arg, ir::DType dtype) const;

private:
    ExprPool& pool_;
    const OpCall& call_;
    Inputs inputs_;
};

/// A constant of any dtype.
ExprId constantOf(ExprPool& pool, ir::DType dtype, double value);
/// A scalar argument as a constant of \p dtype.
ExprId scalarOf(ExprPool& pool, const OpCall& call, size_t arg, ir::DType dtype);

/// An integer constant of the schema's kind.
inline ir::Arg intArg(int64_t value) {
    return ir::Arg(ir::Sym(value));
}
ir::ArgList intList(std::span<const int> values);
ir::ArgList sizeList(const ir::Shape& sizes);
inline ir::ArgList intList(std::initializer_list<int> values) {
    return intList(std::span<const int>(values.begin(), values.size()));
}
std::vector<int> allDims(size_t rank);

} // namespace cutaway::ops
