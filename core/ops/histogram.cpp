// SPDX-License-Identifier: Apache-2.0
// Counts of elements in bins, and membership. Sources: aten/src/ATen/native/cpu/HistogramKernel.cpp
// and TensorCompare.cpp (isin).
#include "core/ops/call_forms.h"
#include "core/ops/held_numbers.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/row_reference.h"
#include "core/ops/statistics_forms.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Sym;
constexpr NotDifferentiable kCounts{"its result are counts"};

struct Ends {
    Value low, high;
};
/// The ends of the bins; where they are equal, those of the elements, or \p apart on both sides.
Ends endsOf(const Operands& x, const Value& row, double low, double high, double apart) {
    const ir::TensorType& type = row.type();
    if (low > high) refuseComposed(x.call(), "expected min below max");
    if (low != high || type.sizes[0].is(0)) {
        if (low == high) low -= apart, high += apart;
        return {scalar(x.b, low, type.dtype, type.device),
                scalar(x.b, high, type.dtype, type.device)};
    }
    Value least = aten("min", row), most = aten("max", row), same = eq(least, most);
    return {where(same, least - apart, least), where(same, most + apart, most)};
}
/// Bin numbers by arithmetic; the last bin has its end, and \p inside tells who counts.
Value countsOf(const Operands& x, const Value& row, const Ends& ends, int64_t bins,
               const Formula& weights) {
    Value inside = logicalAnd(ge(row, ends.low), le(row, ends.high));
    Value place = (row - ends.low) * (static_cast<double>(bins) / (ends.high - ends.low));
    Value index = aten("clamp", convert(where(inside, place, 0), DType::Int64), 0, bins - 1);
    Value counted = where(inside, weights, 0);
    return aten("scatter_add", full(x.b, {Sym(bins)}, 0, counted.type()), 0, index, counted);
}

Results histc(const Operands& x) {
    const OpCall call = x.call();
    const int64_t bins = call.number(1);
    if (bins <= 0) refuseComposed(call, "expected bins above 0, found " + std::to_string(bins));
    Value row = reshape(x[0], {x.type(0).numel()});
    const Ends ends = endsOf(x, row, call.real(2), call.real(3), 1);
    return {countsOf(x, row, ends, bins, aten("ones_like", row))};
}

Results weightedCounts(const Operands& x) {
    const ir::TensorType& weights = x.type(1);
    return {aten("scatter_add", full(x.b, ir::Shape{x.call().integer(2)}, 0, weights), 0,
                 convert(x[0], DType::Int64), x[1])};
}
Values weightedCountsReference(const OpCall& call, Tensors tensors) {
    std::vector<double> counts(static_cast<size_t>(call.number(2)));
    const std::vector<double> places = valuesOf<double>(*tensors[0]);
    const std::vector<double> weights = valuesOf<double>(*tensors[1]);
    for (size_t i = 0; i < places.size(); ++i)
        counts[static_cast<size_t>(places[i])] += weights[i];
    return oneValue(tensorOf(tensors[1]->dtype, {call.number(2)}, counts));
}

std::vector<double> histogramOf(const std::vector<double>& values,
                                const std::vector<double>& weights, int64_t bins, double low,
                                double high) {
    if (low == high && !values.empty()) {
        low = *std::min_element(values.begin(), values.end());
        high = *std::max_element(values.begin(), values.end());
    }
    if (low == high) low -= 1, high += 1;
    std::vector<double> counts(static_cast<size_t>(bins));
    for (size_t i = 0; i < values.size(); ++i) {
        const double x = values[i];
        if (!(x >= low && x <= high)) continue;
        const auto bin =
            static_cast<int64_t>((x - low) * (static_cast<double>(bins) / (high - low)));
        counts[static_cast<size_t>(std::min(bin, bins - 1))] += weights.empty() ? 1 : weights[i];
    }
    return counts;
}
Values histcReference(const OpCall& call, Tensors tensors) {
    return oneValue(tensorOf(tensors[0]->dtype, {call.number(1)},
                             histogramOf(valuesOf<double>(*tensors[0]), {}, call.number(1),
                                         call.real(2), call.real(3))));
}

/// Arguments: bins (a number or edges), range, weight, density.
Results histogram(const Operands& x) {
    const OpCall call = x.call();
    const bool byEdges = x.isValue(1);
    const auto named = [&](const char* name) {
        return static_cast<size_t>(call.def.parsed.find(name));
    };
    const size_t weight = named("weight");
    Value row = reshape(x[0], {x.type(0).numel()});
    Value weights =
        x.has(weight) ? reshape(x[weight], {x.type(weight).numel()}) : aten("ones_like", row);
    Value edges, counts;
    if (byEdges) {
        const ir::TensorType& given = x.type(1);
        if (given.rank() != 1)
            refuseComposed(call, fmt::format("bins tensor should have one dimension, but got {} "
                                             "dimensions in the bins tensor for dimension 0",
                                             given.rank()));
        if (given.dtype != row.type().dtype)
            refuseComposed(call, "input tensor and bins tensors should have the same dtype");
        edges = aten("clone", x[1]);
        const int64_t bins = call.number(edges.type().sizes[0]) - 1;
        if (bins < 1) refuseComposed(call, "expected at least 2 edges");
        Value first = aten("select.int", edges, 0, 0), last = aten("select.int", edges, 0, bins);
        Value inside = logicalAnd(ge(row, first), le(row, last));
        Value place = aten("_search_sorted", edges, row, false, true) - 1;
        Value counted = where(inside, weights, 0);
        counts = aten("scatter_add", full(x.b, {Sym(bins)}, 0, counted.type()), 0,
                      aten("clamp", place, 0, bins - 1), counted);
    } else {
        const int64_t bins = call.number(1);
        if (bins <= 0) refuseComposed(call, "expected bins above 0, found " + std::to_string(bins));
        double low = 0, high = 0;
        if (const size_t range = named("range"); call.has(range)) {
            const ir::ArgList& pair = *call.args[range].list();
            if (pair.size() != 2)
                refuseComposed(call, fmt::format("for a 1-dimensional histogram range should have "
                                                 "2 elements, but got {}",
                                                 pair.size()));
            auto number = [&](const ir::Arg& arg) {
                if (const auto* real = std::get_if<double>(&arg)) return *real;
                return static_cast<double>(call.number(std::get<Sym>(arg)));
            };
            low = number(pair[0]), high = number(pair[1]);
        }
        const Ends ends = endsOf(x, row, low, high, 0.5);
        edges = convert(aten("linspace.Tensor_Tensor", ends.low, ends.high, bins + 1),
                        row.type().dtype);
        counts = countsOf(x, row, ends, bins, weights);
    }
    if (call.boolean(named("density"))) {
        const int64_t bins = call.number(counts.type().sizes[0]);
        Value widths =
            aten("slice.Tensor", edges, 0, 1, bins + 1) - aten("slice.Tensor", edges, 0, 0, bins);
        counts = counts / widths / sum(counts);
    }
    return {counts, edges};
}
Values histogramReference(const OpCall& call, Tensors tensors) {
    const std::vector<double> values = valuesOf<double>(*tensors[0]);
    size_t next = 1;
    std::vector<double> edges;
    if (call.isTensor(1)) edges = valuesOf<double>(*tensors[next++]);
    const bool weighted = call.has(static_cast<size_t>(call.def.parsed.find("weight")));
    const std::vector<double> weights =
        weighted ? valuesOf<double>(*tensors[next]) : std::vector<double>{};
    std::vector<double> counts;
    if (edges.empty()) {
        const int64_t bins = call.number(1);
        const double low = *std::min_element(values.begin(), values.end());
        const double high = *std::max_element(values.begin(), values.end());
        counts = histogramOf(values, weights, bins, low, high);
        for (int64_t i = 0; i <= bins; ++i)
            edges.push_back(low +
                            (high - low) * static_cast<double>(i) / static_cast<double>(bins));
    } else {
        counts.resize(edges.size() - 1);
        for (size_t i = 0; i < values.size(); ++i)
            for (size_t bin = 0; bin + 1 < edges.size(); ++bin) {
                const bool last = bin + 2 == edges.size();
                if (values[i] >= edges[bin] &&
                    (last ? values[i] <= edges[bin + 1] : values[i] < edges[bin + 1]))
                    counts[bin] += weights.empty() ? 1 : weights[i];
            }
    }
    if (call.boolean(static_cast<size_t>(call.def.parsed.find("density")))) {
        double total = 0;
        for (double count : counts)
            total += count;
        for (size_t i = 0; i < counts.size(); ++i)
            counts[i] /= total * (edges[i + 1] - edges[i]);
    }
    const auto bins = static_cast<int64_t>(counts.size());
    return {tensorOf(tensors[0]->dtype, {bins}, counts),
            tensorOf(tensors[0]->dtype, {bins + 1}, edges)};
}

// --- membership ---

/// By bisection in the ordered test elements.
Results isin(const Operands& x) {
    const OpCall call = x.call();
    auto value = [&](size_t i) {
        if (x.isValue(i)) return x.tensor(i);
        const ir::TensorType& other = x.type(1 - i);
        const bool real = std::holds_alternative<double>(call.args[i]);
        return numberAs(x, i, real ? floatBeside(other.dtype) : DType::Int64, other.device);
    };
    Value elements = value(0), tests = value(1);
    for (const DType dtype : {elements.type().dtype, tests.type().dtype})
        if (dtype == DType::Bool)
            refuseComposed(call, "Unsupported input type encountered for isin(): Bool", {},
                           ErrorClass::NotImplemented);
    const int64_t count = call.number(tests.type().numel());
    Value found;
    if (count == 0) {
        found = aten("zeros_like", elements, DType::Bool);
    } else {
        const DType dtype = ir::promote(elements.type().dtype, tests.type().dtype);
        Value ordered =
            item(aten("sort", convert(reshape(tests, {Sym(count)}), dtype), 0, false), 0);
        Value wanted = convert(reshape(elements, {elements.type().numel()}), dtype);
        Value place =
            aten("clamp", aten("_search_sorted", ordered, wanted, false, false), 0, count - 1);
        found = reshape(eq(aten("gather", ordered, 0, place), wanted), elements.type().sizes);
    }
    return {call.boolean(3) ? logicalNot(found) : Formula(found)};
}
Values isinReference(const OpCall& call, Tensors tensors) {
    auto values = [&](size_t i) {
        if (!call.isTensor(i)) return std::vector<double>{call.real(i)};
        return valuesOf<double>(*tensors[i == 1 && call.isTensor(0) ? 1 : 0]);
    };
    const std::vector<double> elements = values(0), tests = values(1);
    std::vector<double> found;
    for (double element : elements)
        found.push_back((std::find(tests.begin(), tests.end(), element) != tests.end()) !=
                        call.boolean(3));
    return oneValue(tensorOf(DType::Bool, call.isTensor(0) ? tensors[0]->sizes : Sizes{}, found));
}

} // namespace

void addHistograms(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(composed(
        "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
        VjpRule{noGradients}, histc, histcReference,
        [] {
            return std::vector<Sample>{
                good({f32({3, 7})}, {T(0), I(5)}), good({f64({9})}, {T(0), I(4), Arg(-1.0), I(1)}),
                bad({f32({3})}, {T(0), I(0)}, "histc: expected bins above 0, found 0")};
        },
        {"how many elements fall into each of equal bins", "y[i] = count of x in bin i",
         "torch.histc"})));
    ops.push_back(internal(composed(
        "_bincount(Tensor self, Tensor weights, SymInt length) -> Tensor",
        NotDifferentiable{"PyTorch has no derivative for it"}, weightedCounts,
        weightedCountsReference,
        [] {
            return std::vector<Sample>{forwardOnly({i64({5}, 0, 2), f32({5})}, {T(0), T(1), I(4)})};
        },
        {"the sum of the weights of each number", "y[i] = sum of weights[k] where x[k] = i",
         "torch.bincount"})));
    OpDoc doc{"how many elements fall into each bin, and the bins' edges",
              "y[i] = count of x in bin i", "torch.histogram"};
    const size_t histograms = ops.size();
    ops.push_back(composed(
        "histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, "
        "bool density=False) -> (Tensor hist, Tensor bin_edges)",
        kCounts, histogram, histogramReference,
        [] {
            return std::vector<Sample>{
                good({f64({3, 7})}, {T(0), I(5)}),
                good({f64({9}), f64({9}, 0.5, 1)}, {T(0), I(4), none(), T(1), Arg(true)})};
        },
        doc));
    ops.push_back(composed(
        "histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool "
        "density=False) "
        "-> (Tensor hist, Tensor bin_edges)",
        kCounts, histogram, histogramReference,
        [] {
            return std::vector<Sample>{forwardOnly({f64({9}, 0, 2), f64({2}, 1, 1)}, {T(0), T(1)})};
        },
        doc));
    for (size_t i = histograms; i < ops.size(); ++i)
        ops[i].traits.refuses = Refuses::WholeNumbers;
    refuseHalves({"histogram.bin_ct", "histogram.bins_tensor"});
    OpDoc in{"which elements occur among others", "y = (x is one of t)", "torch.isin"};
    ops.push_back(composed(
        "isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, "
        "bool invert=False) -> Tensor",
        kCounts, isin, isinReference,
        [] {
            return std::vector<Sample>{
                good({i64({3, 7}), i64({5})}, {T(0), T(1)}),
                good({i64({9}), i64({2, 2})}, {T(0), T(1), Arg(false), Arg(true)}),
                good({f32({4}), f32({0})}, {T(0), T(1)})};
        },
        in));
    ops.push_back(composed(
        "isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, "
        "bool invert=False) -> Tensor",
        kCounts, isin, isinReference,
        [] { return std::vector<Sample>{good({i64({9})}, {T(0), I(2)})}; }, in));
    ops.push_back(composed(
        "isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, "
        "bool invert=False) -> Tensor",
        kCounts, isin, isinReference,
        [] { return std::vector<Sample>{good({i64({9})}, {I(2), T(0)})}; }, in));
}

} // namespace cutaway::ops
