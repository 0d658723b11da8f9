// SPDX-License-Identifier: Apache-2.0
#include "core/passes/stretch.h"

#include <algorithm>

namespace cutaway::passes {

static std::optional<int64_t> numberAt(const ir::ArgList& args, size_t i, int64_t otherwise) {
    if (i >= args.size() || args[i].isNone()) return otherwise;
    const auto* size = std::get_if<ir::Sym>(&args[i]);
    if (!size || !size->isConst()) return std::nullopt;
    return size->constant();
}

std::optional<Range> rangeOf(const ir::ArgList& args, size_t at, const ir::TensorType& type,
                             bool selected) {
    const auto rank = static_cast<int64_t>(type.rank());
    auto dim = numberAt(args, at, 0);
    if (!dim || rank == 0) return std::nullopt;
    if (*dim < 0) *dim += rank;
    const ir::Sym& size = type.sizes[static_cast<size_t>(*dim)];
    if (!size.isConst()) return std::nullopt;
    const int64_t length = size.constant();
    auto place = [&](std::optional<int64_t> found) {
        if (found && *found < 0) *found += length;
        return found;
    };
    auto start = place(numberAt(args, at + 1, 0));
    if (!start) return std::nullopt;
    Range range{static_cast<size_t>(*dim), *start, *start + 1, selected};
    if (!selected) {
        auto end = place(numberAt(args, at + 2, length));
        if (!end || numberAt(args, at + 3, 1) != 1) return std::nullopt;
        range.start = std::clamp<int64_t>(range.start, 0, length);
        range.end = std::clamp<int64_t>(*end, range.start, length);
    }
    if (range.start < 0 || range.end > length || range.start >= range.end) return std::nullopt;
    return range;
}

} // namespace cutaway::passes
