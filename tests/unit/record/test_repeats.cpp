// SPDX-License-Identifier: Apache-2.0
#include "core/record/repeats.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::record;

namespace {

struct StageMaker {
    GraphStage stage;

    ItemId add(const std::string& name, const std::string& op, std::vector<ItemId> inputs,
               const std::string& more = "", const std::string& type = "f32[8]") {
        GraphNode node;
        node.item = static_cast<ItemId>(stage.nodes.size());
        node.name = name;
        node.kind = op.empty() ? "placeholder" : "call";
        node.op = op;
        node.type = type;
        node.text = name + ": " + type + " = " + op + "(";
        for (ItemId from : inputs)
            node.text += stage.nodes[static_cast<size_t>(from)].name + ", ";
        node.text += more + ")";
        node.inputs = std::move(inputs);
        stage.nodes.push_back(node);
        return node.item;
    }
    ItemId call(const std::string& op, std::vector<ItemId> inputs, const std::string& more = "",
                const std::string& type = "f32[8]") {
        return add(op + "_" + std::to_string(stage.nodes.size()), op, std::move(inputs), more,
                   type);
    }
};

/// Blocks of four calls, each with a weight of its own; \p odd: the block of another number.
StageMaker blocks(int count, int odd = -1) {
    StageMaker m;
    ItemId x = m.add("x", "", {});
    for (int i = 0; i < count; ++i) {
        const ItemId weight = m.add("w" + std::to_string(i), "", {});
        const ItemId product = m.call("mul", {x, weight});
        const ItemId bent = m.call("tanh", {product});
        x = m.call("add", {x, m.call("mul", {bent}, i == odd ? "0.5" : "0.1")});
    }
    return m;
}

QString found(const StageMaker& maker) {
    QString text;
    for (const Repeat& repeat : findRepeats(maker.stage))
        text += QString("%1 x %2 from %3; ")
                    .arg(repeat.times)
                    .arg(repeat.period)
                    .arg(QString::fromStdString(
                        maker.stage.nodes[static_cast<size_t>(repeat.calls.front())].name));
    return text;
}

} // namespace

class TestRepeats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equal_blocks_repeat() { QCOMPARE(found(blocks(12)), QString("12 x 4 from mul_2; ")); }
    void calls_of_one_kind_repeat() {
        StageMaker m;
        ItemId x = m.add("x", "", {});
        for (int i = 0; i < 1000; ++i)
            x = m.call("add", {x}, "1");
        QCOMPARE(found(m), QString("1000 x 1 from add_1; "));
    }
    void two_blocks_do_not() { QCOMPARE(found(blocks(2)), QString()); }
    void another_number_ends_a_run() {
        QCOMPARE(found(blocks(12, 5)), QString("5 x 4 from mul_2; 6 x 4 from add_30; "));
    }
    void another_type_ends_a_run() {
        StageMaker m;
        ItemId x = m.add("x", "", {});
        for (int i = 0; i < 30; ++i)
            x = m.call("cos", {x}, "", i < 14 ? "f32[8]" : "f16[8]");
        QCOMPARE(found(m), QString("14 x 1 from cos_1; 15 x 1 from cos_16; "));
    }
    void what_reads_farther_back_is_another_block() {
        StageMaker m;
        ItemId x = m.add("x", "", {}), before = x;
        for (int i = 0; i < 40; ++i) {
            const ItemId next = m.call("add", {x, i % 2 ? before : x});
            before = x;
            x = next;
        }
        QCOMPARE(found(m), QString("20 x 2 from add_1; "));
    }
    void what_hides_little_is_not_told() {
        StageMaker m;
        ItemId x = m.add("x", "", {});
        for (int i = 0; i < 8; ++i)
            x = m.call("sin", {x});
        QCOMPARE(found(m), QString());
        m.call("sin", {x});
        QCOMPARE(found(m), QString("9 x 1 from sin_1; "));
    }
};

QTEST_APPLESS_MAIN(TestRepeats)
#include "test_repeats.moc"
