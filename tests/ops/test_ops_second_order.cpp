// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/sample_graph.h"

#include "core/autodiff/joint_graph.h"
#include "core/passes/decompose.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

using namespace cutaway;
using ir::HostTensor;

namespace {

HostTensor randomOf(const ir::TensorType& type, uint64_t seed) {
    std::vector<int64_t> sizes;
    for (const ir::Sym& size : type.sizes)
        sizes.push_back(size.constant());
    HostTensor tensor = HostTensor::zeros(type.dtype, sizes);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> real(-1, 1);
    for (int64_t i = 0; i < tensor.numel(); ++i)
        tensor.set(i, real(random));
    return tensor;
}

/// A graph and values for its placeholders.
struct Made {
    ir::Graph graph;
    std::vector<HostTensor> inputs;
};

/// Statistics that a call saves for its gradient carry none themselves: who differentiates again
/// takes the call apart (backend/eager_runner.cpp, capture/captured_gradients.cpp).
bool savesStatistics(const ir::Graph& graph) {
    return std::ranges::any_of(graph.order(), [&](ir::NodeId id) {
        const ops::OpDef* def = ops::catalogue().find(graph.node(id).op);
        return def && def->traits.oneGradient && def->name() != "_attention";
    });
}

/// The gradients of a sample, as a graph of the sample's inputs and of tangents; no outputs where
/// there are none.
base::Result<Made> gradientsOf(const ops::OpDef& def, const ops::Sample& sample) {
    CUTAWAY_TRY(tests::SampleGraph made, tests::makeSampleGraph(def, sample, true));
    CUTAWAY_CHECK(passes::decomposeBeforeAutograd(made.graph));
    if (savesStatistics(made.graph)) CUTAWAY_CHECK(passes::decomposeAfterAutograd(made.graph));
    Made found;
    if (!autodiff::needsGradient(made.graph)) return found;
    CUTAWAY_TRY(autodiff::JointGraph joint, autodiff::buildJointGraph(made.graph));
    found.graph = std::move(joint.graph);
    found.inputs = std::move(made.inputs);
    std::vector<ir::NodeId> gradients;
    for (size_t i = static_cast<size_t>(joint.forwardOutputs); i < found.graph.outputs.size(); ++i)
        if (found.graph.outputs[i].valid()) gradients.push_back(found.graph.outputs[i]);
    found.graph.outputs = gradients;
    found.graph.outputNames.assign(gradients.size(), "gradient");
    const std::vector<ir::NodeId> placeholders = found.graph.placeholders();
    for (size_t i = 0; i < placeholders.size(); ++i) {
        ir::Node& node = found.graph.node(placeholders[i]);
        if (i < found.inputs.size()) continue;
        found.inputs.push_back(randomOf(node.type(), 11 + i));
        node.types[0].requiresGrad = true;
    }
    return found;
}

/// The outputs weighted and added up.
base::Result<double> weighted(const ir::Graph& graph, const std::vector<HostTensor>& inputs,
                              const std::vector<int>& outputs,
                              const std::vector<HostTensor>& weights) {
    CUTAWAY_TRY(std::vector<HostTensor> values, ops::evaluateDouble(graph, inputs));
    double sum = 0;
    for (size_t k = 0; k < outputs.size(); ++k) {
        const HostTensor& value = values[static_cast<size_t>(outputs[k])];
        for (int64_t i = 0; i < value.numel(); ++i)
            sum += value.get(i) * weights[k].get(i);
    }
    return sum;
}

struct Counts {
    int compared = 0;
    std::set<std::string> refused; ///< without second derivatives
};

/// What is wrong with the second derivatives of one sample, or nothing.
std::string checkSample(const ops::OpDef& def, const ops::Sample& sample, Counts& counts) {
    auto first = gradientsOf(def, sample);
    if (!first.ok()) return first.error().message;
    const ir::Graph plain = first->graph.clone();
    if (auto status = passes::decomposeBeforeAutograd(first->graph); !status.ok())
        return status.error().message;
    if (!autodiff::needsGradient(first->graph)) return {};
    auto second = autodiff::buildJointGraph(first->graph);
    if (!second.ok()) {
        if (second.error().fault != base::Fault::User) return second.error().message;
        counts.refused.insert(def.name());
        return {};
    }
    std::vector<HostTensor> inputs = first->inputs, weights;
    const std::vector<ir::NodeId> placeholders = second->graph.placeholders();
    for (size_t i = inputs.size(); i < placeholders.size(); ++i) {
        weights.push_back(randomOf(second->graph.node(placeholders[i]).type(), 101 + i));
        inputs.push_back(weights.back());
    }
    auto found = ops::evaluateDouble(second->graph, inputs);
    if (!found.ok()) return found.error().message;
    for (size_t p = 0; p < first->inputs.size(); ++p) {
        const size_t slot = static_cast<size_t>(second->forwardOutputs) + p;
        const bool none = !second->graph.outputs[slot].valid();
        if (none && !first->graph.node(first->graph.placeholders()[p]).type().requiresGrad)
            continue;
        for (int64_t i = 0; i < std::min<int64_t>(first->inputs[p].numel(), 12); ++i) {
            const double step = 1e-5;
            std::vector<HostTensor> moved = first->inputs;
            const double x = moved[p].get(i);
            double sides[2];
            for (int side : {0, 1}) {
                moved[p].set(i, side ? x - step : x + step);
                auto value = weighted(plain, moved, second->tangentOutputs, weights);
                if (!value.ok()) return value.error().message;
                sides[side] = *value;
            }
            const double slope = (sides[0] - sides[1]) / (2 * step);
            const double mine = none ? 0 : (*found)[slot].get(i);
            if (!(std::abs(slope - mine) <= 2e-5 * std::max(1.0, std::abs(slope))))
                return "input " + std::to_string(p) + ", element " + std::to_string(i) +
                       ": second derivative " + std::to_string(mine) + ", central difference " +
                       std::to_string(slope);
            ++counts.compared;
        }
    }
    return {};
}

} // namespace

/// Gradients of gradients, of every operation that has a gradient: towards its operands and the
/// gradient that arrives.
class TestOpsSecondOrder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void second_derivatives_equal_central_differences() {
        Counts counts;
        auto differentiates = [](const ops::OpDef& def) {
            return !std::holds_alternative<ops::NotDifferentiable>(def.gradient) && def.reference;
        };
        auto check = [&](const ops::OpDef& def, const ops::Sample& sample) {
            return sample.gradient ? checkSample(def, sample, counts) : std::string();
        };
        tests::Tally tally = tests::checkSamples(differentiates, check);
        QVERIFY2(tally.failures.empty(), tally.failures.c_str());
        QVERIFY(counts.compared > 5000);
        // Made by a pass, which leaves products where a second derivative is wanted; PyTorch has none.
        QCOMPARE(counts.refused, (std::set<std::string>{"_attention", "hardsigmoid"}));
    }
};

QTEST_APPLESS_MAIN(TestOpsSecondOrder)
#include "test_ops_second_order.moc"
