// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/significance.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Significance)
};

constexpr size_t kFewest = 5;
constexpr double kSure = 0.01, kWorthTelling = 0.02, kUnsteady = 2;
/// So much more than a call is no matter of caches.
constexpr double kFarMore = 10;

/// Linear between the nearest two. \param sorted not empty
double quantile(const std::vector<double>& sorted, double part) {
    const double at = part * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<size_t>(at);
    const size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}
} // namespace

std::optional<Spread> spreadOf(const record::Run& run) {
    if (run.samples.size() < kFewest) return std::nullopt;
    std::vector<double> sorted = run.samples;
    std::sort(sorted.begin(), sorted.end());
    return Spread{quantile(sorted, 0.25), quantile(sorted, 0.75), quantile(sorted, 0.1),
                  quantile(sorted, 0.9)};
}

double rankTest(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() < kFewest || b.size() < kFewest) return 1;
    std::vector<std::pair<double, bool>> all;
    for (double value : a)
        all.emplace_back(value, true);
    for (double value : b)
        all.emplace_back(value, false);
    std::sort(all.begin(), all.end());
    double ranksOfA = 0, ties = 0;
    for (size_t i = 0, j = 0; i < all.size(); i = j) {
        size_t ofA = 0;
        for (j = i; j < all.size() && all[j].first == all[i].first; ++j)
            ofA += all[j].second;
        const auto count = static_cast<double>(j - i);
        ranksOfA += static_cast<double>(ofA) * (static_cast<double>(i) + (count + 1) / 2);
        ties += count * count * count - count;
    }
    const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
    const double u = ranksOfA - n * (n + 1) / 2, mean = n * m / 2;
    const double variance = n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1)));
    if (variance <= 0) return 1;
    const double z = std::max(0.0, std::abs(u - mean) - 0.5) / std::sqrt(variance);
    return std::erfc(z / std::sqrt(2.0));
}

QString Compared::text() const {
    if (verdict == Verdict::Unknown) return {};
    if (verdict == Verdict::Unsteady)
        return Words::tr("not to be trusted: others used the machine");
    const QString sure = p < 0.001 ? Words::tr("p < 0.001") : Words::tr("p = %1").arg(p, 0, 'g', 2);
    switch (verdict) {
    case Verdict::Faster:
        return Words::tr("faster, %1").arg(sure);
    case Verdict::Slower:
        return Words::tr("slower, %1").arg(sure);
    default:
        return Words::tr("no difference, %1").arg(sure);
    }
}

QString Compared::factorText() const {
    return format::ratio(verdict == Verdict::Slower ? 1 / ratio : ratio) + " " + text();
}

bool isUnsteady(const record::Run& run) {
    if (run.disturbed) return true;
    if (run.samples.size() < kFewest) return false;
    std::vector<double> sorted = run.samples;
    std::sort(sorted.begin(), sorted.end());
    return quantile(sorted, 0.5) > kUnsteady * quantile(sorted, 0.1);
}

QString whyUnsteady(const record::Run& run) {
    if (!isUnsteady(run)) return {};
    return run.disturbed ? Words::tr("other programs had the processors all the while: measure "
                                     "again when nothing else runs")
                         : Words::tr("half of the calls took more than twice as long as the "
                                     "fastest tenth: measure again when nothing else runs");
}

QString whyKernelsUnsteady(const record::Run& run) {
    double total = 0;
    for (const record::KernelTiming& timing : run.kernels)
        total += timing.us;
    if (run.us <= 0 || total <= kFarMore * run.us) return whyUnsteady(run);
    return Words::tr("other programs had the processors while the kernels were timed one by one: "
                     "measure again when nothing else runs");
}

QString disturbedText(const QString& time) {
    return Words::tr("%1, disturbed").arg(time);
}

Compared compare(const record::Run& run, const record::Run& baseline) {
    Compared result;
    if (run.us <= 0 || baseline.us <= 0) return result;
    result.ratio = baseline.us / run.us;
    if (run.samples.size() < kFewest || baseline.samples.size() < kFewest) return result;
    if (isUnsteady(run) || isUnsteady(baseline)) {
        result.verdict = Verdict::Unsteady;
        return result;
    }
    result.p = rankTest(run.samples, baseline.samples);
    const bool differs = result.p < kSure && std::abs(result.ratio - 1) >= kWorthTelling;
    result.verdict = !differs           ? Verdict::Same
                     : result.ratio > 1 ? Verdict::Faster
                                        : Verdict::Slower;
    return result;
}

} // namespace cutaway::views
