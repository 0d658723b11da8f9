// SPDX-License-Identifier: Apache-2.0
// The table of dtypes, and numbers of 16 and 8 bits in memory.
#include "core/ir/element.h"
#include "core/ir/host_tensor.h"
#include "core/ir/promotion.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>

using namespace cutaway::ir;

namespace {

template <typename T> T ofBits(uint32_t bits) {
    T value;
    value.bits = static_cast<decltype(value.bits)>(bits);
    return value;
}

/// Every number that the format holds is itself again; a float becomes the nearest of them, and of
/// two equally near ones the even one.
template <typename T> void roundsToNearest(int bits, float largest, bool infinite) {
    const uint32_t count = 1u << bits;
    for (uint32_t k = 0; k < count; ++k) {
        const float value = ofBits<T>(k);
        if (std::isnan(value))
            QVERIFY(std::isnan(static_cast<float>(T(value))));
        else
            QCOMPARE(static_cast<uint32_t>(T(value).bits), k);
    }
    std::mt19937 random(7);
    for (int n = 0; n < 200000; ++n) {
        const uint32_t pattern = random();
        float x;
        std::memcpy(&x, &pattern, 4);
        if (n % 2) x = std::ldexp(x - std::trunc(x) + 1.0f, static_cast<int>(pattern % 40) - 20);
        if (std::isnan(x)) continue;
        const T rounded(x);
        const float y = rounded;
        if (std::fabs(x) <= largest) {
            const double error = std::fabs(static_cast<double>(y) - x);
            for (uint32_t other : {rounded.bits - 1u, rounded.bits + 1u}) {
                const float z = ofBits<T>(other & (count - 1));
                if (std::isnan(z) || std::isinf(z) || (z < 0) != (y < 0)) continue;
                const double away = std::fabs(static_cast<double>(z) - x);
                QVERIFY2(error < away || (error == away && rounded.bits % 2 == 0),
                         qPrintable(QString("%1 became %2, not %3").arg(x).arg(y).arg(z)));
            }
        } else if (std::fabs(x) > 2 * largest) {
            QVERIFY(infinite ? std::isinf(y) : std::fabs(y) == largest);
        }
    }
    QVERIFY(std::isnan(static_cast<float>(T(std::numeric_limits<float>::quiet_NaN()))));
    QCOMPARE(std::isinf(static_cast<float>(T(std::numeric_limits<float>::infinity()))), infinite);
    QVERIFY(std::signbit(static_cast<float>(T(-0.0f))));
}

} // namespace

class TestDType : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_name_leads_back_to_its_row() {
        std::set<std::string_view> names;
        for (const DTypeInfo& row : allDTypes()) {
            for (std::string_view name : {row.name, row.alias, row.shortName}) {
                if (name.empty()) continue;
                QCOMPARE(dtypeFromName(name), row.id);
                QVERIFY(names.insert(name).second);
            }
            QCOMPARE(computeType(row.compute), row.compute);
            withElement(row.id, [&](auto element) { QCOMPARE(sizeof element, row.bytes); });
        }
    }
    void float16_rounds_to_nearest() { roundsToNearest<Float16>(16, 65504, true); }
    void float8_e4m3_rounds_to_nearest() { roundsToNearest<Float8E4M3>(8, 448, false); }
    void float8_e5m2_rounds_to_nearest() { roundsToNearest<Float8E5M2>(8, 57344, true); }
    void bfloat16_rounds_to_nearest() {
        roundsToNearest<BFloat16>(16, std::ldexp(255.0f, 120), true);
    }
    void limits_are_numeric_limits() {
        QCOMPARE(floatLimits(DType::Float32).max, double(std::numeric_limits<float>::max()));
        QCOMPARE(floatLimits(DType::Float64).eps, std::numeric_limits<double>::epsilon());
        QCOMPARE(floatLimits(DType::Float32).smallestNormal,
                 double(std::numeric_limits<float>::min()));
        QCOMPARE(floatLimits(DType::Float16).max, 65504.0);
        QCOMPARE(integerLimits(DType::Int8).min, int64_t{-128});
        QCOMPARE(integerLimits(DType::UInt16).max, int64_t{65535});
        QCOMPARE(integerLimits(DType::Int64).min, std::numeric_limits<int64_t>::min());
    }
    void host_tensors_hold_every_dtype() {
        for (const DTypeInfo& row : allDTypes()) {
            HostTensor tensor = HostTensor::zeros(row.id, {2});
            tensor.set(1, 1.0);
            QCOMPARE(tensor.get(0), 0.0);
            QCOMPARE(tensor.get(1), 1.0);
            QCOMPARE(tensor.getInt(1), int64_t{1});
        }
        HostTensor large = HostTensor::zeros(DType::UInt64, {1});
        large.setInt(0, -1);
        QCOMPARE(large.get(0), 18446744073709551616.0);
        HostTensor narrow = HostTensor::zeros(DType::Int8, {1});
        narrow.setInt(0, 200);
        QCOMPARE(narrow.getInt(0), int64_t{-56});
    }
    void pairs_that_pytorch_refuses_are_refused() {
        QVERIFY(!promoted(DType::UInt16, DType::Int64));
        QVERIFY(!promoted(DType::Float8E4M3, DType::Float32));
        QVERIFY_THROWS_EXCEPTION(PromotionRefused, promote(DType::UInt32, DType::Bool));
    }
};

QTEST_APPLESS_MAIN(TestDType)
#include "test_dtype.moc"
