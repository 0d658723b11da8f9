// SPDX-License-Identifier: Apache-2.0
// Scans: running sums, products and extremes, one after the other along rows.
#include "core/ops/call_forms.h"
#include "core/ops/composite.h"
#include "core/ops/families.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/row_reference.h"
#include "core/ops/scan_tools.h"

#include <fmt/format.h>

namespace cutaway::ops {

using ir::DType;

Formula part(const Formula& x, int dim, int64_t from, int64_t to) {
    return aten("slice.Tensor", x, dim, from, to);
}
Formula joined(std::vector<Formula> parts, int dim) {
    return aten("cat", Formula(std::move(parts)), dim);
}
int64_t lengthOf(const Operands& x, size_t argument, int dim) {
    const ir::TensorType& type = x.type(argument);
    return type.rank() == 0 ? 1 : x.call().number(type.sizes[static_cast<size_t>(dim)]);
}
int scanDim(const Operands& x, size_t dimArgument) {
    auto dim = x.call().dim(dimArgument, std::max<size_t>(x.type(0).rank(), 1));
    if (!dim.ok()) throwRefusal(dim.error());
    return *dim;
}

namespace {

/// A result of its own memory, though there was nothing to combine.
Results own(const Operands& x, const Value& result) {
    if (NodeId(result) == NodeId(x.tensor(0))) return {aten("clone", result)};
    return {result};
}

DType scanDType(const OpCall& call) {
    if (call.args.size() > 2 && call.has(2)) return call.dtype(2);
    const DType dtype = call.tensor(0).dtype;
    return ir::isIntegral(dtype) ? DType::Int64 : dtype;
}
enum class Kind { Sum, Product, LogSumExp };
template <Kind kind, bool backwards = false> Results scan(const Operands& x) {
    const int dim = scanDim(x, 1);
    if (kind == Kind::LogSumExp && !ir::isFloating(x.type(0).dtype))
        refuseComposed(x.call(), fmt::format("not implemented for {}", ir::name(x.type(0).dtype)),
                       {}, ErrorClass::NotImplemented);
    Value self = convert(x[0], scanDType(x.call()));
    if (x.type(0).rank() == 0) return own(x, self);
    constexpr const char* kWhat[] = {"sum", "product", "logsumexp"};
    return {running(self, dim, kWhat[static_cast<size_t>(kind)], backwards)};
}

template <auto combine, bool backwards = false>
Values scanReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const int dim = in.sizes.empty() ? 0 : hostDim(call, 1, in.sizes.size());
    return oneValue(mapRows(in, dim, outDType(call), [](std::vector<double> row) {
        if (backwards) std::reverse(row.begin(), row.end());
        for (size_t i = 1; i < row.size(); ++i)
            row[i] = combine(row[i - 1], row[i]);
        if (backwards) std::reverse(row.begin(), row.end());
        return row;
    }));
}

std::vector<Sample> scanSamples(bool integers) {
    std::vector<Sample> samples = {
        good({f32({5})}, {T(0), I(0)}),
        good({f64({2, 7, 3})}, {T(0), I(1)}),
        good({transposed(f32({3, 4}))}, {T(0), I(-1)}),
        good({f32({})}, {T(0), I(0)}),
        good({f32({0, 3})}, {T(0), I(0)}),
        good({f32({1, 3})}, {T(0), I(0)}),
        bad({f32({2, 3})}, {T(0), I(2)},
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)")};
    if (integers) samples.push_back(forwardOnly({i32({9})}, {T(0), I(0)}));
    if (integers) samples.push_back(forwardOnly({b8({9})}, {T(0), I(0)}));
    return samples;
}

void addSums(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::savesNothing>(composed(
        "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return aten("_cumsum_backwards", v.grad, v[1]); }>},
        scan<Kind::Sum>, scanReference<[](double a, double b) { return a + b; }>,
        [] { return scanSamples(true); },
        {"running sums", "y[i] = sum of x[j], j <= i", "torch.cumsum"})));
    ops.push_back(internal(composed(
        "_cumsum_backwards(Tensor self, int dim) -> Tensor",
        VjpRule{vjpOfFirst<[](Vjp& v) { return aten("cumsum", v.grad, v[1]); }>},
        scan<Kind::Sum, true>, scanReference<[](double a, double b) { return a + b; }, true>,
        [] { return scanSamples(true); },
        {"running sums from the end: the gradient of cumsum", "y[i] = sum of x[j], j >= i",
         "torch.cumsum"})));
    ops.push_back(saving(
        "self result",
        composed("cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
                 scan<Kind::Product>, scanReference<[](double a, double b) { return a * b; }>,
                 [] { return scanSamples(true); },
                 {"running products", "y[i] = product of x[j], j <= i", "torch.cumprod"})));
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(composed(
        "logcumsumexp(Tensor self, int dim) -> Tensor", scan<Kind::LogSumExp>,
        scanReference<[](double a, double b) { return std::log(std::exp(a) + std::exp(b)); }>,
        [] { return scanSamples(false); },
        {"logarithms of running sums of exponentials", "y[i] = ln(sum of e^x[j], j <= i)",
         "torch.logcumsumexp"})));
}

// --- extremes with their places ---

/// The later of equal elements; the latest NaN.
template <bool largest> Results scanExtreme(const Operands& x) {
    const int dim = scanDim(x, 1);
    if (x.type(0).rank() == 0) {
        Value value = aten("clone", x[0]), place = aten("zeros_like", x[0], DType::Int64);
        return {value, place};
    }
    Value both = aten("_scan_extreme", x[0], dim, largest ? "max" : "min");
    return {item(both, 0), item(both, 1)};
}
template <bool largest> Values scanExtremeReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    return runningExtremes(in, in.sizes.empty() ? 0 : hostDim(call, 1, in.sizes.size()), largest);
}

void addExtremes(std::vector<OpDef>& ops) {
    ops.push_back(saving(
        "self", composed("cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)",
                         scanExtreme<true>, scanExtremeReference<true>,
                         [] {
                             auto all = scanSamples(false);
                             all.push_back(forwardOnly({i64({2, 9}, 0, 3)}, {T(0), I(1)}));
                             all.push_back(forwardOnly({awkward(f32({2, 16}))}, {T(0), I(1)}));
                             return all;
                         },
                         {"running maxima, and where they are", "y[i] = max of x[j], j <= i",
                          "torch.cummax"})));
    ops.push_back(saving(
        "self", composed("cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)",
                         scanExtreme<false>, scanExtremeReference<false>,
                         [] {
                             auto all = scanSamples(false);
                             all.push_back(forwardOnly({i64({2, 9}, 0, 3)}, {T(0), I(1)}));
                             all.push_back(forwardOnly({awkward(f32({2, 16}))}, {T(0), I(1)}));
                             return all;
                         },
                         {"running minima, and where they are", "y[i] = min of x[j], j <= i",
                          "torch.cummin"})));
}

// --- differences and areas ---

Value differences(const Value& x, int dim, int64_t n) {
    Value later = part(x, dim, 1, n), before = part(x, dim, 0, n - 1);
    return x.type().dtype == DType::Bool ? aten("logical_xor", later, before) : later - before;
}

Results diff(const Operands& x) {
    if (x.type(0).rank() == 0) refuseComposed(x.call(), "expected at least one dimension");
    const int dim = scanDim(x, 2);
    const auto d = static_cast<size_t>(dim);
    Value self = x[0];
    std::vector<Formula> parts;
    if (x.has(3)) parts.push_back(x[3]);
    parts.push_back(self);
    if (x.has(4)) parts.push_back(x[4]);
    if (parts.size() > 1) self = joined(parts, dim);
    const int64_t times = x.call().number(1);
    if (times < 0)
        refuseComposed(x.call(), "expected n of at least 0, found " + std::to_string(times));
    int64_t n = x.call().number(self.type().sizes[d]);
    for (int64_t k = 0; k < times; ++k, --n) {
        if (n == 0) break;
        self = differences(self, dim, n);
    }
    return own(x, self);
}
Values diffReference(const OpCall& call, Tensors tensors) {
    ir::HostTensor in = *tensors[0];
    const int dim = hostDim(call, 2, in.sizes.size());
    const int64_t times = call.number(1);
    std::vector<std::vector<double>> ends[2];
    auto along = [&](const ir::HostTensor& t) {
        std::vector<std::vector<double>> rows;
        mapRows(t, dim, DType::Float64, [&](const std::vector<double>& row) {
            rows.push_back(row);
            return row;
        });
        return rows;
    };
    size_t tensor = 1;
    for (size_t k : {0u, 1u})
        if (call.has(3 + k)) ends[k] = along(*tensors[tensor++]);
    size_t at = 0;
    return oneValue(mapRows(in, dim, outDType(call), [&](std::vector<double> row) {
        if (!ends[0].empty()) row.insert(row.begin(), ends[0][at].begin(), ends[0][at].end());
        if (!ends[1].empty()) row.insert(row.end(), ends[1][at].begin(), ends[1][at].end());
        ++at;
        for (int64_t k = 0; k < times && !row.empty(); ++k) {
            for (size_t i = 0; i + 1 < row.size(); ++i)
                row[i] = in.dtype == DType::Bool ? row[i] != row[i + 1] : row[i + 1] - row[i];
            row.pop_back();
        }
        return row;
    }));
}

/// Trapezoids between neighbours, twice: their sum times their distance, in the points' dtype.
Value trapezoids(const Operands& x, int dim, size_t spacing) {
    const int64_t n = lengthOf(x, 0, dim);
    Value y = x[0], sums = part(y, dim, 1, n) + part(y, dim, 0, n - 1);
    if (!x.isValue(spacing)) {
        const double step = x.has(spacing) ? x.call().real(spacing) : 1;
        return step == 1 ? sums : Value(sums * step);
    }
    Value points = x[spacing];
    const ir::Shape sizes = points.type().sizes;
    if (sizes.size() == 1 && x.type(0).rank() > 1) {
        ir::Shape along(x.type(0).rank(), ir::Sym(1));
        along[static_cast<size_t>(dim)] = sizes[0];
        points = reshape(points, along);
    }
    const int back = dim - static_cast<int>(x.type(0).rank());
    const int pointDim = back + static_cast<int>(points.type().rank());
    if (pointDim < 0 ||
        !x.call().same(points.type().sizes[static_cast<size_t>(pointDim)], ir::Sym(n)))
        refuseComposed(x.call(), fmt::format("expected points along dimension {}, found shape {}",
                                             dim, ir::str(sizes)));
    return sums * differences(points, pointDim,
                              x.call().number(points.type().sizes[static_cast<size_t>(pointDim)]));
}
template <bool running> Results trapezoid(const Operands& x) {
    for (size_t i : {0, 1})
        if (x.isValue(i) && x.type(i).dtype == DType::Bool)
            refuseComposed(x.call(), "received a bool input, which is not supported", {},
                           ErrorClass::NotImplemented);
    const int dim = scanDim(x, 2);
    const int64_t n = lengthOf(x, 0, dim);
    if (n == 0) return {running ? aten("clone", x[0]) : Value(sum(x[0], {dim}))};
    if (!running && !x.isValue(1)) { // PyTorch's formula: small integers do not wrap around
        const Value ends = aten("select.int", x[0], dim, 0) + aten("select.int", x[0], dim, n - 1);
        const double step = x.has(1) ? x.call().real(1) : 1;
        return {(sum(x[0], {dim}) - ends * 0.5) * step};
    }
    Value areas = trapezoids(x, dim, 1);
    if (running) return {aten("cumsum", areas / 2, dim)};
    return {sum(areas, {dim}) / 2};
}
template <bool running> Values trapezoidReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    const int dim = hostDim(call, 2, in.sizes.size());
    const bool points = call.isTensor(1);
    auto rows = [&](const std::vector<double>& row) {
        std::vector<double> sums;
        double sum = 0;
        for (size_t i = 1; i < row.size(); ++i) {
            const auto k = static_cast<int64_t>(i);
            const double step = points        ? tensors[1]->get(k) - tensors[1]->get(k - 1)
                                : call.has(1) ? call.real(1)
                                              : 1;
            sums.push_back(sum += (row[i] + row[i - 1]) / 2 * step);
        }
        return sums;
    };
    if (running) return oneValue(mapRows(in, dim, outDType(call), rows));
    return oneValue(foldRows(in, {dim}, false, outDType(call), [&](const std::vector<double>& row) {
        const std::vector<double> sums = rows(row);
        return sums.empty() ? 0 : sums.back();
    }));
}

void addAreas(std::vector<OpDef>& ops) {
    ops.push_back(composed(
        "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> "
        "Tensor",
        diff, diffReference,
        [] {
            return std::vector<Sample>{
                good({f32({2, 5})}, {T(0)}), good({f64({4, 3})}, {T(0), I(2), I(0)}),
                good({f32({2, 5}), f32({2, 1}), f32({2, 2})}, {T(0), I(1), I(1), T(1), T(2)}),
                forwardOnly({b8({5})}, {T(0)}),
                bad({f32({})}, {T(0)}, "diff: expected at least one dimension")};
        },
        {"differences of neighbours", "y[i] = x[i + 1] - x[i]", "torch.diff"}));
    OpDoc area{"area under points", "y = sum of (y[i] + y[i + 1]) / 2 dx", "torch.trapezoid"};
    OpDoc running{"areas under the first points", "y[k] = sum of (y[i] + y[i + 1]) / 2 dx, i <= k",
                  "torch.cumulative_trapezoid"};
    auto spaced = [] {
        return std::vector<Sample>{good({f32({2, 5}), f32({5})}, {T(0), T(1)}),
                                   good({f64({4}), f64({4})}, {T(0), T(1), I(0)})};
    };
    auto even = [] {
        return std::vector<Sample>{good({f32({2, 5})}, {T(0)}),
                                   good({f64({4, 3})}, {T(0), Arg(0.5), I(0)})};
    };
    for (std::string_view name : {"trapezoid", "trapz"}) {
        const bool first = name == "trapezoid";
        ops.push_back(composed(first ? "trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"
                                     : "trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
                               trapezoid<false>, trapezoidReference<false>, spaced, area));
        ops.push_back(composed(first
                                   ? "trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor"
                                   : "trapz.dx(Tensor y, *, float dx=1, int dim=-1) -> Tensor",
                               trapezoid<false>, trapezoidReference<false>, even, area));
    }
    ops.push_back(composed("cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
                           trapezoid<true>, trapezoidReference<true>, spaced, running));
    ops.push_back(
        composed("cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
                 trapezoid<true>, trapezoidReference<true>, even, running));
}

} // namespace

Value positionsAlong(const Operands& x, size_t argument, int dim) {
    const ir::Shape sizes = x.type(argument).sizes;
    ir::Shape along(sizes.size(), ir::Sym(1));
    along[static_cast<size_t>(dim)] = sizes[static_cast<size_t>(dim)];
    Value numbers = positions(x.b, sizes[static_cast<size_t>(dim)], x.type(argument).device);
    return expand(reshape(numbers, along), sizes);
}

std::vector<OpDef> scanOps() {
    std::vector<OpDef> ops;
    addRowScan(ops);
    addProductGradients(ops);
    addSums(ops);
    addExtremes(ops);
    addAreas(ops);
    outTakes(ops, {"cummax", "cummin", "logcumsumexp"}, OutDTypes::Same,
             "expected scalar_type {result} but found {out}");
    return ops;
}

} // namespace cutaway::ops
