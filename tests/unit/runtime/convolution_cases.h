// SPDX-License-Identifier: Apache-2.0
/// \file
/// Convolutions of random shapes with their data, and their values by the shortest loops there are.
#pragma once

#include "core/runtime/library.h"

#include <array>
#include <random>

namespace cutaway::tests {

using namespace cutaway::runtime;
using kernel::LibraryOp;

struct ConvolutionCase {
    ConvolutionSpec spec;
    std::vector<std::vector<double>>
        operands;                 ///< as they lie in memory: the pointers but the result
    std::vector<double> expected; ///< the result, as it lies in memory
    std::string text;
};

inline std::vector<int64_t> stridesOf(const std::vector<int64_t>& sizes, bool channelsLast) {
    std::vector<int64_t> strides(sizes.size());
    int64_t next = channelsLast ? sizes[1] : 1;
    for (size_t d = sizes.size(); d-- > 0;) {
        if (channelsLast && d == 1) continue;
        strides[d] = next;
        next *= sizes[d];
    }
    if (channelsLast) strides[1] = 1;
    return strides;
}

inline int64_t product(const std::vector<int64_t>& sizes) {
    int64_t count = 1;
    for (int64_t size : sizes)
        count *= size;
    return count;
}

/// Calls \p body with every index below \p sizes.
template <typename Body> void forEachIndex(const std::vector<int64_t>& sizes, const Body& body) {
    std::vector<int64_t> index(sizes.size());
    for (int64_t i = 0, n = product(sizes); i < n; ++i) {
        int64_t left = i;
        for (size_t d = sizes.size(); d-- > 0; left /= sizes[d])
            index[d] = left % sizes[d];
        body(index);
    }
}

inline size_t placeOf(const ConvolutionTensor& tensor, const std::vector<int64_t>& index) {
    int64_t place = 0;
    for (size_t d = 0; d < index.size(); ++d)
        place += index[d] * tensor.strides[d];
    return static_cast<size_t>(place);
}

/// out += image * weight summed as the operation says, all three by their strides.
inline void convolve(const ConvolutionSpec& s, std::vector<double>& image,
                     std::vector<double>& weight, std::vector<double>& output) {
    const int64_t perGroup = s.weight.sizes[0] / s.window.groups;
    std::vector<int64_t> taps = s.weight.sizes, k, x;
    taps[0] = 1;
    forEachIndex(s.output.sizes, [&](const std::vector<int64_t>& y) {
        forEachIndex(taps, [&](const std::vector<int64_t>& tap) {
            k = tap;
            k[0] = y[1];
            x = {y[0], y[1] / perGroup * s.weight.sizes[1] + k[1]};
            for (size_t d = 0; d < s.spatial(); ++d) {
                x.push_back(y[d + 2] * s.window.stride[d] - s.window.padding[d] +
                            k[d + 2] * s.window.dilation[d]);
                if (x.back() < 0 || x.back() >= s.image.sizes[d + 2]) return;
            }
            double& i = image[placeOf(s.image, x)];
            double& w = weight[placeOf(s.weight, k)];
            double& o = output[placeOf(s.output, y)];
            if (s.op == LibraryOp::Convolution) o += i * w;
            if (s.op == LibraryOp::ConvolutionImage) i += o * w;
            if (s.op == LibraryOp::ConvolutionWeight) w += i * o;
        });
    });
}

/// \param pointwise one tap, one group, stride 1, no padding
inline ConvolutionCase convolutionCase(uint32_t seed, ir::DType dtype = ir::DType::Float32,
                                       bool pointwise = false) {
    std::mt19937 random(seed);
    auto upTo = [&](int64_t low, int64_t high) {
        return std::uniform_int_distribution<int64_t>(low, high)(random);
    };
    ConvolutionCase c;
    ConvolutionSpec& s = c.spec;
    s.dtype = dtype;
    s.op = std::array{LibraryOp::Convolution, LibraryOp::ConvolutionImage,
                      LibraryOp::ConvolutionWeight}[static_cast<size_t>(upTo(0, 2))];
    const int64_t spatial = upTo(1, 3), groups = upTo(0, 2) || pointwise ? 1 : upTo(2, 4);
    s.window.groups = groups;
    // Tiles of channels have multiples of 16.
    const int64_t n = upTo(1, 3), channels = seed % 4 ? upTo(1, 20) : seed % 8 ? 16 : 32;
    const int64_t features = (seed % 4 ? upTo(1, 20) : seed % 16 ? 16 : 48) * groups;
    s.image.sizes = {n, channels * groups};
    s.weight.sizes = {features, channels};
    s.output.sizes = {n, features};
    for (int64_t d = 0; d < spatial; ++d) {
        const int64_t taps = pointwise ? 1 : upTo(1, 4), dilation = upTo(1, 2);
        const int64_t stride = pointwise ? 1 : upTo(1, 3);
        const int64_t padding = upTo(0, taps - 1), reach = (taps - 1) * dilation;
        const int64_t size = std::max<int64_t>(upTo(1, 9), reach + 1 - 2 * padding);
        s.image.sizes.push_back(size);
        s.weight.sizes.push_back(taps);
        s.output.sizes.push_back((size + 2 * padding - reach - 1) / stride + 1);
        s.window.stride.push_back(stride);
        s.window.padding.push_back(padding);
        s.window.dilation.push_back(dilation);
    }
    const bool last = upTo(0, 1) == 1;
    for (ConvolutionTensor* t : {&s.image, &s.weight, &s.output})
        t->strides = stridesOf(t->sizes, upTo(0, 4) ? last && t != &s.weight : !last);
    std::vector<double> values[3];
    const ConvolutionTensor* tensors[] = {&s.image, &s.weight, &s.output};
    for (size_t t = 0; t < 3; ++t)
        for (int64_t i = 0, count = product(tensors[t]->sizes); i < count; ++i)
            values[t].push_back(
                tensors[t] == &s.target()
                    ? 0
                    : static_cast<float>(static_cast<double>(upTo(-100, 100)) / 64));
    convolve(s, values[0], values[1], values[2]);
    const size_t result = s.op == LibraryOp::Convolution        ? 2
                          : s.op == LibraryOp::ConvolutionImage ? 0
                                                                : 1;
    // The result is one row of memory: bias and epilogues come as views of that.
    s.m = 1;
    s.n = product(s.target().sizes);
    s.result = {{}, s.n, 1};
    c.expected = values[result];
    for (int which : {0, 1})
        for (size_t t = 0; t < 3; ++t)
            if (tensors[t] == &s.operand(which)) c.operands.push_back(values[t]);
    c.text = "seed " + std::to_string(seed);
    return c;
}

/// Adds a bias for every channel and, unless \p biasAlone, a sum with another tensor and a relu.
inline void addEpilogues(ConvolutionCase& c, bool biasAlone = false) {
    ConvolutionSpec& s = c.spec;
    const std::vector<int64_t>& sizes = s.target().sizes;
    const bool last = s.target().strides[1] == 1 && sizes[1] > 1;
    int64_t inner = 1;
    for (size_t d = 2; d < sizes.size(); ++d)
        inner *= sizes[d];
    if (last) {
        s.batch = {};
        s.m = sizes[0] * inner;
        s.n = sizes[1];
        s.result = {{}, s.n, 1};
        s.bias = MatrixView{{}, 0, 1};
    } else {
        s.batch = {sizes[0]};
        s.m = sizes[1];
        s.n = inner;
        s.result = {{s.m * s.n}, s.n, 1};
        s.bias = MatrixView{{0}, 1, 0};
    }
    s.biasByChannel = true;
    if (!biasAlone)
        s.epilogues = {{kernel::Epilogue::Kind::AddTensor, 0, s.result},
                       {kernel::Epilogue::Kind::Relu, 0, {}}};
    std::vector<double> bias, added;
    for (int64_t i = 0; i < sizes[1]; ++i)
        bias.push_back(0.25 * static_cast<double>(i % 7) - 0.5);
    for (size_t i = 0; i < c.expected.size(); ++i)
        added.push_back(0.125 * static_cast<double>(i % 11) - 0.75);
    for (size_t i = 0; i < c.expected.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        const int64_t channel = last ? at % sizes[1] : at / inner % sizes[1];
        c.expected[i] += bias[static_cast<size_t>(channel)];
        if (!biasAlone) c.expected[i] = std::max(0.0, c.expected[i] + added[i]);
    }
    c.operands.push_back(std::move(bias));
    if (!biasAlone) c.operands.push_back(std::move(added));
}

} // namespace cutaway::tests
