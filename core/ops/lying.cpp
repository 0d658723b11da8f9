// SPDX-License-Identifier: Apache-2.0
#include "core/ops/lying.h"

#include "core/ops/image_tools.h"
#include "core/ops/memory_order.h"

namespace cutaway::ops {

Shape rowMajor(const OpCall&, const TensorType& result) {
    return ir::contiguousStrides(result.sizes);
}

Shape likeFirst(const OpCall& call, const TensorType& result) {
    const TensorType& first = call.tensor(0);
    return call.same(first.sizes, result.sizes) ? stridesLike(first) : result.strides;
}

Shape likeAll(const OpCall& call, const TensorType& result) {
    std::vector<const TensorType*> operands;
    Shape sizes;
    for (size_t i = 0; i < call.args.size(); ++i) {
        if (!call.isTensor(i)) continue;
        operands.push_back(&call.tensor(i));
        auto common = broadcast(call, sizes, operands.back()->sizes);
        if (!common.ok()) return result.strides;
        sizes = *common;
    }
    return call.same(sizes, result.sizes) ? elementwiseStrides(operands, sizes) : result.strides;
}

Shape likeImage(const OpCall& call, const TensorType& result) {
    return result.rank() < 4 ? rowMajor(call, result) : likeSignal(call, result);
}

Shape likeSignal(const OpCall& call, const TensorType& result) {
    return imageType(result.dtype, result.sizes, result.device, isChannelsLast(call.tensor(0)))
        .strides;
}

Shape byColumns(const OpCall&, const TensorType& result) {
    if (result.rank() < 2 || !ir::isFloating(result.dtype)) return result.strides;
    const size_t row = result.rank() - 2;
    Shape sizes = result.sizes;
    std::swap(sizes[row], sizes[row + 1]);
    Shape strides = ir::contiguousStrides(sizes);
    std::swap(strides[row], strides[row + 1]);
    return strides;
}

Shape matricesByColumns(const OpCall& call, const TensorType& result) {
    return result.rank() == call.tensor(0).rank() ? byColumns(call, result)
                                                  : rowMajor(call, result);
}

} // namespace cutaway::ops
