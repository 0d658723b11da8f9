// SPDX-License-Identifier: Apache-2.0
/// \file
/// Print-outs of two runs side by side: their words, and how far their numbers lie apart.
#pragma once

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::test {

inline const QRegularExpression kPrintedNumber("-?\\d+\\.\\d+(e-?\\d+)?");

/// The largest difference between numbers, relative to 1 or to the largest number of their line
/// where that is larger: [0] in lines of float32, [1] in those that follow a line that says
/// bfloat16.
inline std::array<double, 2> largestDifferences(const QString& found, const QString& expected) {
    const QStringList ours = found.split('\n'), theirs = expected.split('\n');
    std::array<double, 2> largest{};
    bool half = false;
    for (qsizetype line = 0; line < theirs.size(); ++line) {
        if (theirs[line].contains("torch.float32")) half = false;
        if (theirs[line].contains("torch.bfloat16")) half = true;
        auto a = kPrintedNumber.globalMatch(ours.value(line)),
             b = kPrintedNumber.globalMatch(theirs[line]);
        double scale = 1, difference = 0;
        while (a.hasNext() && b.hasNext()) {
            const double x = a.next().captured().toDouble(), y = b.next().captured().toDouble();
            scale = std::max(scale, std::fabs(y));
            difference = std::max(difference, std::fabs(x - y));
        }
        if (a.hasNext() || b.hasNext()) difference = HUGE_VAL;
        largest[half] = std::max(largest[half], difference / scale);
    }
    return largest;
}

inline QString withoutNumbers(QString text) {
    return text.replace(kPrintedNumber, "#");
}

} // namespace cutaway::test
