// SPDX-License-Identifier: Apache-2.0
// Calls during which others had the processors do not count, unless there are hardly any others.
#include "core/base/timed_calls.h"
#include "tests/support/busy_processor.h"

#include <QtTest>

using namespace cutaway;

class TestTimedCalls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void only_undisturbed_calls_count() {
        base::TimedCalls calls;
        for (int i = 0; i < 30; ++i)
            calls.add(i % 3 == 0 ? 8000 : 30, i % 3 == 0);
        QCOMPARE(calls.undisturbed(), size_t{20});
        QCOMPARE(calls.worth(20), std::vector<double>(20, 30.0));
    }
    void all_count_where_hardly_any_was_undisturbed() {
        base::TimedCalls calls;
        for (int i = 0; i < 30; ++i)
            calls.add(i % 3 == 0 ? 8000 : 30, i % 3 == 0);
        QCOMPARE(calls.worth(21), calls.us);
    }
    void another_program_on_our_processor_is_seen() {
        const testing::BusyProcessor busy;
        QVERIFY(busy.isBusy());
        base::Preemptions preemptions;
        bool seen = false;
        for (QElapsedTimer time = started(); !seen && time.elapsed() < 20000;)
            seen = preemptions.disturbed();
        QVERIFY(seen);
        QVERIFY(preemptions.disturbed()); // the call after it as well
    }

private:
    static QElapsedTimer started() {
        QElapsedTimer timer;
        timer.start();
        return timer;
    }
};

QTEST_GUILESS_MAIN(TestTimedCalls)
#include "test_timed_calls.moc"
