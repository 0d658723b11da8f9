// SPDX-License-Identifier: Apache-2.0
// What threads of a team are told to have computed, beside what they were made to do.
#ifndef Q_MOC_RUN // which does not read <chrono>
#include "core/runtime/team_watch.h"
#endif

#include <QtTest>
#include <set>
#include <thread>

using namespace cutaway::runtime;

extern "C" {
/// What `#pragma omp parallel num_threads(threads)` becomes.
void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags);
int omp_get_thread_num(void);
}

namespace {

/// Thread 0 sleeps for 1 ms, thread 1 for 21, thread 2 for 41.
void sleepByNumber(void*) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1 + 20 * omp_get_thread_num()));
}
void team(unsigned threads) {
    GOMP_parallel(sleepByNumber, nullptr, threads, 0);
}

[[maybe_unused]] double msOf(const std::vector<TeamPart>& parts, int thread) {
    double ms = 0;
    for (const TeamPart& part : parts)
        if (part.thread == thread) ms += part.us / 1000;
    return ms;
}

} // namespace

class TestTeamWatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void each_thread_is_told_until_it_waits() {
        team(3); // threads are there
        TeamWatch watch;
        for (int turn = 0; turn < 2; ++turn) { // taking begins anew
            const auto begin = TeamWatch::Clock::now();
            team(3);
            const std::vector<TeamPart> parts = watch.take();
            const std::chrono::duration<double, std::micro> whole = TeamWatch::Clock::now() - begin;
            std::set<int> threads;
            for (const TeamPart& part : parts) {
                threads.insert(part.thread);
                QVERIFY(part.begin >= 0 && part.us >= 0);
                QVERIFY(part.begin + part.us <= whole.count() + 1000);
            }
#ifdef __SANITIZE_THREAD__
            QCOMPARE(threads, std::set<int>{0});
#else
            QCOMPARE(threads, (std::set<int>{0, 1, 2}));
            QVERIFY(msOf(parts, 0) >= 1 && msOf(parts, 1) >= 21 && msOf(parts, 2) >= 41);
            QVERIFY(msOf(parts, 0) < msOf(parts, 1) && msOf(parts, 1) < msOf(parts, 2));
#endif
        }
    }
    void teams_of_others_are_not_told() {
        TeamWatch watch;
        std::thread other([] { team(3); });
        other.join();
        for (const TeamPart& part : watch.take())
            QCOMPARE(part.thread, 0);
    }
    void what_needs_no_team_is_of_the_caller() {
        TeamWatch watch;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const std::vector<TeamPart> parts = watch.take();
        QCOMPARE(parts.size(), size_t(1));
        QCOMPARE(parts[0].thread, 0);
        QVERIFY(parts[0].begin < 1 && parts[0].us >= 2000);
    }
    void nothing_is_told_once_it_has_gone() {
        {
            TeamWatch watch;
        }
        team(3);
        TeamWatch next;
        const std::vector<TeamPart> parts = next.take();
        QCOMPARE(parts.size(), size_t(1));
        QVERIFY(parts[0].us < 1000);
    }
};

QTEST_APPLESS_MAIN(TestTeamWatch)
#include "test_team_watch.moc"
