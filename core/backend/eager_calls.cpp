// SPDX-License-Identifier: Apache-2.0
// Calls as they come: windows on a tensor's storage, which no operation knows, and all others.
#include "core/backend/eager_runner.h"

#include "core/capture/call_timer.h"
#include "core/ops/memory_order.h"
#include "core/ops/storage_reach.h"
#include "core/runtime/autograd.h"
#include "core/runtime/overlap.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::backend {

using runtime::TensorPtr;

namespace {

/// Places of as_strided count from the beginning of the storage, wherever the tensor lies in it and
/// whatever its strides are; the operation, which knows its operand alone, counts from that.
struct StridedWindow {
    ir::Shape sizes, strides;
    int64_t from = 0; ///< in the storage

    StridedWindow(const ir::ArgList& args, const runtime::Tensor& tensor)
        : sizes(integersOf(args[1])), strides(integersOf(args[2])), from(tensor.offset) {
        if (args.size() > 3 && !args[3].isNone()) from = std::get<ir::Sym>(args[3]).constant();
    }
    static ir::Shape integersOf(const ir::Arg& list) {
        ir::Shape found;
        for (const ir::Arg& size : *list.list())
            found.push_back(std::get<ir::Sym>(size));
        return found;
    }
    /// Whether it is one at all: if not, the operation says what is wrong.
    bool isWindow() const {
        auto negative = [](const ir::Sym& size) { return size.constant() < 0; };
        return from >= 0 && sizes.size() == strides.size() &&
               std::ranges::none_of(sizes, negative) && std::ranges::none_of(strides, negative);
    }
};

} // namespace

base::Result<std::vector<TensorPtr>> EagerRunner::strided(const ops::OpDef& def, ir::ArgList args,
                                                          const TensorPtr& tensor, bool gradMode) {
    const StridedWindow window(args, *tensor);
    if (!window.isWindow()) return plainCall(def, args, {&tensor, 1}, gradMode);
    const auto bytes = static_cast<int64_t>(ir::sizeBytes(tensor->type.dtype));
    const auto available = static_cast<int64_t>(tensor->storage->sizeBytes());
    const auto reach =
        ops::storageReach(ir::constants(window.sizes), ir::constants(window.strides), window.from);
    int64_t needed = 0;
    if (!reach || __builtin_mul_overflow(*reach, bytes, &needed))
        return ops::storageOverflow(window.sizes, window.strides);
    if (needed > available)
        return ops::outsideStorage(window.sizes, window.strides, ir::Sym(window.from),
                                   ir::Sym(bytes), ir::Sym(needed), ir::Sym(available));
    const int64_t offset = window.from - tensor->offset;
    if (!gradMode || !tensor->type.requiresGrad)
        return std::vector<TensorPtr>{
            runtime::viewOf(tensor, window.sizes, window.strides, offset)};
    const bool within = ops::isDense(tensor->type) && offset >= 0 &&
                        *reach - tensor->offset <= tensor->type.numel().constant();
    if (!within && !runtime::overlapsItself(tensor->type)) {
        // It shows what the tensor does not: the tensor has the gradients of what it shows itself.
        TensorPtr view = runtime::viewOf(tensor, window.sizes, window.strides, offset);
        runtime::followBase(view, tensor);
        return std::vector<TensorPtr>{std::move(view)};
    }
    args[3] = ir::Sym(offset);
    return plainCall(def, args, {&tensor, 1}, gradMode);
}

base::Result<std::vector<TensorPtr>> EagerRunner::call(const ops::OpDef& def,
                                                       const ir::ArgList& args,
                                                       std::span<const TensorPtr> tensors,
                                                       bool gradMode) {
    const capture::CallTimer::Stretch timed("aten::", def.parsed.base);
    if (def.name() == "as_strided") return strided(def, args, tensors.front(), gradMode);
    if (def.name() == "as_strided_scatter" && !args[4].isNone()) {
        ir::ArgList relative = args;
        relative[4] = std::get<ir::Sym>(args[4]) - ir::Sym(tensors.front()->offset);
        return plainCall(def, relative, tensors, gradMode);
    }
    return plainCall(def, args, tensors, gradMode);
}

} // namespace cutaway::backend
