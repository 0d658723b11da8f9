// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convolutions by cuDNN's graph interface (cudnn_graph.h): the execution plan is made once, and a
/// call only runs it. The older interface makes one in every call, tens of microseconds on the CPU.
#pragma once

#include "core/ir/dtype.h"
#include "core/jit/cuda_library.h"
#include "core/kernel/library_call.h"

#include <memory>
#include <vector>

namespace cutaway::runtime {

/// What of the interface is used. A descriptor is a pointer to what the library made.
struct CudnnGraphFunctions {
    int (*create)(int kind, void** made) = nullptr;
    int (*destroy)(void* descriptor) = nullptr;
    int (*set)(void* descriptor, int attribute, int type, int64_t count,
               const void* values) = nullptr;
    int (*get)(void* descriptor, int attribute, int type, int64_t asked, int64_t* given,
               void* values) = nullptr;
    int (*finalize)(void* descriptor) = nullptr;
    int (*execute)(void* handle, void* plan, void* variantPack) = nullptr;

    bool load(const jit::CudaLibrary& from);
};

/// A convolution of two spatial dimensions at least, in cuDNN's words.
struct CudnnProblem {
    struct Tensor {
        std::vector<int64_t> sizes, strides;
        int64_t alignment = 16; ///< of its address, bytes
    };
    kernel::LibraryOp op = kernel::LibraryOp::Convolution;
    ir::DType dtype = ir::DType::Float32;
    int dataType = 0, computeType = 0; ///< cudnnDataType_t
    Tensor image, weight, output;
    std::vector<int64_t> padding, stride, dilation;
    bool tf32 = false;          ///< float32 may be rounded to it
    bool deterministic = false; ///< the same bits in every run
};

class CudnnPlan {
public:
    /// The plan that the library's heuristic names first of those that keep the precision: no
    /// operand and no partial sum is rounded below what the problem says. Null when there is none.
    static std::unique_ptr<CudnnPlan> make(const CudnnGraphFunctions& dnn, void* handle,
                                           const CudnnProblem& problem);
    ~CudnnPlan();
    CudnnPlan(const CudnnPlan&) = delete;
    CudnnPlan& operator=(const CudnnPlan&) = delete;
    size_t workspaceBytes() const;
    /// Queues it. \returns cudnnStatus_t, 0 when it was
    int run(void* image, void* weight, void* output, void* workspace) const;

private:
    struct State;
    explicit CudnnPlan(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace cutaway::runtime
