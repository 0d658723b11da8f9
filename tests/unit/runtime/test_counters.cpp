// SPDX-License-Identifier: Apache-2.0
// Counters beside what is known to happen between start and stop.
#include "core/runtime/counters.h"

#include <QtTest>
#include <cstdint>
#include <cstdlib>
#include <cstring>
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
