// SPDX-License-Identifier: Apache-2.0
// Counters beside what is known to happen between start and stop.
#include "core/base/sanitizers.h"
#include "core/runtime/counters.h"

#include <QtTest>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <thread>

using namespace cutaway::runtime;

class TestCounters : public QObject {
    Q_OBJECT

    static double value(const std::vector<Count>& counts, std::string_view what) {
        for (const Count& one : counts)
            if (one.what == what) return one.value;
        return -1;
    }

private Q_SLOTS:
    void pages_that_are_touched_are_counted() {
        constexpr size_t kBytes = size_t{16} << 20, kPage = 4096;
        Counters counters;
        for (int turn = 0; turn < 2; ++turn) { // each start counts anew
            void* memory =
                mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            QVERIFY(memory != MAP_FAILED);
            madvise(memory, kBytes, MADV_NOHUGEPAGE);
            counters.start();
            std::memset(memory, 1, kBytes);
            const double faults = value(counters.stop(), "page faults");
            munmap(memory, kBytes);
            QVERIFY(faults >= kBytes / kPage && faults < 2.0 * kBytes / kPage);
        }
    }
    void a_lap_tells_what_came_since_the_last_one() {
        constexpr size_t kPage = 4096, kPages = 1024;
        // As the processor's, of which a virtual machine has none.
        const CountedEvent events[] = {
            {"faults of threads", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}};
        Counters counters(events);
        const bool counted = counters.missing().empty();
        auto touch = [&](size_t pages) {
            const size_t bytes = pages * kPage;
            void* memory =
                mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            madvise(memory, bytes, MADV_NOHUGEPAGE);
            std::memset(memory, 1, bytes);
            munmap(memory, bytes);
        };
        const auto between = [](double value, size_t pages) {
            const size_t others =
                cutaway::base::kSanitized ? 100'000 : 100; // a sanitizer touches its own
            return value >= static_cast<double>(pages) &&
                   value < static_cast<double>(pages + others);
        };
        QVERIFY(!counters.isCounting());
        counters.start();
        QVERIFY(counters.isCounting());
        touch(kPages);
        const std::vector<Count> first = counters.lap();
        QVERIFY(between(value(first, "page faults"), kPages));
        std::thread(touch, 2 * kPages).join(); // one that began meanwhile, and has ended
        const std::vector<Count> second = counters.lap(), all = counters.stop();
        QVERIFY(between(value(second, "page faults"), 2 * kPages));
        QVERIFY(between(value(all, "page faults"), 3 * kPages));
        QVERIFY(!counters.isCounting());
        if (!counted) QSKIP(counters.missing().c_str());
        QVERIFY(between(value(first, "faults of threads"), kPages));
        QVERIFY(between(value(second, "faults of threads"), 2 * kPages));
        QVERIFY(between(value(all, "faults of threads"), 3 * kPages));
        counters.start(); // anew, though what ended threads counted stays in the file
        QVERIFY(value(counters.stop(), "faults of threads") < 100);
    }
    void instructions_are_counted_or_it_is_said_why_not() {
        Counters counters;
        auto work = [](int rounds) {
            volatile int64_t sum = 0;
            for (int i = 0; i < rounds; ++i)
                sum = sum + i;
        };
        counters.start();
        work(1000000);
        std::thread(work, 1000000).join(); // a thread that began meanwhile counts, too
        const double instructions = value(counters.stop(), "instructions");
        if (!counters.missing().empty()) {
            QCOMPARE(instructions, -1.0);
            QSKIP(counters.missing().c_str());
        }
        QVERIFY(instructions > 4e6 && instructions < 1e8);
    }
};

QTEST_APPLESS_MAIN(TestCounters)
#include "test_counters.moc"
