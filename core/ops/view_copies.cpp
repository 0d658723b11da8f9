// SPDX-License-Identifier: Apache-2.0
// Copies of what views show, and copies with what a view shows replaced.
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/gradient_tools.h"
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

/// src, which has to be of the window's sizes, with self's dtype.
Value sourceFor(const Operands& x, const Shape& window) {
    if (!x.call().same(x.type(1).sizes, window))
        refuseCall(x, fmt::format("expected a src of sizes {}, found {}", ir::str(window),
                                  ir::str(x.type(1).sizes)));
    return convert(x[1], x.type(0).dtype);
}

Results diagonalScatter(const Operands& x) {
    const Shape sizes = x.type(0).sizes;
    Value window = aten("diagonal", x[0], x[2], x[3], x[4]);
    Value src = sourceFor(x, window.type().sizes);
    auto spread = [&](const Formula& values) {
        return aten("diagonal_backward", values, sizes, x[2], x[3], x[4]);
    };
    return {written(x, gt(spread(onesLike(x, window.type().sizes)), 0), spread(src))};
}

Results selectScatter(const Operands& x) {
    const Shape sizes = x.type(0).sizes;
    const size_t dim = dimOf(x, 2, sizes.size());
    Value window = aten("select.int", x[0], x[2], x[3]);
    Value src = sourceFor(x, window.type().sizes);
    Sym index = x.call().integer(3);
    if (x.call().less(index, Sym(0))) index = index + sizes[dim];
    Shape column(sizes.size(), Sym(1));
    column[dim] = sizes[dim];
    Value at = eq(reshape(positions(x.b, sizes[dim], x.type(0).device), column), index);
    return {written(x, at, unsqueeze(src, dim))};
}

Results sliceScatter(const Operands& x) {
    const Shape sizes = x.type(0).sizes;
    const size_t dim = dimOf(x, 2, sizes.size());
    const OpCall call = x.call();
    Value window = aten("slice.Tensor", x[0], x[2], x[3], x[4], x[5]);
    Value src = sourceFor(x, window.type().sizes);
    const Sym length = window.type().sizes[dim], step = call.integer(5);
    if (length.is(0)) { // src has a gradient, of no elements; x - 0 keeps the sign of 0
        const ir::DType dtype = x.type(0).dtype;
        if (ir::isFloating(dtype) || ir::isComplex(dtype)) return {x[0] - aten("sum", src)};
        return {aten("clone", x[0])};
    }
    Sym start = call.has(3) ? call.integer(3) : Sym(0);
    if (call.less(start, Sym(0))) start = start + sizes[dim];
    if (call.less(start, Sym(0))) start = Sym(0);
    auto spread = [&](const Formula& values) {
        return aten("slice_backward", values, sizes, dim, start, start + length * step, step);
    };
    return {written(x, gt(spread(onesLike(x, window.type().sizes)), 0), spread(src))};
}

/// Where it was written over, nothing; src has what its places get.
template <const char* view> void writtenGradient(Vjp& v) {
    std::vector<Formula> arguments = v.all();
    arguments[0] = v.grad;
    if (v.wants(0)) {
        arguments[1] = full(v.b, v.type(1).sizes, 0, v.grad.type());
        v.set(0, formula::call(v.node.op, arguments));
    }
    arguments.erase(arguments.begin() + 1);
    v.set(1, formula::call(view, arguments));
}
constexpr char kDiagonal[] = "diagonal", kSelect[] = "select.int", kSlice[] = "slice.Tensor";

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
    ops.push_back(lying<likeFirst>(withGradient(
        VjpRule{writtenGradient<kDiagonal>},
        composite(
            "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> "
            "Tensor",
            diagonalScatter,
            [] {
                return List{good({f32({3, 4}), f32({3})}, {T(0), T(1), I(1), I(0), I(1)}),
                            bad({f32({3, 4}), f32({2})}, {T(0), T(1), I(0), I(0), I(1)},
                                "diagonal_scatter: expected a src of sizes [3], found [2]")};
            },
            doc))));
    ops.push_back(lying<likeFirst>(
        withGradient(VjpRule{writtenGradient<kSelect>},
                     composite(
                         "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
                         selectScatter,
                         [] {
                             return List{good({f32({3, 4}), f32({3})}, {T(0), T(1), I(1), I(-2)}),
                                         good({f32({3}), f32({})}, {T(0), T(1), I(0), I(0)})};
                         },
                         doc))));
    ops.push_back(lying<likeFirst>(withGradient(
        VjpRule{writtenGradient<kSlice>},
        composite(
            "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? "
            "end=None, "
            "SymInt step=1) -> Tensor",
            sliceScatter,
            [] {
                return List{good({f32({7, 2}), f32({2, 2})}, {T(0), T(1), I(0), I(2), I(6), I(2)}),
                            good({f32({4}), f32({0})}, {T(0), T(1), I(0), I(2), I(2), I(1)}),
                            good({f32({4}), f32({2})}, {T(0), T(1), I(0), I(-2), none(), I(1)})};
            },
            doc))));
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

/// How far the elements of such a window reach behind its first.
Sym reachOf(const Shape& sizes, const Shape& strides) {
    Sym reach(0);
    for (size_t d = 0; d < sizes.size(); ++d)
        reach = reach + (sizes[d] - Sym(1)) * strides[d];
    return reach;
}

/// Both windows, self and what as_strided shows, see one memory, from whichever begins first: where
/// self sees a place that src goes to, it has src's element; of several for one the last stays.
Results asStridedScatter(const Operands& x) {
    const OpCall call = x.call();
    const Shape sizes = call.integers(2), strides = call.integers(3);
    Value src = sourceFor(x, sizes);
    Value to = x[0];
    for (const Sym& stride : x.type(0).strides) // elements that share memory become apart
        if (stride.is(0) && !x.type(0).isContiguous())
            to = aten("clone", x[0], "contiguous_format");
    const TensorType self = to.type();
    if (sizes.size() != strides.size())
        refuseCall(x, fmt::format("sizes {} and strides {} differ in length", ir::str(sizes),
                                  ir::str(strides)));
    const Sym count = src.type().numel();
    if (count.is(0) || self.numel().is(0)) return {aten("clone", x[0])};
    const Sym offset = call.has(4) ? call.integer(4) : Sym(0);
    const bool before = call.less(offset, Sym(0));
    const Sym ownStart = before ? Sym(0) - offset : Sym(0), start = before ? Sym(0) : offset;
    const Sym own = ownStart + reachOf(self.sizes, self.strides) + Sym(1),
              reach = start + reachOf(sizes, strides) + Sym(1);
    const Sym memory = call.less(own, reach) ? reach : own;
    Value places = reshape(
        aten("as_strided", positions(x.b, memory, self.device), sizes, strides, start), {count});
    TensorType numbers = self;
    numbers.dtype = ir::DType::Int64;
    Value written = aten("index_put", full(x.b, {memory}, -1, numbers),
                         std::vector<Formula>{places}, positions(x.b, count, self.device), false);
    Value from = aten("as_strided", written, self.sizes, self.strides, ownStart);
    Value values = aten("index.Tensor", reshape(src, {count}),
                        std::vector<Formula>{aten("clamp_min", from, 0)});
    return {where(ge(from, 0), values, to)};
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
