// SPDX-License-Identifier: Apache-2.0
#include "core/partition/partition.h"

#include "core/partition/curve.h"
#include "core/partition/op_kinds.h"
#include "core/partition/reasons.h"
#include "core/partition/wishes.h"

#include <algorithm>

namespace cutaway::partition {
namespace {

/// Every value of the forward that an operation outside it reads (PyTorch: default_partition).
std::vector<ir::NodeId> allForwardValuesUsed(const JointInfo& info) {
    std::vector<bool> forward = info.requiredForward;
    for (ir::NodeId id : info.graph.order()) {
        // An element that only the backward takes from a forward tuple is a forward value, too.
        const ir::Node& node = info.graph.node(id);
        if (isGetitem(node) && forward[node.args[0].node()->index]) forward[id.index] = true;
    }
    std::vector<ir::NodeId> saved;
    for (ir::NodeId id : info.graph.order()) {
        const ir::Node& node = info.graph.node(id);
        if (!forward[id.index] || node.tuple || node.kind == ir::NodeKind::Constant) continue;
        const auto& users = info.users[id.index];
        const auto& gradients = info.gradients;
        if (info.checkpointed[id.index]) continue;
        bool used = std::find(gradients.begin(), gradients.end(), id) != gradients.end() ||
                    std::any_of(users.begin(), users.end(), [&](ir::NodeId user) {
                        return !forward[user.index] || info.checkpointed[user.index];
                    });
        if (used) saved.push_back(id);
    }
    return saved;
}

/// What there is to choose from.
base::Result<std::vector<CurvePoint>> choices(const BudgetProblem& problem,
                                              const Estimator& estimator, const MinCut& cut,
                                              Partition& result) {
    CUTAWAY_TRY(std::vector<CurvePoint> curve,
                memoryCurve(problem, estimator, {cut.saved, allForwardValuesUsed(problem.info)}));
    for (const CurvePoint& point : curve)
        if (std::none_of(curve.begin(), curve.end(), [&](const CurvePoint& other) {
                const Estimate &a = other.estimate, &b = point.estimate;
                return a.peakBytes <= b.peakBytes && a.us <= b.us &&
                       (a.peakBytes < b.peakBytes || a.us < b.us);
            }))
            result.curve.push_back(point.estimate);
    std::stable_sort(
        result.curve.begin(), result.curve.end(),
        [](const Estimate& a, const Estimate& b) { return a.peakBytes > b.peakBytes; });
    return curve;
}

/// The choices that there are, and the one that the budget asks for.
base::Status consider(const JointInfo& info, const PartitionOptions& options, const MinCut& cut,
                      std::vector<ir::NodeId>& saved, Partition& result) {
    const BudgetProblem problem{info, options.rates, cut.wished};
    const Estimator estimator(info, options.rates);
    CUTAWAY_TRY(const std::vector<CurvePoint> curve, choices(problem, estimator, cut, result));
    const bool own = options.budget && options.how == Partitioner::MinCut &&
                     (options.budget->peakBytes > 0 || options.budget->share < 1);
    if (own) {
        CUTAWAY_TRY(Chosen chosen, withinBudget(problem, estimator, curve, *options.budget,
                                                estimator.of(cut.saved)));
        result.algorithm = "budget";
        result.budget = std::move(chosen.how);
        saved = std::move(chosen.point.saved);
    }
    result.point = estimator.of(saved);
    return {};
}

std::vector<WishedNode> wishedOf(const JointInfo& info, const PartitionOptions& options) {
    const bool any = options.wishes && options.how == Partitioner::MinCut;
    return any ? wishedNodes(info, *options.wishes) : std::vector<WishedNode>();
}

} // namespace

base::Status predictChoices(const autodiff::JointGraph& joint, const PartitionOptions& options,
                            Partition& partition) {
    if (!partition.curve.empty()) return {}; // the budget was chosen from them
    const JointInfo info(joint, options.written);
    if (!info.needsBackward) return {};
    CUTAWAY_TRY(const MinCut cut, solveMinCut(info, wishedOf(info, options)));
    const BudgetProblem problem{info, options.rates, cut.wished};
    const Estimator estimator(info, options.rates);
    CUTAWAY_TRY(const std::vector<CurvePoint> curve, choices(problem, estimator, cut, partition));
    partition.point =
        estimator.of(options.how == Partitioner::MinCut ? cut.saved : allForwardValuesUsed(info));
    return {};
}

base::Result<Partition> partitionJointGraph(const autodiff::JointGraph& joint,
                                            const PartitionOptions& options) {
    JointInfo info(joint, options.written);
    Partition result;
    const bool minCut = options.how == Partitioner::MinCut && info.needsBackward;
    result.algorithm = minCut ? "min_cut" : "default";
    std::vector<ir::NodeId> saved = minCut ? std::vector<ir::NodeId>() : allForwardValuesUsed(info);
    MinCut cut;
    if (minCut) {
        CUTAWAY_TRY(cut, solveMinCut(info, wishedOf(info, options)));
        saved = cut.saved;
        if (options.budget) CUTAWAY_CHECK(consider(info, options, cut, saved, result));
    }
    CUTAWAY_TRY(Extracted extracted, extractGraphs(info, std::move(saved)));
    if (minCut && options.wishes) tellMet(info, extracted, *options.wishes);
    result.cutWeight = minCut ? static_cast<double>(cut.value) : 0;
    result.saved = result.algorithm == "budget"
                       ? explainBudgeted({info, options.rates, cut.wished}, extracted)
                       : explainSaved(info, extracted, minCut ? &cut : nullptr);
    result.recomputed = explainRecomputed(info, extracted);
    result.forward = std::move(extracted.forward);
    result.backward = std::move(extracted.backward);
    return result;
}

} // namespace cutaway::partition
