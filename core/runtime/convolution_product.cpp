// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/convolution_product.h"

#include <algorithm>

namespace cutaway::runtime {
namespace {

using kernel::LibraryOp;

/// Images, channels and places of an image or output, the spatial dimensions joined.
struct Planes {
    int64_t images, channels, places;
    int64_t image, channel, place; ///< strides

    /// Whether the places of the next image follow those of the last.
    bool isOneRow() const { return images == 1 || places == 1 || image == place * places; }
    int64_t rowStride() const { return places == 1 ? image : place; }
};

std::optional<Planes> planesOf(const ConvolutionTensor& t) {
    Planes p{t.sizes[0], t.sizes[1], 1, t.strides[0], t.strides[1], 1};
    for (size_t d = t.sizes.size(); d-- > 2;) {
        if (t.sizes[d] == 1) continue;
        if (p.places == 1) p.place = t.strides[d];
        if (t.strides[d] != p.place * p.places) return std::nullopt;
        p.places *= t.sizes[d];
    }
    return p;
}

bool isPointwise(const ConvolutionSpec& s) {
    auto all = [](const std::vector<int64_t>& values, int64_t wanted) {
        return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == wanted; });
    };
    return s.window.groups == 1 && all(s.window.stride, 1) && all(s.window.padding, 0) &&
           std::all_of(s.weight.sizes.begin() + 2, s.weight.sizes.end(),
                       [](int64_t taps) { return taps == 1; });
}

/// What follows the operation, seen from the product; \p channelIsRow: of the result.
bool takeEnd(const ConvolutionSpec& s, bool channelIsRow, MatmulSpec& product) {
    if (s.bias && !s.biasByChannel) return false;
    if (s.bias)
        product.bias =
            MatrixView{std::vector<int64_t>(product.batch.size(), 0), channelIsRow, !channelIsRow};
    for (const EpilogueSpec& e : s.epilogues) {
        EpilogueSpec& taken = product.epilogues.emplace_back(e);
        if (e.kind != kernel::Epilogue::Kind::AddTensor) continue;
        if (e.tensor != s.result) return false;
        taken.tensor = product.result;
    }
    return true;
}

} // namespace

std::optional<ConvolutionProduct> productOf(const ConvolutionSpec& s) {
    if (s.isEmpty() || !isPointwise(s)) return std::nullopt;
    const auto image = planesOf(s.image), output = planesOf(s.output);
    if (!image || !output) return std::nullopt;
    const int64_t features = s.weight.strides[0], channels = s.weight.strides[1];
    const bool rows = image->isOneRow() && output->isOneRow();
    ConvolutionProduct made;
    MatmulSpec& p = made.product;
    p.dtype = s.dtype;
    if (s.op == LibraryOp::ConvolutionWeight) {
        // [features, places] x [places, channels]
        if (!rows) return std::nullopt;
        made.swapped = true;
        p.m = output->channels;
        p.k = image->images * image->places;
        p.n = image->channels;
        p.a = {{}, output->channel, output->rowStride()};
        p.b = {{}, image->rowStride(), image->channel};
        p.result = {{}, features, channels};
        return takeEnd(s, true, p) ? std::optional(made) : std::nullopt;
    }
    const bool forward = s.op == LibraryOp::Convolution;
    const Planes &from = forward ? *image : *output, &to = forward ? *output : *image;
    // The weight as [channels of from, channels of to].
    const int64_t rowStride = forward ? channels : features;
    const int64_t columnStride = forward ? features : channels;
    p.k = from.channels;
    if (rows && to.channel == 1) {
        // [places, from] x [from, to]
        p.m = to.images * to.places;
        p.n = to.channels;
        p.a = {{}, from.rowStride(), from.channel};
        p.b = {{}, rowStride, columnStride};
        p.result = {{}, to.rowStride(), 1};
    } else {
        // Of each image: [to, from] x [from, places]
        made.swapped = true;
        p.batch = {to.images};
        p.m = to.channels;
        p.n = to.places;
        p.a = {{0}, columnStride, rowStride};
        p.b = {{from.image}, from.channel, from.place};
        p.result = {{to.image}, to.channel, to.place};
    }
    return takeEnd(s, made.swapped, p) ? std::optional(made) : std::nullopt;
}

namespace {

class Swapped : public LibraryKernel {
public:
    Swapped(LibraryKernelPtr kernel, size_t pointers)
        : kernel_(std::move(kernel)), pointers_(pointers) {}
    base::Status run(void* const* pointers, void* memory, int threads) override {
        std::vector<void*> turned(pointers, pointers + pointers_);
        std::swap(turned[0], turned[1]);
        return kernel_->run(turned.data(), memory, threads);
    }
    int64_t workspace(int threads) const override { return kernel_->workspace(threads); }
    bool keeps(size_t which) const override { return kernel_->keeps(other(which)); }
    void sameAsLast(size_t which) override { kernel_->sameAsLast(other(which)); }
    std::string implementation() const override { return kernel_->implementation(); }

private:
    static size_t other(size_t which) { return which < 2 ? 1 - which : which; }

    LibraryKernelPtr kernel_;
    size_t pointers_;
};

} // namespace

LibraryKernelPtr convolutionBy(const ConvolutionProduct& product, LibraryKernelPtr kernel) {
    if (!kernel || !product.swapped) return kernel;
    return std::make_unique<Swapped>(std::move(kernel), product.product.pointerCount());
}

} // namespace cutaway::runtime
