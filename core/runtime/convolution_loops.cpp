// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/convolution.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace cutaway::runtime {
namespace {

/// Multiplications that are worth waking threads for.
constexpr double kParallelWork = 1 << 16;

/// A tensor with three spatial dimensions, missing ones of size 1.
struct Tensor {
    std::array<int64_t, 5> size, stride;
};

Tensor widened(const ConvolutionTensor& tensor) {
    Tensor out{{tensor.sizes[0], tensor.sizes[1], 1, 1, 1},
               {tensor.strides[0], tensor.strides[1], 0, 0, 0}};
    const size_t spatial = tensor.sizes.size() - 2;
    for (size_t d = 0; d < spatial; ++d) {
        out.size[5 - spatial + d] = tensor.sizes[d + 2];
        out.stride[5 - spatial + d] = tensor.strides[d + 2];
    }
    return out;
}

template <typename T> T multiplyAdd(T a, T b, T c) {
    if constexpr (std::is_integral_v<T>) { // wraps around
        return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b) +
                              static_cast<uint64_t>(c));
    } else {
        return a * b + c;
    }
}

class LoopConvolution : public LibraryKernel {
public:
    explicit LoopConvolution(const ConvolutionSpec& spec)
        : spec_(spec), image_(widened(spec.image)), weight_(widened(spec.weight)),
          output_(widened(spec.output)) {
        for (size_t d = 0; d < spec.spatial(); ++d) {
            const size_t at = 3 - spec.spatial() + d;
            stride_[at] = spec.window.stride[d];
            padding_[at] = spec.window.padding[d];
            dilation_[at] = spec.window.dilation[d];
        }
    }
    base::Status run(void* const* pointers, void* /*memory*/, int threads) override {
        withType(spec_.dtype, [&]<typename T>(T) {
            auto* a = static_cast<const T*>(pointers[0]);
            auto* b = static_cast<const T*>(pointers[1]);
            auto* to = static_cast<T*>(pointers[spec_.pointerCount() - 1]);
            if (spec_.op == kernel::LibraryOp::Convolution) forward(a, b, to, threads);
            if (spec_.op == kernel::LibraryOp::ConvolutionImage) towardsImage(b, a, to, threads);
            if (spec_.op == kernel::LibraryOp::ConvolutionWeight) towardsWeight(a, b, to, threads);
        });
        finishResult(spec_, true, 0, pointers, threads);
        return {};
    }
    std::string implementation() const override { return "loops"; }

private:
    /// Output places [begin, end) along spatial dimension \p d whose tap \p k lies in the image.
    std::pair<int64_t, int64_t> inside(size_t d, int64_t k) const {
        const int64_t shift = k * dilation_[d] - padding_[d], s = stride_[d];
        const int64_t begin = shift >= 0 ? 0 : (-shift + s - 1) / s;
        const int64_t room = image_.size[d + 2] - shift;
        const int64_t end = room <= 0 ? 0 : (room + s - 1) / s;
        return {begin, std::min(end, output_.size[d + 2])};
    }
    /// Calls \p body(kz, ky, z, y) for the taps of the outer two dimensions that image and output
    /// share: for an output place (\p forward) or an image place at \p at.
    template <typename Body>
    void outerTaps(bool forward, const int64_t* at, const Body& body) const {
        for (int64_t kz = 0; kz < weight_.size[2]; ++kz)
            for (int64_t ky = 0; ky < weight_.size[3]; ++ky) {
                int64_t other[2];
                bool in = true;
                for (size_t d = 0; d < 2; ++d) {
                    const int64_t shift = (d ? ky : kz) * dilation_[d] - padding_[d];
                    other[d] = forward ? at[d] * stride_[d] + shift : at[d] - shift;
                    if (!forward) {
                        in = in && other[d] >= 0 && other[d] % stride_[d] == 0;
                        other[d] /= stride_[d];
                    }
                    in = in && other[d] >= 0 && other[d] < (forward ? image_ : output_).size[d + 2];
                }
                if (in) body(kz, ky, other[0], other[1]);
            }
    }
    template <typename T>
    static const T* at(const T* start, const Tensor& t, int64_t n, int64_t c, int64_t z,
                       int64_t y) {
        return start + n * t.stride[0] + c * t.stride[1] + z * t.stride[2] + y * t.stride[3];
    }
    bool parallel(int threads) const { return threads > 1 && spec_.flops() >= kParallelWork; }

    template <typename T> void forward(const T* image, const T* weight, T* to, int threads) const;
    template <typename T>
    void towardsImage(const T* weight, const T* grad, T* to, int threads) const;
    template <typename T>
    void towardsWeight(const T* image, const T* grad, T* to, int threads) const;
    /// Every row (n, c, z, y) of \p target: what \p fill adds to zeros goes to memory.
    template <typename T, typename Fill>
    void rows(const Tensor& target, T* to, int threads, const Fill& fill) const;

    ConvolutionSpec spec_;
    Tensor image_, weight_, output_;
    std::array<int64_t, 3> stride_{1, 1, 1}, padding_{0, 0, 0}, dilation_{1, 1, 1};
};

template <typename T, typename Fill>
void LoopConvolution::rows(const Tensor& target, T* to, int threads, const Fill& fill) const {
    const auto& size = target.size;
    const int64_t count = size[0] * size[1] * size[2] * size[3];
#pragma omp parallel num_threads(threads) if (parallel(threads))
    {
        std::vector<T> row(static_cast<size_t>(size[4]));
#pragma omp for
        for (int64_t i = 0; i < count; ++i) {
            const int64_t zy[2] = {i / size[3] % size[2], i % size[3]};
            const int64_t c = i / size[3] / size[2] % size[1];
            const int64_t n = i / size[3] / size[2] / size[1];
            std::fill(row.begin(), row.end(), T{0});
            fill(n, c, zy, row.data());
            T* out = const_cast<T*>(at(to, target, n, c, zy[0], zy[1]));
            for (int64_t x = 0; x < size[4]; ++x)
                out[x * target.stride[4]] = row[static_cast<size_t>(x)];
        }
    }
}

template <typename T>
void LoopConvolution::forward(const T* image, const T* weight, T* to, int threads) const {
    const int64_t perGroup = weight_.size[0] / spec_.window.groups;
    rows(output_, to, threads, [&](int64_t n, int64_t o, const int64_t* zy, T* row) {
        for (int64_t c = 0; c < weight_.size[1]; ++c)
            outerTaps(true, zy, [&](int64_t kz, int64_t ky, int64_t z, int64_t y) {
                const T* from = at(image, image_, n, o / perGroup * weight_.size[1] + c, z, y);
                const T* taps = at(weight, weight_, o, c, kz, ky);
                for (int64_t k = 0; k < weight_.size[4]; ++k) {
                    const auto [begin, end] = inside(2, k);
                    const int64_t shift = k * dilation_[2] - padding_[2];
                    const T w = taps[k * weight_.stride[4]];
                    for (int64_t x = begin; x < end; ++x)
                        row[x] = multiplyAdd(w, from[(x * stride_[2] + shift) * image_.stride[4]],
                                             row[x]);
                }
            });
    });
}

template <typename T>
void LoopConvolution::towardsImage(const T* weight, const T* grad, T* to, int threads) const {
    const int64_t perGroup = weight_.size[0] / spec_.window.groups;
    rows(image_, to, threads, [&](int64_t n, int64_t c, const int64_t* zy, T* row) {
        const int64_t group = c / weight_.size[1];
        for (int64_t o = group * perGroup; o < (group + 1) * perGroup; ++o)
            outerTaps(false, zy, [&](int64_t kz, int64_t ky, int64_t z, int64_t y) {
                const T* from = at(grad, output_, n, o, z, y);
                const T* taps = at(weight, weight_, o, c % weight_.size[1], kz, ky);
                for (int64_t k = 0; k < weight_.size[4]; ++k) {
                    const auto [begin, end] = inside(2, k);
                    const int64_t shift = k * dilation_[2] - padding_[2];
                    const T w = taps[k * weight_.stride[4]];
                    for (int64_t x = begin; x < end; ++x)
                        row[x * stride_[2] + shift] = multiplyAdd(w, from[x * output_.stride[4]],
                                                                  row[x * stride_[2] + shift]);
                }
            });
    });
}

template <typename T>
void LoopConvolution::towardsWeight(const T* image, const T* grad, T* to, int threads) const {
    const int64_t perGroup = weight_.size[0] / spec_.window.groups;
    // Rows of the weight: every tap of the last dimension sums over all images and places.
    rows(weight_, to, threads, [&](int64_t o, int64_t c, const int64_t* k, T* row) {
        const int64_t channel = o / perGroup * weight_.size[1] + c;
        const auto [zBegin, zEnd] = inside(0, k[0]);
        const auto [yBegin, yEnd] = inside(1, k[1]);
        for (int64_t n = 0; n < output_.size[0]; ++n)
            for (int64_t z = zBegin; z < zEnd; ++z)
                for (int64_t y = yBegin; y < yEnd; ++y) {
                    const T* in = at(image, image_, n, channel,
                                     z * stride_[0] + k[0] * dilation_[0] - padding_[0],
                                     y * stride_[1] + k[1] * dilation_[1] - padding_[1]);
                    const T* g = at(grad, output_, n, o, z, y);
                    for (int64_t kx = 0; kx < weight_.size[4]; ++kx) {
                        const auto [begin, end] = inside(2, kx);
                        const int64_t shift = kx * dilation_[2] - padding_[2];
                        T sum{0};
                        for (int64_t x = begin; x < end; ++x)
                            sum = multiplyAdd(g[x * output_.stride[4]],
                                              in[(x * stride_[2] + shift) * image_.stride[4]], sum);
                        row[kx] = multiplyAdd(T{1}, sum, row[kx]);
                    }
                }
    });
}

} // namespace

LibraryKernelPtr makeLoopConvolution(const ConvolutionSpec& spec) {
    return std::make_unique<LoopConvolution>(spec);
}

const ConvolutionTensor& ConvolutionSpec::target() const {
    if (op == kernel::LibraryOp::ConvolutionImage) return image;
    return op == kernel::LibraryOp::ConvolutionWeight ? weight : output;
}

const ConvolutionTensor& ConvolutionSpec::operand(int which) const {
    if (op == kernel::LibraryOp::ConvolutionImage) return which == 0 ? output : weight;
    if (which == 0) return image;
    return op == kernel::LibraryOp::ConvolutionWeight ? output : weight;
}

double ConvolutionSpec::flops() const {
    double product = 2;
    for (int64_t size : output.sizes)
        product *= static_cast<double>(size);
    for (size_t d = 1; d < weight.sizes.size(); ++d)
        product *= static_cast<double>(weight.sizes[d]);
    return product;
}

bool ConvolutionSpec::isEmpty() const {
    for (const ConvolutionTensor* tensor : {&image, &weight, &output})
        if (std::find(tensor->sizes.begin(), tensor->sizes.end(), 0) != tensor->sizes.end())
            return true;
    return false;
}

} // namespace cutaway::runtime
