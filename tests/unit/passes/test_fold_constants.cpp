// SPDX-License-Identifier: Apache-2.0
#include "tests/support/captured_graphs.h"

#include <QtTest>

#include <functional>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

/// What make(x) of x [4] is after folding, in a graph that returns cos of it.
struct Folded {
    Captured c;
    NodeId x;
    const ir::Node* value = nullptr;

    Folded(const std::function<NodeId(Captured&, NodeId)>& make,
           ir::DType dtype = ir::DType::Float32) {
        x = c.input("x", {4}, false, dtype);
        c.output(c.call("cos", {make(c, x)}));
        check(passes::foldConstants(c.graph));
        check(passes::removeDead(c.graph));
        if (auto problem = ir::verify(c.graph)) throw std::runtime_error(*problem);
        const ir::Node& result = c.graph.node(c.graph.outputs[0]);
        value = result.op == "cos" ? &c.graph.node(*result.args[0].node()) : &result;
    }
    bool isInput() const { return value->id == x; }
};

NodeId full(Captured& c, std::initializer_list<int64_t> sizes, double value) {
    return c.call("full", {ints(sizes), value, ir::DType::Float32});
}

NodeId counting(Captured& c, int64_t count) {
    auto tensor = ir::HostTensor::zeros(ir::DType::Float32, {count});
    for (int64_t i = 0; i < count; ++i)
        tensor.set(i, static_cast<double>(i));
    return c.graph.addConstant("counting", std::make_shared<const ir::HostTensor>(tensor), {});
}

} // namespace

class TestFoldConstants : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void neutral_constants_vanish() {
        QVERIFY(Folded([](Captured& c, NodeId x) { return c.b.add(x, 0.0); }).isInput());
        QVERIFY(Folded([](Captured& c, NodeId x) { return c.b.sub(x, 0.0); }).isInput());
        QVERIFY(Folded([](Captured& c, NodeId x) { return c.b.mul(x, 1.0); }).isInput());
        QVERIFY(Folded([](Captured& c, NodeId x) { return c.b.div(x, 1.0); }).isInput());
        QVERIFY(
            Folded([](Captured& c, NodeId x) { return c.b.add(x, full(c, {4}, 0)); }).isInput());
        QVERIFY(Folded([](Captured& c, NodeId x) { return c.b.mul(full(c, {}, 1), x); }).isInput());
    }
    void others_stay() {
        QVERIFY(!Folded([](Captured& c, NodeId x) { return c.b.mul(x, 0.0); }).isInput());
        QVERIFY(
            !Folded([](Captured& c, NodeId x) { return c.b.sub(full(c, {4}, 0), x); }).isInput());
        // The sum is of another size, or of another dtype.
        QVERIFY(!Folded([](Captured& c, NodeId x) {
                     return c.b.add(x, full(c, {3, 4}, 0));
                 }).isInput());
        QVERIFY(!Folded([](Captured& c, NodeId x) { return c.b.add(x, 0.0); }, ir::DType::Int64)
                     .isInput());
    }
    void a_returned_sum_with_zero_stays_a_tensor_of_its_own() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.output(c.b.add(x, 0.0));
        check(passes::foldConstants(c.graph));
        QVERIFY(c.graph.outputs[0] != x);
    }
    void uniform_tensors_are_computed_as_numbers() {
        Folded f([](Captured& c, NodeId) {
            return c.b.mul(c.b.add(full(c, {1000, 1000}, 2), full(c, {1000, 1000}, 3)), 0.5);
        });
        QCOMPARE(f.value->op, std::string("full")); // cos of it is folded as well
        QCOMPARE(f.c.graph.order().size(), size_t{2});
        QVERIFY(std::abs(std::get<double>(f.value->args[1]) - std::cos(2.5)) < 1e-6);
    }
    void a_known_condition_selects() {
        QVERIFY(Folded([](Captured& c, NodeId x) {
                    NodeId yes = c.call("gt.Scalar", {full(c, {4}, 2), 1.0});
                    return c.call("where.self", {yes, x, full(c, {4}, 7)});
                }).isInput());
    }
    void small_constants_are_evaluated() {
        Folded f([](Captured& c, NodeId) { return c.b.mul(counting(c, 8), 2.0); });
        QVERIFY(f.value->kind == ir::NodeKind::Constant);
        QVERIFY(f.value->constant->get(3) == 6);
        // Its cosine is returned: the caller gets memory of its own, not the constant's.
        QCOMPARE(f.c.graph.node(f.c.graph.outputs[0]).op, std::string("cos"));
    }
    void large_constants_stay() {
        Folded f([](Captured& c, NodeId) { return c.b.mul(counting(c, 5000), 2.0); });
        QCOMPARE(f.value->op, std::string("mul.Tensor"));
    }
    void sums_of_small_constants_are_evaluated() {
        Folded f([](Captured& c, NodeId) {
            return c.call("sum.dim_IntList", {counting(c, 5), ints({0}), true});
        });
        QVERIFY(f.value->kind == ir::NodeKind::Constant || f.value->op == "full");
    }
};

QTEST_APPLESS_MAIN(TestFoldConstants)
#include "test_fold_constants.moc"
