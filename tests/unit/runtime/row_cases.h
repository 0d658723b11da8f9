// SPDX-License-Identifier: Apache-2.0
/// \file
/// Random sorts and scans with their results by the obvious way.
#pragma once

#include "core/runtime/rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

namespace cutaway::tests {

using kernel::LibraryOp;
using Running = kernel::RowCall::Running;
using runtime::RowsSpec;

struct RowCase {
    RowsSpec spec;
    std::vector<std::byte> operand, result; ///< memory; the result's is filled with 0x5a
    std::vector<double> expected;           ///< row by row
    std::string text;
};

/// \param longest about so many elements a row
inline RowCase rowCase(uint32_t seed, ir::DType dtype, LibraryOp op, int64_t longest) {
    std::mt19937 random(seed);
    auto upTo = [&](int64_t low, int64_t high) {
        return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
    };
    RowCase c;
    RowsSpec& s = c.spec;
    s.op = op;
    s.row.dtype = dtype;
    s.length = upTo(1, longest);
    s.count = s.length;
    if (op == LibraryOp::Sort) {
        s.row.descending = upTo(0, 1) == 1;
        if (upTo(0, 2) == 0) s.count = upTo(1, s.length);
    } else {
        s.row.running = static_cast<Running>(upTo(0, ir::isFloating(dtype) ? 4 : 1));
        if (!ir::isFloating(dtype) && upTo(0, 2) == 0)
            s.row.running = upTo(0, 1) ? Running::Max : Running::Min;
        s.row.backwards = upTo(0, 2) == 0;
    }
    const bool places = op == LibraryOp::Sort || s.row.givesPlaces();
    s.dtype = places ? ir::DType::Int64 : dtype;
    // A tensor [outer, row, inner], or its row along the last dimension.
    const int64_t outer = upTo(0, 2) ? upTo(1, 3) : upTo(4, 19);
    const int64_t inner = upTo(0, 1) ? 1 : upTo(2, 70);
    s.operandStride = s.resultStride = inner;
    if (outer > 1) s.outer.push_back({outer, s.length * inner, s.count * inner});
    if (inner > 1) s.outer.push_back({inner, 1, 1});
    const int64_t elements = outer * inner * s.length;
    // Few different values: ties; and what is no number.
    std::vector<double> values(static_cast<size_t>(elements));
    const int64_t kinds = upTo(0, 1) ? 5 : 100000;
    for (double& value : values) {
        const int64_t x = upTo(-kinds, kinds);
        value = dtype == ir::DType::Bool    ? static_cast<double>(x & 1)
                : dtype == ir::DType::UInt8 ? static_cast<double>(x & 255)
                                            : static_cast<double>(x);
        if (op == LibraryOp::Scan && !places) value = std::fmod(value, 3);
        if (!ir::isFloating(dtype)) continue;
        value /= 4;
        if (op == LibraryOp::Scan && !places) continue;
        const int64_t special = upTo(0, 40);
        if (special == 0) value = std::numeric_limits<double>::quiet_NaN();
        if (special == 1) value = std::numeric_limits<double>::infinity();
        if (special == 2) value = -std::numeric_limits<double>::infinity();
        if (special == 3) value = -0.0;
    }
    c.operand.resize(static_cast<size_t>(elements) * ir::sizeBytes(dtype));
    runtime::withType(dtype, [&]<typename T>(T) {
        auto* to = reinterpret_cast<T*>(c.operand.data());
        for (size_t i = 0; i < values.size(); ++i)
            to[i] = static_cast<T>(values[i]);
    });
    c.result.assign(static_cast<size_t>(outer * inner * s.count) * ir::sizeBytes(s.dtype),
                    std::byte{0x5a});
    for (int64_t r = 0; r < s.rows(); ++r) {
        std::vector<double> row;
        for (int64_t i = 0; i < s.length; ++i)
            row.push_back(values[static_cast<size_t>(runtime::startOfRow(s, r).operand +
                                                     i * s.operandStride)]);
        std::vector<double> out(row.size());
        if (op == LibraryOp::Sort) {
            std::iota(out.begin(), out.end(), 0.0);
            std::stable_sort(out.begin(), out.end(), [&](double i, double j) {
                const double a = row[static_cast<size_t>(i)], b = row[static_cast<size_t>(j)];
                if (s.row.descending) return std::isnan(a) ? !std::isnan(b) : a > b;
                return std::isnan(b) ? !std::isnan(a) : a < b;
            });
        } else {
            const auto n = static_cast<int64_t>(row.size());
            double sum = 0;
            int64_t best = 0;
            for (int64_t k = 0; k < n; ++k) {
                const int64_t i = s.row.backwards ? n - 1 - k : k;
                const double x = row[static_cast<size_t>(i)];
                const double top = row[static_cast<size_t>(best)];
                const bool better = s.row.running == Running::Max ? x >= top : x <= top;
                if (k == 0 || std::isnan(x) || (better && !std::isnan(top))) best = i;
                sum = k == 0                              ? x
                      : s.row.running == Running::Sum     ? sum + x
                      : s.row.running == Running::Product ? sum * x
                      : places                            ? x
                                                          : std::log(std::exp(sum) + std::exp(x));
                if (dtype == ir::DType::UInt8) sum = std::fmod(sum, 256);
                if (dtype == ir::DType::Bool) sum = sum != 0;
                if (dtype == ir::DType::Int32)
                    sum = static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(sum)));
                out[static_cast<size_t>(i)] = places ? static_cast<double>(best) : sum;
            }
        }
        c.expected.insert(c.expected.end(), out.begin(), out.begin() + s.count);
    }
    c.text = "seed " + std::to_string(seed) + ", " + std::string(ir::name(dtype)) + ", " +
             std::to_string(s.rows()) + " rows of " + std::to_string(s.length) + ", " +
             std::to_string(s.count) + " wanted, stride " + std::to_string(inner) +
             (op == LibraryOp::Sort ? s.row.descending ? ", descending" : ", ascending"
                                    : ", " + std::string(kernel::text(s.row.running)) +
                                          (s.row.backwards ? " backwards" : ""));
    return c;
}

/// The first element of the result that is not as expected, or nothing.
inline std::string complaintOf(const RowCase& c) {
    const RowsSpec& s = c.spec;
    std::string wrong;
    runtime::withType(s.dtype, [&]<typename T>(T) {
        auto* result = reinterpret_cast<const T*>(c.result.data());
        for (size_t e = 0; e < c.expected.size() && wrong.empty(); ++e) {
            const auto row = static_cast<int64_t>(e) / s.count,
                       i = static_cast<int64_t>(e) % s.count;
            const T found = result[runtime::startOfRow(s, row).result + i * s.resultStride];
            const double want = c.expected[e], have = static_cast<double>(found);
            const bool same = !ir::isFloating(s.dtype)
                                  ? found == static_cast<T>(want)
                                  : have == want || (std::isnan(have) && std::isnan(want)) ||
                                        std::fabs(have - want) <= 2e-5 * (1 + std::fabs(want)) ||
                                        (std::isinf(want) && std::fabs(have) > 1e30);
            if (!same)
                wrong = c.text + ": row " + std::to_string(row) + ", element " + std::to_string(i) +
                        " is " + std::to_string(have) + ", expected " + std::to_string(want);
        }
    });
    return wrong;
}

} // namespace cutaway::tests
