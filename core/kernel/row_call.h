// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is done along one dimension by a library: the rows Sort and Scan of the table of operations.
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
Scalar scanElement(const LibraryCall& call, ir::DType dtype, std::span<const int64_t> index,
                   const RowElements& operand);

/// "; along 1, descending", "; along 0, sum, backwards".
std::string rowText(const LibraryCall& call);
/// What it says of an operation, after "along N".
bool readRowWord(std::string_view word, LibraryOp op, RowCall& row);

} // namespace cutaway::kernel
