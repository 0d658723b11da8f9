// SPDX-License-Identifier: Apache-2.0
// What convolutions and their adjoints give, by the shortest loops.
#include "core/ops/convolution_rules.h"
#include "core/ops/image_tools.h"

namespace cutaway::ops {

namespace {

/// A convolution's three tensors with plain numbers, and a walk over all products.
struct Geometry {
    Sizes image, weight, output; ///< [n, c, ..], [o, c / groups, ..], [n, o, ..]
    Sizes stride, padding, dilation;
    int64_t groups;

    /// Calls f(image index, weight index, output index) for every product of the sums.
    template <typename F> void forEach(F f) const {
        const size_t spatial = image.size() - 2;
        const Sizes taps(weight.begin() + 2, weight.end()),
            places(output.begin() + 2, output.end());
        const Sizes inside(image.begin() + 2, image.end());
        const int64_t tapCount = product(taps), placeCount = product(places);
        const int64_t imageCount = product(inside);
        const Sizes imageStrides = rowMajorStrides(inside);
        const int64_t perGroup = weight[0] / groups;
        Odometer<1> tap(taps, {Sizes(spatial, 0)});
        for (int64_t k = 0; k < tapCount; ++k, tap.next()) {
            Odometer<1> place(places, {Sizes(spatial, 0)});
            for (int64_t y = 0; y < placeCount; ++y, place.next()) {
                int64_t x = 0;
                bool in = true;
                for (size_t d = 0; d < spatial; ++d) {
                    const int64_t at =
                        place.coords()[d] * stride[d] - padding[d] + tap.coords()[d] * dilation[d];
                    in = in && at >= 0 && at < inside[d];
                    x += at * imageStrides[d];
                }
                if (!in) continue;
                for (int64_t n = 0; n < output[0]; ++n)
                    for (int64_t o = 0; o < output[1]; ++o)
                        for (int64_t c = 0; c < weight[1]; ++c)
                            f(((n * image[1]) + o / perGroup * weight[1] + c) * imageCount + x,
                              (o * weight[1] + c) * tapCount + k,
                              (n * output[1] + o) * placeCount + y);
            }
        }
    }
};

Geometry geometryOf(const OpCall& call, size_t shift, Sizes image, Sizes weight, Sizes output) {
    const size_t spatial = image.size() - 2;
    return {std::move(image),
            std::move(weight),
            std::move(output),
            spatialNumbers(call, kStride + shift, spatial),
            spatialNumbers(call, kPadding + shift, spatial),
            spatialNumbers(call, kDilation + shift, spatial),
            call.number(kGroups + shift)};
}

/// Sizes by plain arithmetic, apart from the shape rule.
Sizes hostResultSizes(const OpCall& call, const Sizes& x, const Sizes& w) {
    const size_t spatial = x.size() - 2;
    const Geometry g = geometryOf(call, 0, x, w, x);
    const Sizes extra = spatialNumbers(call, kOutputPadding, spatial);
    const bool transposed = call.boolean(kTransposed);
    Sizes sizes{x[0], transposed ? w[1] * g.groups : w[0]};
    for (size_t d = 0; d < spatial; ++d) {
        const int64_t reach = g.dilation[d] * (w[d + 2] - 1);
        sizes.push_back(transposed
                            ? (x[d + 2] - 1) * g.stride[d] - 2 * g.padding[d] + reach + extra[d] + 1
                            : (x[d + 2] + 2 * g.padding[d] - reach - 1) / g.stride[d] + 1);
    }
    return sizes;
}

Geometry adjointGeometry(const OpCall& call, Sizes image, Sizes weight, Sizes output) {
    const size_t spatial = image.size() - 2;
    return {std::move(image),
            std::move(weight),
            std::move(output),
            spatialNumbers(call, 3, spatial),
            spatialNumbers(call, 4, spatial),
            spatialNumbers(call, 5, spatial),
            call.number(6)};
}

} // namespace

Values convolutionReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &x = *tensors[0], &w = *tensors[1];
    const Sizes sizes = hostResultSizes(call, x.sizes, w.sizes);
    const std::vector<double> in = valuesOf<double>(x), weight = valuesOf<double>(w);
    std::vector<double> out(static_cast<size_t>(product(sizes)));
    if (call.boolean(kTransposed))
        geometryOf(call, 0, sizes, w.sizes, x.sizes).forEach([&](int64_t i, int64_t k, int64_t o) {
            out[i] += in[o] * weight[k];
        });
    else
        geometryOf(call, 0, x.sizes, w.sizes, sizes).forEach([&](int64_t i, int64_t k, int64_t o) {
            out[o] += in[i] * weight[k];
        });
    if (call.has(2)) {
        const std::vector<double> bias = valuesOf<double>(tensorArg(call, tensors, 2));
        const int64_t each = product(sizes) / std::max<int64_t>(sizes[0] * sizes[1], 1);
        for (size_t i = 0; i < out.size(); ++i)
            out[i] += bias[static_cast<size_t>(static_cast<int64_t>(i) / each % sizes[1])];
    }
    return oneValue(tensorOf(x.dtype, sizes, out));
}

Values convolutionBackwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &g = *tensors[0], &x = *tensors[1], &w = *tensors[2];
    const std::vector<double> grad = valuesOf<double>(g), in = valuesOf<double>(x);
    const std::vector<double> weight = valuesOf<double>(w);
    std::vector<double> dx(in.size()), dw(weight.size()), db(static_cast<size_t>(g.sizes[1]));
    if (call.boolean(kTransposed + kBackward))
        geometryOf(call, kBackward, g.sizes, w.sizes, x.sizes)
            .forEach([&](int64_t i, int64_t k, int64_t o) {
                dx[o] += grad[i] * weight[k];
                dw[k] += grad[i] * in[o];
            });
    else
        geometryOf(call, kBackward, x.sizes, w.sizes, g.sizes)
            .forEach([&](int64_t i, int64_t k, int64_t o) {
                dx[i] += grad[o] * weight[k];
                dw[k] += in[i] * grad[o];
            });
    const int64_t each = product(g.sizes) / std::max<int64_t>(g.sizes[0] * g.sizes[1], 1);
    for (size_t i = 0; i < grad.size(); ++i)
        db[static_cast<size_t>(static_cast<int64_t>(i) / each % g.sizes[1])] += grad[i];
    const ir::ArgList& mask = *call.args[kGroups + kBackward + 1].list();
    std::vector<std::vector<double>*> all{&dx, &dw, &db};
    for (size_t i = 0; i < 3; ++i)
        if (!std::get<bool>(mask[i])) std::fill(all[i]->begin(), all[i]->end(), 0.0);
    Values results = oneValue(tensorOf(x.dtype, x.sizes, dx));
    results.push_back(tensorOf(w.dtype, w.sizes, dw));
    results.push_back(tensorOf(x.dtype, {g.sizes[1]}, db));
    return results;
}

Values convolutionImageReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &g = *tensors[0], &w = *tensors[1];
    const Sizes sizes = call.numbers(2);
    const std::vector<double> grad = valuesOf<double>(g), weight = valuesOf<double>(w);
    std::vector<double> out(static_cast<size_t>(product(sizes)));
    adjointGeometry(call, sizes, w.sizes, g.sizes).forEach([&](int64_t i, int64_t k, int64_t o) {
        out[i] += grad[o] * weight[k];
    });
    return oneValue(tensorOf(g.dtype, sizes, out));
}

Values convolutionWeightReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &x = *tensors[0], &g = *tensors[1];
    const Sizes sizes = call.numbers(2);
    const std::vector<double> in = valuesOf<double>(x), grad = valuesOf<double>(g);
    std::vector<double> out(static_cast<size_t>(product(sizes)));
    adjointGeometry(call, x.sizes, sizes, g.sizes).forEach([&](int64_t i, int64_t k, int64_t o) {
        out[k] += in[i] * grad[o];
    });
    return oneValue(tensorOf(x.dtype, sizes, out));
}

} // namespace cutaway::ops
