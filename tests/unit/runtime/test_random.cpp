// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/random.h"
#include "tests/support/philox.h"

#include <QtTest>
#include <cmath>
#include <set>

using namespace cutaway;
using namespace cutaway::runtime;
using ir::DType;

namespace {

ir::HostTensor draw(DType dtype, int64_t count, Distribution distribution, Generator& generator,
                    int64_t low = 0, int64_t high = 0) {
    auto tensor = emptyTensor(ir::TensorType::contiguous(dtype, {count}));
    Draw how{.distribution = distribution, .low = low, .high = high};
    if (!tensor || !fillRandom(**tensor, how, generator)) return {};
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
private Q_SLOTS:
    void philox_gives_the_known_answers_of_random123();
    void uniform_numbers_have_the_right_moments();
    void normal_numbers_have_the_right_moments();
    void integers_are_even_and_in_range();
    void the_same_seed_repeats_on_any_number_of_threads();
    void numbers_are_pytorchs();
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
        tests::philox4x32(c0, c1, c2, c3, test.k[0], test.k[1]);
        QCOMPARE(c0, test.expected[0]);
        QCOMPARE(c1, test.expected[1]);
        QCOMPARE(c2, test.expected[2]);
        QCOMPARE(c3, test.expected[3]);
    }
}

void TestRandom::uniform_numbers_have_the_right_moments() {
    for (DType dtype : {DType::Float32, DType::Float64}) {
        Generator generator(7);
        ir::HostTensor values = draw(dtype, 400000, Distribution::Uniform, generator);
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
        ir::HostTensor values = draw(dtype, 400000, Distribution::Normal, generator);
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
    ir::HostTensor values = draw(DType::Int64, 100000, Distribution::Integer, generator, -3, 7);
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
        results.push_back(draw(DType::Float32, 300001, Distribution::Normal, generator));
    }
    setThreads(before);
    QVERIFY(results[0].bytes == results[1].bytes);
    QVERIFY(results[0].bytes == results[2].bytes);
}

// What torch.manual_seed(42) is followed by in PyTorch 2.15.
void TestRandom::numbers_are_pytorchs() {
    Generator g(42);
    auto numbers = [](const ir::HostTensor& values) {
        std::vector<float> list;
        for (int64_t i = 0; i < values.numel(); ++i)
            list.push_back(static_cast<float>(values.get(i)));
        return list;
    };
    QCOMPARE(numbers(draw(DType::Float32, 5, Distribution::Uniform, g)),
             (std::vector<float>{0.8822692632675171f, 0.9150039553642273f, 0.38286375999450684f,
                                 0.9593056440353394f, 0.3904482126235962f}));
    // One at a time, then the one that was kept and groups of sixteen, the last of which overlap.
    QCOMPARE(numbers(draw(DType::Float32, 3, Distribution::Normal, g)),
             (std::vector<float>{0.3257518708705902f, -0.8676281571388245f, 1.5231338739395142f}));
    QCOMPARE(numbers(draw(DType::Float32, 20, Distribution::Normal, g)),
             (std::vector<float>{-1.2082147598266602f, -0.4776674509048462f, 0.5201311707496643f,
                                 1.6423169374465942f,  -0.8712361454963684f, -0.223365917801857f,
                                 1.7173614501953125f,  0.3188803195953369f,  -0.42451897263526917f,
                                 0.3057209253311157f,  -0.7745925188064575f, 0.0349123440682888f,
                                 0.9956361055374146f,  -0.8797858357429504f, -0.6011420488357544f,
                                 -1.2741512060165405f, 2.1227850914001465f,  -1.234653115272522f,
                                 -0.4879138767719269f, -1.4180599451065063f}));
    QCOMPARE(numbers(draw(DType::Int64, 8, Distribution::Integer, g, 0, 10)),
             (std::vector<float>{7.0f, 0.0f, 9.0f, 0.0f, 9.0f, 6.0f, 9.0f, 5.0f}));
    QCOMPARE(numbers(draw(DType::Int64, 10, Distribution::Permutation, g)),
             (std::vector<float>{4.0f, 6.0f, 1.0f, 8.0f, 0.0f, 5.0f, 2.0f, 7.0f, 9.0f, 3.0f}));
    QCOMPARE(numbers(draw(DType::Float64, 17, Distribution::Normal, g)),
             (std::vector<float>{0.6284835338592529f, -1.1081523895263672f, -0.1873779445886612f,
                                 0.4428268074989319f, -0.23210768401622772f, -0.03265155851840973f,
                                 -2.4472389221191406f, -0.44197455048561096f, -0.9017421007156372f,
                                 -1.1149258613586426f, 1.1145904064178467f, 0.03089355118572712f,
                                 -1.345747470855713f, 1.1755166053771973f, -2.6327924728393555f,
                                 0.5781475901603699f, 0.3466636836528778f}));
    const std::vector<uint8_t> state = g.state();
    Generator other;
    QVERIFY(other.setState(state).ok());
    QVERIFY(draw(DType::Float32, 7, Distribution::Normal, g).bytes ==
            draw(DType::Float32, 7, Distribution::Normal, other).bytes);
}

void TestRandom::different_seeds_differ() {
    Generator a(1), b(2);
    ir::HostTensor x = draw(DType::Float64, 1000, Distribution::Uniform, a);
    ir::HostTensor y = draw(DType::Float64, 1000, Distribution::Uniform, b);
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
    auto normal = fillRandom(**tensor, {.distribution = Distribution::Normal}, generator);
    QVERIFY(!normal.ok());
    QCOMPARE(normal.error().message,
             std::string("random numbers of this distribution are floating point: found int64, "
                         "expected a floating-point tensor"));
    auto empty = fillRandom(**tensor, {.distribution = Distribution::Integer, .low = 5, .high = 5},
                            generator);
    QVERIFY(!empty.ok());
    QCOMPARE(empty.error().message,
             std::string("random_ expects 'from' to be less than 'to', but got from=5 >= to=5"));
}

QTEST_APPLESS_MAIN(TestRandom)
#include "test_random.moc"
