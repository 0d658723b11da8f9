// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/device.h"
#include "core/runtime/dnnl_versions.h"
#include "core/runtime/matmul.h"
#include "core/runtime/strided_copy.h"

#include <algorithm>
#include <cmath>
#include <dnnl_debug.h>
#include <fmt/format.h>
#include <omp.h>
#include <utility>

namespace cutaway::runtime {
namespace {

using Kind = kernel::Epilogue::Kind;
using dnnl_versions::cpuEngine;
using dnnl_versions::Dims;

/// Multiplications that are worth waking threads for.
constexpr double kParallelWork = 1 << 18;

/// Rows that are worth packing the other operand for, and its elements. oneDNN reads a row-major one
/// where it lies: 1024x768x3072 takes 67 ms so, 27 from a packed copy that takes one to make.
constexpr int64_t kPackedRows = 256, kPackedElements = 1 << 16;

/// The sizes of an operand and its strides, as oneDNN takes them.
struct Layout {
    Dims sizes, strides;
};

/// Merges batch dimensions where all operands walk them with one stride, so that most products of
/// many dimensions become one of three.
struct Merged {
    std::vector<int64_t> batch;
    std::vector<std::vector<int64_t>> strides; ///< by operand
};

Merged mergeBatch(const MatmulSpec& spec, const std::vector<const MatrixView*>& operands) {
    Merged merged;
    merged.strides.resize(operands.size());
    for (size_t d = 0; d < spec.batch.size(); ++d) {
        if (spec.batch[d] == 1) continue;
        bool joins = !merged.batch.empty();
        for (size_t i = 0; joins && i < operands.size(); ++i)
            joins = merged.strides[i].back() == operands[i]->batchStrides[d] * spec.batch[d];
        if (!joins) merged.batch.push_back(1);
        merged.batch.back() *= spec.batch[d];
        for (size_t i = 0; i < operands.size(); ++i) {
            if (!joins) merged.strides[i].push_back(0);
            merged.strides[i].back() = operands[i]->batchStrides[d];
        }
    }
    return merged;
}

/// Repeated dimensions (stride 0) become size 1: oneDNN broadcasts those.
Layout layout(const std::vector<int64_t>& batch, const std::vector<int64_t>& batchStrides,
              const MatrixView& operand, int64_t rows, int64_t columns) {
    Layout out;
    for (size_t d = 0; d < batch.size(); ++d) {
        out.sizes.push_back(batchStrides[d] == 0 ? 1 : batch[d]);
        out.strides.push_back(batchStrides[d]);
    }
    out.sizes.insert(out.sizes.end(), {rows, columns});
    out.strides.insert(out.strides.end(), {operand.rowStride, operand.columnStride});
    // Strides of dimensions of size 1 are never followed; oneDNN wants them to look ordered.
    int64_t next = 1;
    for (size_t d = out.sizes.size(); d-- > 0;) {
        if (out.sizes[d] == 1) out.strides[d] = std::max<int64_t>(out.strides[d], next);
        next = std::max(next, out.sizes[d] * out.strides[d]);
    }
    return out;
}

bool dense(const MatrixView& operand, int64_t rows, int64_t columns) {
    bool rowMajor = operand.columnStride == 1 && (operand.rowStride >= columns || rows == 1);
    bool columnMajor = operand.rowStride == 1 && (operand.columnStride >= rows || columns == 1);
    return rowMajor || columnMajor;
}

dnnl::memory::desc describe(const Layout& layout, ir::DType dtype) {
    return {layout.sizes, dnnl_versions::typeOf(dtype), layout.strides};
}

class DnnlMatmul : public LibraryKernel {
public:
    explicit DnnlMatmul(const MatmulSpec& spec) : spec_(spec) {}

    /// False when oneDNN has no fast way for the case. Throws dnnl::error.
    bool prepare(int threads);
    base::Status run(void* const* pointers, void* memory, int threads) override;
    bool keeps(size_t which) const override { return which == 1 && packed_; }
    void sameAsLast(size_t) override { current_ = true; }
    int64_t workspace(int) const override { return workspace_; }
    std::string implementation() const override { return "oneDNN " + name_; }

private:
    bool takesBias() const;
    bool pack(const dnnl::memory::desc& given, const dnnl::memory::desc& wanted);
    void addBiasAsTensor(dnnl::post_ops& ops, const Merged& merged);
    size_t addPostOps(dnnl::post_ops& ops, const Merged& merged);
    size_t scaleHalves(dnnl::primitive_attr& attributes) const;

    MatmulSpec spec_;
    int team_ = 1;     ///< oneDNN shares the work out among this many when the primitive is made
    size_t taken_ = 0; ///< epilogues that oneDNN applies
    bool biasTaken_ = false;
    std::string name_;
    dnnl::stream stream_{cpuEngine()};
    dnnl::primitive primitive_;
    dnnl::memory scratch_;
    int64_t workspace_ = 0;
    StoragePtr packed_; ///< a copy of b in the library's own layout, where that pays
    dnnl::memory unpacked_, copy_;
    dnnl::reorder packing_;
    bool current_ = false; ///< the copy is what this run needs
    struct Bound {
        dnnl::memory memory;
        int pointer = 0; ///< which of run()'s pointers; -1: fixed
    };
    std::vector<Bound> memories_;
    std::vector<dnnl_exec_arg_t> arguments_;

    void bind(int argument, const dnnl::memory::desc& desc, int pointer);
};

void DnnlMatmul::bind(int argument, const dnnl::memory::desc& desc, int pointer) {
    memories_.push_back({dnnl::memory(desc, cpuEngine(), nullptr), pointer});
    arguments_.push_back({argument, memories_.back().memory.get()});
}

/// One value per column, the same for all rows: oneDNN's own bias.
bool DnnlMatmul::takesBias() const {
    if (!spec_.bias || spec_.bias->rowStride != 0 || spec_.bias->columnStride != 1) return false;
    for (int64_t stride : spec_.bias->batchStrides)
        if (stride != 0) return false;
    return true;
}

/// A bias of any form; the last of the merged operands is it.
void DnnlMatmul::addBiasAsTensor(dnnl::post_ops& ops, const Merged& merged) {
    const MatrixView& bias = *spec_.bias;
    const auto desc =
        describe(layout(merged.batch, merged.strides.back(), bias,
                        bias.rowStride == 0 ? 1 : spec_.m, bias.columnStride == 0 ? 1 : spec_.n),
                 spec_.dtype);
    ops.append_binary(dnnl::algorithm::binary_add, desc);
    bind(DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, desc, 2);
}

/// Post-ops for the leading epilogues that oneDNN applies exactly as written. Its relu maps NaN to
/// 0, so that one and all after it are a pass of our own.
size_t DnnlMatmul::addPostOps(dnnl::post_ops& ops, const Merged& merged) {
    if (spec_.bias && !biasTaken_) return 0;
    // A pass is due anyway: it does everything.
    for (const EpilogueSpec& epilogue : spec_.epilogues)
        if (epilogue.kind == Kind::Relu) return 0;
    int pointer = spec_.bias ? 3 : 2;
    size_t count = 0;
    bool scaled = false;
    for (const EpilogueSpec& epilogue : spec_.epilogues) {
        // oneDNN 2.6 computes two eltwise_linear post-ops with the first one's numbers.
        if (epilogue.kind != Kind::AddTensor && std::exchange(scaled, true)) break;
        auto scalar = static_cast<float>(epilogue.scalar);
        if (epilogue.kind == Kind::MulScalar)
            dnnl_versions::appendEltwise(ops, dnnl::algorithm::eltwise_linear, scalar, 0);
        if (epilogue.kind == Kind::AddScalar)
            dnnl_versions::appendEltwise(ops, dnnl::algorithm::eltwise_linear, 1, scalar);
        if (epilogue.kind == Kind::AddTensor) {
            bool sameLayout = epilogue.tensor.rowStride == spec_.result.rowStride &&
                              epilogue.tensor.columnStride == spec_.result.columnStride &&
                              epilogue.tensor.batchStrides == spec_.result.batchStrides;
            if (!sameLayout) break;
            auto desc =
                describe(layout(merged.batch, merged.strides[2], spec_.result, spec_.m, spec_.n),
                         spec_.dtype);
            ops.append_binary(dnnl::algorithm::binary_add, desc);
            bind(DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(count)) | DNNL_ARG_SRC_1, desc,
                 pointer++);
        }
        ++count;
    }
    return count;
}

/// Each epilogue of 16 bits rounds, and is a pass of our own, but for a power of two that the product
/// alone is multiplied with: rounding before it is as rounding behind. (float32 takes 1.5 times as
/// long with such a factor as with a post-op.) \returns how many epilogues that is.
size_t DnnlMatmul::scaleHalves(dnnl::primitive_attr& attributes) const {
    if (spec_.bias || spec_.epilogues.empty()) return 0;
    const EpilogueSpec& epilogue = spec_.epilogues.front();
    int exponent = 0;
    const bool power = std::fabs(std::frexp(epilogue.scalar, &exponent)) == 0.5;
    if (epilogue.kind != Kind::MulScalar || !power) return 0;
    return dnnl_versions::setFactor(attributes, static_cast<float>(epilogue.scalar)) ? 1 : 0;
}

bool DnnlMatmul::prepare(int threads) {
    if (!dense(spec_.a, spec_.m, spec_.k) || !dense(spec_.b, spec_.k, spec_.n)) return false;
    if (!dense(spec_.result, spec_.m, spec_.n)) return false;
    // oneDNN 3.7 stores a single column as if its elements were next to each other.
    if (spec_.n == 1 && spec_.m > 1 && spec_.result.rowStride != 1) return false;
    biasTaken_ = takesBias();
    // A pass of our own would add the bias to what 16 bits have rounded: oneDNN adds it before.
    const bool biasAsTensor = spec_.bias && !biasTaken_ && ir::isHalf(spec_.dtype);
    std::vector<const MatrixView*> walked{&spec_.a, &spec_.b, &spec_.result};
    if (biasAsTensor) walked.push_back(&*spec_.bias);
    Merged merged = mergeBatch(spec_, walked);
    if (merged.batch.size() > 4) return false;
    // It knows no result that repeats where both operands do.
    for (size_t d = 0; d < merged.batch.size(); ++d)
        if (merged.strides[0][d] == 0 && merged.strides[1][d] == 0) return false;
    double work = static_cast<double>(spec_.batches() * spec_.m) * static_cast<double>(spec_.n) *
                  static_cast<double>(spec_.k);
    team_ = work < kParallelWork ? 1 : threads;
    omp_set_num_threads(team_);

    auto a =
        describe(layout(merged.batch, merged.strides[0], spec_.a, spec_.m, spec_.k), spec_.dtype);
    auto b =
        describe(layout(merged.batch, merged.strides[1], spec_.b, spec_.k, spec_.n), spec_.dtype);
    auto out = describe(layout(merged.batch, merged.strides[2], spec_.result, spec_.m, spec_.n),
                        spec_.dtype);
    dnnl::primitive_attr attributes;
    dnnl::post_ops ops;
    if (biasAsTensor) addBiasAsTensor(ops, merged);
    taken_ = ir::isHalf(spec_.dtype) ? scaleHalves(attributes) : addPostOps(ops, merged);
    attributes.set_post_ops(ops);
    // The library's own scratchpad belongs to the thread that made the primitive.
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    Dims biasSizes(merged.batch.size() + 1, 1), biasStrides(merged.batch.size() + 2, spec_.n);
    biasSizes.push_back(spec_.n);
    biasStrides.back() = 1;
    dnnl::memory::desc bias(biasSizes, dnnl_versions::typeOf(spec_.dtype), biasStrides);
    const bool packs = merged.batch.empty() && spec_.b.columnStride == 1 &&
                       spec_.m >= kPackedRows && spec_.k * spec_.n >= kPackedElements;
    const auto weights =
        packs ? dnnl::memory::desc({spec_.k, spec_.n}, dnnl_versions::typeOf(spec_.dtype),
                                   dnnl::memory::format_tag::any)
              : b;
    dnnl::matmul::primitive_desc chosen = dnnl_versions::matmul(
        cpuEngine(), a, weights, biasTaken_ ? &bias : nullptr, out, attributes);
    name_ = chosen.impl_info_str();
    if (name_.starts_with("ref")) return false;
    primitive_ = dnnl::matmul(chosen);
    bind(DNNL_ARG_SRC, a, 0);
    const auto wanted = packs ? chosen.weights_desc() : b;
    bind(DNNL_ARG_WEIGHTS, wanted, wanted == b ? 1 : -1);
    if (wanted != b && !pack(b, wanted)) return false;
    if (biasTaken_) bind(DNNL_ARG_BIAS, bias, 2);
    bind(DNNL_ARG_DST, out, static_cast<int>(spec_.pointerCount()) - 1);
    bind(DNNL_ARG_SCRATCHPAD, chosen.scratchpad_desc(), -1);
    scratch_ = memories_.back().memory;
    workspace_ = static_cast<int64_t>(chosen.scratchpad_desc().get_size());
    return true;
}

/// Makes the copy the last one bound.
bool DnnlMatmul::pack(const dnnl::memory::desc& given, const dnnl::memory::desc& wanted) {
    auto memory = cpuBackend().allocate(wanted.get_size());
    if (!memory) return false;
    packed_ = std::move(*memory);
    unpacked_ = dnnl::memory(given, cpuEngine(), nullptr);
    copy_ = memories_.back().memory;
    copy_.set_data_handle(packed_->data());
    packing_ = dnnl::reorder(unpacked_, copy_);
    return true;
}

base::Status DnnlMatmul::run(void* const* pointers, void* memory, int threads) {
    // A property of the calling thread; a call may come from another than the last one.
    if (omp_get_max_threads() != team_) omp_set_num_threads(team_);
    for (const Bound& bound : memories_)
        if (bound.pointer >= 0)
            dnnl_memory_set_data_handle(bound.memory.get(), pointers[bound.pointer]);
    dnnl_memory_set_data_handle(scratch_.get(), memory);
    dnnl_status_t status = dnnl_success;
    if (packed_ && !std::exchange(current_, false)) {
        dnnl_memory_set_data_handle(unpacked_.get(), pointers[1]);
        const dnnl_exec_arg_t copied[] = {{DNNL_ARG_FROM, unpacked_.get()},
                                          {DNNL_ARG_TO, copy_.get()}};
        status = dnnl_primitive_execute(packing_.get(), stream_.get(), 2, copied);
    }
    if (status == dnnl_success)
        status = dnnl_primitive_execute(primitive_.get(), stream_.get(),
                                        static_cast<int>(arguments_.size()), arguments_.data());
    if (status != dnnl_success)
        return base::environmentError(
            fmt::format("oneDNN failed to multiply matrices: {}", dnnl_status2str(status)));
    finishResult(spec_, !biasTaken_ && !ir::isHalf(spec_.dtype), taken_, pointers, threads);
    return {};
}

} // namespace

base::Result<LibraryKernelPtr> makeDnnlMatmul(const MatmulSpec& spec, int threads) {
    try {
        auto matmul = std::make_unique<DnnlMatmul>(spec);
        if (!matmul->prepare(threads)) return LibraryKernelPtr();
        return LibraryKernelPtr(std::move(matmul));
    } catch (const dnnl::error& error) {
        // Invalid: windows that lie over one another.
        if (error.status == dnnl_unimplemented || error.status == dnnl_invalid_arguments)
            return LibraryKernelPtr();
        return base::environmentError(
            fmt::format("oneDNN failed to prepare a matrix product: {}", error.what()));
    }
}

} // namespace cutaway::runtime
