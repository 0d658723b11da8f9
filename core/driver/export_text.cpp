// SPDX-License-Identifier: Apache-2.0
#include "core/driver/export_text.h"

#include "core/codegen/cuda/cuda_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::driver {

using codegen::cudaType;

std::string cType(ir::DType dtype) {
    if (ir::computeType(dtype) != dtype) return fmt::format("uint{}_t", 8 * ir::sizeBytes(dtype));
    if (dtype == ir::DType::Bool) return "uint8_t";
    return ir::isFloating(dtype) ? std::string(cudaType(dtype))
                                 : std::string(ir::name(dtype)) + "_t";
}

/// "{2, 3}".
static std::string braces(const ir::Shape& shape) {
    std::string out = "{";
    for (size_t i = 0; i < shape.size(); ++i)
        out += (i ? ", " : "") + shape[i].str();
    return out + "}";
}

std::string viewText(const ir::Shape& sizes, const ir::Shape& strides, const ir::Sym& offset) {
    return fmt::format("{{{}, {}, {}}}", braces(sizes), braces(strides), offset.str());
}
std::string viewText(const kernel::StridedView& view) {
    return viewText(view.sizes, view.strides, view.offset);
}

bool isAttention(const kernel::Kernel& kernel) {
    return kernel.call && (kernel.call->op == kernel::LibraryOp::Attention ||
                           kernel.call->op == kernel::LibraryOp::AttentionBackward);
}

int64_t spanElements(const ir::Shape& sizes, const ir::Shape& strides) {
    int64_t last = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i].is(0)) return 0;
        last += (sizes[i].constant() - 1) * strides[i].constant();
    }
    return last + 1;
}

base::Result<std::string> spannedBytes(const runtime::Tensor& tensor) {
    CUTAWAY_TRY(ir::HostTensor dense, runtime::toHost(tensor));
    size_t width = ir::sizeBytes(dense.dtype);
    int64_t elements = spanElements(tensor.type.sizes, tensor.type.strides);
    std::string bytes(static_cast<size_t>(std::max<int64_t>(elements, 1)) * width, '\0');
    std::vector<int64_t> sizes = dense.sizes, strides = ir::constants(tensor.type.strides);
    for (int64_t i = 0; i < dense.numel(); ++i) {
        int64_t rest = i, at = 0;
        for (size_t d = sizes.size(); d-- > 0;) {
            at += rest % sizes[d] * strides[d];
            rest /= sizes[d];
        }
        std::copy_n(reinterpret_cast<const char*>(dense.bytes.data()) +
                        static_cast<size_t>(i) * width,
                    width, bytes.data() + static_cast<size_t>(at) * width);
    }
    return bytes;
}

} // namespace cutaway::driver
