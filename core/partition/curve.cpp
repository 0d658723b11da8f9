// SPDX-License-Identifier: Apache-2.0
#include "core/partition/curve.h"

#include "core/base/said.h"
#include "core/base/tick.h"
#include "core/partition/op_kinds.h"
#include "core/partition/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutaway::partition {
namespace {

constexpr size_t kMostCompared = 10; ///< values, of which all subsets are looked at
constexpr int kMostHalvings = 6;

bool beats(const Estimate& a, const Estimate& b) {
    return a.us <= b.us && a.peakBytes <= b.peakBytes && a.savedBytes <= b.savedBytes;
}

/// Adds a choice unless one that is there beats it; those that it beats go.
void add(std::vector<CurvePoint>& curve, CurvePoint point) {
    for (const CurvePoint& other : curve)
        if (beats(other.estimate, point.estimate)) return;
    std::erase_if(curve,
                  [&](const CurvePoint& other) { return beats(point.estimate, other.estimate); });
    curve.push_back(std::move(point));
}

/// What a budget compares, and how much of it is allowed.
struct Limit {
    bool peak = false;
    int64_t bytes = 0;

    int64_t of(const Estimate& estimate) const {
        return peak ? estimate.peakBytes : estimate.savedBytes;
    }
    bool fits(const Estimate& estimate) const { return of(estimate) <= bytes; }
};

/// Takes the better of two: one that fits, the faster one, the smaller one.
void keepBetter(CurvePoint& best, CurvePoint other, const Limit& limit) {
    const Estimate &a = other.estimate, &b = best.estimate;
    const bool fits = limit.fits(a);
    if (fits != limit.fits(b) ? fits : fits ? a.us < b.us : limit.of(a) < limit.of(b))
        best = std::move(other);
}

/// Values that may be saved or not, and those that must be.
struct Freedom {
    std::vector<ir::NodeId> open, always;

    explicit Freedom(const BudgetProblem& problem) {
        const JointInfo& info = problem.info;
        std::vector<int> wish(info.graph.idLimit()); // 1: saved, 2: again
        for (const WishedNode& wished : problem.wished)
            wish[wished.id.index] = wished.save ? 1 : 2;
        for (ir::NodeId id : info.graph.order()) {
            const ir::Node& node = info.graph.node(id);
            if (info.tangentClosure[id.index] || wish[id.index] == 2) continue;
            if (!weightOf(info, id).canSave && wish[id.index] != 1) continue;
            const bool must =
                node.kind == ir::NodeKind::Placeholder || isRandom(node) || wish[id.index] == 1;
            (must ? always : open).push_back(id);
        }
    }
};

/// Whether all that a choice computes again can be had: what is computed of a written input cannot.
bool possible(const BudgetProblem& problem, const std::vector<ir::NodeId>& saved) {
    const std::vector<bool>& written = problem.info.written;
    const bool anyWritten = std::ranges::find(written, true) != written.end();
    return !anyWritten || std::isfinite(costOf(problem, saved).us);
}

void compareAll(const BudgetProblem& problem, const Freedom& freedom, const Estimator& estimator,
                const Limit& limit, CurvePoint& best) {
    for (uint32_t subset = 0; subset < 1u << freedom.open.size(); ++subset) {
        std::vector<ir::NodeId> saved = freedom.always;
        for (size_t i = 0; i < freedom.open.size(); ++i)
            if (subset >> i & 1) saved.push_back(freedom.open[i]);
        if (!possible(problem, saved)) continue;
        Estimate estimate = estimator.of(saved);
        keepBetter(best, {std::move(saved), estimate}, limit);
    }
}

/// Choices of whole numbers of bytes between the corners. A limit of the peak is met by halving:
/// the saved bytes that keep it are not known before. Returns the gap of the last choice that was
/// taken, in microseconds of additive costs.
base::Result<double> compareSome(const BudgetProblem& problem, const Estimator& estimator,
                                 const Limit& limit, CurvePoint& best) {
    CUTAWAY_TRY(const std::vector<Choice> corners, paretoCurve(problem));
    double gap = 0;
    auto at = [&](int64_t bytes) {
        Budgeted found = withinBytes(problem, corners, bytes);
        const Estimate estimate = estimator.of(found.choice.saved);
        const double before = best.estimate.us;
        const bool fits = limit.fits(estimate);
        keepBetter(best, {std::move(found.choice.saved), estimate}, limit);
        if (fits && (gap == 0 || best.estimate.us < before)) gap = found.gapUs;
        return fits;
    };
    if (!limit.peak) {
        at(limit.bytes);
        return gap;
    }
    int64_t fits = corners.back().bytes, tooMany = corners.front().bytes + 1;
    if (at(corners.front().bytes) || !at(fits)) return gap;
    for (int i = 0; i < kMostHalvings && tooMany - fits > 1; ++i) {
        const int64_t middle = fits + (tooMany - fits) / 2;
        (at(middle) ? fits : tooMany) = middle;
    }
    return gap;
}

} // namespace

base::Result<std::vector<CurvePoint>>
memoryCurve(const BudgetProblem& problem, const Estimator& estimator,
            const std::vector<std::vector<ir::NodeId>>& known) {
    CUTAWAY_TRY(std::vector<Choice> corners, paretoCurve(problem));
    std::vector<CurvePoint> curve;
    for (const std::vector<ir::NodeId>& saved : known)
        if (possible(problem, saved)) add(curve, {saved, estimator.of(saved)});
    for (Choice& corner : corners) {
        const Estimate estimate = estimator.of(corner.saved);
        add(curve, {std::move(corner.saved), estimate});
    }
    std::stable_sort(curve.begin(), curve.end(), [](const CurvePoint& a, const CurvePoint& b) {
        return a.estimate.savedBytes > b.estimate.savedBytes;
    });
    return curve;
}

base::Result<Chosen> withinBudget(const BudgetProblem& problem, const Estimator& estimator,
                                  const std::vector<CurvePoint>& curve, const Budget& budget,
                                  const Estimate& usual) {
    Limit limit{budget.peakBytes > 0, budget.peakBytes};
    if (!limit.peak)
        limit.bytes = static_cast<int64_t>(budget.share * static_cast<double>(usual.savedBytes));
    CurvePoint best = curve.back();
    for (const CurvePoint& point : curve)
        keepBetter(best, point, limit);

    std::string distance;
    const Freedom freedom(problem);
    if (freedom.open.size() <= kMostCompared) {
        compareAll(problem, freedom, estimator, limit, best);
        distance = base::said("the best of all {} choices", 1u << freedom.open.size());
    } else {
        CUTAWAY_TRY(double gap, compareSome(problem, estimator, limit, best));
        distance =
            base::said("within {} of the best, costs added up value by value", timeText(gap));
    }
    const std::string asked = limit.peak ? base::said("a peak of {}", bytesText(limit.bytes))
                                         : base::said("{:g} of what min_cut saves, {}",
                                                      budget.share, bytesText(limit.bytes));
    const std::string got = bytesText(limit.of(best.estimate));
    std::string how = limit.peak ? base::said("asked for {}: {} peak", asked, got)
                                 : base::said("asked for {}: {} saved", asked, got);
    if (!limit.fits(best.estimate))
        how = limit.peak ? base::said("asked for {}, which nothing keeps: the least is {} peak",
                                      asked, got)
                         : base::said("asked for {}, which nothing keeps: the least is {} saved",
                                      asked, got);
    how += "; " + base::said("predicted {} against {} of min_cut ({} saved, peak {})",
                             timeText(best.estimate.us), timeText(usual.us),
                             bytesText(usual.savedBytes), bytesText(usual.peakBytes));
    if (limit.fits(best.estimate)) how += "; " + distance;
    return Chosen{std::move(best), std::move(how)};
}

} // namespace cutaway::partition
