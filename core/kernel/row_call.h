// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is done along one dimension by a library, or with every matrix of a batch: the rows Sort,
/// Scan and LinearAlgebra of the table of operations.
/// Internal to core/kernel.
#pragma once

#include "core/kernel/loop_program.h"
#include "core/kernel/scalar_eval.h"

namespace cutaway::kernel {

/// Comparisons of a merge sort.
ir::Sym sortFlops(const LibraryCall& call);
ir::Sym scanFlops(const LibraryCall& call);
std::optional<std::string> verifyRows(const LibraryCall& call, const Buffer& result);
using RowElements = std::function<Scalar(size_t which, std::span<const int64_t> index)>;
Scalar sortElement(const LibraryCall& call, ir::DType dtype, std::span<const int64_t> index,
                   const RowElements& operand);
/// What Scan makes of the elements so far, sums of floating values in double.
class RunningValue {
public:
    RunningValue() = default;
    /// \param element the elements' dtype
    RunningValue(RowCall::Running how, ir::DType element) : how_(how), element_(element) {}
    /// \param at its position in the row
    void add(const Scalar& element, int64_t at);
    /// As the result's dtype has it; of Max and Min the extreme.
    Scalar value(ir::DType result) const;
    int64_t place() const { return place_; } ///< Max and Min

private:
    RowCall::Running how_ = RowCall::Running::Sum;
    ir::DType element_ = ir::DType::Float32;
    Scalar state_;
    int64_t place_ = -1; ///< -1: nothing was added
};
Scalar scanElement(const LibraryCall& call, ir::DType dtype, std::span<const int64_t> index,
                   const RowElements& operand);

// LinearAlgebra.
ir::Sym taskFlops(const LibraryCall& call);
std::optional<std::string> verifyTask(const LibraryCall& call, const Buffer& result);
Scalar taskElement(const LibraryCall& call, ir::DType dtype, std::span<const int64_t> index,
                   const RowElements& operand);
/// "; cholesky, quiet".
std::string taskText(const LibraryCall& call);

/// "; along 1, descending", "; along 0, sum, backwards".
std::string rowText(const LibraryCall& call);
/// What it says of an operation, after "along N".
bool readRowWord(std::string_view word, LibraryOp op, RowCall& row);

} // namespace cutaway::kernel
