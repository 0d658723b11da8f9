// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reference_tools.h"

#include <algorithm>

namespace cutaway::ops {

Values oneValue(ir::HostTensor tensor) {
    Values values;
    values.push_back(std::move(tensor));
    return values;
}

int64_t product(const Sizes& sizes) {
    int64_t n = 1;
    for (int64_t size : sizes)
        n *= size;
    return n;
}

Sizes rowMajorStrides(const Sizes& sizes) {
    Sizes strides(sizes.size());
    int64_t step = 1;
    for (size_t i = sizes.size(); i-- > 0; step *= sizes[i])
        strides[i] = step;
    return strides;
}

Sizes broadcastSizes(const std::vector<Sizes>& all) {
    size_t rank = 0;
    for (const Sizes& sizes : all)
        rank = std::max(rank, sizes.size());
    Sizes result(rank, 1);
    for (const Sizes& sizes : all)
        for (size_t i = 0; i < sizes.size(); ++i)
            if (sizes[i] != 1) result[rank - sizes.size() + i] = sizes[i];
    return result;
}

Sizes broadcastStrides(const Sizes& from, const Sizes& to) {
    Sizes own = rowMajorStrides(from);
    Sizes strides(to.size(), 0);
    for (size_t i = 0; i < from.size(); ++i)
        if (from[i] != 1) strides[to.size() - from.size() + i] = own[i];
    return strides;
}

const ir::HostTensor& tensorArg(const OpCall& call, Tensors tensors, size_t arg) {
    size_t index = 0;
    for (size_t i = 0; i < arg; ++i) {
        index += call.isTensor(i);
        if (const ir::ArgList* list = call.args[i].list()) index += ir::inputNodes(*list).size();
    }
    return *tensors[index];
}

std::vector<int64_t> reducedIndex(const Sizes& sizes, const std::vector<int>& dims) {
    Sizes strides = rowMajorStrides(reducedHostSizes(sizes, dims, true));
    for (int dim : dims)
        strides[static_cast<size_t>(dim)] = 0;
    std::vector<int64_t> index(static_cast<size_t>(product(sizes)));
    Odometer<1> at(sizes, {strides});
    for (int64_t& value : index) {
        value = at.offsets[0];
        at.next();
    }
    return index;
}

Sizes reducedHostSizes(const Sizes& sizes, const std::vector<int>& dims, bool keepdim) {
    Sizes result;
    for (size_t i = 0; i < sizes.size(); ++i) {
        bool reduced = std::count(dims.begin(), dims.end(), static_cast<int>(i)) > 0;
        if (!reduced)
            result.push_back(sizes[i]);
        else if (keepdim)
            result.push_back(1);
    }
    return result;
}

std::vector<int> hostDims(const OpCall& call, size_t arg, size_t rank) {
    std::vector<int> dims;
    if (rank == 0) return dims;
    if (call.has(arg))
        for (const ir::Sym& value : call.integers(arg)) {
            int dim = static_cast<int>(call.number(value));
            dims.push_back(dim < 0 ? dim + static_cast<int>(rank) : dim);
        }
    return dims.empty() ? allDims(rank) : dims;
}

int hostDim(const OpCall& call, size_t arg, size_t rank) {
    int dim = static_cast<int>(call.number(arg));
    return dim < 0 ? dim + static_cast<int>(std::max<size_t>(rank, 1)) : dim;
}

std::vector<double> foldSum(const std::vector<double>& values, const std::vector<int64_t>& to,
                            size_t count) {
    std::vector<double> sums(count);
    for (size_t i = 0; i < values.size(); ++i)
        sums[static_cast<size_t>(to[i])] += values[i];
    return sums;
}

ir::HostTensor withSizes(const ir::HostTensor& in, Sizes sizes) {
    ir::HostTensor out = in;
    out.sizes = std::move(sizes);
    return out;
}

ir::HostTensor converted(const ir::HostTensor& in, ir::DType dtype) {
    if (in.dtype == dtype) return in;
    ir::HostTensor out = ir::HostTensor::zeros(dtype, in.sizes);
    bool exact = ir::isIntegral(in.dtype);
    for (int64_t i = 0, n = in.numel(); i < n; ++i) {
        if (exact)
            out.setInt(i, in.getInt(i));
        else
            out.set(i, in.get(i));
    }
    return out;
}

} // namespace cutaway::ops
