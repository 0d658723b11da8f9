// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/sample_graph.h"

#include "core/autodiff/joint_graph.h"
#include "core/passes/decompose.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace cutaway;
using ir::HostTensor;

namespace {

HostTensor randomLike(const HostTensor& like, uint64_t seed) {
    HostTensor tensor = HostTensor::zeros(like.dtype, like.sizes);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> real(-1, 1);
    for (int64_t i = 0; i < tensor.numel(); ++i)
        tensor.set(i, real(random));
    return tensor;
}

/// The outputs weighted by the tangents and added up: what the gradients are the slope of.
double weighted(const ir::Graph& graph, const std::vector<HostTensor>& inputs,
                const std::vector<int>& outputs, const std::vector<HostTensor>& tangents) {
    std::vector<HostTensor> values = *ops::evaluate(graph, inputs);
    double sum = 0;
    for (size_t k = 0; k < outputs.size(); ++k) {
        const HostTensor& value = values[static_cast<size_t>(outputs[k])];
        for (int64_t i = 0; i < value.numel(); ++i)
            sum += value.get(i) * tangents[k].get(i);
    }
    return sum;
}

/// What is wrong with the gradients of one sample, or nothing.
std::string checkSample(const ops::OpDef& def, const ops::Sample& sample, int& compared) {
    auto made = tests::makeSampleGraph(def, sample, true);
    if (!made.ok()) return made.error().message;
    ir::Graph plain = made->graph.clone();
    if (auto status = passes::decomposeBeforeAutograd(made->graph); !status.ok())
        return status.error().message;
    if (!autodiff::needsGradient(made->graph)) return {};
    auto joint = autodiff::buildJointGraph(made->graph);
    if (!joint.ok()) return joint.error().message;

    std::vector<HostTensor> values = *ops::evaluate(plain, made->inputs), tangents;
    std::vector<HostTensor> inputs = made->inputs;
    for (int output : joint->tangentOutputs) {
        tangents.push_back(randomLike(values[static_cast<size_t>(output)], 11 + tangents.size()));
        inputs.push_back(tangents.back());
    }
    auto found = ops::evaluateDouble(joint->graph, inputs);
    if (!found.ok()) return found.error().message;
    for (size_t p = 0; p < made->inputs.size(); ++p) {
        size_t slot = static_cast<size_t>(joint->forwardOutputs) + p;
        if (!joint->graph.outputs[slot].valid()) continue;
        const HostTensor& gradient = (*found)[slot];
        if (gradient.sizes != made->inputs[p].sizes)
            return "gradient has another shape than its input";
        for (int64_t i = 0; i < std::min<int64_t>(gradient.numel(), 40); ++i) {
            const double step = 1e-5;
            std::vector<HostTensor> moved = made->inputs;
            double x = moved[p].get(i);
            moved[p].set(i, x + step);
            double above = weighted(plain, moved, joint->tangentOutputs, tangents);
            moved[p].set(i, x - step);
            double below = weighted(plain, moved, joint->tangentOutputs, tangents);
            double slope = (above - below) / (2 * step);
            if (!(std::abs(slope - gradient.get(i)) <= 2e-6 * std::max(1.0, std::abs(slope))))
                return "input " + std::to_string(p) + ", element " + std::to_string(i) +
                       ": gradient " + std::to_string(gradient.get(i)) + ", central difference " +
                       std::to_string(slope);
            ++compared;
        }
    }
    return {};
}

} // namespace

class TestOpsGradient : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void gradients_equal_central_differences() {
        int compared = 0;
        auto differentiates = [](const ops::OpDef& def) {
            return !std::holds_alternative<ops::NotDifferentiable>(def.gradient) && def.reference;
        };
        auto check = [&](const ops::OpDef& def, const ops::Sample& sample) {
            return sample.gradient ? checkSample(def, sample, compared) : std::string();
        };
        tests::Tally tally = tests::checkSamples(differentiates, check);
        QVERIFY2(tally.failures.empty(), tally.failures.c_str());
        QVERIFY(compared > 2000);
    }
    void products_with_zeros_have_gradients() {
        const ops::OpDef& def = *ops::catalogue().find("prod.dim_int");
        auto made =
            tests::makeSampleGraph(def, {.tensors = {{.sizes = {3, 3}}},
                                         .args = {ir::Arg(ir::NodeId(0)), ir::Arg(ir::Sym(1))},
                                         .expectedError = {}});
        auto joint = autodiff::buildJointGraph(made->graph);
        HostTensor x = HostTensor::zeros(ir::DType::Float32, {3, 3}),
                   ones = HostTensor::zeros(ir::DType::Float32, {3});
        double values[] = {2, 3, 4, 0, 5, 6, 0, 0, 7}, expected[] = {12, 8, 6, 30, 0, 0, 0, 0, 0};
        for (int i = 0; i < 9; ++i)
            x.set(i, values[i]);
        for (int i = 0; i < 3; ++i)
            ones.set(i, 1);
        auto found = ops::evaluateDouble(joint->graph, std::vector<HostTensor>{x, ones});
        QVERIFY(found.ok());
        for (int i = 0; i < 9; ++i)
            QCOMPARE((*found)[1].get(i), expected[i]);
    }
    void operations_without_gradient_say_why() {
        for (const ops::OpDef& def : ops::catalogue().all())
            if (const auto* none = std::get_if<ops::NotDifferentiable>(&def.gradient))
                QVERIFY2(!none->why.empty(), def.name().c_str());
    }
};

QTEST_APPLESS_MAIN(TestOpsGradient)
#include "test_ops_gradient.moc"
