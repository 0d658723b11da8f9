// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/convolution.h"
#include "core/runtime/device.h"
#include "core/runtime/dnnl_versions.h"

#include <algorithm>
#include <dnnl_debug.h>
#include <fmt/format.h>
#include <omp.h>

namespace cutaway::runtime {
namespace {

using Kind = kernel::Epilogue::Kind;
using kernel::LibraryOp;
using namespace dnnl_versions;

/// Operations that are worth waking threads for.
constexpr double kParallelWork = 1 << 18;

/// Strides of a dense tensor, row-major or with the channels innermost.
Dims denseStrides(const Dims& sizes, bool channelsLast) {
    Dims strides(sizes.size());
    int64_t next = channelsLast ? sizes[1] : 1;
    for (size_t d = sizes.size(); d-- > 0;) {
        if (channelsLast && d == 1) continue;
        strides[d] = next;
        next *= sizes[d];
    }
    if (channelsLast) strides[1] = 1;
    return strides;
}

bool lies(const ConvolutionTensor& tensor, const Dims& strides) {
    for (size_t d = 0; d < tensor.sizes.size(); ++d)
        if (tensor.sizes[d] != 1 && tensor.strides[d] != strides[d]) return false;
    return true;
}

/// One of the three tensors: as it lies in the caller's memory, and as the library wants it.
struct Side {
    Desc given, wanted;
    bool dense = true; ///< a layout that the library computes in without a copy

    Side(const ConvolutionTensor& tensor, dnnl::memory::data_type type) {
        const Dims last = denseStrides(tensor.sizes, true);
        dense = lies(tensor, last);
        const bool rows = lies(tensor, denseStrides(tensor.sizes, false));
        given = Desc(tensor.sizes, type,
                     dense  ? last
                     : rows ? denseStrides(tensor.sizes, false)
                            : Dims(tensor.strides));
        wanted = dense ? given : Desc(tensor.sizes, type, dnnl::memory::format_tag::any);
    }
};

/// The weight [o, c, k..] as [groups, o, c, k..] of each group; always in the library's own layout.
Side weightSide(const ConvolutionTensor& tensor, dnnl::memory::data_type type, int64_t groups) {
    Side side(tensor, type);
    Dims sizes = tensor.sizes, strides = tensor.strides;
    if (groups > 1) {
        sizes[0] /= groups;
        sizes.insert(sizes.begin(), groups);
        strides.insert(strides.begin(), strides[0] * sizes[1]);
    }
    side.given = Desc(sizes, type, strides);
    side.wanted = Desc(sizes, type, dnnl::memory::format_tag::any);
    side.dense = false;
    return side;
}

Window windowOf(const ConvolutionSpec& spec) {
    Window w{spec.window.stride, spec.window.dilation, spec.window.padding, {}};
    for (size_t d = 0; d < spec.spatial(); ++d) {
        w.dilation[d] -= 1;
        // What the last output place reads beyond the image; negative when it stops short.
        const int64_t last = (spec.output.sizes[d + 2] - 1) * spec.window.stride[d] +
                             (spec.weight.sizes[d + 2] - 1) * spec.window.dilation[d];
        w.after.push_back(last - (spec.image.sizes[d + 2] - 1) - spec.window.padding[d]);
    }
    return w;
}

/// What is decided before any code is made.
struct Plan {
    Side image, weight, output;
    bool biasTaken = false;
    size_t epiloguesTaken = 0;
    dnnl::convolution_forward::primitive_desc forward;
    dnnl::convolution_backward_data::primitive_desc towardsImage;
    dnnl::convolution_backward_weights::primitive_desc towardsWeight;
    Desc scratch;
    std::string name;

    explicit Plan(const ConvolutionSpec& spec)
        : image(spec.image, typeOf(spec.dtype)),
          weight(weightSide(spec.weight, typeOf(spec.dtype), spec.window.groups)),
          output(spec.output, typeOf(spec.dtype)) {}
    /// Throws dnnl::error when the library cannot compute it.
    void choose(const ConvolutionSpec& spec);

private:
    void addPostOps(const ConvolutionSpec& spec, dnnl::post_ops& ops);
};

/// The leading epilogues that the library applies exactly as written. A relu (its own maps NaN to
/// 0) needs a pass of ours, which then does everything. Of 16 bits all do: each rounds.
void Plan::addPostOps(const ConvolutionSpec& spec, dnnl::post_ops& ops) {
    if ((spec.bias && !biasTaken) || ir::isHalf(spec.dtype)) return;
    for (const EpilogueSpec& epilogue : spec.epilogues)
        if (epilogue.kind == Kind::Relu) return;
    bool scaled = false;
    for (const EpilogueSpec& epilogue : spec.epilogues) {
        const auto scalar = static_cast<float>(epilogue.scalar);
        if (epilogue.kind == Kind::AddTensor) {
            const bool same = epilogue.tensor.rowStride == spec.result.rowStride &&
                              epilogue.tensor.columnStride == spec.result.columnStride &&
                              epilogue.tensor.batchStrides == spec.result.batchStrides;
            if (!same || !output.dense) return;
            ops.append_binary(dnnl::algorithm::binary_add, output.given);
        } else {
            // oneDNN 2.6 computes two linear post-ops with the first one's numbers.
            if (std::exchange(scaled, true)) return;
            const bool multiply = epilogue.kind == Kind::MulScalar;
            appendEltwise(ops, dnnl::algorithm::eltwise_linear, multiply ? scalar : 1,
                          multiply ? 0 : scalar);
        }
        ++epiloguesTaken;
    }
}

void Plan::choose(const ConvolutionSpec& spec) {
    const dnnl::engine& engine = cpuEngine();
    const Window window = windowOf(spec);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (spec.op == LibraryOp::Convolution) {
        biasTaken = spec.bias && spec.biasByChannel;
        dnnl::post_ops ops;
        addPostOps(spec, ops);
        attributes.set_post_ops(ops);
        const Desc bias({spec.output.sizes[1]}, typeOf(spec.dtype), dnnl::memory::format_tag::a);
        auto planned = [&](const dnnl::primitive_attr& with) {
            return convolution(engine, image.wanted, weight.wanted, biasTaken ? &bias : nullptr,
                               output.wanted, window, with);
        };
        forward = planned(attributes);
        // By products oneDNN 2.6.3 takes an addend of one channel or one place for a number for all.
        if (epiloguesTaken > 0 &&
            std::string_view(forward.impl_info_str()).find("gemm") != std::string_view::npos) {
            epiloguesTaken = 0;
            dnnl::primitive_attr alone;
            alone.set_scratchpad_mode(dnnl::scratchpad_mode::user);
            forward = planned(alone);
        }
        image.wanted = forward.src_desc();
        weight.wanted = forward.weights_desc();
        output.wanted = forward.dst_desc();
        scratch = forward.scratchpad_desc();
        name = forward.impl_info_str();
        return;
    }
    const auto hint = convolution(engine, image.wanted, weight.wanted, nullptr, output.wanted,
                                  window, attributes);
    if (spec.op == LibraryOp::ConvolutionImage) {
        towardsImage = convolutionAdjoint<dnnl::convolution_backward_data>(
            engine, image.wanted, weight.wanted, output.wanted, window, attributes, hint);
        image.wanted = towardsImage.diff_src_desc();
        weight.wanted = towardsImage.weights_desc();
        output.wanted = towardsImage.diff_dst_desc();
        scratch = towardsImage.scratchpad_desc();
        name = towardsImage.impl_info_str();
        return;
    }
    towardsWeight = convolutionAdjoint<dnnl::convolution_backward_weights>(
        engine, image.wanted, weight.wanted, output.wanted, window, attributes, hint);
    image.wanted = towardsWeight.src_desc();
    weight.wanted = towardsWeight.diff_weights_desc();
    output.wanted = towardsWeight.diff_dst_desc();
    scratch = towardsWeight.scratchpad_desc();
    name = towardsWeight.impl_info_str();
}

/// Whether the library's way is fast, right and rounds once.
bool isUsable(const ConvolutionSpec& spec, const Plan& plan) {
    if (plan.name.starts_with("ref")) return false;
    // A pass of our own would add the bias to what is rounded already.
    if (spec.bias && !plan.biasTaken && ir::isHalf(spec.dtype)) return false;
    // Multiplies pairs of output channels. Of an odd count the last one's partner is not zero but
    // what lies behind: oneDNN 2.6.3 and 3.7.2 answer with gradients up to 60 times too large.
    // 3.7.2 does the same to channels of the image forwards.
    if (!plan.name.starts_with("jit_bf16_1x1")) return true;
    if (spec.op == LibraryOp::ConvolutionImage)
        return spec.output.sizes[1] / spec.window.groups % 2 == 0;
    constexpr bool kOddChannels = DNNL_VERSION_MAJOR < 3;
    if (spec.op == LibraryOp::Convolution)
        return kOddChannels || spec.image.sizes[1] / spec.window.groups % 2 == 0;
    return true;
}

class DnnlConvolution : public LibraryKernel {
public:
    explicit DnnlConvolution(const ConvolutionSpec& spec) : spec_(spec), plan_(spec) {}

    /// False when oneDNN has no way that isUsable. Throws dnnl::error.
    bool prepare(int threads);
    base::Status run(void* const* pointers, void* memory, int threads) override;
    bool keeps(size_t which) const override { return (which ? second_ : first_).copied; }
    void sameAsLast(size_t which) override { (which ? second_ : first_).current = true; }
    int64_t workspace(int) const override { return static_cast<int64_t>(plan_.scratch.get_size()); }
    std::string implementation() const override { return "oneDNN " + plan_.name; }

private:
    /// The caller's memory of one tensor and, where the library computes in another layout, a copy.
    struct Bound {
        dnnl::memory given, copy;
        dnnl::reorder reorder; ///< into the copy, or for the result out of it
        int pointer = 0;
        bool copied = false;
        bool current = false; ///< the copy is what this run needs
        StoragePtr memory;
    };
    bool bind(Bound& bound, const Side& side, int pointer, bool result);
    bool bindSides();
    void addArgument(int argument, const dnnl::memory& memory) {
        arguments_.push_back({argument, memory.get()});
    }

    ConvolutionSpec spec_;
    Plan plan_;
    int team_ = 1; ///< oneDNN shares the work out among this many when the primitive is made
    dnnl::stream stream_{cpuEngine()};
    dnnl::primitive primitive_;
    Bound first_, second_, result_;
    std::vector<std::pair<dnnl::memory, int>> added_; ///< bias and tensors, by pointer
    dnnl::memory scratchMemory_;
    std::vector<dnnl_exec_arg_t> arguments_;
};

bool DnnlConvolution::bind(Bound& bound, const Side& side, int pointer, bool result) {
    bound.pointer = pointer;
    bound.given = dnnl::memory(side.given, cpuEngine(), nullptr);
    bound.copied = side.given != side.wanted;
    if (!bound.copied) return true;
    auto memory = cpuBackend().allocate(side.wanted.get_size());
    if (!memory) return false;
    bound.memory = std::move(*memory);
    bound.copy = dnnl::memory(side.wanted, cpuEngine(), bound.memory->data());
    bound.reorder =
        result ? dnnl::reorder(bound.copy, bound.given) : dnnl::reorder(bound.given, bound.copy);
    return true;
}

bool DnnlConvolution::bindSides() {
    const int last = static_cast<int>(spec_.pointerCount()) - 1;
    auto memoryOf = [](const Bound& bound) { return bound.copied ? bound.copy : bound.given; };
    switch (spec_.op) {
    case LibraryOp::ConvolutionImage:
        if (!bind(first_, plan_.output, 0, false) || !bind(second_, plan_.weight, 1, false) ||
            !bind(result_, plan_.image, last, true))
            return false;
        addArgument(DNNL_ARG_DIFF_DST, memoryOf(first_));
        addArgument(DNNL_ARG_WEIGHTS, memoryOf(second_));
        addArgument(DNNL_ARG_DIFF_SRC, memoryOf(result_));
        return true;
    case LibraryOp::ConvolutionWeight:
        if (!bind(first_, plan_.image, 0, false) || !bind(second_, plan_.output, 1, false) ||
            !bind(result_, plan_.weight, last, true))
            return false;
        addArgument(DNNL_ARG_SRC, memoryOf(first_));
        addArgument(DNNL_ARG_DIFF_DST, memoryOf(second_));
        addArgument(DNNL_ARG_DIFF_WEIGHTS, memoryOf(result_));
        return true;
    default:
        if (!bind(first_, plan_.image, 0, false) || !bind(second_, plan_.weight, 1, false) ||
            !bind(result_, plan_.output, last, true))
            return false;
        addArgument(DNNL_ARG_SRC, memoryOf(first_));
        addArgument(DNNL_ARG_WEIGHTS, memoryOf(second_));
        addArgument(DNNL_ARG_DST, memoryOf(result_));
        return true;
    }
}

bool DnnlConvolution::prepare(int threads) {
    team_ = spec_.flops() < kParallelWork ? 1 : threads;
    omp_set_num_threads(team_);
    plan_.choose(spec_);
    if (!isUsable(spec_, plan_)) return false;
    if (spec_.op == LibraryOp::Convolution)
        primitive_ = dnnl::convolution_forward(plan_.forward);
    else if (spec_.op == LibraryOp::ConvolutionImage)
        primitive_ = dnnl::convolution_backward_data(plan_.towardsImage);
    else
        primitive_ = dnnl::convolution_backward_weights(plan_.towardsWeight);
    if (!bindSides()) return false;
    if (plan_.biasTaken) {
        added_.emplace_back(dnnl::memory(plan_.forward.bias_desc(), cpuEngine(), nullptr), 2);
        addArgument(DNNL_ARG_BIAS, added_.back().first);
    }
    int pointer = static_cast<int>(spec_.firstTensor());
    for (size_t e = 0; e < plan_.epiloguesTaken; ++e) {
        if (spec_.epilogues[e].kind != Kind::AddTensor) continue;
        added_.emplace_back(dnnl::memory(plan_.output.given, cpuEngine(), nullptr), pointer++);
        addArgument(DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(e)) | DNNL_ARG_SRC_1,
                    added_.back().first);
    }
    scratchMemory_ = dnnl::memory(plan_.scratch, cpuEngine(), nullptr);
    addArgument(DNNL_ARG_SCRATCHPAD, scratchMemory_);
    return true;
}

base::Status DnnlConvolution::run(void* const* pointers, void* memory, int threads) {
    // A property of the calling thread; a call may come from another than the last one.
    if (omp_get_max_threads() != team_) omp_set_num_threads(team_);
    for (Bound* bound : {&first_, &second_, &result_})
        dnnl_memory_set_data_handle(bound->given.get(), pointers[bound->pointer]);
    for (auto& [tensor, pointer] : added_)
        dnnl_memory_set_data_handle(tensor.get(), pointers[pointer]);
    dnnl_memory_set_data_handle(scratchMemory_.get(), memory);
    try {
        for (Bound* bound : {&first_, &second_})
            if (bound->copied && !std::exchange(bound->current, false))
                bound->reorder.execute(stream_, bound->given, bound->copy);
        dnnl_status_t status =
            dnnl_primitive_execute(primitive_.get(), stream_.get(),
                                   static_cast<int>(arguments_.size()), arguments_.data());
        if (status != dnnl_success)
            return base::environmentError(
                fmt::format("oneDNN failed to convolve: {}", dnnl_status2str(status)));
        if (result_.copied) result_.reorder.execute(stream_, result_.copy, result_.given);
    } catch (const dnnl::error& error) {
        return base::environmentError(fmt::format("oneDNN failed to convolve: {}", error.what()));
    }
    finishResult(spec_, !plan_.biasTaken, plan_.epiloguesTaken, pointers, threads);
    return {};
}

} // namespace

std::string dnnlConvolutionName(const ConvolutionSpec& spec, int threads) {
    try {
        omp_set_num_threads(spec.flops() < kParallelWork ? 1 : threads);
        Plan plan(spec);
        plan.choose(spec);
        return isUsable(spec, plan) ? plan.name : std::string();
    } catch (const dnnl::error&) {
        return {};
    }
}

base::Result<LibraryKernelPtr> makeDnnlConvolution(const ConvolutionSpec& spec, int threads) {
    try {
        auto convolution = std::make_unique<DnnlConvolution>(spec);
        if (!convolution->prepare(threads)) return LibraryKernelPtr();
        return LibraryKernelPtr(std::move(convolution));
    } catch (const dnnl::error& error) {
        // Invalid: taps that stop short of the image's end (a transposed convolution's padding).
        if (error.status == dnnl_unimplemented || error.status == dnnl_invalid_arguments)
            return LibraryKernelPtr();
        return base::environmentError(
            fmt::format("oneDNN failed to prepare a convolution: {}", error.what()));
    }
}

} // namespace cutaway::runtime
