// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scheduled kernels written by hand, one for every way in which the CUDA emitter lays out threads.
#pragma once

#include "core/kernel/kernel_program.h"
#include "core/kernel/row_tree.h"

#include <memory>
#include <string>
#include <vector>

namespace cutaway::tests {

/// Puts a program of one kernel together.
class KernelCase {
public:
    explicit KernelCase(std::string name);

    kernel::BufferId input(const std::string& name, ir::DType dtype, std::vector<int64_t> sizes,
                           std::vector<int64_t> strides = {});
    kernel::BufferId output(const std::string& name, ir::DType dtype, std::vector<int64_t> sizes);
    /// Loops: outer dimensions and, unless negative, an inner one.
    void loops(std::vector<int64_t> outer, int64_t inner);
    void phase(bool inner);  ///< statements go here from now on
    void finish(bool inner); ///< or here
    kernel::ExprId let(const std::string& name, kernel::ExprId value);
    kernel::ExprId reduce(kernel::RowOp op, const std::string& name, kernel::ReduceOp how,
                          kernel::ExprId value);
    void store(kernel::BufferId target, std::vector<ir::Sym> coords, kernel::ExprId value);

    kernel::ExprPool& pool() { return program->loops.pool; }
    kernel::ExprId load(kernel::BufferId buffer, std::vector<ir::Sym> coords);
    kernel::ExprId number(double value, ir::DType dtype = ir::DType::Float32);
    template <typename... Args> kernel::ExprId op(kernel::ScalarOp o, Args... args) {
        return pool().op(o, {args...});
    }

    /// Puts the statements into the kernel's tree; after the last one.
    KernelCase& done();
    const kernel::Kernel& kernel() const { return program->kernels[0]; }
    std::shared_ptr<kernel::KernelProgram> program = std::make_shared<kernel::KernelProgram>();
    /// Values of an input are drawn from [low, high).
    double low = -2, high = 2;

private:
    kernel::BufferId addBuffer(const std::string& name, ir::DType dtype, std::vector<int64_t> sizes,
                               std::vector<int64_t> strides, kernel::BufferKind kind);
    kernel::RowTreeBuilder::Body& body() { return inFinish_ ? finish_.back() : passes_.back(); }
    std::optional<kernel::RowTreeBuilder> tree_;
    std::vector<kernel::RowTreeBuilder::Body> passes_, finish_;
    bool inFinish_ = false;
};

std::vector<KernelCase> cudaCases();

} // namespace cutaway::tests
