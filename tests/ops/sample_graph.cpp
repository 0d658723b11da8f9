// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/sample_graph.h"

#include "core/base/file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>

namespace cutaway::tests {

using ir::DType;
using ir::HostTensor;

namespace {

constexpr double kAwkward[] = {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(),
                               -0.0,
                               0.0,
                               1.0,
                               1e30,
                               1e-30};

/// Every matrix X of the tensor becomes X X^T + 1.
void makeDefinite(HostTensor& tensor) {
    const int64_t n = tensor.sizes.back();
    for (int64_t at = 0; at < tensor.numel(); at += n * n) {
        std::vector<double> square;
        for (int64_t i = 0; i < n; ++i)
            for (int64_t j = 0; j < n; ++j) {
                double sum = i == j;
                for (int64_t k = 0; k < n; ++k)
                    sum += tensor.get(at + i * n + k) * tensor.get(at + j * n + k);
                square.push_back(sum);
            }
        for (int64_t i = 0; i < n * n; ++i)
            tensor.set(at + i, square[static_cast<size_t>(i)]);
    }
}

void promote(ir::ArgList& args) {
    for (ir::Arg& arg : args) {
        if (auto dtype = std::get_if<DType>(&arg); dtype && *dtype == DType::Float32)
            *dtype = DType::Float64;
        if (auto list = std::get_if<ir::ArgList>(&arg)) promote(*list);
    }
}

ir::TensorType typeOf(const ops::SampleTensor& want, DType dtype) {
    ir::Shape sizes(want.sizes.begin(), want.sizes.end());
    ir::TensorType type = ir::TensorType::contiguous(dtype, sizes);
    if (want.transposed && sizes.size() >= 2) {
        std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
        type.strides = ir::contiguousStrides(sizes);
        std::swap(type.strides[sizes.size() - 1], type.strides[sizes.size() - 2]);
    }
    type.requiresGrad = ir::isFloating(dtype);
    return type;
}

/// Dimensions from the outermost in memory to the innermost.
std::vector<size_t> orderOf(Layout layout, size_t rank) {
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), size_t{0});
    if (layout == Layout::ChannelsLast && rank > 2)
        std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    else if (layout == Layout::Rotated)
        std::rotate(order.begin(), order.begin() + 1, order.end());
    else
        std::reverse(order.begin(), order.end());
    return order;
}

void layOut(ir::TensorType& type, Layout layout, size_t number) {
    const bool asTold = layout == Layout::AsTold ||
                        (layout == Layout::FirstReversed && number > 0) ||
                        (layout == Layout::OthersReversed && number == 0);
    if (asTold || type.rank() == 0) return;
    if (layout == Layout::Expanded) {
        type.strides.front() = ir::Sym(0);
    } else if (layout == Layout::Gaps) {
        for (ir::Sym& stride : type.strides)
            stride = stride * ir::Sym(2);
    } else {
        ir::Sym step(1);
        const std::vector<size_t> order = orderOf(layout, type.rank());
        for (size_t at = order.size(); at-- > 0;) {
            type.strides[order[at]] = step;
            if (!type.sizes[order[at]].is(0)) step = step * type.sizes[order[at]];
        }
    }
}

/// What an operation refuses a gradient towards, as PyTorch does: weights of classes, targets.
bool refusesGradient(const ops::OpDef& def, const ops::Sample& sample, size_t number) {
    const std::string_view base = def.parsed.base;
    const bool classes = base.starts_with("nll_loss") || base == "cross_entropy_loss";
    if (!classes && base != "soft_margin_loss") return false;
    const int refused = def.parsed.find(classes ? "weight" : "target");
    if (refused < 0 || static_cast<size_t>(refused) >= sample.args.size()) return false;
    const ir::NodeId* node = sample.args[static_cast<size_t>(refused)].node();
    return node && node->index == number;
}

} // namespace

HostTensor sampleValues(const ops::SampleTensor& want, DType dtype, std::mt19937_64& random) {
    HostTensor tensor = HostTensor::zeros(dtype, want.sizes);
    std::uniform_real_distribution<double> real(want.low, want.high);
    std::uniform_int_distribution<int64_t> whole(static_cast<int64_t>(want.low),
                                                 static_cast<int64_t>(want.high));
    for (int64_t i = 0; i < tensor.numel(); ++i) {
        bool special = want.awkward && static_cast<size_t>(i) < std::size(kAwkward);
        if (ir::isIntegral(dtype))
            tensor.setInt(i, whole(random));
        else
            tensor.set(i, special ? kAwkward[i] : real(random));
    }
    if (want.definite) makeDefinite(tensor);
    return tensor;
}

ir::TensorType sampleType(const ops::Sample& sample, size_t number, Layout layout, bool doubles) {
    const ops::SampleTensor& want = sample.tensors[number];
    ir::TensorType type =
        typeOf(want, doubles && want.dtype == DType::Float32 ? DType::Float64 : want.dtype);
    layOut(type, layout, number);
    return type;
}

base::Result<SampleGraph> makeSampleGraph(const ops::OpDef& def, const ops::Sample& sample,
                                          bool doubles, Layout layout) {
    SampleGraph made;
    std::mt19937_64 random(7);
    std::vector<ir::NodeId> placeholders;
    for (size_t k = 0; k < sample.tensors.size(); ++k) {
        ir::TensorType type = sampleType(sample, k, layout, doubles);
        if (refusesGradient(def, sample, k)) type.requiresGrad = false;
        placeholders.push_back(made.graph.addPlaceholder(fmt::format("x{}", k), type));
        made.inputs.push_back(sampleValues(sample.tensors[k], type.dtype, random));
    }
    ir::ArgList args = sample.args;
    if (doubles) promote(args);
    ir::rewriteNodes(args, [&](ir::NodeId k) { return placeholders[k.index]; });
    ops::Builder builder(made.graph);
    CUTAWAY_TRY(made.call, builder.tryCall(def.name(), std::move(args)));
    const ir::Node& node = made.graph.node(made.call);
    if (!node.tuple) made.graph.outputs.push_back(made.call);
    for (size_t i = 0; node.tuple && i < node.types.size(); ++i)
        made.graph.outputs.push_back(builder.getitem(made.call, static_cast<int>(i)));
    return made;
}

std::string_view name(Layout layout) {
    constexpr std::string_view kNames[] = {"as_told",         "reversed",      "first_reversed",
                                           "others_reversed", "channels_last", "rotated",
                                           "expanded",        "gaps"};
    return kNames[static_cast<size_t>(layout)];
}

std::string difference(const std::vector<HostTensor>& found,
                       const std::vector<HostTensor>& expected, double tolerance) {
    if (found.size() != expected.size())
        return fmt::format("{} results, expected {}", found.size(), expected.size());
    for (size_t k = 0; k < found.size(); ++k) {
        const HostTensor &a = found[k], &b = expected[k];
        if (a.dtype != b.dtype || a.sizes != b.sizes)
            return fmt::format("result {} is {}, expected {}", k, a.type().str(), b.type().str());
        for (int64_t i = 0; i < a.numel(); ++i) {
            double x = a.get(i), y = b.get(i);
            if ((x != x && y != y) || x == y) continue;
            double allowed = ir::isFloating(a.dtype) ? tolerance * std::max(1.0, std::abs(y)) : 0;
            if (!(std::abs(x - y) <= allowed))
                return fmt::format("result {}, element {}: {}, expected {}", k, i, x, y);
        }
    }
    return {};
}

namespace {

/// \param check of sample number \p i: what is wrong, or nothing
template <typename Check>
Tally forEachSample(const std::function<bool(const ops::OpDef&)>& takes, const Check& check) {
    Tally tally;
    for (const ops::OpDef& def : ops::catalogue().all()) {
        if (!takes(def)) continue;
        const std::vector<ops::Sample> samples = def.samples();
        for (size_t i = 0; i < samples.size(); ++i) {
            if (!samples[i].expectedError.empty()) continue;
            ++tally.checked;
            const std::string wrong = check(def, samples[i], i);
            if (!wrong.empty()) tally.failures += "\n  " + label(def, i) + wrong;
        }
    }
    return tally;
}

} // namespace

Tally checkSamples(const std::function<bool(const ops::OpDef&)>& takes,
                   const std::function<std::string(const ops::OpDef&, const ops::Sample&)>& check) {
    return forEachSample(takes, [&](const ops::OpDef& def, const ops::Sample& sample, size_t) {
        return check(def, sample);
    });
}

SampleRecord readSampleRecord(const std::string& path) {
    auto text = base::readFile(path);
    if (!text.ok()) throw std::runtime_error(text.error().str());
    SampleRecord record;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string op, sample;
        words >> op >> sample;
        std::vector<std::string>& found = record[op + " " + sample];
        for (std::string word; words >> word;)
            found.push_back(word);
    }
    return record;
}

Tally checkRecorded(
    const SampleRecord& record, const std::function<bool(const ops::OpDef&)>& takes,
    const std::function<std::string(const ops::OpDef&, const ops::Sample&,
                                    const std::vector<std::string>& words)>& check) {
    return forEachSample(takes, [&](const ops::OpDef& def, const ops::Sample& sample, size_t i) {
        const auto at = record.find(def.name() + " " + std::to_string(i));
        return at == record.end() ? "is not recorded" : check(def, sample, at->second);
    });
}

std::string label(const ops::OpDef& def, size_t sample) {
    return fmt::format("{}, sample {}: ", def.name(), sample);
}

} // namespace cutaway::tests
