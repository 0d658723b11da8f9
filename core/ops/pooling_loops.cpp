// SPDX-License-Identifier: Apache-2.0
// Loops of pools over two spatial dimensions: the expression of one element over its window.
#include "core/ops/outside_reads.h"
#include "core/ops/pooling_rules.h"

#include <algorithm>
#include <limits>

namespace cutaway::ops {

using ir::DType;
using ir::Sym;
using ir::TensorType;
using kernel::Coord;

namespace {

/// Builds the expression of one element over its window.
class WindowLoops {
public:
    WindowLoops(ExprPool& pool, const PoolWindow& window, const TensorType& image,
                const TensorType& pooled)
        : pool_(pool), w_(window) {
        for (size_t d = 0; d < 2; ++d) {
            image_[d] = image.sizes[image.rank() - 2 + d];
            pooled_[d] = pooled.sizes[pooled.rank() - 2 + d];
        }
    }

    /// One tap of the window of a pooled place.
    struct Tap {
        std::array<Sym, 2> at; ///< in the image; may lie in the padding
        ExprId inside;         ///< invalid: always
    };
    Tap tap(std::span<const Sym> place, int64_t ky, int64_t kx) {
        Tap t;
        const int64_t k[] = {ky, kx};
        for (size_t d = 0; d < 2; ++d) {
            const int64_t shift = k[d] * w_.dilation[d] - w_.padding[d];
            t.at[d] = place[place.size() - 2 + d] * Sym(w_.stride[d]) + Sym(shift);
            const bool below = shift < 0;
            // The last window's last tap; with constant sizes it often lies inside.
            const Sym last = (pooled_[d] - Sym(1)) * Sym(w_.stride[d]) + Sym(shift);
            const Sym room = image_[d] - last; // a number above 0: the last tap lies inside
            const bool above = !room.isConst() || maximum(room, Sym(1)) != room;
            t.inside = pool_.both(t.inside, isInside(pool_, t.at[d], image_[d], below, above));
        }
        return t;
    }
    /// The windows that an image place may lie in, one after the other.
    template <typename Body> void covering(std::span<const Sym> place, const Body& body) {
        std::array<std::vector<std::pair<Sym, ExprId>>, 2> windows; // place, that it exists
        for (size_t d = 0; d < 2; ++d) {
            const Sym padded = place[place.size() - 2 + d] + Sym(w_.padding[d]);
            const int64_t reach = (w_.taps[d] - 1) * w_.dilation[d];
            for (int64_t j = 0; j <= reach / w_.stride[d]; ++j) {
                const Sym at = floorDiv(padded, Sym(w_.stride[d])) - Sym(j);
                windows[d].emplace_back(at, isInside(pool_, at, pooled_[d], j > 0, true));
            }
        }
        for (const auto& [y, existsY] : windows[0])
            for (const auto& [x, existsX] : windows[1])
                body(std::array<Sym, 2>{y, x}, pool_.both(existsY, existsX));
    }
    static std::vector<Coord> coords(std::span<const Sym> place, const std::array<Sym, 2>& at) {
        std::vector<Coord> out;
        for (size_t i = 0; i + 2 < place.size(); ++i)
            out.push_back({place[i], {}});
        out.push_back({at[0], {}});
        out.push_back({at[1], {}});
        return out;
    }
    const Sym& width() const { return image_[1]; }
    const Sym& size(size_t d) const { return image_[d]; }

private:
    ExprPool& pool_;
    PoolWindow w_;
    std::array<Sym, 2> image_, pooled_;
};

/// Types of the image and of what is pooled from it, while lowering.
TensorType pooledFrom(const TensorType& image, const PoolWindow& w) {
    std::vector<Sym> spatial;
    for (size_t d = 0; d < 2; ++d)
        spatial.push_back(w.places(d, image.sizes[image.rank() - 2 + d]));
    return TensorType::contiguous(image.dtype, withSpatial(image.sizes, spatial), image.device);
}

/// The largest element, or its place in the image's plane: the first of equal ones, the last NaN
/// (ATen's loop replaces what it has by a larger element or a NaN).
ExprId buildMax(ExprPool& pool, const OpCall& call, LoadArg& load, std::span<const Sym> coords,
                bool positions) {
    const PoolWindow w = poolWindow(call, true, 0);
    const TensorType& image = call.tensor(0);
    WindowLoops loops(pool, w, image, pooledFrom(image, w));
    const ExprId nothing =
        ir::isFloating(image.dtype)
            ? pool.constant(image.dtype, -std::numeric_limits<double>::infinity())
            : pool.constantInt(image.dtype, ir::integerLimits(image.dtype).min);
    ExprId best, place;
    // From the last tap to the first, so that an equal earlier one replaces a later one.
    for (int64_t k = w.taps[0] * w.taps[1]; k-- > 0;) {
        const auto tap = loops.tap(coords, k / w.taps[1], k % w.taps[1]);
        const ExprId value =
            readInside(pool, tap.inside, load(0, WindowLoops::coords(coords, tap.at)), nothing);
        if (!positions) {
            best = best.valid() ? pool.op(ScalarOp::Max, {value, best}) : value;
            continue;
        }
        const ExprId at = pool.index(tap.at[0] * loops.width() + tap.at[1]);
        if (!best.valid()) {
            best = value;
            place = at;
            continue;
        }
        const ExprId newNan =
            pool.op(ScalarOp::And, {pool.op(ScalarOp::IsNan, {value}),
                                    pool.op(ScalarOp::Not, {pool.op(ScalarOp::IsNan, {best})})});
        const ExprId takes = pool.both(
            tap.inside, pool.op(ScalarOp::Or, {pool.op(ScalarOp::Ge, {value, best}), newNan}));
        best = pool.op(ScalarOp::Where, {takes, value, best});
        place = pool.op(ScalarOp::Where, {takes, at, place});
    }
    return positions ? place : best;
}
/// What the sum over the window at \p place is divided by.
ExprId divisor(ExprPool& pool, const OpCall& call, const PoolWindow& w, size_t shift,
               const std::array<Sym, 2>& place, const WindowLoops& loops, DType dtype) {
    if (call.has(6 + shift))
        return constantOf(pool, dtype, static_cast<double>(call.number(6 + shift)));
    const bool countPadding = call.boolean(5 + shift);
    ExprId product;
    for (size_t d = 0; d < 2; ++d) {
        const Sym begin = place[d] * Sym(w.stride[d]) - Sym(w.padding[d]);
        Sym end = minimum(begin + Sym(w.taps[d]), loops.size(d) + Sym(w.padding[d]));
        Sym count = end - begin;
        if (!countPadding) count = minimum(end, loops.size(d)) - maximum(begin, Sym(0));
        // Without rounding up, padding that counts never cuts a window short.
        if (countPadding && !w.ceil) count = Sym(w.taps[d]);
        const ExprId factor = pool.cast(dtype, pool.index(count));
        product = product.valid() ? pool.op(ScalarOp::Mul, {product, factor}) : factor;
    }
    return product;
}

} // namespace

ExprId buildMaxPool(ExprPool& pool, const OpCall& call, LoadArg& load,
                    std::span<const Sym> coords) {
    return buildMax(pool, call, load, coords, false);
}
ExprId buildPositions(ExprPool& pool, const OpCall& call, LoadArg& load,
                      std::span<const Sym> coords) {
    return buildMax(pool, call, load, coords, true);
}

ExprId buildMaxBackward(ExprPool& pool, const OpCall& call, LoadArg& load,
                        std::span<const Sym> coords) {
    const PoolWindow w = poolWindow(call, true, 1);
    const TensorType& image = call.tensor(1);
    WindowLoops loops(pool, w, image, call.tensor(0));
    const ExprId zero = pool.constant(image.dtype, 0);
    const ExprId here =
        pool.index(coords[coords.size() - 2] * loops.width() + coords[coords.size() - 1]);
    ExprId sum;
    loops.covering(coords, [&](const std::array<Sym, 2>& at, ExprId exists) {
        const auto place = WindowLoops::coords(coords, at);
        const ExprId none = pool.constantInt(DType::Int64, -1); // no place of the image
        const ExprId hit =
            pool.op(ScalarOp::Eq, {readInside(pool, exists, load(7, place), none), here});
        const ExprId share = readInside(pool, exists, load(0, place), zero);
        const ExprId term = pool.op(ScalarOp::Where, {hit, share, zero});
        sum = sum.valid() ? pool.op(ScalarOp::Add, {sum, term}) : term;
    });
    return sum;
}

ExprId buildAvgPool(ExprPool& pool, const OpCall& call, LoadArg& load,
                    std::span<const Sym> coords) {
    const PoolWindow w = poolWindow(call, false, 0);
    const TensorType& image = call.tensor(0);
    WindowLoops loops(pool, w, image, pooledFrom(image, w));
    const ExprId zero = pool.constant(image.dtype, 0);
    ExprId sum;
    for (int64_t k = 0; k < w.taps[0] * w.taps[1]; ++k) {
        const auto tap = loops.tap(coords, k / w.taps[1], k % w.taps[1]);
        const ExprId value =
            readInside(pool, tap.inside, load(0, WindowLoops::coords(coords, tap.at)), zero);
        sum = sum.valid() ? pool.op(ScalarOp::Add, {sum, value}) : value;
    }
    const std::array<Sym, 2> place{coords[coords.size() - 2], coords[coords.size() - 1]};
    if (ir::isFloating(image.dtype))
        return pool.op(ScalarOp::Div, {sum, divisor(pool, call, w, 0, place, loops, image.dtype)});
    const ExprId by = divisor(pool, call, w, 0, place, loops, DType::Float64);
    const ExprId quotient = pool.op(ScalarOp::Div, {pool.cast(DType::Float64, sum), by});
    return pool.cast(image.dtype, pool.op(ScalarOp::Trunc, {quotient}));
}

ExprId buildAvgBackward(ExprPool& pool, const OpCall& call, LoadArg& load,
                        std::span<const Sym> coords) {
    const PoolWindow w = poolWindow(call, false, 1);
    const TensorType& image = call.tensor(1);
    WindowLoops loops(pool, w, image, call.tensor(0));
    const ExprId zero = pool.constant(image.dtype, 0);
    ExprId sum;
    loops.covering(coords, [&](const std::array<Sym, 2>& window, ExprId exists) {
        // The first windows of those that could cover the place may end before it.
        for (size_t d = 0; d < 2; ++d) {
            const Sym tap =
                coords[coords.size() - 2 + d] + Sym(w.padding[d]) - window[d] * Sym(w.stride[d]);
            const bool sure = w.taps[d] % w.stride[d] == 0;
            if (!sure)
                exists = pool.both(
                    exists, pool.op(ScalarOp::Lt,
                                    {pool.index(tap), pool.constantInt(DType::Int64, w.taps[d])}));
        }
        const ExprId whole =
            readInside(pool, exists, load(0, WindowLoops::coords(coords, window)), zero);
        const ExprId by = divisor(pool, call, w, 1, window, loops, image.dtype);
        const ExprId share = pool.op(ScalarOp::Div, {whole, by});
        // Windows that are not there may count no element.
        const bool counted = pool[by].kind == kernel::ExprKind::Constant;
        const ExprId term = counted ? share : insideOr(pool, exists, share, zero);
        sum = sum.valid() ? pool.op(ScalarOp::Add, {sum, term}) : term;
    });
    return sum;
}

} // namespace cutaway::ops
