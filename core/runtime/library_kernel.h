// SPDX-License-Identifier: Apache-2.0
/// \file
/// A library call made ready to run, whoever computes it, and what every call has besides its
/// operation: the result's place, a bias and epilogues.
#pragma once

#include "core/base/result.h"
#include "core/ir/element.h"
#include "core/kernel/library_call.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace cutaway::runtime {

/// One call, prepared: everything that depends on sizes only is done. Not for two threads at once.
class LibraryKernel {
public:
    virtual ~LibraryKernel() = default;
    /// Bytes of memory that a run needs for itself, on the device; on up to \p threads threads. The
    /// calls of a program, one after the other, share a block as large as the largest of them.
    virtual int64_t workspace(int /*threads*/) const { return 0; }
    /// \param pointers the operands, the bias if any, the tensor of each AddTensor, the result.
    /// \param memory workspace() bytes, at a multiple of 64 (GPU: 256); what they hold is lost.
    /// On a GPU the work is queued, not waited for. \param threads of the CPU
    virtual base::Status run(void* const* pointers, void* memory, int threads) = 0;
    /// Whether it keeps a copy of operand number \p which, in a layout of its own, from run to run.
    virtual bool keeps(size_t /*which*/) const { return false; }
    /// Says of such an operand, before the next run, that it holds what it held at the last one.
    virtual void sameAsLast(size_t /*which*/) {}
    /// What computes it: "oneDNN brg:avx512_core", "loops", "cuBLASLt, bias and relu inside".
    virtual std::string implementation() const = 0;
};
using LibraryKernelPtr = std::unique_ptr<LibraryKernel>;

/// A window [batch..., rows, columns] with plain numbers; strides in elements, 0 repeats.
struct MatrixView {
    std::vector<int64_t> batchStrides;
    int64_t rowStride = 0, columnStride = 0;

    bool operator==(const MatrixView&) const = default;
};

struct EpilogueSpec {
    kernel::Epilogue::Kind kind = kernel::Epilogue::Kind::Relu;
    double scalar = 0;
    MatrixView tensor; ///< AddTensor
};

/// What follows the operation: result = epilogues(operation + bias), the result [batch..., m, n].
struct ResultSpec {
    ir::DType dtype = ir::DType::Float32;
    std::vector<int64_t> batch;
    int64_t m = 0, n = 0;
    MatrixView result;
    std::optional<MatrixView> bias;
    std::vector<EpilogueSpec> epilogues;

    int64_t batches() const;
    /// Pointers that LibraryKernel::run takes; the operation has two operands.
    size_t pointerCount() const;
    /// Which of them is the first AddTensor's.
    size_t firstTensor() const { return bias ? 3 : 2; }
};

/// A rectangle of one matrix of the result.
struct MatrixRange {
    int64_t batch = 0;
    int64_t mBegin = 0, mEnd = 0, nBegin = 0, nEnd = 0;
};

/// Adds the bias (when \p addBias) and applies the epilogues from number \p first on, in place.
void finishResult(const ResultSpec& spec, bool addBias, size_t first, void* const* pointers,
                  const MatrixRange& range);
/// The same for the whole result, on several threads.
void finishResult(const ResultSpec& spec, bool addBias, size_t first, void* const* pointers,
                  int threads);

/// Elements from an operand's start to its matrix number \p index.
int64_t batchOffset(const MatrixView& operand, const std::vector<int64_t>& sizes, int64_t index);

/// Calls \p body with a value of the C++ type that \p dtype is computed in; Bool counts as numbers.
template <typename Body> void withType(ir::DType dtype, const Body& body) {
    ir::withElement(dtype, [&]<typename T>(T value) {
        if constexpr (std::is_same_v<T, ir::Truth>)
            body(uint8_t{});
        else if constexpr (std::is_arithmetic_v<T>)
            body(value);
        else
            throw std::logic_error(
                "a library was asked for products of a dtype that is only stored");
    });
}

} // namespace cutaway::runtime
