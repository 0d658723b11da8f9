// SPDX-License-Identifier: Apache-2.0
#include "core/ir/printer.h"
#include "core/passes/gather_joined_slices.h"
#include "core/passes/split_wide_joins.h"
#include "tests/support/captured_graphs.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

Arg whole(int64_t value) {
    return Arg(ir::Sym(value));
}

/// How often each operation is called once the pass and dead code removal have run.
QMap<QString, int> after(passes::GraphPass pass, Captured& c, NodeId output) {
    c.output(output);
    check(pass(c.graph));
    check(passes::removeDead(c.graph));
    if (auto problem = ir::verify(c.graph)) throw std::runtime_error(*problem);
    QMap<QString, int> ops;
    for (NodeId id : c.graph.order())
        if (c.graph.node(id).kind == ir::NodeKind::Call)
            ++ops[QString::fromStdString(c.graph.node(id).op)];
    return ops;
}

NodeId joinOf(Captured& c, int pieces, int64_t dim, const std::function<NodeId(int64_t)>& piece) {
    ir::ArgList all;
    for (int i = 0; i < pieces; ++i)
        all.emplace_back(piece(i));
    return c.call("cat", {Arg(all), whole(dim)});
}

using Ops = QMap<QString, int>;

constexpr passes::GraphPass kGather{passes::gatherJoinedSlices, passes::kGatherJoinedSlices},
    kSplit{passes::splitWideJoins, passes::kSplitWideJoins};

} // namespace

class TestWideJoins : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void selected_rows_are_gathered() {
        Captured c;
        NodeId x = c.input("x", {40, 8});
        NodeId join = joinOf(
            c, 17, 0, [&](int64_t i) { return c.call("select.int", {x, whole(0), whole(2 * i)}); });
        QCOMPARE(after(kGather, c, join), Ops({{"expand", 1}, {"gather", 1}, {"view", 1}}));
    }
    void slices_along_the_joined_dimension_are_gathered() {
        Captured c;
        NodeId x = c.input("x", {4, 80});
        NodeId join = joinOf(c, 17, 1, [&](int64_t i) {
            return c.call("slice.Tensor", {x, whole(1), whole(i), whole(i + 6), whole(2)});
        });
        const ir::Shape sizes = c.graph.node(join).type().sizes;
        QCOMPARE(after(kGather, c, join), Ops({{"expand", 1}, {"gather", 1}}));
        QVERIFY(c.graph.node(c.graph.outputs[0]).type().sizes == sizes);
    }
    void a_stack_along_the_selected_dimension_is_gathered() {
        Captured c;
        NodeId x = c.input("x", {4, 40, 3});
        NodeId join = joinOf(c, 20, 1, [&](int64_t i) {
            return c.call("unsqueeze",
                          {c.call("select.int", {x, whole(1), whole(39 - i)}), whole(1)});
        });
        QCOMPARE(after(kGather, c, join), Ops({{"expand", 1}, {"gather", 1}}));
    }
    void few_pieces_stay() {
        Captured c;
        NodeId x = c.input("x", {40, 8});
        NodeId join = joinOf(
            c, 16, 0, [&](int64_t i) { return c.call("select.int", {x, whole(0), whole(i)}); });
        QVERIFY(after(kGather, c, join).contains("cat"));
    }
    void slices_of_two_tensors_stay() {
        Captured c;
        NodeId x = c.input("x", {40, 8}), y = c.input("y", {40, 8});
        NodeId join = joinOf(c, 20, 0, [&](int64_t i) {
            return c.call("select.int", {i == 19 ? y : x, whole(0), whole(i)});
        });
        QVERIFY(after(kGather, c, join).contains("cat"));
    }
    void slices_along_another_dimension_stay() {
        Captured c;
        NodeId x = c.input("x", {40, 8});
        NodeId join = joinOf(c, 20, 1, [&](int64_t i) {
            return c.call("slice.Tensor", {x, whole(0), whole(i), whole(i + 1), whole(1)});
        });
        QVERIFY(after(kGather, c, join).contains("cat"));
    }
    void wide_joins_have_levels() {
        Captured c;
        NodeId join =
            joinOf(c, 5000, 0, [&](int64_t i) { return c.input("x" + std::to_string(i), {2}); });
        QCOMPARE(after(kSplit, c, join), Ops({{"cat", 72}}));
        QVERIFY(c.graph.node(c.graph.outputs[0]).type().sizes == ir::Shape{ir::Sym(10000)});
    }
    void pieces_of_several_dtypes_are_converted_first() {
        Captured c;
        NodeId join = joinOf(c, 97, 0, [&](int64_t i) {
            return c.input("x" + std::to_string(i), {2}, false,
                           i == 0 ? ir::DType::Float64 : ir::DType::Int64);
        });
        const Ops ops = after(kSplit, c, join);
        QCOMPARE(ops["prims.convert_element_type"], 96);
        QCOMPARE(ops["cat"], 11);
    }
    void a_join_of_96_stays_one() {
        Captured c;
        NodeId join =
            joinOf(c, 96, 0, [&](int64_t i) { return c.input("x" + std::to_string(i), {2}); });
        QCOMPARE(after(kSplit, c, join), Ops({{"cat", 1}}));
    }
};

QTEST_APPLESS_MAIN(TestWideJoins)
#include "test_wide_joins.moc"
