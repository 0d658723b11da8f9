// SPDX-License-Identifier: Apache-2.0
// What somebody wants saved or computed again, whatever the cut would say.
#include "core/partition/partition.h"
#include "tests/support/captured_graphs.h"

#include <QtTest>

#include <algorithm>
#include <optional>

using namespace cutaway;
using namespace cutaway::testing;
using partition::Wish;

namespace {

struct Outcome {
    autodiff::JointGraph joint;
    partition::Partition cut;
    std::vector<Wish> wishes;

    Outcome(ir::Graph captured, std::vector<Wish> asked)
        : joint(jointOf(std::move(captured))), wishes(std::move(asked)) {
        cut =
            take(partition::partitionJointGraph(joint, {partition::Partitioner::MinCut, &wishes}));
    }
    bool holds(const auto& list, const std::string& name) const {
        return std::any_of(list.begin(), list.end(), [&](const auto& value) {
            return joint.graph.node(value.node).name == name;
        });
    }
    bool saves(const std::string& name) const { return holds(cut.saved, name); }
    bool recomputes(const std::string& name) const { return holds(cut.recomputed, name); }
    QString problem() const { return QString::fromStdString(wishes.front().problem); }
};

} // namespace

class TestPartitionWishes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_is_wanted_saved_is_saved() {
        Outcome plain(doubleCosine(), {});
        QVERIFY(plain.recomputes("cos") && !plain.saves("cos"));
        Outcome o(doubleCosine(), {{"cos", true}});
        QVERIFY(o.saves("cos") && !o.recomputes("cos"));
        QVERIFY(o.wishes.front().met);
        for (const auto& value : o.cut.saved)
            if (o.joint.graph.node(value.node).name == "cos")
                QCOMPARE(QString::fromStdString(value.reason), "asked for: 1 KiB saved");
    }
    void what_is_wanted_again_is_computed_again_against_every_rule_of_thumb() {
        Outcome plain(mlpTrain(), {});
        QVERIFY(plain.saves("relu"));
        Outcome o(mlpTrain(), {{"relu", false}});
        QVERIFY(!o.saves("relu") && o.recomputes("relu"));
        QVERIFY(o.wishes.front().met);
    }
    void a_changed_input_is_not_saved_whatever_the_budget() {
        for (const std::optional<double> share : {std::optional<double>{}, {0.0}, {0.5}, {1.0}}) {
            const autodiff::JointGraph joint = jointOf(doubleCosine());
            std::vector<Wish> wishes = {{"primals_1", true}};
            partition::PartitionOptions options(partition::Partitioner::MinCut, &wishes);
            options.written = {{0, false}};
            if (share) options.budget = partition::Budget{*share};
            const partition::Partition cut = take(partition::partitionJointGraph(joint, options));
            QVERIFY(!wishes.front().met);
            QCOMPARE(QString::fromStdString(wishes.front().problem),
                     "primals_1 is changed in place before the backward runs");
            QVERIFY(!cut.saved.empty());
            for (const auto& value : cut.saved)
                QVERIFY(joint.graph.node(value.node).name != "primals_1");
        }
    }
    void what_cannot_be_is_told_and_changes_nothing_data() {
        QTest::addColumn<QString>("node");
        QTest::addColumn<bool>("save");
        QTest::addColumn<QString>("problem");
        QTest::newRow("an input") << "primals_1" << false << "is an input";
        QTest::newRow("of the backward") << "mul_1" << true << "is a value of the backward";
        QTest::newRow("not needed") << "cos_1" << true << "the backward does not need cos_1";
        QTest::newRow("not needed, again")
            << "cos_1" << false << "the backward does not need cos_1";
        QTest::newRow("unknown") << "nobody" << true << "";
    }
    void what_cannot_be_is_told_and_changes_nothing() {
        QFETCH(QString, node);
        QFETCH(bool, save);
        QFETCH(QString, problem);
        Outcome plain(doubleCosine(), {}), o(doubleCosine(), {{node.toStdString(), save}});
        QVERIFY(!o.wishes.front().met);
        QVERIFY2(o.problem().contains(problem), qPrintable(o.problem()));
        QCOMPARE(o.problem().isEmpty(), problem.isEmpty());
        QCOMPARE(o.cut.saved.size(), plain.cut.saved.size());
        QCOMPARE(o.cut.recomputed.size(), plain.cut.recomputed.size());
    }
};

QTEST_APPLESS_MAIN(TestPartitionWishes)
#include "test_partition_wishes.moc"
