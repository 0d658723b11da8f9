// SPDX-License-Identifier: Apache-2.0
// Copies side by side. Source: torch/_refs/__init__.py.
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/lying.h"
#include "core/ops/sample_tools.h"
#include "core/ops/seen_formula.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

/// As many copies in each direction: copies and elements in dimensions of their own.
Formula repeated(const Operands& x, Shape times) {
    const TensorType self = x.type(0);
    if (times.size() < self.rank())
        throwRefusal(base::userError({}, "Number of dimensions of repeat dims can not be smaller "
                                         "than number of dimensions of tensor"));
    const size_t leading = times.size() - self.rank();
    Shape apart, spread, sizes;
    for (size_t d = 0; d < times.size(); ++d) {
        if (x.call().less(times[d], Sym(0)))
            refuseCall(x, fmt::format("expected numbers of at least 0, found {}", ir::str(times)));
        const Sym size = d < leading ? Sym(1) : self.sizes[d - leading];
        apart.insert(apart.end(), {Sym(1), size});
        spread.insert(spread.end(), {times[d], size});
        sizes.push_back(times[d] * size);
    }
    if (sizes.empty()) return aten("clone", x[0]);
    if (std::ranges::any_of(sizes, [](const Sym& size) { return size.is(0); }))
        return reshape(sliced(Value(reshape(x[0], {self.numel()})), 0, Sym(0), Sym(0)), sizes);
    return owned(x, reshape(expand(reshape(x[0], apart), spread), sizes));
}

Results repeat(const Operands& x) {
    return {repeated(x, x.call().integers(1))};
}
Results tile(const Operands& x) {
    Shape times = x.call().integers(1);
    const size_t rank = x.type(0).rank();
    if (times.size() < rank) times.insert(times.begin(), rank - times.size(), Sym(1));
    return {repeated(x, times)};
}

/// Each element as many times, one after the other.
Results repeatInterleave(const Operands& x) {
    const OpCall call = x.call();
    const TensorType self = x.type(0);
    Value y = call.has(2) ? x.tensor(0) : Value(reshape(x[0], {self.numel()}));
    const size_t rank = y.type().rank();
    const size_t dim = call.has(2) ? dimOf(x, 2, rank) : 0;
    const Sym times = call.integer(1);
    if (call.less(times, Sym(0))) refuseCall(x, "expected repeats of at least 0");
    Shape wide = y.type().sizes, sizes = wide;
    if (rank == 0) wide = sizes = {Sym(1)};
    wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(dim) + 1, times);
    sizes[dim] = sizes[dim] * times;
    Value column = rank == 0 ? reshape(y, {Sym(1), Sym(1)}) : unsqueeze(y, dim + 1);
    return {owned(x, reshape(expand(column, wide), sizes))};
}

} // namespace

std::vector<OpDef> repeatOps() {
    std::vector<OpDef> ops;
    const OpDoc copies{"copies side by side", "y[i] = x[i mod n]", "torch.Tensor.repeat"};
    ops.push_back(lying<rowMajor>(composite(
        "repeat(Tensor self, SymInt[] repeats) -> Tensor", repeat,
        [] {
            return List{good({f32({2, 3})}, {T(0), L({2, 1})}), good({f32({3})}, {T(0), L({2, 2})}),
                        good({f32({3})}, {T(0), L({0})}), good({f32({})}, {T(0), L({})}),
                        bad({f32({2, 3})}, {T(0), L({2})},
                            "Number of dimensions of repeat dims can not be smaller than number of "
                            "dimensions of tensor")};
        },
        copies)));
    ops.push_back(lying<rowMajor>(composite(
        "tile(Tensor self, SymInt[] dims) -> Tensor", tile,
        [] {
            return List{good({f32({2, 3})}, {T(0), L({2})}), good({f32({3})}, {T(0), L({2, 2})})};
        },
        copies)));
    ops.push_back(lying<rowMajor>(composite(
        "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? "
        "output_size=None) -> Tensor",
        repeatInterleave,
        [] {
            return List{good({f32({2, 3})}, {T(0), I(2), I(1), none()}),
                        good({f32({2, 3})}, {T(0), I(3), none(), none()}),
                        good({f32({})}, {T(0), I(2), none(), none()})};
        },
        {"each element several times in a row", "y[i] = x[i // repeats]",
         "torch.repeat_interleave"})));
    return ops;
}

} // namespace cutaway::ops
