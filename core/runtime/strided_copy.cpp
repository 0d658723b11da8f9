// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/strided_copy.h"

#include "core/ir/element.h"
#include "core/runtime/convert_rows.h"
#include "core/runtime/share_out.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cutaway::runtime {
namespace {

/// Below this many bytes one thread copies faster than two wake up.
constexpr int64_t kParallelBytes = 256 << 10;
/// Side of the square in which a transposing copy works: both sides' cache lines stay in L1.
constexpr int64_t kTile = 32;

struct Dim {
    int64_t size = 1, to = 0, from = 0; ///< strides in elements
};

/// Fewest dimensions that walk the same pairs of elements, the destination's smallest stride last.
std::vector<Dim> merged(const StridedBlock& to, const StridedBlock& from) {
    std::vector<Dim> dims;
    for (size_t i = 0; i < to.sizes.size(); ++i)
        if (to.sizes[i] != 1) dims.push_back({to.sizes[i], to.strides[i], from.strides[i]});
    std::stable_sort(dims.begin(), dims.end(), [](const Dim& a, const Dim& b) {
        return std::llabs(a.to) > std::llabs(b.to);
    });
    std::vector<Dim> out;
    for (const Dim& dim : dims) {
        bool joins = !out.empty() && out.back().to == dim.to * dim.size &&
                     out.back().from == dim.from * dim.size;
        if (joins)
            out.back() = {out.back().size * dim.size, dim.to, dim.from};
        else
            out.push_back(dim);
    }
    return out;
}

/// A two-dimensional piece: rows x columns with both strides.
template <typename To, typename From>
void copyPlane(To* to, const From* from, const Dim& rows, const Dim& columns) {
    bool transposes = std::llabs(rows.from) < std::llabs(columns.from);
    if (!transposes) {
        for (int64_t r = 0; r < rows.size; ++r) {
            To* t = to + r * rows.to;
            const From* f = from + r * rows.from;
            if (columns.to == 1 && columns.from == 1) {
                if constexpr (requires { convertRow(t, f, columns.size); })
                    convertRow(t, f, columns.size);
                else
                    for (int64_t c = 0; c < columns.size; ++c)
                        t[c] = ir::convertElement<To>(f[c]);
                continue;
            }
            for (int64_t c = 0; c < columns.size; ++c)
                t[c * columns.to] = ir::convertElement<To>(f[c * columns.from]);
        }
        return;
    }
    for (int64_t r0 = 0; r0 < rows.size; r0 += kTile)
        for (int64_t c0 = 0; c0 < columns.size; c0 += kTile)
            for (int64_t r = r0; r < std::min(r0 + kTile, rows.size); ++r)
                for (int64_t c = c0; c < std::min(c0 + kTile, columns.size); ++c)
                    to[r * rows.to + c * columns.to] =
                        ir::convertElement<To>(from[r * rows.from + c * columns.from]);
}

template <typename To, typename From>
void copyDims(void* toData, const void* fromData, std::vector<Dim> dims, int threads) {
    auto* to = static_cast<To*>(toData);
    auto* from = static_cast<const From*>(fromData);
    while (dims.size() < 2)
        dims.insert(dims.begin(), Dim{});
    int64_t numel = 1;
    for (const Dim& dim : dims)
        numel *= dim.size;
    Dim columns = dims.back();
    dims.pop_back();
    // The plane's rows: where the source is dense, so that a transposing copy works in tiles.
    auto best = std::prev(dims.end());
    for (auto it = dims.begin(); it != dims.end(); ++it)
        if (std::llabs(it->from) == 1) best = it;
    Dim rows = *best;
    dims.erase(best);

    // Work items: outer index x pieces of the rows.
    int64_t outer = 1;
    for (const Dim& dim : dims)
        outer *= dim.size;
    bool parallel = threads > 1 && numel * static_cast<int64_t>(sizeof(To)) >= kParallelBytes;
    int64_t pieces = 1;
    if (parallel && outer < 4 * threads) pieces = std::min<int64_t>(rows.size, 4 * threads);
    // One long row has no rows to share out: its columns become rows of a plane.
    if (parallel && outer * rows.size == 1) {
        pieces = 4 * threads;
        int64_t piece = (columns.size + pieces - 1) / pieces;
        shareOut(pieces, threads, [&](int64_t p) {
            int64_t begin = std::min(p * piece, columns.size);
            Dim part = columns;
            part.size = std::min(piece, columns.size - begin);
            copyPlane<To>(to + begin * columns.to, from + begin * columns.from, rows, part);
        });
        return;
    }
    int64_t pieceRows = (rows.size + pieces - 1) / pieces;
    shareOut(outer * pieces, parallel ? threads : 1, [&](int64_t item) {
        int64_t index = item / pieces, begin = item % pieces * pieceRows;
        To* t = to;
        const From* f = from;
        for (size_t d = dims.size(); d-- > 0;) {
            int64_t at = index % dims[d].size;
            index /= dims[d].size;
            t += at * dims[d].to;
            f += at * dims[d].from;
        }
        Dim part = rows;
        part.size = std::min(pieceRows, rows.size - begin);
        if (part.size > 0) copyPlane<To>(t + begin * rows.to, f + begin * rows.from, part, columns);
    });
}

/// Dtypes that are converted often; pairs with others go element by element.
template <typename T>
constexpr bool kCommon =
    std::is_same_v<T, ir::Truth> || std::is_same_v<T, uint8_t> || std::is_same_v<T, int32_t> ||
    std::is_same_v<T, int64_t> || std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, ir::Float16> || std::is_same_v<T, ir::BFloat16>;

using ConvertOne = void (*)(std::byte* to, const std::byte* from);

ConvertOne converter(ir::DType to, ir::DType from) {
    return ir::withElement(to, [&]<typename To>(To) {
        return ir::withElement(from, []<typename From>(From) -> ConvertOne {
            return [](std::byte* at, const std::byte* source) {
                From value;
                std::memcpy(&value, source, sizeof value);
                const To result = ir::convertElement<To>(value);
                std::memcpy(at, &result, sizeof result);
            };
        });
    });
}

void copyOneByOne(const StridedBlock& to, const StridedBlock& from, const std::vector<Dim>& dims) {
    const ConvertOne convert = converter(to.dtype, from.dtype);
    const auto toBytes = static_cast<int64_t>(ir::sizeBytes(to.dtype));
    const auto fromBytes = static_cast<int64_t>(ir::sizeBytes(from.dtype));
    int64_t numel = 1;
    for (const Dim& dim : dims)
        numel *= dim.size;
    for (int64_t item = 0; item < numel; ++item) {
        int64_t index = item, t = 0, f = 0;
        for (size_t d = dims.size(); d-- > 0;) {
            t += index % dims[d].size * dims[d].to;
            f += index % dims[d].size * dims[d].from;
            index /= dims[d].size;
        }
        convert(static_cast<std::byte*>(to.data) + t * toBytes,
                static_cast<const std::byte*>(from.data) + f * fromBytes);
    }
}

struct Pair {
    uint64_t first, second;
};
static_assert(sizeof(Pair) == 16); // a complex128, the largest there is

/// Elements as they are: the copy knows their size only.
void copySame(const StridedBlock& to, const StridedBlock& from, std::vector<Dim> dims,
              int threads) {
    switch (ir::sizeBytes(to.dtype)) {
    case 1:
        return copyDims<uint8_t, uint8_t>(to.data, from.data, std::move(dims), threads);
    case 2:
        return copyDims<uint16_t, uint16_t>(to.data, from.data, std::move(dims), threads);
    case 4:
        return copyDims<uint32_t, uint32_t>(to.data, from.data, std::move(dims), threads);
    case 8:
        return copyDims<uint64_t, uint64_t>(to.data, from.data, std::move(dims), threads);
    default:
        return copyDims<Pair, Pair>(to.data, from.data, std::move(dims), threads);
    }
}

void copyConverted(const StridedBlock& to, const StridedBlock& from, std::vector<Dim> dims,
                   int threads) {
    ir::withElement(to.dtype, [&]<typename To>(To) {
        ir::withElement(from.dtype, [&]<typename From>(From) {
            if constexpr (kCommon<To> && kCommon<From> && !std::is_same_v<To, From>)
                copyDims<To, From>(to.data, from.data, std::move(dims), threads);
            else
                copyOneByOne(to, from, dims);
        });
    });
}

} // namespace

void copyBytesHost(void* to, const void* from, size_t bytes, int threads) {
    auto total = static_cast<int64_t>(bytes);
    if (threads <= 1 || total < kParallelBytes) {
        if (total > 0) std::memcpy(to, from, bytes);
        return;
    }
    int64_t piece = (total / threads + 63) / 64 * 64;
    shareOut(threads, threads, [&](int64_t t) {
        int64_t begin = std::min(t * piece, total);
        int64_t end = t + 1 == threads ? total : std::min(begin + piece, total);
        std::memcpy(static_cast<std::byte*>(to) + begin,
                    static_cast<const std::byte*>(from) + begin, static_cast<size_t>(end - begin));
    });
}

void copyStridedHost(const StridedBlock& to, const StridedBlock& from, int threads) {
    for (int64_t size : to.sizes)
        if (size == 0) return;
    std::vector<Dim> dims = merged(to, from);
    bool dense = dims.empty() || (dims.size() == 1 && dims[0].to == 1 && dims[0].from == 1);
    if (dense && to.dtype == from.dtype) {
        int64_t numel = dims.empty() ? 1 : dims[0].size;
        copyBytesHost(to.data, from.data, static_cast<size_t>(numel) * ir::sizeBytes(to.dtype),
                      threads);
        return;
    }
    if (to.dtype == from.dtype)
        copySame(to, from, std::move(dims), threads);
    else
        copyConverted(to, from, std::move(dims), threads);
}

} // namespace cutaway::runtime
