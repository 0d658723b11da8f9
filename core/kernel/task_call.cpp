// SPDX-License-Identifier: Apache-2.0
// LinearAlgebra's row of the table of operations.
#include "core/kernel/row_call.h"

#include <fmt/format.h>

namespace cutaway::kernel {

namespace {

/// The matrix of operand \p which that belongs to the result's row at \p index.
SlowMatrix matrixOf(const LibraryCall& call, size_t which, std::span<const int64_t> index,
                    const RowElements& operand) {
    const auto sizes = ir::constants(call.operands[which].sizes);
    const size_t rank = sizes.size();
    std::vector<int64_t> at(index.begin(), index.end() - 1);
    at.resize(rank);
    SlowMatrix matrix(sizes[rank - 2], sizes[rank - 1]);
    for (int64_t& i = at[rank - 2]; i < matrix.rows; ++i)
        for (at[rank - 1] = 0; at[rank - 1] < matrix.columns; ++at[rank - 1])
            matrix(i, at[rank - 1]) = operand(which, at).real;
    return matrix;
}

} // namespace

/// Of n x n matrices, over n^3 (Golub and Van Loan, Matrix Computations); the least whole number
/// that is not below.
static int64_t flopsOfCube(const MatrixTask& task) {
    switch (task.kind) {
    case MatrixTask::Kind::Cholesky:
    case MatrixTask::Kind::Lu:
    case MatrixTask::Kind::Triangular:
        return 1;
    case MatrixTask::Kind::Solve:
    case MatrixTask::Kind::Inverse:
        return 3;
    case MatrixTask::Kind::Qr:
        return 4;
    case MatrixTask::Kind::Eigen:
        return task.values ? 2 : 9;
    case MatrixTask::Kind::Singular:
        return task.values ? 3 : 22;
    case MatrixTask::Kind::Exponential:
        return 40;
    case MatrixTask::Kind::General:
        return task.values ? 10 : 25;
    case MatrixTask::Kind::Reflectors:
        return 2;
    case MatrixTask::Kind::Symmetric:
    case MatrixTask::Kind::SymmetricSolve:
    case MatrixTask::Kind::Places:
    case MatrixTask::Kind::Fourier: // of n x 2: far below n^3
        return 1;
    }
    return 1;
}

ir::Sym taskFlops(const LibraryCall& call) {
    ir::Sym count(flopsOfCube(call.task));
    for (const ir::Sym& size : call.operands[0].sizes)
        count = count * size;
    return count * call.operands.back().sizes.back();
}

std::optional<std::string> verifyTask(const LibraryCall& call, const Buffer& result) {
    const size_t rank = call.sizes.size() + 1;
    for (const StridedView& view : call.operands) {
        if (view.sizes.size() != rank || rank < 2)
            return result.name + " has another number of batch dimensions than its operands";
        for (size_t d = 0; d + 2 < rank; ++d)
            if (!(view.sizes[d] == call.sizes[d]))
                return result.name + " and its operands differ in batch sizes";
    }
    if (call.operands.size() != (call.task.hasTwoOperands() ? 2u : 1u))
        return fmt::format("{}: {} takes another number of operands", result.name, call.task.str());
    if (result.dtype != ir::DType::Float32 && result.dtype != ir::DType::Float64)
        return fmt::format("{} of linear algebra is stored as {}", result.name,
                           ir::name(result.dtype));
    return std::nullopt;
}

Scalar taskElement(const LibraryCall& call, ir::DType dtype, std::span<const int64_t> index,
                   const RowElements& operand) {
    const SlowMatrix a = matrixOf(call, 0, index, operand);
    const SlowMatrix b =
        call.task.hasTwoOperands() ? matrixOf(call, 1, index, operand) : SlowMatrix(0, 0);
    return scalarOf(dtype, slowResult(call.task, a, b)[static_cast<size_t>(index.back())]);
}

std::string taskText(const LibraryCall& call) {
    if (call.op != LibraryOp::LinearAlgebra) return {};
    return "; " + call.task.str();
}

} // namespace cutaway::kernel
