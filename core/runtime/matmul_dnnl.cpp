// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/device.h"
#include "core/runtime/dnnl_versions.h"
#include "core/runtime/matmul.h"
#include "core/runtime/strided_copy.h"

#include <algorithm>
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

dnnl::memory::desc describe(const Layout& layout) {
    return {layout.sizes, dnnl::memory::data_type::f32, layout.strides};
}

class DnnlMatmul : public LibraryKernel {
public:
    explicit DnnlMatmul(const MatmulSpec& spec) : spec_(spec) {}

    /// False when oneDNN has no fast way for the case. Throws dnnl::error.
    bool prepare(int threads);
    base::Status run(void* const* pointers, int threads) override;
    std::string implementation() const override { return "oneDNN " + name_; }

private:
    bool takesBias() const;
    size_t addPostOps(dnnl::post_ops& ops, const Merged& merged);

    MatmulSpec spec_;
    int team_ = 1;     ///< oneDNN shares the work out among this many when the primitive is made
    size_t taken_ = 0; ///< epilogues that oneDNN applies
    bool biasTaken_ = false;
    std::string name_;
    dnnl::stream stream_{cpuEngine()};
    dnnl::primitive primitive_;
    StoragePtr scratch_;
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
                describe(layout(merged.batch, merged.strides[2], spec_.result, spec_.m, spec_.n));
            ops.append_binary(dnnl::algorithm::binary_add, desc);
            bind(DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(count)) | DNNL_ARG_SRC_1, desc,
                 pointer++);
        }
        ++count;
    }
    return count;
}

bool DnnlMatmul::prepare(int threads) {
    if (!dense(spec_.a, spec_.m, spec_.k) || !dense(spec_.b, spec_.k, spec_.n)) return false;
    if (!dense(spec_.result, spec_.m, spec_.n)) return false;
    // oneDNN 3.7 stores a single column as if its elements were next to each other.
    if (spec_.n == 1 && spec_.m > 1 && spec_.result.rowStride != 1) return false;
    Merged merged = mergeBatch(spec_, {&spec_.a, &spec_.b, &spec_.result});
    if (merged.batch.size() > 4) return false;
    // It knows no result that repeats where both operands do.
    for (size_t d = 0; d < merged.batch.size(); ++d)
        if (merged.strides[0][d] == 0 && merged.strides[1][d] == 0) return false;
    double work = static_cast<double>(spec_.batches() * spec_.m) * static_cast<double>(spec_.n) *
                  static_cast<double>(spec_.k);
    team_ = work < kParallelWork ? 1 : threads;
    omp_set_num_threads(team_);

    auto a = describe(layout(merged.batch, merged.strides[0], spec_.a, spec_.m, spec_.k));
    auto b = describe(layout(merged.batch, merged.strides[1], spec_.b, spec_.k, spec_.n));
    auto out = describe(layout(merged.batch, merged.strides[2], spec_.result, spec_.m, spec_.n));
    biasTaken_ = takesBias();
    dnnl::primitive_attr attributes;
    dnnl::post_ops ops;
    taken_ = addPostOps(ops, merged);
    attributes.set_post_ops(ops);
    // The library's own scratchpad belongs to the thread that made the primitive.
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    Dims biasSizes(merged.batch.size() + 1, 1), biasStrides(merged.batch.size() + 2, spec_.n);
    biasSizes.push_back(spec_.n);
    biasStrides.back() = 1;
    dnnl::memory::desc bias(biasSizes, dnnl::memory::data_type::f32, biasStrides);
    dnnl::matmul::primitive_desc chosen =
        dnnl_versions::matmul(cpuEngine(), a, b, biasTaken_ ? &bias : nullptr, out, attributes);
    name_ = chosen.impl_info_str();
    if (name_.starts_with("ref")) return false;
    primitive_ = dnnl::matmul(chosen);
    bind(DNNL_ARG_SRC, a, 0);
    bind(DNNL_ARG_WEIGHTS, b, 1);
    if (biasTaken_) bind(DNNL_ARG_BIAS, bias, 2);
    bind(DNNL_ARG_DST, out, static_cast<int>(spec_.pointerCount()) - 1);
    bind(DNNL_ARG_SCRATCHPAD, chosen.scratchpad_desc(), -1);
    auto scratch = cpuBackend().allocate(chosen.scratchpad_desc().get_size());
    if (!scratch) return false;
    scratch_ = std::move(*scratch);
    memories_.back().memory.set_data_handle(scratch_->data());
    return true;
}

base::Status DnnlMatmul::run(void* const* pointers, int threads) {
    // A property of the calling thread; a call may come from another than the last one.
    if (omp_get_max_threads() != team_) omp_set_num_threads(team_);
    for (const Bound& bound : memories_)
        if (bound.pointer >= 0)
            dnnl_memory_set_data_handle(bound.memory.get(), pointers[bound.pointer]);
    dnnl_status_t status = dnnl_primitive_execute(
        primitive_.get(), stream_.get(), static_cast<int>(arguments_.size()), arguments_.data());
    if (status != dnnl_success)
        return base::environmentError(
            fmt::format("oneDNN failed to multiply matrices: {}", dnnl_status2str(status)));
    finishResult(spec_, !biasTaken_, taken_, pointers, threads);
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
