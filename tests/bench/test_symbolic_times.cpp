// SPDX-License-Identifier: Apache-2.0
// A transformer block with its gradients, whose batch and sequence are symbols: one entry for six
// sizes, beside code compiled for each size. Aim: within 10 % of that code's time at each.
#include "core/base/sanitizers.h"

#include <QProcess>
#include <QRegularExpression>
#include <QtTest>

namespace {

class TestSymbolicTimes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void six_sizes_of_one_entry() {
        if (cutaway::base::kSanitized) QSKIP("sanitizers change times");
        QProcess process;
        process.start(CUTAWAY_TOOL, {"run", "--threads", "1",
                                     CUTAWAY_SOURCE_DIR "/tests/bench/transformer_block_sizes.py"});
        QVERIFY(process.waitForFinished(280000));
        QCOMPARE(process.readAllStandardError(), QByteArray());
        const QString table = process.readAllStandardOutput();
        qInfo("%s", qPrintable(table));
        static const QRegularExpression kRatio("ratio ([0-9.]+)");
        int sizes = 0;
        double product = 1;
        for (auto ratios = kRatio.globalMatch(table); ratios.hasNext(); ++sizes)
            product *= ratios.next().captured(1).toDouble();
        QCOMPARE(sizes, 6);
        QVERIFY2(std::pow(product, 1.0 / 6) < 1.1, qPrintable(table)); // single ones are noisy
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestSymbolicTimes)
#include "test_symbolic_times.moc"
