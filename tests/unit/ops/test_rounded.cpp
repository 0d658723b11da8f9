// SPDX-License-Identifier: Apache-2.0
// evaluateRounded: what rounding may do to a result, and what it may not.
#include "core/ops/builder.h"
#include "core/ops/reference.h"

#include <QtTest>

#include <cmath>

using namespace cutaway;

namespace {

using ir::DType;
using ir::HostTensor;

HostTensor row(DType dtype, std::vector<double> values) {
    HostTensor tensor = HostTensor::zeros(dtype, {static_cast<int64_t>(values.size())});
    for (size_t i = 0; i < values.size(); ++i)
        tensor.set(static_cast<int64_t>(i), values[i]);
    return tensor;
}

/// The only output of a graph of one input x, exactly and rounded with sample 1.
template <class Build> std::pair<HostTensor, HostTensor> both(const HostTensor& x, Build build) {
    ir::Graph graph("test");
    ops::Builder b(graph);
    graph.outputs = {build(b, graph.addPlaceholder("x", x.type()))};
    std::vector<HostTensor> inputs = {x};
    auto exact = ops::evaluateDouble(graph, inputs),
         rounded = ops::evaluateRounded(graph, inputs, 1);
    if (!exact.ok() || !rounded.ok()) qFatal("evaluation failed");
    return {exact->front(), rounded->front()};
}

} // namespace

class TestRounded : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void exact_values_stay_and_others_move_by_the_dtypes_unit() {
        for (auto [dtype, unit] : {std::pair(DType::Float32, 0x1p-22), {DType::Float64, 0x1p-51}}) {
            auto [exact, rounded] = both(row(dtype, {0.5, 0.1}), [](ops::Builder& b, ir::NodeId x) {
                return b.mul(b.add(x, 1.0), 3.0);
            });
            QVERIFY(rounded.get(0) == 4.5); // QCOMPARE would take a double next to it
            const double off = std::abs(rounded.get(1) - exact.get(1)) / exact.get(1);
            QVERIFY(off > 0 && off < 2 * unit);
        }
    }
    void equal_values_are_rounded_equally() {
        auto [exact, rounded] =
            both(row(DType::Float32, {0.3, 0.7}), [](ops::Builder& b, ir::NodeId x) {
                return b.sub(b.call("sin", {x}), b.call("sin", {b.call("clone", {x})}));
            });
        QCOMPARE(rounded.get(0), 0.0);
        QCOMPARE(rounded.get(1), 0.0);
    }
    void a_cancelled_sum_is_not_known_exactly() {
        auto [exact, rounded] =
            both(row(DType::Float32, {1.5, -1.25, -0.25}),
                 [](ops::Builder& b, ir::NodeId x) { return b.call("sum", {x}); });
        QCOMPARE(exact.get(0), 0.0);
        QVERIFY(rounded.get(0) != 0 && std::abs(rounded.get(0)) < 1e-6);
    }
    void a_sum_rounds_equal_values_unequally() {
        auto [exact, rounded] =
            both(row(DType::Float32, {0.3, 0.3, 0.3, 0.3, 0.3}),
                 [](ops::Builder& b, ir::NodeId x) { return b.call("std", {x}); });
        QVERIFY(exact.get(0) < 1e-15);
        QVERIFY(rounded.get(0) > 1e-9 && rounded.get(0) < 1e-6);
    }
    void float32_overflows() {
        auto [exact, rounded] = both(row(DType::Float32, {100}), [](ops::Builder& b, ir::NodeId x) {
            return b.call("exp", {x});
        });
        QVERIFY(std::isfinite(exact.get(0)));
        QVERIFY(std::isinf(rounded.get(0)));
    }
};

QTEST_APPLESS_MAIN(TestRounded)
#include "test_rounded.moc"
