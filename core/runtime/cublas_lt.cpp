// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cublas_lt.h"

#include "core/jit/cuda_library.h"
#include "core/runtime/cuda_handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace cutaway::runtime {
namespace {

// What of cublasLt.h is used; the numbers are part of its stable binary interface.
using Handle = void*;
using Descriptor = void*;
struct Algorithm {
    uint64_t data[8];
};
struct Heuristic {
    Algorithm algorithm;
    size_t workspaceBytes;
    int state;
    float waves;
    int reserved[4];
};
enum { kFloat = 0, kDouble = 1, kHalf = 2, kBfloat = 14 }; // CUDA_R_32F, _64F, _16F, _16BF
enum { kComputeFloat = 68, kComputeDouble = 70, kComputeTf32 = 77 };
enum { kTransA = 3, kTransB = 4, kEpilogue = 7, kBiasPointer = 8 };
enum { kBatchCount = 5, kBatchStride = 6 };
enum { kMaxWorkspace = 1, kAlignmentA = 5, kAlignmentB = 6, kAlignmentC = 7, kAlignmentD = 8 };
enum { kEpilogueNone = 1, kEpilogueRelu = 2, kEpilogueBias = 4 };
constexpr uint64_t kWorkspaceBytes = 32 << 20;
constexpr const char* kHint = "install the CUDA toolkit's cuBLAS, or set CUDA_HOME to it";

struct Library {
    int (*create)(Handle*) = nullptr;
    int (*descCreate)(Descriptor*, int, int) = nullptr;
    int (*descDestroy)(Descriptor) = nullptr;
    int (*descSet)(Descriptor, int, const void*, size_t) = nullptr;
    int (*layoutCreate)(Descriptor*, int, uint64_t, uint64_t, int64_t) = nullptr;
    int (*layoutDestroy)(Descriptor) = nullptr;
    int (*layoutSet)(Descriptor, int, const void*, size_t) = nullptr;
    int (*preferenceCreate)(Descriptor*) = nullptr;
    int (*preferenceDestroy)(Descriptor) = nullptr;
    int (*preferenceSet)(Descriptor, int, const void*, size_t) = nullptr;
    int (*heuristic)(Handle, Descriptor, Descriptor, Descriptor, Descriptor, Descriptor, Descriptor,
                     int, Heuristic*, int*) = nullptr;
    int (*matmul)(Handle, Descriptor, const void*, const void*, Descriptor, const void*, Descriptor,
                  const void*, const void*, Descriptor, void*, Descriptor, const Algorithm*, void*,
                  size_t, CuStream) = nullptr;
    const char* (*statusString)(int) = nullptr;

    bool load(const jit::CudaLibrary& from) {
        return from.load(create, "cublasLtCreate") &&
               from.load(descCreate, "cublasLtMatmulDescCreate") &&
               from.load(descDestroy, "cublasLtMatmulDescDestroy") &&
               from.load(descSet, "cublasLtMatmulDescSetAttribute") &&
               from.load(layoutCreate, "cublasLtMatrixLayoutCreate") &&
               from.load(layoutDestroy, "cublasLtMatrixLayoutDestroy") &&
               from.load(layoutSet, "cublasLtMatrixLayoutSetAttribute") &&
               from.load(preferenceCreate, "cublasLtMatmulPreferenceCreate") &&
               from.load(preferenceDestroy, "cublasLtMatmulPreferenceDestroy") &&
               from.load(preferenceSet, "cublasLtMatmulPreferenceSetAttribute") &&
               from.load(heuristic, "cublasLtMatmulAlgoGetHeuristic") &&
               from.load(matmul, "cublasLtMatmul") &&
               from.load(statusString, "cublasLtGetStatusString");
    }
};

base::Result<Library> openLibrary() {
    CUTAWAY_TRY(jit::CudaLibrary file,
                jit::CudaLibrary::open("cuBLASLt, which computes matrix products,",
                                       {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"},
                                       kHint));
    Library library;
    if (!library.load(file))
        return base::environmentError("the cuBLASLt library found is too old",
                                      "install CUDA toolkit 12 or newer");
    return library;
}

int typeOf(ir::DType dtype) {
    switch (dtype) {
    case ir::DType::Float64:
        return kDouble;
    case ir::DType::Float16:
        return kHalf;
    case ir::DType::BFloat16:
        return kBfloat;
    default:
        return kFloat;
    }
}

base::Status start(const Library& lt, CudaDevice&, Handle& handle) {
    if (int status = lt.create(&handle))
        return base::environmentError(
            fmt::format("cuBLASLt cannot start: {}", lt.statusString(status)), kHint);
    return {};
}

} // namespace

struct LtProduct::State {
    const Library* lt = nullptr;
    CudaDevice* device = nullptr;
    Handle handle = nullptr;
    LtProblem problem;
    Descriptor desc = nullptr, a = nullptr, b = nullptr, c = nullptr, d = nullptr;
    Heuristic chosen{};

    Descriptor layout(const LtMatrix& m) const {
        Descriptor made = nullptr;
        lt->layoutCreate(&made, typeOf(problem.dtype), uint64_t(m.rows), uint64_t(m.columns),
                         m.leading);
        const auto count = static_cast<int32_t>(problem.batch);
        lt->layoutSet(made, kBatchCount, &count, sizeof count);
        lt->layoutSet(made, kBatchStride, &m.batchStride, sizeof m.batchStride);
        return made;
    }
    bool choose();
};

bool LtProduct::State::choose() {
    const bool twice = problem.dtype == ir::DType::Float64;
    const bool rounds = problem.tf32 && problem.dtype == ir::DType::Float32;
    const int compute = twice ? kComputeDouble : rounds ? kComputeTf32 : kComputeFloat;
    if (lt->descCreate(&desc, compute, twice ? kDouble : kFloat)) return false;
    const int32_t transA = problem.a.transposed, transB = problem.b.transposed;
    lt->descSet(desc, kTransA, &transA, sizeof transA);
    lt->descSet(desc, kTransB, &transB, sizeof transB);
    const uint32_t epilogue = problem.bias || problem.relu ? (problem.bias ? kEpilogueBias : 0) |
                                                                 (problem.relu ? kEpilogueRelu : 0)
                                                           : kEpilogueNone;
    if (lt->descSet(desc, kEpilogue, &epilogue, sizeof epilogue)) return false;
    const LtMatrix& c0 = problem.c ? *problem.c : problem.d;
    a = layout(problem.a);
    b = layout(problem.b);
    c = layout(c0);
    d = layout(problem.d);
    Descriptor preference = nullptr;
    lt->preferenceCreate(&preference);
    const uint64_t workspace = kWorkspaceBytes;
    lt->preferenceSet(preference, kMaxWorkspace, &workspace, sizeof workspace);
    const std::pair<int, int> alignments[] = {{kAlignmentA, problem.a.alignment},
                                              {kAlignmentB, problem.b.alignment},
                                              {kAlignmentC, c0.alignment},
                                              {kAlignmentD, problem.d.alignment}};
    for (auto [attribute, bytes] : alignments) {
        const auto value = static_cast<uint32_t>(bytes);
        lt->preferenceSet(preference, attribute, &value, sizeof value);
    }
    int found = 0;
    const int status = lt->heuristic(handle, desc, a, b, c, d, preference, 1, &chosen, &found);
    lt->preferenceDestroy(preference);
    return status == 0 && found > 0 && chosen.state == 0;
}

LtProduct::LtProduct(std::unique_ptr<State> state) : state_(std::move(state)) {}

LtProduct::~LtProduct() {
    if (state_->desc) state_->lt->descDestroy(state_->desc);
    for (Descriptor layout : {state_->a, state_->b, state_->c, state_->d})
        if (layout) state_->lt->layoutDestroy(layout);
}

base::Result<std::unique_ptr<LtProduct>> LtProduct::make(CudaDevice& device,
                                                         const LtProblem& problem) {
    auto state = std::make_unique<State>();
    CUTAWAY_TRY(state->lt, openedOnce(openLibrary));
    CUTAWAY_TRY(state->handle, handleOf(*state->lt, device, start));
    state->device = &device;
    state->problem = problem;
    device.activate();
    std::unique_ptr<LtProduct> product(new LtProduct(std::move(state)));
    if (!product->state_->choose()) product.reset();
    return product;
}

int64_t LtProduct::workspace() const {
    return static_cast<int64_t>(state_->chosen.workspaceBytes);
}

base::Status LtProduct::run(const void* a, const void* b, const void* c, const void* bias, void* d,
                            void* workspace) const {
    const State& s = *state_;
    if (bias) s.lt->descSet(s.desc, kBiasPointer, &bias, sizeof bias);
    const float alphaFloat = static_cast<float>(s.problem.alpha), betaFloat = c ? 1.0f : 0.0f;
    const double betaDouble = c ? 1.0 : 0.0;
    const bool twice = s.problem.dtype == ir::DType::Float64;
    const void* alpha = twice ? static_cast<const void*>(&s.problem.alpha) : &alphaFloat;
    const void* beta = twice ? static_cast<const void*>(&betaDouble) : &betaFloat;
    const int status =
        s.lt->matmul(s.handle, s.desc, alpha, a, s.a, b, s.b, beta, c ? c : d, s.c, d, s.d,
                     &s.chosen.algorithm, workspace, s.chosen.workspaceBytes, s.device->stream());
    if (status == 0) return {};
    return base::environmentError(
        fmt::format("cuBLASLt cannot multiply: {}", s.lt->statusString(status)),
        "check that cuBLAS and the driver belong together");
}

} // namespace cutaway::runtime
