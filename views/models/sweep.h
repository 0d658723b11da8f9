// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Measurements of one script over its sizes or over numbers of threads, as curves.
#pragma once

#include "views/models/measured.h"

#include <QStringList>
#include <vector>

namespace cutaway::views {

enum class SweepOver : uint8_t { Threads, Sizes };

struct CurvePoint {
    int place = 0; ///< index in Curves::places
    double us = 0;
    double low = 0, high = 0; ///< quartiles; equal to us where single calls are not known
    QString disturbed{};      ///< why the time is not its own, for people; empty: it is
};

struct Curves {
    QStringList places; ///< "1", "2", "4"; or sizes
    struct One {
        QString backend;
        std::vector<CurvePoint> points; ///< by their places
    };
    std::vector<One> curves;
    QString across; ///< what the places are of, and what is the same at all of them
};

/// The newest measurement of each backend at each place that differs from what is shown in nothing
/// but the number of threads, or the size.
/// \param sizes in the script's order
Curves curvesOf(const std::vector<record::Run>& history, const Measured& shown, SweepOver over,
                const QStringList& sizes);

/// 1, 2, 4 … and all.
std::vector<int> threadSteps(int all);

} // namespace cutaway::views
