// SPDX-License-Identifier: Apache-2.0
// Views below pointwise calls: where they sink, must not, nearly do; values stay.
#include "core/passes/sink_views.h"
#include "tests/support/calls.h"
#include "tests/support/interpret.h"

#include <QtTest>

#include <functional>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

using Make = std::function<NodeId(Captured&, NodeId)>;

NodeId convert(Captured& c, NodeId x, ir::DType dtype = ir::DType::Float64) {
    return c.call("prims.convert_element_type", {x, dtype});
}

/// The calls of make(x) + 1 behind the passes that meet, x of [4, 6]; its value is checked.
QStringList left(const Make& make) {
    Captured c;
    NodeId value = make(c, c.input("x", {4, 6}, false));
    c.output(c.b.add(value, Arg(ir::Sym(1))));
    std::mt19937 random(5);
    const HostTensors inputs = randomInputs(c.graph, random);
    const HostTensors before = interpret(c.graph, inputs);
    check(passes::sinkViews(c.graph));
    check(passes::simplifyAlgebra(c.graph));
    check(passes::mergeCommon(c.graph));
    check(passes::removeDead(c.graph));
    if (auto problem = ir::verify(c.graph)) throw std::runtime_error(*problem);
    if (distance(interpret(c.graph, inputs), before) != 0)
        throw std::runtime_error("another value");
    QStringList ops = calls(c.graph);
    ops.removeLast(); // the sum
    return ops;
}

} // namespace

class TestSinkViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void permutes_around_a_call_meet() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return c.b.permute(c.call("relu", {c.b.permute(x, {1, 0})}), {1, 0});
                 }),
                 QStringList({"relu"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId y = c.call("exp", {c.b.neg(c.b.permute(x, {1, 0}))});
                     return c.b.permute(c.b.mul(y, 0.5), {1, 0});
                 }),
                 QStringList({"neg", "exp", "mul.Tensor"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return c.b.reshape(c.call("tanh", {c.b.reshape(x, {24})}), {4, 6});
                 }),
                 QStringList({"tanh"}));
    }
    void equal_casts_of_a_view_and_its_operand_are_one() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId turned = convert(c, c.b.permute(x, {1, 0}));
                     return c.b.add(c.b.permute(turned, {1, 0}), convert(c, x));
                 }),
                 QStringList({"prims.convert_element_type", "add.Tensor"}));
    }
    void a_call_that_no_view_reads_stays_where_it_is() {
        QCOMPARE(
            left([](Captured& c, NodeId x) { return c.call("relu", {c.b.permute(x, {1, 0})}); }),
            QStringList({"permute", "relu"}));
        // Another reader of what is between would still want the permuted value.
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId y = c.call("relu", {c.b.permute(x, {1, 0})});
                     return c.call("mm", {c.b.permute(y, {1, 0}), y});
                 }),
                 QStringList({"permute", "relu", "permute", "mm"}));
        // A cast to something else is another call; so is what is computed where it is read.
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId y = c.b.add(convert(c, c.b.reshape(x, {24})), 1.0);
                     const NodeId total = c.call("sum", {y});
                     return c.b.mul(total, convert(c, x, ir::DType::BFloat16));
                 }),
                 QStringList({"view", "prims.convert_element_type", "add.Tensor", "sum",
                              "prims.convert_element_type", "mul.Tensor"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId total = c.call("sum", {c.call("exp", {c.b.reshape(x, {24})})});
                     return c.b.mul(total, c.call("exp", {x}));
                 }),
                 QStringList({"view", "exp", "sum", "exp", "mul.Tensor"}));
    }
    void views_of_fewer_or_more_elements_stay() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId row = c.call("slice.Tensor", {x, Arg(ir::Sym(0)), Arg(ir::Sym(0)),
                                                                Arg(ir::Sym(1)), Arg(ir::Sym(1))});
                     return c.b.reshape(c.call("exp", {row}), {6});
                 }),
                 QStringList({"slice.Tensor", "exp", "view"}));
        QCOMPARE(left([](Captured& c, NodeId x) {
                     const NodeId wide = c.b.expand(c.b.reshape(x, {4, 1, 6}), {4, 3, 6});
                     return c.b.permute(c.call("exp", {wide}), {1, 0, 2});
                 }),
                 QStringList({"view", "expand", "exp", "permute"}));
    }
};

QTEST_APPLESS_MAIN(TestSinkViews)
#include "test_sink_views.moc"
