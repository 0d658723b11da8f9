// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/philox.h"
#include "core/runtime/random.h"

#include <QtTest>
#include <cmath>
#include <set>

using namespace cutaway;
using namespace cutaway::runtime;
using ir::DType;

namespace {

ir::HostTensor draw(DType dtype, int64_t count, ops::Distribution distribution, Generator& generator,
                    int64_t low = 0, int64_t high = 0) {
    auto tensor = emptyTensor(ir::TensorType::contiguous(dtype, {count}));
    if (!tensor || !fillRandom(**tensor, distribution, generator, low, high)) return {};
    return *toHost(**tensor);
}

struct Moments {
    double mean = 0, variance = 0, skewness = 0, kurtosis = 0;
};

Moments momentsOf(const ir::HostTensor& values) {
    auto n = static_cast<double>(values.numel());
    Moments m;
    for (int64_t i = 0; i < values.numel(); ++i)
        m.mean += values.get(i) / n;
    double third = 0, fourth = 0;
    for (int64_t i = 0; i < values.numel(); ++i) {
        double d = values.get(i) - m.mean;
        m.variance += d * d / n;
        third += d * d * d / n;
        fourth += d * d * d * d / n;
    }
    m.skewness = third / std::pow(m.variance, 1.5);
    m.kurtosis = fourth / (m.variance * m.variance);
    return m;
}

} // namespace

class TestRandom : public QObject {
    Q_OBJECT
private slots:
    void philox_gives_the_known_answers_of_random123();
    void uniform_numbers_have_the_right_moments();
    void normal_numbers_have_the_right_moments();
    void integers_are_even_and_in_range();
    void the_same_seed_repeats_on_any_number_of_threads();
    void element_i_depends_on_seed_offset_and_i_only();
    void different_seeds_differ();
    void bad_requests_are_refused();
};

// Known-answer file kat_vectors of Random123, lines "philox4x32 10".
void TestRandom::philox_gives_the_known_answers_of_random123() {
    struct Case {
        uint32_t c[4], k[2], expected[4];
    };
    const Case cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (const Case& test : cases) {
        uint32_t c0 = test.c[0], c1 = test.c[1], c2 = test.c[2], c3 = test.c[3];
        philox4x32(c0, c1, c2, c3, test.k[0], test.k[1]);
        QCOMPARE(c0, test.expected[0]);
        QCOMPARE(c1, test.expected[1]);
        QCOMPARE(c2, test.expected[2]);
        QCOMPARE(c3, test.expected[3]);
    }
}

void TestRandom::uniform_numbers_have_the_right_moments() {
    for (DType dtype : {DType::Float32, DType::Float64}) {
        Generator generator(7);
        ir::HostTensor values = draw(dtype, 400000, ops::Distribution::Uniform, generator);
        Moments m = momentsOf(values);
        QVERIFY(std::abs(m.mean - 0.5) < 0.002);
        QVERIFY(std::abs(m.variance - 1.0 / 12) < 0.001);
        QVERIFY(std::abs(m.kurtosis - 1.8) < 0.01);
        for (int64_t i = 0; i < values.numel(); ++i)
            QVERIFY(values.get(i) >= 0 && values.get(i) < 1);
    }
}

void TestRandom::normal_numbers_have_the_right_moments() {
    for (DType dtype : {DType::Float32, DType::Float64}) {
        Generator generator(11);
        ir::HostTensor values = draw(dtype, 400000, ops::Distribution::Normal, generator);
        Moments m = momentsOf(values);
        QVERIFY(std::abs(m.mean) < 0.006);
        QVERIFY(std::abs(m.variance - 1) < 0.01);
        QVERIFY(std::abs(m.skewness) < 0.015);
        QVERIFY(std::abs(m.kurtosis - 3) < 0.04);
        // Neighbours (the two numbers of one pair) are uncorrelated.
        double product = 0;
        for (int64_t i = 0; i + 1 < values.numel(); ++i)
            product += values.get(i) * values.get(i + 1);
        QVERIFY(std::abs(product / 400000) < 0.006);
    }
}

void TestRandom::integers_are_even_and_in_range() {
    Generator generator(3);
    ir::HostTensor values = draw(DType::Int64, 100000, ops::Distribution::Integer, generator, -3, 7);
    std::vector<int> counts(10);
    for (int64_t i = 0; i < values.numel(); ++i) {
        QVERIFY(values.getInt(i) >= -3 && values.getInt(i) < 7);
        ++counts[static_cast<size_t>(values.getInt(i) + 3)];
    }
    double chiSquared = 0;
    for (int count : counts)
        chiSquared += (count - 10000.0) * (count - 10000.0) / 10000.0;
    QVERIFY(chiSquared < 27.9); // 0.999 quantile with 9 degrees of freedom
}

void TestRandom::the_same_seed_repeats_on_any_number_of_threads() {
    int before = threads();
    std::vector<ir::HostTensor> results;
    for (int count : {1, 2, 5}) {
        setThreads(count);
        Generator generator(42);
        results.push_back(draw(DType::Float32, 300001, ops::Distribution::Normal, generator));
    }
    setThreads(before);
    QVERIFY(results[0].bytes == results[1].bytes);
    QVERIFY(results[0].bytes == results[2].bytes);
}

void TestRandom::element_i_depends_on_seed_offset_and_i_only() {
    Generator whole(5), parts(5);
    ir::HostTensor all = draw(DType::Float32, 1000, ops::Distribution::Normal, whole);
    ir::HostTensor head = draw(DType::Float32, 333, ops::Distribution::Normal, parts);
    ir::HostTensor tail = draw(DType::Float32, 667, ops::Distribution::Normal, parts);
    for (int64_t i = 0; i < 1000; ++i)
        QCOMPARE(i < 333 ? head.get(i) : tail.get(i - 333), all.get(i));
}

void TestRandom::different_seeds_differ() {
    Generator a(1), b(2);
    ir::HostTensor x = draw(DType::Float64, 1000, ops::Distribution::Uniform, a);
    ir::HostTensor y = draw(DType::Float64, 1000, ops::Distribution::Uniform, b);
    std::set<double> both;
    for (int64_t i = 0; i < 1000; ++i) {
        both.insert(x.get(i));
        both.insert(y.get(i));
    }
    QCOMPARE(both.size(), size_t{2000});
}

void TestRandom::bad_requests_are_refused() {
    Generator generator;
    auto tensor = emptyTensor(ir::TensorType::contiguous(DType::Int64, {4}));
    auto normal = fillRandom(**tensor, ops::Distribution::Normal, generator);
    QVERIFY(!normal.ok());
    QCOMPARE(normal.error().message,
             std::string("random numbers of this distribution are floating point: found int64, "
                         "expected float32 or float64"));
    auto empty = fillRandom(**tensor, ops::Distribution::Integer, generator, 5, 5);
    QVERIFY(!empty.ok());
    QCOMPARE(empty.error().message,
             std::string("random integers need low < high: found low = 5, high = 5"));
}

QTEST_APPLESS_MAIN(TestRandom)
#include "test_random.moc"
