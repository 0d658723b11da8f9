// SPDX-License-Identifier: Apache-2.0
// Passes, joint graph and partition of a deep network, as a compilation runs them and as a recorded
// one does: processor milliseconds, which other programs on the machine do not change much. Aims:
// passes and partition of 2 000 joint nodes 50 ms, of 20 000 a second; the curve of 2 000 200 ms.
#include "core/base/sanitizers.h"
#include "core/pipeline/compile.h"
#include "tests/support/captured_graphs.h"

#include <QtTest>

#include <ctime>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

/// Residual blocks of layer norm, product and gelu.
ir::Graph blocks(int count) {
    Captured c;
    NodeId x = c.input("x", {8, 16});
    const NodeId w = c.input("w", {16, 16}), g = c.input("g", {16}), b = c.input("b", {16});
    for (int i = 0; i < count; ++i) {
        const NodeId norm = c.call("layer_norm", {x, ints({16}), g, b, 1e-5});
        x = c.b.add(x, c.b.mul(c.call("gelu", {c.call("mm", {norm, w})}), 0.1));
    }
    c.output(x);
    return std::move(c.graph);
}

double milliseconds() {
    return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

} // namespace

class TestPartitionTimes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void passes_and_partition_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("aim");
        QTest::addColumn<double>("recordedAim");
        QTest::newRow("2 000 joint nodes") << 44 << 50.0 << 250.0;
        QTest::newRow("20 000 joint nodes") << 440 << 1000.0 << 4000.0;
    }
    void passes_and_partition() {
        QFETCH(int, count);
        QFETCH(double, aim);
        QFETCH(double, recordedAim);
        const ir::Graph captured = blocks(count);
        double least = 1e9;
        for (int round = 0; round < 3; ++round) {
            const double before = milliseconds();
            QVERIFY(take(pipeline::partitionGraph(captured, true, {}, nullptr)).training);
            least = std::min(least, milliseconds() - before);
        }
        pipeline::RecordBuilder builder;
        pipeline::EntryRecorder recorder(builder, builder.function("f", {"model.py", 1}));
        const double before = milliseconds();
        QVERIFY(take(pipeline::partitionGraph(captured, true, {}, &recorder)).training);
        const double recorded = milliseconds() - before;
        QString stages;
        for (const record::StageTime& time : recorder.entry().times)
            stages +=
                QString(", %1 %2").arg(QString::fromStdString(time.stage)).arg(time.ms, 0, 'f', 1);
        qInfo("%zu joint nodes: %.1f ms; recorded, with the curve: %.1f ms; elapsed%s",
              recorder.entry().graph("joint")->nodes.size(), least, recorded, qPrintable(stages));
        const double limit = base::kSanitized ? 30 : 3;
        QVERIFY2(least < limit * aim && recorded < limit * recordedAim,
                 "more than three times the aim (thirty under a sanitizer)");
    }
};

QTEST_APPLESS_MAIN(TestPartitionTimes)
#include "test_partition_times.moc"
