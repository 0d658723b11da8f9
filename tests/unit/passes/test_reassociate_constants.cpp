// SPDX-License-Identifier: Apache-2.0
#include "core/ir/printer.h"
#include "tests/support/captured_graphs.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

/// x op c1 op c2 ..., combined and printed: the call lines only.
QStringList combined(ir::DType dtype, std::vector<std::pair<std::string, Arg>> steps) {
    Captured c;
    NodeId at = c.input("x", {4}, false, dtype);
    for (auto& [op, constant] : steps)
        at = c.call(op, {at, constant});
    c.output(at);
    check(passes::reassociateConstants(c.graph));
    if (auto problem = ir::verify(c.graph)) throw std::runtime_error(*problem);
    QStringList lines;
    for (NodeId id : c.graph.order()) {
        const ir::Node& node = c.graph.node(id);
        if (node.kind != ir::NodeKind::Call) continue;
        lines << QString::fromStdString(node.op + " " + ir::print(node.args[1], c.graph));
    }
    return lines;
}

const std::string kAdd = "add.Tensor", kSub = "sub.Tensor", kMul = "mul.Tensor";
Arg whole(int64_t value) {
    return Arg(ir::Sym(value));
}

} // namespace

class TestReassociateConstants : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sums_of_one_sign_become_one() {
        QCOMPARE(combined(ir::DType::Float32, {{kAdd, whole(1)}, {kAdd, whole(1)}}),
                 QStringList({"add.Tensor 2"}));
        QCOMPARE(combined(ir::DType::Float32, {{kAdd, 0.5}, {kAdd, 0.25}, {kAdd, 1.0}}),
                 QStringList({"add.Tensor 1.75"}));
        QCOMPARE(combined(ir::DType::Float32, {{kSub, 1.0}, {kSub, 2.0}}).size(), 1);
    }
    void sums_of_two_signs_stay() {
        QCOMPARE(combined(ir::DType::Float32, {{kAdd, 1.0}, {kAdd, -1.0}}).size(), 2);
        QCOMPARE(combined(ir::DType::Float32, {{kAdd, 1.0}, {kSub, 1.0}}).size(), 2);
    }
    void a_sum_that_is_no_float_stays() {
        QCOMPARE(combined(ir::DType::Float32, {{kAdd, 1.0}, {kAdd, 1e-9}}).size(), 2);
        QCOMPARE(combined(ir::DType::Float32, {{kAdd, 0.1}, {kAdd, 0.2}}).size(), 2);
        QCOMPARE(combined(ir::DType::Float64, {{kAdd, 0.1}, {kAdd, 0.2}}).size(), 2);
        QCOMPARE(combined(ir::DType::Float32, {{kAdd, 3e38}, {kAdd, 3e38}}).size(), 2);
    }
    void products_combine_when_both_grow_or_both_shrink() {
        QCOMPARE(combined(ir::DType::Float32, {{kMul, 2.0}, {kMul, 4.0}}).size(), 1);
        QCOMPARE(combined(ir::DType::Float32, {{kMul, 0.5}, {kMul, -0.25}}).size(), 1);
        QCOMPARE(combined(ir::DType::Float32, {{kMul, 2.0}, {kMul, 0.5}}).size(), 2);
        QCOMPARE(combined(ir::DType::Float32, {{kMul, 1.1}, {kMul, 1.3}}).size(), 2);
        QCOMPARE(combined(ir::DType::Float32, {{kMul, 1e-30}, {kMul, 1e-30}}).size(), 2);
    }
    void integers_always_combine() {
        QCOMPARE(combined(ir::DType::Int64, {{kAdd, whole(5)}, {kAdd, whole(-7)}}),
                 QStringList({"add.Tensor -2"}));
    }
    void an_integer_tensor_that_turns_float_on_the_way_stays() {
        QCOMPARE(combined(ir::DType::Int64, {{kAdd, 0.5}, {kAdd, 0.5}}).size(), 2);
    }
    void a_partial_sum_with_another_use_stays() {
        Captured c;
        NodeId x = c.input("x", {4});
        NodeId partial = c.b.add(x, whole(1));
        c.output(c.b.mul(c.b.add(partial, whole(1)), partial));
        check(passes::reassociateConstants(c.graph));
        QCOMPARE(c.graph.order().size(), size_t{4});
    }
    void ten_thousand_sums_take_linear_time() {
        QElapsedTimer timer;
        timer.start();
        std::vector<std::pair<std::string, Arg>> steps(10000, {kAdd, whole(1)});
        QCOMPARE(combined(ir::DType::Float32, std::move(steps)), QStringList({"add.Tensor 10000"}));
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    }
};

QTEST_APPLESS_MAIN(TestReassociateConstants)
#include "test_reassociate_constants.moc"
