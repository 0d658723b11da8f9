// SPDX-License-Identifier: Apache-2.0
#include "tests/support/calls.h"
#include "tests/support/captured_graphs.h"

#include <QtTest>

#include <functional>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

using Make = std::function<NodeId(Captured&, NodeId)>;

/// The operations left of make(x) + 1, x of \p dtype [4, 6] (the sum keeps results apart from x).
QStringList left(const Make& make, ir::DType dtype = ir::DType::Float32) {
    Captured c;
    NodeId value = make(c, c.input("x", {4, 6}, false, dtype));
    c.output(c.b.add(value, Arg(ir::Sym(1))));
    check(passes::simplifyAlgebra(c.graph));
    check(passes::removeDead(c.graph));
    if (auto problem = ir::verify(c.graph)) throw std::runtime_error(*problem);
    QStringList ops = calls(c.graph);
    ops.removeLast(); // the sum
    return ops;
}

NodeId convert(Captured& c, NodeId x, ir::DType dtype) {
    return c.call("prims.convert_element_type", {x, dtype});
}

} // namespace

class TestSimplifyAlgebra : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void log_of_exp_is_the_value() {
        QCOMPARE(left([](Captured& c, NodeId x) { return c.call("log", {c.call("exp", {x})}); }),
                 QStringList());
    }
    void exp_of_log_stays() {
        QCOMPARE(left([](Captured& c, NodeId x) { return c.call("exp", {c.call("log", {x})}); }),
                 QStringList({"log", "exp"}));
    }
    void log_of_exp_of_integers_stays() {
        QCOMPARE(left([](Captured& c, NodeId x) { return c.call("log", {c.call("exp", {x})}); },
                      ir::DType::Int64),
                 QStringList({"exp", "log"}));
    }
    void pads_of_nothing_go() {
        auto pad = [](std::initializer_list<int64_t> widths) {
            return left([&](Captured& c, NodeId x) {
                return c.call("constant_pad_nd", {x, ints(widths), 0.0});
            });
        };
        QCOMPARE(pad({0, 0, 0, 0}), QStringList());
        QCOMPARE(pad({}), QStringList());
        QCOMPARE(pad({1, -1}), QStringList({"constant_pad_nd"})); // the same size, shifted
    }
    void signs_cancel() {
        QCOMPARE(left([](Captured& c, NodeId x) { return c.b.neg(c.b.neg(x)); }), QStringList());
        QCOMPARE(left([](Captured& c, NodeId x) { return c.b.neg(c.b.neg(c.b.neg(x))); }),
                 QStringList({"neg"}));
        QCOMPARE(left([](Captured& c, NodeId x) { return c.call("abs", {c.b.neg(x)}); }),
                 QStringList({"abs"}));
        QCOMPARE(left([](Captured& c, NodeId x) { return c.b.add(x, c.b.neg(x)); }),
                 QStringList({"sub.Tensor"}));
        QCOMPARE(left([](Captured& c, NodeId x) { return c.b.mul(c.b.neg(x), c.b.neg(x)); }),
                 QStringList({"mul.Tensor"}));
    }
    void signs_beside_bools_stay() {
        for (bool before : {false, true})
            QCOMPARE(left([&](Captured& c, NodeId x) {
                         const NodeId truth = c.input("y", {4, 6}, false, ir::DType::Bool);
                         return before ? c.b.add(truth, c.b.neg(x)) : c.b.add(c.b.neg(x), truth);
                     }),
                     QStringList({"neg", "add.Tensor"}));
    }
    void signs_of_wrapping_values_stay() {
        QCOMPARE(left([](Captured& c, NodeId x) { return c.call("abs", {c.b.neg(x)}); },
                      ir::DType::UInt8),
                 QStringList({"neg", "abs"}));
        QCOMPARE(
            left([](Captured& c, NodeId x) { return c.b.sub(c.input("y", {4, 6}), c.b.neg(x)); },
                 ir::DType::UInt8),
            QStringList({"neg", "sub.Tensor"}));
        QCOMPARE(left([](Captured& c, NodeId x) { return c.b.div(c.b.neg(x), c.b.neg(x)); },
                      ir::DType::UInt8)
                     .last(),
                 QString("div.Tensor"));
        QVERIFY(left([](Captured& c, NodeId x) { return c.b.div(c.b.neg(x), c.b.neg(x)); },
                     ir::DType::UInt8)
                    .contains("neg"));
        QCOMPARE(
            left([](Captured& c, NodeId x) { return c.b.add(x, c.b.neg(x)); }, ir::DType::UInt8),
            QStringList({"sub.Tensor"}));
    }
    void reciprocal_of_reciprocal_stays() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return c.call("reciprocal", {c.call("reciprocal", {x})});
                 }).size(),
                 2);
    }
    void views_there_and_back_vanish() {
        QCOMPARE(
            left([](Captured& c, NodeId x) { return c.b.permute(c.b.permute(x, {1, 0}), {1, 0}); }),
            QStringList());
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return c.call("view", {c.call("view", {x, ints({24})}), ints({4, 6})});
                 }),
                 QStringList());
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return c.call("squeeze.dim",
                                   {c.call("unsqueeze", {x, Arg(ir::Sym(1))}), Arg(ir::Sym(1))});
                 }),
                 QStringList());
    }
    void a_single_permute_stays() {
        QCOMPARE(left([](Captured& c, NodeId x) { return c.b.permute(x, {1, 0}); }),
                 QStringList({"permute"}));
    }
    void two_permutes_become_one() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     NodeId cube = c.call("view", {x, ints({2, 2, 6})});
                     return c.b.permute(c.b.permute(cube, {1, 2, 0}), {0, 2, 1});
                 }),
                 QStringList({"view", "permute"}));
    }
    void lossless_conversions_vanish() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return convert(c, convert(c, x, ir::DType::Float64), ir::DType::Float32);
                 }),
                 QStringList());
    }
    void a_rounding_conversion_stays() {
        QCOMPARE(left(
                     [](Captured& c, NodeId x) {
                         return convert(c, convert(c, x, ir::DType::Float32), ir::DType::Int64);
                     },
                     ir::DType::Int64)
                     .size(),
                 2);
    }
    void an_inner_copy_vanishes_and_a_returned_copy_stays() {
        QCOMPARE(left([](Captured& c, NodeId x) { return c.call("clone", {x}); }), QStringList());
        Captured c;
        NodeId x = c.input("x", {4});
        c.output(c.call("clone", {x}));
        check(passes::simplifyAlgebra(c.graph));
        QVERIFY(c.graph.outputs[0] != x);
    }
    void detach_stays_for_autograd() {
        QCOMPARE(left([](Captured& c, NodeId x) { return c.call("detach", {x}); }),
                 QStringList({"detach"}));
    }
    void a_square_is_a_product() {
        QCOMPARE(left([](Captured& c, NodeId x) {
                     return c.call("pow.Tensor_Scalar", {x, Arg(ir::Sym(2))});
                 }),
                 QStringList({"mul.Tensor"}));
    }
    void built_nodes_name_the_rule_and_inherit() {
        Captured c;
        NodeId x = c.input("x", {4});
        c.b.provenance.from = {NodeId(3)};
        c.b.provenance.modulePath = "layers.0";
        c.output(c.b.add(x, c.b.neg(x)));
        check(passes::simplifyAlgebra(c.graph));
        const ir::Node& difference = c.graph.node(c.graph.outputs[0]);
        QCOMPARE(difference.op, std::string("sub.Tensor"));
        QCOMPARE(difference.rule, std::string("sum with a negated value"));
        QCOMPARE(difference.modulePath, std::string("layers.0"));
        QCOMPARE(difference.from, (std::vector<NodeId>{NodeId(3)}));
    }
};

QTEST_APPLESS_MAIN(TestSimplifyAlgebra)
#include "test_simplify_algebra.moc"
