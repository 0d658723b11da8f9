// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/library.h"

#include "core/base/said.h"
#include "core/runtime/convolution_product.h"
#include "core/runtime/cuda_attention.h"
#include "core/runtime/cuda_convolution.h"
#include "core/runtime/cuda_matmul.h"
#include "core/runtime/cuda_rows.h"
#include "core/runtime/cudnn.h"
#include "core/runtime/cusolver.h"
#include "core/runtime/dnnl_versions.h"
#include "core/runtime/in_float32.h"
#include "core/runtime/precision.h"
#include "core/runtime/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::runtime {
namespace {

using Kind = ir::Device::Kind;

Verdict no(std::string reason) {
    return {false, std::move(reason), 0};
}
Verdict yes(double us, std::string reason) {
    return {true, std::move(reason), us};
}

// What the predictions reckon with: operations and bytes in a microsecond, of one CPU core and of
// one GPU. They rank providers; schedules show them.
constexpr double kCoreFlops = 1e5, kLoopFlops = 3e3, kCoreBytes = 1e4;
/// The same of 16-bit operands: in tiles (AMX), or pairs in the lanes of a vector.
constexpr double kTileFlops = 1e6, kPairFlops = 2e5;
constexpr double kGpuFlops = 4e7, kGpuLoopFlops = 2e6, kGpuBytes = 3e6, kLaunchUs = 5;
constexpr double kGpuAttentionFlops = 3.4e7;
/// The same of 16-bit operands.
constexpr double kGpuHalfFlops = 6e8, kGpuHalfAttentionFlops = 2.2e8;

double bytesOf(const MatmulSpec& s) {
    const double elements =
        static_cast<double>(s.batches()) * static_cast<double>(s.m * s.k + s.k * s.n + s.m * s.n);
    return elements * static_cast<double>(ir::sizeBytes(s.dtype));
}
double flopsOf(const MatmulSpec& s) {
    return 2.0 * static_cast<double>(s.batches()) * static_cast<double>(s.m * s.n) *
           static_cast<double>(s.k);
}
double countOf(const ConvolutionTensor& tensor) {
    double count = 1;
    for (int64_t size : tensor.sizes)
        count *= static_cast<double>(size);
    return count;
}
double bytesOf(const ConvolutionSpec& s) {
    return (countOf(s.image) + countOf(s.weight) + countOf(s.output)) *
           static_cast<double>(ir::sizeBytes(s.dtype));
}
double flopsOf(const ConvolutionSpec& s) {
    return s.flops();
}

double bytesOf(const RowsSpec& s) {
    return static_cast<double>(s.rows()) *
           (static_cast<double>(s.length) * static_cast<double>(ir::sizeBytes(s.row.dtype)) +
            static_cast<double>(s.count) * static_cast<double>(ir::sizeBytes(s.dtype)));
}
/// A sort looks at every digit, or at the whole row for each doubling of what is in order.
double flopsOf(const RowsSpec& s) {
    const double steps = s.op == kernel::LibraryOp::Scan ? 1
                         : s.count * 16 <= s.length      ? 2
                                                    : std::log2(static_cast<double>(s.length) + 2);
    return 4 * steps * static_cast<double>(s.rows()) * static_cast<double>(s.length);
}

double bytesOf(const MatricesSpec& s) {
    const int64_t elements = s.rows * s.columns + s.rows * s.right + s.length();
    return static_cast<double>(s.batches() * elements) *
           static_cast<double>(ir::sizeBytes(s.dtype));
}
/// A few passes over the matrix for each of its columns.
double flopsOf(const MatricesSpec& s) {
    return 4.0 * static_cast<double>(s.batches()) * static_cast<double>(s.rows * s.columns) *
           static_cast<double>(std::max(s.columns, s.right));
}

double bytesOf(const AttentionSpec& s) {
    const double copies = s.isBackward() ? 4 : 2;
    return copies * static_cast<double>(s.batch * s.heads) *
           static_cast<double>((s.rows + s.keys) * (s.width + s.valueWidth) / 2) *
           static_cast<double>(ir::sizeBytes(s.dtype));
}
double flopsOf(const AttentionSpec& s) {
    return s.flops();
}

template <typename Spec> double cpuUs(const Spec& s, const ProviderContext& c, double flops) {
    return std::max(flopsOf(s) / flops, bytesOf(s) / kCoreBytes) / std::max(c.threads, 1);
}
template <typename Spec> double gpuUs(const Spec& s, double flops) {
    return kLaunchUs + std::max(flopsOf(s) / flops, bytesOf(s) / kGpuBytes);
}

// --- matrix products ---

bool isSkinny(const MatmulSpec& s) {
    return makeSkinnyMatmul(s) != nullptr;
}

Verdict judgeSkinny(const LibrarySpec& spec, const ProviderContext& c) {
    const auto* s = std::get_if<MatmulSpec>(&spec);
    if (!s) return no(base::said("computes matrix products only"));
    if (s->dtype != ir::DType::Float32) return no(base::said("computes float32 only"));
    if (s->isEmpty()) return no(base::said("has nothing to multiply"));
    if (!isSkinny(*s))
        return no(base::said("needs one side up to 16 or a sum up to 8, along memory"));
    return yes(cpuUs(*s, c, kCoreFlops),
               base::said("reading the long operand once is what it costs"));
}

std::string halfText(ir::DType dtype) {
    return base::said("{}, sums in float32", ir::name(dtype));
}

/// Operations of one core in a microsecond, and how; 0 where it has no instructions for the dtype.
std::pair<double, std::string> dnnlRate(ir::DType dtype) {
    if (dtype == ir::DType::Float32) return {kCoreFlops, base::said("blocked for the caches")};
    if (!ir::isHalf(dtype)) return {0, {}};
    using dnnl_versions::Halves;
    const Halves halves = dnnl_versions::halvesOf(dtype);
    if (halves == Halves::None) return {0, {}};
    return halves == Halves::Tiles
               ? std::pair(kTileFlops, base::said("in tiles, {}", halfText(dtype)))
               : std::pair(kPairFlops, base::said("by vectors, {}", halfText(dtype)));
}

Verdict judgeDnnl(const LibrarySpec& spec, const ProviderContext& c) {
    if (const auto* s = std::get_if<MatmulSpec>(&spec)) {
        const auto [rate, how] = dnnlRate(s->dtype);
        if (rate == 0)
            return no(base::said("has nothing that multiplies {} here", ir::name(s->dtype)));
        if (s->isEmpty()) return no(base::said("has nothing to multiply"));
        if (ir::isHalf(s->dtype)) return yes(cpuUs(*s, c, rate), how);
        // Its blocked kernels need three times as long as reading the operands of such products.
        if (isSkinny(*s))
            return yes(5 + 3 * cpuUs(*s, c, kCoreFlops), base::said("blocked for square ones"));
        return yes(cpuUs(*s, c, rate), how);
    }
    if (!std::holds_alternative<ConvolutionSpec>(spec))
        return no(base::said("multiplies and convolves only"));
    const auto& s = std::get<ConvolutionSpec>(spec);
    const double rate = dnnlRate(s.dtype).first;
    if (rate == 0) return no(base::said("has nothing that multiplies {} here", ir::name(s.dtype)));
    if (s.isEmpty()) return no(base::said("has nothing to convolve"));
    const std::string name = dnnlConvolutionName(s, c.threads);
    if (name.empty()) return no(base::said("has no fast way for these sizes and strides"));
    // Not all of its kernels multiply in tiles.
    const bool tiles = name.find("amx") != std::string::npos;
    return yes(cpuUs(s, c, tiles ? rate : std::min(rate, kPairFlops)), name);
}

Verdict judgeLoops(const LibrarySpec& spec, const ProviderContext& c) {
    return std::visit(
        [&](const auto& s) {
            if constexpr (std::is_same_v<decltype(s), const MatricesSpec&>)
                return no(base::said("have no linear algebra"));
            else if constexpr (std::is_same_v<decltype(s), const AttentionSpec&>)
                return no(base::said("attend to nothing"));
            else if constexpr (std::is_same_v<decltype(s), const RowsSpec&>)
                return yes(cpuUs(s, c, kLoopFlops), rowsReason(s));
            else if (ir::isHalf(s.dtype))
                return no(base::said("compute in the operands' dtype, which is only stored"));
            else
                return yes(cpuUs(s, c, kLoopFlops),
                           base::said("plain loops for any dtype and strides"));
        },
        spec);
}

Verdict judgeInFloat32(const LibrarySpec& spec, const ProviderContext& c) {
    const std::optional<LibrarySpec> wide = inFloat32(spec);
    if (!wide) return no(base::said("widens products and convolutions of 16-bit numbers only"));
    ProviderContext own = c;
    own.wanted = {};
    const Considered best = considerProviders(Kind::Cpu, *wide, own).front();
    const double copiedUs = std::visit(
        [&](const auto& s) { return bytesOf(s) / kCoreBytes / std::max(c.threads, 1); }, *wide);
    return yes(best.verdict.predictedUs + 2 * copiedUs,
               base::said("operands widened for {}, sums rounded once", best.provider->name));
}

std::string roundingText(bool tf32) {
    return tf32 ? base::said("float32 rounded to TF32") : base::said("float32 in full precision");
}

// --- convolutions on a GPU ---

/// Operations in a microsecond, measured on an H200.
struct ConvolutionRates {
    double last, rows;       ///< channels side by side, or not
    double fewLast, fewRows; ///< fewer than kManyChannels in a group
};
constexpr int64_t kManyChannels = 16, kColumns = 32; // of a tile of ours
constexpr ConvolutionRates kCudnnTf32{2e8, 1.1e8, 3.7e7, 2.5e7}, kCudnnFull{4e7, 4e7, 2e7, 2e7},
    kCudnnHalf{4.5e8, 2.2e8, 5e7, 4e7}, kOwnTf32{1e8, 8.5e7, 4.5e7, 4.5e7},
    kOwnHalf{2.5e8, 1.5e8, 7e7, 6e7};
/// What a call of cuDNN takes of the CPU at least: by a plan, and by the older interface, which also
/// computes what follows a convolution.
constexpr double kCudnnPlanUs = 10, kCudnnCallUs = 45;
/// Of 16 bits ours is three launches, with the operands turned before and parts summed behind.
constexpr double kOwnHalfCallUs = 3 * kLaunchUs;
/// Operations in a microsecond where a thread computes one result.
constexpr double kGpuDirectFlops = 1e7;

bool roundsConvolution(const ConvolutionSpec& s) {
    return precision().convolutionTf32 && s.dtype == ir::DType::Float32;
}
std::string precisionText(const ConvolutionSpec& s) {
    return ir::isHalf(s.dtype) ? halfText(s.dtype) : roundingText(roundsConvolution(s));
}
bool isLast(const ConvolutionSpec& s) {
    return s.image.strides[1] == 1 && s.output.strides[1] == 1 && s.image.sizes[1] > 1;
}
double convolutionUs(const ConvolutionSpec& s, const ConvolutionRates& rates) {
    const bool few = s.weight.sizes[1] < kManyChannels;
    const double rate =
        few ? (isLast(s) ? rates.fewLast : rates.fewRows) : (isLast(s) ? rates.last : rates.rows);
    return kLaunchUs + std::max(flopsOf(s) / rate, bytesOf(s) / kGpuBytes);
}
/// A pass over the result for what follows the operation.
double finishUs(const ConvolutionSpec& s) {
    if (!s.bias && s.epilogues.empty()) return 0;
    return kLaunchUs +
           2 * countOf(s.target()) * static_cast<double>(ir::sizeBytes(s.dtype)) / kGpuBytes;
}
/// The ways of cuDNN: what follows the operation computed with it, or by a pass of our own.
struct CudnnUs {
    double inside, apart;
};
CudnnUs cudnnUs(const ConvolutionSpec& s) {
    const ConvolutionRates& rates = ir::isHalf(s.dtype)    ? kCudnnHalf
                                    : roundsConvolution(s) ? kCudnnTf32
                                                           : kCudnnFull;
    const double work = convolutionUs(s, rates), end = finishUs(s);
    const bool can = end > 0 && isLast(s) && s.op == kernel::LibraryOp::Convolution;
    return {can ? std::max(kCudnnCallUs, work) : std::numeric_limits<double>::infinity(),
            std::max(kCudnnPlanUs, work + end)};
}
double ownConvolutionUs(const ConvolutionSpec& s) {
    if (isDirectConvolution(s)) return gpuUs(s, kGpuDirectFlops);
    const bool half = ir::isHalf(s.dtype);
    if (!half && (!roundsConvolution(s) || s.op == kernel::LibraryOp::ConvolutionWeight))
        return gpuUs(s, kGpuLoopFlops) + finishUs(s);
    const int64_t columns = s.op == kernel::LibraryOp::ConvolutionImage
                                ? s.weight.sizes[1]
                                : s.weight.sizes[0] / s.window.groups;
    const double used = std::min(1.0, static_cast<double>(columns) / kColumns);
    return (half ? kOwnHalfCallUs : kLaunchUs) +
           convolutionUs(s, half ? kOwnHalf : kOwnTf32) / std::max(used, 1e-3);
}

Verdict judgeLt(const LibrarySpec& spec, const ProviderContext&) {
    const auto* convolution = std::get_if<ConvolutionSpec>(&spec);
    std::optional<ConvolutionProduct> pointwise;
    if (convolution && ir::isFloating(convolution->dtype)) pointwise = productOf(*convolution);
    const auto* s = pointwise ? &pointwise->product : std::get_if<MatmulSpec>(&spec);
    if (!s) return no(base::said("computes matrix products and convolutions of one tap only"));
    if (!ir::isFloating(s->dtype)) return no(base::said("multiplies floating-point numbers only"));
    if (s->isEmpty()) return no(base::said("has nothing to multiply"));
    const bool tf32 = convolution ? roundsConvolution(*convolution) : precision().matmulTf32;
    const bool half = ir::isHalf(s->dtype);
    const double rate = half ? kGpuHalfFlops : tf32 && convolution ? kCudnnTf32.last : kGpuFlops;
    std::string reason = half ? halfText(s->dtype) : roundingText(tf32);
    if (convolution) reason = base::said("one tap: a product of matrices, {}", reason);
    return yes(gpuUs(*s, rate), std::move(reason));
}

Verdict judgeCudnn(const LibrarySpec& spec, const ProviderContext& context) {
    const auto* s = std::get_if<ConvolutionSpec>(&spec);
    if (!s) return no(base::said("computes convolutions only"));
    if (!ir::isFloating(s->dtype)) return no(base::said("convolves floating-point numbers only"));
    if (s->isEmpty()) return no(base::said("has nothing to convolve"));
    if (s->spatial() > 3) return no(base::said("takes one to three spatial dimensions"));
    if (context.cuda)
        if (std::string why = whyNoCudnn(); !why.empty()) return no(std::move(why));
    const CudnnUs us = cudnnUs(*s);
    return yes(std::min(us.inside, us.apart), precisionText(*s));
}

Verdict judgeBlocks(const AttentionSpec& s) {
    if (!takesAttention(s))
        return no(
            base::said("attends with float32 or 16 bits and heads of up to 128 numbers only"));
    const bool half = ir::isHalf(s.operands);
    return yes(gpuUs(s, half ? kGpuHalfAttentionFlops : kGpuAttentionFlops),
               base::said("by blocks of keys, no weights in memory, {}",
                          half ? halfText(s.operands) : base::said("full precision")));
}

Verdict judgeGenerated(const LibrarySpec& spec, const ProviderContext&) {
    return std::visit(
        [&](const auto& s) {
            if constexpr (std::is_same_v<decltype(s), const MatricesSpec&>)
                return no(base::said("has no linear algebra"));
            else if constexpr (std::is_same_v<decltype(s), const AttentionSpec&>)
                return judgeBlocks(s);
            else if constexpr (std::is_same_v<decltype(s), const ConvolutionSpec&>)
                return yes(ownConvolutionUs(s),
                           base::said("generated for the call, any dtype and strides, {}",
                                      precisionText(s)));
            else
                return yes(gpuUs(s, kGpuLoopFlops),
                           base::said("generated for the call, any dtype and strides"));
        },
        spec);
}

Verdict judgeLapack(const LibrarySpec& spec, const ProviderContext& c) {
    const auto* s = std::get_if<MatricesSpec>(&spec);
    if (!s) return no(base::said("factors and solves only"));
    return yes(cpuUs(*s, c, kLoopFlops),
               base::said("one matrix after the other, batches shared out"));
}
/// What a copy between the memories takes of itself, and its bytes in a microsecond.
constexpr double kCrossingUs = 15, kCrossingBytes = 1.2e4;

Verdict judgeHostLapack(const LibrarySpec& spec, const ProviderContext&) {
    const auto* s = std::get_if<MatricesSpec>(&spec);
    if (!s) return no(base::said("factors and solves only"));
    const ProviderContext oneCore;
    const double copiesUs = (s->task.hasTwoOperands() ? 3 : 2) * kCrossingUs;
    return yes(copiesUs + bytesOf(*s) / kCrossingBytes + cpuUs(*s, oneCore, kLoopFlops),
               base::said("copied to the CPU and back"));
}
Verdict judgeCusolver(const LibrarySpec& spec, const ProviderContext& context) {
    const auto* s = std::get_if<MatricesSpec>(&spec);
    if (!s) return no(base::said("factors and solves only"));
    if (std::string why = whyNotByCusolver(*s); !why.empty()) return no(std::move(why));
    if (context.cuda)
        if (std::string why = whyNoCusolver(); !why.empty()) return no(std::move(why));
    return yes(cusolverUs(*s), base::said("on the GPU, one matrix after the other"));
}

Verdict judgeAttention(const LibrarySpec& spec, const ProviderContext& c) {
    const auto* s = std::get_if<AttentionSpec>(&spec);
    if (!s) return no(base::said("computes attention only"));
    return yes(cpuUs(*s, c, kCoreFlops), base::said("by blocks of keys, no weights in memory"));
}

base::Result<LibraryKernelPtr> makeAttentionOfBlocks(const LibrarySpec& spec,
                                                     const ProviderContext&) {
    return makeAttention(std::get<AttentionSpec>(spec));
}
base::Result<LibraryKernelPtr> makeSkinny(const LibrarySpec& spec, const ProviderContext&) {
    return makeSkinnyMatmul(std::get<MatmulSpec>(spec));
}
base::Result<LibraryKernelPtr> makeDnnl(const LibrarySpec& spec, const ProviderContext& c) {
    if (const auto* s = std::get_if<MatmulSpec>(&spec)) return makeDnnlMatmul(*s, c.threads);
    return makeDnnlConvolution(std::get<ConvolutionSpec>(spec), c.threads);
}
base::Result<LibraryKernelPtr> makeLoops(const LibrarySpec& spec, const ProviderContext&) {
    if (const auto* s = std::get_if<MatmulSpec>(&spec)) return makeLoopMatmul(*s);
    if (const auto* s = std::get_if<RowsSpec>(&spec)) return makeLoopRows(*s);
    return makeLoopConvolution(std::get<ConvolutionSpec>(spec));
}
base::Result<LibraryKernelPtr> makeLt(const LibrarySpec& spec, const ProviderContext& c) {
    if (const auto* s = std::get_if<MatmulSpec>(&spec))
        return makeLtMatmul(*c.cuda, *s, c.offsets, precision().matmulTf32);
    const std::optional<ConvolutionProduct> made = productOf(std::get<ConvolutionSpec>(spec));
    if (!made) return LibraryKernelPtr();
    std::vector<int64_t> offsets = c.offsets;
    if (made->swapped) std::swap(offsets[0], offsets[1]);
    CUTAWAY_TRY(LibraryKernelPtr kernel,
                makeLtMatmul(*c.cuda, made->product, offsets, precision().convolutionTf32));
    return convolutionBy(*made, std::move(kernel));
}
/// Whether every pointer is a multiple of 16 bytes.
bool isAligned(const ProviderContext& c) {
    return std::all_of(c.offsets.begin(), c.offsets.end(),
                       [](int64_t offset) { return offset % 16 == 0; });
}
base::Result<LibraryKernelPtr> makeCudnn(const LibrarySpec& spec, const ProviderContext& c) {
    const auto& s = std::get<ConvolutionSpec>(spec);
    const CudnnUs us = cudnnUs(s);
    return makeCudnnConvolution(*c.cuda, s, isAligned(c), us.inside < us.apart);
}
base::Result<LibraryKernelPtr> makeGenerated(const LibrarySpec& spec, const ProviderContext& c) {
    if (const auto* s = std::get_if<MatmulSpec>(&spec)) return makeGeneratedMatmul(*c.cuda, *s);
    if (const auto* s = std::get_if<RowsSpec>(&spec)) return makeGeneratedRows(*c.cuda, *s);
    if (const auto* s = std::get_if<AttentionSpec>(&spec))
        return makeGeneratedAttention(*c.cuda, *s, isAligned(c));
    return makeGeneratedConvolution(*c.cuda, std::get<ConvolutionSpec>(spec), isAligned(c));
}
base::Result<LibraryKernelPtr> makeCpuLapack(const LibrarySpec& spec, const ProviderContext&) {
    return makeLapack(std::get<MatricesSpec>(spec));
}
base::Result<LibraryKernelPtr> makeSolver(const LibrarySpec& spec, const ProviderContext& c) {
    return makeCusolver(*c.cuda, std::get<MatricesSpec>(spec));
}
base::Result<LibraryKernelPtr> makeHostLapack(const LibrarySpec& spec, const ProviderContext& c) {
    return makeLapackBehindGpu(*c.cuda, std::get<MatricesSpec>(spec));
}

constexpr Provider kProviders[] = {
    {base::said("skinny kernels"), Kind::Cpu, judgeSkinny, makeSkinny},
    {"oneDNN", Kind::Cpu, judgeDnnl, makeDnnl},
    {"loops", Kind::Cpu, judgeLoops, makeLoops},
    {base::said("in float32"), Kind::Cpu, judgeInFloat32, makeInFloat32},
    {"LAPACK", Kind::Cpu, judgeLapack, makeCpuLapack},
    {base::said("blocks of keys"), Kind::Cpu, judgeAttention, makeAttentionOfBlocks},
    {"cuBLASLt", Kind::Cuda, judgeLt, makeLt},
    {"cuDNN", Kind::Cuda, judgeCudnn, makeCudnn},
    {base::said("generated kernel"), Kind::Cuda, judgeGenerated, makeGenerated},
    {"cuSOLVER", Kind::Cuda, judgeCusolver, makeSolver},
    {base::said("LAPACK of the CPU"), Kind::Cuda, judgeHostLapack, makeHostLapack},
};

} // namespace

int64_t ResultSpec::batches() const {
    int64_t count = 1;
    for (int64_t size : batch)
        count *= size;
    return count;
}

size_t ResultSpec::pointerCount() const {
    size_t count = firstTensor() + 1;
    for (const EpilogueSpec& epilogue : epilogues)
        count += epilogue.kind == kernel::Epilogue::Kind::AddTensor;
    return count;
}

int64_t batchOffset(const MatrixView& operand, const std::vector<int64_t>& sizes, int64_t index) {
    int64_t offset = 0;
    for (size_t d = sizes.size(); d-- > 0; index /= sizes[d])
        offset += index % sizes[d] * operand.batchStrides[d];
    return offset;
}

std::vector<Considered> considerProviders(ir::Device::Kind target, const LibrarySpec& spec,
                                          const ProviderContext& context) {
    std::vector<Considered> all;
    for (const Provider& provider : kProviders)
        if (provider.target == target) all.push_back({&provider, provider.judge(spec, context)});
    std::stable_sort(all.begin(), all.end(), [&](const Considered& a, const Considered& b) {
        if (a.verdict.takes != b.verdict.takes) return a.verdict.takes;
        const bool first = a.provider->name == context.wanted;
        if (first != (b.provider->name == context.wanted)) return first;
        return a.verdict.takes && a.verdict.predictedUs < b.verdict.predictedUs;
    });
    return all;
}

schedule::Schedule providerSchedule(const kernel::KernelProgram& program,
                                    const kernel::Kernel& kernel,
                                    const schedule::DeviceModel& model) {
    schedule::Schedule schedule;
    auto binding = bindCall(program, kernel);
    if (!binding.ok()) return schedule;
    ProviderContext context;
    context.threads = model.units;
    for (Considered& one : considerProviders(model.kind, binding->spec, context)) {
        schedule::Candidate candidate{std::string(one.provider->name), {}, 0, {}, {}};
        if (one.verdict.takes) {
            candidate.predictedUs = one.verdict.predictedUs;
            candidate.reasons = {std::move(one.verdict.reason)};
            schedule.taken = 0;
        } else {
            candidate.refused = std::move(one.verdict.reason);
        }
        schedule.considered.push_back(std::move(candidate));
    }
    // What is prepared here is prepared again when the program is loaded: libraries keep it. Of a
    // GPU's calls only the device's libraries know.
    if (schedule.taken == 0 && model.kind == Kind::Cpu) {
        const auto kernel = makeLibraryKernel(model.kind, binding->spec, context);
        if (kernel.ok()) schedule.considered[0].workspace = (*kernel)->workspace(model.units);
        if (const int64_t bytes = schedule.considered[0].workspace; bytes > 0)
            schedule.considered[0].reasons.push_back(base::said(
                "{} bytes of workspace, shared with the program's other calls and kernels", bytes));
    }
    return schedule;
}

base::Result<LibraryKernelPtr> makeLibraryKernel(ir::Device::Kind target, const LibrarySpec& spec,
                                                 const ProviderContext& context) {
    for (const Considered& one : considerProviders(target, spec, context)) {
        if (!one.verdict.takes) break;
        CUTAWAY_TRY(LibraryKernelPtr kernel, one.provider->make(spec, context));
        if (kernel) return kernel;
    }
    return base::bugError("no provider takes a library call");
}

} // namespace cutaway::runtime
