// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/sweep.h"

#include "views/models/significance.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Sweep)
};
} // namespace

std::vector<int> threadSteps(int all) {
    std::vector<int> steps;
    for (int threads = 1; threads < all; threads *= 2)
        steps.push_back(threads);
    steps.push_back(std::max(1, all));
    return steps;
}

Curves curvesOf(const std::vector<record::Run>& history, const Measured& shown, SweepOver over,
                const QStringList& sizes) {
    std::map<QString, std::map<int, const record::Run*>> newest; // by backend; threads or size
    for (const record::Run& run : history) {
        Measured of(run);
        const int at =
            over == SweepOver::Threads ? of.threads : static_cast<int>(sizes.indexOf(of.size));
        if (over == SweepOver::Threads)
            of.threads = shown.threads;
        else
            of.size = shown.size;
        if (run.us <= 0 || at < 0 || !of.matches(shown)) continue;
        newest[QString::fromStdString(run.backend)][at] = &run;
    }
    std::vector<int> places;
    for (const auto& [backend, runs] : newest)
        for (const auto& [at, run] : runs)
            if (std::ranges::find(places, at) == places.end()) places.push_back(at);
    std::ranges::sort(places);
    Curves result;
    Measured same = shown;
    if (over == SweepOver::Threads)
        same.threads = 0;
    else
        same.size.clear();
    result.across = (over == SweepOver::Threads ? Words::tr("threads, each with %1")
                                                : Words::tr("size, each with %1"))
                        .arg(same.text());
    for (int at : places)
        result.places << (over == SweepOver::Threads ? QString::number(at) : sizes[at]);
    for (const auto& [backend, runs] : newest) {
        Curves::One curve{backend, {}};
        for (const auto& [at, run] : runs) {
            CurvePoint point;
            point.place = static_cast<int>(std::ranges::find(places, at) - places.begin());
            point.us = point.low = point.high = run->us;
            if (const auto spread = spreadOf(*run))
                point.low = spread->low, point.high = spread->high;
            point.disturbed = whyUnsteady(*run);
            curve.points.push_back(std::move(point));
        }
        result.curves.push_back(std::move(curve));
    }
    return result;
}

} // namespace cutaway::views
