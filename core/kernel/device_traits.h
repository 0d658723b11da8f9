// SPDX-License-Identifier: Apache-2.0
/// \file
/// What loops must know of the kind of device that runs them, whatever their schedule. A new kind
/// is a row in device_traits.cpp.
#pragma once

#include "core/kernel/loop_tree.h"

namespace cutaway::kernel {

struct DeviceTraits {
    ir::Device::Kind kind = ir::Device::Kind::Cpu;
    /// Values of a whole row are computed once, before its elements; else each thread computes them
    /// for its own element.
    bool rowValues = true;
    /// How sums at computed places get along with each other until a schedule says otherwise.
    Conflict sumsAtPlaces = Conflict::Owner;
    /// A scan along dense rows is loops of a kernel, but where rows are longer than this and fewer
    /// than enoughScans: a library walks parts of them at once.
    int64_t longestScan = 0, enoughScans = 0;
    /// The same of columns, which lie beside each other.
    int64_t longestColumnScan = 0, enoughColumnScans = 0;
    /// A thread runs down a column as along a row, its neighbours down those beside it; else rows
    /// run one after the other, and columns are vectors.
    bool columnsAsRows = false;
    /// Whether a later pass over the row can read running values.
    bool keepsScans = true;
    /// Passes through the innermost loop that take minutes: more are refused.
    double mostPasses = 0;
    /// Of longer rows, in bytes, mean and variance are found in one pass: a second one would find
    /// nothing in the last cache, when every unit has such a row. On processors two passes of sums
    /// take less time than one that divides, even where both come from memory (rows of 8 MiB).
    int64_t twoPasses = 0;
};
const DeviceTraits& traitsOf(ir::Device device);

} // namespace cutaway::kernel
