// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cudnn.h"

#include "core/jit/cuda_library.h"
#include "core/runtime/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace cutaway::runtime {
namespace {

using kernel::LibraryOp;

// What of cudnn.h is used, the interface that versions 8 and 9 share; the numbers are part of it.
using Handle = void*;
using Descriptor = void*;
enum { kFloat = 0, kDouble = 1 }; // CUDNN_DATA_FLOAT, CUDNN_DATA_DOUBLE
enum { kNchw = 0, kCrossCorrelation = 1 };
enum { kAllowTf32 = 0, kFullPrecision = 3 }; // CUDNN_DEFAULT_MATH, CUDNN_FMA_MATH
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
    const char* (*errorString)(int) = nullptr;

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
               from.load(errorString, "cudnnGetErrorString");
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

base::Result<const Library*> library() {
    static auto* const opened = new base::Result<Library>(openLibrary());
    if (!opened->ok()) return opened->error();
    return &opened->value();
}

base::Result<Handle> handleOf(const Library& dnn, CudaDevice& device) {
    static auto* const mutex = new std::mutex;
    static auto* const handles = new std::map<int, Handle>;
    std::lock_guard lock(*mutex);
    Handle& found = (*handles)[device.device().index];
    if (found) return found;
    device.activate();
    int status = dnn.create(&found);
    if (status == 0) status = dnn.setStream(found, device.stream());
    if (status == 0) return found;
    found = nullptr;
    return base::environmentError(fmt::format("cuDNN cannot start: {}", dnn.errorString(status)),
                                  kHint);
}

/// cuDNN wants two spatial dimensions at least.
std::vector<int> widened(const std::vector<int64_t>& values, size_t spatial, int fill) {
    std::vector<int> out(values.begin(), values.end());
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

} // namespace

struct CudnnConvolution::State {
    const Library* dnn = nullptr;
    CudaDevice* device = nullptr;
    Handle handle = nullptr;
    LibraryOp op = LibraryOp::Convolution;
    bool isDouble = false;
    bool tf32 = precision().convolutionTf32;
    Descriptor image = nullptr, output = nullptr, weight = nullptr, convolution = nullptr;
    int algorithm = 0;
    size_t workspaceBytes = 0;

    ~State() {
        if (image) dnn->destroyTensor(image);
        if (output) dnn->destroyTensor(output);
        if (weight) dnn->destroyFilter(weight);
        if (convolution) dnn->destroyConvolution(convolution);
    }
    size_t which() const {
        return op == LibraryOp::Convolution ? 0 : op == LibraryOp::ConvolutionImage ? 1 : 2;
    }
    int describe(const ConvolutionSpec& spec);
    /// The descriptors in the order of the operands and the result: image, weight, output when
    /// forward; weight, output, image; image, output, weight.
    std::vector<Descriptor> order() const {
        if (op == LibraryOp::Convolution) return {image, weight, output};
        if (op == LibraryOp::ConvolutionImage) return {weight, output, image};
        return {image, output, weight};
    }
    int choose();
};

int CudnnConvolution::State::describe(const ConvolutionSpec& spec) {
    const size_t spatial = spec.spatial();
    const int type = isDouble ? kDouble : kFloat;
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
        status = dnn->setFilter(weight, type, kNchw, static_cast<int>(taps.size()), taps.data());
    if (status == 0) status = dnn->createConvolution(&convolution);
    const std::vector<int> padding = widened(spec.window.padding, spatial, 0);
    const std::vector<int> stride = widened(spec.window.stride, spatial, 1);
    const std::vector<int> dilation = widened(spec.window.dilation, spatial, 1);
    if (status == 0)
        status = dnn->setConvolution(convolution, static_cast<int>(padding.size()), padding.data(),
                                     stride.data(), dilation.data(), kCrossCorrelation, type);
    if (status == 0) status = dnn->setMath(convolution, tf32 ? kAllowTf32 : kFullPrecision);
    if (status == 0) status = dnn->setGroups(convolution, static_cast<int>(spec.window.groups));
    return status;
}

int CudnnConvolution::State::choose() {
    Performance found[kAsked] = {};
    int count = 0;
    const std::vector<Descriptor> d = order();
    const int status =
        dnn->choose[which()](handle, d[0], d[1], convolution, d[2], kAsked, &count, found);
    if (status) return status;
    for (int i = 0; i < count; ++i) {
        const bool precise = isDouble || tf32 || found[i].mathType == kFullPrecision;
        if (found[i].status != 0 || !precise) continue;
        algorithm = found[i].algorithm;
        workspaceBytes = found[i].memory;
        return 0;
    }
    return -1;
}

CudnnConvolution::CudnnConvolution(std::unique_ptr<State> state) : state_(std::move(state)) {}
CudnnConvolution::~CudnnConvolution() = default;

base::Result<std::unique_ptr<CudnnConvolution>>
CudnnConvolution::make(CudaDevice& device, const ConvolutionSpec& spec) {
    using Made = std::unique_ptr<CudnnConvolution>;
    if (!isRowMajor(spec.weight) || !fits(spec.image) || !fits(spec.output)) return Made();
    auto state = std::make_unique<State>();
    CUTAWAY_TRY(state->dnn, library());
    CUTAWAY_TRY(state->handle, handleOf(*state->dnn, device));
    state->device = &device;
    state->op = spec.op;
    state->isDouble = spec.dtype == ir::DType::Float64;
    device.activate();
    // What it refuses (sizes, layouts, too little memory for any algorithm) others compute.
    if (state->describe(spec) != 0 || state->choose() != 0) return Made();
    return Made(new CudnnConvolution(std::move(state)));
}

base::Status CudnnConvolution::run(const void* first, const void* second, void* result) const {
    const State& s = *state_;
    const double one = 1, zero = 0;
    const float oneFloat = 1, zeroFloat = 0;
    const std::vector<Descriptor> d = s.order();
    // Its adjoint in the image takes the weight first.
    if (s.op == LibraryOp::ConvolutionImage) std::swap(first, second);
    // Of this call alone: what runs later on the stream may have the memory.
    CUTAWAY_TRY(const StoragePtr workspace, s.device->allocate(s.workspaceBytes));
    const int status = s.dnn->run[s.which()](
        s.handle, s.isDouble ? static_cast<const void*>(&one) : &oneFloat, d[0], first, d[1],
        second, s.convolution, s.algorithm, workspace->data(), s.workspaceBytes,
        s.isDouble ? static_cast<const void*>(&zero) : &zeroFloat, d[2], result);
    if (status == 0) return {};
    return base::environmentError(
        fmt::format("cuDNN failed to convolve: {}", s.dnn->errorString(status)));
}

std::string whyNoCudnn() {
    auto opened = library();
    return opened.ok() ? std::string() : opened.error().message;
}

} // namespace cutaway::runtime
