// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loops that reference functions share: broadcast maps, folds over dimensions, copies by index.
/// Internal to core/ops. Values are doubles, or int64 where no operand is floating.
#pragma once

#include "core/ops/held_numbers.h"
#include "core/ops/rules.h"

#include <array>
#include <cmath>
#include <limits>

namespace cutaway::ops {

using Tensors = std::span<const ir::HostTensor* const>;
using Values = std::vector<ir::HostTensor>;
using Sizes = std::vector<int64_t>;

Values oneValue(ir::HostTensor tensor);
int64_t product(const Sizes& sizes);
Sizes rowMajorStrides(const Sizes& sizes);
Sizes broadcastSizes(const std::vector<Sizes>& all);
/// The host tensor of argument \p arg.
const ir::HostTensor& tensorArg(const OpCall& call, Tensors tensors, size_t arg);

template <class T> std::vector<T> valuesOf(const ir::HostTensor& tensor) {
    std::vector<T> values(static_cast<size_t>(tensor.numel()));
    for (size_t i = 0; i < values.size(); ++i) {
        if constexpr (std::is_same_v<T, double>)
            values[i] = tensor.get(static_cast<int64_t>(i));
        else
            values[i] = tensor.getInt(static_cast<int64_t>(i));
    }
    return values;
}
template <class T>
ir::HostTensor tensorOf(ir::DType dtype, Sizes sizes, const std::vector<T>& values) {
    ir::HostTensor tensor = ir::HostTensor::zeros(dtype, std::move(sizes));
    for (size_t i = 0; i < values.size(); ++i) {
        if constexpr (std::is_same_v<T, double>)
            tensor.set(static_cast<int64_t>(i), values[i]);
        else
            tensor.setInt(static_cast<int64_t>(i), values[i]);
    }
    return tensor;
}

/// Walks row-major over sizes, keeping one running offset per operand.
template <size_t N> class Odometer {
public:
    Odometer(Sizes sizes, std::array<Sizes, N> strides)
        : sizes_(std::move(sizes)), strides_(std::move(strides)), at_(sizes_.size()) {}
    std::array<int64_t, N> offsets{};
    const Sizes& coords() const { return at_; }
    void next() {
        for (size_t d = sizes_.size(); d-- > 0;) {
            for (size_t k = 0; k < N; ++k)
                offsets[k] += strides_[k][d];
            if (++at_[d] < sizes_[d]) return;
            for (size_t k = 0; k < N; ++k)
                offsets[k] -= strides_[k][d] * sizes_[d];
            at_[d] = 0;
        }
    }

private:
    Sizes sizes_;
    std::array<Sizes, N> strides_;
    Sizes at_;
};

/// Strides of an operand of sizes \p from walked over \p to (0 where it is broadcast).
Sizes broadcastStrides(const Sizes& from, const Sizes& to);

template <class T, size_t N, class F>
ir::HostTensor broadcastMapAs(const OpCall& call, Tensors tensors,
                              const std::array<size_t, N>& args, ir::DType compute, ir::DType out,
                              F f) {
    std::array<std::vector<T>, N> values;
    std::vector<Sizes> sizes;
    for (size_t k = 0; k < N; ++k) {
        if (call.isTensor(args[k])) {
            const ir::HostTensor& tensor = tensorArg(call, tensors, args[k]);
            values[k] = valuesOf<T>(tensor);
            sizes.push_back(tensor.sizes);
        } else {
            double real = call.real(args[k]);
            if (compute == ir::DType::Float32) real = static_cast<float>(real);
            values[k] = {static_cast<T>(real)};
            if constexpr (std::is_same_v<T, int64_t>)
                values[k] = {asElement(compute, call.number(args[k]))};
            sizes.push_back({});
        }
    }
    Sizes to = broadcastSizes(sizes);
    std::array<Sizes, N> strides;
    for (size_t k = 0; k < N; ++k)
        strides[k] = broadcastStrides(sizes[k], to);
    std::vector<T> result(static_cast<size_t>(product(to)));
    Odometer<N> at(to, strides);
    for (T& value : result) {
        value = [&]<size_t... K>(std::index_sequence<K...>) {
            return static_cast<T>(f(values[K][static_cast<size_t>(at.offsets[K])]...));
        }(std::make_index_sequence<N>{});
        at.next();
    }
    return tensorOf(out, to, result);
}

/// f over broadcast operands, tensors or scalars; f takes doubles or int64s by \p compute.
template <size_t N, class F>
ir::HostTensor broadcastMap(const OpCall& call, Tensors tensors, const std::array<size_t, N>& args,
                            ir::DType compute, ir::DType out, F f) {
    return ir::isFloating(compute) ? broadcastMapAs<double>(call, tensors, args, compute, out, f)
                                   : broadcastMapAs<int64_t>(call, tensors, args, compute, out, f);
}

/// For each element of a tensor of \p sizes, the element of the reduction over \p dims it goes to.
std::vector<int64_t> reducedIndex(const Sizes& sizes, const std::vector<int>& dims);
Sizes reducedHostSizes(const Sizes& sizes, const std::vector<int>& dims, bool keepdim);
/// Wrapped dims of a list argument, by plain arithmetic (None or empty: all).
std::vector<int> hostDims(const OpCall& call, size_t arg, size_t rank);
int hostDim(const OpCall& call, size_t arg, size_t rank);

/// Sum over dims in double.
std::vector<double> foldSum(const std::vector<double>& values, const std::vector<int64_t>& to,
                            size_t count);

/// Copies elements: out[coords] = in[index(coords)]; a negative index leaves zero.
template <class F> ir::HostTensor copyByIndex(const ir::HostTensor& in, Sizes sizes, F index) {
    ir::HostTensor out = ir::HostTensor::zeros(in.dtype, std::move(sizes));
    size_t step = ir::sizeBytes(in.dtype);
    Odometer<1> at(out.sizes, {Sizes(out.sizes.size(), 0)});
    for (int64_t i = 0, n = out.numel(); i < n; ++i, at.next()) {
        int64_t from = index(at.coords());
        if (from < 0) continue;
        const std::byte* source = in.bytes.data() + static_cast<size_t>(from) * step;
        std::copy(source, source + step, out.bytes.data() + static_cast<size_t>(i) * step);
    }
    return out;
}

/// The same elements, in order, with other sizes.
ir::HostTensor withSizes(const ir::HostTensor& in, Sizes sizes);
ir::HostTensor converted(const ir::HostTensor& in, ir::DType dtype);

} // namespace cutaway::ops
