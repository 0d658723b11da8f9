// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Whether one measurement is faster than another, or only looks so.
#pragma once

#include "core/record/record.h"

#include <QString>
#include <optional>

namespace cutaway::views {

/// The middle half of a measurement's calls, and all but its outermost tenths, in microseconds.
struct Spread {
    double low = 0, high = 0;       ///< quartiles
    double lowest = 0, highest = 0; ///< 10 % and 90 %
};
/// Nothing where single calls are not known.
std::optional<Spread> spreadOf(const record::Run& run);

/// Two-sided p of the Mann-Whitney U test with normal approximation and correction for ties (H. B.
/// Mann, D. R. Whitney, 1947): how likely so different ranks are when nothing differs. 1 for too
/// few calls to tell.
double rankTest(const std::vector<double>& a, const std::vector<double>& b);

enum class Verdict : uint8_t { Unknown, Same, Faster, Slower, Unsteady };
struct Compared {
    Verdict verdict = Verdict::Unknown;
    double ratio = 0; ///< how often the run fits into the baseline: > 1 is faster
    double p = 1;
    /// "faster, p < 0.001", "no difference, p = 0.42"
    QString text() const;
    /// The same after a factor that is never below 1: "1.05× slower, p < 0.001"
    QString factorText() const;
};
/// Whether others had the processors all the time, or half of the calls took more than twice as
/// long as the fastest tenth: something else had the processors then, and for how long says nothing
/// of the program.
bool isUnsteady(const record::Run& run);
/// Why it is, and what helps; empty: it is not.
QString whyUnsteady(const record::Run& run);
/// The same of the times of single kernels, which add up to far more than a call where others had
/// the processors while these were timed.
QString whyKernelsUnsteady(const record::Run& run);
/// "5 µs, disturbed": of a time that is not its own.
QString disturbedText(const QString& time);
/// Differences below two per cent are none, however sure: the clock and the machine drift as much.
/// Of unsteady runs no test tells: it takes the calls for independent of each other.
Compared compare(const record::Run& run, const record::Run& baseline);

} // namespace cutaway::views
