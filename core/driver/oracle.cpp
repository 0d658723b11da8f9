// SPDX-License-Identifier: Apache-2.0
#include "core/driver/oracle.h"

#include "core/autodiff/joint_graph.h"
#include "core/base/tick.h"
#include "core/ops/gradients.h"
#include "core/ops/reference.h"
#include "core/pipeline/pass_runner.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <limits>
#include <optional>
#include <random>
#include <thread>

namespace cutaway::driver {

namespace {

using ir::DType;
using ir::HostTensor;
using HostTensors = std::vector<HostTensor>;

constexpr double kPointwiseLimit = 2e-6;
constexpr double kReductionLimit = 1e-5;  ///< times the square root of the summed elements
constexpr double kDoublePrecision = 2e-9; ///< float64's limits beside float32's, as their epsilons
/// Samples of random rounding; more of a small graph, where few roundings lead to a result and
/// all samples may miss them.
constexpr uint64_t kRoundings = 3, kSmallRoundings = 12;
constexpr double kSmallGraph = 1000; ///< elements of all its values
constexpr double kNoiseFactor = 8;   ///< times the square root of the summed elements

/// What leads to one result.
struct Path {
    double longestSum = 1;
    bool floating = false, single = false;

    /// What leads here also leads there.
    void add(const Path& before) {
        longestSum = std::max(longestSum, before.longestSum);
        floating |= before.floating;
        single |= before.single;
    }
    double limit() const {
        if (!floating) return 0;
        double limit = longestSum > 1 ? kReductionLimit * std::sqrt(longestSum) : kPointwiseLimit;
        return single ? limit : limit * kDoublePrecision;
    }
};

double elements(const ir::TensorType& type) {
    return static_cast<double>(type.numel().constant());
}

/// Elements that one element of the node's result is a sum (or product) of.
double summed(const ir::Graph& graph, const ir::Node& node) {
    const ops::OpDef* def =
        node.kind == ir::NodeKind::Call ? ops::catalogue().find(node.op) : nullptr;
    if (!def) return 1;
    if (auto product = std::get_if<ops::MatrixProduct>(&def->lowering)) {
        const ir::NodeId* a = node.args[static_cast<size_t>(product->a)].node();
        return static_cast<double>(graph.node(*a).type().sizes.back().constant());
    }
    if (auto convolution = std::get_if<ops::Convolution>(&def->lowering))
        return convolution->summed(ops::OpCall(*def, node.args, graph));
    if (auto rows = std::get_if<ops::RowsOfLibrary>(&def->lowering)) {
        if (rows->op != kernel::LibraryOp::Scan) return 1;
        const auto dim = static_cast<size_t>(rows->how(ops::OpCall(*def, node.args, graph)).dim);
        return static_cast<double>(node.type().sizes[dim].constant());
    }
    if (std::holds_alternative<ops::MatrixOfLibrary>(def->lowering)) {
        const ir::Shape& sizes = graph.node(*node.args[0].node()).type().sizes;
        const auto rows = static_cast<double>(sizes[sizes.size() - 2].constant());
        return rows * static_cast<double>(sizes.back().constant()); // errors grow with both
    }
    if (std::holds_alternative<ops::AttentionOfLibrary>(def->lowering)) {
        const auto size = [&](size_t operand, size_t dim) {
            return static_cast<double>(
                graph.node(*node.args[operand].node()).type().sizes[dim].constant());
        };
        return std::max(size(0, 2), size(1, 2)) + size(0, 3) + size(2, 3);
    }
    if (!std::holds_alternative<ops::Reduction>(def->lowering)) return 1;
    const ir::TensorType& input = graph.node(*node.args[0].node()).type();
    return elements(input) / std::max(1.0, elements(node.type()));
}

/// The same graph of the primitives that its operations decompose into.
base::Result<ir::Graph> primitivesOf(const ir::Graph& graph, const pipeline::Options& options) {
    ir::Graph primitives = pipeline::beginStage(graph);
    for (pipeline::PassPoint point : {pipeline::PassPoint::Joint, pipeline::PassPoint::Lowering})
        CUTAWAY_CHECK(pipeline::runPasses(point, primitives, options, nullptr));
    return primitives;
}

/// Every output's path.
std::vector<Path> pathsOf(const ir::Graph& primitives) {
    std::vector<Path> byNode(primitives.idLimit());
    for (ir::NodeId id : primitives.order()) {
        const ir::Node& node = primitives.node(id);
        Path& path = byNode[id.index];
        path.longestSum = summed(primitives, node);
        for (const ir::TensorType& type : node.types) {
            path.floating |= ir::isFloating(type.dtype);
            path.single |= type.dtype == DType::Float32;
        }
        ir::forEachNode(node.args, [&](ir::NodeId input) { path.add(byNode[input.index]); });
    }
    std::vector<Path> paths;
    for (ir::NodeId output : primitives.outputs)
        paths.push_back(output.valid() ? byNode[output.index] : Path());
    return paths;
}

double difference(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double difference = std::abs(a - b);
    return std::isfinite(difference) ? difference : INFINITY;
}

/// Root mean square of the finite ones of \p value(0..count-1).
template <class F> double meanSize(int64_t count, F value) {
    double squares = 0;
    int64_t finite = 0;
    for (int64_t i = 0; i < count; ++i)
        if (double v = value(i); std::isfinite(v)) squares += v * v, ++finite;
    return finite ? std::sqrt(squares / static_cast<double>(finite)) : 0;
}

uint64_t roundingsOf(const ir::Graph& graph) {
    double sum = 0;
    for (ir::NodeId id : graph.order())
        for (const ir::TensorType& type : graph.node(id).types)
            sum += elements(type);
    return sum < kSmallGraph ? kSmallRoundings : kRoundings;
}

using Evaluation = std::function<base::Result<HostTensors>()>;

/// What each gives, in order; as many at a time as there are processors.
std::vector<base::Result<HostTensors>> atOnce(const std::vector<Evaluation>& all) {
    const size_t many = std::max(1u, std::thread::hardware_concurrency());
    const base::CancelToken* const watched = base::detail::watched;
    auto evaluate = [watched](const Evaluation& one) {
        std::optional<base::CancelScope> scope;
        if (watched) scope.emplace(*watched);
        base::tick();
        return one();
    };
    std::vector<base::Result<HostTensors>> results;
    for (size_t first = 0; first < all.size(); first += many) {
        std::vector<std::future<base::Result<HostTensors>>> running;
        for (size_t i = first; i < std::min(all.size(), first + many); ++i)
            running.push_back(std::async(std::launch::async, evaluate, std::cref(all[i])));
        for (auto& one : running)
            results.push_back(one.get());
    }
    return results;
}

/// The graph's outputs with their noise and limits.
base::Result<std::vector<Expected>> evaluate(const ir::Graph& graph, const HostTensors& inputs,
                                             const pipeline::Options& options) {
    // Values are by the operations' own references; roundings by the primitives, where 1 + erf(x)
    // of a gelu cancels.
    CUTAWAY_TRY(ir::Graph primitives, primitivesOf(graph, options));
    const std::vector<Path> paths = pathsOf(primitives);
    CUTAWAY_TRY(HostTensors values, ops::evaluateDouble(graph, inputs));
    std::vector<Expected> results;
    for (size_t k = 0; k < values.size(); ++k) {
        Expected& result = results.emplace_back();
        result.noise.resize(static_cast<size_t>(values[k].numel()));
        result.limit = paths[k].limit();
        result.value = std::move(values[k]);
    }
    std::vector<Evaluation> samples;
    for (uint64_t sample = 1; sample <= roundingsOf(graph); ++sample)
        samples.push_back([&, sample] { return ops::evaluateRounded(primitives, inputs, sample); });
    for (base::Result<HostTensors>& one : atOnce(samples)) {
        CUTAWAY_TRY(HostTensors rounded, std::move(one));
        for (size_t k = 0; k < results.size(); ++k)
            for (size_t i = 0; i < results[k].noise.size(); ++i) {
                auto at = static_cast<int64_t>(i);
                results[k].noise[i] = std::max(
                    results[k].noise[i], difference(rounded[k].get(at), results[k].value.get(at)));
            }
    }
    // A sample can miss an element by luck: none is known better than the others are on average.
    for (size_t k = 0; k < results.size(); ++k) {
        std::vector<double>& noise = results[k].noise;
        const double mean = meanSize(static_cast<int64_t>(noise.size()),
                                     [&](int64_t i) { return noise[static_cast<size_t>(i)]; });
        for (double& each : noise)
            each = kNoiseFactor * std::sqrt(paths[k].longestSum) * std::max(each, mean);
    }
    return results;
}

/// Values near the given ones, off the points where a function has a corner.
HostTensors moved(const HostTensors& primals, std::mt19937& random) {
    std::uniform_real_distribution<double> unit(-1, 1);
    HostTensors result;
    for (const HostTensor& primal : primals) {
        if (!ir::isFloating(primal.dtype)) {
            result.push_back(primal);
            continue;
        }
        const double size = meanSize(primal.numel(), [&](int64_t i) { return primal.get(i); });
        HostTensor& near = result.emplace_back(HostTensor::zeros(DType::Float64, primal.sizes));
        for (int64_t i = 0; i < primal.numel(); ++i)
            near.set(i, primal.get(i) + 1e-3 * unit(random) * (primal.get(i) + 0.1 * size));
    }
    return result;
}

/// Whether some value is cut from the gradients though the results depend on it.
bool cutsGradients(const ir::Graph& graph) {
    return std::any_of(graph.order().begin(), graph.order().end(), [&](ir::NodeId id) {
        const ops::OpDef* def = ops::catalogue().find(graph.node(id).op);
        return def && ops::cutsGradient(*def) && !def->traits.ignoresValues;
    });
}

/// One derivative of the weighted outputs along a random direction in which every gradient has
/// equal weight: by the joint graph, and by central differences.
class Derivative {
public:
    Derivative(const ir::Graph& working, const autodiff::JointGraph& joint,
               const HostTensors& primals, const HostTensors& tangents)
        : joint_(joint), doubles_(ops::promotedToDouble(joint.graph)),
          doubleWorking_(ops::promotedToDouble(working)), tangents_(tangents) {
        std::mt19937 random(1);
        at_ = moved(primals, random);
        random_ = random;
    }

    /// The difference between the two, relative; empty where the central difference is none: not
    /// finite, or not much nearer to that of another step (a jump, a corner or a steep bend within the
    /// step) or to either with values rounded in double precision than to the formula's, or no more
    /// than the last bits of the outputs.
    base::Result<std::optional<double>> error() {
        constexpr double kStep = 1e-6, kOtherStep = 1e-7;
        CUTAWAY_TRY(const double expected, byFormula(0));
        CUTAWAY_TRY(const double found, byDifference(kStep));
        if (!std::isfinite(expected) || !std::isfinite(found)) return std::optional<double>();
        const double error = std::abs(found - expected) / scale(found);
        if (error <= kDifferencesLimit) return std::optional<double>(error);
        CUTAWAY_TRY(const double other, byDifference(kOtherStep));
        CUTAWAY_TRY(const double rounded, byFormula(1));
        CUTAWAY_TRY(const double roundedFound, byDifference(kStep, 1));
        const double lastBits = size_ * std::numeric_limits<double>::epsilon() / kStep;
        const double unsure = std::max({difference(found, other), difference(expected, rounded),
                                        difference(found, roundedFound), lastBits});
        // What is told from the formula must stand out from what the difference itself is off by.
        return 4 * unsure > difference(found, expected) ? std::optional<double>()
                                                        : std::optional<double>(error);
    }

private:
    double scale(double found) const { return std::max({weight_, std::abs(found), 1e-30}); }

    /// \param sample 0: the values as they are; else rounded at random in double precision
    base::Result<double> byFormula(uint64_t sample) {
        HostTensors inputs = at_;
        // The double graph takes float64 in the place of float32: the tangents follow by
        // themselves.
        inputs.insert(inputs.end(), tangents_.begin(), tangents_.end());
        CUTAWAY_TRY(HostTensors all, sample ? ops::evaluateRounded(doubles_, inputs, sample)
                                            : ops::evaluateDouble(doubles_, inputs));
        if (directions_.empty()) chooseDirections(all);
        double sum = 0, weight = 0;
        for (size_t k = 0; k < at_.size(); ++k)
            for (size_t i = 0; i < directions_[k].size(); ++i) {
                const double part =
                    gradient(all, k).get(static_cast<int64_t>(i)) * directions_[k][i];
                sum += part, weight += std::abs(part);
            }
        weight_ = std::max(weight_, weight);
        return sum;
    }

    const HostTensor& gradient(const HostTensors& all, size_t k) const {
        return all[static_cast<size_t>(joint_.forwardOutputs) + k];
    }

    /// Steps that change the weighted sum by about themselves, and the values by little.
    void chooseDirections(const HostTensors& all) {
        directions_.resize(at_.size());
        for (size_t k = 0; k < at_.size(); ++k) {
            if (!joint_.graph.outputs[static_cast<size_t>(joint_.forwardOutputs) + k].valid())
                continue;
            const HostTensor& slopes = gradient(all, k);
            const double length =
                meanSize(slopes.numel(), [&](int64_t i) { return slopes.get(i); });
            const double size = meanSize(at_[k].numel(), [&](int64_t i) { return at_[k].get(i); });
            const double step = std::min(length > 0 ? 1 / length : 1, std::max(size, 1e-3));
            for (int64_t i = 0; i < slopes.numel(); ++i)
                directions_[k].push_back(random_() % 2 ? step : -step);
        }
    }

    /// \param sample as byFormula's
    base::Result<double> byDifference(double step, uint64_t sample = 0) {
        HostTensors ahead = at_, behind = at_;
        for (size_t k = 0; k < at_.size(); ++k)
            for (size_t i = 0; i < directions_[k].size(); ++i) {
                const auto place = static_cast<int64_t>(i);
                ahead[k].set(place, at_[k].get(place) + step * directions_[k][i]);
                behind[k].set(place, at_[k].get(place) - step * directions_[k][i]);
            }
        auto valuesOf = [&](const HostTensors& inputs) -> Evaluation {
            return [this, &inputs, sample] {
                return sample ? ops::evaluateRounded(doubleWorking_, inputs, sample)
                              : ops::evaluateDouble(doubleWorking_, inputs);
            };
        };
        auto both = atOnce({valuesOf(ahead), valuesOf(behind)});
        CUTAWAY_TRY(const HostTensors after, std::move(both[0]));
        CUTAWAY_TRY(const HostTensors before, std::move(both[1]));
        return (weighted(after) - weighted(before)) / (2 * step);
    }

    /// The sum of outputs times tangents.
    double weighted(const HostTensors& values) {
        double sum = 0, size = 0;
        for (size_t t = 0; t < tangents_.size(); ++t) {
            const HostTensor& value = values[static_cast<size_t>(joint_.tangentOutputs[t])];
            for (int64_t i = 0; i < tangents_[t].numel(); ++i) {
                const double part = tangents_[t].get(i) * value.get(i);
                sum += part, size += std::abs(part);
            }
        }
        size_ = std::max(size_, size);
        return sum;
    }

    const autodiff::JointGraph& joint_;
    const ir::Graph doubles_;       ///< the joint graph
    const ir::Graph doubleWorking_; ///< what it is of
    const HostTensors& tangents_;
    HostTensors at_;
    std::mt19937 random_;
    std::vector<std::vector<double>> directions_; ///< by primal; empty: it has no gradient
    double weight_ = 0; ///< sum of the absolute parts of the formula's derivative
    double size_ = 0;   ///< sum of the absolute parts of the weighted outputs
};

} // namespace

double Expected::error(const HostTensor& found) const {
    if (found.sizes != value.sizes) return INFINITY;
    const bool integral = ir::isIntegral(found.dtype);
    const double scale = std::max(
        integral ? 1.0 : meanSize(value.numel(), [&](int64_t i) { return value.get(i); }), 1e-30);
    double worst = 0;
    for (int64_t i = 0; i < value.numel(); ++i) {
        const double allowed = noise[static_cast<size_t>(i)];
        if (std::isinf(allowed)) continue;
        const double want = value.get(i);
        double off = difference(found.get(i), want);
        if (integral && off == 0 && found.getInt(i) != value.getInt(i)) off = 1; // beyond 2^53
        if (off == 0) continue;
        const double size = integral ? 1.0 : std::max(std::abs(want), scale);
        const double error = off / std::max(size, limit > 0 ? allowed / limit : 0.0);
        worst = std::max(worst, std::isnan(error) ? INFINITY : error);
    }
    return worst;
}

base::Result<std::vector<Expected>> expectations(const ir::Graph& graph,
                                                 const HostTensors& inputs) {
    pipeline::Options options;
    options.strategy.graphPasses = false;
    return evaluate(graph, inputs, options);
}

base::Result<Oracle> consult(const ir::Graph& captured, const HostTensors& primals,
                             const HostTensors& tangents) {
    pipeline::Options options;
    options.strategy.graphPasses = false;
    ir::Graph working = pipeline::beginStage(captured);
    CUTAWAY_CHECK(pipeline::runPasses(pipeline::PassPoint::Captured, working, options, nullptr));
    Oracle oracle;
    if (tangents.empty()) {
        CUTAWAY_TRY(oracle.outputs, evaluate(working, primals, options));
        return oracle;
    }
    CUTAWAY_TRY(autodiff::JointGraph joint, autodiff::buildJointGraph(working));
    HostTensors inputs = primals;
    inputs.insert(inputs.end(), tangents.begin(), tangents.end());
    CUTAWAY_TRY(std::vector<Expected> all, evaluate(joint.graph, inputs, options));
    const auto border = all.begin() + joint.forwardOutputs;
    oracle.gradients.assign(border, all.end());
    oracle.outputs.assign(all.begin(), border);
    for (size_t k = 0; k < oracle.gradients.size(); ++k) {
        if (joint.graph.outputs[static_cast<size_t>(joint.forwardOutputs) + k].valid()) continue;
        oracle.gradients[k] = {HostTensor::zeros(DType::Float64, primals[k].sizes), {}, 0};
        oracle.gradients[k].noise.resize(static_cast<size_t>(primals[k].numel()));
    }
    if (cutsGradients(working)) return oracle;
    CUTAWAY_TRY(oracle.differences, Derivative(working, joint, primals, tangents).error());
    return oracle;
}

} // namespace cutaway::driver
