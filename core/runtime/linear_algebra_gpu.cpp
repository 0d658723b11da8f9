// SPDX-License-Identifier: Apache-2.0
// Matrices of a GPU are LAPACK's on the host, too.
#include "core/runtime/cuda_device.h"
#include "core/runtime/linear_algebra.h"

namespace cutaway::runtime {
namespace {

/// Elements from a view's first to behind its last.
int64_t extent(const MatrixView& view, const std::vector<int64_t>& batch, int64_t rows,
               int64_t columns) {
    int64_t last = (rows - 1) * view.rowStride + (columns - 1) * view.columnStride;
    bool empty = rows == 0 || columns == 0;
    for (size_t d = 0; d < batch.size(); ++d) {
        last += (batch[d] - 1) * view.batchStrides[d];
        empty = empty || batch[d] == 0;
    }
    return empty ? 0 : last + 1;
}

class LapackBehindGpu : public LibraryKernel {
public:
    LapackBehindGpu(CudaDevice& device, const MatricesSpec& spec)
        : device_(device), onHost_(makeLapack(spec)), two_(spec.task.hasTwoOperands()) {
        auto bytes = [&](const MatrixView& view, int64_t rows, int64_t columns) {
            return static_cast<size_t>(extent(view, spec.batch, rows, columns)) *
                   ir::sizeBytes(spec.dtype);
        };
        memory_.emplace_back(bytes(spec.matrix, spec.rows, spec.columns));
        if (two_) memory_.emplace_back(bytes(spec.second, spec.rows, spec.right));
        memory_.emplace_back(bytes(spec.result, 1, spec.length()));
    }
    base::Status run(void* const* pointers, void* /*memory*/, int) override {
        device_.activate();
        std::vector<void*> host;
        for (size_t i = 0; i < memory_.size(); ++i) {
            host.push_back(memory_[i].data());
            if (!memory_[i].empty())
                CUTAWAY_CHECK(
                    device_.copyToHost(memory_[i].data(), pointers[i], memory_[i].size()));
        }
        CUTAWAY_CHECK(onHost_->run(host.data(), nullptr, 1));
        if (memory_.back().empty()) return {};
        return device_.copyFromHost(pointers[memory_.size() - 1], memory_.back().data(),
                                    memory_.back().size());
    }
    std::string implementation() const override {
        return onHost_->implementation() + " on the CPU, copied there and back";
    }

private:
    CudaDevice& device_;
    LibraryKernelPtr onHost_;
    bool two_;
    std::vector<std::vector<std::byte>> memory_; ///< of the operands, of the result
};

} // namespace

LibraryKernelPtr makeLapackBehindGpu(CudaDevice& device, const MatricesSpec& spec) {
    return std::make_unique<LapackBehindGpu>(device, spec);
}

} // namespace cutaway::runtime
