// SPDX-License-Identifier: Apache-2.0
// What pools and their gradients give, by the shortest loops.
#include "core/ops/pooling_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::ops {

using ir::DType;
using ir::Sym;

namespace {

/// The windows of a pool by plain numbers; planes are all but the last two dimensions.
struct Planes {
    PoolWindow w;
    Sizes image, pooled;
    int64_t count = 1;

    Planes(const OpCall& call, const PoolWindow& window, const Sizes& in)
        : w(window), image(in), pooled(in) {
        const size_t rank = in.size();
        for (size_t d = 0; d + 2 < rank; ++d)
            count *= in[d];
        for (size_t d = 0; d < 2; ++d)
            pooled[rank - 2 + d] = call.number(w.places(d, Sym(in[rank - 2 + d])));
    }
    int64_t size(const Sizes& of, size_t d) const { return of[of.size() - 2 + d]; }
    /// Calls f(image element, pooled element, place in the plane) for every tap inside the image.
    template <typename F> void forEach(F f) const {
        const int64_t h = size(image, 0), wide = size(image, 1);
        const int64_t oh = size(pooled, 0), ow = size(pooled, 1);
        for (int64_t plane = 0; plane < count; ++plane)
            for (int64_t o = 0; o < oh * ow; ++o)
                for (int64_t k = 0; k < w.taps[0] * w.taps[1]; ++k) {
                    const int64_t y =
                        o / ow * w.stride[0] - w.padding[0] + k / w.taps[1] * w.dilation[0];
                    const int64_t x =
                        o % ow * w.stride[1] - w.padding[1] + k % w.taps[1] * w.dilation[1];
                    if (y < 0 || y >= h || x < 0 || x >= wide) continue;
                    f(static_cast<size_t>(plane * h * wide + y * wide + x),
                      static_cast<size_t>(plane * oh * ow + o), y * wide + x);
                }
    }
    double divisor(const OpCall& call, size_t shift, int64_t pooledElement) const {
        if (call.has(6 + shift)) return call.real(6 + shift);
        const int64_t ow = size(pooled, 1), plane = size(pooled, 0) * ow;
        const int64_t place[] = {pooledElement % plane / ow, pooledElement % plane % ow};
        double product = 1;
        for (size_t d = 0; d < 2; ++d) {
            int64_t begin = place[d] * w.stride[d] - w.padding[d];
            int64_t end = std::min(begin + w.taps[d], size(image, d) + w.padding[d]);
            if (!call.boolean(5 + shift)) {
                begin = std::max<int64_t>(begin, 0);
                end = std::min(end, size(image, d));
            }
            product *= static_cast<double>(end - begin);
        }
        return product;
    }
};

struct Largest {
    std::vector<double> values;
    std::vector<int64_t> places;
    Sizes sizes;
};

Largest largest(const OpCall& call, const ir::HostTensor& in) {
    const Planes planes(call, poolWindow(call, true, 0), in.sizes);
    const std::vector<double> x = valuesOf<double>(in);
    const auto count = static_cast<size_t>(product(planes.pooled));
    Largest best{std::vector<double>(count, -std::numeric_limits<double>::infinity()),
                 std::vector<int64_t>(count, -1), planes.pooled};
    planes.forEach([&](size_t i, size_t o, int64_t place) {
        if (best.places[o] >= 0 && !(x[i] > best.values[o]) && !std::isnan(x[i])) return;
        best.values[o] = x[i];
        best.places[o] = place;
    });
    return best;
}

} // namespace

Values maxPoolReference(const OpCall& call, Tensors tensors) {
    const Largest best = largest(call, *tensors[0]);
    return oneValue(tensorOf(tensors[0]->dtype, best.sizes, best.values));
}

Values positionsReference(const OpCall& call, Tensors tensors) {
    const Largest best = largest(call, *tensors[0]);
    return oneValue(tensorOf(DType::Int64, best.sizes, best.places));
}

Values withIndicesReference(const OpCall& call, Tensors tensors) {
    Values results = maxPoolReference(call, tensors);
    results.push_back(positionsReference(call, tensors)[0]);
    return results;
}

Values maxBackwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[1];
    const Planes planes(call, poolWindow(call, true, 1), in.sizes);
    const std::vector<double> grad = valuesOf<double>(*tensors[0]);
    const std::vector<int64_t> indices = valuesOf<int64_t>(*tensors[2]);
    std::vector<double> out(static_cast<size_t>(in.numel()));
    const int64_t plane = planes.size(in.sizes, 0) * planes.size(in.sizes, 1);
    const int64_t pooled = planes.size(planes.pooled, 0) * planes.size(planes.pooled, 1);
    for (size_t o = 0; o < grad.size(); ++o)
        out[static_cast<size_t>(static_cast<int64_t>(o) / pooled * plane + indices[o])] += grad[o];
    return oneValue(tensorOf(in.dtype, in.sizes, out));
}

Values avgPoolReference(const OpCall& call, Tensors tensors) {
    const Planes planes(call, poolWindow(call, false, 0), tensors[0]->sizes);
    const std::vector<double> x = valuesOf<double>(*tensors[0]);
    std::vector<double> out(static_cast<size_t>(product(planes.pooled)));
    planes.forEach([&](size_t i, size_t o, int64_t) { out[o] += x[i]; });
    for (size_t o = 0; o < out.size(); ++o)
        out[o] /= planes.divisor(call, 0, static_cast<int64_t>(o));
    return oneValue(tensorOf(tensors[0]->dtype, planes.pooled, out));
}

Values avgBackwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[1];
    const Planes planes(call, poolWindow(call, false, 1), in.sizes);
    const std::vector<double> grad = valuesOf<double>(*tensors[0]);
    std::vector<double> out(static_cast<size_t>(in.numel()));
    planes.forEach([&](size_t i, size_t o, int64_t) {
        out[i] += grad[o] / planes.divisor(call, 1, static_cast<int64_t>(o));
    });
    return oneValue(tensorOf(in.dtype, in.sizes, out));
}

Values adaptiveReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const Sizes to = spatialNumbers(call, 1, 2);
    Sizes sizes = in.sizes;
    const size_t rank = sizes.size();
    const int64_t h = sizes[rank - 2], w = sizes[rank - 1];
    sizes[rank - 2] = to[0];
    sizes[rank - 1] = to[1];
    const std::vector<double> x = valuesOf<double>(in);
    std::vector<double> out(static_cast<size_t>(product(sizes)));
    for (size_t i = 0; i < out.size(); ++i) {
        const auto at = static_cast<int64_t>(i);
        const int64_t ox = at % to[1], oy = at / to[1] % to[0], plane = at / to[1] / to[0];
        const int64_t y0 = oy * h / to[0], y1 = ((oy + 1) * h + to[0] - 1) / to[0];
        const int64_t x0 = ox * w / to[1], x1 = ((ox + 1) * w + to[1] - 1) / to[1];
        for (int64_t y = y0; y < y1; ++y)
            for (int64_t k = x0; k < x1; ++k)
                out[i] += x[static_cast<size_t>((plane * h + y) * w + k)];
        out[i] /= static_cast<double>((y1 - y0) * (x1 - x0));
    }
    return oneValue(tensorOf(in.dtype, sizes, out));
}

} // namespace cutaway::ops
