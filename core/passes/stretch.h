// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stretches of one dimension with places that are numbers, as slices and selects mean them. For
/// passes that follow what is cut, joined and stored.
#pragma once

#include "core/ir/graph.h"

#include <optional>

namespace cutaway::passes {

struct Range {
    size_t dim = 0;
    int64_t start = 0, end = 0;
    bool selected = false; ///< the dimension is gone: one place of it
};

/// The places of a tensor of \p type that the arguments of a slice (dim, start, end, step) or, with
/// \p selected, of a select (dim, index) mean; they begin at \p at. Nothing for symbols, steps
/// other than 1, and no places at all.
std::optional<Range> rangeOf(const ir::ArgList& args, size_t at, const ir::TensorType& type,
                             bool selected);

} // namespace cutaway::passes
