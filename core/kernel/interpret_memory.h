// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory and expression evaluation of the slow interpreters. Internal to core/kernel.
#pragma once

#include "core/base/result.h"
#include "core/kernel/address.h"
#include "core/kernel/kernel_program.h"
#include "core/kernel/loop_tree.h"
#include "core/kernel/scalar_eval.h"

#include <map>
#include <span>

namespace cutaway::kernel {

/// Values of loop variables and size symbols, by kind.
struct LoopState {
    std::vector<int64_t> d, r, o, s;
    int64_t i = 0;
    int64_t operator()(ir::Var v) const;
    void set(ir::Var v, int64_t value);
};
int64_t valueOf(const ir::Sym& sym, const LoopState& state);

/// Thrown where a value does not meet a check.
struct CheckFailed {
    base::Diagnostic why;
};

/// A buffer's elements as they lie in memory.
struct Image {
    const Buffer* buffer = nullptr;
    std::vector<Scalar> elements;
    std::vector<int64_t> strides;

    Image(const Buffer& buffer, std::vector<int64_t> sizes, std::vector<int64_t> strides);
    Scalar& at(const std::vector<int64_t>& coords);
};

/// A computed element as memory of \p dtype keeps it.
inline Scalar stored(const Scalar& value, ir::DType dtype) {
    return convert(value, ir::computeType(dtype), dtype);
}

/// Images of all buffers, made when first touched.
class Memory {
public:
    /// \param symbols values of the size symbols, as far as they are known before the inputs
    explicit Memory(const LoopProgram& program, std::span<const int64_t> symbols = {})
        : program_(program) {
        sizes_.s.assign(symbols.begin(), symbols.end());
    }
    const LoopProgram& program() const { return program_; }
    /// What the size symbols are, as far as is known.
    const LoopState& sizes() const { return sizes_; }
    /// Errors (std::logic_error): a symbol that nothing has told.
    int64_t sizeOf(const ir::Sym& size) const { return valueOf(size, sizes_); }
    std::vector<int64_t> sizesOf(const ir::Shape& shape) const;
    /// Errors (std::logic_error): a coordinate that is not inside of its dimension.
    void checkInside(BufferId id, const std::vector<int64_t>& coords) const;
    /// Takes the symbols of \p shape from \p sizes. False when they contradict what is known.
    bool bind(const ir::Shape& shape, const std::vector<int64_t>& sizes);
    Image& image(BufferId id);
    void fill(BufferId id, const ir::HostTensor& values);
    /// The view's elements, row-major.
    ir::HostTensor read(const StridedView& view);
    /// Element of a strided view at \p coords.
    Scalar& element(const StridedView& view, const std::vector<int64_t>& coords);
    /// The slow meaning of a library call, without epilogues.
    void call(LibraryCall call, BufferId result);

private:
    const LoopProgram& program_;
    LoopState sizes_;
    std::map<BufferId, Image> images_;
};

/// Runs a kernel's tree.
void runTree(Memory& memory, const LoopTree& tree);

/// Fills the inputs. Errors: see interpret.
base::Status loadInputs(Memory& memory, std::span<const ir::HostTensor> inputs);
std::vector<ir::HostTensor> readOutputs(Memory& memory);

/// An expression made ready for repeated evaluation.
class Evaluation {
public:
    Evaluation(Memory& memory, ExprId root);
    /// \p locals gives the value of a local.
    Scalar operator()(const LoopState& state, const std::function<Scalar(LocalId)>& locals);
    ir::DType dtype() const;

private:
    Scalar evaluateNode(size_t at, const LoopState& state,
                        const std::function<Scalar(LocalId)>& locals);
    size_t slot(ExprId id) const;
    Memory& memory_;
    std::vector<ExprId> nodes_;
    std::vector<Scalar> values_;
};

/// Collects elements into one; sums and products of floating values in double.
class Accumulator {
public:
    Accumulator() = default;
    Accumulator(ReduceOp op, ir::DType element, ir::DType result);
    /// \p index counts the reduced elements in row-major order.
    void add(const Scalar& value, int64_t index);
    Scalar result() const;
    /// The other result, of those that have two: the element at the position; the mean.
    Scalar other() const;

private:
    ReduceOp op_ = ReduceOp::Sum;
    ir::DType element_ = ir::DType::Float32, result_ = ir::DType::Float32;
    ir::DType wide_ = ir::DType::Float64; ///< what partial results are kept in
    Scalar value_;
    int64_t best_ = -1;
    int64_t count_ = 0;             ///< Welford
    double mean_ = 0, squares_ = 0; ///< Welford
};

/// Calls \p body for every combination of indices below \p sizes, last one fastest.
void forEachIndex(const std::vector<int64_t>& sizes,
                  const std::function<void(const std::vector<int64_t>&)>& body);

} // namespace cutaway::kernel
