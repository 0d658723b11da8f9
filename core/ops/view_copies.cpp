// SPDX-License-Identifier: Apache-2.0
// Copies of what views show, and copies with what a view shows replaced.
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/lying.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

// --- written windows ---

/// self outside the window, src inside: \p mask is true inside, \p spread is src at its places.
Formula written(const Operands& x, const Formula& mask, const Formula& spread) {
    return where(mask, spread, x[0]);
}

Formula onesLike(const Operands& x, const Shape& sizes) {
    TensorType type = x.type(0);
    type.dtype = ir::DType::Float32;
    return full(x.b, sizes, 1.0, type);
}

void wantSource(const Operands& x, const Shape& wanted) {
    if (!x.call().same(x.type(1).sizes, wanted))
        refuseCall(x, fmt::format("expected a src of sizes {}, found {}", ir::str(wanted),
                                  ir::str(x.type(1).sizes)));
    if (x.type(1).dtype != x.type(0).dtype)
        refuseCall(x, fmt::format("expected a src of {}, found {}", ir::name(x.type(0).dtype),
                                  ir::name(x.type(1).dtype)));
}

Results diagonalScatter(const Operands& x) {
    const Shape sizes = x.type(0).sizes;
    Value window = aten("diagonal", x[0], x[2], x[3], x[4]);
    wantSource(x, window.type().sizes);
    auto spread = [&](const Formula& values) {
        return aten("diagonal_backward", values, sizes, x[2], x[3], x[4]);
    };
    return {written(x, gt(spread(onesLike(x, window.type().sizes)), 0), spread(x[1]))};
}

Results selectScatter(const Operands& x) {
    const Shape sizes = x.type(0).sizes;
    const size_t dim = dimOf(x, 2, sizes.size());
    Value window = aten("select.int", x[0], x[2], x[3]);
    wantSource(x, window.type().sizes);
    Sym index = x.call().integer(3);
    if (x.call().less(index, Sym(0))) index = index + sizes[dim];
    Shape column(sizes.size(), Sym(1));
    column[dim] = sizes[dim];
    Value at = eq(reshape(positions(x.b, sizes[dim], x.type(0).device), column), index);
    return {written(x, at, unsqueeze(x[1], dim))};
}

Results sliceScatter(const Operands& x) {
    const Shape sizes = x.type(0).sizes;
    const size_t dim = dimOf(x, 2, sizes.size());
    const OpCall call = x.call();
    Value window = aten("slice.Tensor", x[0], x[2], x[3], x[4], x[5]);
    wantSource(x, window.type().sizes);
    const Sym length = window.type().sizes[dim], step = call.integer(5);
    if (length.is(0)) return {aten("clone", x[0])};
    Sym start = call.has(3) ? call.integer(3) : Sym(0);
    if (call.less(start, Sym(0))) start = start + sizes[dim];
    if (call.less(start, Sym(0))) start = Sym(0);
    auto spread = [&](const Formula& values) {
        return aten("slice_backward", values, sizes, dim, start, start + length * step, step);
    };
    return {written(x, gt(spread(onesLike(x, window.type().sizes)), 0), spread(x[1]))};
}

/// A copy of what a view shows: "squeeze_copy.dim" of "squeeze.dim".
Results copyOfView(const Operands& x) {
    std::string op = x.node.op;
    op.erase(op.find("_copy"), 5);
    if (op == "view") op = "reshape"; // what cannot be seen is copied anyway
    Value seen = formula::call(op, x.all());
    if (!x.b.graph().node(seen).tuple) return {aten("clone", seen, "contiguous_format")};
    Results results;
    const int count = static_cast<int>(x.b.graph().node(seen).types.size());
    for (int i = 0; i < count; ++i)
        results.push_back(aten("clone", item(seen, i), "contiguous_format"));
    return results;
}

void addScatters(std::vector<OpDef>& ops) {
    const OpDoc doc{"a copy with what a view shows replaced", "y = x, then view(y) = src",
                    "torch.select_scatter"};
    ops.push_back(lying<likeFirst>(composite(
        "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
        diagonalScatter,
        [] {
            return List{good({f32({3, 4}), f32({3})}, {T(0), T(1), I(1), I(0), I(1)}),
                        bad({f32({3, 4}), f32({2})}, {T(0), T(1), I(0), I(0), I(1)},
                            "diagonal_scatter: expected a src of sizes [3], found [2]")};
        },
        doc)));
    ops.push_back(lying<likeFirst>(composite(
        "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor", selectScatter,
        [] {
            return List{good({f32({3, 4}), f32({3})}, {T(0), T(1), I(1), I(-2)}),
                        good({f32({3}), f32({})}, {T(0), T(1), I(0), I(0)})};
        },
        doc)));
    ops.push_back(lying<likeFirst>(composite(
        "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
        "SymInt step=1) -> Tensor",
        sliceScatter,
        [] {
            return List{good({f32({7, 2}), f32({2, 2})}, {T(0), T(1), I(0), I(2), I(6), I(2)}),
                        good({f32({4}), f32({0})}, {T(0), T(1), I(0), I(2), I(2), I(1)}),
                        good({f32({4}), f32({2})}, {T(0), T(1), I(0), I(-2), none(), I(1)})};
        },
        doc)));
}

void addCopies(std::vector<OpDef>& ops) {
    const OpDoc doc{"a copy of what the view of that name shows", "y = clone(view(x))",
                    "torch.ops.aten, the view_copy family"};
    auto add = [&](std::string_view schema, Samples samples) {
        ops.push_back(composite(schema, copyOfView, samples, doc));
    };
    auto plain = [] { return List{good({f32({2, 3})}, {T(0)})}; };
    add("narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor",
        [] { return List{good({f32({5, 2})}, {T(0), I(0), I(1), I(3)})}; });
    add("alias_copy(Tensor self) -> Tensor", plain);
    add("detach_copy(Tensor self) -> Tensor",
        [] { return List{forwardOnly({f32({2, 3})}, {T(0)})}; });
    add("t_copy(Tensor self) -> Tensor", plain);
    add("squeeze_copy(Tensor self) -> Tensor", [] { return List{good({f32({1, 3})}, {T(0)})}; });
    add("squeeze_copy.dim(Tensor self, int dim) -> Tensor",
        [] { return List{good({f32({1, 3})}, {T(0), I(0)})}; });
    add("squeeze_copy.dims(Tensor self, int[] dim) -> Tensor",
        [] { return List{good({f32({1, 3, 1})}, {T(0), L({0, 2})})}; });
    add("unsqueeze_copy(Tensor self, int dim) -> Tensor",
        [] { return List{good({f32({3})}, {T(0), I(-1)})}; });
    add("transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor",
        [] { return List{good({f32({2, 3})}, {T(0), I(0), I(1)})}; });
    add("permute_copy(Tensor self, int[] dims) -> Tensor",
        [] { return List{good({f32({2, 3})}, {T(0), L({1, 0})})}; });
    add("view_copy(Tensor self, SymInt[] size) -> Tensor",
        [] { return List{good({f32({2, 3})}, {T(0), L({3, 2})})}; });
    add("expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor",
        [] { return List{good({f32({1, 3})}, {T(0), L({2, 3}), Arg(false)})}; });
    add("select_copy.int(Tensor self, int dim, SymInt index) -> Tensor",
        [] { return List{good({f32({2, 3})}, {T(0), I(1), I(0)})}; });
    add("slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt "
        "step=1) -> Tensor",
        [] { return List{good({f32({5})}, {T(0), I(0), I(1), none(), I(2)})}; });
    add("diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
        [] { return List{good({f32({3, 3})}, {T(0), I(1), I(0), I(1)})}; });
    add("unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor",
        [] { return List{good({f32({5})}, {T(0), I(0), I(2), I(1)})}; });
    add("as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? "
        "storage_offset=None) -> Tensor",
        [] { return List{good({f32({6})}, {T(0), L({2, 2}), L({2, 1}), none()})}; });
    add("split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
        [] { return List{good({f32({5})}, {T(0), I(2), I(0)})}; });
    add("split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
        [] { return List{good({f32({5})}, {T(0), L({2, 3}), I(0)})}; });
    add("unbind_copy.int(Tensor self, int dim=0) -> Tensor[]",
        [] { return List{good({f32({2, 3})}, {T(0), I(0)})}; });
}

/// as_strided's places in the flat tensor are written; of several for one the last stays.
Results asStridedScatter(const Operands& x) {
    const TensorType self = x.type(0);
    const Sym count = self.numel();
    Value numbers = reshape(positions(x.b, count, self.device), self.sizes);
    Value places = aten("as_strided", numbers, x[2], x[3], x[4]);
    wantSource(x, places.type().sizes);
    Value written =
        aten("index_put", reshape(x[0], {count}), std::vector<Formula>{places}, x[1], false);
    return {reshape(written, self.sizes)};
}

} // namespace

std::vector<OpDef> viewCopyOps() {
    std::vector<OpDef> ops;
    addScatters(ops);
    addCopies(ops);
    ops.push_back(lying<likeFirst>(composite(
        "as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
        "storage_offset=None) -> Tensor",
        asStridedScatter,
        [] {
            return List{good({f32({3, 3}), f32({2, 2})}, {T(0), T(1), L({2, 2}), L({3, 1}), I(1)})};
        },
        {"a copy with the elements that as_strided shows replaced",
         "y = x, then as_strided(y) = src", "torch.as_strided_scatter"})));
    return ops;
}

} // namespace cutaway::ops
