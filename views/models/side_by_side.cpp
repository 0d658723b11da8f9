// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/side_by_side.h"

#include "views/models/format.h"
#include "views/models/significance.h"

#include <QCoreApplication>
#include <QMap>
#include <QSet>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(SideBySide)
};
} // namespace

/// "joint/cos": the graph nodes that a kernel computes, by the ends of their keys, which are the
/// same in every record.
static QSet<QString> nodesOf(const RecordView& view, ItemId kernel) {
    QSet<QString> names;
    const record::KernelInfo* info = view.kernel(kernel);
    if (!info) return names;
    for (ItemId item : view.links().ancestors(info->buffers))
        if (view.node(item)) names << view.label(item);
    return names;
}

KernelMatch::KernelMatch(const ComparedRecord& shown) : shown_(shown) {
    if (const record::Entry* entry = shown_.shown())
        for (const record::LoweredGraph& lowered : entry->lowered)
            for (const record::KernelInfo& kernel : lowered.kernels)
                for (const QString& node : nodesOf(*shown_.record, kernel.item))
                    byNode_[node] << kernel.item;
}

ItemId KernelMatch::find(const ComparedRecord& other, ItemId kernel) const {
    const record::KernelInfo* info = other.record->kernel(kernel);
    const record::Entry* mine = shown_.shown();
    const record::Entry* its = other.shown();
    if (!info || !mine || !its) return kNoItem;
    const Place& at = other.record->place(kernel);
    const QSet<QString> nodes = nodesOf(*other.record, kernel);
    if (at.lowered >= 0) {
        const std::string& graph = its->lowered[static_cast<size_t>(at.lowered)].graph;
        const ItemId named = kernelItem(*mine, graph, info->name);
        // Names tell the operations, not which of several: it has to share a node, too.
        if (named != kNoItem &&
            (nodes.isEmpty() || nodesOf(*shown_.record, named).intersects(nodes)))
            return named;
    }
    QMap<ItemId, int> shared; // in the order of items: of equals the first
    for (const QString& node : nodes)
        for (ItemId item : byNode_.value(node))
            ++shared[item];
    ItemId best = kNoItem;
    int most = 0;
    for (auto one = shared.constBegin(); one != shared.constEnd(); ++one)
        if (*one > most) {
            most = *one;
            best = one.key();
        }
    return best;
}

static const record::Run* timedRun(const ComparedRecord& record) {
    const record::Run* found = nullptr;
    for (const record::Run& run : record.runs)
        if (!run.kernels.empty() && (!found || run.backend == "inductor")) found = &run;
    return found;
}

Timeline callsSideBySide(const std::vector<ComparedRecord>& records, bool measurable) {
    Timeline all;
    if (records.empty()) return all;
    const KernelMatch match(records[0]);
    const record::Run* first = nullptr;
    QStringList missing, disturbed;
    for (size_t i = 0; i < records.size(); ++i) {
        const ComparedRecord& record = records[i];
        const record::Run* run = timedRun(record);
        if (!run || !record.shown()) {
            missing << record.title;
            continue;
        }
        const Timeline line = callTimeline(*run, *record.shown(), CallLanes::Graphs);
        const auto lane = static_cast<int>(all.lanes.size());
        const bool unsteady = isUnsteady(*run);
        QString told = format::microseconds(run->us);
        if (unsteady) told = disturbedText(told);
        if (!line.disturbed.isEmpty()) disturbed << record.title;
        if (first) {
            const Compared against = compare(*run, *first);
            if (against.ratio > 0) told += ", " + against.factorText();
        } else {
            first = run;
        }
        all.lanes << record.title;
        all.spans.push_back(
            {told, lane, 0, std::max(run->us, 0.0), kNoItem, Span::Kind::Stage, unsteady});
        for (const QString& name : line.lanes)
            all.lanes << "    " + name;
        QHash<ItemId, ItemId> known;
        for (Span span : line.spans) {
            span.lane += lane + 1;
            if (span.item != kNoItem && i > 0) {
                auto mine = known.constFind(span.item);
                if (mine == known.constEnd())
                    mine = known.insert(span.item, match.find(record, span.item));
                span.item = *mine;
            }
            all.spans.push_back(span);
        }
        all.us = std::max({all.us, line.us, run->us});
    }
    if (!disturbed.isEmpty())
        all.disturbed = Words::tr("other programs had the processors while it was measured: %1")
                            .arg(disturbed.join(", "));
    if (missing.isEmpty()) return all;
    all.note = Words::tr("Not measured, and not drawn: %1.").arg(missing.join(", "));
    if (measurable)
        all.note += " " + Words::tr("F5 measures what is shown; “Keep this” takes it up with its "
                                    "times.");
    return all;
}

} // namespace cutaway::views
