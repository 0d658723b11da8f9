// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/sampler.h"

#include <QtTest>

#include <algorithm>
#include <chrono>
#include <thread>

using namespace cutaway::runtime;

namespace {

/// Computes for some milliseconds in one place.
[[gnu::noinline]] double busyPlace(int ms) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
    double x = 1;
    while (std::chrono::steady_clock::now() < end)
        for (int i = 0; i < 100000; ++i)
            x = x * 1.0000001 + 1e-9;
    return x;
}

size_t inBusyPlace(const std::vector<uintptr_t>& samples) {
    constexpr uintptr_t kLong = 4096; // bytes that the function may have
    const auto begin = reinterpret_cast<uintptr_t>(&busyPlace);
    return static_cast<size_t>(std::ranges::count_if(
        samples, [&](uintptr_t at) { return at >= begin && at < begin + kLong; }));
}

} // namespace

class TestSampler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        Sampler& sampler = processSampler();
        sampler.start();
        sampler.stop();
        if (!sampler.missing().empty()) QSKIP(sampler.missing().c_str());
        QVERIFY(sampler.what() == "cycles" || sampler.what() == "clock");
    }

    void samples_are_where_the_thread_computes() {
        Sampler& sampler = processSampler();
        sampler.start();
        QVERIFY(busyPlace(200) > 1);
        const std::vector<uintptr_t> samples = sampler.stop();
        QVERIFY2(samples.size() >= 50, qPrintable(QString::number(samples.size())));
        QVERIFY(inBusyPlace(samples) * 2 > samples.size());
    }

    void nothing_is_taken_between_stop_and_start() {
        Sampler& sampler = processSampler();
        sampler.start();
        sampler.stop();
        QVERIFY(busyPlace(100) > 1);
        sampler.start();
        const size_t taken = inBusyPlace(sampler.stop());
        QVERIFY2(taken <= 2, qPrintable(QString::number(taken)));
    }

    void threads_that_come_later_are_seen() {
        Sampler& sampler = processSampler();
        sampler.start();
        std::thread other([] { busyPlace(200); });
        other.join();
        QVERIFY(inBusyPlace(sampler.stop()) >= 50);
    }
};

QTEST_GUILESS_MAIN(TestSampler)
#include "test_sampler.moc"
