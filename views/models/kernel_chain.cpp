// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/kernel_chain.h"

#include "views/models/format.h"
#include "views/models/node_facts.h"
#include "views/models/significance.h"

#include <QCoreApplication>
#include <algorithm>

namespace cutaway::views {

using namespace facts;

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(KernelChain)
};

/// "4.00 µs in a call, 12 % of all kernels".
ChainStep timeStep(const record::Run& run, double us) {
    double all = 0;
    for (const record::KernelTiming& one : run.kernels)
        all += one.us;
    QString text = format::microseconds(us);
    if (!whyKernelsUnsteady(run).isEmpty()) text = disturbedText(text);
    return {Words::tr("%1, %2 of the kernels' time").arg(text, format::percent(us / all))};
}

/// The pair that was fused into it first; of a kernel of one buffer, why it was kept apart.
ChainStep fusionStep(const RecordView& view, const record::LoweredGraph& lowered,
                     const record::KernelInfo& kernel) {
    const auto isIn = [&](ItemId buffer) {
        return std::ranges::find(kernel.buffers, buffer) != kernel.buffers.end();
    };
    const record::FusionDecision *fused = nullptr, *apart = nullptr;
    int pairs = 0;
    for (const record::FusionDecision& one : lowered.decisions) {
        const bool inside = isIn(one.a) && isIn(one.b);
        if (one.fused && inside && ++pairs == 1) fused = &one;
        if (!one.fused && isIn(one.a) != isIn(one.b) && !apart) apart = &one;
    }
    const record::FusionDecision* told = fused ? fused : apart;
    if (!told) return {Words::tr("nothing beside it to fuse")};
    QString text = (fused ? Words::tr("%1 fused with %2: %3") : Words::tr("%1 apart from %2: %3"))
                       .arg(view.title(told->a), view.title(told->b), str(told->rule));
    if (pairs > 1) text += Words::tr(" and %1 more").arg(pairs - 1);
    return {text, {told->a, told->b}};
}

/// What is faster of those that were timed, or how to find out.
std::optional<ChainStep> otherStep(const RecordView& view, const record::LoweredGraph& lowered,
                                   const record::KernelInfo& kernel,
                                   const rows::TimedSchedule& timed) {
    const record::ScheduleCandidate* best = nullptr;
    double least = 0, own = 0;
    int others = 0, disturbed = 0;
    for (const record::ScheduleCandidate& one : kernel.candidates) {
        if (!one.refused.empty() || !kernel.device.starts_with(one.target)) continue;
        const ScheduleTime time = timed(lowered.graph, kernel.name, one.text());
        others += !one.taken;
        disturbed += time.us > 0 && time.disturbed;
        if (time.us <= 0 || time.disturbed) continue;
        if (one.taken) own = time.us;
        if (!best || time.us < least) best = &one, least = time.us;
    }
    if (others == 0) return {};
    if ((!best || own <= 0) && disturbed > 0)
        return ChainStep{
            Words::tr("other programs had the processors while its schedules were timed: "
                      "time them again (%1)")
                .arg(others),
            {},
            {},
            true};
    if (!best || own <= 0)
        return ChainStep{Words::tr("time its other schedules (%1)").arg(others), {}, {}, true};
    if (best->taken) return ChainStep{Words::tr("the fastest of its schedules, when timed")};
    return ChainStep{
        Words::tr("%1 takes %2 instead of %3")
            .arg(str(best->text()), format::microseconds(least), format::microseconds(own)),
        {},
        scheduleDecision(view, kernel.item, str(best->text()))};
}
} // namespace

std::vector<ChainStep> kernelChain(const RecordView& view, ItemId item, const record::Run& run,
                                   const rows::TimedSchedule& timed) {
    const record::KernelInfo* kernel = view.kernel(item);
    const record::LoweredGraph* lowered = kernel ? loweredOf(view, item) : nullptr;
    if (!lowered) return {};
    double us = 0;
    for (const record::KernelTiming& one : run.kernels)
        if (one.kernel == kernel->name && one.graph == lowered->graph) us += one.us;
    if (us <= 0) return {};
    std::vector<ChainStep> steps{timeStep(run, us),
                                 {Words::tr("kernel %1").arg(str(kernel->name)), {item}},
                                 fusionStep(view, *lowered, *kernel)};
    QStringList rules;
    std::vector<ItemId> made;
    for (ItemId from : view.links().ancestors({item})) {
        const record::GraphNode* node = view.node(from);
        if (!node || node->rule.empty() || rules.contains(str(node->rule))) continue;
        rules << str(node->rule);
        made.push_back(from);
    }
    if (!rules.isEmpty()) {
        const qsizetype more = rules.size() - 1;
        steps.push_back({Words::tr("made by %1").arg(rules.first()) +
                             (more > 0 ? Words::tr(" and %1 more").arg(more) : QString()),
                         made});
    }
    if (const std::vector<ItemId> lines = view.callLines({item}); !lines.empty()) {
        QStringList names;
        for (size_t i = 0; i < std::min<size_t>(lines.size(), 3); ++i)
            names << view.label(lines[i]);
        if (lines.size() > 3) names << "…";
        steps.push_back({names.join(", "), lines});
    }
    if (auto other = otherStep(view, *lowered, *kernel, timed)) steps.push_back(std::move(*other));
    return steps;
}

} // namespace cutaway::views
