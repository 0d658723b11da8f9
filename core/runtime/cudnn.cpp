// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cudnn.h"

#include "core/jit/cuda_library.h"
#include "core/runtime/cuda_generic.h"
#include "core/runtime/cuda_handles.h"
#include "core/runtime/cudnn_plan.h"
#include "core/runtime/deterministic.h"
#include "core/runtime/precision.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::runtime {
namespace {

using kernel::LibraryOp;

// What of cudnn.h is used, the interface that versions 8 and 9 share; the numbers are part of it.
using Handle = void*;
using Descriptor = void*;
enum {
    kFloat = 0,
    kDouble = 1,
    kHalf = 2,
    kBfloat = 9
}; // CUDNN_DATA_FLOAT, _DOUBLE, _HALF, _BFLOAT16
enum { kNchw = 0, kNhwc = 1, kCrossCorrelation = 1 };
enum { kRelu = 1, kIdentity = 5, kPropagateNan = 1 };
// CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM: the one that takes no activation at all.
enum { kPreciseGemm = 1 };
// CUDNN_DEFAULT_MATH, CUDNN_TENSOR_OP_MATH, CUDNN_FMA_MATH
enum { kAllowTf32 = 0, kTensorCores = 1, kFullPrecision = 3 };
struct Performance {
    int algorithm;
    int status;
    float time;
    size_t memory;
    int determinism;
    int mathType;
    int reserved[3];
};
constexpr int kAsked = 8;
constexpr const char* kHint = "install cuDNN 8 or 9 beside the CUDA toolkit";

struct Library {
    int (*create)(Handle*) = nullptr;
    int (*setStream)(Handle, CuStream) = nullptr;
    int (*createTensor)(Descriptor*) = nullptr;
    int (*setTensor)(Descriptor, int, int, const int*, const int*) = nullptr;
    int (*destroyTensor)(Descriptor) = nullptr;
    int (*createFilter)(Descriptor*) = nullptr;
    int (*setFilter)(Descriptor, int, int, int, const int*) = nullptr;
    int (*destroyFilter)(Descriptor) = nullptr;
    int (*createConvolution)(Descriptor*) = nullptr;
    int (*setConvolution)(Descriptor, int, const int*, const int*, const int*, int, int) = nullptr;
    int (*setMath)(Descriptor, int) = nullptr;
    int (*setGroups)(Descriptor, int) = nullptr;
    int (*destroyConvolution)(Descriptor) = nullptr;
    /// Of the three operations: choose(handle, .. four descriptors .., asked, given, results).
    using Choose = int (*)(Handle, Descriptor, Descriptor, Descriptor, Descriptor, int, int*,
                           Performance*);
    Choose choose[3] = {};
    /// run(handle, one, first, at first, second, at second, convolution, algorithm, workspace,
    /// bytes, zero, result, at result): the three operations have one shape.
    using Run = int (*)(Handle, const void*, Descriptor, const void*, Descriptor, const void*,
                        Descriptor, int, void*, size_t, const void*, Descriptor, void*);
    Run run[3] = {};
    int (*createActivation)(Descriptor*) = nullptr;
    int (*setActivation)(Descriptor, int, int, double) = nullptr;
    int (*destroyActivation)(Descriptor) = nullptr;
    /// forward(handle, one, image, at image, weight, at weight, convolution, algorithm, workspace,
    /// bytes, factor, added, at added, bias, at bias, activation, output, at output).
    int (*forward)(Handle, const void*, Descriptor, const void*, Descriptor, const void*,
                   Descriptor, int, void*, size_t, const void*, Descriptor, const void*, Descriptor,
                   const void*, Descriptor, Descriptor, void*) = nullptr;
    const char* (*errorString)(int) = nullptr;
    CudnnGraphFunctions graph;

    bool load(const jit::CudaLibrary& from) {
        return from.load(create, "cudnnCreate") && from.load(setStream, "cudnnSetStream") &&
               from.load(createTensor, "cudnnCreateTensorDescriptor") &&
               from.load(setTensor, "cudnnSetTensorNdDescriptor") &&
               from.load(destroyTensor, "cudnnDestroyTensorDescriptor") &&
               from.load(createFilter, "cudnnCreateFilterDescriptor") &&
               from.load(setFilter, "cudnnSetFilterNdDescriptor") &&
               from.load(destroyFilter, "cudnnDestroyFilterDescriptor") &&
               from.load(createConvolution, "cudnnCreateConvolutionDescriptor") &&
               from.load(setConvolution, "cudnnSetConvolutionNdDescriptor") &&
               from.load(setMath, "cudnnSetConvolutionMathType") &&
               from.load(setGroups, "cudnnSetConvolutionGroupCount") &&
               from.load(destroyConvolution, "cudnnDestroyConvolutionDescriptor") &&
               from.load(choose[0], "cudnnGetConvolutionForwardAlgorithm_v7") &&
               from.load(choose[1], "cudnnGetConvolutionBackwardDataAlgorithm_v7") &&
               from.load(choose[2], "cudnnGetConvolutionBackwardFilterAlgorithm_v7") &&
               from.load(run[0], "cudnnConvolutionForward") &&
               from.load(run[1], "cudnnConvolutionBackwardData") &&
               from.load(run[2], "cudnnConvolutionBackwardFilter") &&
               from.load(createActivation, "cudnnCreateActivationDescriptor") &&
               from.load(setActivation, "cudnnSetActivationDescriptor") &&
               from.load(destroyActivation, "cudnnDestroyActivationDescriptor") &&
               from.load(forward, "cudnnConvolutionBiasActivationForward") &&
               from.load(errorString, "cudnnGetErrorString") && graph.load(from);
    }
};

base::Result<Library> openLibrary() {
    CUTAWAY_TRY(jit::CudaLibrary file,
                jit::CudaLibrary::open("cuDNN, which computes convolutions,",
                                       {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"}, kHint));
    Library library;
    if (!library.load(file))
        return base::environmentError("the cuDNN library found lacks functions that are used",
                                      kHint);
    return library;
}

base::Status start(const Library& dnn, CudaDevice& device, Handle& handle) {
    int status = dnn.create(&handle);
    if (status == 0) status = dnn.setStream(handle, device.stream());
    if (status == 0) return {};
    return base::environmentError(fmt::format("cuDNN cannot start: {}", dnn.errorString(status)),
                                  kHint);
}

/// cuDNN wants two spatial dimensions at least.
template <typename T = int>
std::vector<T> widened(const std::vector<int64_t>& values, size_t spatial, T fill) {
    std::vector<T> out(values.begin(), values.end());
    if (spatial == 1) out.insert(out.end() - 1, fill);
    return out;
}

bool fits(const ConvolutionTensor& tensor) {
    return std::all_of(tensor.sizes.begin(), tensor.sizes.end(),
                       [](int64_t size) { return size < INT32_MAX; }) &&
           std::all_of(tensor.strides.begin(), tensor.strides.end(),
                       [](int64_t stride) { return stride < INT32_MAX; });
}

bool isRowMajor(const ConvolutionTensor& tensor) {
    int64_t next = 1;
    for (size_t d = tensor.sizes.size(); d-- > 0; next *= tensor.sizes[d])
        if (tensor.sizes[d] != 1 && tensor.strides[d] != next) return false;
    return true;
}

/// With channels side by side and everything else row-major around them.
std::vector<int64_t> lastStrides(const std::vector<int64_t>& sizes) {
    std::vector<int64_t> strides(sizes.size(), 1);
    int64_t next = sizes[1];
    for (size_t d = sizes.size(); d-- > 0;) {
        if (d == 1) continue;
        strides[d] = next;
        next *= sizes[d];
    }
    return strides;
}
bool isChannelsLast(const ConvolutionTensor& tensor) {
    const std::vector<int64_t> strides = lastStrides(tensor.sizes);
    for (size_t d = 0; d < strides.size(); ++d)
        if (tensor.sizes[d] != 1 && tensor.strides[d] != strides[d]) return false;
    return true;
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

} // namespace

struct CudnnConvolution::State {
    const Library* dnn = nullptr;
    CudaDevice* device = nullptr;
    Handle handle = nullptr;
    LibraryOp op = LibraryOp::Convolution;
    ir::DType dtype = ir::DType::Float32;
    bool tf32 = precision().convolutionTf32;
    Descriptor image = nullptr, output = nullptr, weight = nullptr, convolution = nullptr;
    int algorithm = 0;
    size_t workspaceBytes = 0;
    bool last = false; ///< channels of image and output side by side, and so those of the weight
    /// The weight as it lies, where the library is given or gives a copy.
    std::optional<StridedBlock> copied;
    // What the library computes with the convolution.
    Descriptor bias = nullptr, activation = nullptr;
    StoragePtr noBias;
    bool hasBias = false, added = false;
    size_t epilogues = 0, pointers = 3;
    /// The way of calls whose end is not computed inside, where there is one.
    std::unique_ptr<CudnnPlan> plan;

    ~State() {
        if (image) dnn->destroyTensor(image);
        if (output) dnn->destroyTensor(output);
        if (weight) dnn->destroyFilter(weight);
        if (convolution) dnn->destroyConvolution(convolution);
        if (bias) dnn->destroyTensor(bias);
        if (activation) dnn->destroyActivation(activation);
    }
    bool isDouble() const { return dtype == ir::DType::Float64; }
    size_t which() const {
        return op == LibraryOp::Convolution ? 0 : op == LibraryOp::ConvolutionImage ? 1 : 2;
    }
    int describe(const ConvolutionSpec& spec);
    CudnnProblem problemOf(const ConvolutionSpec& spec, bool aligned) const;
    /// The descriptors in the order of the operands and the result: image, weight, output when
    /// forward; weight, output, image; image, output, weight.
    std::vector<Descriptor> order() const {
        if (op == LibraryOp::Convolution) return {image, weight, output};
        if (op == LibraryOp::ConvolutionImage) return {weight, output, image};
        return {image, output, weight};
    }
    int choose();
    base::Status takeEnd(const ConvolutionSpec& spec);
    int64_t weightBytes() const;
    base::Status copyWeight(void* plain, void* packed, bool back) const;
};

int CudnnConvolution::State::describe(const ConvolutionSpec& spec) {
    const size_t spatial = spec.spatial();
    const int type = typeOf(dtype);
    auto tensor = [&](Descriptor& made, const ConvolutionTensor& t) {
        // The stride of a dimension of size 1 is never followed.
        const std::vector<int> sizes = widened(t.sizes, spatial, 1);
        const std::vector<int> strides =
            widened(t.strides, spatial, static_cast<int>(t.sizes.back() * t.strides.back()));
        int status = dnn->createTensor(&made);
        return status ? status
                      : dnn->setTensor(made, type, static_cast<int>(sizes.size()), sizes.data(),
                                       strides.data());
    };
    int status = tensor(image, spec.image);
    if (status == 0) status = tensor(output, spec.output);
    const std::vector<int> taps = widened(spec.weight.sizes, spatial, 1);
    if (status == 0) status = dnn->createFilter(&weight);
    if (status == 0)
        status = dnn->setFilter(weight, type, last ? kNhwc : kNchw, static_cast<int>(taps.size()),
                                taps.data());
    if (status == 0) status = dnn->createConvolution(&convolution);
    const std::vector<int> padding = widened(spec.window.padding, spatial, 0);
    const std::vector<int> stride = widened(spec.window.stride, spatial, 1);
    const std::vector<int> dilation = widened(spec.window.dilation, spatial, 1);
    if (status == 0)
        status = dnn->setConvolution(convolution, static_cast<int>(padding.size()), padding.data(),
                                     stride.data(), dilation.data(), kCrossCorrelation,
                                     isDouble() ? kDouble : kFloat);
    const int math = ir::isHalf(dtype) ? kTensorCores : tf32 ? kAllowTf32 : kFullPrecision;
    if (status == 0) status = dnn->setMath(convolution, math);
    if (status == 0) status = dnn->setGroups(convolution, static_cast<int>(spec.window.groups));
    return status;
}

CudnnProblem CudnnConvolution::State::problemOf(const ConvolutionSpec& spec, bool aligned) const {
    const size_t spatial = spec.spatial();
    const int64_t alignment = aligned ? 16 : static_cast<int64_t>(ir::sizeBytes(dtype));
    auto tensor = [&](const ConvolutionTensor& t) {
        return CudnnProblem::Tensor{
            widened<int64_t>(t.sizes, spatial, 1),
            widened<int64_t>(t.strides, spatial, t.sizes.back() * t.strides.back()), alignment};
    };
    ConvolutionTensor packed = spec.weight;
    if (copied) packed.strides = lastStrides(packed.sizes);
    CudnnProblem problem;
    problem.op = op;
    problem.dtype = dtype;
    problem.dataType = typeOf(dtype);
    problem.computeType = isDouble() ? kDouble : kFloat;
    problem.image = tensor(spec.image);
    problem.weight = tensor(packed);
    problem.output = tensor(spec.output);
    problem.padding = widened<int64_t>(spec.window.padding, spatial, 0);
    problem.stride = widened<int64_t>(spec.window.stride, spatial, 1);
    problem.dilation = widened<int64_t>(spec.window.dilation, spatial, 1);
    problem.tf32 = tf32;
    problem.deterministic = deterministic();
    return problem;
}

int CudnnConvolution::State::choose() {
    Performance found[kAsked] = {};
    int count = 0;
    const std::vector<Descriptor> d = order();
    const int status =
        dnn->choose[which()](handle, d[0], d[1], convolution, d[2], kAsked, &count, found);
    if (status) return status;
    for (int i = 0; i < count; ++i) {
        const bool precise =
            dtype != ir::DType::Float32 || tf32 || found[i].mathType == kFullPrecision;
        if (found[i].status != 0 || !precise) continue;
        // Of 16 bits each algorithm knows whether it is one of tensor cores.
        if (ir::isHalf(dtype) && dnn->setMath(convolution, found[i].mathType) != 0) continue;
        algorithm = found[i].algorithm;
        workspaceBytes = found[i].memory;
        return 0;
    }
    return -1;
}

/// Takes bias, a sum with a tensor that lies as the result does, and a relu, where all that is left
/// is one of these.
base::Status CudnnConvolution::State::takeEnd(const ConvolutionSpec& spec) {
    using Kind = kernel::Epilogue::Kind;
    if (!last || isDouble() || op != LibraryOp::Convolution || algorithm != kPreciseGemm ||
        (spec.bias && !spec.biasByChannel))
        return {};
    const std::vector<EpilogueSpec>& all = spec.epilogues;
    size_t taken = 0;
    const bool adds = taken < all.size() && all[taken].kind == Kind::AddTensor &&
                      all[taken].tensor == spec.result;
    taken += adds;
    const bool relu = taken < all.size() && all[taken].kind == Kind::Relu;
    taken += relu;
    if (!spec.bias && taken == 0) return {};
    const int64_t channels = spec.output.sizes[1];
    std::vector<int> sizes(spec.image.sizes.size(), 1), strides(sizes.size(), 1);
    sizes[1] = static_cast<int>(channels);
    strides[0] = sizes[1];
    int status = dnn->createTensor(&bias);
    if (status == 0)
        status = dnn->setTensor(bias, typeOf(dtype), static_cast<int>(sizes.size()), sizes.data(),
                                strides.data());
    if (status == 0) status = dnn->createActivation(&activation);
    if (status == 0)
        status = dnn->setActivation(activation, relu ? kRelu : kIdentity, kPropagateNan, 0);
    if (status != 0) return {};
    if (!spec.bias) {
        const size_t bytes = static_cast<size_t>(channels) * sizeof(float);
        CUTAWAY_TRY(noBias, device->allocate(bytes));
        CUTAWAY_CHECK(device->zero(noBias->data(), bytes));
    }
    hasBias = spec.bias.has_value();
    added = adds;
    epilogues = taken;
    return {};
}

/// Of its copy in the workspace; whole lines, as the library's own part is behind it.
int64_t CudnnConvolution::State::weightBytes() const {
    if (!copied) return 0;
    auto bytes = static_cast<int64_t>(ir::sizeBytes(dtype));
    for (int64_t size : copied->sizes)
        bytes *= size;
    return (bytes + 255) / 256 * 256;
}

base::Status CudnnConvolution::State::copyWeight(void* plain, void* packed, bool back) const {
    StridedBlock from = *copied, to = *copied;
    from.data = static_cast<std::byte*>(plain);
    to.data = static_cast<std::byte*>(packed);
    to.strides = lastStrides(to.sizes);
    return back ? runStridedCopy(*device, from, to) : runStridedCopy(*device, to, from);
}

CudnnConvolution::CudnnConvolution(std::unique_ptr<State> state) : state_(std::move(state)) {}
CudnnConvolution::~CudnnConvolution() = default;

base::Result<std::unique_ptr<CudnnConvolution>> CudnnConvolution::make(CudaDevice& device,
                                                                       const ConvolutionSpec& spec,
                                                                       bool aligned,
                                                                       bool endInside) {
    using Made = std::unique_ptr<CudnnConvolution>;
    const bool last = isChannelsLast(spec.image) && isChannelsLast(spec.output);
    if ((!last && !isRowMajor(spec.weight)) || !fits(spec.image) || !fits(spec.output))
        return Made();
    auto state = std::make_unique<State>();
    CUTAWAY_TRY(state->dnn, openedOnce(openLibrary));
    CUTAWAY_TRY(state->handle, handleOf(*state->dnn, device, start));
    state->device = &device;
    state->op = spec.op;
    state->dtype = spec.dtype;
    state->last = last;
    if (last && !isChannelsLast(spec.weight))
        state->copied = StridedBlock{nullptr, spec.dtype, spec.weight.sizes, spec.weight.strides};
    device.activate();
    // What it refuses (sizes, layouts, too little memory for any algorithm) others compute.
    if (state->describe(spec) != 0 || state->choose() != 0) return Made();
    state->pointers = spec.pointerCount();
    if (endInside) CUTAWAY_CHECK(state->takeEnd(spec));
    if (!state->activation)
        state->plan =
            CudnnPlan::make(state->dnn->graph, state->handle, state->problemOf(spec, aligned));
    if (state->plan)
        state->workspaceBytes = state->plan->workspaceBytes();
    else if (ir::isHalf(spec.dtype) && spec.op == LibraryOp::ConvolutionWeight)
        return Made(); // the older interface does not say which algorithm rounds partial sums
    return Made(new CudnnConvolution(std::move(state)));
}

bool CudnnConvolution::isLast() const {
    return state_->last;
}
bool CudnnConvolution::biasInside() const {
    return state_->hasBias;
}
size_t CudnnConvolution::epiloguesInside() const {
    return state_->epilogues;
}

int64_t CudnnConvolution::workspace() const {
    return state_->weightBytes() + static_cast<int64_t>(state_->workspaceBytes);
}

base::Status CudnnConvolution::run(void* const* pointers, void* memory) const {
    const State& s = *state_;
    const double one = 1, zero = 0;
    const float oneFloat = 1, zeroFloat = 0;
    const auto factor = [&](bool isOne) -> const void* {
        if (s.isDouble()) return isOne ? &one : &zero;
        return isOne ? &oneFloat : &zeroFloat;
    };
    const std::vector<Descriptor> d = s.order();
    void *first = pointers[0], *second = pointers[1], *result = pointers[s.pointers - 1];
    void* const plainResult = result;
    if (s.copied) {
        if (s.op == LibraryOp::ConvolutionWeight) {
            result = memory;
        } else {
            CUTAWAY_CHECK(s.copyWeight(second, memory, false));
            second = memory;
        }
    }
    // Its adjoint in the image takes the weight first.
    if (s.op == LibraryOp::ConvolutionImage) std::swap(first, second);
    void* const workspace = static_cast<std::byte*>(memory) + s.weightBytes();
    int status = 0;
    if (s.plan) {
        void* const operands[] = {first, second, result};
        // In the order of the problem: image, weight, output.
        const size_t image[] = {0, 2, 0}, weightAt[] = {1, 0, 2}, output[] = {2, 1, 1};
        const size_t w = s.which();
        status =
            s.plan->run(operands[image[w]], operands[weightAt[w]], operands[output[w]], workspace);
    } else if (s.activation) {
        const void* const bias = s.hasBias ? pointers[2] : s.noBias->data();
        const void* const added = s.added ? pointers[s.hasBias ? 3 : 2] : result;
        status = s.dnn->forward(s.handle, factor(true), d[0], first, d[1], second, s.convolution,
                                s.algorithm, workspace, s.workspaceBytes, factor(s.added), d[2],
                                added, s.bias, bias, s.activation, d[2], result);
    } else {
        status = s.dnn->run[s.which()](s.handle, factor(true), d[0], first, d[1], second,
                                       s.convolution, s.algorithm, workspace, s.workspaceBytes,
                                       factor(false), d[2], result);
    }
    if (status != 0)
        return base::environmentError(
            fmt::format("cuDNN failed to convolve: {}", s.dnn->errorString(status)));
    if (result != plainResult) return s.copyWeight(plainResult, result, true);
    return {};
}

std::string whyNoCudnn() {
    auto opened = openedOnce(openLibrary);
    return opened.ok() ? std::string() : opened.error().message;
}

} // namespace cutaway::runtime
