// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/in_float32.h"

#include "core/runtime/strided_copy.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace cutaway::runtime {
namespace {

/// The elements of one tensor: sizes and strides as they lie, and strides of a packed copy that
/// keeps their order and repeats what they repeat.
struct Window {
    std::vector<int64_t> sizes, given, packed;
    int64_t count = 1; ///< elements of the copy

    Window(std::vector<int64_t> theSizes, std::vector<int64_t> strides)
        : sizes(std::move(theSizes)), given(std::move(strides)), packed(sizes.size(), 0) {
        std::vector<size_t> order(sizes.size());
        std::iota(order.begin(), order.end(), size_t{0});
        // Dimensions of one element are innermost, whatever their strides say.
        const auto step = [&](size_t d) { return sizes[d] == 1 ? 0 : given[d]; };
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return step(a) < step(b); });
        for (size_t d : order) {
            if (given[d] == 0) {
                sizes[d] = 1;
                continue;
            }
            packed[d] = count;
            count *= sizes[d];
        }
    }
    StridedBlock asGiven(void* data, ir::DType dtype) const { return {data, dtype, sizes, given}; }
    StridedBlock asPacked(float* data) const { return {data, ir::DType::Float32, sizes, packed}; }
};

Window windowOf(const ResultSpec& spec, const MatrixView& view, int64_t rows, int64_t columns) {
    std::vector<int64_t> sizes = spec.batch, strides = view.batchStrides;
    sizes.insert(sizes.end(), {rows, columns});
    strides.insert(strides.end(), {view.rowStride, view.columnStride});
    return {std::move(sizes), std::move(strides)};
}
Window windowOf(const ConvolutionTensor& tensor) {
    return {tensor.sizes, tensor.strides};
}

MatrixView packedView(const Window& window) {
    const size_t rank = window.packed.size();
    return {{window.packed.begin(), window.packed.end() - 2},
            window.packed[rank - 2],
            window.packed[rank - 1]};
}

struct Windows {
    std::vector<Window> operands; ///< two, and the bias if any
    Window result;
};
Window biasWindow(const ResultSpec& spec) {
    return windowOf(spec, *spec.bias, spec.m, spec.n);
}
Windows windowsOf(const MatmulSpec& s) {
    Windows all{{windowOf(s, s.a, s.m, s.k), windowOf(s, s.b, s.k, s.n)},
                windowOf(s, s.result, s.m, s.n)};
    if (s.bias) all.operands.push_back(biasWindow(s));
    return all;
}
Windows windowsOf(const ConvolutionSpec& s) {
    Windows all{{windowOf(s.operand(0)), windowOf(s.operand(1))}, windowOf(s.target())};
    if (s.bias) all.operands.push_back(biasWindow(s));
    return all;
}

MatmulSpec widened(MatmulSpec spec) {
    const Windows all = windowsOf(spec);
    spec.a = packedView(all.operands[0]);
    spec.b = packedView(all.operands[1]);
    spec.result = packedView(all.result);
    return spec;
}
/// What follows the operation walks the result's memory, which is one block in both.
ConvolutionSpec widened(ConvolutionSpec spec) {
    const auto pack = [](ConvolutionTensor& tensor) { tensor.strides = windowOf(tensor).packed; };
    pack(spec.image);
    pack(spec.weight);
    pack(spec.output);
    return spec;
}

constexpr int64_t kAlignment = 64;

class InFloat32 : public LibraryKernel {
public:
    InFloat32(const ResultSpec& spec, Windows windows, LibraryKernelPtr inner)
        : spec_(spec), windows_(std::move(windows)), inner_(std::move(inner)),
          current_(windows_.operands.size()) {
        for (const Window& window : windows_.operands)
            copies_.emplace_back(static_cast<size_t>(window.count));
    }

    base::Status run(void* const* pointers, void* memory, int threads) override;
    /// The sums in float32, and behind them what their product or convolution needs.
    int64_t workspace(int threads) const override {
        return sumBytes() + inner_->workspace(threads);
    }
    bool keeps(size_t which) const override { return which < windows_.operands.size(); }
    void sameAsLast(size_t which) override {
        current_[which] = true;
        if (inner_->keeps(which)) inner_->sameAsLast(which);
    }
    std::string implementation() const override { return inner_->implementation() + " in float32"; }

private:
    int64_t sumBytes() const {
        const auto bytes = static_cast<int64_t>(windows_.result.count * sizeof(float));
        return (bytes + kAlignment - 1) / kAlignment * kAlignment;
    }

    ResultSpec spec_;
    Windows windows_;
    LibraryKernelPtr inner_;
    std::vector<std::vector<float>> copies_; ///< of the operands and the bias
    std::vector<bool> current_;              ///< of the operands: the copy is what this run needs
};

base::Status InFloat32::run(void* const* pointers, void* memory, int threads) {
    std::vector<void*> wide;
    for (size_t i = 0; i < windows_.operands.size(); ++i) {
        const Window& window = windows_.operands[i];
        wide.push_back(copies_[i].data());
        if (!current_[i])
            copyStridedHost(window.asPacked(copies_[i].data()),
                            window.asGiven(pointers[i], spec_.dtype), threads);
        current_[i] = false;
    }
    auto* sums = static_cast<float*>(memory);
    wide.push_back(sums);
    CUTAWAY_CHECK(inner_->run(wide.data(), static_cast<std::byte*>(memory) + sumBytes(), threads));
    copyStridedHost(windows_.result.asGiven(pointers[spec_.pointerCount() - 1], spec_.dtype),
                    windows_.result.asPacked(sums), threads);
    finishResult(spec_, false, 0, pointers, threads);
    return {};
}

} // namespace

std::optional<LibrarySpec> inFloat32(const LibrarySpec& spec) {
    return std::visit(
        [](const auto& s) -> std::optional<LibrarySpec> {
            using Spec = std::remove_cvref_t<decltype(s)>;
            if constexpr (std::is_same_v<Spec, MatmulSpec> ||
                          std::is_same_v<Spec, ConvolutionSpec>) {
                if (!ir::isHalf(s.dtype)) return std::nullopt;
                Spec wide = widened(s);
                wide.dtype = ir::DType::Float32;
                wide.epilogues.clear();
                if (wide.bias) wide.bias = packedView(biasWindow(s));
                return wide;
            } else {
                return std::nullopt;
            }
        },
        spec);
}

base::Result<LibraryKernelPtr> makeInFloat32(const LibrarySpec& spec,
                                             const ProviderContext& context) {
    ProviderContext own = context;
    own.wanted = {};
    CUTAWAY_TRY(LibraryKernelPtr inner,
                makeLibraryKernel(ir::Device::Kind::Cpu, *inFloat32(spec), own));
    return std::visit(
        [&](const auto& s) -> base::Result<LibraryKernelPtr> {
            if constexpr (requires { windowsOf(s); })
                return LibraryKernelPtr(
                    std::make_unique<InFloat32>(s, windowsOf(s), std::move(inner)));
            else
                return base::bugError("only products and convolutions are computed in float32");
        },
        spec);
}

} // namespace cutaway::runtime
