// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether one matrix product keeps a GPU busy.
#pragma once

#include <cstdint>

namespace cutaway::passes {

/// What an H100 or H200 has units for, nearly.
constexpr int64_t kBusyTiles = 128;

/// A GPU's units work on tiles of a result; with fewer tiles than \p busy, some have nothing to do.
inline bool fillsGpu(int64_t rows, int64_t columns, int64_t busy) {
    constexpr int64_t kTile = 64;
    const auto tiles = [](int64_t size) { return (size + kTile - 1) / kTile; };
    return tiles(rows) * tiles(columns) >= busy;
}

} // namespace cutaway::passes
