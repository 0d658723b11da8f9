// SPDX-License-Identifier: Apache-2.0
// Scripts that mean harm: each ends with its own result, with one message, or when it is cancelled.
#include "core/base/sanitizers.h"
#include "tests/support/adversarial_scripts.h"
#include "tests/support/script_world.h"

#include <QtTest>

#include <atomic>
#include <chrono>
#include <ctime>
#include <pthread.h>
#include <thread>

using namespace cutaway;
using namespace cutaway::test;

namespace {

constexpr double kSlower = base::kSanitized ? 5 : 1;

} // namespace

class TestAdversarialScripts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_script_ends_harmlessly_data();
    void every_script_ends_harmlessly();
};

void TestAdversarialScripts::every_script_ends_harmlessly_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("outcome");
    QVERIFY(std::size(kAdversarialScripts) >= 60);
    for (const AdversarialScript& row : kAdversarialScripts)
        QTest::newRow(row.name) << QByteArray(row.text) << QByteArray(row.outcome);
}

void TestAdversarialScripts::every_script_ends_harmlessly() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, outcome);
    const bool cancels = outcome == "cancelled";
    base::CancelToken cancel;
    std::atomic<bool> done = false;
    // The time that this thread computes after the cancellation: what a busy machine takes away
    // does not count.
    clockid_t clock = {};
    QCOMPARE(pthread_getcpuclockid(pthread_self(), &clock), 0);
    auto used = [&] {
        timespec t = {};
        clock_gettime(clock, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    std::atomic<double> cancelledAt = -1;
    const double begin = used();
    std::thread watch([&] {
        using namespace std::chrono;
        const double limit = cancels ? 0.2 : 30;
        const auto latest = steady_clock::now() + seconds(cancels ? 3 : 300); // one may just wait
        while (!done && used() - begin < limit && steady_clock::now() < latest)
            std::this_thread::sleep_for(milliseconds(2));
        if (done) return;
        cancelledAt = used();
        cancel.cancel();
    });
    ScriptWorld world;
    world.memoryLimit = size_t{256} << 20; // reached sooner than the one that people have
    ScriptRun run = world.run(text.toStdString(), "s.py", cancel);
    double end = used();
    done = true;
    watch.join();
    QString error = QString::fromStdString(run.error.substr(0, 2000));
    if (cancels) {
        // A sanitizer's frames are so large that the stack ends first.
        const bool isDeep = base::kSanitized && error.contains("calls are nested too deeply");
        QVERIFY2(isDeep || error.contains("cancelled"), qPrintable("ended with: " + error));
        // People notice 100 ms; memory that has grown so far is given back at the end, which takes
        // longer beside other work; a sanitizer's build is several times slower.
        QVERIFY2(end - cancelledAt < 0.5 * kSlower,
                 qPrintable(QString("stopped after %1 s").arg(end - cancelledAt)));
        return;
    }
    if (outcome.isEmpty())
        QCOMPARE(error, QString());
    else
        QVERIFY2(error.contains(QString::fromUtf8(outcome)), qPrintable("ended with: " + error));
}

QTEST_APPLESS_MAIN(TestAdversarialScripts)
#include "test_adversarial_scripts.moc"
