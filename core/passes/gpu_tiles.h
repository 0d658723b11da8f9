// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether one matrix product keeps a GPU busy.
#pragma once

#include <cstdint>

namespace cutaway::passes {

/// A GPU's units work on tiles of a result; with fewer tiles than an H100 or H200 has units, some
/// have nothing to do.
inline bool fillsGpu(int64_t rows, int64_t columns) {
    constexpr int64_t kTile = 64, kBusyTiles = 128;
    const auto tiles = [](int64_t size) { return (size + kTile - 1) / kTile; };
    return tiles(rows) * tiles(columns) >= kBusyTiles;
}

} // namespace cutaway::passes
