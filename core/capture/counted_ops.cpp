// SPDX-License-Identifier: Apache-2.0
// Functions whose results are as long as values of tensors say: they run on their own, outside of
// compiled graphs. Each counts on the host and leaves the rest to operations.
#include "core/capture/interp.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

const ir::TensorType& typeOf(const Val& tensor) {
    return tensor.as<TensorObj>()->type();
}
int64_t sizeOf(const Val& tensor, size_t dim) {
    return typeOf(tensor).sizes[dim].constant();
}
Val integer(int64_t value) {
    return Val::integer(value);
}
Val zeros(Interp& in, std::vector<Val> sizes, ir::DType dtype, ir::Device device) {
    const std::vector<std::pair<StrObj*, Val>> keywords{{in.intern("dtype"), Val::dtype(dtype)},
                                                        {in.intern("device"), Val::device(device)}};
    const Val positional[] = {in.list(std::move(sizes))};
    return in.operation("zeros", Arguments{positional, keywords});
}
/// Positions of the elements that are not zero, one vector for each dimension.
std::vector<Val> places(Interp& in, const Val& tensor) {
    return maskPositions(in, in.operation("ne", {tensor, integer(0)}));
}

/// [count, dimensions]; \p text "nonzero" may give a tuple of vectors.
Val nonzero(Interp& in, Self f, Args args) {
    const auto v = parseArguments(in, f.text, args, {"input", "*", "as_tuple="});
    const bool tuple = v[1].bound() && in.truthy(v[1]);
    Val self = v[0];
    wantTensor(in, self, f.text + "()'s argument");
    const bool number = typeOf(self).rank() == 0;
    if (number) self = in.operation("reshape", {self, in.list({integer(1)})});
    std::vector<Val> columns = places(in, self);
    if (tuple) return in.tuple(std::move(columns));
    // PyTorch writes dimension by dimension.
    const int64_t count = sizeOf(columns[0], 0);
    const int64_t dims = number ? 0 : static_cast<int64_t>(columns.size());
    const Val found =
        number ? zeros(in, {integer(count), integer(0)}, ir::DType::Int64, typeOf(self).device)
               : in.operation("stack", {in.list(std::move(columns)), integer(0)});
    return in.operation("as_strided", {found, in.list({integer(count), integer(dims)}),
                                       in.list({integer(1), integer(count)})});
}

Val counts(Interp& in, const Val& groups, int64_t length, const Val& weights) {
    if (weights.bound() && !weights.isNone()) {
        const bool single = typeOf(weights).dtype == ir::DType::Float32;
        const ir::DType dtype = single ? ir::DType::Float32 : ir::DType::Float64;
        return in.operation("_bincount", {groups, convertTo(in, weights, dtype), integer(length)});
    }
    const Val ones = in.operation("ones_like", {convertTo(in, groups, ir::DType::Int64)});
    const Val start = zeros(in, {integer(length)}, ir::DType::Int64, typeOf(groups).device);
    return in.operation("scatter_add",
                        {start, integer(0), convertTo(in, groups, ir::DType::Int64), ones});
}

Val bincount(Interp& in, Self f, Args args) {
    const auto v = parseArguments(in, f.text, args, {"input", "weights=", "minlength="});
    const ir::TensorType& type = wantTensor(in, v[0], "bincount()'s argument").type();
    const bool uncounted = ir::isFloating(type.dtype) || type.dtype == ir::DType::Bool;
    if (type.rank() != 1 || uncounted)
        in.raise(uncounted ? Error::NotImplemented : Error::Runtime,
                 fmt::format("bincount() needs a vector of integers, found {}", type.str()));
    int64_t length = v[2].bound() ? wantInt(in, v[2], "minlength") : 0;
    if (length < 0) in.raise(Error::Runtime, "minlength should be >= 0");
    if (v[1].bound() && !v[1].isNone()) {
        const ir::TensorType& weights = wantTensor(in, v[1], "bincount()'s weights").type();
        if (weights.sizes != type.sizes)
            in.raise(Error::Runtime, "weights should be 1-d and have the same length as input");
    }
    const ir::HostTensor values = in.need(runtime::toHost(*in.real(v[0], "bincount()")));
    for (int64_t i = 0; i < values.numel(); ++i) {
        if (values.getInt(i) < 0)
            in.raise(Error::Runtime, "bincount only supports 1-d non-negative integral inputs.");
        length = std::max(length, values.getInt(i) + 1);
    }
    return counts(in, v[0], length, v[1]);
}

/// Values of a vector that differ from the one before; on request the number of each element's
/// value, and how often each occurs.
Val runs(Interp& in, const Val& row, const Val& restore, std::vector<Val> inverseSizes,
         bool wantsInverse, bool wantsCounts) {
    const int64_t n = sizeOf(row, 0);
    const ir::Device device = typeOf(row).device;
    Val values = row, group = zeros(in, {integer(n)}, ir::DType::Int64, device);
    if (n > 1) {
        const Val later = in.operation("slice", {row, integer(0), integer(1), integer(n)});
        const Val before = in.operation("slice", {row, integer(0), integer(0), integer(n - 1)});
        const Val first = zeros(in, {integer(1)}, ir::DType::Int64, device);
        const Val changes = convertTo(in, in.operation("ne", {later, before}), ir::DType::Int64);
        const Val steps = in.operation("cat", {in.list({first, changes}), integer(0)});
        group = in.operation("cumsum", {steps, integer(0)});
        const Val one = in.operation("ones_like", {first});
        const Val starts = in.operation("cat", {in.list({one, changes}), integer(0)});
        values = in.getItem(row, convertTo(in, starts, ir::DType::Bool));
    }
    std::vector<Val> results{values};
    if (wantsInverse) {
        Val inverse = group;
        if (restore.bound())
            inverse =
                in.operation("scatter_add", {zeros(in, {integer(n)}, ir::DType::Int64, device),
                                             integer(0), restore, group});
        results.push_back(in.operation("reshape", {inverse, in.list(std::move(inverseSizes))}));
    }
    if (wantsCounts) results.push_back(counts(in, group, sizeOf(values, 0), {}));
    if (results.size() == 1) return results[0];
    return in.tuple(std::move(results));
}

/// unique and unique_consecutive of all elements.
Val unique(Interp& in, Self f, Args args) {
    const bool sorts = f.text == "unique";
    const auto v =
        sorts ? parseArguments(in, f.text, args,
                               {"input", "sorted=", "return_inverse=", "return_counts=", "dim="})
              : parseArguments(in, f.text, args,
                               {"input", "return_inverse=", "return_counts=", "dim="});
    const size_t next = sorts ? 2 : 1;
    wantTensor(in, v[0], f.text + "()'s argument");
    const bool flat = !v[next + 2].bound() || v[next + 2].isNone();
    if (!flat && typeOf(v[0]).rank() != 1)
        return in.call(in.getAttr(in.import("torch._methods"), in.intern("_unique_rows")),
                       {v[0], v[next + 2], Val::boolean(sorts),
                        Val::boolean(v[next].bound() && in.truthy(v[next])),
                        Val::boolean(v[next + 1].bound() && in.truthy(v[next + 1]))});
    std::vector<Val> sizes;
    for (const ir::Sym& size : typeOf(v[0]).sizes)
        sizes.push_back(in.size(size));
    Val row = in.operation("reshape", {in.operation("detach", {v[0]}), in.list({integer(-1)})});
    Val order;
    if (sorts) {
        const Val pair = in.operation("sort", {row, integer(0), Val::boolean(false)});
        const auto& items = pair.as<TupleObj>()->items;
        row = Val(items[0]);
        order = Val(items[1]);
    }
    auto asked = [&](size_t i) { return v[i].bound() && in.truthy(v[i]); };
    const Val found = runs(in, row, order, std::move(sizes), asked(next), asked(next + 1));
    if (!typeOf(v[0]).requiresGrad || !in.gradMode()) return found;
    const Val sampling = in.libraryImport("torch._sampling");
    return in.call(in.getAttr(sampling, in.intern("underived")), {found, v[0]});
}

} // namespace

const CountedFunction* countedFunction(std::string_view name) {
    static const CountedFunction kRows[] = {{"nonzero", nonzero},
                                            {"argwhere", nonzero},
                                            {"bincount", bincount},
                                            {"unique", unique},
                                            {"unique_consecutive", unique}};
    for (const CountedFunction& row : kRows)
        if (row.name == name) return &row;
    return nullptr;
}

} // namespace cutaway::capture
